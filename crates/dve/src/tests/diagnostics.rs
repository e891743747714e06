//! What is said of models that are wrong: each line with an error says which, and what it is about.

use std::path::Path;

use stubborn_base::Severity;

use crate::corpus::Nothing;
use crate::load;

/// Each diagnostic as its code and the text that it is about, in order.
#[track_caller]
fn check(text: &str, expected: &[(&str, &str)]) {
    let loaded = load(Path::new("m.dve"), text.into(), &Nothing, &[]);
    let found: Vec<(&str, &str)> =
        loaded.diagnostics.iter().map(|d| (d.code, loaded.sources.text(d.span))).collect();
    assert_eq!(found, expected, "{:#?}", loaded.diagnostics);
    let has_errors = loaded.diagnostics.iter().any(|d| d.severity == Severity::Error);
    assert_eq!(loaded.model.is_none(), has_errors);
}

/// In a system that is right otherwise.
#[track_caller]
fn check_globals(globals: &str, expected: &[(&str, &str)]) {
    check(&format!("{globals} process P {{ state s; init s; }} system async;"), expected);
}

/// In the only transition.
#[track_caller]
fn check_clauses(clauses: &str, expected: &[(&str, &str)]) {
    let text = "byte x, a[2]; const int k = 1; channel c; channel {byte, int} d[0];\n\
        process Other { byte own; state u; init u; }\n\
        process P { int y; state s; init s; trans s -> s { CLAUSES }; } system async;";
    check(&text.replace("CLAUSES", clauses), expected);
}

#[test]
fn pieces_are_read_one_by_one() {
    check(
        "byte x y;\nbyte z\nprocess P {\n state s, t;\n init s;\n trans\n s -> { },\n s -> t { guard z == ; effect z = 1 },\n t -> s { guard x == y, w; }\n}\nsystem async",
        &[
            ("syntax", "y"),
            ("syntax", "process"),
            ("syntax", "{"),
            ("syntax", ";"),
            ("syntax", "}"),
            ("undeclared", "w"),
            ("syntax", "async"),
        ],
    );
}

#[test]
fn blocks_that_are_open() {
    check(
        "process P { state s; init s; trans s -> s { guard true;\nsystem async;",
        &[("syntax", "system"), ("syntax", "system")],
    );
    check(
        "process P { state s; init s;\nprocess Q { state s; init s; } system async;",
        &[("syntax", "process")],
    );
    check(
        "process P { state s; init s; trans s -> s { guard true; s -> s {}; } system async;",
        &[("syntax", "s")],
    );
    check("process P { state s; init s; } } system async;", &[("syntax", "}")]);
    check("process { state s; } process Q { state s; init s; } system async;", &[("syntax", "{")]);
    check(
        "process P state s; process Q { state s; init s; } system async;",
        &[("syntax", "state"), ("syntax", "state")],
    );
}

#[test]
fn transitions_and_clauses() {
    check_clauses("guard x == 1", &[("syntax", "}")]);
    check_clauses("effect x = 1; guard x;", &[("clause-order", "guard")]);
    check_clauses("guard x = 1;", &[("syntax", "=")]);
    check_clauses("effect x++;", &[("syntax", "+")]);
    check_clauses("x = 1;", &[("syntax", "x")]);
    check_clauses("guard (x;", &[("syntax", ";")]);
    check_clauses("guard (x", &[("syntax", "}")]);
    check_clauses("sync d!{x, 1; effect x = 1;", &[("syntax", ";")]);
    check("process P { state s; init s; trans s -> s {}; s -> s {}; } system async;", &[("syntax", "s")]);
    check("process P { state s; init s; trans s => { s: 1 }; } system async;", &[("not-supported", "=>")]);
    check("process P { state s; init s; trans -> s {}; } system async;", &[("no-source", "s")]);
}

#[test]
fn names_are_declared_once() {
    check_globals("byte x; int x;", &[("redeclared", "x")]);
    check_globals("byte P;", &[("redeclared", "P")]);
    check(
        "process P { byte s; state s, t, t; init t; } system async;",
        &[("redeclared", "s"), ("redeclared", "t")],
    );
    // A process hides what is global.
    check("byte x; process P { byte x; state s; init s; } system async;", &[]);
}

#[test]
fn names_are_declared_at_all() {
    check_clauses("guard z == z; effect z = 1;", &[("undeclared", "z")]);
    check_clauses("sync e!;", &[("undeclared", "e")]);
    check_clauses("guard Othr.u;", &[("undeclared", "Othr")]);
    check_clauses("guard Other.v or Other->w;", &[("undeclared", "v"), ("undeclared", "w")]);
    check(
        "process P { state s; init t; commit u; accept v; assert w: 1; trans s -> x {}; } system async;",
        &[
            ("undeclared", "t"),
            ("undeclared", "u"),
            ("undeclared", "v"),
            ("undeclared", "w"),
            ("undeclared", "x"),
        ],
    );
    check("process P { state s; init s; } system async property L;", &[("undeclared", "L")]);
}

