byte x;

active proctype Flip() {
  x = 2;
  do
  :: x = 3
  :: x = 4
  od
}

ltl reached { <> (x == 7) }
