/* Paper 2, figure 3: processes that go round on their own. Two-phase algorithms visit 2N+1 of 3^N states. */

#ifndef N
#define N 4
#endif

active [N] proctype P() {
  byte x;
  do
    :: x = 1; x = 2; x = 0
  od
}
