//! Trails that replay are explained; forged ones are refused, each for its reason.

use stubborn_ir::fixture::{Fixture, add, compare, constant, load, transition};
use stubborn_ir::{
    BinaryOp, Change, Effect, Expr, Model, Move, Pattern, RuntimeError, RuntimeErrorKind, SlotType, Value,
    Violation,
};
use stubborn_trail::{ReplayError, replay};

/// Two senders and a receiver; the receiver asserts, then divides by what it got.
fn model() -> Model {
    let mut model = Fixture::new();
    let c = model.channel("c", 0, &[SlotType::Byte]);
    let sum = model.global("sum", SlotType::Byte);
    let mut sender = model.process("Sender");
    let n = sender.local("n", SlotType::Byte);
    sender.edge(0, 1, "n = 4").assign(&n, constant(4)).atomic();
    sender.edge(1, 2, "c!n").send(&c, vec![load(&n)]).atomic();
    sender.edge(2, 3, "sum++").assign(&sum, add(&sum, 1));
    let sender = sender.finish();
    let mut receiver = model.process("Receiver");
    let x = receiver.local("x", SlotType::Byte);
    receiver.edge(0, 1, "c?x").receive(&c, vec![Pattern::Bind(x.clone())]);
    receiver.edge(1, 2, "assert(x == 0)").effect(Effect::Assert(compare(&x, BinaryOp::Eq, 0)));
    receiver.edge(2, 3, "x = x / sum").assign(&x, Expr::binary(BinaryOp::Div, load(&x), load(&sum)));
    let receiver = receiver.finish();
    model.activate(sender);
    model.activate(receiver);
    model.activate(sender);
    model.finish()
}

fn alone(model: &Model, pid: u16, text: &str) -> Move {
    Move { pid, transition: transition(model, text), partner: None }
}

fn rendezvous(model: &Model, sender: u16) -> Move {
    Move { partner: Some((1, transition(model, "c?x"))), ..alone(model, sender, "c!n") }
}

fn number(name: &str, from: i32, to: i32) -> Change {
    Change { name: name.into(), from: Value::Number(from), to: Value::Number(to), is_token: false }
}

fn failed_assertion(model: &Model) -> Violation {
    Violation::FailedAssertion(transition(model, "assert(x == 0)"))
}

#[test]
fn a_trail_says_who_did_what() {
    let model = model();
    let moves = [alone(&model, 2, "n = 4"), rendezvous(&model, 2), alone(&model, 1, "assert(x == 0)")];
    let trail = replay(&model, &moves, failed_assertion(&model)).unwrap();
    assert_eq!((trail.prefix, trail.cycle), (3, 0));
    let [first, second, third] = &trail.steps[..] else { panic!() };
    assert_eq!((&*first.mover.process, first.mover.pid, &*first.mover.text), ("Sender", 2, "n = 4"));
    assert_eq!(first.changes, [number("Sender(2):n", 0, 4)]);
    assert_eq!((second.mover.pid, &*second.mover.text), (2, "c!n"));
    let partner = second.partner.as_ref().unwrap();
    assert_eq!((&*partner.process, partner.pid, &*partner.text), ("Receiver", 1, "c?x"));
    assert_eq!(second.changes, [number("Receiver(1):x", 0, 4)]);
    assert_eq!(third.changes, []);
    assert_eq!(trail.waiting.len(), 3);
}

#[test]
fn an_error_is_the_last_step() {
    let model = model();
    let mut moves = vec![
        alone(&model, 0, "n = 4"),
        rendezvous(&model, 0),
        alone(&model, 1, "assert(x == 0)"),
        alone(&model, 1, "x = x / sum"),
    ];
    let error = RuntimeError { kind: RuntimeErrorKind::DivisionByZero, transition: moves[3].transition };
    let trail = replay(&model, &moves, Violation::Error(error)).unwrap();
    assert_eq!(trail.steps[3].changes, []);
    let refused = replay(&model, &moves, Violation::InvalidEnd).unwrap_err();
    assert_eq!(refused, ReplayError::Fails { step: 3, kind: error.kind });
    let other = RuntimeError { kind: RuntimeErrorKind::DivisionOverflow, ..error };
    assert!(replay(&model, &moves, Violation::Error(other)).is_err());
    moves.push(alone(&model, 0, "sum++"));
    let refused = replay(&model, &moves, Violation::Error(error)).unwrap_err();
    assert_eq!(refused, ReplayError::Fails { step: 3, kind: error.kind });
}

#[test]
fn a_deadlock_is_shown_with_who_waits_where() {
    let model = model();
    let moves = [
        alone(&model, 0, "n = 4"),
        rendezvous(&model, 0),
        alone(&model, 0, "sum++"),
        alone(&model, 1, "assert(x == 0)"),
        alone(&model, 1, "x = x / sum"),
        alone(&model, 2, "n = 4"),
    ];
    let trail = replay(&model, &moves, Violation::InvalidEnd).unwrap();
    let waiting: Vec<_> = trail.waiting.iter().map(|w| (&*w.process, w.pid, w.is_end)).collect();
    assert_eq!(waiting, [("Sender", 0, false), ("Receiver", 1, false), ("Sender", 2, false)]);
    let refused = replay(&model, &moves[..5], Violation::InvalidEnd).unwrap_err();
    assert_eq!(refused, ReplayError::NoViolation { claimed: Violation::InvalidEnd });
}

#[test]
fn forged_moves_are_refused() {
    let model = model();
    let check = |moves: &[Move], step: usize| {
        let refused = replay(&model, moves, failed_assertion(&model)).unwrap_err();
        assert_eq!(refused, ReplayError::NotEnabled { step, made: moves[step] });
    };
    let start = alone(&model, 0, "n = 4");
    check(&[rendezvous(&model, 0)], 0); // not there yet
    check(&[start, alone(&model, 0, "c!n")], 1); // a rendezvous alone
    check(&[start, start], 1); // twice
    check(&[alone(&model, 1, "n = 4")], 0); // of another process type
    check(&[alone(&model, 7, "n = 4")], 0); // of no process
    check(&[start, rendezvous(&model, 2)], 1); // with the wrong sender
    check(&[start, alone(&model, 2, "n = 4")], 1); // while process 0 alone may move
}

#[test]
fn claims_are_checked_at_the_last_step() {
    let model = model();
    let moves = [
        alone(&model, 2, "n = 4"),
        rendezvous(&model, 2),
        alone(&model, 1, "assert(x == 0)"),
        alone(&model, 2, "sum++"),
    ];
    let refused = replay(&model, &moves, failed_assertion(&model)).unwrap_err();
    assert_eq!(refused, ReplayError::NoViolation { claimed: failed_assertion(&model) });
    assert!(replay(&model, &moves[..3], Violation::FailedAssertion(moves[3].transition)).is_err());
    assert!(replay(&model, &[], failed_assertion(&model)).is_err());
}

#[test]
fn no_initial_state() {
    let mut fixture = Fixture::new();
    let x = fixture.global("x", SlotType::Byte);
    let quotient = Expr::binary(BinaryOp::Div, constant(1), load(&x));
    fixture.model().global_init.push((x, quotient));
    let broken = fixture.finish();
    let claimed = Violation::NoInitialState(RuntimeErrorKind::DivisionByZero);
    assert_eq!(replay(&broken, &[], claimed).unwrap().steps, []);
    assert!(replay(&model(), &[], claimed).is_err());
}
