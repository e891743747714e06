//! The relations between the statements of the processes there are.
//!
//! Processes appear while a model is explored, so the table of statements grows; a
//! process is grounded once for each set of values its fixed variables have
//! ([`Incarnation`]). Rows are computed when they are first asked for.
//!
//! Statements are numbered so that those of one incarnation fill whole words. Before
//! them come pseudo statements, one per process type: "a process of this type is
//! created", which stands for all statements of processes that do not exist yet.

use std::cell::{Cell as Shared, OnceCell};

use elsa::FrozenMap;
use stubborn_base::{Idx, IndexVec, define_index};
use stubborn_ir::{
    Effect, Expr, InstanceId, Layout, LocationId, Model, Place, ProcessTypeId, Region, Slot, TransitionId,
};

use crate::access::{Access, Cell, Test};
use crate::bits::{self, Row};
use crate::constants::Constants;
use crate::control::Control;
use crate::fault::Fault;
use crate::index::{Candidates, Index};
use crate::scope::{Scope, Subject, UNKNOWN_PID, Unresolved, n_processes_cell};
use crate::statement::{Statement, normalise, unresolved};
use crate::sticky::sticky_transitions;

define_index! {
    /// A process with given values of its fixed variables.
    pub struct IncarnationId;
}

/// A statement of an incarnation, or a pseudo statement.
pub type StatementId = u32;

/// An incarnation and the values of its fixed variables; none if they are not told apart.
pub type Known = (Option<Vec<i32>>, IncarnationId);

/// More sets of values of one process's fixed variables than this are not told apart.
const MAX_INCARNATIONS: usize = 16;

/// A process with given values of its fixed variables.
#[derive(Debug)]
pub struct Incarnation<'m> {
    /// Which process.
    pub instance: InstanceId,
    /// Its type.
    pub process: ProcessTypeId,
    /// Its first word in a row.
    pub first_word: usize,
    subject: Subject,
    statements: Vec<Grounded<'m>>,
    /// Its statements depend on which processes of some type there are.
    open: bool,
    /// By location and target: see [`Relations::leaving`] and [`Relations::arriving`].
    ways: Ways,
}

type Ways = Box<[OnceCell<Box<[OnceCell<Row>]>>]>;

fn no_ways(n_locations: usize) -> Ways {
    (0..n_locations).map(|_| OnceCell::new()).collect()
}

/// A statement with what is computed of it on demand.
#[derive(Debug)]
pub(crate) struct Grounded<'m> {
    pub(crate) statement: Statement,
    pub(crate) run: RunSummary,
    /// Statements that may be executed inside the run it begins.
    pub(crate) inside: Vec<StatementId>,
    /// Statements that begin a run which may contain this one.
    pub(crate) drivers: Vec<StatementId>,
    filter: u64,
    conflicts: OnceCell<Row>,
    left_conflicts: OnceCell<Row>,
    partners: OnceCell<Row>,
    enabling: Vec<OnceCell<Row>>,
    unresolved: Unresolved<'m>,
}

/// Everything done by the run a statement begins, its own accesses as they are.
#[derive(Debug, Default)]
pub(crate) struct RunSummary {
    pub(crate) accesses: Vec<(Cell, Access)>,
    pub(crate) any_channel: bool,
    pub(crate) uses_channels: bool,
    pub(crate) reads_everything: bool,
}

impl RunSummary {
    fn of(own: &Statement) -> Self {
        RunSummary {
            accesses: own.accesses.clone(),
            any_channel: own.any_channel,
            uses_channels: own.uses_channels,
            reads_everything: own.reads_everything,
        }
    }

    /// Adds a statement that may come later in the run.
    fn go_on(&mut self, inner: &Statement) {
        let tests = inner.tests.iter().flatten().flat_map(Test::accesses);
        let all = tests.chain(inner.accesses.iter().copied());
        self.accesses.extend(all.map(|(cell, access)| (cell, access.coarse())));
        self.any_channel |= inner.any_channel;
        self.uses_channels |= inner.uses_channels;
        self.reads_everything |= inner.reads_everything;
    }

    fn settle(&mut self) {
        normalise(&mut self.accesses);
    }
}

/// What is known of a statement in one state that is not known in all.
#[derive(Clone, Copy, Debug)]
pub struct InState<'a> {
    /// The values of [`Relations::unresolved`], in that order.
    pub selectors: &'a [i32],
    /// [`Relations::assignment`] changes nothing.
    pub changes_nothing: bool,
}

/// What has to change for a statement to become enabled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Need {
    /// The guard with that index among the transition's must become true.
    Guard(usize),
    /// A buffer must change: get room for a send, a message for a receive.
    Level,
    /// A receive finds messages, but none that matches.
    Match,
    /// A statement that must not be enabled is.
    Inhibitor,
    /// A rendezvous that is ready needs another process to be: each of those that could be must
    /// get so, or, where both are and do not fit, what is sent or accepted must change. Valid only
    /// for a statement that lacks nothing else: two could wait for each other otherwise, and
    /// nobody for what they need.
    Partner,
}

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
    /// By word: the incarnation it belongs to.
    by_word: Vec<Option<IncarnationId>>,
    /// By type: a process that may be created, if one can be.
    future: IndexVec<ProcessTypeId, Option<Vec<Grounded<'m>>>>,
    creators: IndexVec<ProcessTypeId, OnceCell<Row>>,
    has_runs: bool,
    /// The run of some statement depends on who may take part in a rendezvous.
    runs_meet: bool,
    index: Index,
    /// Rows were computed since they were forgotten.
    has_rows: Shared<bool>,
    n_grounded: u64,
    n_compared: Shared<u64>,
    sticky: IndexVec<TransitionId, bool>,
    /// Rows of statements in states, see [`InState`].
    variants: Variants,
    fault: Option<Fault>,
}

