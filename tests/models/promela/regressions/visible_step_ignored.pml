/* The loop of P is a cycle in which x = 1 must not be ignored. */
byte x;
active proctype P() { byte i; do :: i = 1 - i od }
active proctype Q() { x = 1 }
