/* The lock of readers_first.pml, where a writer that waits keeps new readers out.
 *
 * What to look for: `writes` holds with `--fair`. `reads` does not: the places that a writer leaves to those who wait
 * carry no names, so a reader that comes back at once can take the place of one that has waited for longer, again and
 * again. The cycle of the trail shows it.
 *
 * verdict: deadlock holds
 * verdict: assertions holds
 * verdict: excludes holds
 * verdict: writes violated
 * verdict: reads violated
 * verdict with --fair: writes holds
 * verdict with --fair: reads violated
 */
byte n_reading;
bool is_writing;
bool writer_waits;
byte n_waiting;		/* readers that were kept out */
byte n_let_in;		/* those of them that a writer let in when it left */

active [2] proctype Reader() {
	do
	:: if
	   :: atomic { !is_writing && !writer_waits -> n_reading++ }
	   :: atomic { is_writing || writer_waits -> n_waiting++ };
	      atomic { n_let_in > 0 -> n_let_in--; n_reading++ }
	   fi;
reading:   assert(!is_writing);
	   n_reading--
	od
}

active proctype Writer() {
	do
	:: writer_waits = true;
	   atomic { n_reading == 0 && n_let_in == 0 -> is_writing = true; writer_waits = false };
writing:   assert(n_reading == 0);
	   atomic { is_writing = false; n_let_in = n_waiting; n_waiting = 0 }
	od
}

ltl excludes { [] !(is_writing && n_reading > 0) }
ltl writes { [] <> Writer@writing }
ltl reads { [] <> Reader[0]@reading }
