//! What several threads visit is what one does, in both orders, and what ends them early.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use stubborn_ir::fixture::{Fixture, add, compare, constant};
use stubborn_ir::{BinaryOp, Effect, Model, SlotType, Violation};
use stubborn_reduce::{PROVISOS, Plan, Proviso, Reduction, Stubborn};
use stubborn_search::{
    Counts, Crowd, End, Finding, Found, Ignore, Incomplete, Limits, Observer, Order, Progress, Team,
    refusal_in_parallel, search, search_in_parallel,
};

const ORDERS: [Order; 2] = [Order::BreadthFirst, Order::DepthFirst];

/// So many, with so little to do at a time that they get in each other's way in small models, too.
fn team(n_threads: usize) -> Team {
    Team { n_threads, worth_sharing: 2, block: 1 }
}

fn limits() -> Limits {
    Limits::memory(1 << 30)
}

/// Visits everything with nothing left out.
fn visit<'m>(
    model: &'m Model,
    order: Order,
    n_threads: usize,
    observer: &mut dyn Observer,
) -> (Crowd<'m>, End) {
    search_in_parallel(model, order, team(n_threads), &Plan::none(), &limits(), observer).unwrap()
}

/// Processes that each count from 0 to `max` and then fail.
fn counters(n_processes: usize, max: i32) -> Model {
    let mut model = Fixture::new();
    let mut p = model.process("Counter");
    let i = p.local("i", SlotType::Int);
    p.edge(0, 0, "i++").guard(compare(&i, BinaryOp::Lt, max)).assign(&i, add(&i, 1));
    p.edge(0, 1, "assert(false)").guard(compare(&i, BinaryOp::Eq, max)).effect(Effect::Assert(constant(0)));
    let p = p.finish();
    (0..n_processes).for_each(|_| model.activate(p));
    model.finish()
}

/// Processes that go round in a ring of `length` locations each, and back now and then.
fn rings(n_processes: usize, length: u16) -> Model {
    let mut model = Fixture::new();
    let mut p = model.process("Ring");
    for at in 0..length {
        p.edge(at, (at + 1) % length, "on");
        if at % 3 == 2 {
            p.edge(at, at / 2, "back");
        }
    }
    let p = p.finish();
    (0..n_processes).for_each(|_| model.activate(p));
    model.finish()
}

#[derive(Default)]
struct Collect {
    findings: Vec<Finding>,
    wants_all: bool,
    stops: bool,
}

