/* That a run ends before all events have happened is what a notrace asks for. */
chan c = [2] of { byte };
active proctype P() { c!1; end: false }
notrace { c!1; c!2 }
