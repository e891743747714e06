/* Two lamps, switched by two processes that have nothing to do with each other.
 *
 * What to look for: with all interleavings there are 21 states, and for deadlocks 9 of them will do. What a formula looks
 * at matters: `left_on` sees one lamp, `same` sees both, and then nothing can be left out.
 *
 * states: 21
 * verdict: deadlock holds
 * verdict: assertions holds
 * verdict: left_on holds
 * verdict: same holds
 */
bool left, right;

active proctype Left() {
	left = true;
	left = false;
	left = true
}

active proctype Right() {
	right = true;
	right = false;
	right = true
}

ltl left_on { <> left }
ltl same { [] <> (left == right) }
