/* Events inside atomic and d_step sequences happen one after the other. */
chan c = [4] of { byte };
byte x;
active proctype P() {
  atomic { c!1; c!2 };
  d_step { c!3; c?x; c?x }
}
active proctype Q() { c!4 }
trace {
  if
  :: c!1 -> c!2
  :: c!4 -> c!1; c!2; c!3 -> goto last
  fi;
  if
  :: c!3 -> c!4
  :: c!4 -> c!3
  fi;
last:
  c?_; c?_
}
