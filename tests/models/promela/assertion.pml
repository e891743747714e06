/* Two increments that are not atomic. */

byte x;

proctype increment() {
  byte seen;
  seen = x;
  x = seen + 1
}

init {
  atomic {
    run increment();
    run increment()
  };
  _nr_pr == 1 ->
  assert(x == 2) /* fails here */
}
