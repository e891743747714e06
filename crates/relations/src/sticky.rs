//! Sticky transitions: at least one on every cycle of the state space.
//!
//! Kurshan, Levin, Minea, Peled and Yenigün, "Static Partial Order Reduction", as used
//! in C3_static of Edelkamp, Leue and Lluch Lafuente: a cycle of the state space takes
//! each process that moves round a cycle of its control flow, or creates it anew. So a
//! set of transitions that meets every local cycle will do, with all that create
//! processes. A transition that changes a variable which only ever grows, and never
//! wraps, is on no cycle: `byte x; do :: x++ od` *is* one, `do :: x < 5 -> x++ od`
//! is not. The bound may be asked for by the statement itself, or by all that lead to it
//! while nobody else can change the variable.

use hashbrown::HashSet;
use stubborn_base::IndexVec;
use stubborn_ir::{BinaryOp, Effect, Expr, Model, Place, ProcessTypeId, Region, Transition, TransitionId};

use crate::constants::{each_slot, written_places};

/// By transition: whether it is sticky. More is safe.
/// `singletons` says of which types there is exactly one process, from the start to its end.
pub(crate) fn sticky_transitions(
    model: &Model,
    singletons: &IndexVec<ProcessTypeId, bool>,
) -> IndexVec<TransitionId, bool> {
    let growing = growing_slots(model, singletons);
    let never_on_cycle = |t: &Transition| {
        let mut grows = false;
        written_places(t, &mut |place| {
            grows |= place.indices.is_empty() && growing.contains(&key(t.process, place));
        });
        grows
    };
    let mut sticky: IndexVec<TransitionId, bool> = IndexVec::new();
    for t in model.transitions.iter() {
        sticky.push(creates_process(&t.effects));
    }
    for (id, ty) in model.processes.iter_enumerated() {
        let _ = id;
        // Depth-first over locations; a transition back to one on the way closes a cycle.
        let n = ty.locations.len();
        let mut state = vec![0u8; n];
        for root in 0..n {
            if state[root] != 0 {
                continue;
            }
            let mut stack: Vec<(usize, u32)> = vec![(root, ty.locations[root].transitions.start)];
            state[root] = 1;
            while let Some((location, next)) = stack.last_mut() {
                if *next == ty.locations[*location].transitions.end {
                    state[*location] = 2;
                    stack.pop();
                    continue;
                }
                let transition = TransitionId(*next);
                *next += 1;
                let t = &model.transitions[transition];
                let Some(to) = t.to.map(|to| to.0 as usize) else { continue };
                if never_on_cycle(t) {
                    // Still lead on: what comes after may have cycles of its own.
                    if state[to] == 0 {
                        state[to] = 1;
                        stack.push((to, ty.locations[to].transitions.start));
                    }
                    continue;
                }
                match state[to] {
                    0 => {
                        state[to] = 1;
                        stack.push((to, ty.locations[to].transitions.start));
                    }
                    1 => sticky[transition] = true,
                    _ => {}
                }
            }
        }
    }
    sticky
}

/// A slot, told by its type if it is local.
type Key = (Option<ProcessTypeId>, u32);

fn key(process: ProcessTypeId, place: &Place) -> Key {
    match place.region {
        Region::Global => (None, place.slot.offset),
        Region::Local => (Some(process), place.slot.offset),
    }
}

/// Slots that are only ever increased, below a bound that keeps them from wrapping.
fn growing_slots(model: &Model, singletons: &IndexVec<ProcessTypeId, bool>) -> HashSet<Key> {
    let mut growing = HashSet::new();
    // Globals whose bound is asked for a step before: by which type they are increased.
    let mut relied_on: Vec<(Key, ProcessTypeId)> = Vec::new();
    let mut increased: Vec<(Key, ProcessTypeId)> = Vec::new();
    let mut refuted = HashSet::new();
    for t in model.transitions.iter() {
        // What is written other than by the one guarded increment is refuted.
        let guarded = guarded_increment(model, t);
        if let Some((place, bound)) = &guarded {
            growing.insert(key(t.process, place));
            if place.region == Region::Global {
                increased.push((key(t.process, place), t.process));
                if *bound == Bound::Before {
                    relied_on.push((key(t.process, place), t.process));
                }
            }
        }
        let mut n_writes = 0;
        written_places(t, &mut |place| {
            n_writes += 1;
            let own = guarded.as_ref().is_some_and(|(p, _)| *p == place);
            if !own {
                each_slot(place, |slot| {
                    refuted.insert(key(t.process, &Place::simple(place.region, slot)));
                });
            }
        });
        if n_writes > 1
            && let Some((place, _)) = &guarded
            && t.effects.len() != 1
        {
            refuted.insert(key(t.process, place));
        }
    }
    // Between the question and the increment only the process itself may increase it.
    for (key, process) in relied_on {
        if !singletons[process] || increased.iter().any(|(other, by)| *other == key && *by != process) {
            refuted.insert(key);
        }
    }
    growing.retain(|key| !refuted.contains(key));
    growing
}

/// `x < bound -> x = x + step`, by one effect alone, with no room to wrap. A local starts
/// anew with its process, which takes a sticky transition.
fn guarded_increment<'m>(model: &'m Model, t: &'m Transition) -> Option<(&'m Place, Bound)> {
    let [Effect::Assign(place, value)] = &*t.effects else { return None };
    if !place.indices.is_empty() || t.comm.is_some() {
        return None;
    }
    let Expr::Binary(BinaryOp::Add, operands) = value else { return None };
    let (Expr::Load(own), Some(step)) = (&operands[0], operands[1].as_const()) else { return None };
    if own != place || step <= 0 {
        return None;
    }
    if has_bound(model, t, place, step) {
        return Some((place, Bound::Here));
    }
    let process = &model.processes[t.process];
    let leads_here = |other: &&Transition| other.process == t.process && other.to == Some(t.from);
    let asks = |other: &Transition| {
        let mut writes = false;
        written_places(other, &mut |written| {
            each_slot(written, |slot| {
                writes |= written.region == place.region && slot.offset == place.slot.offset;
            });
        });
        !writes && has_bound(model, other, place, step)
    };
    let all_ask = process.start != t.from && model.transitions.iter().filter(leads_here).all(asks);
    all_ask.then_some((place, Bound::Before))
}

/// Where it is asked that there is room to grow.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bound {
    /// By the statement itself.
    Here,
    /// By every statement that leads to it.
    Before,
}

/// Whether a transition asks that `place` has room for `step` more.
fn has_bound(model: &Model, t: &Transition, place: &Place, step: i32) -> bool {
    t.guards.iter().any(|&guard| {
        let Expr::Binary(op, operands) = &model.guards[guard] else { return false };
        let (Expr::Load(own), Some(bound)) = (&operands[0], operands[1].as_const()) else { return false };
        let greatest = match op {
            BinaryOp::Lt => bound.checked_sub(1),
            BinaryOp::Le | BinaryOp::Eq => Some(bound),
            _ => None,
        };
        let after = greatest.and_then(|greatest| greatest.checked_add(step));
        own == place && after.is_some_and(|after| place.slot.wrap(after) == after)
    })
}

pub(crate) fn creates_process(effects: &[Effect]) -> bool {
    effects.iter().any(|effect| match effect {
        Effect::Run(_) => true,
        Effect::DStep(dstep) => dstep.nodes.iter().flatten().any(|a| creates_process(&a.effects)),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use stubborn_ir::SlotType;
    use stubborn_ir::fixture::{Fixture, add, compare, transition};

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
}
