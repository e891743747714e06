/* Two processes take the same two locks, each in its own order.
 *
 * What to look for: the deadlock after four steps. With -D ORDERED both take `a` first, and there is none.
 *
 * states: 25
 * verdict: deadlock violated
 * verdict: assertions holds
 * verdict with -D ORDERED: deadlock holds
 */
bool a, b;	/* is the lock taken? */

active proctype Left() {
	atomic { !a -> a = true };
	atomic { !b -> b = true };
	b = false;
	a = false
}

active proctype Right() {
#ifdef ORDERED
	atomic { !a -> a = true };
	atomic { !b -> b = true };
#else
	atomic { !b -> b = true };
	atomic { !a -> a = true };
#endif
	a = false;
	b = false
}
