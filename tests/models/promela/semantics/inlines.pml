/* Inlines with labels and locals of their own, and one that returns a value. */
byte x;
inline inc(v, k) {
  byte t;
  t = v;
  if :: t < k -> v = t + k; goto done :: else -> skip fi;
  v = 0;
  done: skip
}
inline next(a) { return a + 1 }
active proctype A() {
  inc(x, 2);
  inc(x, 3);
  x = next(x);
  atomic { inc(x, 5); x = 1 }
}
active proctype B() {
  do
  :: x > 3 -> break
  :: x = x + 1; goto M; skip
  :: skip; skip; skip; x = 0
  :: printf("a"); skip; printf("b"); x = 1
  od;
  M: x = 4;
  do
  :: atomic { x < 6 -> x++; if :: x == 5 -> break :: else fi }
  od
}
