/* A ring elects the node with the largest number: each passes on what is larger than its own (Chang, Roberts 1979). */

#define N 4

mtype = { candidate, elected };

chan ring[N] = [2] of { mtype, byte };
byte n_leaders;

proctype node(byte place; byte number) {
  byte other;
  bool knows = false;
  ring[(place + 1) % N]!candidate(number);
  do
    :: ring[place]?candidate(other) ->
       if
         :: other > number -> ring[(place + 1) % N]!candidate(other)
         :: other < number
         :: other == number ->
            n_leaders++;
            assert(n_leaders == 1);
            knows = true;
            ring[(place + 1) % N]!elected(number)
       fi
    :: ring[place]?elected(other) ->
       if
         :: knows
         :: else -> knows = true; ring[(place + 1) % N]!elected(other)
       fi;
       break
  od
}

init {
  atomic {
    run node(0, 3);
    run node(1, 1);
    run node(2, 4);
    run node(3, 2)
  }
}
