/* Processes with priorities: whether one may move depends on whether any other can.
 *
 * verdict: deadlock holds
 * verdict: assertions holds
 */
active proctype Important() priority 2 {
	byte i;
	do
	:: i < 3 -> i++
	:: else -> break
	od
}

active proctype Other() {
	byte i;
	do
	:: i < 3 -> i++
	:: else -> break
	od
}
