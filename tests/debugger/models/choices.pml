chan c = [0] of { byte };
byte sum;

active proctype Left() {
  byte i;
  do
  :: i < 3 -> i++; sum = sum + 1
  :: i == 3 -> break
  od;
  c ! sum
}

active proctype Right() {
  byte got;
  d_step {
    sum = sum + 10;
    sum = sum + 10
  }
  c ? got;
  printf("got %d\n", got)
}
