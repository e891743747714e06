/* Dining philosophers who all reach to the left first, and so can starve together. */

#define N 4

chan fork[N] = [1] of { bit };

proctype philosopher(byte left, right) {
end:
  do
    :: fork[left]?_ -> fork[right]?_;
eating:
       fork[right]!1; fork[left]!1
  od
}

init {
  byte i;
  atomic {
    for (i : 0 .. N - 1) {
      fork[i]!1;
      run philosopher(i, (i + 1) % N)
    }
  }
}
