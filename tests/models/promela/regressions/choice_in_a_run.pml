/* A run with a choice in it has several outcomes: its process is not deterministic. */
active proctype P1() {
  byte l2;
  atomic { skip; select(l2 : 0 .. 2) };
  (l2 > 9)
}
