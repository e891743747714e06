/* The escape can be taken, so the body cannot go on; a rendezvous nobody answers changes nothing. */
chan c = [0] of { byte };
byte x;
active proctype P() {
  x = 1 unless {
    if
      :: c!0
      :: x = 2
    fi
  }
}
