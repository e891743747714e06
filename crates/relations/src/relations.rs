//! The relations between the statements of the processes there are.
//!
//! Processes appear while a model is explored, so the table of statements grows; a
//! process is grounded once for each set of values its fixed variables have
//! ([`Incarnation`]). Rows are computed when they are first asked for.
//!
//! Statements are numbered so that those of one incarnation fill whole words. Before
//! them come pseudo statements, one per process type: "a process of this type is
//! created", which stands for all statements of processes that do not exist yet.

mod effort;
mod enabling;
mod entry;
mod firings;
mod goal;
mod grounded;
mod in_state;
mod incarnation;
mod leaving;
mod neighbours;
mod rows;
mod runs;
mod sums;

use std::cell::{Cell as Shared, OnceCell};

use stubborn_base::{Idx, IndexVec, define_index};
use stubborn_ir::{Effect, InstanceId, Interrupt, LocationId, Model, ProcessTypeId, Slot, TransitionId};

use crate::bits::Row;
use crate::constants::Constants;
use crate::control::Control;
use crate::direction::Over;
use crate::fault::Fault;
use crate::index::Index;
use crate::statement::Statement;
use crate::sticky::sticky_transitions;

use effort::Effort;
pub use enabling::{Departure, Need, Ways};
pub(crate) use enabling::{may_make_true, writes_any};
pub use entry::Entry;
pub use firings::{Firings, Lack, Waiting};
pub use goal::{Goal, UpSet};
pub(crate) use grounded::Grounded;
pub use in_state::{InState, MAX_SELECTORS};
pub use incarnation::Incarnation;
use leaving::Leaving;

define_index! {
    /// A process with given values of its fixed variables.
    pub struct IncarnationId;
}

/// A statement of an incarnation, or a pseudo statement.
pub type StatementId = u32;

/// Statements are numbered in lanes of this many: a lane belongs to one process, so that small processes share the
/// words of a row.
const LANE: usize = 8;

/// An incarnation and the values of its fixed variables; none if they are not told apart.
pub type Known = (Option<Vec<i32>>, IncarnationId);

/// All that is known of a model without its states.
#[derive(Debug)]
pub struct Relations<'m> {
    model: &'m Model,
    constants: Constants,
    control: IndexVec<ProcessTypeId, Control>,
    singletons: IndexVec<ProcessTypeId, bool>,
    initial: Vec<u8>,
    incarnations: IndexVec<IncarnationId, Incarnation<'m>>,
    /// By instance: its incarnations with the values of its fixed variables.
    by_instance: Vec<Vec<Known>>,
    /// By lane: the incarnation it belongs to.
    by_lane: Vec<Option<IncarnationId>>,
    /// By type: a process that may be created, if one can be.
    future: IndexVec<ProcessTypeId, Option<Vec<Grounded<'m>>>>,
    creators: IndexVec<ProcessTypeId, OnceCell<Over<Row>>>,
    /// The run of some statement depends on who may take part in a rendezvous.
    runs_meet: bool,
    index: Index,
    /// Of `future`.
    future_index: Index,
    /// Statements that have drivers, as words; there may be more words in a row.
    driven: Vec<u64>,
    /// Rows were computed since they were forgotten.
    has_rows: Shared<bool>,
    n_grounded: u64,
    n_compared: Shared<u64>,
    /// Found when first asked for: few provisos do.
    sticky: OnceCell<IndexVec<TransitionId, bool>>,
    leaving: Leaving,
    firings: Option<Firings>,
    fault: Option<Fault>,
    effort: Effort,
}

/// How much was done to find relations, for tests of how it grows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Work {
    /// How often a transition was read as a statement of some process.
    pub grounded: u64,
    /// How often two statements were compared.
    pub compared: u64,
}

impl<'m> Relations<'m> {
    /// Of a model whose initial state is given; no processes yet.
    pub fn new(model: &'m Model, initial: &[u8], fault: Option<Fault>) -> Self {
        let mut spawned: IndexVec<ProcessTypeId, bool> = IndexVec::new();
        let mut singletons = IndexVec::new();
        for id in model.processes.indices() {
            spawned.push(false);
            singletons.push(model.initial.iter().filter(|a| a.process == id).count() == 1);
        }
        for t in model.transitions.iter() {
            each_spawned(&t.effects, &mut |ty| spawned[ty] = true);
        }
        let mut future = IndexVec::new();
        for (id, &spawned) in spawned.iter_enumerated() {
            singletons[id] &= !spawned;
            future.push(spawned.then(Vec::new));
        }
        let n_types = model.processes.len();
        Relations {
            model,
            constants: Constants::of(model),
            control: Control::of(model),
            singletons,
            initial: initial.to_vec(),
            incarnations: IndexVec::new(),
            by_instance: Vec::new(),
            by_lane: vec![None; n_types.div_ceil(LANE)],
            creators: model.processes.iter().map(|_| OnceCell::new()).collect(),
            future,
            sticky: OnceCell::new(),
            leaving: Leaving::of(model),
            firings: Firings::of(model),
            runs_meet: false,
            index: Index::default(),
            future_index: Index::default(),
            driven: Vec::new(),
            has_rows: Shared::new(false),
            n_grounded: 0,
            n_compared: Shared::new(0),
            fault,
            effort: Effort::default(),
        }
    }

    /// Asks this now and then from now on. Once it is time to stop, relations are coarse, and no set can be found by
    /// them: see [`Relations::is_over`].
    #[inline]
    pub fn heed(&mut self, interrupt: &Interrupt) {
        self.effort.heed(interrupt);
    }

