//! Depth-first search that keeps no states but those that wait, and those on the way to them.
//!
//! Of a visited state only some bits are kept ([`filter`](crate::filter)), so it ends in *incomplete* unless it is
//! stopped: what is taken for a visited state is not visited. What it finds is a violation in any case. States are noted
//! when they are found; each waits above the state it was found from until its turn comes. Those that are not waiting
//! any more are the way to the last of them.
//!
//! Of provisos, those ask nothing of it that look at no state, or at whether successors are new: a new state is expanded
//! later than the one it was found from, so along such steps every state leads to one that is expanded fully (C2^S of
//! Evangelista and Pajault). In the product with a claim, where all nodes of a state must have the same steps, only the
//! former will do.

mod waiting;

use std::ops::ControlFlow;

use stubborn_base::Idx;
use stubborn_ir::{ClaimAutomaton, Interpreter, Model, Move, Prepared, RuntimeErrorKind};
use stubborn_reduce::{Demand, Guardian, Open, Plan, Proviso, Purpose, Reducer, Reduction, Wish};

use crate::End;
use crate::claim::{Answer, Question};
use crate::exploration::{Flow, Halt};
use crate::lasso::Run;
use crate::limits::{Clock, Incomplete, Limits};
use crate::observer::{Counts, Finding, Found, Observer, Progress};
use crate::path::{is_same, moves_between};
use waiting::{Entry, Waiting, Way};

/// Steps between two looks at the clock.
const INTERVAL: usize = 1024;

/// What a search that kept bits visited, and how it came to the violations it told of.
#[derive(Debug)]
pub struct Bitstate<'m> {
    interpreter: Interpreter<'m>,
    waiting: Waiting,
}

/// Why a plan cannot be carried out where only bits are kept, if so.
pub fn refusal_in_bits(plan: &Plan, purpose: Purpose) -> Option<String> {
    match (plan.reduction, plan.proviso) {
        (Reduction::None, _) => None,
        (Reduction::Sleep | Reduction::TwoPhase(_), _) => {
            Some(format!("the reduction {} keeps more of a state than bits", plan.reduction))
        }
        (_, Proviso::None | Proviso::Sticky) => None,
        (_, Proviso::Queue | Proviso::LiveQueue | Proviso::Duplicate) if purpose <= Purpose::Safety => None,
        (_, proviso) => Some(format!("the proviso {proviso} keeps more of a state than bits; use sticky")),
    }
}

/// Visits the states of `model` depth-first, as many as bits can tell apart; see [`search`](crate::search()). What
/// [`refusal_in_bits`] refuses must not be asked for, nor does an observer see expansions. It is told of the first
/// violation of each kind.
pub fn search_bitstate<'m>(
    model: &'m Model,
    plan: &Plan,
    limits: &Limits,
    observer: &mut dyn Observer,
) -> Result<(Bitstate<'m>, End), RuntimeErrorKind> {
    let mut search = Search::new(model, plan, limits, None)?;
    let result = search.run(observer);
    let end = search.finish(result);
    let Search { interpreter, waiting, .. } = search;
    Ok((Bitstate { interpreter, waiting }, end))
}

/// Looks for a run that is accepted by what happens until some state, in the same way. The automaton must have no
/// accepting state.
pub fn search_prefix_bitstate(
    model: &Model,
    question: &Question<'_>,
    plan: &Plan,
    limits: &Limits,
    observer: &mut dyn Observer,
) -> Result<Answer, RuntimeErrorKind> {
    debug_assert!(!question.automaton.states.iter().any(|state| state.accepting));
    let mut search = Search::new(model, plan, limits, Some(Claim::new(question)))?;
    let result = search.run(&mut Listener(observer));
    let mut end = search.finish(result);
    let run = match &search.claim {
        Some(Claim { accepted: Some(way), stays, .. }) => {
            end = End::Stopped;
            let (prefix, is_infinite) = (moves_along(&mut search.interpreter, way), *stays);
            Some(Run { prefix, cycle: Vec::new(), is_infinite })
        }
        _ => None,
    };
    Ok(Answer { end, run, counts: search.waiting.counts, has_endless: false, time: search.clock.elapsed() })
}

impl<'m> Bitstate<'m> {
    /// What was visited and found.
    pub fn counts(&self) -> &Counts {
        &self.waiting.counts
    }

