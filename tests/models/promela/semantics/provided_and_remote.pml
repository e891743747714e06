/* provided clauses and references to another process's label and number. */
byte x; 
active [2] proctype A() provided (x!=2) { do :: x<3 -> x++ :: x==3 -> x=_pid; break od; end: if :: x==9 fi}
active proctype M() { do :: x==2 -> x=3 :: x==1 -> A[0]@end; assert(A[1]:_pid==1); break od }
