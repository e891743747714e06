/* SPIN's lexer makes `select` an `if` when it finds a name and two numbers on one line, and a loop otherwise. */
#define N 2
#define M (2)
byte i, i_;
active proctype P() {
  select(i : 0 .. N); i = 9;
  select(i : 0 .. M); i = 9;
  select(i : (0) .. 2); i = 9;
  select(i : false .. 2); i = 9;
  select(i : 0 ..
    2); i = 9;
  select(i_ : 0 .. 2)
}
