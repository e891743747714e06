/* Every state is accepting, and only the last two are on a cycle: what arcs back to an elder tell is not enough. */
byte x;
active proctype P() {
  do
  :: x < 200 -> x++
  :: x == 200 -> x = 199
  od
}
never {
accept:
  do
  :: true
  od
}
