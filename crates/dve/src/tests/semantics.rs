//! What models do.

use std::ops::ControlFlow;
use std::path::Path;

use stubborn_ir::{ClaimBody, ClaimKind, Interpreter, Literal, Model, Outcome, RuntimeErrorKind};

use crate::corpus::{Nothing, count};
use crate::load;

#[track_caller]
fn model(text: &str) -> Model {
    let loaded = load(Path::new("m.dve"), text.into(), &Nothing, &[]);
    assert!(loaded.diagnostics.is_empty(), "{:#?}", loaded.diagnostics);
    loaded.model.expect("there are no errors")
}

/// States, edges and levels.
#[track_caller]
fn check(text: &str, expected: (usize, usize, usize)) {
    assert_eq!(count(&model(text)), expected);
}

/// The values of all variables after the only run of some steps, or the error it ends in.
#[track_caller]
fn after(text: &str, n_steps: usize) -> Result<Vec<(String, i32)>, RuntimeErrorKind> {
    let model = model(text);
    let mut interpreter = Interpreter::new(&model);
    let mut state = interpreter.initial().expect("initial values are constant");
    for _ in 0..n_steps {
        let mut next = Vec::new();
        interpreter.successors(&state, |edge| {
            next.push(match edge.outcome {
                Outcome::State(state) => Ok(state.to_vec()),
                Outcome::Error(error) => Err(error.kind),
                _ => unreachable!("DVE has no atomic sequences"),
            });
            ControlFlow::Continue(())
        });
        assert_eq!(next.len(), 1, "the run is the only one");
        state = next.remove(0)?;
    }
    let values = interpreter.layout().values(&model, &state);
    let number = |value: stubborn_ir::Value| value.to_string().parse().unwrap_or(-1);
    Ok(values.into_iter().map(|v| (v.name.to_string(), number(v.value))).collect())
}

fn value(text: &str, n_steps: usize, name: &str) -> i32 {
    let values = after(text, n_steps).expect("nothing fails");
    values.iter().find(|(own, _)| own == name).unwrap_or_else(|| panic!("{values:?}")).1
}

/// One transition with these clauses, and globals.
fn one(globals: &str, clauses: &str) -> String {
    format!("{globals} process P {{ state s, t; init s; trans s -> t {{ {clauses} }}; }} system async;")
}

#[test]
fn effects_come_one_after_the_other() {
    let text = one("byte x = 3, y;", "effect x = x + 1, y = x * 2;");
    assert_eq!(after(&text, 1).unwrap(), [("x".to_owned(), 4), ("y".to_owned(), 8)]);
}

#[test]
fn variables_hold_8_or_16_bits() {
    let outside = |value, least, greatest| Err(RuntimeErrorKind::OutOfRange { value, least, greatest });
    assert_eq!(after(&one("byte x = 255;", "effect x = x + 1;"), 1), outside(256, 0, 255));
    assert_eq!(after(&one("byte x;", "effect x = x - 1;"), 1), outside(-1, 0, 255));
    assert_eq!(after(&one("int x = 32767;", "effect x = x + 1;"), 1), outside(32768, -32768, 32767));
    assert_eq!(value(&one("int x = 32767, y;", "effect y = (x + 1) / 2;"), 1, "y"), 16384);
}

#[test]
fn operators_bind_as_in_divine() {
    let holds = |guard: &str| count(&model(&one("byte a = 1, b, c; const int k = 3;", guard))).0 == 2;
    // `and` and `or` from left to right.
    assert!(!holds("guard a or b and c;"));
    assert!(holds("guard a or (b and c);"));
    assert!(holds("guard b imply c imply a;"));
    // Bits bind less than comparisons.
    assert!(holds("guard 6 & 2 == 2;") == (6 & i32::from(2 == 2) != 0));
    assert!(holds("guard 1 + 2 * k == 7 && -1 < 0 && ~0 == -1 && not a == 0 && 1 << 2 == 4 && 7 % 4 == k;"));
    assert!(holds("guard true, a != false, !b;"));
    assert!(!holds("guard not (a or b);"));
    assert!(holds("guard 5 ^ 1 | 0;"));
}

#[test]
fn a_dead_state_is_no_end() {
    let model = model(&one("", ""));
    let mut interpreter = Interpreter::new(&model);
    let initial = interpreter.initial().unwrap();
    assert!(!interpreter.is_valid_end(&initial));
    assert_eq!(count(&model), (2, 1, 2));
}

#[test]
fn indices_and_divisions_fail() {
    let outside = RuntimeErrorKind::IndexOutOfBounds { index: 2, bound: 2 };
    assert_eq!(after(&one("byte a[2], i = 2;", "effect a[i] = 1;"), 1), Err(outside));
    assert_eq!(after(&one("const byte a[2] = {7, 8}; byte i = 2, x;", "effect x = a[i];"), 1), Err(outside));
    let zero = RuntimeErrorKind::DivisionByZero;
    assert_eq!(after(&one("byte x;", "guard 1 / x == 1;"), 1), Err(zero));
    // What decides comes first.
    assert_eq!(count(&model(&one("byte a[2], i = 2;", "guard i < 2 and a[i] == 0;"))).0, 1);
}

