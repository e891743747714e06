/* The claim accepts every run that stays in its loop; that it could also end is no reason to look for its end alone. */
byte x;

active proctype P() {
	do
	:: x = 1 - x
	od
}

never {
accept_a:
	do
	:: (x == 5) -> break
	:: true
	od
}
