//! What is said about nets that are wrong, and where.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Nothing, complaints, text};
use crate::read;

#[track_caller]
fn only(definitions: &str, expected: &str) {
    assert_eq!(complaints(definitions), [expected], "{definitions}");
}

const NET: &str =
    "type t: range 1 .. 3; type e: enum (a, b); place p { dom: t * e; } place q { dom: epsilon; }";

fn transition(parts: &str, expected: &str) {
    only(&format!("{NET} transition u {{ {parts} }}"), expected);
}

#[test]
fn names() {
    only("constant int A := B;", "undeclared: `B`: there is no variable or constant `B`");
    only("constant itn A := 1;", "undeclared: `itn`: there is no type `itn`");
    only("place p { dom: t; } type t: mod 2;", "undeclared: `t`: the type `t` is used before it is defined");
    only("type t: mod 2; type t: mod 3;", "duplicate: `t`: the type `t` is defined twice");
    only("type int: mod 2;", "duplicate: `int`: the type `int` is defined twice");
    only("type t: enum (a, b, a);", "duplicate: `a`: `a` stands twice in this enumeration");
    only("constant int A := f(1);", "undeclared: `f`: there is no function `f`");
    let read = super::net("place waiting { dom: epsilon; } transition t { in { wating: epsilon; } out { } }");
    assert_eq!(read.diagnostics[0].help.as_deref(), Some("did you mean `waiting`?"));
    assert_eq!(read.diagnostics[0].fixes.len(), 1);
}

#[test]
fn name_spaces_are_apart() {
    let net = "type msg: range 1 .. 2; place msg { dom: msg; init: <( msg'last )>; }
        transition msg { in { msg: <( msg )>; } out { } } function msg (msg msg) -> msg return msg;
        proposition msg: msg'card > 0;";
    assert_eq!(complaints(net), Vec::<String>::new());
}

#[test]
fn types() {
    only("constant bool A := 1;", "wrong-type: `1`: this must be of type `bool`, not `int`");
    only("constant int A := 1 + true;", "wrong-type: `1 + true`: `+` cannot be applied to `int` and `bool`");
    only(
        "type t: mod 3; constant int A := t'last;",
        "wrong-type: `t'last`: this must be of type `int`, not `t`",
    );
    only("constant int A := not 1;", "wrong-type: `1`: this must be of type `bool`, not `int`");
    only(
        "type l: list [nat] of int with capacity 2; type k: set of int with capacity 2;
        constant bool A := |1| = |2|;",
        "ambiguous: `|1|`: this can be of several types: `l` or `k`",
    );
    only(
        "type s: struct { int a; }; constant s A := {1}; constant int B := A.c;",
        "undeclared: `c`: `s` has no component `c`",
    );
    only("constant int A := 3'size;", "wrong-type: `3`: this must be a list or a set, not `int`");
    only("constant int A := int'lst;", "undeclared: `lst`: there is no attribute `lst`");
    only("type t: range 3 .. 1;", "empty-range: `3 .. 1`: the range 3 .. 1 has no values");
    only("type t: vector [int] of int;", "too-large: `t`: a vector has at most 1000000 elements");
}

#[test]
fn constants_where_they_are_needed() {
    let f = "function f () -> int return 1;";
    only(
        &format!("{f} type t: mod f();"),
        "not-constant: `f()`: this must be a constant: it has a variable or a call in it",
    );
    only("place p { dom: epsilon; capacity: 0; }", "out-of-range: `0`: a capacity is positive, not 0");
    only(
        "place p { dom: epsilon; init: (0 - 1) * epsilon; }",
        "out-of-range: `(0 - 1) * epsilon`: a number of tokens is not negative, as -1 is",
    );
    only("type t: mod 0;", "out-of-range: `0`: the modulus of a type is positive, not 0");
}

#[test]
fn functions() {
    only(
        "function f (int x) -> int return x; constant int A := f();",
        "wrong-arity: `f()`: `f` has 1 parameter, not 0",
    );
    only("function f (int x) -> int;", "missing-body: `f`: the function `f` has no body");
    only(
        "function f (int x) -> int; function f (bool x) -> int return 1;",
        "wrong-type: `f`: `f` differs from its prototype",
    );
    only("import function f () -> int;", "unsupported: `f`: functions of C, such as `f`, are not supported");
    only(
        "function f () -> int { for (i in bool) i := true; return 1; }",
        "not-assignable: `i`: `i` cannot be set",
    );
    only("function f () -> int { int x := 1; }", "syntax: `{ int x := 1; }`: a block needs a statement");
    only(
        "function f (int n) -> int { case (n) { 1 : return 1; 1 : return 2; } return 3; }",
        "duplicate: `1`: this alternative stands here twice",
    );
    only(
        "function f (bool b) -> int return (forall (x in bool : x)) ? 1 : 2;",
        "misplaced: `(forall (x in bool : x))`: `forall` can stand in propositions and priorities only",
    );
}

