//! Several threads go depth-first through a model: the same verdicts, trails as short once they are shortened, and what is
//! for one thread is refused or done by one.

use std::sync::Arc;
use std::time::Duration;

use stubborn_check::{
    Choice, Config, Job, Order, PropertyResult, Proviso, Reduction, StoreChoice, Verdict, check, select,
};
use stubborn_ir::fixture::Fixture;
use stubborn_ir::{BinaryOp, Effect, Model, SlotType, fixture};

use crate::probe::{NEAR, counters};

const DEPTH_FIRST: Option<Order> = Some(Order::DepthFirst);

fn run(model: &Model, config: &Config) -> Result<Vec<PropertyResult>, String> {
    let job = Job { cancel: Arc::default(), progress: &mut |_| {} };
    check(model, &select(model, &[]).unwrap(), config, job).map_err(|refused| refused.to_string())
}

/// One process goes round for ever, the other comes to a failing assertion: whoever only looks at the first never sees it.
fn put_off() -> Model {
    let mut model = Fixture::new();
    let x = model.global("x", SlotType::Byte);
    let mut p = model.process("Round");
    p.edge(0, 1, "there");
    p.edge(1, 0, "back");
    let p = p.finish();
    model.activate(p);
    let mut q = model.process("Fails");
    q.edge(0, 1, "x++").assign(&x, fixture::add(&x, 1));
    q.edge(1, 2, "assert(x == 0)").effect(Effect::Assert(fixture::compare(&x, BinaryOp::Eq, 0)));
    q.end_label(2);
    let q = q.finish();
    model.activate(q);
    model.finish()
}

#[test]
fn a_trail_is_shortened_to_the_nearest() {
    let model = counters();
    for threads in [1, 2, 3] {
        let shorten = Some(Duration::from_secs(60));
        let config = Config { order: DEPTH_FIRST, threads, shorten, ..Config::default() };
        let [deadlock, assertions] = &run(&model, &config).unwrap()[..] else { panic!() };
        assert_eq!((deadlock.verdict, deadlock.threads), (Verdict::Violated, threads));
        assert_eq!(deadlock.trail.as_ref().unwrap().steps.len(), NEAR);
        assert_eq!((assertions.verdict, assertions.threads), (Verdict::Holds, threads));
    }
}

#[test]
fn nothing_is_put_off_for_ever() {
    let model = put_off();
    for threads in [2, 3] {
        for proviso in [None, Some(Proviso::Duplicate), Some(Proviso::Sticky)] {
            let config = Config { order: DEPTH_FIRST, threads, proviso, ..Config::default() };
            let [_, assertions] = &run(&model, &config).unwrap()[..] else { panic!() };
            assert_eq!((assertions.verdict, assertions.threads), (Verdict::Violated, threads));
            assert_eq!(assertions.trail.as_ref().unwrap().steps.len(), 2);
        }
    }
}

#[test]
fn what_is_for_one_thread_is_refused() {
    let model = put_off();
    let config = |threads| Config { order: DEPTH_FIRST, threads, ..Config::default() };
    for proviso in [Proviso::Stack, Proviso::SafeFlags, Proviso::Scc, Proviso::Colour, Proviso::ColourReach] {
        let asked = |threads| run(&model, &Config { proviso: Some(proviso), ..config(threads) });
        assert!(asked(1).is_ok());
        assert!(asked(2).unwrap_err().contains("is for one thread; with several"));
    }
    for reduction in ["sleep", "two-phase", "two-phase:dfs3"] {
        let reduction: Reduction = reduction.parse().unwrap();
        let asked = |threads| run(&model, &Config { reduction: Choice::Named(reduction), ..config(threads) });
        assert!(asked(1).is_ok());
        assert!(asked(2).unwrap_err().contains("is a search for one thread"));
    }
}

#[test]
fn where_states_are_kept_in_another_way_one_thread_says_so() {
    let model = put_off();
    let store = "tree".parse::<StoreChoice>().unwrap();
    for order in [Order::BreadthFirst, Order::DepthFirst] {
        let config = Config { order: Some(order), threads: 2, store, ..Config::default() };
        for result in run(&model, &config).unwrap() {
            assert_eq!(result.threads, 1);
            assert!(result.strategy.why.contains("searched by one thread"), "{}", result.strategy.why);
        }
    }
}
