/* A leader is elected in a ring where messages go one way, by Chang and Roberts (1979).
 *
 * Everybody sends its own number to the next one, passes larger numbers on, and drops smaller ones. Whose number comes
 * back has the largest one.
 *
 * What to look for: how little is left of the state space, since processes have little to do with each other:
 * compare `stubborn explore examples/leader_election/ring.pml` with and without `--reduction auto`.
 *
 * verdict: deadlock holds
 * verdict: assertions holds
 * verdict: elected holds
 * verdict: one holds
 */
#define N	5

chan ring[N] = [N] of { byte };
byte n_leaders;
byte leader;

proctype Node(byte place; byte number) {
	byte seen;
	ring[(place + 1) % N] ! number;
	do
	:: ring[place] ? seen ->
	   if
	   :: seen > number -> ring[(place + 1) % N] ! seen
	   :: seen < number
	   :: seen == number ->
		n_leaders++;
		leader = number;
		assert(n_leaders == 1 && leader == N);
end:		do
		:: ring[place] ? seen -> assert(false)	/* nothing is left in the ring by now */
		od
	   fi
	:: n_leaders > 0 && empty(ring[place]) -> break
	od
}

init {
	byte i;
	atomic {
		/* the numbers are 1 to N, in no order */
		do
		:: i < N -> run Node(i, 1 + (2 * i + 1) % N); i++
		:: else -> break
		od
	}
}

ltl elected { <> (n_leaders == 1) }
ltl one { [] (n_leaders <= 1) }
