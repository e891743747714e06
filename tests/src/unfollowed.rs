//! A model beside what a search for deadlocks and failures leaves of it: the same steps, step by step.
//!
//! Both are walked at once, by the reference semantics: two states that the same steps lead to have the same steps in the same
//! order, which fail alike, and end alike. (That is bisimulation, word by word.) Atomic runs are taken apart for that, since
//! how often one goes round is what may differ; with them, deadlocks, failed assertions and errors are the same.

use std::collections::HashSet;
use std::ops::{AddAssign, ControlFlow};
use std::path::Path;

use stubborn_ir::{
    Edge, Effect, Expr, FailedAssertion, Interpreter, Model, Outcome, Place, Region, RuntimeError, Step,
    Unread,
};
use stubborn_promela::load;
use stubborn_reduce::{Plan, Proviso, Reduction, Stubborn, obstacle};
use stubborn_search::{Ignore, Limits, Order, search};

use crate::graph::{Graph, trimmed};
use crate::reductions::{MAX_STATES, NoFiles};

/// How much was compared.
#[derive(Clone, Copy, Default, Debug)]
pub struct Tally {
    /// Models, of which nothing or something may be left out.
    pub models: u64,
    /// Those of which something is.
    pub shorter: u64,
    /// Pairs of states.
    pub pairs: u64,
    /// States of those of which something is left out.
    pub states: u64,
    /// What is left of them.
    pub left: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.models += other.models;
        self.shorter += other.shorter;
        self.pairs += other.pairs;
        self.states += other.states;
        self.left += other.left;
    }
}

/// What the tests must notice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// A value that is read is left out, too.
    LeaveOutRead,
    /// A local is forgotten at the end of a transition though it is read later.
    ForgetLive,
}

/// Compares; an error says how they differ. A model that is too large counts for nothing.
pub fn compare(text: &str, fault: Option<Fault>) -> Result<Tally, String> {
    let loaded = load(Path::new("model.pml"), text.into(), &NoFiles, &[]);
    let Some(model) = loaded.model else { return Ok(Tally::default()) };
    let rest = match fault {
        None => Unread::of(&model).left_out_of(&model),
        Some(fault) => Some(faulty(&model, fault)),
    };
    let Some(rest) = rest else { return Ok(Tally { models: 1, ..Tally::default() }) };
    let Some(pairs) = walk(&taken_apart(&model), &taken_apart(&rest))? else { return Ok(Tally::default()) };
    let (Some(whole), Some(left)) = (Graph::build(&model, MAX_STATES), Graph::build(&rest, MAX_STATES))
    else {
        return Ok(Tally::default());
    };
    let ends = |graph: &Graph<'_>| (!graph.deadlocks.is_empty(), graph.failed.clone(), graph.has_errors);
    if ends(&whole) != ends(&left) {
        return Err(format!("deadlock, failures, errors: {:?} became {:?}", ends(&whole), ends(&left)));
    }
    let (states, left) = (whole.states.len() as u64, left.states.len() as u64);
    Ok(Tally { models: 1, shorter: 1, pairs, states, left })
}

/// Whether a reduced search of what is left visits no more states than one of the whole model: nothing that reduction rests
/// on may get lost.
pub fn is_reduced_as_well(text: &str) -> Result<(), String> {
    let loaded = load(Path::new("model.pml"), text.into(), &NoFiles, &[]);
    let Some(model) = loaded.model.filter(|model| obstacle(model).is_none()) else { return Ok(()) };
    let Some(rest) = Unread::of(&model).left_out_of(&model) else { return Ok(()) };
    let plan = Plan::new(Reduction::Stubborn(Stubborn::BEAM), Proviso::None);
    let count = |model: &Model| {
        let searched = search(model, Order::BreadthFirst, &plan, &Limits::memory(1 << 30), &mut Ignore);
        searched.ok().map(|(exploration, _)| exploration.counts().states)
    };
    match (count(&model), count(&rest)) {
        (Some(whole), Some(left)) if left > whole => Err(format!("{whole} states became {left}")),
        _ => Ok(()),
    }
}

