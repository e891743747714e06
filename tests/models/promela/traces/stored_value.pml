/* Of 2, a bit leaves 0, and that is what is sent. */
chan c = [1] of { bit, byte };
active proctype P() { c!2,2 }
trace { c!0,2 }