/// How much was done to find relations, for tests of how it grows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Work {
    /// How often a transition was read as a statement of some process.
    pub grounded: u64,
    /// How often two statements were compared.
    pub compared: u64,
}

struct Variants(FrozenMap<Vec<i32>, Box<Row>>);

impl std::fmt::Debug for Variants {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Variants").finish_non_exhaustive()
    }
}

impl std::ops::Deref for Variants {
    type Target = FrozenMap<Vec<i32>, Box<Row>>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

fn variant_key(statement: StatementId, code: i32, now: InState<'_>) -> Vec<i32> {
    let mut key = Vec::with_capacity(now.selectors.len() + 3);
    key.extend([statement as i32, code, i32::from(now.changes_nothing)]);
    key.extend_from_slice(now.selectors);
    key
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
        let sticky = sticky_transitions(model, &singletons);
        Relations {
            model,
            constants: Constants::of(model),
            control: Control::of(model),
            singletons,
            initial: initial.to_vec(),
            incarnations: IndexVec::new(),
            by_instance: Vec::new(),
            by_word: vec![None; n_types.div_ceil(64).max(1)],
            creators: model.processes.iter().map(|_| OnceCell::new()).collect(),
            future,
            sticky,
            variants: Variants(FrozenMap::new()),
            has_runs: model.transitions.iter().any(|t| t.atomic),
            runs_meet: false,
            index: Index::default(),
            has_rows: Shared::new(false),
            n_grounded: 0,
            n_compared: Shared::new(0),
            fault,
        }
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
        self.by_word.len()
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
        match self.by_word[statement as usize / 64] {
            None => Some(ProcessTypeId(statement)),
            Some(_) => None,
        }
    }

    /// The number of a statement.
    #[inline]
    pub fn statement_id(&self, incarnation: IncarnationId, transition: TransitionId) -> StatementId {
        let inc = &self.incarnations[incarnation];
        let index = transition.index() - self.control[inc.process].first.index();
        (inc.first_word * 64 + index) as StatementId
    }

    /// The process and transition of a statement that is not a pseudo statement.
    #[inline]
    pub fn decode(&self, statement: StatementId) -> (IncarnationId, TransitionId) {
        let id = self.by_word[statement as usize / 64].expect("not a pseudo statement");
        let inc = &self.incarnations[id];
        let index = statement as usize - inc.first_word * 64;
        (id, TransitionId::new(self.control[inc.process].first.index() + index))
    }

    /// The statements of an incarnation that leave a location, as its words.
    #[inline]
    pub fn at(&self, incarnation: IncarnationId, location: LocationId) -> &[u64] {
        self.control[self.incarnations[incarnation].process].at(location)
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
        self.sticky[transition]
    }

    /// What a statement does by itself.
    pub fn statement(&self, statement: StatementId) -> &Statement {
        &self.grounded(statement).statement
    }

