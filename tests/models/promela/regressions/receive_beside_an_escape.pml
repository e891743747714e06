/* An escape that cannot receive the message does not keep P1 from receiving it: the assertion can fail. What
 * would disable the escape is therefore nothing that the receive waits for. */
chan c = [0] of { byte };
active proctype P0() {
  skip;
end:  c!0;
  assert(false)
}
active proctype P1() {
  c?0 unless { skip }
}
