/* enabled(), inside other processes that ask it too; provided clauses do not count for it. */
byte x; chan q = [1] of {byte};
active proctype A() { do :: x < 3 -> x++ :: enabled(1) -> break od; q!x; x = 9 }
active proctype B() provided (x != 2) { byte y; if :: x == 1 -> skip :: q?y fi; x = 8 }
active proctype C() { if :: enabled(0) -> x = 7 :: !enabled(1) -> x = 6 :: enabled(5) -> x=5 fi }
