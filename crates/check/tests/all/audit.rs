//! The auditor finds nothing wrong with what is sound, and finds what is left out on purpose.

use std::sync::Arc;

use stubborn_check::audit::{AuditConfig, Combination, audit, audit_search};
use stubborn_check::{Bounds, Condition, Order, Plan, Proviso, Purpose, Reduction, Tally};
use stubborn_ir::fixture::{Fixture, add, compare, constant, load};
use stubborn_ir::{
    BinaryOp, Expr, InstanceId, Interpreter, Model, Pattern, Place, Prepared, SlotType, TransitionId,
};
use stubborn_reduce::Visibility;
use stubborn_reduce::audit::{Auditor, Declarations, Declare};
use stubborn_relations::Fault;
use stubborn_relations::statement::Statement;
use stubborn_search::Limits;

/// What one search with a fault is found guilty of.
fn guilty(model: &Model, plan: Plan, order: Order, purpose: Purpose) -> Vec<Condition> {
    let mut auditor = Auditor::new(model, Bounds::default()).unwrap();
    let combination = Combination { plan, order, purpose, proposition: None };
    let audited = audit_search(&mut auditor, model, combination, &Limits::memory(1 << 24)).unwrap();
    assert!(audited.tallies.iter().all(|tally| tally.incomplete.is_none()), "{:?}", audited.tallies);
    violated(&audited.tallies)
}

fn violated(tallies: &[Tally]) -> Vec<Condition> {
    tallies.iter().filter(|tally| tally.n_violations > 0).map(|tally| tally.condition).collect()
}

fn faulty(proviso: Proviso, fault: Option<Fault>) -> Plan {
    Plan { fault, ..Plan::new("stubborn:closure".parse().unwrap(), proviso) }
}

/// Two processes that exchange messages over a buffer and a rendezvous, and one that loops.
fn busy() -> Model {
    let mut model = Fixture::new();
    let x = model.global("x", SlotType::Byte);
    let buffer = model.channel("buffer", 2, &[SlotType::Byte]);
    let meeting = model.channel("meeting", 0, &[SlotType::Bit]);
    let mut p = model.process("P");
    p.edge(0, 1, "buffer!1").send(&buffer, vec![constant(1)]);
    p.edge(1, 2, "buffer!2").send(&buffer, vec![constant(2)]);
    p.edge(2, 3, "meeting!1").send(&meeting, vec![constant(1)]);
    p.edge(3, 4, "x++").assign(&x, add(&x, 1));
    p.exit(4);
    let p = p.finish();
    let mut q = model.process("Q");
    let y = q.local("y", SlotType::Byte);
    q.edge(0, 0, "buffer?y").receive(&buffer, vec![Pattern::Bind(y.clone())]);
    q.edge(0, 1, "meeting?1").receive(&meeting, vec![Pattern::Match(constant(1))]);
    q.edge(1, 2, "x = y").assign(&x, load(&y));
    q.exit(2);
    let q = q.finish();
    let mut r = model.process("R");
    let i = r.local("i", SlotType::Bit);
    r.edge(0, 0, "i++").assign(&i, add(&i, 1));
    r.edge(0, 1, "x > 1").guard(compare(&x, BinaryOp::Gt, 1));
    r.exit(1);
    let r = r.finish();
    model.activate(p);
    model.activate(q);
    model.activate(r);
    model.finish()
}

