/* The process that moved last, and labels on jumps. */
byte x;
active proctype A() { x=1; _last==1; x=2 }
active proctype B() { x=3; x=4; L: if :: x==2 -> goto L2 :: else -> goto L fi; L2: skip; end: goto L3; L3: x=5; progress: x=6 }
