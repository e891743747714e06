//! What lies deep is found depth-first, beside the search for the nearest; and what becomes of it.

use std::sync::Arc;
use std::time::Duration;

use stubborn_check::{
    Choice, Config, Job, Order, PropertyResult, Proviso, Reduction, Verdict, check, select,
};
use stubborn_ir::fixture::{Fixture, add, compare, constant};
use stubborn_ir::{BinaryOp, Model, SlotType};

/// The deepest dead state, which is where a depth-first search comes to at once.
const DEEP: usize = 3 * 40;
/// The nearest: many states are nearer.
pub(crate) const NEAR: usize = 31;

/// Counts three variables up to 40 in any order, and comes to an end nowhere else; but where only the last was counted,
/// up to 30, it may also leave for a place that there is no way from. So all ways to a dead state are of two lengths.
pub(crate) fn counters() -> Model {
    let mut model = Fixture::new();
    let all: Vec<_> = ["x", "y", "z"].map(|name| model.global(name, SlotType::Byte)).into();
    let mut p = model.process("P");
    for place in &all {
        p.edge(0, 0, "count").guard(compare(place, BinaryOp::Lt, 40)).assign(place, add(place, 1));
    }
    let mut leave = p.edge(0, 1, "leave");
    for (place, value) in all.iter().zip([0, 0, 30]) {
        leave.guard(compare(place, BinaryOp::Eq, value));
    }
    leave.assign(&all[2], constant(0));
    let p = p.finish();
    model.activate(p);
    model.finish()
}

fn run(names: &[&str], config: &Config) -> Vec<PropertyResult> {
    let model = counters();
    let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
    let job = Job { cancel: Arc::default(), progress: &mut |_| {} };
    check(&model, &select(&model, &names).unwrap(), config, job).unwrap()
}

fn length(result: &PropertyResult) -> usize {
    assert_eq!(result.verdict, Verdict::Violated, "{:?}", result.reason);
    result.trail.as_ref().unwrap().steps.len()
}

#[test]
fn what_lies_deep_is_found_before_the_nearest() {
    let [deadlock] = &run(&["deadlock"], &Config::default())[..] else { panic!() };
    assert_eq!((length(deadlock), deadlock.order), (DEEP, Order::DepthFirst));
    // Those beside its way.
    assert!(deadlock.counts.states <= 3 * DEEP as u64 + 1, "{:?}", deadlock.counts);
    assert!(!deadlock.trail.as_ref().unwrap().is_shortest);
    assert!(deadlock.strategy.why.contains("depth-first"), "{}", deadlock.strategy.why);
}

#[test]
fn it_is_the_same_with_any_number_of_threads() {
    let alone = run(&["deadlock"], &Config::default());
    for threads in [2, 3] {
        let together = run(&["deadlock"], &Config { threads, ..Config::default() });
        assert_eq!(together[0].trail, alone[0].trail);
        assert_eq!(together[0].counts, alone[0].counts);
    }
}

#[test]
fn it_is_shortened_to_the_nearest() {
    let shorten = Some(Duration::from_secs(60));
    let [deadlock] = &run(&["deadlock"], &Config { shorten, ..Config::default() })[..] else { panic!() };
    assert_eq!(length(deadlock), NEAR);
    assert!(deadlock.trail.as_ref().unwrap().is_shortest);
}

#[test]
fn what_the_other_search_finds_after_all_is_nearer() {
    let [deadlock, assertions] = &run(&[], &Config::default())[..] else { panic!() };
    assert_eq!((length(deadlock), deadlock.order), (NEAR, Order::BreadthFirst));
    assert_eq!((assertions.verdict, assertions.order), (Verdict::Holds, Order::BreadthFirst));
    // All there are, and the place that there is no way from.
    assert_eq!(assertions.counts.states, 41 * 41 * 41 + 1);
}

#[test]
fn who_says_how_to_search_gets_that() {
    let named = [
        Config { order: Some(Order::BreadthFirst), ..Config::default() },
        Config { reduction: Choice::Named(Reduction::None), ..Config::default() },
        Config { proviso: Some(Proviso::None), ..Config::default() },
    ];
    for config in named {
        let deadlock = &run(&["deadlock"], &config)[0];
        assert_eq!((length(deadlock), deadlock.order), (NEAR, Order::BreadthFirst));
    }
}
