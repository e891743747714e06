/* The run of a process that does not exist yet looks at the channel after its first statement: it depends on
 * the receive, and the assertion can fail. */
chan c = [1] of { byte };
byte x;
proctype P2() { atomic { x = 1; end: c!0; x = 0 } }
active proctype P1() { c!1; run P2(); end: (x == 1); assert(false) }
active proctype P0() { c?1 }
