/* Formulas with the operator X, which may look at how often a state is repeated.
 *
 * What to look for: `stays` has an X and is reduced all the same, for it says nothing that `[] (ready -> [] ready)` does
 * not say. `not_at_once` counts steps, and nothing can be left out.
 *
 * verdict: deadlock holds
 * verdict: assertions holds
 * verdict: stays holds
 * verdict: not_at_once holds
 */
bool ready;

active proctype Worker() {
	byte i;
	do
	:: i < 3 -> i++
	:: else -> break
	od;
	ready = true
}

active [2] proctype Other() {
	byte i;
	do
	:: i < 3 -> i++
	:: else -> break
	od
}

ltl stays { [] (ready -> X ready) }
ltl not_at_once { !ready && X !ready }
