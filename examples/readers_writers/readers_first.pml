/* A lock that many readers, or one writer, can hold.
 *
 * Readers come in as long as there is no writer inside. Nobody reads while somebody writes.
 *
 * What to look for: `writes` is violated even with `--fair`: the readers take turns in such a way that there is always one
 * inside. The cycle of the trail shows two of them handing over to each other. writers_wait_once.pml mends it.
 *
 * verdict: deadlock holds
 * verdict: assertions holds
 * verdict: excludes holds
 * verdict: writes violated
 * verdict with --fair: writes violated
 */
byte n_reading;
bool is_writing;

active [2] proctype Reader() {
	do
	:: atomic { !is_writing -> n_reading++ };
	   assert(!is_writing);
	   n_reading--
	od
}

active proctype Writer() {
	do
	:: atomic { !is_writing && n_reading == 0 -> is_writing = true };
writing:   assert(n_reading == 0);
	   is_writing = false
	od
}

ltl excludes { [] !(is_writing && n_reading > 0) }
ltl writes { [] <> Writer@writing }
