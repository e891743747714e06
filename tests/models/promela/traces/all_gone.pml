/* Some runs end before the end of the trace. SPIN asks for that end only if some process is still there. */
chan c = [2] of { byte };
active proctype P() {
  c!1;
  if
  :: c!2
  :: skip
  fi
}
trace { c!1; c!2 }
