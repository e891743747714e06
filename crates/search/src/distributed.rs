//! A search that goes on in several processes, maybe on several machines.
//!
//! Who carries it out is not known here: whoever asks for a search is given somebody who can. What it has to keep to is
//! the same as of a [search by threads](crate::search_in_parallel): level by level, so that ways over parents are
//! shortest ones, and what is left out depends neither on timing nor on who has which state. Of a claim about runs, the
//! product with its automaton is searched, as by [`search_claim`](crate::search_claim).

use stubborn_ir::{ClaimAutomaton, Interpreter, Model, Move, RuntimeErrorKind};
use stubborn_reduce::Plan;

use crate::End;
use crate::lasso::Run;
use crate::limits::Limits;
use crate::observer::{Counts, Finding, Observer};

/// What is searched.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// The model.
    pub model: &'a Model,
    /// What is left out; nothing that [`refusal_in_parallel`](crate::refusal_in_parallel) refuses.
    pub plan: &'a Plan,
    /// A claim that is checked, if one is.
    pub claim: Option<Watched<'a>>,
}

/// A claim that is checked.
#[derive(Clone, Copy, Debug)]
pub struct Watched<'a> {
    /// Accepts what violates it.
    pub automaton: &'a ClaimAutomaton,
    /// What decides it.
    pub by: By,
}

/// What decides a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum By {
    /// Single states, see [`violates`]: such a state is a violation, besides all others.
    States,
    /// Runs: the product is searched, and nothing else is a violation. The plan must leave out the same whoever comes to
    /// a state, see [`is_for_threads`](crate::is_for_threads).
    Runs {
        /// A run that ends stays in its last state for ever; otherwise it is no run.
        extends_finite_runs: bool,
    },
}

/// Searches with others.
pub trait Distributed {
    /// Visits the states of a model with all others, who are asked for the same. Only the first process tells its
    /// observer of violations, and has the ways there: of all of a kind that of a nearest one. Fails if there is no
    /// initial state.
    fn search(
        &mut self,
        task: &Task<'_>,
        limits: &Limits,
        observer: &mut dyn Observer,
    ) -> Result<(Gathered, End), RuntimeErrorKind>;
}

/// What processes found together, as far as the first of them knows.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Gathered {
    /// What was visited and found.
    pub counts: Counts,
    /// By number of a violation that was told: the run to it.
    pub runs: Vec<Run>,
    /// Some atomic sequence never ends.
    pub has_endless: bool,
    /// How many workers there were, in all processes.
    pub n_workers: usize,
    /// By process: what it used.
    pub used: Vec<Used>,
}

/// What a process used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Used {
    /// States it keeps.
    pub states: u64,
    /// Bytes in use when the search was over.
    pub bytes: usize,
    /// The most that were in use.
    pub peak_bytes: usize,
    /// Bytes sent to other processes.
    pub sent_bytes: u64,
}

impl Gathered {
    /// The moves from the initial state to a violation that was told.
    pub fn moves_to(&self, finding: &Finding) -> Vec<Move> {
        self.run_of(finding).map(|run| run.prefix.clone()).unwrap_or_default()
    }

    /// The run to, or around, a violation that was told.
    pub fn run_of(&self, finding: &Finding) -> Option<&Run> {
        self.runs.get(finding.state.0 as usize)
    }
}

/// Whether a state violates a claim that is an invariant: its automaton stays where it begins until a state lets it come
/// to its end. What holds is put into `holds`.
pub fn violates(
    interpreter: &Interpreter<'_>,
    state: &[u8],
    automaton: &ClaimAutomaton,
    holds: &mut Vec<bool>,
) -> Result<bool, RuntimeErrorKind> {
    holds.clear();
    for proposition in &automaton.propositions {
        holds.push(interpreter.holds(state, proposition)?);
    }
    let targets = automaton.successors(automaton.initial, |p| holds[p as usize]);
    Ok(targets.iter().any(|&to| automaton.states[to as usize].is_final))
}
