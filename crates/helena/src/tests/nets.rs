//! Descriptions of nets, and what their models do.

use stubborn_ir::{Interpreter, Outcome};
use stubborn_nets::{Addend, Domain, Expression, Value};

use super::{Nothing, net, text};
use crate::load;

/// The texts of all firings that happen, and the number of markings.
fn runs(definitions: &str) -> (usize, Vec<String>) {
    let loaded = load(std::path::Path::new("n.lna"), format!("n {{ {definitions} }}").into(), &Nothing, &[]);
    assert!(loaded.diagnostics.is_empty(), "{:#?}", loaded.diagnostics);
    let model = loaded.model.expect("no errors");
    let mut interpreter = Interpreter::new(&model);
    let mut seen = vec![interpreter.initial().expect("it begins")];
    let mut fired = Vec::new();
    let mut next = 0;
    while next < seen.len() {
        let state = seen[next].clone();
        next += 1;
        interpreter.successors(&state, |edge| {
            let text = model.transitions[edge.steps[0].transition].origin.text.to_string();
            if !fired.contains(&text) {
                fired.push(text);
            }
            if let Outcome::State(target) = edge.outcome
                && !seen.iter().any(|s| s == target)
            {
                seen.push(target.to_vec());
            }
            std::ops::ControlFlow::Continue(())
        });
    }
    fired.sort();
    (seen.len(), fired)
}

