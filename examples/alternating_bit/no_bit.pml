/* The alternating bit protocol without its bit.
 *
 * What to look for: the assertion fails as soon as a message is repeated because its acknowledgement was late or lost.
 *
 * verdict: deadlock holds
 * verdict: assertions violated
 */
#define LATEST	3

chan messages = [1] of { byte };
chan acknowledgements = [1] of { bit };

active proctype Sender() {
	byte number;
	do
	:: messages ! number
	:: acknowledgements ? _ -> number = (number == LATEST -> 0 : number + 1)
	od
}

active proctype Receiver() {
	byte number, wanted;
	do
	:: messages ? number ->
	   assert(number == wanted);
	   wanted = (wanted == LATEST -> 0 : wanted + 1);
	   acknowledgements ! 1
	od
}

active proctype Line() {
	do
	:: messages ? _
	:: acknowledgements ? _
	od
}
