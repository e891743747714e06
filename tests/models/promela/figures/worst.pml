/* Paper 2, figure 4: processes that choose and stop. Stubborn sets visit 2^(N+1)-1 of 3^N states, two-phase
   algorithms all: no process is ever deterministic. */

#ifndef N
#define N 4
#endif

active [N] proctype P() {
  byte x;
  if
    :: x = 1
    :: x = 2
  fi;
end:
  false
}