#[test]
fn variables_come_from_tokens_picks_and_lets() {
    let read = net("type t: range 1 .. 3; type s: set of t with capacity 3; place p { dom: t * s; }
        transition u {
            in { p: <( x, k )>; } out { p: <( z, k )>; }
            pick { y in k; w in t; v in t range 1 .. x; } let { t z := x; }
            guard: x < 3 and y > 1 and 6 / x > 2;
        }");
    assert!(read.diagnostics.is_empty(), "{:?}", read.diagnostics);
    let net = read.net.expect("no errors");
    let u = net.transitions.iter().next().expect("there is one");
    let names: Vec<&str> = u.variables.iter().map(|v| v.name.as_str()).collect();
    assert_eq!(names, ["x", "k", "y", "w", "v", "z"]);
    let domains: Vec<&str> = u
        .variables
        .iter()
        .map(|v| match &v.domain {
            Domain::Pattern => "pattern",
            Domain::Values(_) => "values",
            Domain::Each(_) => "each",
            Domain::Let(_) => "let",
        })
        .collect();
    assert_eq!(domains, ["pattern", "pattern", "each", "values", "each", "let"]);
    let Addend::Pattern(pattern) = &u.inputs[0].addends[0] else { panic!("a pattern") };
    assert!(pattern.components.iter().all(|c| c.as_variable().is_some()));
    // What may be undefined keeps what stands before it.
    assert_eq!(u.guards.len(), 3);
    let mut mentioned = Vec::new();
    u.guards[2].variables(&mut |v| mentioned.push(v.0));
    assert_eq!(mentioned, [0, 2, 0]);
}

#[test]
fn arcs_are_unrolled() {
    let read = net("type t: mod 3; place p { dom: t; init: for (x in t) (int(t'last) - 1) * <( x )> + 2 * <( 1 )>; }
        place q { dom: t * t; }
        transition u {
            in { p: <( x )>; } out { q: for (y in t, z in t range 1 .. 2) if (y != 1 and x != z) 2 * <( y, z )>; }
        }");
    assert!(read.diagnostics.is_empty(), "{:?}", read.diagnostics);
    let net = read.net.expect("no errors");
    let p = net.places.iter().next().expect("there is one");
    let tokens: Vec<(String, u32)> = p.initial.iter().map(|(t, n)| ((p.notation.0)(t), *n)).collect();
    assert_eq!(tokens, [("(0)".to_owned(), 1), ("(1)".to_owned(), 3), ("(2)".to_owned(), 1)]);
    let u = net.transitions.iter().next().expect("there is one");
    let addends = &u.outputs[0].addends;
    assert_eq!(addends.len(), 6);
    let put = |x: i64| -> usize {
        let multisets = addends.iter().map(|addend| match addend {
            Addend::Multiset(term) => term.eval(&[Value::Int(x)]).expect("it is defined"),
            Addend::Pattern(_) => panic!("a multiset"),
        });
        multisets.map(|m| m.as_seq().map_or(0, <[Value]>::len)).sum()
    };
    assert_eq!([put(0), put(1)], [4, 2]);
}

#[test]
fn firing() {
    let (n_states, fired) = runs("type t: range 1 .. 3; place p { dom: t; init: <( 1 )>; } place stop { dom: epsilon; }
        transition up { in { p: <( x )>; } out { p: <( succ x )>; } guard: x < t'last; }
        transition off { in { p: <( 3 )>; } out { p: <( 3 )>; stop: epsilon; } inhibit { stop: 2 * epsilon; } }");
    assert_eq!((n_states, fired.len()), (5, 3));
    assert_eq!(fired, ["off", "up(x=1)", "up(x=2)"]);
}

#[test]
fn priorities() {
    let (n_states, fired) = runs(
        "place p { dom: epsilon; init: epsilon; } place q { dom: bool; }
        transition a { in { p: epsilon; } out { q: <( x )>; } pick { x in bool; } priority: x ? 1 : 0; }
        transition b { in { p: epsilon; } out { } priority: -1; }",
    );
    assert_eq!((n_states, fired), (2, vec!["a(x=true)".to_owned()]));
}

#[test]
fn priorities_by_the_marking() {
    // Writing goes on until there are three, and is less urgent than reading then.
    let buffer = "place b { dom: epsilon; capacity: 3; }
        transition write { in { } out { b: epsilon; } priority: (b'mult = 3) ? -1 : 0; }
        transition read { in { b: epsilon; } out { } }";
    assert_eq!(runs(buffer), (4, vec!["read".to_owned(), "write".to_owned()]));
    // Of all tokens the one that is the number of those which are left goes first.
    let (n_states, fired) = runs(
        "type t: range 1 .. 3; place p { dom: t; init: for (x in t) <( x )>; }
        transition take { in { p: <( x )>; } out { } priority: (p'card = int(x)) ? 1 : 0; }
        transition stay { in { } out { } priority: (exists (y in p | y->1 = 2)) ? 1 : 0; }",
    );
    assert_eq!(
        (n_states, fired),
        (4, vec!["stay", "take(x=1)", "take(x=2)", "take(x=3)"].into_iter().map(String::from).collect())
    );
    // The largest goes first, until staying is more urgent.
    let (n_states, fired) = runs(
        "type t: range 1 .. 3; place p { dom: t; init: for (x in t) <( x )>; }
        transition take { in { p: <( x )>; } out { } priority: int(x); }
        transition stay { in { } out { } priority: (p'mult > 1) ? 2 : 5; }",
    );
    assert_eq!(
        (n_states, fired),
        (3, vec!["stay", "take(x=2)", "take(x=3)"].into_iter().map(String::from).collect())
    );
}

#[test]
fn a_value_out_of_range_is_an_error_of_the_firing() {
    let loaded = load(
        std::path::Path::new("n.lna"),
        "n { type t: range 1 .. 2; place p { dom: t; init: <( 1 )>; }
            transition up { in { p: <( x )>; } out { p: <( x + 1 )>; } } }"
            .into(),
        &Nothing,
        &[],
    );
    let model = loaded.model.expect("no errors");
    let undefined = model.transitions.iter().flat_map(|t| &t.effects).find_map(|effect| match effect {
        stubborn_ir::Effect::Undefined(why) => Some(why.to_string()),
        _ => None,
    });
    assert_eq!(undefined.as_deref(), Some("3 is not a value of `t`, 1 .. 2"));
}

#[test]
fn a_net_with_nothing_is_a_net() {
    assert!(text("n { }").net.is_some());
    assert!(text("").net.is_none());
}
