//! What the front-end says about models that parse but do not mean anything, or
//! probably not what was meant. SPIN 6.5.2 rejects every model listed with an error.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use stubborn_promela::{Loaded, Loader, load};

struct NoFiles;

impl Loader for NoFiles {
    fn load(&self, _: &Path, _: &str) -> Option<(PathBuf, Arc<str>)> {
        None
    }
}

fn loaded(source: &str) -> Loaded {
    load(Path::new("model.pml"), source.into(), &NoFiles, &[])
}

/// Each expected diagnostic is its code and the text it points at.
fn check(source: &str, expected: &[(&str, &str)]) {
    let loaded = loaded(source);
    let found: Vec<(&str, &str)> =
        loaded.diagnostics.iter().map(|d| (d.code, loaded.sources.text(d.span))).collect();
    assert_eq!(found, expected, "in {source}");
    let has_errors = loaded.diagnostics.iter().any(stubborn_base::Diagnostic::is_error);
    assert_eq!(loaded.model.is_none(), has_errors, "a model iff there are no errors: {source}");
}

/// A body in a model that declares what it needs.
fn check_body(body: &str, expected: &[(&str, &str)]) {
    let prelude = "mtype = { ack }; mtype:fruit = { pear }; typedef T { byte f; byte g[2] }; \
        byte x; byte a[3]; T t; chan q = [1] of { byte, byte }; chan r; mtype:fruit m; \
        proctype Q(byte p) { there: x = p }";
    check(&format!("{prelude} active proctype P() {{ {body} }}"), expected);
}

#[test]
fn clean_models_have_no_diagnostics() {
    check_body("x = 1; q!1,2; q?x,_; run Q(x); L: if :: x > 1 -> goto L :: else fi", &[]);
    check_body("byte y = 2; { byte z; z = y }; { byte z; z = 3 }; t.g[y] = t.f; Q[1]@there", &[]);
}

#[test]
fn names() {
    check_body("y = 1", &[("undeclared", "y")]);
    check_body("x = z; z = x", &[("undeclared", "z")]);
    check_body("byte x; x = 1", &[("redeclared", "x")]);
    check_body("{ byte y; y = 1 }; y = 2", &[("undeclared", "y")]);
    check_body("goto nowhere", &[("undefined-label", "nowhere")]);
    check_body("skip; L: skip; L: skip", &[("duplicate-label", "L")]);
    check_body("run R()", &[("undeclared", "R")]);
    check_body("Q[0]@elsewhere", &[("undefined-label", "elsewhere")]);
    check_body("Q[0]:nothing == 1", &[("undeclared", "nothing")]);
    check("active proctype P() { x = 1 } byte x;", &[("undeclared", "x")]);
    check("active proctype P() { skip } proctype P() { skip }", &[("redeclared", "P")]);
    check("byte x; ltl p { [] (x < y) } init { skip }", &[("undeclared", "y")]);
    check("never { do :: y od } init { skip }", &[("undeclared", "y")]);
}

#[test]
fn a_similar_name_is_suggested() {
    let loaded = loaded("byte counter; init { total = 1; countr++ }");
    let help: Vec<_> = loaded.diagnostics.iter().map(|d| d.help.as_deref()).collect();
    assert_eq!(help, [None, Some("did you mean `counter`?")]);
}

#[test]
fn types() {
    check_body("a = 1", &[("missing-index", "a")]);
    check_body("x[1] = 1", &[("not-an-array", "x[1]")]);
    check_body("x.f = 1", &[("no-such-field", "f")]);
    check_body("t.h = 1", &[("no-such-field", "h")]);
    check_body("x = t", &[("structure-as-value", "t")]);
    check_body("r = 3", &[("type-mismatch", "3")]);
    check_body("m = ack", &[("type-mismatch", "ack")]);
    check_body("r++", &[("arithmetic-on-channel", "r")]);
    check_body("ack = 1", &[("read-only", "ack")]);
    check_body("_pid = 1", &[("read-only", "_pid")]);
    check_body("x = _", &[("read-of-underscore", "_")]);
    check_body("q?x,x", &[("received-twice", "x")]);
    check("unsigned u; init { skip }", &[("missing-width", "u")]);
    check("unsigned u : 32; init { skip }", &[("bad-width", "32")]);
    check("byte b : 3; init { skip }", &[("bad-width", "3")]);
    check("byte b[0]; init { skip }", &[("bad-array-size", "0")]);
    check("chan c = [1] of { unsigned }; init { skip }", &[("bad-message-type", "unsigned")]);
}

