/* A process that goes round for ever, and one that goes wrong.
 *
 * What to look for: a search that always takes the steps of `Spins` first would come back to where it was, having put off
 * `Fails` for ever. A proviso sees to it that this does not happen.
 *
 * verdict: deadlock holds
 * verdict: assertions violated
 */
byte x;

active proctype Spins() {
	byte i;
	do
	:: i = 1 - i
	od
}

active proctype Fails() {
	x = 1;
	assert(x == 2)
}
