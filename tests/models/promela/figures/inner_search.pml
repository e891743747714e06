/* Every round of B needs the full sets of several states, and the node in which p and q have both been seen
 * is left before the round ends: only a search from it, with the same sets, comes back to it. */
bit a, p, q, z;

active proctype A() {
  do
  :: a = 1 - a
  od
}

active proctype B() {
  do
  :: p = 1; p = 0; q = 1; q = 0; z = 1; z = 0
  od
}

ltl one_stops { <>[] !p || <>[] !q }