    pub(crate) fn grounded(&self, statement: StatementId) -> &Grounded<'m> {
        let id = self.by_word[statement as usize / 64].expect("not a pseudo statement");
        let inc = &self.incarnations[id];
        &inc.statements[statement as usize - inc.first_word * 64]
    }

    /// The incarnation of a process with these values of its fixed variables. A new one
    /// makes rows longer: those asked for before are forgotten.
    pub fn incarnate(&mut self, layout: &Layout, instance: InstanceId, values: &[i32]) -> IncarnationId {
        if self.by_instance.len() <= instance.index() {
            self.by_instance.resize_with(instance.index() + 1, Vec::new);
        }
        let known = &self.by_instance[instance.index()];
        let generic = known.len() >= MAX_INCARNATIONS;
        let key = (!generic).then(|| values.to_vec());
        if let Some((_, id)) = known.iter().find(|(k, _)| *k == key) {
            return *id;
        }
        self.add(layout, instance, key)
    }

    /// The incarnation of a process of which neither the values of its fixed variables nor
    /// its number are known, which is [`UNKNOWN_PID`] in the layout.
    pub(crate) fn incarnate_unknown(&mut self, layout: &Layout, instance: InstanceId) -> IncarnationId {
        debug_assert_eq!(layout.instance(instance).pid, UNKNOWN_PID);
        if self.by_instance.len() <= instance.index() {
            self.by_instance.resize_with(instance.index() + 1, Vec::new);
        }
        self.add(layout, instance, None)
    }

    fn add(&mut self, layout: &Layout, instance: InstanceId, key: Option<Vec<i32>>) -> IncarnationId {
        let place = layout.instance(instance);
        let subject =
            Subject { process: place.process, placed: Some((place.pid, place.base)), fixed: key.clone() };
        let first_word = self.by_word.len();
        let id = self.incarnations.push(Incarnation {
            instance,
            process: place.process,
            first_word,
            subject,
            statements: Vec::new(),
            open: false,
            ways: no_ways(self.model.processes[place.process].locations.len()),
        });
        self.by_instance[instance.index()].push((key, id));
        self.by_word.resize(first_word + self.control[place.process].n_words, Some(id));
        self.ground(layout, id);
        id
    }

    /// Grounds a new incarnation, and whatever else depends on which processes there are.
    fn ground(&mut self, layout: &Layout, new: IncarnationId) {
        let again = self.runs_meet || self.incarnations.iter().any(|inc| inc.open);
        if self.has_rows.get() {
            self.incarnations.iter_mut().for_each(|inc| inc.ways = no_ways(inc.ways.len()));
            self.creators.iter_mut().for_each(|row| *row = OnceCell::new());
            self.variants = Variants(FrozenMap::new());
        }
        for id in self.incarnations.indices() {
            if id == new || self.incarnations[id].open {
                let statements = self.ground_statements(layout, &self.incarnations[id].subject);
                self.n_grounded += statements.len() as u64;
                self.incarnations[id].open = statements.iter().any(|g| g.statement.open);
                self.incarnations[id].statements = statements;
            } else if again {
                self.incarnations[id].statements.iter_mut().for_each(Grounded::forget);
            } else if self.has_rows.get() {
                self.incarnations[id].statements.iter_mut().for_each(Grounded::forget_rows);
            }
        }
        self.has_rows.set(false);
        for process in self.model.processes.indices() {
            let is_stale =
                |future: &Vec<Grounded>| future.is_empty() || future.iter().any(|g| g.statement.open);
            if self.future[process].as_ref().is_some_and(is_stale) {
                let subject = Subject { process, placed: None, fixed: None };
                let statements = self.ground_statements(layout, &subject);
                self.n_grounded += statements.len() as u64;
                self.future[process] = Some(statements);
                self.find_future_runs(process);
            }
        }
        if again {
            self.index = Index::default();
            self.find_runs(self.all_statements().collect());
        } else {
            self.find_runs(self.statements_of(new).collect());
        }
    }

    fn scope<'a>(&'a self, layout: &'a Layout, subject: &'a Subject) -> Scope<'a> {
        Scope {
            model: self.model,
            constants: &self.constants,
            initial: &self.initial,
            layout,
            singletons: &self.singletons,
            fault: self.fault,
            subject,
            known: &[],
        }
    }

    fn ground_statements(&self, layout: &Layout, subject: &Subject) -> Vec<Grounded<'m>> {
        let scope = self.scope(layout, subject);
        let control = &self.control[subject.process];
        let first = control.first.index();
        (first..first + control.n_transitions)
            .map(TransitionId::new)
            .map(|t| Grounded::new(scope.statement(t), unresolved(&scope, self.model, t)))
            .collect()
    }

    /// Finds what may happen inside the atomic runs that these statements begin, which are
    /// all or those of a new incarnation.
    fn find_runs(&mut self, ids: Vec<(StatementId, TransitionId)>) {
        for &(id, _) in &ids {
            if self.statement(id).comm.as_ref().is_some_and(|comm| comm.may_meet) {
                self.index.add_meeting(id);
            }
        }
        for &(id, transition) in &ids {
            let mut inside = Vec::new();
            if self.model.transitions[transition].atomic {
                self.runs_meet |= self.find_inside(id, &mut inside);
            }
            let run = self.summarise(&self.grounded(id).statement, &inside);
            self.grounded_mut(id).set_run(run);
            for &inner in &inside {
                self.grounded_mut(inner).drivers.push(id);
            }
            self.grounded_mut(id).inside = inside;
            let inc = self.by_word[id as usize / 64].expect("not a pseudo statement");
            let inc = &self.incarnations[inc];
            self.index.add(id, &inc.statements[id as usize - inc.first_word * 64]);
        }
    }

    /// The runs of a process that does not exist yet. Whom it may meet in one is not known, and
    /// neither is then what the run does.
    fn find_future_runs(&mut self, process: ProcessTypeId) {
        let control = &self.control[process];
        let statements = self.future[process].as_deref().unwrap_or_default();
        let transition =
            |index: usize| &self.model.transitions[TransitionId::new(control.first.index() + index)];
        let runs: Vec<RunSummary> = (0..statements.len())
            .map(|first| {
                let mut run = RunSummary::of(&statements[first].statement);
                let mut work = vec![first];
                let mut entered = Vec::new();
                while let Some(index) = work.pop() {
                    let t = transition(index);
                    let Some(to) = t.to.filter(|to| t.atomic && !entered.contains(to)) else { continue };
                    entered.push(to);
                    for next in bits::iter(control.at(to)) {
                        let inner = &statements[next as usize].statement;
                        run.go_on(inner);
                        run.reads_everything |= inner.comm.as_ref().is_some_and(|comm| comm.may_meet);
                        work.push(next as usize);
                    }
                }
                run.settle();
                run
            })
            .collect();
        for (g, run) in self.future[process].iter_mut().flatten().zip(runs) {
            g.set_run(run);
        }
    }

    /// What a statement and those that may come after it in a run do.
    fn summarise(&self, own: &Statement, inside: &[StatementId]) -> RunSummary {
        let mut run = RunSummary::of(own);
        for &inner in inside {
            let inner = &self.grounded(inner).statement;
            run.go_on(inner);
            if inner.comm.as_ref().is_some_and(|comm| comm.may_meet && comm.is_send) {
                run.accesses.push((n_processes_cell(), Access::Read));
            }
        }
        run.settle();
        run
    }

    /// The statements that may be executed after `first` in the run it begins. Whether that
    /// depends on who may take part in a rendezvous.
    fn find_inside(&self, first: StatementId, inside: &mut Vec<StatementId>) -> bool {
        let mut asked_for_partners = false;
        let mut work = vec![first];
        let mut entered: Vec<(IncarnationId, LocationId)> = Vec::new();
        while let Some(id) = work.pop() {
            let (inc, transition) = self.decode(id);
            let t = &self.model.transitions[transition];
            let meets = self.statement(id).comm.as_ref().filter(|comm| comm.may_meet && comm.is_send);
            if id != first && meets.is_some() {
                // The other process moves too, and may go on.
                asked_for_partners = true;
                for partner in bits::iter(self.partners(id)) {
                    if self.created(partner).is_none() && !inside.contains(&partner) {
                        inside.push(partner);
                        work.push(partner);
                    }
                }
            }
            let hands_over = meets.is_some_and(|comm| comm.must_meet);
            let Some(to) = t.to.filter(|_| t.atomic && !hands_over) else { continue };
            if entered.contains(&(inc, to)) {
                continue;
            }
            entered.push((inc, to));
            let base = (self.incarnations[inc].first_word * 64) as StatementId;
            for index in bits::iter(self.at(inc, to)) {
                let next = base + index;
                if !inside.contains(&next) {
                    inside.push(next);
                    work.push(next);
                }
            }
        }
        asked_for_partners
    }

    fn grounded_mut(&mut self, statement: StatementId) -> &mut Grounded<'m> {
        let id = self.by_word[statement as usize / 64].expect("not a pseudo statement");
        let inc = &mut self.incarnations[id];
        &mut inc.statements[statement as usize - inc.first_word * 64]
    }

    pub(crate) fn all_statements(&self) -> impl Iterator<Item = (StatementId, TransitionId)> + '_ {
        self.incarnations.indices().flat_map(|inc| self.statements_of(inc))
    }

    fn statements_of(&self, inc: IncarnationId) -> impl Iterator<Item = (StatementId, TransitionId)> + use<> {
        let inc = &self.incarnations[inc];
        let (first, first_id) = (self.control[inc.process].first.index(), inc.first_word * 64);
        let numbered = move |i| ((first_id + i) as StatementId, TransitionId::new(first + i));
        (0..inc.statements.len()).map(numbered)
    }

    /// Statements that may take part in a rendezvous with this one.
    pub fn partners(&self, statement: StatementId) -> &Row {
        self.grounded(statement).partners.get_or_init(|| self.compute_partners(statement).into())
    }

    fn compute_partners(&self, statement: StatementId) -> Box<[u64]> {
        let (own, _) = self.decode(statement);
        let own = self.incarnations[own].instance;
        let Some(comm) = &self.statement(statement).comm else { return self.empty_row() };
        let meets = |other: &Statement| {
            other.comm.as_ref().is_some_and(|other| {
                other.may_meet && other.is_send != comm.is_send && comm.may_share_channel(other)
            })
        };
        if !comm.may_meet {
            return self.empty_row();
        }
        self.row_among(self.index.meeting(), |_, inc, g| {
            inc.is_none_or(|inc| inc.instance != own) && meets(&g.statement)
        })
    }

    pub(crate) fn empty_row(&self) -> Box<[u64]> {
        self.has_rows.set(true);
        vec![0; self.n_words()].into()
    }

    /// A row of the statements that `wanted` maps to something, and of creations for
    /// statements of processes that do not exist yet.
    pub(crate) fn row_of(
        &self,
        wanted: impl Fn(StatementId, Option<&Incarnation<'m>>, &Statement) -> Option<StatementId>,
    ) -> Box<[u64]> {
        self.row_among(Candidates::All, |id, inc, g| wanted(id, inc, &g.statement).is_some())
    }

    /// The same, where all that are wanted are among the candidates.
    fn row_among(
        &self,
        candidates: Candidates,
        wanted: impl Fn(StatementId, Option<&Incarnation<'m>>, &Grounded<'m>) -> bool,
    ) -> Box<[u64]> {
        let mut row = self.empty_row();
        let mut n_compared = 0;
        for (process, future) in self.future.iter_enumerated() {
            let creation = self.creation(process);
            n_compared += future.iter().flatten().count();
            if future.iter().flatten().any(|g| wanted(creation, None, g)) {
                bits::insert(&mut row, creation);
            }
        }
        let mut look_at = |id: StatementId, inc: &Incarnation<'m>, g: &Grounded<'m>| {
            n_compared += 1;
            if wanted(id, Some(inc), g) {
                bits::insert(&mut row, id);
            }
        };
        match candidates {
            Candidates::All => {
                for inc in self.incarnations.iter() {
                    for (i, g) in inc.statements.iter().enumerate() {
                        look_at((inc.first_word * 64 + i) as StatementId, inc, g);
                    }
                }
            }
            Candidates::These(ids) => {
                for id in ids {
                    let inc = self.by_word[id as usize / 64].expect("not a pseudo statement");
                    let inc = &self.incarnations[inc];
                    look_at(id, inc, &inc.statements[id as usize - inc.first_word * 64]);
                }
            }
        }
        self.n_compared.update(|n| n + n_compared as u64);
        row
    }

    /// Do-not-accord (Definition 8): the statements of which it is not certain that they
    /// commute with this one and neither prevents the other, wherever both are possible.
    /// More than that is safe.
    #[inline]
    pub fn conflicts(&self, statement: StatementId) -> &Row {
        self.grounded(statement)
            .conflicts
            .get_or_init(|| self.compute_conflicts(statement, self.grounded(statement)).into())
    }

    fn compute_conflicts(&self, statement: StatementId, own: &Grounded<'m>) -> Box<[u64]> {
        let (inc, transition) = self.decode(statement);
        let instance = self.incarnations[inc].instance;
        let from = self.model.transitions[transition].from;
        let mut row = self.row_among(self.candidates(statement), |id, other, g| {
            if let Some(other) = other
                && other.instance == instance
            {
                // One process is at one location at a time.
                let same = other.first_word == self.incarnations[inc].first_word;
                let (_, t) = self.decode(id);
                return same
                    && id != statement
                    && self.model.transitions[t].from == from
                    && !self.exclude(transition, t)
                    && !own.never_with(g);
            }
            own.conflicts_with(g)
        });
        bits::union(&mut row, self.partners(statement));
        if self.fault == Some(Fault::DropConflict) {
            drop_one(&mut row, statement, self.incarnations[inc].first_word);
        }
        row
    }

    /// The statements a statement may conflict with.
    fn candidates(&self, statement: StatementId) -> Candidates {
        let mut candidates = self.index.conflicting(self.grounded(statement));
        if let Candidates::These(ids) = &mut candidates {
            let (inc, transition) = self.decode(statement);
            let first = (self.incarnations[inc].first_word * 64) as StatementId;
            let alternatives = self.at(inc, self.model.transitions[transition].from);
            ids.extend(bits::iter(alternatives).map(|index| first + index));
        }
        candidates
    }

    /// Whether one of two transitions of a location inhibits the other.
    pub(crate) fn exclude(&self, a: TransitionId, b: TransitionId) -> bool {
        let inhibits = |a: TransitionId, b: TransitionId| {
            // A rendezvous receive is inhibited only by what could receive the same.
            let t = &self.model.transitions[b];
            t.inhibitors.contains(&a) && t.comm.is_none()
        };
        inhibits(a, b) || inhibits(b, a)
    }

    /// Do-not-left-accord (Definition 8): the statements `t'` of which it is not certain
    /// that `t' t` can be replaced by `t t'`, `t` being this one. More is safe.
    #[inline]
    pub fn left_conflicts(&self, statement: StatementId) -> &Row {
        self.grounded(statement).left_conflicts.get_or_init(|| self.compute_left_conflicts(statement).into())
    }

    fn compute_left_conflicts(&self, statement: StatementId) -> Box<[u64]> {
        let own = self.grounded(statement);
        let (inc, transition) = self.decode(statement);
        let t = &self.model.transitions[transition];
        let instance = self.incarnations[inc].instance;
        if own.statement.comm.as_ref().is_some_and(|comm| comm.may_meet) {
            let mut row: Box<[u64]> = self.conflicts(statement).to_vec().into();
            bits::union(&mut row, &self.entering(statement));
            bits::union(&mut row, &self.may_enable(statement));
            return row;
        }
        let mut row = self.may_enable(statement);
        bits::union(&mut row, self.conflicts(statement));
        // What disables this one for certain is no threat: it does not come before it.
        for other in bits::iter(&row.clone()) {
            if self.created(other).is_some() {
                continue;
            }
            let (other_inc, other_transition) = self.decode(other);
            let u = &self.model.transitions[other_transition];
            let same_process = self.incarnations[other_inc].instance == instance;
            let leaves = same_process && u.from == t.from && u.to != Some(t.from);
            let g = self.grounded(other);
            let disables = || own.statement.tests.iter().flatten().any(|test| g.statement.disables(test));
            if !u.atomic && (leaves || (!same_process && disables())) {
                bits::remove(&mut row, other);
            }
        }
        bits::union(&mut row, &self.entering(statement));
        row
    }

    /// Statements after which the process may be where this one begins.
    fn entering(&self, statement: StatementId) -> Box<[u64]> {
        let (inc, transition) = self.decode(statement);
        let incarnation = &self.incarnations[inc];
        let mut row = self.empty_row();
        let entering = self.control[incarnation.process].entering(self.model.transitions[transition].from);
        for index in bits::iter(entering) {
            bits::insert(&mut row, (incarnation.first_word * 64) as StatementId + index);
        }
        self.with_drivers(row)
    }

    /// With the statements that begin runs in which one of the row may be executed.
    pub(crate) fn with_drivers(&self, mut row: Box<[u64]>) -> Box<[u64]> {
        self.add_drivers(&mut row);
        row
    }

    /// Adds the statements that begin runs in which one of the row may be executed.
    #[inline]
    pub fn add_drivers(&self, row: &mut [u64]) {
        if !self.has_runs {
            return;
        }
        for word in 0..row.len() {
            for bit in bits::iter(&[row[word]]) {
                let id = word as StatementId * 64 + bit;
                if self.created(id).is_none() {
                    for &driver in &self.grounded(id).drivers {
                        bits::insert(row, driver);
                    }
                }
            }
        }
    }

    /// The statements that may make this one possible by what they do to data.
    fn may_enable(&self, statement: StatementId) -> Box<[u64]> {
        let mut row = self.empty_row();
        let n_guards = self.statement(statement).tests.len();
        for guard in 0..n_guards {
            bits::union(&mut row, self.necessary_enabling_set(statement, Need::Guard(guard)));
        }
        for need in [Need::Level, Need::Match, Need::Inhibitor] {
            bits::union(&mut row, self.necessary_enabling_set(statement, need));
        }
        row
    }

    /// A necessary enabling set (Definitions 9 and 10): one of these statements must be
    /// executed before what is needed can be there. More is safe.
    #[inline]
    pub fn necessary_enabling_set(&self, statement: StatementId, need: Need) -> &Row {
        let own = self.grounded(statement);
        let n_guards = own.statement.tests.len();
        let index = match need {
            Need::Guard(guard) => guard,
            Need::Level => n_guards,
            Need::Match => n_guards + 1,
            Need::Inhibitor => n_guards + 2,
            Need::Partner => n_guards + 3,
        };
        own.enabling[index].get_or_init(|| {
            self.compute_enabling(statement, need, &self.grounded(statement).statement).into()
        })
    }

    fn compute_enabling(&self, statement: StatementId, need: Need, own: &Statement) -> Box<[u64]> {
        let row = match need {
            Need::Guard(guard) => match &own.tests[guard] {
                Some(test) => {
                    self.row_among(self.index.changing(test), |_, _, g| may_make_true(test, &g.statement))
                }
                None => self.empty_row(),
            },
            Need::Level | Need::Match => match &own.comm {
                Some(comm) => {
                    let unknown = comm.channels.is_none();
                    let changes = |access: Access| match (need, comm.is_send, access) {
                        (_, _, Access::Write) => true,
                        (Need::Level, true, access) => access == Access::Take,
                        (Need::Level, false, access) => matches!(access, Access::Send | Access::SendSorted),
                        (_, _, access) => matches!(access, Access::Take | Access::SendSorted),
                    };
                    let buffers = comm.buffers.iter().map(|&cell| (cell, Access::Look));
                    let looks: Vec<(Cell, Access)> = buffers.chain(comm.reads.iter().copied()).collect();
                    self.row_among(self.index.changing_cells(&looks, unknown), |_, _, g| {
                        let other = &g.statement;
                        let buffer = other
                            .accesses
                            .iter()
                            .any(|&(cell, access)| comm.buffers.contains(&cell) && changes(access));
                        let decides = writes_any(other, &comm.reads);
                        let any = other.any_channel || (unknown && other.uses_channels);
                        buffer || decides || any
                    })
                }
                None => self.empty_row(),
            },
            Need::Partner => {
                let mut row: Box<[u64]> = self.partners(statement).to_vec().into();
                bits::union(&mut row, self.necessary_enabling_set(statement, Need::Level));
                bits::union(&mut row, self.necessary_enabling_set(statement, Need::Inhibitor));
                row
            }
            Need::Inhibitor => {
                let candidates = match own.reads_everything {
                    true => Candidates::All,
                    false => self.index.changing_cells(&own.inhibitors, own.any_channel),
                };
                self.row_among(candidates, |_, _, g| {
                    let any = own.any_channel && g.statement.uses_channels || g.statement.any_channel;
                    own.reads_everything || any || writes_any(&g.statement, &own.inhibitors)
                })
            }
        };
        let mut row = self.with_drivers(row);
        if self.fault == Some(Fault::DropEnabling) {
            let (inc, _) = self.decode(statement);
            drop_one(&mut row, statement, self.incarnations[inc].first_word);
        }
        row
    }

    /// The expressions that decide which array element or channel a statement is about, where that
    /// is not the same in all states.
    #[inline]
    pub fn unresolved(&self, statement: StatementId) -> &[&'m Expr] {
        &self.grounded(statement).unresolved
    }

    /// The only thing a statement does, if that is to assign to something global.
    #[inline]
    pub fn assignment(&self, statement: StatementId) -> Option<(&'m Place, &'m Expr)> {
        let (_, transition) = self.decode(statement);
        let t = &self.model.transitions[transition];
        match (&*t.effects, &t.comm) {
            ([Effect::Assign(place, value)], None) if place.region == Region::Global => Some((place, value)),
            _ => None,
        }
    }

    /// [`Relations::conflicts`] of a statement that is enabled in a state, as long as nothing that it
    /// reads there changes: which it does not before one of these is executed.
    pub fn conflicts_in_state(&self, layout: &Layout, statement: StatementId, now: InState<'_>) -> &Row {
        let key = variant_key(statement, 0, now);
        if let Some(row) = self.variants.get(&*key) {
            return row;
        }
        let own = self.grounded(statement);
        let mut variant = Grounded::new(self.resolve(layout, statement, now), Vec::new());
        let run = self.summarise(&variant.statement, &own.inside);
        variant.set_run(run);
        self.variants.insert(key, Box::new(self.compute_conflicts(statement, &variant).into()))
    }

    /// [`Relations::necessary_enabling_set`] of a statement in a state: what it needs is not there, and
    /// will not be before something that it looks at there changes.
    pub fn enabling_set_in_state(
        &self,
        layout: &Layout,
        statement: StatementId,
        need: Need,
        now: InState<'_>,
    ) -> &Row {
        let code = match need {
            Need::Level => 1,
            Need::Match => 2,
            Need::Inhibitor => 3,
            Need::Partner => 4,
            Need::Guard(guard) => 5 + guard as i32,
        };
        let key = variant_key(statement, code, now);
        if let Some(row) = self.variants.get(&*key) {
            return row;
        }
        let own = self.resolve(layout, statement, now);
        self.variants.insert(key, Box::new(self.compute_enabling(statement, need, &own).into()))
    }

    /// What a statement does by itself in a state.
    fn resolve(&self, layout: &Layout, statement: StatementId, now: InState<'_>) -> Statement {
        let (incarnation, transition) = self.decode(statement);
        let known: Vec<(&Expr, i32)> =
            self.unresolved(statement).iter().copied().zip(now.selectors.iter().copied()).collect();
        let scope = Scope { known: &known, ..self.scope(layout, &self.incarnations[incarnation].subject) };
        let mut resolved = scope.statement(transition);
        if now.changes_nothing
            && let Some((place, _)) = self.assignment(statement)
            && let Some((cell, _)) = scope.cell(place)
        {
            // It has only to stay as it is.
            for (own, access) in &mut resolved.accesses {
                if *own == cell && access.writes() {
                    *access = Access::Read;
                }
            }
            normalise(&mut resolved.accesses);
        }
        resolved
    }

    /// The statements that may create a process of a type, and the creations of processes
    /// that may do so.
    pub fn creators(&self, process: ProcessTypeId) -> &Row {
        self.creators[process].get_or_init(|| {
            let row = self.row_of(|id, _, s| s.spawns.contains(&process).then_some(id));
            self.with_drivers(row).into()
        })
    }

    /// A necessary enabling set for a process that is at `at` to come to `target`, by the control
    /// flow: the statements there that lead on to it.
    #[inline]
    pub fn leaving(&self, incarnation: IncarnationId, at: LocationId, target: LocationId) -> &Row {
        let inc = &self.incarnations[incarnation];
        self.way(inc, at, target, 0, |control| (control.at(at), control.toward(target)))
    }

    /// Another one: the statements that enter it and can be reached.
    #[inline]
    pub fn arriving(&self, incarnation: IncarnationId, at: LocationId, target: LocationId) -> &Row {
        let inc = &self.incarnations[incarnation];
        self.way(inc, at, target, 1, |control| (control.entering(target), control.reachable(at)))
    }

    fn way<'a>(
        &'a self,
        inc: &'a Incarnation<'m>,
        at: LocationId,
        target: LocationId,
        which: usize,
        both: impl FnOnce(&'a Control) -> (&'a [u64], &'a [u64]),
    ) -> &'a Row {
        let n = inc.ways.len();
        let by_target = inc.ways[at.0 as usize].get_or_init(|| (0..2 * n).map(|_| OnceCell::new()).collect());
        by_target[target.0 as usize * 2 + which].get_or_init(|| {
            let mut row = self.empty_row();
            let (a, b) = both(&self.control[inc.process]);
            for (i, (a, b)) in a.iter().zip(b).enumerate() {
                row[inc.first_word + i] = a & b;
            }
            self.with_drivers(row).into()
        })
    }

    /// Statements at least one of which is executed on every cycle of states, as words; all
    /// the statements of the run they begin are looked at. More is safe.
    pub fn sticky(&self) -> Vec<u64> {
        let mut row = self.empty_row().into_vec();
        for (id, transition) in self.all_statements() {
            if self.sticky[transition] {
                bits::insert(&mut row, id);
            }
        }
        self.add_drivers(&mut row);
        row
    }

    /// The statements that may change the value of a proposition, which is one of no
    /// process (T_v^nes). More is safe.
    pub fn visible(&self, layout: &Layout, proposition: &stubborn_ir::Expr) -> Box<[u64]> {
        // A proposition belongs to nobody: its subject is a process without a frame.
        let subject = Subject { process: ProcessTypeId(0), placed: None, fixed: None };
        let scope = Scope { fault: None, ..self.scope(layout, &subject) };
        let (Some(test), _) = scope.test(proposition) else { return self.empty_row() };
        let negated = match &test {
            Test::Values(cell, ranges) => Test::Values(*cell, ranges.complement()),
            Test::Other { .. } => test.clone(),
            _ => Test::Other { accesses: test.accesses(), any_channel: false },
        };
        let row = self.row_of(|id, _, other| {
            (may_make_true(&test, other) || may_make_true(&negated, other)).then_some(id)
        });
        self.with_drivers(row)
    }
}

