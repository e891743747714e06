//! Which transitions are sticky, on small models.

mod random;

use stubborn_ir::fixture::{Fixture, FixtureProcess, add, compare, transition};
use stubborn_ir::{BinaryOp, Expr, Pattern, Place, SlotType};

use super::*;

/// `do :: x < bound -> x++ od` as one step or two, by `n` processes.
fn is_sticky(bound: Option<i32>, steps: u16, is_local: bool, n: usize) -> bool {
    let mut fixture = Fixture::new();
    let global = fixture.global("x", SlotType::Byte);
    let mut p = fixture.process("P");
    let x = if is_local { p.local("x", SlotType::Byte) } else { global };
    if steps == 2 {
        let mut edge = p.edge(0, 1, "ask");
        if let Some(bound) = bound {
            edge.guard(compare(&x, BinaryOp::Lt, bound));
        }
    }
    let mut edge = p.edge(steps - 1, 0, "x++");
    edge.assign(&x, add(&x, 1));
    if let (1, Some(bound)) = (steps, bound) {
        edge.guard(compare(&x, BinaryOp::Lt, bound));
    }
    let p = p.finish();
    (0..n).for_each(|_| fixture.activate(p));
    let model = fixture.finish();
    let singletons = IndexVec::from_iter([n == 1]);
    sticky_transitions(&model, &singletons)[transition(&model, "x++")]
}

#[test]
fn what_wraps_is_a_cycle() {
    assert!(is_sticky(None, 1, false, 1));
    assert!(is_sticky(Some(256), 1, false, 1));
    assert!(is_sticky(None, 2, true, 1));
    assert!(is_sticky(Some(256), 2, true, 1));
}

#[test]
fn what_only_grows_is_none() {
    assert!(!is_sticky(Some(5), 1, false, 1));
    assert!(!is_sticky(Some(5), 1, false, 2));
    assert!(!is_sticky(Some(255), 1, false, 1));
    assert!(!is_sticky(Some(5), 2, true, 1));
    assert!(!is_sticky(Some(5), 2, true, 2));
    assert!(!is_sticky(Some(5), 2, false, 1));
}

/// Both may ask before either increases it.
#[test]
fn a_bound_that_others_pass_too_is_none() {
    assert!(is_sticky(Some(5), 2, false, 2));
}

/// The texts of sticky transitions, of processes of which there is one each.
fn sticky_texts(model: &Model) -> Vec<&str> {
    let singletons = model.processes.iter().map(|_| true).collect();
    let sticky = sticky_transitions(model, &singletons);
    let texts = sticky.iter_enumerated().filter(|(_, is_sticky)| **is_sticky);
    texts.map(|(t, _)| &*model.transitions[t].origin.text).collect()
}

/// Steps on counters: a text and, for each counter that it changes, by how much. A decrement
/// asks that there is enough, an increment that there is room below 5 if `is_bounded`.
fn counter_steps(p: &mut FixtureProcess<'_>, is_bounded: bool, steps: &[(&str, &[(&Place, i32)])]) {
    for (text, changes) in steps {
        let mut edge = p.edge(0, 0, text);
        for &(place, amount) in *changes {
            if amount < 0 {
                edge.guard(compare(place, BinaryOp::Ge, -amount));
            } else if is_bounded {
                edge.guard(compare(place, BinaryOp::Le, 5 - amount));
            }
            edge.assign(place, add(place, amount));
        }
    }
}

/// A process that has one location, with these steps on the counters p, q and r.
fn net(is_bounded: bool, steps: &[(&str, [i32; 3])]) -> Model {
    let mut fixture = Fixture::new();
    let places = ["p", "q", "r"].map(|name| fixture.global(name, SlotType::Byte));
    let mut net = fixture.process("Net");
    for (text, amounts) in steps {
        let changes: Vec<(&Place, i32)> = places.iter().zip(*amounts).filter(|(_, a)| *a != 0).collect();
        counter_steps(&mut net, is_bounded, &[(text, &changes)]);
    }
    let net = net.finish();
    fixture.activate(net);
    fixture.finish()
}

#[test]
fn up_and_down_needs_one() {
    let steps = [("up", [1, 0, 0]), ("down", [-1, 0, 0])];
    assert_eq!(sticky_texts(&net(true, &steps)).len(), 1);
    // What may wrap is a cycle alone; then the other needs no more.
    assert_eq!(sticky_texts(&net(false, &steps)), ["up"]);
}

