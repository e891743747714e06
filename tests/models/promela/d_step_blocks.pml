/* A d_step may wait before its first statement, not in its middle. */

chan c = [1] of { byte };

active proctype main() {
  byte x;
  c!1;
  d_step {
    c?x;
    c?x /* fails here */
  }
}
