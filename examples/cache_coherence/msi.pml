/* Caches that agree on what is in the memory: the protocol with the states Modified, Shared and Invalid.
 *
 * One cell of memory, and a cache for each processor. A cache that has written has the only copy (Modified); copies that
 * are only read can be many (Shared). Who needs what it has not got asks on the bus, which serves one request at a time
 * and is seen by all: whoever has a modified copy writes it back, and a request to write makes all other copies invalid.
 *
 * What to look for: compile with -D FORGET, and a cache that writes to its shared copy does not tell the others. The
 * assertion that a processor reads what was written last then fails: `stubborn trail -D FORGET
 * examples/cache_coherence/msi.pml` shows how, in few steps.
 *
 * verdict: deadlock holds
 * verdict: assertions holds
 * verdict: one_owner holds
 * verdict with -D FORGET: assertions violated
 * verdict with -D FORGET: one_owner violated
 */
#define N	3	/* caches */
#define VALUES	2

mtype = { modified, shared, invalid };

mtype state[N] = invalid;
byte copy[N];
byte memory;
byte latest;	/* what was written last: no cache knows it, the assertions do */

/* Whoever has the only copy writes it back. */
inline write_back(becomes) {
	other = 0;
	do
	:: other < N ->
		if
		:: other != _pid && state[other] == modified -> memory = copy[other]; state[other] = becomes
		:: else
		fi;
		other++
	:: else -> break
	od
}

inline invalidate_others() {
	other = 0;
	do
	:: other < N ->
		if
		:: other != _pid -> state[other] = invalid; copy[other] = 0
		:: else
		fi;
		other++
	:: else -> break
	od;
	other = 0
}

active [N] proctype Processor() {
	byte other;
	do
	:: d_step {	/* read, and have no copy: ask for one */
		state[_pid] == invalid ->
		write_back(shared);
		other = 0;
		state[_pid] = shared;
		copy[_pid] = memory
	   }
	:: atomic {	/* read what one has */
		state[_pid] != invalid -> assert(copy[_pid] == latest)
	   }
	:: d_step {	/* write to the only copy: nobody else has to know */
		state[_pid] == modified ->
		copy[_pid] = (copy[_pid] + 1) % VALUES;
		latest = copy[_pid]
	   }
	:: d_step {	/* write, and have a copy among others */
		state[_pid] == shared ->
#ifndef FORGET
		invalidate_others();
#endif
		state[_pid] = modified;
		copy[_pid] = (copy[_pid] + 1) % VALUES;
		latest = copy[_pid]
	   }
	:: d_step {	/* make room */
		state[_pid] != invalid ->
		if
		:: state[_pid] == modified -> memory = copy[_pid]
		:: else
		fi;
		state[_pid] = invalid;
		copy[_pid] = 0
	   }
	od
}

ltl one_owner { [] !(state[0] == modified && state[1] != invalid) }
