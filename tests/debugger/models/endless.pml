byte x;
active proctype Spin() {
  do
  :: x = x + 1
  od
}
ltl small { [] (x < 300) }