    /// The semantics it was made with: where things lie in the states.
    pub fn interpreter(&self) -> &Interpreter<'m> {
        &self.interpreter
    }

    /// The most memory that was in use, in bytes.
    pub fn peak_bytes(&self) -> usize {
        self.waiting.budget.peak()
    }

    /// Bytes in use for each visited state.
    pub fn bytes_per_state(&self) -> f64 {
        self.waiting.budget.used() as f64 / self.waiting.counts.states.max(1) as f64
    }

    /// The moves from the initial state to a violation that this search reported.
    pub fn moves_to(&mut self, finding: &Finding) -> Vec<Move> {
        let mut moves = moves_along(&mut self.interpreter, &self.waiting.ways[finding.state.index()]);
        moves.extend(finding.steps.iter().map(|step| self.interpreter.layout().move_of(step)));
        moves
    }
}

/// The moves from state to state; to stay in one takes none.
fn moves_along(interpreter: &mut Interpreter<'_>, way: &Way) -> Vec<Move> {
    interpreter.set_interrupt(|| false);
    let mut moves = Vec::new();
    for pair in way.windows(2) {
        moves_between(interpreter, &pair[0], None, |to| is_same(&pair[1], to), &mut moves);
    }
    moves
}

/// Passes on how far a search is; what a claim does not look at is not its affair.
struct Listener<'a>(&'a mut dyn Observer);

impl Observer for Listener<'_> {
    fn violation(&mut self, _: Found<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn progress(&mut self, progress: &Progress) {
        self.0.progress(progress);
    }
}

/// The automaton that goes with the model.
struct Claim<'a> {
    automaton: &'a ClaimAutomaton,
    extends_finite_runs: bool,
    /// The way to a node in which it has accepted, and whether that is a run that ends and stays where it is.
    accepted: Option<Way>,
    stays: bool,
}

impl<'a> Claim<'a> {
    fn new(question: &Question<'a>) -> Self {
        let Question { automaton, extends_finite_runs, .. } = *question;
        Claim { automaton, extends_finite_runs, accepted: None, stays: false }
    }
}

/// Which of its steps a state is expanded by.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Chosen,
    Rest,
}

struct Search<'m, 'a> {
    interpreter: Interpreter<'m>,
    reducer: Option<Reducer<'m>>,
    guardian: Guardian,
    claim: Option<Claim<'a>>,
    clock: Clock,
    /// The state being expanded, and the choice among its steps.
    state: Vec<u8>,
    chosen: Vec<bool>,
    waiting: Waiting,
    steps_since_check: usize,
}

/// Whether successors are new, by their index.
struct New<'a>(&'a [bool]);

impl Open for New<'_> {
    fn is_new(&self, successor: u32) -> bool {
        self.0[successor as usize]
    }

    fn is_open(&self, successor: u32) -> bool {
        self.is_new(successor)
    }
}

impl<'m, 'a> Search<'m, 'a> {
    fn new(
        model: &'m Model,
        plan: &Plan,
        limits: &Limits,
        claim: Option<Claim<'a>>,
    ) -> Result<Self, RuntimeErrorKind> {
        let mut interpreter = Interpreter::new(model);
        limits.speed_up(&mut interpreter);
        let state = interpreter.initial()?;
        let clock = Clock::start(limits);
        let waiting = Waiting::new(limits.memory);
        interpreter.heed(clock.watch(&waiting.budget));
        Ok(Search {
            interpreter,
            reducer: (plan.reduction != Reduction::None).then(|| Reducer::new(model, &state, plan.clone())),
            guardian: Guardian::new(plan.proviso, plan.fault),
            claim,
            clock,
            state,
            chosen: Vec::new(),
            waiting,
            steps_since_check: 0,
        })
    }

    fn run(&mut self, observer: &mut dyn Observer) -> Flow {
        let initial = self.claim.as_ref().map_or(0, |claim| claim.automaton.initial);
        self.waiting.start(&self.state, initial)?;
        while let Some(entry) = self.waiting.next() {
            self.expand(entry, observer)?;
        }
        ControlFlow::Continue(())
    }