/// A planted fault: forgets the first statement of another process.
fn drop_one(row: &mut [u64], statement: StatementId, own_first_word: usize) {
    let other = bits::iter(row).find(|&id| id as usize / 64 != own_first_word && id != statement);
    if let Some(other) = other {
        bits::remove(row, other);
    }
}

fn each_spawned(effects: &[stubborn_ir::Effect], found: &mut impl FnMut(ProcessTypeId)) {
    for effect in effects {
        match effect {
            stubborn_ir::Effect::Run(run) => found(run.process),
            stubborn_ir::Effect::DStep(dstep) => {
                for alternative in dstep.nodes.iter().flatten() {
                    each_spawned(&alternative.effects, found);
                }
            }
            _ => {}
        }
    }
}

pub(crate) fn may_make_true(test: &Test, other: &Statement) -> bool {
    if let Test::Other { any_channel: true, .. } = test
        && other.uses_channels
    {
        return true;
    }
    let looks_at_channel = matches!(test, Test::Level(..))
        || matches!(test, Test::Other { accesses, .. } if accesses.iter().any(|(_, a)| matches!(a, Access::Look | Access::Head)));
    (other.any_channel && looks_at_channel)
        || other.accesses.iter().any(|&(cell, access)| test.enabled_by(cell, access))
}

