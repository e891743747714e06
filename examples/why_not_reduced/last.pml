/* A formula about who moved last.
 *
 * What to look for: not even deadlocks are looked for with a reduction, since `_last` is part of the state of this model.
 *
 * verdict: deadlock holds
 * verdict: assertions holds
 * verdict: zero_moves holds
 */
active [2] proctype P() {
	byte i;
	do
	:: i < 3 -> i++
	:: else -> break
	od
}

ltl zero_moves { <> (_last == 0) }
