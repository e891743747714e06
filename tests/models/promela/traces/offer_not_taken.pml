/* Nobody receives, so nothing is sent, and all is as the trace says. `pan` takes the offer for a send. */
chan c = [0] of { byte };
active proctype S() {
end:
  c!1
}
trace {
end:
  c!2
}
