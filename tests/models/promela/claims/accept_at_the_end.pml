/* A run that ends at an accept label stays there for ever. */
bit b;
active proctype P() {
  do
  :: b = 1 - b
  :: break
  od;
  b = 0;
accept:
  b == 1
}