pub(crate) fn writes_any(statement: &Statement, cells: &[(Cell, Access)]) -> bool {
    statement
        .accesses
        .iter()
        .any(|&(cell, access)| access.writes() && cells.iter().any(|&(own, _)| own == cell))
}

impl<'m> Grounded<'m> {
    fn new(statement: Statement, unresolved: Unresolved<'m>) -> Self {
        let n_enabling = statement.tests.len() + 4;
        Grounded {
            statement,
            run: RunSummary::default(),
            inside: Vec::new(),
            drivers: Vec::new(),
            filter: 0,
            conflicts: OnceCell::new(),
            left_conflicts: OnceCell::new(),
            partners: OnceCell::new(),
            enabling: (0..n_enabling).map(|_| OnceCell::new()).collect(),
            unresolved,
        }
    }

    /// Rows are out of date.
    fn forget_rows(&mut self) {
        self.conflicts = OnceCell::new();
        self.left_conflicts = OnceCell::new();
        self.partners = OnceCell::new();
        self.enabling.iter_mut().for_each(|row| *row = OnceCell::new());
    }

    /// Rows and runs are out of date.
    fn forget(&mut self) {
        let statement = std::mem::take(&mut self.statement);
        *self = Grounded::new(statement, std::mem::take(&mut self.unresolved));
    }

