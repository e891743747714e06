/* Dining philosophers, by Dijkstra (1965), in Promela. The same in DVE, as a high-level net and as a symmetric net are
 * beside it: four languages, the same states and steps.
 *
 * Everybody takes the fork on one side, then the one on the other side, and puts both back.
 *
 * What to look for: the deadlock, four steps from the start, where everybody has one fork; each philosopher is marked with
 * what it waits for. With -D LEFT_HANDED the last one takes its forks in the other order, and there is no deadlock.
 *
 * states: 34
 * verdict: deadlock violated
 * verdict: assertions holds
 * verdict: somebody_eats violated
 * verdict with -D LEFT_HANDED: deadlock holds
 * verdict with -D LEFT_HANDED: somebody_eats holds
 */
#define N	4

#ifdef LEFT_HANDED
#define FIRST	(_pid == N - 1 -> 0 : _pid)
#define SECOND	(_pid == N - 1 -> _pid : _pid + 1)
#else
#define FIRST	_pid
#define SECOND	((_pid + 1) % N)
#endif

bool taken[N];

active [N] proctype Philosopher() {
	do
	:: atomic { !taken[FIRST] -> taken[FIRST] = true };
	   atomic { !taken[SECOND] -> taken[SECOND] = true };
eating:	   atomic { taken[FIRST] = false; taken[SECOND] = false }
	od
}

ltl somebody_eats {
	[] <> (Philosopher[0]@eating || Philosopher[1]@eating || Philosopher[2]@eating || Philosopher[3]@eating)
}
