bit a, b;

active proctype First() {
  atomic { a == 0 -> a = 1 };
  atomic { b == 0 -> b = 1 };
  a = 0; b = 0
}

active proctype Second() {
  atomic { b == 0 -> b = 1 };
  atomic { a == 0 -> a = 1 };
  b = 0; a = 0
}
