//! Variables that nobody reads are not followed, and nothing is missed for it.

use std::sync::Arc;

use stubborn_check::{Choice, Config, Job, PropertyResult, Reduction, Verdict, check, properties};
use stubborn_ir::fixture::{Fixture, add, compare, constant, load};
use stubborn_ir::{BinaryOp, Effect, Expr, Model, SlotType};

fn check_all(model: &Model, config: &Config) -> Vec<PropertyResult> {
    let job = Job { cancel: Arc::default(), progress: &mut |_| {} };
    check(model, &properties(model), config, job).unwrap()
}

/// Counts `n` for ever; `seen` becomes what was counted, and is asserted to be at most `limit`, if there is one.
fn counter(limit: Option<i32>) -> Model {
    let mut model = Fixture::new();
    let n = model.global("n", SlotType::Byte);
    let seen = model.global("seen", SlotType::Byte);
    let mut p = model.process("P");
    p.edge(0, 1, "n++").assign(&n, add(&n, 1));
    let mut edge = p.edge(1, 0, "seen = n");
    edge.assign(&seen, load(&n));
    if let Some(limit) = limit {
        edge.effect(Effect::Assert(compare(&seen, BinaryOp::Le, limit)));
    }
    let p = p.finish();
    model.activate(p);
    model.finish()
}

#[test]
fn what_is_only_computed_from_itself_is_not_followed() {
    let results = check_all(&counter(None), &Config { coverage: true, ..Config::default() });
    for result in &results {
        assert_eq!((result.verdict, result.counts.states), (Verdict::Holds, 2));
        assert!(result.strategy.why.ends_with("nothing reads n, seen: those values are not followed"));
    }
    let seen = results[1].coverage.as_ref().unwrap();
    assert_eq!(seen.globals, [None, None], "nothing is known of values that were not followed");
}

#[test]
fn all_states_are_visited_where_all_are_asked_for() {
    let all = Config { reduction: Choice::Named(Reduction::None), ..Config::default() };
    assert_eq!(check_all(&counter(None), &all)[0].counts.states, 512);
}

#[test]
fn what_an_assertion_needs_by_way_of_another_variable_is_followed() {
    let results = check_all(&counter(Some(3)), &Config::default());
    assert_eq!(results[1].verdict, Verdict::Violated);
    assert_eq!(results[1].trail.as_ref().unwrap().steps.len(), 8);
}

#[test]
fn the_trail_shows_values_that_the_search_did_not_follow() {
    let mut model = Fixture::new();
    let unread = model.global("unread", SlotType::Byte);
    let read = model.global("read", SlotType::Byte);
    let mut p = model.process("P");
    p.edge(0, 0, "unread++")
        .guard(compare(&read, BinaryOp::Lt, 3))
        .assign(&unread, add(&unread, 7))
        .assign(&read, add(&read, 1));
    let p = p.finish();
    model.activate(p);
    let results = check_all(&model.finish(), &Config::default());
    assert_eq!(results[0].verdict, Verdict::Violated);
    let last = results[0].trail.as_ref().unwrap().steps.last().unwrap();
    assert!(last.changes.iter().any(|change| change.to_string().contains("21")), "{:?}", last.changes);
}

#[test]
fn what_can_fail_is_computed_all_the_same() {
    let mut model = Fixture::new();
    let n = model.global("n", SlotType::Byte);
    let unread = model.global("unread", SlotType::Byte);
    let mut p = model.process("P");
    let quotient =
        Expr::binary(BinaryOp::Div, constant(1), Expr::binary(BinaryOp::Sub, constant(3), load(&n)));
    p.edge(0, 0, "unread = 1 / (3 - n); n++").assign(&unread, quotient).assign(&n, add(&n, 1));
    let p = p.finish();
    model.activate(p);
    let results = check_all(&model.finish(), &Config::default());
    assert_eq!(results[1].verdict, Verdict::Violated);
    assert_eq!(results[1].trail.as_ref().unwrap().steps.len(), 4);
}

#[test]
fn what_a_local_held_is_forgotten_when_nothing_reads_it_any_more() {
    let mut model = Fixture::new();
    let turns = model.global("turns", SlotType::Bit);
    let mut p = model.process("P");
    let x = p.local("x", SlotType::Byte);
    for value in 1..=5 {
        p.edge(0, 1, "x = ...").assign(&x, constant(value));
    }
    p.edge(1, 2, "x < 4").guard(compare(&x, BinaryOp::Lt, 4));
    p.edge(1, 2, "else").guard(compare(&x, BinaryOp::Ge, 4));
    p.edge(2, 3, "turns++").assign(&turns, add(&turns, 1));
    p.edge(3, 0, "skip");
    let p = p.finish();
    model.activate(p);
    let model = model.finish();
    let all = Config { reduction: Choice::Named(Reduction::None), ..Config::default() };
    assert_eq!(check_all(&model, &all)[0].counts.states, 1 + 2 * 4 * 5);
    let results = check_all(&model, &Config { coverage: true, ..Config::default() });
    assert_eq!((results[0].verdict, results[0].counts.states), (Verdict::Holds, 1 + 5 + 1 + 1));
    let seen = results[1].coverage.as_ref().unwrap();
    assert_eq!(seen.locals.iter().next().unwrap()[..], [Some((1, 5))]);
}
