/* Two processes share a critical section, after Peterson.
 *
 * There is a mistake: a process gives way before it says that it wants to
 * enter. Exchange the two statements marked with an arrow, and save.
 */

bool wants[2];
byte turn;
byte inside;

active [2] proctype user() {
	byte other = 1 - _pid;
	do
	::	turn = other;         /* <- */
		wants[_pid] = true;   /* <- */
		!wants[other] || turn == _pid;

		inside++;
		assert(inside == 1);
		inside--;

		wants[_pid] = false
	od
}

ltl enters { []<> (inside == 1) }
