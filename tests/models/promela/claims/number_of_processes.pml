/* A claim is no process, and the model does the same with it as without. `pan` counts it: there `n` becomes 2,
 * unless it is told otherwise. */
byte n;
active proctype P() { n = _nr_pr }
ltl one { [] (n <= 1) }
