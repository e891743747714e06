/* A reference to a label on a jump makes SPIN number one statement more, just before the one that refers. */
byte x;
active proctype P() { x = 1; L: goto M; x = 9; M: x = 2; end: x == 77; N: goto K; K: skip }
active proctype Q() { endA: P@L; endB: x == 2; x = 77; endC: P@N && P@N; assert(false) }
active proctype R() { endD: x == 77; skip }
