/* Several mistakes; each is reported where it is, and none hides the next. */

byte x;

proctype first() {
  do
    :: x < 3 -> x++
}

proctype second() {
  x = = 2;
  undeclared = 1
}

proctype third() {
  goto nowhere
}

init {
  run second(1);
  run absent()
}
