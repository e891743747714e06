/* Each waits for the other to speak first. */

chan left = [0] of { bit };
chan right = [0] of { bit };

active proctype a() {
  left?1;
  right!1
}

active proctype b() {
  right?1;
  left!1
}
