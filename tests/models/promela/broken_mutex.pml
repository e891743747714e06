/* Looks before it leaps, but not in one step: both may see the flag down and enter. */

bool busy;
byte inside;

active [2] proctype user() {
  do
    :: !busy ->
       busy = true;
       inside++;
       assert(inside == 1); /* fails here */
       inside--;
       busy = false
  od
}