#[test]
fn constants_are_not_in_the_state() {
    let text = one(
        "const byte n = 3, a[n] = {7, 8, 9}; byte i = 1, x, b[n];",
        "effect x = a[i] + a[2], b[n - 1] = 5;",
    );
    assert_eq!(value(&text, 1, "x"), 17);
    assert_eq!(value(&text, 1, "b[2]"), 5);
    assert_eq!(model(&text).globals.len(), 5);
    let many: Vec<String> = (0..9).map(|i| (i * i).to_string()).collect();
    for i in 0..9 {
        let text = one(
            &format!("const int a[9] = {{{}}}; byte i = {i}; int x;", many.join(", ")),
            "effect x = a[i];",
        );
        assert_eq!(value(&text, 1, "x"), i * i);
    }
}

#[test]
fn a_transition_begins_where_the_one_before_does() {
    check(
        "process P { state a, b, c; init a; trans a -> b {}, -> c {}, b -> a {}; } system async;",
        (3, 3, 2),
    );
}

const PAIR: &str = "process P { byte p = 5; state s, t; init s; trans s -> t { sync c!SEND; effect x = x + 1, y = x; }; }\n\
    process Q { byte q; state s, t; init s; trans s -> t { sync c?RECEIVE; effect z = x, x = 10; }; } system async;";

/// Two processes that meet on a channel.
fn pair(globals: &str, send: &str, receive: &str) -> String {
    format!("byte x, y, z; {globals} {}", PAIR.replace("SEND", send).replace("RECEIVE", receive))
}

/// The same without what its manual calls a mistake.
fn harmless(globals: &str, send: &str, receive: &str) -> String {
    pair(globals, send, receive)
        .replace("effect x = x + 1, y = x", "effect y = x")
        .replace("z = x, x = 10", "z = x")
}

#[test]
fn the_receiver_acts_first() {
    let text = pair("channel c;", "", "").replace("effect x = x + 1, y = x", "effect y = x");
    let values = after(&text, 1).unwrap();
    assert_eq!(values[..3], [("x".to_owned(), 10), ("y".to_owned(), 10), ("z".to_owned(), 0)]);
    let loaded = load(Path::new("m.dve"), pair("channel c;", "", "").into(), &Nothing, &[]);
    assert_eq!(loaded.diagnostics.iter().map(|d| d.code).collect::<Vec<_>>(), ["assigned-twice"]);
}

#[test]
fn channels_carry_values() {
    assert_eq!(value(&harmless("channel c;", "p + 250", "q"), 1, "Q(1):q"), 255);
    let outside = RuntimeErrorKind::OutOfRange { value: -1, least: 0, greatest: 255 };
    assert_eq!(after(&harmless("channel c;", "p - 6", "q"), 1), Err(outside));
    assert_eq!(value(&harmless("channel c;", "{p, 7}", "{q, z}").replace("effect z = x;", ""), 1, "z"), 7);
    // A typed channel keeps what fits its type.
    assert_eq!(value(&harmless("channel {byte} c[0]; int w;", "p + 256", "w"), 1, "w"), 5);
    assert_eq!(value(&harmless("channel c; int w;", "p + 256", "w"), 1, "w"), 261);
    // What is received is there when effects are computed.
    assert_eq!(value(&harmless("channel c;", "p", "x"), 1, "z"), 5);
}

#[test]
fn channels_hold_messages() {
    let text = "channel {byte, int} c[2]; byte n;\n\
        process P { state s; init s; trans s -> s { guard n < 3; sync c!{n, -n}; effect n = n + 1; }; } system async;";
    // Two messages fit.
    check(text, (3, 2, 3));
    let both = "channel {byte} c[2]; byte x, y;\n\
        process P { state s, t; init s; trans s -> s { sync c!x; effect x = x + 1; }, s -> t { guard x == 2; }; }\n\
        process Q { state s; init s; trans s -> s { guard P.t; sync c?y; }; } system async;";
    let model = model(both);
    assert_eq!(model.channels[0].capacity, 2);
    assert_eq!(count(&model), (6, 5, 6));
    assert_eq!(value(both, 5, "y"), 1);
}

#[test]
fn nobody_synchronises_with_itself() {
    check(
        "channel c; process P { state s; init s; trans s -> s { sync c!; }, s -> s { sync c?; }; } system async;",
        (1, 0, 1),
    );
}

/// Two processes of two steps each.
fn committed(commits: &str) -> String {
    format!(
        "process P {{ state a, b, c; init a; {commits} trans a -> b {{}}, b -> c {{}}; }}\n\
         process Q {{ state a, b, c; init a; trans a -> b {{}}, b -> c {{}}; }} system async;"
    )
}

