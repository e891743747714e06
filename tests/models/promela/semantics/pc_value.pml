/* The numbers of locations are those of SPIN. */
byte x;
active proctype A() { byte i; do :: i < 2 -> i++; if :: x > 3 -> x = pc_value(1) :: else -> x = pc_value(0) fi :: i == 2 -> break od; { x = 1 unless { x == 7; x = pc_value(0) } }; for (i : 0 .. 2) { x = pc_value(1) }; atomic { x = pc_value(0); x = x + 1 } ; x = pc_value(1) }
active proctype B() { L: x = 7; if :: x == 7 -> x = pc_value(0) :: x = pc_value(1) fi; if :: x > 20 -> goto L :: else fi; select(x : 1 .. 3); d_step { x = pc_value(0); x++ }; end: goto M; M: x = pc_value(1) }
