//! Directed searches by name, and what becomes of their counterexamples.

use std::sync::Arc;
use std::time::Duration;

use stubborn_check::{
    Choice, Config, GUIDES, Guide, HeuristicName, Job, Order, PropertyResult, Reduction, Refused, Trail,
    Verdict, check, improve, select,
};
use stubborn_ir::fixture::{Fixture, add, compare, constant};
use stubborn_ir::{
    BinaryOp, Claim, ClaimBody, ClaimKind, Effect, Model, Place, Region, SlotType, TemporalClaim,
};
use stubborn_ltl::Formula;

/// Two processes count on their own; one asserts that it never comes to the end.
fn two_counters() -> Model {
    let mut model = Fixture::new();
    let (x, y) = (model.global("x", SlotType::Byte), model.global("y", SlotType::Byte));
    for (place, name, asserts) in [(&x, "P", true), (&y, "Q", false)] {
        let mut p = model.process(name);
        p.edge(0, 0, "count").guard(compare(place, BinaryOp::Lt, 3)).assign(place, add(place, 1));
        p.edge(0, 1, "leave").guard(compare(place, BinaryOp::Eq, 3));
        let mut last = p.edge(1, 2, "last");
        match asserts {
            true => last.effect(Effect::Assert(compare(place, BinaryOp::Ne, 3))),
            false => last.assign(place, constant(0)),
        };
        p.end_label(2);
        let p = p.finish();
        model.activate(p);
    }
    model.finish()
}

fn run(model: &Model, property: &str, config: &Config) -> Result<PropertyResult, Refused> {
    let job = Job { cancel: Arc::default(), progress: &mut |_| {} };
    let property = select(model, &[property.to_owned()]).unwrap();
    check(model, &property, config, job).map(|mut results| results.remove(0))
}

fn guided(guide: Guide, heuristic: Option<HeuristicName>) -> Config {
    Config { order: Some(Order::BreadthFirst), guide: Some(guide), heuristic, ..Config::default() }
}

#[test]
fn every_search_finds_the_assertion() {
    let model = two_counters();
    for guide in GUIDES {
        let result = run(&model, "assertions", &guided(guide, None)).unwrap();
        assert_eq!((result.verdict, result.guide), (Verdict::Violated, Some(guide)));
        let result = run(&model, "deadlock", &guided(guide, None)).unwrap();
        assert_eq!(result.verdict, Verdict::Holds, "{guide}");
    }
}

#[test]
fn a_heuristic_that_does_not_suit_is_refused() {
    let model = two_counters();
    let refused = |property, guide, heuristic| {
        run(&model, property, &guided(guide, Some(heuristic))).expect_err("it does not suit").to_string()
    };
    assert!(refused("deadlock", Guide::AStar, HeuristicName::Formula).contains("use active-processes"));
    assert!(refused("assertions", Guide::AStar, HeuristicName::ActiveProcesses).contains("use formula"));
    assert!(refused("assertions", Guide::Idfs, HeuristicName::Hamming).contains("goes by no heuristic"));
    let undirected = Config { heuristic: Some(HeuristicName::Zero), ..Config::default() };
    assert!(
        run(&model, "assertions", &undirected).expect_err("no direction").to_string().contains("--search")
    );
}

/// The same with claims: what the first process counts stays below three, and comes to three.
fn with_claims() -> Model {
    let mut model = two_counters();
    let x = model.globals[0].slot;
    let is_three = compare(&Place::simple(Region::Global, x), BinaryOp::Eq, 3);
    let mut claim = |name: &str, formula| {
        let propositions = vec![is_three.clone()];
        let body = ClaimBody::Formula(TemporalClaim { formula, propositions, extends_finite_runs: true });
        let span = model.processes.iter().next().unwrap().span;
        model.claims.push(Claim { name: name.into(), kind: ClaimKind::Ltl, body, span });
    };
    claim("below", Formula::Always(Box::new(Formula::atom(0).negated())));
    claim("arrives", Formula::Eventually(Box::new(Formula::atom(0))));
    model
}

#[test]
fn every_search_finds_what_violates_an_invariant() {
    let model = with_claims();
    for guide in GUIDES {
        for reduction in [Choice::Auto, Choice::Named(Reduction::None)] {
            let config = Config { reduction, ..guided(guide, None) };
            let result = run(&model, "below", &config).unwrap();
            assert_eq!((result.verdict, result.guide), (Verdict::Violated, Some(guide)));
            let is_optimal = matches!(guide, Guide::AStar | Guide::IdaStar | Guide::Adfs)
                && reduction == Choice::Named(Reduction::None);
            let n_steps = result.trail.unwrap().steps.len();
            assert!(n_steps == 3 || !is_optimal, "{guide}: {n_steps} steps");
        }
    }
    let towards = guided(Guide::AStar, Some(HeuristicName::FsmDistance));
    assert_eq!(run(&model, "below", &towards).unwrap().verdict, Verdict::Violated);
}

