/* P can never move, so that Q alone moves is fair, and the formula is violated. `pan -a` says so and
 * `pan -a -f` does not: it gives P its turn, and then leaves out, with P, what is done for a process that is
 * blocked. */
bit b;
active proctype P() provided (b == 1) { skip }
active proctype Q() { do :: b = 0 od }
ltl f { <> (b == 1) }
