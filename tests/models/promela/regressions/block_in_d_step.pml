/* A block inside a d_step goes on with what follows it. */
chan q = [2] of { byte };
active proctype P() {
  byte i;
  d_step { { skip }; q!1 };
  d_step { i = 0; do :: i < 2 -> { i++ }; i = i :: else -> { break } od; q!i };
  q?1; q?2
}
