/* Only the first try counts: the run begins with another event. */
chan c = [0] of { byte };
active proctype S() { c!3; c!1; c!2 }
active proctype R() { byte x; do :: c?x od }
notrace { c!1; c!2 }
