/* An escape pre-empts its loop; an escape that waits for a rendezvous. */
byte x,y; chan q=[0] of {byte};
active proctype A() { byte i; { do :: i<3 -> i++; x=i :: else -> break od } unless { y==1 -> x=9 }; x=20 }
active proctype B() { y=1; q!3; y=2 }
active proctype C() { byte z; { x==5; z=1 } unless { q?z -> z=z+1 } }
