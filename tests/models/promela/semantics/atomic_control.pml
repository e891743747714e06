/* Atomic sequences that block, hand control over in a rendezvous, and jump. */
chan q=[0] of {byte}; byte x,y; chan r=[2] of {byte,byte};
active proctype A() { atomic { x=1; q!1; x=2; y==1; x=3; if :: x=4; q!2 :: x=5 fi } ; L: atomic { r!1,2; r!x,1; if :: r?1,x :: r?2,x; goto L fi } }
active proctype B() { byte z; atomic { q?z; x=z+10; y=1 }; atomic { y=0; q?z; y=1; y=2 }; do :: atomic { x<20 -> x++; y=x%3 } :: atomic { x>=20; break } od }
