/* P2 passes its accept label twice and is gone, and P1 stops or goes on for ever. Only a run in which the second
 * P2 never moves stays at the label, and that run is not fair. `pan -a -f` finds an "accept stutter" in a state
 * where nobody is at the label: where all processes are blocked, it adds marks to what a step at the same depth
 * left behind. Our oracle has that corrected. */
bit b;
byte v = 1;
active proctype P0() { skip }
active proctype P1() {
  byte x;
  run P2();
  do
  :: b = 1
  :: x = 2; false
  od
}
active proctype P2() {
accept:
  v = 2
}
