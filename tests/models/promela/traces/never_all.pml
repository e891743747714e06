/* The whole sequence does happen. */
chan c = [0] of { byte };
active proctype S() { c!1; c!2; c!3 }
active proctype R() { byte x; do :: c?x od }
notrace { c!1; c?1; c!2; c?2 }
