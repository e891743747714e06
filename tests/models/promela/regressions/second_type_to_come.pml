/* Of two types of processes that may be created, the one that still can be matters: the assertion can fail. */
byte x;
proctype A() { x = 1 - x }
proctype B() { assert(x == 1) }
init { run A(); run B() }
