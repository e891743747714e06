//! H_f: how far it is to a state in which a formula holds, for assertions and invariants.
//!
//! Edelkamp, Leue and Lluch Lafuente, section 2.5: a conjunction is as far as the farther of its parts, a
//! disjunction as the nearer one, an empty channel as far as there are messages, a location as far as the process
//! is from it; anything else one step, unless it holds. An assertion fails where a process is at it and the
//! negation of what it says holds; an invariant where the claim that watches it comes to its end.

use stubborn_base::IndexVec;
use stubborn_ir::{
    BinaryOp, ChanTest, ClaimAutomaton, Effect, Expr, InstanceId, Interpreter, Literal, LocationId, Model,
    Pid, ProcessTypeId, RuntimeErrorKind, UnaryOp,
};
use stubborn_relations::Control;

use crate::directed::{Goal, Heuristic};

/// Longer than any way there is.
const NEVER: u32 = u32::MAX / 4;

/// H_f for the assertions of a model. Not admissible: a run-time error counts as a failed assertion, and may be
/// anywhere.
#[derive(Debug)]
pub struct Assertions<'m> {
    distances: Distances,
    /// By type: where assertions are, and what they say; none inside a `d_step`, which comes to it on its own.
    places: IndexVec<ProcessTypeId, Vec<(LocationId, Option<&'m Expr>)>>,
    /// Processes may still come.
    may_come: bool,
}

impl<'m> Assertions<'m> {
    /// In that model.
    pub fn of(model: &'m Model) -> Self {
        let mut places: IndexVec<_, Vec<_>> = model.processes.iter().map(|_| Vec::new()).collect();
        let mut may_come = false;
        for t in model.transitions.iter() {
            let mut said = t.effects.iter().filter_map(|effect| match effect {
                Effect::Assert(said) => Some(said),
                _ => None,
            });
            match said.next() {
                Some(said) => places[t.process].push((t.from, Some(said))),
                None if t.any_effect(|effect| matches!(effect, Effect::Assert(_))) => {
                    places[t.process].push((t.from, None));
                }
                None => {}
            }
            may_come |= t.any_effect(|effect| matches!(effect, Effect::Run(_)));
        }
        Assertions { distances: Distances(Control::of(model)), places, may_come }
    }
}

/// How far processes are from locations.
#[derive(Debug)]
struct Distances(IndexVec<ProcessTypeId, Control>);

impl Distances {
    /// How far a state is from one in which what a process says holds, or does not.
    fn towards(&self, at: At<'_, '_>, said: &Expr, wanted: bool) -> u32 {
        let all = |parts: &[Expr; 2], wanted| {
            let [left, right] = [0, 1].map(|i| self.towards(at, &parts[i], wanted));
            left.max(right)
        };
        let any = |parts: &[Expr; 2], wanted| {
            let [left, right] = [0, 1].map(|i| self.towards(at, &parts[i], wanted));
            left.min(right)
        };
        match said {
            Expr::Unary(UnaryOp::Not, inner) => self.towards(at, inner, !wanted),
            Expr::Binary(BinaryOp::And, parts) if wanted => all(parts, wanted),
            Expr::Binary(BinaryOp::And, parts) => any(parts, wanted),
            Expr::Binary(BinaryOp::Or, parts) if wanted => any(parts, wanted),
            Expr::Binary(BinaryOp::Or, parts) => all(parts, wanted),
            Expr::Const(value) => {
                if (*value != 0) == wanted {
                    0
                } else {
                    NEVER
                }
            }
            Expr::Chan(ChanTest::Empty, chan) if wanted => at.len(chan),
            Expr::Chan(ChanTest::NotEmpty, chan) if !wanted => at.len(chan),
            Expr::At(remote, location) if wanted => self.nearest(at, remote.process, *location),
            _ => match at.value(said) {
                Ok(value) => u32::from((value != 0) != wanted),
                Err(_) => 0,
            },
        }
    }

