/* A rendezvous of two processes neither of which is there yet: each waits for its own way, not for the other. */
chan c = [0] of { byte };
byte x;
active proctype A() { x = 1; end: c!1 }
active proctype B() { end: (x == 1) -> end1: c?1; assert(false) }
active proctype C() { x = 0 }
