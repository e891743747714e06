/* Counts one step too far through an array. */

byte a[3];
byte i;

active proctype main() {
  do
    :: i < 4 ->
       a[i] = 1; /* fails here */
       i++
    :: i == 4 -> break
  od
}
