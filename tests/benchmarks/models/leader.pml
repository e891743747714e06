/* Who has the greatest number in a ring of N (Chang and Roberts 1979): numbers go round, smaller ones are dropped. */

#ifndef N
#define N 5
#endif

chan ring[N] = [N] of { byte };
byte elected;

active [N] proctype node() {
  byte m;
  ring[(_pid + 1) % N]!_pid;
end:
  do
    :: ring[_pid]?m ->
       if
         :: m > _pid -> ring[(_pid + 1) % N]!m
         :: m == _pid -> elected++; assert(elected == 1)
         :: else
       fi
  od
}

ltl comes { <> (elected == 1) }