#[test]
fn what_is_sound_is_clean() {
    let report = audit(&busy(), &AuditConfig::default(), &Arc::default()).unwrap();
    let wrong: Vec<&Tally> = report.tallies().filter(|tally| !tally.is_clean()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(report.tallies().all(|tally| tally.n_checked > 0));
    assert!(report.audited.len() > 20);
}

#[test]
fn a_limit_is_told_and_nothing_is_called_clean() {
    let bounds = Bounds { states: 5, ..Bounds::default() };
    let config = AuditConfig { bounds, ..AuditConfig::default() };
    let report = audit(&busy(), &config, &Arc::default()).unwrap();
    assert!(report.is_incomplete());
    assert!(report.tallies().all(|tally| !tally.is_clean()));
}

#[test]
fn nothing_legal_is_refused_with_the_reason() {
    let (reduction, order) = (Some(Reduction::Sleep), Some(Order::BreadthFirst));
    let config = AuditConfig { reduction, order, ..AuditConfig::default() };
    let error = audit(&busy(), &config, &Arc::default()).unwrap_err().to_string();
    assert!(error.contains("depth-first"), "{error}");
}

/// `x = 1` and `y = x`.
fn racing() -> Model {
    let mut model = Fixture::new();
    let x = model.global("x", SlotType::Byte);
    let y = model.global("y", SlotType::Byte);
    let mut p = model.process("P");
    p.edge(0, 1, "x = 1").assign(&x, constant(1));
    let p = p.finish();
    let mut q = model.process("Q");
    q.edge(0, 1, "y = x").assign(&y, load(&x));
    let q = q.finish();
    model.activate(p);
    model.activate(q);
    model.finish()
}

#[test]
fn a_forgotten_conflict_breaks_d1() {
    let check =
        |fault| guilty(&racing(), faulty(Proviso::None, fault), Order::DepthFirst, Purpose::Deadlocks);
    assert_eq!(check(Some(Fault::DropConflict)), [Condition::D1]);
    assert_eq!(check(None), []);
}

#[test]
fn a_forgotten_enabler_breaks_d1() {
    let mut model = Fixture::new();
    let x = model.global("x", SlotType::Byte);
    let y = model.global("y", SlotType::Byte);
    let mut p = model.process("P");
    p.edge(0, 1, "x = 1").assign(&x, constant(1));
    let p = p.finish();
    let mut q = model.process("Q");
    q.edge(0, 1, "x == 1; y = 1").guard(compare(&x, BinaryOp::Eq, 1)).assign(&y, constant(1));
    let q = q.finish();
    let mut r = model.process("R");
    r.edge(0, 1, "y = 2").assign(&y, constant(2));
    let r = r.finish();
    for process in [p, q, r] {
        model.activate(process);
    }
    let model = model.finish();
    let check = |fault| guilty(&model, faulty(Proviso::None, fault), Order::DepthFirst, Purpose::Deadlocks);
    assert_eq!(check(Some(Fault::DropEnabling)), [Condition::D1]);
    assert_eq!(check(None), []);
}

/// A process that loops, and can leave its loop, beside `x = 1`.
fn looping() -> Model {
    let mut model = Fixture::new();
    let x = model.global("x", SlotType::Byte);
    let mut p = model.process("P");
    p.edge(0, 1, "x = 1").assign(&x, constant(1));
    let p = p.finish();
    let mut q = model.process("Q");
    q.edge(0, 0, "skip");
    q.edge(0, 1, "break");
    q.edge(1, 1, "skip again");
    let q = q.finish();
    model.activate(p);
    model.activate(q);
    model.finish()
}

#[test]
fn a_dropped_proviso_puts_steps_off() {
    for (proviso, order) in [
        (Proviso::Stack, Order::DepthFirst),
        (Proviso::SafeFlags, Order::DepthFirst),
        (Proviso::Scc, Order::DepthFirst),
        (Proviso::Queue, Order::BreadthFirst),
        (Proviso::Duplicate, Order::BreadthFirst),
    ] {
        let check = |fault| guilty(&looping(), faulty(proviso, fault), order, Purpose::Safety);
        assert_eq!(check(Some(Fault::DropProviso)), [Condition::SafetyProviso], "{proviso}");
        assert_eq!(check(None), [], "{proviso}");
    }
}

#[test]
fn a_proviso_for_safety_is_none_for_liveness() {
    for (proviso, order) in [
        (Proviso::LiveStack, Order::DepthFirst),
        (Proviso::Colour, Order::DepthFirst),
        (Proviso::ColourStar, Order::DepthFirst),
        (Proviso::ColourReach, Order::DepthFirst),
        (Proviso::LiveQueue, Order::BreadthFirst),
    ] {
        let check = |fault| guilty(&looping(), faulty(proviso, fault), order, Purpose::Liveness);
        assert_eq!(check(Some(Fault::SafetyForLiveness)), [Condition::LivenessProviso], "{proviso}");
        assert_eq!(check(Some(Fault::DropProviso)), [Condition::LivenessProviso], "{proviso}");
        assert_eq!(check(None), [], "{proviso}");
    }
}

/// `x = 1` beside `y = 1`.
fn two_writers() -> (Model, Place, Place) {
    let mut model = Fixture::new();
    let x = model.global("x", SlotType::Byte);
    let y = model.global("y", SlotType::Byte);
    let mut p = model.process("P");
    p.edge(0, 1, "x = 1").assign(&x, constant(1));
    let p = p.finish();
    let mut q = model.process("Q");
    q.edge(0, 1, "y = 1").assign(&y, constant(1));
    let q = q.finish();
    model.activate(p);
    model.activate(q);
    (model.finish(), x, y)
}

#[test]
fn forgotten_invisibility_breaks_i() {
    let (model, _, y) = two_writers();
    let check = |fault| {
        let mut plan = Plan { visibility: Visibility::VAndI, ..faulty(Proviso::LiveStack, fault) };
        plan.propositions = vec![compare(&y, BinaryOp::Eq, 0)];
        guilty(&model, plan, Order::DepthFirst, Purpose::Liveness)
    };
    assert_eq!(check(Some(Fault::DropInvisibility)), [Condition::I]);
    assert_eq!(check(None), []);
}

#[test]
fn forgotten_visibility_breaks_v() {
    let (model, x, y) = two_writers();
    let check = |fault| {
        let mut plan = faulty(Proviso::Stack, fault);
        plan.propositions = vec![Expr::binary(BinaryOp::Eq, load(&x), load(&y))];
        guilty(&model, plan, Order::DepthFirst, Purpose::Safety)
    };
    assert_eq!(check(Some(Fault::DropVisibility)), [Condition::V]);
    assert_eq!(check(None), []);
}

/// Declarations with something left out.
struct Tampered<'m, F> {
    honest: Declarations<'m>,
    tamper: F,
}

