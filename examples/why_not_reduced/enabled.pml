/* A process that asks whether another one can move.
 *
 * verdict: deadlock holds
 * verdict: assertions holds
 */
chan q = [1] of { byte };

active proctype Sender() {
	q ! 1;
	q ! 2
}

active proctype Receiver() {
	do
	:: q ? _
	:: !enabled(0) && empty(q) -> break
	od
}
