/* The trace is about sends: receives pass by. */
chan c = [2] of { byte };
byte x;
active proctype P() { c!1; c?x; c!2; c?x }
trace { c!1; c!2 }
