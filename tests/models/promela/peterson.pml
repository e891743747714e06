/* Mutual exclusion for two processes (Peterson 1981). Correct: the assertion never fails. */

bool wants[2];
byte turn;
byte inside;

active [2] proctype user() {
  do
    :: wants[_pid] = true;
       turn = 1 - _pid;
       (!wants[1 - _pid] || turn == _pid);
       inside++;
       assert(inside == 1);
       inside--;
       wants[_pid] = false
  od
}