    /// Whether it was time to stop while something was computed.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.effort.is_over()
    }

    /// The model.
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// How much was done so far.
    pub fn work(&self) -> Work {
        Work { grounded: self.n_grounded, compared: self.n_compared.get() }
    }

    /// The slots whose values an incarnation is told by, relative to the frame.
    pub fn fixed(&self, process: ProcessTypeId) -> &[Slot] {
        self.constants.fixed(process)
    }

    /// Control flow of a type.
    #[inline]
    pub fn control(&self, process: ProcessTypeId) -> &Control {
        &self.control[process]
    }

    /// Words of a row.
    #[inline]
    pub fn n_words(&self) -> usize {
        self.by_lane.len().div_ceil(64 / LANE).max(1)
    }

    /// How many incarnations there are: with each, rows asked for before are out of date.
    #[inline]
    pub fn n_incarnations(&self) -> usize {
        self.incarnations.len()
    }

    /// An incarnation.
    #[inline]
    pub fn incarnation(&self, id: IncarnationId) -> &Incarnation<'m> {
        &self.incarnations[id]
    }

    /// The incarnations of a process known so far, with the values of its fixed variables.
    #[inline]
    pub fn known(&self, instance: InstanceId) -> &[Known] {
        self.by_instance.get(instance.index()).map_or(&[], |known| known)
    }

    /// The pseudo statement that a process of a type is created.
    pub fn creation(&self, process: ProcessTypeId) -> StatementId {
        process.index() as StatementId
    }

    /// The process type, if it is a pseudo statement.
    #[inline]
    pub fn created(&self, statement: StatementId) -> Option<ProcessTypeId> {
        match self.by_lane[statement as usize / LANE] {
            None => Some(ProcessTypeId(statement)),
            Some(_) => None,
        }
    }

    /// The number of a statement.
    #[inline]
    pub fn statement_id(&self, incarnation: IncarnationId, transition: TransitionId) -> StatementId {
        let inc = &self.incarnations[incarnation];
        let index = transition.index() - inc.first.index();
        inc.base + index as StatementId
    }

    /// The process and transition of a statement that is not a pseudo statement.
    #[inline]
    pub fn decode(&self, statement: StatementId) -> (IncarnationId, TransitionId) {
        let id = self.by_lane[statement as usize / LANE].expect("not a pseudo statement");
        let inc = &self.incarnations[id];
        let index = (statement - inc.base) as usize;
        (id, TransitionId::new(inc.first.index() + index))
    }

    /// Whether the process of a statement never moves, so that its statements have no more to do with each other than
    /// those of different processes.
    #[inline]
    pub fn is_stationary(&self, statement: StatementId) -> bool {
        let (incarnation, _) = self.decode(statement);
        self.model.processes[self.incarnations[incarnation].process].is_stationary
    }

    /// The statements of an incarnation that leave a location, by their places among its own.
    #[inline]
    pub fn at(&self, incarnation: IncarnationId, location: LocationId) -> &Row {
        self.control[self.incarnations[incarnation].process].at(location)
    }

    /// The statements of an incarnation that can still be reached from a location, as its words.
    #[inline]
    pub fn reachable(&self, incarnation: IncarnationId, location: LocationId) -> &[u64] {
        let control = &self.control[self.incarnations[incarnation].process];
        control.reachable(location, |n| self.effort.invest(n, n / 8))
    }

    /// A row that is kept.
    fn kept(&self, words: Box<[u64]>) -> Over<Row> {
        let row = Over::row(words);
        self.effort.spend(self.n_words(), row.approximation().n_bytes());
        row
    }

    /// Statements of a process of a type that does not exist yet, in order of its
    /// transitions; none if no process of it can be created.
    pub(crate) fn future(&self, process: ProcessTypeId) -> &[Grounded<'m>] {
        self.future[process].as_deref().unwrap_or_default()
    }

    /// Whether a process of a type can be created.
    pub(crate) fn is_spawned(&self, process: ProcessTypeId) -> bool {
        self.future[process].is_some()
    }

    /// Whether a transition is sticky, other than by a run it begins.
    pub(crate) fn is_sticky_transition(&self, transition: TransitionId) -> bool {
        self.sticky.get_or_init(|| sticky_transitions(self.model, &self.singletons))[transition]
    }

    /// What a statement does by itself.
    pub fn statement(&self, statement: StatementId) -> &Statement {
        &self.grounded(statement).statement
    }

    pub(crate) fn grounded(&self, statement: StatementId) -> &Grounded<'m> {
        let id = self.by_lane[statement as usize / LANE].expect("not a pseudo statement");
        let inc = &self.incarnations[id];
        &inc.statements[(statement - inc.base) as usize]
    }

    fn grounded_mut(&mut self, statement: StatementId) -> &mut Grounded<'m> {
        let id = self.by_lane[statement as usize / LANE].expect("not a pseudo statement");
        let inc = &mut self.incarnations[id];
        &mut inc.statements[(statement - inc.base) as usize]
    }

    pub(crate) fn all_statements(&self) -> impl Iterator<Item = (StatementId, TransitionId)> + '_ {
        self.incarnations.indices().flat_map(|inc| self.statements_of(inc))
    }

    fn statements_of(&self, inc: IncarnationId) -> impl Iterator<Item = (StatementId, TransitionId)> + use<> {
        let inc = &self.incarnations[inc];
        let (first, base) = (inc.first.index(), inc.base);
        let numbered = move |i| (base + i as StatementId, TransitionId::new(first + i));
        (0..inc.statements.len()).map(numbered)
    }
}

fn each_spawned(effects: &[Effect], found: &mut impl FnMut(ProcessTypeId)) {
    for effect in effects {
        match effect {
            Effect::Run(run) => found(run.process),
            Effect::DStep(dstep) => {
                for alternative in dstep.nodes.iter().flatten() {
                    each_spawned(&alternative.effects, found);
                }
            }
            _ => {}
        }
    }
}
