/* What becomes of values that are too large for their variables.
 *
 * verdict: deadlock holds
 * verdict: assertions holds
 */
byte b = 255;
short s = 32767;
unsigned u : 3 = 7;
bit t;

active proctype P() {
	b++;
	s++;
	u++;
	t = 2;
	assert(b == 0 && s == -32768 && u == 0 && t == 0)
}
