/* After the end of the trace nothing may happen on its channels. */
chan c = [3] of { byte };
active proctype P() { c!1; c!2; c!3 }
trace { c!1; c!2 }