    fn expand(&mut self, entry: Entry, observer: &mut dyn Observer) -> Flow {
        self.waiting.read(entry, &mut self.state);
        let prepared = self.interpreter.prepare(&self.state);
        self.move_claim(entry, prepared)?;
        self.waiting.is_new.clear();
        let is_full = self.choose(prepared);
        self.take(observer)?;
        if !prepared.is_alive() {
            self.end_here(observer)?;
        }
        self.waiting.note()?;
        if !is_full && !self.guardian.is_idle() {
            let is_new = &self.waiting.is_new;
            let targets: Vec<u32> = (0..is_new.len() as u32).collect();
            if self.guardian.judge(&targets, &New(is_new)) != Demand::Nothing {
                self.interpreter.prepare(&self.state);
                self.select(Part::Rest);
                self.take(observer)?;
                self.waiting.note()?;
            }
        }
        if self.steps_since_check < INTERVAL { ControlFlow::Continue(()) } else { self.check_clock(observer) }
    }

    /// Where the claim can go from the state prepared. Breaks if it has accepted.
    fn move_claim(&mut self, entry: Entry, prepared: Prepared) -> Flow {
        let Some(claim) = &mut self.claim else { return ControlFlow::Continue(()) };
        let is_timeout = prepared != Prepared::Steps;
        let propositions = claim.automaton.propositions.iter();
        let holds: Result<Vec<bool>, _> =
            propositions.map(|p| self.interpreter.holds_at(&self.state, p, is_timeout)).collect();
        let holds = match holds {
            Ok(holds) => holds,
            Err(kind) => return ControlFlow::Break(Halt::Incomplete(Incomplete::Proposition(kind))),
        };
        let moves = claim.automaton.successors(entry.claim_state, |p| holds[p as usize]);
        let is_final = |&state: &u32| claim.automaton.states[state as usize].is_final;
        if is_final(&entry.claim_state) || moves.iter().any(is_final) {
            claim.stays = self.waiting.way_stays();
            claim.accepted = Some(self.waiting.way());
            return ControlFlow::Break(Halt::Observer);
        }
        self.waiting.claim_moves = moves;
        ControlFlow::Continue(())
    }

    /// Keeps the prepared steps that the reducer chooses; whether that is all.
    fn choose(&mut self, prepared: Prepared) -> bool {
        let Some(reducer) = &mut self.reducer else { return true };
        self.chosen.clear();
        let Some(chosen) = reducer.choose(&self.interpreter, &self.state, prepared, Wish::Nothing) else {
            return true;
        };
        self.chosen.extend_from_slice(chosen);
        self.select(Part::Chosen);
        false
    }

    fn select(&mut self, part: Part) {
        let chosen = &self.chosen;
        self.interpreter.retain(|i| chosen[i] == (part == Part::Chosen));
    }

    /// Takes the prepared steps.
    fn take(&mut self, observer: &mut dyn Observer) -> Flow {
        let Search { interpreter, state, waiting, steps_since_check, .. } = self;
        let mut flow = ControlFlow::Continue(());
        let stopped = interpreter.edges(state, |edge| {
            *steps_since_check += edge.steps.len();
            flow = waiting.visit(&edge, observer);
            if flow.is_break() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        *steps_since_check += 1;
        flow?;
        if stopped { self.check_clock(observer) } else { ControlFlow::Continue(()) }
    }

    /// Nothing can move.
    fn end_here(&mut self, observer: &mut dyn Observer) -> Flow {
        if self.claim.as_ref().is_some_and(|claim| claim.extends_finite_runs) {
            self.waiting.stay(&self.state);
        }
        match self.interpreter.is_valid_end(&self.state) {
            true => ControlFlow::Continue(()),
            false => self.waiting.dead_end(observer),
        }
    }

    fn check_clock(&mut self, observer: &mut dyn Observer) -> Flow {
        self.steps_since_check = 0;
        self.waiting.tell_progress(observer);
        match self.clock.check() {
            Ok(()) => ControlFlow::Continue(()),
            Err(why) => ControlFlow::Break(Halt::Incomplete(why)),
        }
    }

    /// How the search ended: never with the last word.
    fn finish(&mut self, result: Flow) -> End {
        self.interpreter.set_interrupt(|| false);
        self.waiting.finish();
        match result {
            ControlFlow::Break(Halt::Observer) => End::Stopped,
            ControlFlow::Break(Halt::Incomplete(why)) => End::Incomplete(why),
            ControlFlow::Continue(()) if self.waiting.cut_off => End::Incomplete(Incomplete::CutOff),
            ControlFlow::Continue(()) => End::Incomplete(Incomplete::Bitstate(self.waiting.loss())),
        }
    }
}