    fn set_run(&mut self, run: RunSummary) {
        let tests = self.statement.tests.iter().flatten().flat_map(Test::accesses);
        let cells = tests.chain(run.accesses.iter().copied()).map(|(cell, _)| cell);
        self.filter = cells.fold(0, |filter, cell| filter | 1 << (cell.wrapping_mul(0x9E37_79B1) >> 26));
        self.run = run;
    }

    /// Whether the two are never possible together (criterion 2).
    pub(crate) fn never_with(&self, other: &Grounded<'_>) -> bool {
        let (a, b) = (&self.statement, &other.statement);
        if a.waits_for_timeout != b.waits_for_timeout {
            return true;
        }
        let excludes = |a: &Statement, b: &Statement| {
            a.tests.iter().flatten().any(|test| {
                b.tests.iter().flatten().any(|other| test.excludes(other))
                    || b.comm.as_ref().is_some_and(|comm| {
                        let access = if comm.is_send { Access::Send } else { Access::Take };
                        matches!(&*comm.buffers, [cell] if !comm.may_meet && test.excludes_access(*cell, access))
                    })
            })
        };
        excludes(a, b) || excludes(b, a)
    }

    /// Whether the two do not accord for certain; for statements of two processes.
    pub(crate) fn conflicts_with(&self, other: &Grounded<'_>) -> bool {
        if self.run.reads_everything || other.run.reads_everything {
            return true;
        }
        if self.statement.waits_for_timeout && other.statement.waits_for_timeout {
            return true;
        }
        let channels = (self.run.any_channel && other.run.uses_channels)
            || (other.run.any_channel && self.run.uses_channels);
        if !channels && self.filter & other.filter == 0 {
            return false;
        }
        if self.never_with(other) {
            return false;
        }
        channels
            || !runs_commute(&self.run.accesses, &other.run.accesses)
            || breaks(self, other)
            || breaks(other, self)
    }
}

/// Whether all that is done to common cells commutes.
fn runs_commute(a: &[(Cell, Access)], b: &[(Cell, Access)]) -> bool {
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        match a[i].0.cmp(&b[j].0) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                let cell = a[i].0;
                let a_end = i + a[i..].iter().take_while(|(c, _)| *c == cell).count();
                let b_end = j + b[j..].iter().take_while(|(c, _)| *c == cell).count();
                if a[i..a_end].iter().any(|(_, x)| b[j..b_end].iter().any(|(_, y)| !x.commutes(*y))) {
                    return false;
                }
                (i, j) = (a_end, b_end);
            }
        }
    }
    true
}

/// Whether `other` may make a guard of `own` false.
fn breaks(own: &Grounded<'_>, other: &Grounded<'_>) -> bool {
    own.statement
        .tests
        .iter()
        .flatten()
        .any(|test| other.run.accesses.iter().any(|&(cell, access)| !test.survives(cell, access)))
}
