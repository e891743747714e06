mtype = { idle, busy };
typedef Cell { byte count; short marks[2] };
mtype mode = idle;
Cell cell;
byte turns[3];
chan q = [2] of { mtype, byte };
byte n;

inline bump(x) {
  n = x + 1;
  turns[x + 1] = 1
}

active proctype Sender() {
  byte own = 5;
  mode = busy;
  bump(0);
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
