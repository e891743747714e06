/* A claim that comes to its end has matched, whatever comes after. `else` is what no other option allows, and
 * an atomic sequence is one step of the claim. */
byte x;
active proctype P() {
  do
  :: x < 3 -> x++
  :: x == 3 -> break
  od
}
never three {
  do
  :: x == 3 -> break
  :: else
  od
}
never four {
  do
  :: atomic { x == 4 -> assert(x == 5) }
  :: x < 4
  od
}
