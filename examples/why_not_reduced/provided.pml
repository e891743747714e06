/* A process that may move only while something holds.
 *
 * What to look for: every statement of `Guarded` reads `open`, so it depends on what `Doorman` does, and on nothing else.
 * There is still something to leave out.
 *
 * states: 729
 * verdict: deadlock holds
 * verdict: assertions holds
 */
bool open = true;

active proctype Guarded() provided (open) {
	byte i;
	do
	:: i < 3 -> i++
	:: else -> break
	od
}

active proctype Doorman() {
	byte i;
	do
	:: i < 3 -> i++
	:: else -> break
	od;
	open = false;
	open = true
}

active proctype Other() {
	byte i;
	do
	:: i < 3 -> i++
	:: else -> break
	od
}
