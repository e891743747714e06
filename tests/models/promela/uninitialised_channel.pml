/* A channel variable that not every path gives a channel to. */

chan ready = [1] of { byte };

active proctype main() {
  chan c;
  if
    :: c = ready
    :: skip
  fi;
  c!1 /* fails here */
}
