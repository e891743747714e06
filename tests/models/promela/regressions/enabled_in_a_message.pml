/* What is sent depends on everything Q looks at: no reduction can be used, although no guard asks it. */
byte x;
chan q = [1] of { byte };

active proctype P() {
  byte v;
  q!enabled(1);
  q?v;
  assert(v == 1)
}

active proctype Q() {
  x = 1;
end:
  x == 2
}
