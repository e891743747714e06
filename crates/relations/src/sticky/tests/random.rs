//! Sticky transitions of random models, by all their states.

use std::ops::ControlFlow;

use hashbrown::HashMap;
use stubborn_base::IndexVec;
use stubborn_ir::fixture::{Fixture, add, compare};
use stubborn_ir::{
    BinaryOp, Effect, Expr, Interpreter, Model, Outcome, Pattern, Place, ProcessTypeId, SlotType, Step,
    TransitionId,
};

use crate::sticky::{Incidence, cheap_ranking, closing_transitions, creates_process, sticky_transitions};

/// Numbers that only look random, the same every time.
struct Lcg(u64);

impl Lcg {
    fn below(&mut self, n: u64) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % n) as usize
    }
}

/// A few processes with few locations that count up and down, set, end and create.
fn random_model(lcg: &mut Lcg) -> Model {
    let types = [SlotType::Bit, SlotType::Unsigned(2), SlotType::Unsigned(3)];
    let ops = [BinaryOp::Lt, BinaryOp::Le, BinaryOp::Gt, BinaryOp::Ge, BinaryOp::Eq, BinaryOp::Ne];
    let mut fixture = Fixture::new();
    let globals: Vec<Place> =
        (0..1 + lcg.below(3)).map(|_| fixture.global("g", types[lcg.below(3)].clone())).collect();
    let chan = fixture.channel("c", 0, &[SlotType::Byte]);
    let n_types = 1 + lcg.below(2);
    for ty in 0..n_types {
        let mut p = fixture.process("P");
        let mut places = globals.clone();
        if lcg.below(2) == 0 {
            places.push(p.local("l", types[lcg.below(3)].clone()));
        }
        let n_locations = 1 + lcg.below(3) as u64;
        for _ in 0..1 + lcg.below(5) {
            let mut edge = p.edge(lcg.below(n_locations) as u16, lcg.below(n_locations) as u16, "step");
            for _ in 0..lcg.below(3) {
                let place = &places[lcg.below(places.len() as u64)];
                let amount = 1 + lcg.below(2) as i32;
                match lcg.below(8) {
                    0 => edge.guard(compare(place, ops[lcg.below(6)], lcg.below(5) as i32)),
                    1 => edge.assign(place, Expr::Const(lcg.below(3) as i32)),
                    2 => edge.assign(place, add(place, 1)),
                    3 => edge.guard(compare(place, BinaryOp::Eq, 0)).assign(place, Expr::Const(1)),
                    4 | 5 => {
                        edge.guard(compare(place, BinaryOp::Ge, amount)).assign(place, add(place, -amount))
                    }
                    _ => {
                        let (_, greatest) = place.slot.bounds();
                        let room = greatest - amount + i32::from(lcg.below(6) == 0);
                        edge.guard(compare(place, BinaryOp::Le, room)).assign(place, add(place, amount))
                    }
                };
            }
            match lcg.below(12) {
                0 => {
                    let few = Expr::binary(BinaryOp::Lt, Expr::NumProcesses, Expr::Const(3));
                    edge.guard(few).run(ProcessTypeId(lcg.below(n_types as u64) as u32), vec![]);
                }
                1 => drop(edge.send(&chan, vec![Expr::Const(0)])),
                2 => drop(edge.receive(&chan, vec![Pattern::Any])),
                3 => drop(edge.receive(&chan, vec![Pattern::Bind(places[0].clone())])),
                4 => drop(edge.atomic()),
                _ => {}
            }
        }
        if lcg.below(4) == 0 {
            p.exit(lcg.below(n_locations) as u16);
        }
        let id = p.finish();
        for _ in 0..1 + lcg.below(2) * usize::from(ty == 0) {
            fixture.activate(id);
        }
    }
    fixture.finish()
}

/// Whether the steps of a part of the state space that are not sticky have a cycle; none
/// where there are too many states.
fn has_cycle_without(model: &Model, sticky: &IndexVec<TransitionId, bool>) -> Option<bool> {
    let mut interpreter = Interpreter::new(model);
    let mut states = vec![interpreter.initial().unwrap()];
    let mut numbers: HashMap<Vec<u8>, usize> = HashMap::from_iter([(shortened(&states[0]), 0)]);
    let mut next_of: Vec<Vec<usize>> = Vec::new();
    while let Some(state) = states.get(next_of.len()).cloned() {
        if states.len() > 3000 {
            return None;
        }
        let mut next = Vec::new();
        interpreter.successors(&state, |edge| {
            if let Outcome::State(to) = edge.outcome {
                let number = *numbers.entry(shortened(to)).or_insert_with(|| {
                    states.push(to.to_vec());
                    states.len() - 1
                });
                let taken = |step: &Step| [Some(step.transition), step.partner.map(|(_, with)| with)];
                if !edge.steps.iter().flat_map(taken).flatten().any(|t| sticky[t]) {
                    next.push(number);
                }
            }
            ControlFlow::Continue(())
        });
        next_of.push(next);
    }
    let mut n_entering = vec![0; states.len()];
    next_of.iter().flatten().for_each(|&to| n_entering[to] += 1);
    let mut free: Vec<usize> = (0..states.len()).filter(|&s| n_entering[s] == 0).collect();
    let mut n_free = 0;
    while let Some(state) = free.pop() {
        n_free += 1;
        for &to in &next_of[state] {
            n_entering[to] -= 1;
            if n_entering[to] == 0 {
                free.push(to);
            }
        }
    }
    Some(n_free < states.len())
}

/// A state is the same with zeros appended.
fn shortened(state: &[u8]) -> Vec<u8> {
    let end = state.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    state[..end].to_vec()
}

/// The definition, by all states; and no more than what closes local cycles.
#[test]
fn every_cycle_of_states_has_a_sticky_transition() {
    let mut lcg = Lcg(1);
    let (mut n_checked, mut n_fewer) = (0, 0);
    for n in 0..4000 {
        let model = random_model(&mut lcg);
        let creates = |ty| {
            model.transitions.iter().any(|t| t.any_effect(|e| matches!(e, Effect::Run(r) if r.process == ty)))
        };
        let singletons: IndexVec<_, _> = model
            .processes
            .indices()
            .map(|ty| model.initial.iter().filter(|a| a.process == ty).count() == 1 && !creates(ty))
            .collect();
        let sticky = sticky_transitions(&model, &singletons);
        let closing = closing_transitions(&model);
        let incidence = Incidence::of(&model, &singletons);
        let mut set: Vec<TransitionId> = model.transitions.indices().collect();
        cheap_ranking(&incidence, &mut set);
        let is_simple = |t: &TransitionId| creates_process(&model.transitions[*t]) || closing[*t];
        let n_simple = set.iter().filter(|t| is_simple(t)).count();
        let n_sticky = sticky.iter().filter(|s| **s).count();
        assert!(n_sticky <= n_simple, "{n}: {n_sticky} > {n_simple}");
        if let Some(has_cycle) = has_cycle_without(&model, &sticky) {
            assert!(!has_cycle, "model {n}: {:#?}", model.transitions);
            n_checked += 1;
            n_fewer += usize::from(n_sticky < n_simple);
        }
    }
    assert!(n_checked > 3000 && n_fewer > 300, "{n_checked} {n_fewer}");
}