#[test]
fn a_producer_and_a_consumer_need_one() {
    let mut fixture = Fixture::new();
    let x = fixture.global("x", SlotType::Byte);
    for (name, amount) in [("produce", 1), ("consume", -1)] {
        let mut p = fixture.process(name);
        counter_steps(&mut p, true, &[(name, &[(&x, amount)])]);
        let p = p.finish();
        fixture.activate(p);
    }
    assert_eq!(sticky_texts(&fixture.finish()).len(), 1);
}

#[test]
fn a_set_meets_all_invariants_of_a_net() {
    let ring = [("pq", [-1, 1, 0]), ("qr", [0, -1, 1]), ("rp", [1, 0, -1])];
    assert_eq!(sticky_texts(&net(true, &ring)).len(), 1);
    // Two rings through q, and one step in both of them.
    let shared = [("pq", [-1, 1, 0]), ("qp", [1, -1, 0]), ("qr", [0, -1, 1]), ("rq", [0, 1, -1])];
    assert_eq!(sticky_texts(&net(true, &shared)).len(), 2);
    let shared = [
        ("rp", [1, 0, -1]),
        ("pq", [-1, 1, 0]),
        ("qr", [0, -1, 1]),
        ("qr'", [0, -1, 1]),
        ("rp'", [1, 0, -1]),
    ];
    assert_eq!(sticky_texts(&net(true, &shared)), ["pq"]);
    // Two of one make one of the other, and back.
    let weights = [("two", [-2, 1, 0]), ("back", [2, -1, 0]), ("lose", [-1, 0, 0])];
    assert_eq!(sticky_texts(&net(true, &weights)).len(), 1);
}

#[test]
fn a_net_without_invariant_needs_none() {
    let steps = [("pq", [-1, 1, 0]), ("qr", [0, -1, 1]), ("r", [0, 0, -1])];
    assert!(sticky_texts(&net(true, &steps)).is_empty());
    // More goes than comes.
    let steps = [("pq", [-2, 1, 0]), ("qp", [1, -1, 0])];
    assert!(sticky_texts(&net(true, &steps)).is_empty());
}

/// Where tokens are not counted beyond a limit, more may come than fit.
#[test]
fn a_net_whose_tokens_may_wrap() {
    let steps = [("pq", [-1, 1, 0]), ("qr", [0, -1, 1]), ("r", [0, 0, -1])];
    // Then pq alone, which wraps q after 256 times, is on no cycle as p shrinks.
    assert!(sticky_texts(&net(false, &steps)).is_empty());
    assert_eq!(sticky_texts(&net(false, &[("p", [1, 0, 0]), ("pq", [-1, 1, 0])])), ["p"]);
    assert_eq!(sticky_texts(&net(false, &[("pq", [-2, 1, 0]), ("qp", [1, -1, 0])])).len(), 1);
}

/// `do :: i = 0; do :: i < 5 -> i++ :: else -> break od od`
#[test]
fn a_loop_that_begins_anew_needs_one() {
    let mut fixture = Fixture::new();
    let mut p = fixture.process("P");
    let i = p.local("i", SlotType::Byte);
    p.edge(0, 1, "i = 0").assign(&i, Expr::Const(0));
    p.edge(1, 1, "i++").guard(compare(&i, BinaryOp::Lt, 5)).assign(&i, add(&i, 1));
    p.edge(1, 0, "else").guard(compare(&i, BinaryOp::Ge, 5));
    let p = p.finish();
    fixture.activate(p);
    fixture.activate(p);
    assert_eq!(sticky_texts(&fixture.finish()), ["else"]);
}

/// A rendezvous changes what the receiver has asked about.
#[test]
fn two_that_meet_may_wrap() {
    let mut fixture = Fixture::new();
    let x = fixture.global("x", SlotType::Byte);
    let c = fixture.channel("c", 0, &[SlotType::Byte]);
    for name in ["send", "receive"] {
        let mut p = fixture.process(name);
        let mut edge = p.edge(0, 0, name);
        edge.guard(compare(&x, BinaryOp::Le, 254)).assign(&x, add(&x, 1));
        match name {
            "send" => edge.send(&c, vec![Expr::Const(1)]),
            _ => edge.receive(&c, vec![Pattern::Any]),
        };
        let p = p.finish();
        fixture.activate(p);
    }
    assert_eq!(sticky_texts(&fixture.finish()).len(), 2);
}
