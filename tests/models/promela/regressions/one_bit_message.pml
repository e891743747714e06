/* A bit that is all of a message is not truncated; one of several fields is. */
chan q = [1] of { bool };
chan r = [1] of { bit, byte };
byte x, y;
active proctype P() { q!5; q?x; r!3,3; r?y,_; assert(x == 5 && y == 1) }
