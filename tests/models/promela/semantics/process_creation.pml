/* Processes with channels of their own, created, ended and created again. */
byte x; byte n;
proctype W(byte id; chan o) { chan me=[1] of {byte}; me!id; o!me,id; me?x; n-- }
init { chan c=[1] of {chan,byte}; chan d; byte i; pid p; atomic { n++; p = run W(1,c); n++; run W(2,c) }; c?d,i; c?d,i; n==0; _nr_pr==1; n=1; run W(3,c); c?d,i; x=_nr_pr }
