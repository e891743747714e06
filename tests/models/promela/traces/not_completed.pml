/* Each event is as the trace says, but some runs end before its end. */
chan c = [2] of { byte };
active proctype P() {
  c!1;
  if
  :: c!2
  :: skip
  fi;
end:
  false
}
trace { c!1; c!2 }
