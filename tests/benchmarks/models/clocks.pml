/* Eight clocks that have nothing to do with each other: each goes through ten hours, which makes ten to the power of eight
 * states. Hours are integers, so that a state has the size of those of many protocols. */

active [8] proctype clock() {
  int hour;
  do
    :: hour = (hour + 1) % 10
  od
}
