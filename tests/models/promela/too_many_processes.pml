/* There can be 255 processes, and nobody leaves. */

proctype guest() {
  false
}

init {
  do
    :: run guest() /* fails here */
  od
}
