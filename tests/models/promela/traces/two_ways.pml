/* What a trace means that could go two ways is not said. */
chan c = [2] of { byte };
active proctype P() { c!1; c!2 }
trace {
  if
  :: c!1 -> c!2
  :: c!_ -> c!3
  fi
}