#[test]
fn a_claim_that_no_state_violates_is_refused() {
    let model = with_claims();
    for guide in GUIDES {
        let refused = run(&model, "arrives", &guided(guide, None)).expect_err("it is about runs").to_string();
        assert!(refused.contains("no single state violates it"), "{refused}");
    }
    let unsuited = guided(Guide::AStar, Some(HeuristicName::ActiveProcesses));
    assert!(run(&model, "below", &unsuited).expect_err("it suits deadlocks").to_string().contains("formula"));
}

/// Five steps are enough; without any time it is not longer than before.
#[test]
fn a_given_trail_is_improved() {
    let model = two_counters();
    let reduction = Choice::Named(Reduction::None);
    let depth_first = Config { order: Some(Order::DepthFirst), reduction, ..Config::default() };
    let given = run(&model, "assertions", &depth_first).unwrap().trail.expect("it is violated");
    let improved = |budget| {
        let config = Config { shorten: Some(budget), ..Config::default() };
        let job = Job { cancel: Arc::default(), progress: &mut |_| {} };
        improve(&model, None, given.clone(), &config, &job)
    };
    let short = improved(Duration::from_secs(10));
    assert_eq!((short.steps.len(), short.is_shortest, short.violation), (5, true, given.violation));
    assert!(given.steps.len() > 5, "there is something to improve");
    assert!(improved(Duration::ZERO).steps.len() <= given.steps.len());
}

/// Both processes have to come to their ends, but they can do so one after the other.
#[test]
fn processes_take_turns_as_seldom_as_they_can() {
    let mut model = Fixture::new();
    let (x, y) = (model.global("x", SlotType::Byte), model.global("y", SlotType::Byte));
    for (place, name) in [(&x, "P"), (&y, "Q")] {
        let mut p = model.process(name);
        p.edge(0, 0, "count").guard(compare(place, BinaryOp::Lt, 3)).assign(place, add(place, 1));
        let p = p.finish();
        model.activate(p);
    }
    let model = model.finish();
    let config = Config { shorten: Some(Duration::from_secs(10)), ..Config::default() };
    let trail = run(&model, "deadlock", &config).unwrap().trail.expect("they wait for ever");
    assert_eq!((trail.steps.len(), switches(&trail)), (6, 1));
}

fn switches(trail: &Trail) -> usize {
    trail.steps.windows(2).filter(|pair| pair[0].mover.pid != pair[1].mover.pid).count()
}

/// One process goes round in one step; the other counts to nine and begins again, or rests.
fn counting_round() -> Model {
    let mut model = Fixture::new();
    let y = model.global("y", SlotType::Byte);
    let mut p = model.process("P");
    p.edge(0, 0, "stay");
    let p = p.finish();
    let mut q = model.process("Q");
    q.edge(0, 0, "count").guard(compare(&y, BinaryOp::Lt, 9)).assign(&y, add(&y, 1));
    q.edge(0, 0, "begin again").guard(compare(&y, BinaryOp::Eq, 9)).assign(&y, constant(0));
    q.edge(0, 0, "rest");
    let q = q.finish();
    model.activate(p);
    model.activate(q);
    let mut model = model.finish();
    let propositions = vec![compare(&y, BinaryOp::Eq, 100)];
    let formula = Formula::Eventually(Box::new(Formula::atom(0)));
    let body = ClaimBody::Formula(TemporalClaim { formula, propositions, extends_finite_runs: true });
    let span = model.processes.iter().next().unwrap().span;
    model.claims.push(Claim { name: "arrives".into(), kind: ClaimKind::Ltl, body, span });
    model
}

/// Nothing can be left out of a fair run in which the second process counts; another one is shorter.
#[test]
fn a_fair_run_is_shortened_to_another_fair_run() {
    let model = counting_round();
    let length = |is_fair, shorten| {
        let config = Config { is_fair, shorten, ..Config::default() };
        let result = run(&model, "arrives", &config).unwrap();
        assert_eq!(result.verdict, Verdict::Violated);
        result.trail.unwrap().steps.len()
    };
    let budget = Some(Duration::from_secs(20));
    assert!(length(true, None) > 2);
    assert_eq!((length(true, budget), length(false, budget)), (2, 1));
}

#[test]
fn a_claim_that_is_cancelled_says_so_whatever_was_being_done() {
    let model = with_claims();
    let job = Job { cancel: Arc::new(true.into()), progress: &mut |_| {} };
    let claims = select(&model, &["below".to_owned(), "arrives".to_owned()]).unwrap();
    for result in check(&model, &claims, &Config::default(), job).unwrap() {
        assert_eq!((result.verdict, result.reason.as_deref()), (Verdict::Incomplete, Some("cancelled")));
    }
}
