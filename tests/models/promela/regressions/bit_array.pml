/* An array of bits holds bytes in SPIN's verifier: this loop has 256 states. */
bit v[2];
active proctype P() { do :: v[0]++ od }
