/* N dining philosophers who all reach to the left first, and so can starve together. */

#ifndef N
#define N 6
#endif

bit taken[N];
byte eating;

active [N] proctype philosopher() {
  do
    :: atomic { !taken[_pid] -> taken[_pid] = 1 };
       atomic { !taken[(_pid + 1) % N] -> taken[(_pid + 1) % N] = 1 };
       eating++;
       eating--;
       taken[(_pid + 1) % N] = 0;
       taken[_pid] = 0
  od
}

ltl eats { [] <> (eating > 0) }
