int a, b, c;

active proctype A() { do :: a++ od }
active proctype B() { do :: b++ od }
active proctype C() { do :: c++ :: a + b == c -> skip od }

ltl apart { [] !(a == 1000000 && b == 1000000 && c == 1000000) }
