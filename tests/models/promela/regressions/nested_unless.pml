/* An escape of an escape belongs to the inner escape: b = 1 and c = 1 are both possible. */
byte a, b, c;
active proctype P() { { a = 1 unless { b = 1 } } unless { c = 1 } }
