/* Mutual exclusion for N processes (Peterson 1981): N - 1 rooms, in each of which the last to come waits. */

#ifndef N
#define N 3
#endif

byte room[N];
byte last[N];
byte inside;

active [N] proctype user() {
  byte r, k;
  do
    :: r = 1;
       do
         :: r < N ->
            room[_pid] = r;
            last[r] = _pid;
            k = 0;
            do
              :: k < N -> (k == _pid || room[k] < r || last[r] != _pid); k++
              :: else -> break
            od;
            r++
         :: else -> break
       od;
       inside++;
       assert(inside == 1);
       inside--;
       room[_pid] = 0
  od
}

ltl leaves { [] <> (inside == 0) }
