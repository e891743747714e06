/* Which channel is meant is decided by a variable that another process changes. */
unsigned v0 : 1 = 1;
chan gc2[2] = [2] of { byte };
active proctype P0() { do :: gc2[v0]!0 od }
active proctype P1() { v0++ }
