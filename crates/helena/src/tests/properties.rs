//! Propositions in the marking that the language reference explains iterators with (section 2.8.17).

use stubborn_ir::{ClaimBody, Interpreter};

use super::Nothing;
use crate::load;

const NET: &str = "
    type t: range 1 .. 10;
    type ts: list [nat] of t with capacity 3;
    place p { dom: t * bool;
        init: <( 1, true )> + 2 * <( 2, false )> + <( 2, true )> + 3 * <( 4, true )> + 4 * <( 8, false )>; }
    place none { dom: t; }
    transition go { in { p: <( x, true )>; } out { p: <( x, false )>; } guard: x = 7; }
    transition back { in { p: <( x, y )>; } out { } }
    function diff (t a, t b) -> t { if (a > b) return a - b; return b - a; }
    function most (int a, int b) -> int { int m := a; for (i in int range 1 .. 3) if (b > m) m := m + 1; return m; }
    function kind (int n) -> int { case (n) { 1 : return 10; 5 : return 50; default : return 0; } }";

/// Whether an expression holds in the initial marking.
fn holds(expr: &str) -> bool {
    let text = format!("n {{ {NET} proposition x: {expr}; }} ltl property y: [] x;");
    let loaded = load(std::path::Path::new("n.lna"), text.into(), &Nothing, &[]);
    assert!(loaded.diagnostics.is_empty(), "{expr}: {:?}", loaded.diagnostics);
    let model = loaded.model.expect("no errors");
    let mut interpreter = Interpreter::new(&model);
    let initial = interpreter.initial().expect("it begins");
    let ClaimBody::Formula(claim) = &model.claims[0].body else { panic!("{:?}", model.claims[0].body) };
    assert!(claim.extends_finite_runs);
    interpreter.holds(&initial, &claim.propositions[0]).expect("it has a value")
}

#[test]
fn iterators_of_the_reference() {
    for expr in [
        "exists (t in p)",
        "forall (t in p | t->2 : t->1 < 5)",
        "card (t in p | not t->2) = 2",
        "mult (t in p | t->2) = 5",
        "min (t in p : t->1) = 1",
        "max (t in p : t->1) = 8",
        "sum (t in p | t->2 : t->1) = 7",
        "product (t in p | not t->2 : t->1) = 16",
        "exists (i in t | forall (b in bool : card (t in p | t->1 = i and t->2 = b) = 1))",
        "p'card = 5 and p'mult = 11",
        "none'card + none'mult = 0",
    ] {
        assert!(holds(expr), "{expr}");
        assert!(!holds(&format!("not ({expr})")), "not {expr}");
    }
}

#[test]
fn more_iterators() {
    for expr in [
        "forall (t in none : t->1 > 100)",
        "not exists (t in none)",
        "max (t in none : t->1) = t'first and min (t in none : t->1) = t'last",
        "exists (x in p, y in p | x->1 = y->1 and x->2 != y->2)",
        "card (x in p, y in p | x->1 = y->1) = 7",
        "card (i in t | exists (x in p | x->1 = i)) = 4",
        "sum (i in t | i > 8 : i) = 19",
        "product (i in t | i < 4 : i) = 6",
        "exists (i in ts(|1, 2|) | exists (x in p | x->1 = i and x->2))",
        "card (x in p | x->1 * p'card = 10) = 2",
        "diff(p'card, p'mult) = 6",
        "most(p'card, p'mult) = 8",
        "kind(p'card) = 50 and kind(p'mult) = 0",
        "((p'card > 3) ? p'mult : 0) = 11",
        "mult (x in p | x->1 < p'card) = 7",
        "exists (x in p | 8 / (x->1 - 3) = 8) or true",
    ] {
        assert!(holds(expr), "{expr}");
    }
}

#[test]
fn clauses() {
    let text = format!(
        "n {{ {NET} proposition a: p'card = 5; proposition b: none'card = 0; }}
        state property none: reject deadlock;
        state property one: reject a; accept b;
        state property two: reject a; accept deadlock;"
    );
    let loaded = load(std::path::Path::new("n.lna"), text.into(), &Nothing, &[]);
    let model = loaded.model.expect("no errors");
    let names: Vec<&str> = model.claims.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["one", "two"]);
    let mut interpreter = Interpreter::new(&model);
    let initial = interpreter.initial().expect("it begins");
    let rejected: Vec<bool> = model
        .claims
        .iter()
        .map(|claim| interpreter.holds(&initial, &claim.propositions()[0]).expect("it has a value"))
        .collect();
    assert_eq!(rejected, [false, true]);
}
