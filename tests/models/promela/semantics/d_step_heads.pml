/* d_steps with loops, selections, channel operations and else at their start. */
chan q=[2] of {byte}; byte x,y; byte a[4];
active proctype A() { byte i; d_step { x<5; x++; i=0; do :: i<3 -> a[i]=x; i++ :: else -> break od; if :: x>2 -> y=1 :: x>1 -> y=2 :: else -> y=3 fi }; do :: d_step { q!1; x=3; } :: d_step { q?x -> x=x+1; i=0 } :: d_step { if :: x==3 -> y=2 :: x==2 -> y=4 fi; x=y } :: d_step{ else -> x=0; y=x } :: x==2 -> break od }
active proctype B() { do :: q?x :: q!3 :: x>6 -> break od }