#[test]
fn places_and_transitions() {
    only("place p { init: epsilon; }", "missing-part: `p`: the place `p` has no `dom`");
    only("place p { dom: epsilon; type: foo; }", "undeclared: `foo`: `foo` is no type of places");
    transition(
        "in { p: <( x )>; } out { }",
        "wrong-arity: `<( x )>`: tokens of `p` have 2 components, not 1",
    );
    transition(
        "in { p: if (true) <( x, a )>; } out { }",
        "undetermined: `x`: no token determines the variable `x`",
    );
    transition("in { p: <( x, x )>; } out { }", "wrong-type: `x`: this must be of type `e`, not `t`");
    transition("in { } out { p: <( x, a )>; }", "undeclared: `x`: there is no variable or constant `x`");
    transition(
        "in { p: <( x, y )>; p: <( x, y )>; } out { }",
        "duplicate: `p`: `in` has two arcs of the place `p`",
    );
    transition(
        "in { p: <( x, y )>; } out { } guard: x;",
        "wrong-type: `x`: this must be of type `bool`, not `t`",
    );
    transition(
        "in { } out { } let { int z := 1; } pick { k in t; }",
        "misplaced: `pick { k in t; }`: `pick` stands too late",
    );
    transition("in { }", "missing-part: `u`: the transition `u` has no `out`");
    transition(
        "in { p: <( x, a )>; } out { } pick { x in t; }",
        "duplicate: `x`: the variable `x` is declared twice",
    );
    transition(
        "in { q: 2 * <( 1 )>; } out { }",
        "wrong-arity: `2 * <( 1 )>`: tokens of `q` have 0 components, not 1",
    );
    transition("in { } out { p: <( 4, a )>; }", "out-of-range: `4`: 4 is not a value of `t`, 1 .. 3");
    transition(
        "in { q: epsilon; } out { } guard: q'card > 1;",
        "misplaced: `q'card`: places can be looked at in propositions and priorities only",
    );
}

#[test]
fn properties() {
    let net = format!("n {{ {NET} proposition ok: q'mult > 1; }}");
    let said = |properties: &str| -> Vec<String> {
        text(&format!("{net} {properties}")).diagnostics.into_iter().map(|d| d.message).collect()
    };
    assert_eq!(said("state property a: reject deadlock; accept ok; ltl property b: [] <> ok;"), [""; 0]);
    assert_eq!(said("state property a: reject oj;"), ["there is no proposition `oj`"]);
    assert_eq!(said("state property a: accept ok;").len(), 1);
    assert_eq!(
        said("state property a: reject ok; ltl property a: ok;"),
        ["the property `a` is defined twice"]
    );
    only(
        &format!("{NET} proposition x: exists (t in p : t->1 = 1);"),
        "syntax: `t->1 = 1`: `exists` has no expression",
    );
    only(
        &format!("{NET} proposition x: card (t in p | t->3) > 1;"),
        "out-of-range: `3`: tokens of this place have 2 components",
    );
    only(
        &format!("{NET} proposition x: mult (t in t) > 1;"),
        "misplaced: `mult (t in t)`: `mult` has one variable, which goes over a place",
    );
}

#[test]
fn parameters() {
    let said = |defines: &[(&str, &str)]| -> Vec<String> {
        let defines: Vec<_> = defines.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
        let net = "n (N := 2) { type t: mod N; place p { dom: t; init: for (x in t) <( x )>; }
            \n#ifdef MORE\nplace q { dom: t; }\n#endif\n }";
        let read = read(Path::new("n.lna"), net.into(), &Nothing, &defines);
        let mut said: Vec<String> = read.diagnostics.into_iter().map(|d| d.message).collect();
        said.extend(read.net.map(|net| {
            format!("{} {}", net.places.len(), net.places.iter().next().map_or(0, |p| p.initial.len()))
        }));
        said
    };
    assert_eq!(said(&[]), ["1 2"]);
    assert_eq!(said(&[("N", "5"), ("MORE", "")]), ["2 5"]);
    assert_eq!(said(&[("N", "x")]), ["`x` is given for the parameter `N`, which is a number"]);
    assert_eq!(said(&[("M", "1")]), ["a value is given for `M`, which is no parameter of the net"]);
}

#[test]
fn property_files() {
    struct Beside;
    impl stubborn_base::Loader for Beside {
        fn load(&self, _: &Path, name: &str) -> Option<(PathBuf, Arc<str>)> {
            let text = match name {
                "n.lna" => "n { place p { dom: epsilon; } proposition ok: p'card = 0; }",
                "n.prop.lna" => "ltl property a: [] ok;",
                _ => return None,
            };
            Some((name.into(), text.into()))
        }
    }
    for (path, text) in [("n.lna", "n { proposition ok: true; }"), ("n.prop.lna", "ltl property b: <> ok;")] {
        let read = read(Path::new(path), text.into(), &Beside, &[]);
        assert!(read.diagnostics.is_empty(), "{:?}", read.diagnostics);
        assert_eq!(read.checked.expect("there is a net").0.formulas.len(), 1, "{path}");
    }
    let alone = read(Path::new("x.prop.lna"), "ltl property b: <> ok;".into(), &Beside, &[]);
    assert_eq!(alone.diagnostics.len(), 1, "{:?}", alone.diagnostics);
    let other = read(Path::new("x.lna"), "n { proposition ok: true; }".into(), &Beside, &[]);
    assert!(other.diagnostics.is_empty());
}