#[test]
fn a_name_that_looks_like_it_is_suggested() {
    let text =
        "byte counter; process P { state s; init s; trans s -> s { guard conter == 0; }; } system async;";
    let loaded = load(Path::new("m.dve"), text.into(), &Nothing, &[]);
    assert_eq!(loaded.diagnostics[0].help.as_deref(), Some("did you mean `counter`?"));
    assert_eq!(loaded.diagnostics[0].fixes[0].edits[0].text, "counter");
}

#[test]
fn names_are_used_for_what_they_are() {
    check_clauses("guard c == 1;", &[("not-a-variable", "c")]);
    check_clauses("guard s == 1;", &[("not-a-variable", "s")]);
    check_clauses("guard x.s;", &[("not-a-process", "x")]);
    check_clauses("guard Other.own;", &[("not-a-state", "own")]);
    check_clauses("sync x!;", &[("not-a-channel", "x")]);
    check_clauses("effect k = 2;", &[("constant-changed", "k")]);
    check_clauses("effect Other->own = 2;", &[("not-a-variable", "Other->own")]);
    check_clauses("effect 1 = 2;", &[("not-a-variable", "1")]);
    check_clauses("sync c?(x + 1);", &[("not-a-variable", "(x + 1)")]);
    check_clauses("guard a == 1;", &[("array-without-index", "a")]);
    check_clauses("guard x[0] == 1;", &[("not-an-array", "x[0]")]);
    check_clauses("guard a[2] == 1;", &[("index-out-of-bounds", "2")]);
    check_clauses("guard x == 99999999999;", &[("number-too-large", "99999999999")]);
    check_clauses("effect x = 256;", &[("out-of-range", "256")]);
}

#[test]
fn channels_carry_what_they_say() {
    check_clauses("sync d!x;", &[("wrong-number-of-values", "d!x")]);
    check(
        "channel c; process P { byte x; state s; init s; trans s -> s { sync c!; }, s -> s { sync c!x; }; } system async;",
        &[("wrong-number-of-values", "c!x")],
    );
    check_globals("channel c[2];", &[("untyped-buffer", "c[2]")]);
    check_globals("channel {byte} c[-1];", &[("channel-capacity", "-1")]);
    check("process P { channel c; state s; init s; } system async;", &[("local-channel", "channel c")]);
}

#[test]
fn values_are_constant() {
    check_globals("const byte n = 2; byte a[n] = {1, n}, b = n * 2;", &[]);
    check_globals("byte a[2] = 1;", &[("wrong-initialiser", "1")]);
    check_globals("byte a = {1};", &[("wrong-initialiser", "{1}")]);
    check_globals("byte a[1] = {1, 2};", &[("too-many-values", "2")]);
    check_globals("byte a[0], b[1 / 0];", &[("array-size", "0"), ("division-by-zero", "1 / 0")]);
    check_globals("byte a = -1;", &[("out-of-range", "-1")]);
    check_globals("const byte a;", &[("constant-without-value", "a")]);
    check_globals("byte a = P.s;", &[("not-constant", "P.s")]);
}

#[test]
fn systems() {
    check("process P { state s; init s; }", &[("no-system", "")]);
    check("process P { state s; init s; } system sync;", &[("not-supported", "system sync")]);
    check("process P { state s; init s; } system async; system async;", &[("second-system", "system async")]);
    check("system async;", &[("no-process", "system async")]);
    check("process P { state s; } system async;", &[("no-initial-state", "P")]);
    check("process P { state s, t; init s, t; } system async;", &[("second-initial-state", "t")]);
    check("process P { state s; init s; accept rabin (s; s); } system async;", &[("not-supported", "rabin")]);
    check("process P { state s; init s; accept buchi s; } system async;", &[]);
    check(
        "byte é; process P { state s; init s; } system async; /* open",
        &[("unknown-character", "é"), ("syntax", ";"), ("open-comment", "/*")],
    );
}

#[test]
fn deep_nesting_is_refused() {
    let deep = format!("{}x{}", "(".repeat(100_000), ")".repeat(100_000));
    let long = format!("x{}", " + x".repeat(100_000));
    for expr in [deep, long] {
        let text = format!(
            "byte x; process P {{ state s; init s; trans s -> s {{ guard {expr}; }}; }} system async;"
        );
        let loaded = load(Path::new("m.dve"), text.into(), &Nothing, &[]);
        assert_eq!(loaded.diagnostics.iter().map(|d| d.code).collect::<Vec<_>>(), ["nested-too-deeply"]);
    }
}
