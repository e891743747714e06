/* Q alone, round after round, is fair once P has ended, and makes no progress. `pan -l` says so and
 * `pan -l -f` does not; `pan -a -f` does if the same is asked by a never claim (a step of np_ or true again
 * and again, then of np_ for ever). */
bit a, b;
active proctype P() { progress: skip }
active proctype Q() {
  do
  :: a = 1; b = 1 - b
  :: a = 0; break
  od
}