impl<F: Fn(TransitionId, &mut Statement)> Declare for Tampered<'_, F> {
    fn observe(&mut self, interpreter: &Interpreter<'_>, state: &[u8], prepared: Prepared) -> bool {
        self.honest.observe(interpreter, state, prepared)
    }

    fn statement(&self, process: InstanceId, transition: TransitionId) -> Statement {
        let mut statement = self.honest.statement(process, transition);
        (self.tamper)(transition, &mut statement);
        statement
    }
}

fn declared(
    model: &Model,
    fault: Option<Fault>,
    tamper: impl Fn(TransitionId, &mut Statement),
) -> Vec<Condition> {
    let mut auditor = Auditor::new(model, Bounds::default()).unwrap();
    let initial = Interpreter::new(model).initial().unwrap();
    let mut declare = Tampered { honest: Declarations::new(model, &initial, fault), tamper };
    let tallies = auditor.check_declarations(&mut declare, 7);
    assert!(tallies.iter().all(|tally| tally.incomplete.is_none() && tally.n_checked > 0));
    violated(&tallies)
}

#[test]
fn wrong_declarations_are_found() {
    let model = racing();
    let x = model.globals[0].slot.offset;
    assert_eq!(declared(&model, None, |_, _| {}), []);
    let no_writes = |_: TransitionId, s: &mut Statement| {
        s.accesses.retain(|(cell, access)| *cell != x || !access.writes());
    };
    // What is not declared as written may also not be different.
    assert_eq!(declared(&model, None, no_writes), [Condition::Writes, Condition::Reads]);
    let no_reads = |_: TransitionId, s: &mut Statement| {
        s.accesses.retain(|(cell, access)| *cell != x || access.writes());
    };
    assert_eq!(declared(&model, None, no_reads), [Condition::Reads]);
}

#[test]
fn a_forgotten_test_is_found() {
    let model = busy();
    let no_tests = |_: TransitionId, s: &mut Statement| s.tests.clear();
    assert_eq!(declared(&model, None, |_, _| {}), []);
    assert_eq!(declared(&model, None, no_tests), [Condition::Reads]);
}
