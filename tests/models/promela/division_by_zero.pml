/* The other process may take the divisor away between test and use. */

byte divisor = 2;
byte result;

active proctype divides() {
  divisor != 0 ->
  result = 6 / divisor /* fails here */
}

active proctype takes() {
  do
    :: divisor > 0 -> divisor--
    :: divisor == 0 -> break
  od
}
