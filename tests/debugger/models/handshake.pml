mtype = { idle, busy };
typedef Cell { byte count; short marks[2] };
mtype mode = idle;
Cell cell;
byte turns[3];
chan q = [2] of { mtype, byte };
byte n;

inline bump(x) {
  x = x + 1;
  turns[x] = x
}

active proctype Sender() {
  byte own = 5;
  mode = busy;
  bump(n);
  q ! busy, own;
  cell.marks[1] = 7;
  q ! idle, n
}

active proctype Receiver() {
  mtype m; byte v;
  q ? m, v;
  cell.count = v;
  assert(v != 5)
}
