/* The alternating bit protocol over channels that lose messages (Bartlett, Scantlebury, Wilkinson 1969). */

#define MAX 4

mtype = { data, ack };

chan forward = [1] of { mtype, byte, bit };
chan back = [1] of { mtype, bit };

active proctype sender() {
  byte value;
  bit flag, seen;
  do
    :: forward!data(value, flag);
       if
         :: back?ack(seen) ->
            if
              :: seen == flag -> value = (value + 1) % MAX; flag = 1 - flag
              :: else
            fi
         :: timeout
       fi
  od
}

active proctype receiver() {
  byte value, wanted;
  bit flag, expected;
  do
    :: forward?data(value, flag) ->
       if
         :: flag == expected ->
            assert(value == wanted);
            wanted = (wanted + 1) % MAX;
            expected = 1 - expected
         :: else
       fi;
       back!ack(flag)
  od
}

active proctype loss() {
  do
    :: forward?data(_, _)
    :: back?ack(_)
  od
}
