/* Something that goes wrong at run time.
 *
 * verdict: deadlock incomplete
 * verdict: assertions violated
 */
byte seats[4];

active proctype Usher() {
	byte i;
	do
	:: seats[i] = 1; i++
	od
}
