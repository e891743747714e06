/* Of a send, a variable stands for anything. */
chan c = [2] of { byte, byte };
byte wanted = 7;
active proctype P() { c!1,8; c!2,9 }
trace { c!1,wanted; c!_,9 }
