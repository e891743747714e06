//! Verdicts, with the counts and trails they come with.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use stubborn_base::{FileId, Span};
use stubborn_check::{
    Config, Job, Order, PropertyKind, PropertyResult, Verdict, check, explore, properties, select,
};
use stubborn_ir::fixture::{Fixture, add, compare, constant, load};
use stubborn_ir::{BinaryOp, Claim, ClaimBody, ClaimKind, Effect, Expr, Model, SlotType, Stated, Violation};

/// Counts x up to `max`; asserts that it is not `bad`; ends in a valid end state or not.
fn counter(max: i32, bad: i32, valid_end: bool) -> Model {
    let mut model = Fixture::new();
    let x = model.global("x", SlotType::Byte);
    let mut p = model.process("P");
    p.edge(0, 1, "x++").guard(compare(&x, BinaryOp::Lt, max)).assign(&x, add(&x, 1));
    p.edge(1, 0, "assert(x != bad)").effect(Effect::Assert(compare(&x, BinaryOp::Ne, bad)));
    if valid_end {
        p.end_label(0);
    }
    let p = p.finish();
    model.activate(p);
    model.finish()
}

fn check_with(model: &Model, names: &[&str], config: &Config) -> Vec<PropertyResult> {
    let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
    let job = Job { cancel: Arc::default(), progress: &mut |_| {} };
    check(model, &select(model, &names).unwrap(), config, job).unwrap()
}

fn check_all(model: &Model) -> Vec<PropertyResult> {
    check_with(model, &[], &Config::default())
}

fn verdicts(results: &[PropertyResult]) -> Vec<(&str, Verdict)> {
    results.iter().map(|r| (&*r.property.name, r.verdict)).collect()
}

#[test]
fn all_hold() {
    let results = check_all(&counter(5, 9, true));
    assert_eq!(verdicts(&results), [("deadlock", Verdict::Holds), ("assertions", Verdict::Holds)]);
    for result in &results {
        assert_eq!((result.counts.states, result.counts.transitions), (11, 10));
        assert_eq!((&result.reason, &result.trail), (&None, &None));
    }
}

#[test]
fn each_property_has_the_counts_of_its_own_decision() {
    let results = check_all(&counter(5, 2, false));
    let [deadlock, assertions] = &results[..] else { panic!() };
    assert_eq!(verdicts(&results), [("deadlock", Verdict::Violated), ("assertions", Verdict::Violated)]);
    assert_eq!(deadlock.counts.states, 11);
    assert_eq!(deadlock.reason.as_deref(), Some("invalid end state"));
    assert_eq!(deadlock.trail.as_ref().unwrap().prefix, 10);
    assert_eq!(assertions.counts.states, 4);
    assert_eq!(assertions.reason.as_deref(), Some("assertion violated: assert(x != bad)"));
    assert_eq!(assertions.trail.as_ref().unwrap().prefix, 4);
}

#[test]
fn the_search_ends_when_what_was_asked_is_decided() {
    let results = check_with(&counter(200, 2, false), &["assertions"], &Config::default());
    assert_eq!(verdicts(&results), [("assertions", Verdict::Violated)]);
    assert_eq!(results[0].counts.states, 4);
}

#[test]
fn an_incomplete_search_shows_violations_but_proves_nothing() {
    let config = Config { memory: 3000, ..Config::default() };
    for order in [Order::BreadthFirst, Order::DepthFirst] {
        let config = Config { order: Some(order), ..config.clone() };
        let results = check_with(&counter(250, 2, true), &[], &config);
        assert_eq!(
            verdicts(&results),
            [("deadlock", Verdict::Incomplete), ("assertions", Verdict::Violated)]
        );
        assert!(results[0].reason.as_ref().unwrap().contains("memory limit"));
    }
}