/// The model without atomic runs.
fn taken_apart(model: &Model) -> Model {
    let mut model = model.clone();
    model.transitions.iter_mut().for_each(|transition| transition.atomic = false);
    model
}

/// A step, to compare.
#[derive(PartialEq, Eq, Debug)]
struct Seen {
    steps: Vec<Step>,
    failed: Vec<FailedAssertion>,
    error: Option<RuntimeError>,
}

/// Visits pairs of states that the same steps lead to, and counts them; none if they are too many.
fn walk(model: &Model, rest: &Model) -> Result<Option<u64>, String> {
    let (mut whole, mut short) = (Interpreter::new(model), Interpreter::new(rest));
    let initial = match (whole.initial(), short.initial()) {
        (Ok(a), Ok(b)) => (trimmed(&a), trimmed(&b)),
        (a, b) if a.is_err() && b.is_err() => return Ok(None),
        _ => return Err("only one has an initial state".to_owned()),
    };
    let mut known = HashSet::from([initial.clone()]);
    let mut queue = vec![initial];
    let mut next = 0;
    while let Some((a, b)) = queue.get(next).cloned() {
        next += 1;
        let (expected, targets) = steps(&mut whole, &a);
        let (found, others) = steps(&mut short, &b);
        if expected != found {
            return Err(format!("after {next} pairs: {expected:?} became {found:?}"));
        }
        for pair in targets.into_iter().zip(others) {
            if known.insert(pair.clone()) {
                queue.push(pair);
            }
        }
        if queue.len() > MAX_STATES {
            return Ok(None);
        }
    }
    Ok(Some(next as u64))
}

/// The steps of a state with whether nothing at all is wrong if there are none, and where those that do not fail lead.
fn steps(interpreter: &mut Interpreter<'_>, state: &[u8]) -> ((Vec<Seen>, bool), Vec<Vec<u8>>) {
    let mut wide = state.to_vec();
    wide.resize(interpreter.layout().size(), 0);
    let (mut seen, mut targets) = (Vec::new(), Vec::new());
    let expansion = interpreter.successors(&wide, |Edge { steps, outcome, failed, .. }| {
        let error = match outcome {
            Outcome::State(target) => {
                targets.push(trimmed(target));
                None
            }
            Outcome::Error(error) => Some(*error),
            Outcome::Endless | Outcome::CutOff => unreachable!("there are no atomic runs"),
        };
        seen.push(Seen { steps: steps.to_vec(), failed: failed.to_vec(), error });
        ControlFlow::Continue(())
    });
    wide.resize(interpreter.layout().size(), 0);
    let is_valid = expansion.alive || interpreter.is_valid_end(&wide);
    ((seen, is_valid), targets)
}

/// The model with something missing that counts.
fn faulty(model: &Model, fault: Fault) -> Model {
    let mut rest = model.clone();
    let unread = Unread::of(model);
    for transition in rest.transitions.iter_mut() {
        let process = transition.process;
        let is_read = |effect: &Effect| match effect {
            Effect::Assign(Place { region, slot, indices }, _) => {
                let owner = (*region == Region::Local).then_some(process);
                indices.is_empty() && !unread.contains(owner, *slot)
            }
            _ => false,
        };
        match fault {
            Fault::LeaveOutRead => transition.effects.retain(|effect| !is_read(effect)),
            Fault::ForgetLive => {
                let read = transition.effects.iter().filter(|effect| is_read(effect)).cloned();
                let forget: Vec<Effect> = read
                    .filter_map(|effect| match effect {
                        Effect::Assign(place, _) => Some(Effect::Assign(place, Expr::Const(0))),
                        _ => None,
                    })
                    .collect();
                transition.effects.extend(forget);
            }
        }
    }
    rest
}
