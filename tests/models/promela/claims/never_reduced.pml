/* Steps that no claim sees can be left out. The first two claims cannot tell how often a state is
 * repeated, and one of them comes to its closing brace; the last one counts. */
byte x, r;
active proctype P() { x = 1; x = 2; do :: x = 1; x = 2 od }
active proctype R() { byte n; do :: n < 3 -> n++ :: else -> r = 1; break od }
never stays_two { do :: true :: x == 2 -> break od; accept: do :: x == 2 od }
never ends { do :: !(r == 1) :: r == 1 && x == 2 -> break od }
never third { true; true; x == 2 && r == 0 }
