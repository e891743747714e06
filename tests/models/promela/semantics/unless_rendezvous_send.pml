/* Nested escapes, and one that offers a rendezvous. */
byte x,y; chan q=[0] of {byte};
active proctype A() { { { x=1; x=2; x=3 } unless { y==1; x=4 } } unless { y==2; x=5 } ; x=6 }
active proctype B() { y=1; y=2; y=0 }
active proctype D() { { y=0; skip } unless { q!1 } ; x=7}
active proctype C() { byte z; if :: q?z :: skip fi }
