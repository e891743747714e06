/* Types that wrap, structures, sorted and random channels, select, for, late declarations. */
mtype = {one, two, three}; mtype:fruit = {apple, pear};
typedef P { byte a; short b[2] }; typedef R { P p[2]; bit f; mtype m=two };
R r; chan q=[3] of {byte,short}; chan c=[2] of {P}; unsigned u:3 = 5; mtype:fruit fr = pear; short sh=-3;
active proctype A() { P p; byte k; r.p[1].b[0] = -4; r.m = three; p.a=2; p.b[1]=7; c!p; p.a=0; c?p; assert(p.a==2);
 q!!3,1; q!!1,2; q!!2,-1; if :: q??2,sh -> skip :: q?1,sh :: q??[3,_] -> q??3,_ fi; do :: q?k,_ :: empty(q) -> break od; u=u+5; sh = sh*10000; printf("%d",sh); select (k : 1 .. 3); select (u : 0 .. k); byte late = k; byte arr[3]; for (k : 0 .. 2) { arr[k] = k*2; byte inner = 1; inner++ } for (k in arr) { arr[k]--; } c!p; c!p; for (p in c) { r.f = !r.f } fr = apple }
active proctype B() { if :: len(q)==3 -> q?<_,_>  :: full(c) -> skip :: timeout -> skip fi }