#[test]
fn committed_states_are_left_first() {
    check(&committed(""), (9, 12, 5));
    check(&committed("commit b;"), (9, 10, 5));
    // Who cannot leave one stops all others.
    check(
        "process P { state a, b; init a; commit b; trans a -> b {}; }\n\
           process Q { state a, b; init a; trans a -> b {}; } system async;",
        (4, 3, 3),
    );
}

#[test]
fn who_is_committed_synchronises_with_its_like() {
    let text = |p: &str, q: &str| {
        format!(
            "channel c; process P {{ state a, b; init a; {p} trans a -> b {{ sync c!; }}; }}\n\
         process Q {{ state a, b; init a; {q} trans a -> b {{ sync c?; }}; }} system async;"
        )
    };
    check(&text("", ""), (2, 1, 2));
    check(&text("commit a;", ""), (1, 0, 1));
    check(&text("", "commit a;"), (1, 0, 1));
    check(&text("commit a;", "commit a;"), (2, 1, 2));
}

#[test]
fn processes_look_at_each_other() {
    let text = "process P { byte x[2] = {4, 5}; int i = 1; state s, t; init s; trans s -> t { guard Q.t && P.s; }; }\n\
        process Q { int z; state s, t; init s; trans s -> t { effect z = P->x[P->i] + P->x[0]; }; } system async;";
    check(text, (3, 2, 3));
    assert_eq!(value(text, 1, "Q(1):z"), 9);
}

#[test]
fn an_assertion_is_an_invariant() {
    let model = model(
        "byte x; process P { byte y; state s, t; init s; assert t: x == y, s: true; trans s -> t {}; } system async;",
    );
    let names: Vec<&str> = model.claims.iter().map(|claim| claim.name.as_str()).collect();
    assert_eq!(names, ["assert P.t", "assert P.s"]);
    let ClaimBody::Formula(claim) = &model.claims[0].body else { panic!("{:?}", model.claims) };
    assert_eq!((model.claims[0].kind, claim.propositions.len()), (ClaimKind::Ltl, 2));
    let mut interpreter = Interpreter::new(&model);
    let initial = interpreter.initial().unwrap();
    let holds = |at: usize| interpreter.holds(&initial, &claim.propositions[at]).unwrap();
    assert_eq!((holds(0), holds(1)), (false, true));
}

/// A property with these clauses in its only transition from `q` to `r`.
fn property(clauses: &str) -> String {
    format!(
        "byte x; channel c; process P {{ state s, t; init s; trans s -> t {{ effect x = 1; }}; }}\n\
         process L {{ LOCAL state q, r; init q; accept r; trans q -> q {{ guard x == 0 and not P.t; }}, q -> r {{ {clauses} }}; }}\n\
         process Z {{ state s; init s; }} system async property L;"
    )
}

#[test]
fn a_property_is_an_automaton() {
    let model = model(&property("guard x != 0 && not (P.s || x >= 2);").replace("LOCAL", ""));
    assert_eq!(model.processes.iter().map(|p| p.name.as_str()).collect::<Vec<_>>(), ["P", "Z"]);
    let [claim] = model.claims.as_slice() else { panic!("{:?}", model.claims) };
    assert_eq!((claim.name.as_str(), claim.kind), ("L", ClaimKind::Never));
    let ClaimBody::Automaton(automaton) = &claim.body else { panic!("{claim:?}") };
    let literal = |proposition, holds| Literal { proposition, holds };
    let edges = &automaton.states[0].edges;
    assert_eq!(*edges[0].literals, [literal(0, true), literal(1, false)]);
    // What differs by `not` only is one proposition.
    assert_eq!(*edges[1].literals, [literal(0, false), literal(2, false), literal(3, true)]);
    assert_eq!((automaton.initial, edges[1].target), (0, 1));
    assert!(!automaton.states[0].accepting && automaton.states[1].accepting);
    assert_eq!(count(&model), (2, 1, 2));
}

#[test]
fn a_property_that_does_more_is_not_checked() {
    let check = |local: &str, clauses: &str, why: &str| {
        let text = property(clauses).replace("LOCAL", local);
        let loaded = load(Path::new("m.dve"), text.into(), &Nothing, &[]);
        let codes: Vec<&str> = loaded.diagnostics.iter().map(|d| d.code).collect();
        assert_eq!(codes, ["not-supported"], "{:?}", loaded.diagnostics);
        let model = loaded.model.expect("the system is right");
        let ClaimBody::Unchecked(told) = &model.claims[0].body else { panic!("{:?}", model.claims) };
        assert_eq!(told, why);
    };
    check("byte n;", "guard n == 0;", "it has variables of its own");
    check("", "sync c?;", "it synchronises on a channel");
    check("", "effect x = 1;", "it sets variables");
}
