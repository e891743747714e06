/* The alternating bit protocol, by Bartlett, Scantlebury and Wilkinson (1969).
 *
 * Messages and acknowledgements may be lost. The sender repeats a message until the bit that it sent along comes back; the
 * receiver takes a message only if it comes with the bit that it waits for. So everything arrives once, and in order.
 *
 * What to look for: `arrives` is violated by a line that loses everything, and that is as it should be: weak fairness does
 * not help against it either, for whoever loses messages may move, too. What the protocol promises is `again`: if messages
 * get through again and again, so do new ones.
 *
 * verdict: deadlock holds
 * verdict: assertions holds
 * verdict: arrives violated
 * verdict: again holds
 * verdict with --fair: arrives violated
 */
#define LATEST	3	/* messages are numbered from 0, and begin again after that */

chan messages = [1] of { byte, bit };
chan acknowledgements = [1] of { bit };
bool is_heard;		/* the receiver has just got something */
bool is_answered;	/* the sender has just got something */
byte n_taken;		/* the number of the message that the receiver waits for */

active proctype Sender() {
	byte number;
	bit current;
	bit answer;
	do
	:: messages ! number, current
	:: atomic { acknowledgements ? answer -> is_answered = true };
	   if
	   :: answer == current ->
		current = 1 - current;
		number = (number == LATEST -> 0 : number + 1)
	   :: else
	   fi;
	   is_answered = false
	od
}

active proctype Receiver() {
	byte number;
	bit current, wanted;
	do
	:: atomic { messages ? number, current -> is_heard = true };
	   if
	   :: current == wanted ->
		assert(number == n_taken);
		n_taken = (n_taken == LATEST -> 0 : n_taken + 1);
		wanted = 1 - wanted
	   :: else
	   fi;
	   is_heard = false;
	   acknowledgements ! current
	od
}

active proctype Line() {
	do
	:: messages ? _, _
	:: acknowledgements ? _
	od
}

ltl arrives { [] <> (n_taken == 1) }
ltl again { ([] <> (is_heard) && [] <> (is_answered)) -> [] <> (n_taken == 1) }
