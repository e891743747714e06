/* A rendezvous nobody answers, tried after an escape was taken, lets the body be tried as well. */
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