#[test]
fn arities() {
    check_body("run Q()", &[("wrong-number-of-parameters", "Q")]);
    check_body("run Q(1, 2)", &[("wrong-number-of-parameters", "Q")]);
    check_body("q!1,2,3", &[("message-too-long", "q!1,2,3")]);
    check_body("x = 1 + run Q(1)", &[]);
    check_body("(run Q(1)) && x", &[("misplaced-run", "run Q(1)")]);
    check_body("q!(run Q(1)),2", &[("misplaced-run", "run Q(1)")]);
}

#[test]
fn control() {
    check_body("break", &[("misplaced-break", "break")]);
    check_body("if :: else :: else fi", &[("duplicate-else", "else")]);
    check_body("A: goto B; B: goto A", &[("endless-goto", "goto B")]);
    check_body("atomic { L: skip; x = 1 }", &[("misplaced-label", "L")]);
    check_body("L: skip; d_step { x = 1; goto L }", &[("jump-out-of-d-step", "goto L")]);
    check_body("d_step { skip; L: x = 1 }; goto L", &[("jump-into-d-step", "L")]);
    check_body("d_step { skip; run Q(1) }", &[("run-in-d-step", "run Q(1)")]);
    check_body("skip; chan c = [1] of { byte }", &[("late-channel", "[1] of { byte }")]);
    check("byte x; proctype P() { x = 1 }", &[("no-process", "P")]);
    check("byte x;", &[("no-process", "")]);
}

#[test]
fn observers() {
    check_body("np_", &[("misplaced-np", "np_")]);
    check("init { skip } never { do :: np_ od }", &[]);
    check("chan q = [1] of { byte }; init { q!1 } never { q?1 }", &[("event-in-claim", "q?1")]);
    check("chan q = [1] of { byte }; init { q!1 } trace { do :: q!1; q?1 od }", &[]);
    check("byte x; init { x = 1 } trace { x = 1 }", &[("not-an-event", "x = 1")]);
}

#[test]
fn warnings() {
    check_body("x = 256", &[("constant-out-of-range", "256")]);
    check_body("a[3] = 1", &[("index-out-of-bounds", "3")]);
    check_body("d_step { if :: x > 1 -> x = 0 :: x < 3 -> x = 1 fi }", &[("choice-in-d-step", "x < 3")]);
    check_body("d_step { if :: x = 0 :: x = 1 fi }", &[("choice-in-d-step", "x = 1")]);
    check_body("d_step { if :: x == 1 -> x = 0 :: x == 2 -> x = 1 :: x > 2 :: else fi }", &[]);
    check_body("d_step { do :: x < a[0] -> x++ :: !(x < a[0]) -> break od; x = 0 }", &[]);
    check_body("goto L; x = 1; x = 2; L: skip", &[("unreachable", "x = 1")]);
    check_body("do :: x++ od; x = 1", &[("unreachable", "x = 1")]);
    check("byte n = 3; byte a[n]; init { a[2] = 1 }", &[("variable-array-size", "n")]);
}

#[test]
fn statements_of_inlines_stand_in_the_inline() {
    let source = "byte n; byte a[3];\n\
        #define UP(v) v = v + 1\n\
        inline twice(x, c, d) { x = x + 1; a[x] = x; UP(x); c; d; skip }\n\
        inline outer(y) { twice(y, y > 0, n < 9) }\n\
        init { outer(n) }";
    let Loaded { sources, model, .. } = loaded(source);
    let model = model.expect("a model without errors");
    let told = model.transitions.iter().map(|t| {
        let calls: Vec<&str> = t.origin.calls.iter().map(|call| sources.text(call.span)).collect();
        (sources.text(t.origin.span), calls.join(" in "))
    });
    let calls = "twice(y, y > 0, n < 9) in outer(n)".to_owned();
    let inside = ["x = x + 1", "a[x] = x", "UP(x)", "c", "n < 9", "skip"].map(|text| (text, calls.clone()));
    assert_eq!(told.take(6).collect::<Vec<_>>(), inside);
}
