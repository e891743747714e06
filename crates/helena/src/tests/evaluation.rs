//! Values of expressions and functions: section 2.8 of the language reference.

use super::net;

const TYPES: &str = "
    type small: range 1 .. 10; type m: mod 5; type colour: enum (red, green, blue);
    subtype light: colour range green .. blue; subtype low: small range 1 .. 3;
    type matrix: vector [bool, bool] of bool; type row: vector [m] of int;
    type pair: struct { int i; bool b; };
    type ints: list [nat] of int with capacity 5; type numbers: set of int with capacity 5;
    type far: list [short] of small with capacity 3;
    function fact (int n) -> int { if (n < 2) return 1; return n * fact(n - 1); }
    function loop (int n) -> int { while (true) n := n + 1; return n; }
    function deep (int n) -> int return deep(n + 1);
    function total (numbers s) -> int { int t := 0; for (x in s) t := t + x; return t; }
    function turn (pair p, row r) -> pair {
        row s := r; pair q;
        s[2] := 7; q := p; q.i := s[2] + r[2]; q.b := not p.b;
        return q;
    }
    function kind (colour c) -> int { case (c) { red : return 1; green : return 2; default : return 9; } }
    function pairs () -> int { int n := 0; for (i in int range 1 .. 3, j in m range 0 .. 1) n := n + i; return n; }
    function sure (int n) -> int { assert: n > 0; return n; }
    function none (int n) -> int { if (n > 0) return 1; }
    ";

/// The value of an expression, or why it has none.
fn value(ty: &str, expr: &str) -> String {
    let read = net(&format!("{TYPES} constant {ty} result := {expr};"));
    let Some((_, context)) = &read.checked else { return "no net".to_owned() };
    if let Some(wrong) = read.diagnostics.iter().find(|d| d.is_error()) {
        return wrong.message.clone();
    }
    let (id, _) = context.types.iter().find(|(_, t)| t.name == ty).expect("it is declared");
    let value = context.constants.last().expect("it is the last").clone().expect("no error");
    context.types.show(id, &value)
}

#[track_caller]
fn all(cases: &[(&str, &str, &str)]) {
    for (ty, expr, expected) in cases {
        let found = value(ty, expr);
        assert!(
            found == *expected
                || (expected.ends_with('…') && found.starts_with(expected.trim_end_matches('…'))),
            "{expr}: {found}, not {expected}"
        );
    }
}

#[test]
fn numbers() {
    all(&[
        ("int", "1 + 2 * 3 - 4 / 3", "6"),
        ("int", "-7 / 2", "-3"),
        ("int", "-7 % 3", "-1"),
        ("int", "- 2 * 3 + 1", "-5"),
        ("int", "1 / (2 - 2)", "this constant has no value: division by zero"),
        ("small", "10 - 11 + 5", "4"),
        ("small", "small'last + 1", "this constant has no value: 11 is not a value of `small`, 1 .. 10"),
        ("small", "11", "11 is not a value of `small`, 1 .. 10"),
        ("low", "small'last - 7", "3"),
        ("int", "2147483647 + 1", "this constant has no value: 2147483648 is not…"),
        ("int", "small'card", "10"),
        ("small", "small(3 + 4)", "7"),
        ("int", "int(m'last) * 2", "8"),
    ]);
}

#[test]
fn circles() {
    all(&[
        ("m", "m'last + 2", "1"),
        ("m", "m'first - 1", "4"),
        ("m", "pred m'first", "4"),
        ("m", "succ m'last", "0"),
        ("colour", "succ blue", "red"),
        ("colour", "pred red", "blue"),
        ("light", "succ blue", "green"),
        ("bool", "succ blue = red", "true"),
        ("small", "succ small'last", "this constant has no value: 11 is not…"),
        ("light", "red", "red is not a value of `light`, green .. blue"),
    ]);
}

