/* else next to rendezvous and buffered channels, and inside a nested selection. */
chan q=[0] of {byte}; chan r=[1] of {byte}; byte x;
active proctype A() { byte n; do :: n<3 -> if :: q!1 -> x=1 :: else -> x=2 fi; n++ :: else -> break od }
active proctype B() { byte z; do :: q?z :: r!1 :: x==2 -> break od; if :: r?z -> if :: z==1 -> x=3 :: else -> x=4 fi :: else -> x=5 fi; if :: if :: x==3 -> skip :: else -> x=6 fi :: x==6 -> x=7 fi }