impl Observer for Collect {
    fn violation(&mut self, found: Found<'_>) -> ControlFlow<()> {
        assert!(!self.stops || self.findings.is_empty(), "it was told to stop");
        self.findings.push(found.to_finding());
        if self.stops { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn wants_every_violation(&self) -> bool {
        self.wants_all
    }
}

/// Cancels as soon as there is progress.
struct CancelAtProgress(Limits);

impl Observer for CancelAtProgress {
    fn violation(&mut self, _: Found<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn progress(&mut self, _: &Progress) {
        self.0.cancel.store(true, Ordering::Relaxed);
    }
}

#[test]
fn any_number_of_threads_visits_the_same_states() {
    for model in [counters(3, 9), rings(3, 11), rings(1, 200), counters(1, 0)] {
        let (alone, _) = search(&model, Order::BreadthFirst, &Plan::none(), &limits(), &mut Ignore).unwrap();
        let mut expected = BTreeSet::new();
        alone.for_each_state(|state| {
            expected.insert(state.to_vec());
        });
        for order in ORDERS {
            for n_threads in [1, 2, 3, 8] {
                // What happens is up to chance.
                for _ in 0..5 {
                    let (crowd, end) = visit(&model, order, n_threads, &mut Ignore);
                    assert_eq!(end, End::Exhausted);
                    let counts = Counts { depth: alone.counts().depth, ..*crowd.counts() };
                    assert_eq!(counts, *alone.counts(), "{order}, {n_threads} threads");
                    let mut visited = BTreeSet::new();
                    crowd.for_each_state(|state| {
                        visited.insert(state.to_vec());
                    });
                    assert_eq!(visited, expected, "{order}, {n_threads} threads");
                }
            }
        }
    }
}

#[test]
fn ways_lead_to_what_was_found() {
    let model = counters(3, 5);
    for order in ORDERS {
        for n_threads in [1, 2, 3] {
            let mut observer = Collect { wants_all: true, ..Collect::default() };
            let (mut crowd, end) = visit(&model, order, n_threads, &mut observer);
            assert_eq!(end, End::Exhausted);
            let counts = *crowd.counts();
            let is_deadlock = |finding: &&Finding| finding.violation == Violation::InvalidEnd;
            assert_eq!(observer.findings.iter().filter(is_deadlock).count() as u64, counts.deadlocks);
            assert_eq!(observer.findings.len() as u64, counts.deadlocks + counts.failed_assertions);
            for finding in &observer.findings {
                // Every step is one of a process that counts: how many it takes is known.
                let state = crowd.state(finding.state);
                let moves = crowd.moves_to(finding);
                for pid in 0..3 {
                    let n_steps = moves.iter().filter(|m| m.pid == pid).count();
                    assert!(n_steps <= 6, "{n_steps} steps of {pid} to {state:?}");
                }
                assert!(!is_deadlock(&finding) || moves.len() == 18, "{} steps", moves.len());
            }
        }
    }
}

#[test]
fn one_violation_of_each_kind_is_told_and_may_be_enough() {
    let model = counters(3, 5);
    for n_threads in [1, 2, 3] {
        let mut observer = Collect::default();
        let (_, end) = visit(&model, Order::DepthFirst, n_threads, &mut observer);
        assert_eq!((end, observer.findings.len()), (End::Exhausted, 2));
        let mut observer = Collect { stops: true, ..Collect::default() };
        let (_, end) = visit(&model, Order::DepthFirst, n_threads, &mut observer);
        assert_eq!((end, observer.findings.len()), (End::Stopped, 1));
    }
}

#[test]
fn who_waits_is_told_when_another_thread_ends_the_search() {
    // A single way: there is nothing to share, so all threads but the first wait.
    let model = counters(1, 30_000);
    for n_threads in [2, 3, 8] {
        let mut observer = Collect { stops: true, ..Collect::default() };
        let (_, end) = visit(&model, Order::DepthFirst, n_threads, &mut observer);
        assert_eq!((end, observer.findings.len()), (End::Stopped, 1));
        let limits = Limits::memory(200_000);
        let team = team(n_threads);
        let searched =
            search_in_parallel(&model, Order::DepthFirst, team, &Plan::none(), &limits, &mut Ignore);
        assert!(matches!(searched, Ok((_, End::Incomplete(Incomplete::Memory { .. })))));
    }
}

#[test]
fn the_memory_limit_ends_in_incomplete() {
    let model = counters(4, 40);
    for (order, n_threads) in [(Order::BreadthFirst, 3), (Order::DepthFirst, 2), (Order::DepthFirst, 3)] {
        for limit in [0, 100, 10_000, 1 << 20, 10 << 20] {
            let limits = Limits::memory(limit);
            let (crowd, end) = search_in_parallel(
                &model,
                order,
                Team::of(n_threads, order),
                &Plan::none(),
                &limits,
                &mut Ignore,
            )
            .unwrap();
            assert_eq!(end, End::Incomplete(Incomplete::Memory { limit }), "{order}");
            assert!(crowd.peak_bytes() <= limit);
            assert!(crowd.counts().states < 41 * 41 * 41 * 41);
        }
    }
}

#[test]
fn the_time_limit_and_cancelling_end_in_incomplete() {
    let model = counters(5, 100);
    let time = Duration::from_millis(20);
    for order in ORDERS {
        for n_threads in [1, 2, 3] {
            let visit = |limits: &Limits, observer: &mut dyn Observer| {
                let started = Instant::now();
                let (_, end) = search_in_parallel(
                    &model,
                    order,
                    Team::of(n_threads, order),
                    &Plan::none(),
                    limits,
                    observer,
                )
                .unwrap();
                assert!(started.elapsed() < Duration::from_secs(2), "{order}, {n_threads} threads");
                end
            };
            let in_time = Limits { time: Some(time), ..limits() };
            assert_eq!(visit(&in_time, &mut Ignore), End::Incomplete(Incomplete::Time { limit: time }));
            let limits = limits();
            let mut observer = CancelAtProgress(limits.clone());
            assert_eq!(visit(&limits, &mut observer), End::Incomplete(Incomplete::Cancelled));
        }
    }
}

#[test]
fn a_panic_in_one_thread_is_one_of_the_search() {
    struct Panic;
    impl Observer for Panic {
        fn violation(&mut self, _: Found<'_>) -> ControlFlow<()> {
            panic!("it was found");
        }
    }
    let model = counters(4, 40);
    let searched = std::panic::catch_unwind(|| drop(visit(&model, Order::DepthFirst, 3, &mut Panic)));
    assert!(searched.is_err());
}

#[test]
fn what_looks_at_the_stack_is_for_one_thread() {
    let legal = |order: Order| {
        let is_legal = |proviso: &Proviso| {
            let plan = Plan::new(Reduction::Stubborn(Stubborn::BEAM), *proviso);
            refusal_in_parallel(&plan, order).is_none()
        };
        PROVISOS.into_iter().filter(is_legal).collect::<Vec<_>>()
    };
    assert_eq!(legal(Order::DepthFirst), [Proviso::None, Proviso::Duplicate, Proviso::Sticky]);
    assert_eq!(legal(Order::BreadthFirst), [Proviso::None, Proviso::Queue, Proviso::Sticky]);
    let is_refused = |reduction: &Reduction| {
        let plan = Plan::new(*reduction, Proviso::None);
        ORDERS.map(|order| refusal_in_parallel(&plan, order).is_some()) == [true, true]
    };
    let refused = Reduction::all().into_iter().filter(is_refused).collect::<Vec<_>>();
    assert!(refused.contains(&Reduction::Sleep));
    assert!(refused.iter().all(|r| matches!(r, Reduction::Sleep | Reduction::TwoPhase(_))));
}
