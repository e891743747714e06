//! Models with violations of every shape, and what `stubborn trail` makes of them.

use std::fs;

use serde_json::Value;
use stubborn_tests::binary::{self, Answer};

/// A name, a model, and the property that is violated.
pub(crate) const SUBJECTS: [(&str, &str, &str); 7] = [
    ("rendezvous", RENDEZVOUS, "deadlock"),
    ("buffers", BUFFERS, "assertions"),
    ("lasso", LASSO, "stops"),
    ("round", ROUND, "stops"),
    ("creation", CREATION, "assertions"),
    ("long", LONG, "assertions"),
    ("markup", MARKUP, "assertions"),
];

pub(crate) const RENDEZVOUS: &str = "
chan c = [0] of { byte, bool };
chan back = [0] of { byte };
active proctype client() { byte x; c!3,true; back?x; c!4,false; back?x }
active proctype server() { byte n; bool b; c?n,b; back!n + 1; c?n,true; back!n }
";

const BUFFERS: &str = "
mtype = { data, ack };
chan there = [2] of { mtype, byte };
chan back = [2] of { mtype };
byte idle;
active proctype sender() { there!data(1); there!data(2); back?ack; there!data(3) }
active proctype receiver() { byte n; there?data(n); back!ack; there?data(n); assert(n != 2) }
active proctype other() { idle = 1; idle = 2 }
";

pub(crate) const LASSO: &str = "
byte x;
active proctype A() { x = 3; do :: x = 1; x = 0 od }
active proctype B() { x == 7 }
ltl stops { <>[](x == 0) }
";

const ROUND: &str = "
chan q = [2] of { byte };
active proctype A() { q!1; q!1 }
active proctype B() { byte x; len(q) == 2; do :: q?x; q!x od }
ltl stops { <>[](len(q) == 2) }
";

const CREATION: &str = "
byte done;
proctype child(byte n) { done = done + n }
init { run child(1); run child(2); (_nr_pr == 1); run child(4); (done == 7); assert(false) }
";

const LONG: &str = "
chan ring[10] = [1] of { byte };
byte count;
active [10] proctype node() {
  byte token;
  if :: _pid == 0 -> ring[1]!0 :: else fi;
  do :: ring[_pid]?token -> count++; assert(count < 46); ring[(_pid + 1) % 10]!token + 1 od
}
";

pub(crate) const MARKUP: &str = "
/* </script><b id=\"broken\">&amp; <!-- <script> */
byte x;
active proctype P() { x = 1; printf(\"</script><b id='broken'>\"); assert(x < 1 && x > 0) }
";

/// Shows how a model is violated.
pub(crate) fn trail(text: &str, property: &str, format: &str) -> Answer {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let path = folder.path().join("model.pml");
    fs::write(&path, text).expect("a writable directory");
    let path = path.to_string_lossy();
    let answer = binary::run(["trail", &*path, "--property", property, "--format", format]);
    assert_eq!(answer.status, Some(1), "{answer}");
    answer
}

/// The trail as JSON.
pub(crate) fn told(text: &str, property: &str) -> Value {
    let json = trail(text, property, "json").json().unwrap_or_else(|error| panic!("{error}"));
    json["properties"][0]["trail"].clone()
}

pub(crate) fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().unwrap_or_else(|| panic!("no list `{name}` in {value:#}"))
}
