/* Mutual exclusion for two processes, by Peterson (1981).
 *
 * A process says that it wants to enter, gives the turn to the other one, and waits until the other does not want to, or
 * has given the turn back. Both orders matter: peterson_turn_first.pml has them the other way round.
 *
 * What to look for: who wants to enter does so, whoever is in a hurry (`entry`): the other one can go round once, and is
 * held up then. That a process enters again and again (`goes_on`) is another question: it is violated by a run in which
 * only the other one moves, and holds with `--fair`, where everybody who can move does so at some time.
 *
 * verdict: deadlock holds
 * verdict: assertions holds
 * verdict: exclusion holds
 * verdict: entry holds
 * verdict: goes_on violated
 * verdict with --fair: goes_on holds
 */
bool wants[2];
byte turn;
byte inside;	/* how many are in their critical sections */

active [2] proctype P() {
	byte me = _pid, other = 1 - _pid;
	do
	:: wants[me] = true;
	   turn = other;
	   (!wants[other] || turn == me);
	   inside++;
	   assert(inside == 1);
critical:  inside--;
	   wants[me] = false
	od
}

ltl exclusion { [] (inside <= 1) }
ltl entry { [] (wants[0] -> <> !wants[0]) }	/* it gets in, and out again */
ltl goes_on { [] <> P[0]@critical }