#[test]
fn comparisons_and_logic() {
    all(&[
        ("bool", "0 > 2 or 3 = 3", "true"),
        ("bool", "red < green and not (blue < green)", "true"),
        ("bool", "false and 1 / 0 = 1", "false"),
        ("bool", "true or 1 / 0 = 1", "true"),
        ("int", "(1 = 2) ? 3 : 4", "4"),
        ("bool", "numbers(|1, 2|) > |1|", "true"),
        ("bool", "numbers(|1, 2|) > |1, 2|", "false"),
        ("bool", "numbers(|1, 2|) >= |2, 1|", "true"),
        ("bool", "ints(|1, 2|) = |2, 1|", "false"),
    ]);
}

#[test]
fn structures_and_vectors() {
    all(&[
        ("pair", "{-35, false}", "{-35, false}"),
        ("int", "turn({1, true}, [3, 4]).i", "11"),
        ("pair", "turn({1, true}, [3, 4])", "{11, false}"),
        ("matrix", "[false, false, true]", "[false, false, true, true]"),
        ("matrix", "[false]", "[false, false, false, false]"),
        ("row", "row([0, 1, 2, 3, 4]) :: ([3] := 9)", "[0, 1, 2, 9, 4]"),
        ("matrix", "matrix([false]) :: ([true, false] := true)", "[false, false, true, false]"),
    ]);
}

#[test]
fn lists() {
    all(&[
        ("ints", "empty", "empty"),
        ("ints", "|1, 2, 3, 4| & 5", "|1, 2, 3, 4, 5|"),
        ("ints", "1 & |1, 2, 3| & 5", "|1, 1, 2, 3, 5|"),
        ("ints", "|1, 2, 3| & |4, 5, 6|", "this constant has no value: 6 elements are more than…"),
        ("int", "ints(|3, 5, 12|)[1]", "5"),
        (
            "int",
            "ints(|3, 5, 12|)[3]",
            "this constant has no value: a list of 3 has no element with the index 3",
        ),
        ("ints", "ints(|1, 2, 3|) :: ([2] := 10)", "|1, 2, 10|"),
        ("ints", "ints(|1, 2, 3, 4|)[1 .. 3]", "|2, 3, 4|"),
        ("ints", "ints(|1, 2, 3, 4|)[2 .. 1]", "empty"),
        ("bool", "2 in ints(|1, 5, 2|)", "true"),
        ("int", "ints(|3, 5|)'first + ints(|3, 5|)'last", "8"),
        ("ints", "ints(|3, 5|)'prefix & ints(|3, 5|)'suffix", "|3, 5|"),
        ("int", "ints(|3, 5|)'last_index + ints(|3, 5|)'size + ints(|3, 5|)'space", "6"),
        ("short", "far(|3, 5|)'first_index", "-32768"),
        ("bool", "far(|3, 5, 1|)'full and not far(|1|)'empty", "true"),
        ("int", "ints(empty)'first", "this constant has no value: the empty list has no first element"),
    ]);
}

#[test]
fn sets() {
    all(&[
        ("numbers", "|3, 1, 3, 2|", "|1, 2, 3|"),
        ("numbers", "|1, 2, 3| or |2, 3, 4|", "|1, 2, 3, 4|"),
        ("numbers", "|1, 2, 3| and |2, 3, 4|", "|2, 3|"),
        ("numbers", "0 or |1, 2| or 5", "|0, 1, 2, 5|"),
        ("numbers", "|1, 2, 3| - |1, 2|", "|3|"),
        ("numbers", "|1, 2, 3| - 1", "|2, 3|"),
        ("numbers", "|1, 2, 3, 4, 5| or 6", "this constant has no value: 6 elements are more than…"),
        ("int", "total(|1, 2, 3|)", "6"),
    ]);
}

#[test]
fn functions() {
    all(&[
        ("int", "fact(10)", "3628800"),
        ("int", "fact(13)", "this constant has no value: 6227020800 is not…"),
        ("int", "kind(red) + kind(green) * 10 + kind(blue) * 100", "921"),
        ("int", "pairs()", "12"),
        ("int", "sure(0)", "this constant has no value: an assertion of a function does not hold"),
        ("int", "none(0)", "this constant has no value: the function `none` ends without `return`"),
        ("int", "loop(0)", "this constant has no value: the evaluation takes too long…"),
        ("int", "deep(0)", "this constant has no value: functions are nested too deeply…"),
    ]);
}
