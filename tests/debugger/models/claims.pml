mtype = { idle, busy };
mtype mode = idle;
byte turns[3], n = 1;
chan q = [1] of { byte };

active proctype P() {
  mode = busy;
  turns[n] = 2;
last:
  skip
}

ltl order { [] (mode == busy -> turns[n] <= 1) }
ltl waits { <> (len(q) > 0) }
ltl at { [] !P@last }