    /// How far the nearest process of a type is from a location.
    fn nearest(&self, at: At<'_, '_>, process: ProcessTypeId, location: LocationId) -> u32 {
        let of_type = processes(at.interpreter, at.state).filter(|&(_, ty, _)| ty == process);
        let distances = self.0[process].distances();
        of_type.filter_map(|(_, _, here)| distances.between(here, location)).min().unwrap_or(NEVER)
    }
}

/// A state, as a process sees it, or nobody.
#[derive(Clone, Copy)]
struct At<'a, 'm> {
    interpreter: &'a Interpreter<'m>,
    state: &'a [u8],
    process: Option<InstanceId>,
}

impl At<'_, '_> {
    /// How many messages there are in a channel.
    fn len(&self, chan: &Expr) -> u32 {
        let len = Expr::Chan(ChanTest::Len, Box::new(chan.clone()));
        self.value(&len).map_or(0, |len| len as u32)
    }

    fn value(&self, expr: &Expr) -> Result<i32, RuntimeErrorKind> {
        match self.process {
            Some(process) => self.interpreter.eval(self.state, process, expr),
            None => self.interpreter.value_to_nobody(self.state, expr),
        }
    }
}

impl Heuristic for Assertions<'_> {
    fn estimate(&self, interpreter: &Interpreter<'_>, state: &[u8]) -> u32 {
        let mut least = if self.may_come { 2 } else { NEVER };
        for (process, ty, here) in processes(interpreter, state) {
            let at = At { interpreter, state, process: Some(process) };
            for &(place, said) in &self.places[ty] {
                let Some(distance) = self.distances.0[ty].distances().between(here, place) else { continue };
                let left = said.map_or(0, |said| self.distances.towards(at, said, false));
                least = least.min(distance.max(left).saturating_add(1));
            }
        }
        least.min(NEVER)
    }

    fn is_admissible(&self, _: &Goal<'_>) -> bool {
        false
    }
}

/// H_f for an invariant, told by what a claim's automaton waits for in its first state: the literals of one of the
/// edges that lead to its end. Not admissible: a step may make several literals true.
#[derive(Debug)]
pub struct Invariant<'a> {
    distances: Distances,
    automaton: &'a ClaimAutomaton,
}

impl<'a> Invariant<'a> {
    /// That the automaton never comes to its end.
    pub fn of(model: &Model, automaton: &'a ClaimAutomaton) -> Self {
        Invariant { distances: Distances(Control::of(model)), automaton }
    }
}

impl Heuristic for Invariant<'_> {
    fn estimate(&self, interpreter: &Interpreter<'_>, state: &[u8]) -> u32 {
        let ClaimAutomaton { initial, states, propositions } = self.automaton;
        let at = At { interpreter, state, process: None };
        let left = |literal: &Literal| {
            self.distances.towards(at, &propositions[literal.proposition as usize], literal.holds)
        };
        let edges = states[*initial as usize].edges.iter();
        let to_the_end = edges.filter(|edge| states[edge.target as usize].is_final);
        let farthest = to_the_end.map(|edge| edge.literals.iter().map(left).max().unwrap_or(0));
        farthest.min().unwrap_or(NEVER)
    }

    fn is_admissible(&self, _: &Goal<'_>) -> bool {
        false
    }
}

/// The processes of a state, with their types and where they are.
fn processes(
    interpreter: &Interpreter<'_>,
    state: &[u8],
) -> impl Iterator<Item = (InstanceId, ProcessTypeId, LocationId)> {
    let n_processes = Model::num_processes_slot().read(state) as Pid;
    (0..n_processes).filter_map(move |pid| {
        let layout = interpreter.layout();
        let id = layout.alive(state, pid)?;
        let instance = layout.instance(id);
        Some((id, instance.process, LocationId((instance.location.read(state) - 1) as u16)))
    })
}
