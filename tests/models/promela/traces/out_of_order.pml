/* The second request comes before a reply. */
mtype = { request, reply };
chan line = [2] of { mtype, byte };
chan log = [4] of { byte };
active proctype Client() {
  byte n;
  do
  :: n < 2 -> line!request(n); line!request(n); line?reply(_); n++; log!n
  :: n == 2 -> break
  od
}
active proctype Server() {
  byte n;
end:
  do
  :: line?request(n) -> line!reply(n)
  od
}
trace {
end:
  do
  :: line!request(_) -> line!reply(_)
  od
}
