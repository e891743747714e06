/* Paper 1, figure 4: philosophers who take both forks at once. With colours for a proviso, N+1 states are visited. */

#ifndef N
#define N 4
#endif

bool used[N];

active [N] proctype philosopher() {
  do
    :: d_step { !used[_pid] && !used[(_pid + 1) % N] -> used[_pid] = true; used[(_pid + 1) % N] = true };
       d_step { used[_pid] = false; used[(_pid + 1) % N] = false }
  od
}
