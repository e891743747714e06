/* Each is a question of its own: that the formula holds says nothing about the accept label, which is passed
 * again and again, nor does the assertion that fails say anything about the formula. */
byte x;
active proctype P() {
accept:
  do
  :: x < 2 -> x++; assert(x < 2)
  :: x == 2 -> x = 0
  od
}
ltl bounded { [] (x <= 2) }
ltl returns { [] (x == 2 -> <> (x == 0)) }
ltl stays { <>[] (x > 0) }
