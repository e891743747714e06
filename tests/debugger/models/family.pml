byte born;

proctype Child(byte n) {
  born = born + n
}

init {
  run Child(1);
  run Child(2);
  born >= 3;
  assert(born != 3)
}
