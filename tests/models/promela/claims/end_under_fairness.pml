/* The only run stays where it is: nothing can ever move, so it is fair to everybody. The formula is violated.
 * `pan -a` says so and `pan -a -f` does not: what the claim does alone at the end of a run is no turn of any
 * process, and a cycle of two such steps never adds up to a turn of all. A cycle of one step is found. */
bit b;
active proctype P() { b == 1 }
ltl again { <>[] (b == 1) }
ltl once { <> (b == 1) }