#[test]
fn a_cancelled_check_is_incomplete() {
    let job = Job { cancel: Arc::new(AtomicBool::new(true)), progress: &mut |_| {} };
    let mut model = Fixture::new();
    let n = model.global("n", SlotType::Short);
    let mut p = model.process("P");
    p.edge(0, 0, "n++").guard(compare(&n, BinaryOp::Ge, 0)).assign(&n, add(&n, 1));
    let p = p.finish();
    model.activate(p);
    let model = model.finish();
    let results = check(&model, &properties(&model), &Config::default(), job).unwrap();
    assert_eq!(verdicts(&results), [("deadlock", Verdict::Incomplete), ("assertions", Verdict::Incomplete)]);
    assert_eq!(results[0].reason.as_deref(), Some("cancelled"));
}

#[test]
fn what_is_not_checked_is_never_said_to_hold() {
    let mut model = counter(5, 9, true);
    let span = Span::new(FileId(0), 0, 0);
    let body = ClaimBody::Unchecked("it is too difficult".to_owned());
    model.claims.push(Claim { name: "p".into(), kind: ClaimKind::Ltl, body, span });
    let results = check_all(&model);
    let last = &results[2..];
    assert_eq!(verdicts(last), [("p", Verdict::Incomplete)]);
    assert_eq!(last[0].property.kind, PropertyKind::Ltl);
    assert_eq!(last[0].reason.as_deref(), Some("it is too difficult"));
    let only = check_with(&model, &["p"], &Config::default());
    assert_eq!(verdicts(&only), [("p", Verdict::Incomplete)]);
}

#[test]
fn an_unknown_property_is_an_error_that_names_those_there_are() {
    let error = select(&counter(1, 9, true), &["deadlok".to_owned()]).unwrap_err();
    assert_eq!(error.to_string(), "the model has no property `deadlok`, it has: deadlock, assertions");
}

/// A model whose only global cannot be initialised.
fn broken() -> Model {
    let mut model = Fixture::new();
    let x = model.global("x", SlotType::Byte);
    let quotient = Expr::binary(BinaryOp::Div, constant(1), load(&x));
    model.model().global_init.push((x, quotient));
    model.finish()
}

#[test]
fn no_initial_state_is_a_violation_without_steps() {
    let results = check_all(&broken());
    assert_eq!(verdicts(&results), [("deadlock", Verdict::Incomplete), ("assertions", Verdict::Violated)]);
    let trail = results[1].trail.as_ref().unwrap();
    assert!(matches!(trail.violation, Violation::NoInitialState(_)));
    assert_eq!(results[1].reason.as_deref(), Some("division by zero in the initial state"));
}

/// A property of the author's that says nothing else has its own name and place; `deadlock` still finds it.
#[test]
fn that_no_state_is_dead_has_the_name_its_author_gives_it() {
    let mut model = counter(5, 2, false);
    let span = Span::new(FileId(0), 3, 7);
    model.no_dead_state.push(Stated { name: "not_dead".into(), span });
    let all = properties(&model);
    assert_eq!(all.iter().map(|p| &*p.name).collect::<Vec<_>>(), ["not_dead", "assertions"]);
    assert_eq!((all[0].span(&model), all[1].span(&model)), (Some(span), None));
    assert_eq!(select(&model, &["deadlock".to_owned()]).unwrap(), all[..1]);
    assert!(select(&counter(5, 2, false), &["not_dead".to_owned()]).is_err());
}

#[test]
fn explore_goes_on_past_violations() {
    let model = counter(5, 2, false);
    let mut n_calls = 0;
    let job = Job { cancel: Arc::default(), progress: &mut |_| n_calls += 1 };
    let report = explore(&model, &Config::default(), job).unwrap();
    assert_eq!((report.counts.states, report.counts.transitions), (11, 10));
    assert_eq!((report.counts.deadlocks, report.counts.failed_assertions, report.counts.errors), (1, 1, 0));
    assert_eq!(report.incomplete, None);
    // A state takes five, and there is its place in the table and its parent.
    assert!(report.bytes_per_state >= 5.0 + 4.0, "{}", report.bytes_per_state);
    assert_eq!(n_calls, 0);
    let job = Job { cancel: Arc::default(), progress: &mut |_| {} };
    assert_eq!(explore(&broken(), &Config::default(), job).unwrap().counts.errors, 1);
}
