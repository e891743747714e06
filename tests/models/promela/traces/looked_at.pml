/* To look at a message is no event. */
chan c = [2] of { byte };
byte x;
active proctype P() { c!1; c?<x>; c?x }
trace { c!1; c?1 }
