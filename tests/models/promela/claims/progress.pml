/* Without fairness P can wait for ever for Q to move. With it, progress is made. A run that ends makes none,
 * and none is asked of it. */
bit ready;
active proctype P() {
  do
  :: ready == 0 -> skip
  :: ready == 1 -> ready = 0; break
  od
}
active proctype Q() {
  ready = 1;
progress:
  skip
}
