/* S can move where R can answer. If R went on counting, S could always move, so R receives again and again
 * where runs are fair. If R only receives, nobody is kept from moving, and R need not count. */
chan c = [0] of { bit };
bit got, turn;
active proctype S() { do :: c!1 od }
active proctype R() { do :: c?got; got = 0 :: turn = 1 - turn od }
active proctype T() { do :: turn = turn od }
ltl received { []<> (got == 1) }
ltl turns { []<> (turn == 1) }
ltl either { []<> (turn == 1 || got == 1) }
