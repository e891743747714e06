/* SPIN keeps `_last` in its states wherever the text mentions it, even where no process comes. */
proctype Q() { do :: break; _last od }
init { run Q(); skip }
