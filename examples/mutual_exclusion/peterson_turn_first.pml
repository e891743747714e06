/* Peterson's algorithm with two lines swapped: the turn is given away before anything is wanted.
 *
 * What to look for: the trail to the failed assertion. One process gives the turn away and stops there; the other one does
 * both and goes in, for nobody else wants to; then the first one wants to, and it is its turn.
 *
 * verdict: deadlock holds
 * verdict: assertions violated
 */
bool wants[2];
byte turn;
byte inside;

active [2] proctype P() {
	byte me = _pid, other = 1 - _pid;
	do
	:: turn = other;
	   wants[me] = true;
	   (!wants[other] || turn == me);
	   inside++;
	   assert(inside == 1);
	   inside--;
	   wants[me] = false
	od
}
