//! Processes with given values of their fixed variables, read as statements.

use std::cell::OnceCell;

use stubborn_base::Idx;
use stubborn_ir::{InstanceId, Layout, ProcessTypeId, TransitionId};

use super::enabling::Departure;
use super::grounded::Grounded;
use super::{Firings, IncarnationId, LANE, Relations, StatementId};
use crate::index::Index;
use crate::scope::{Scope, Subject, UNKNOWN_PID};
use crate::statement::unresolved;

/// More sets of values of one process's fixed variables than this are not told apart.
const MAX_INCARNATIONS: usize = 16;

/// A process with given values of its fixed variables.
#[derive(Debug)]
pub struct Incarnation<'m> {
    /// Which process.
    pub instance: InstanceId,
    /// Its type.
    pub process: ProcessTypeId,
    /// Its first statement. All of them are in one word of a row, or begin one.
    pub base: StatementId,
    /// The transition of its first statement.
    pub(super) first: TransitionId,
    pub(super) subject: Subject,
    pub(super) statements: Vec<Grounded<'m>>,
    /// Its statements depend on which processes of some type there are.
    open: bool,
    /// By location: see [`Relations::departure`].
    pub(super) departures: Departures,
    /// See [`Relations::n_neighbours`].
    pub(super) n_neighbours: OnceCell<u32>,
}

type Departures = Box<[OnceCell<Departure>]>;

fn no_departures(n_locations: usize) -> Departures {
    (0..n_locations).map(|_| OnceCell::new()).collect()
}

impl<'m> Relations<'m> {
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
        let base = self.reserve(self.control[place.process].n_transitions);
        let id = self.incarnations.push(Incarnation {
            instance,
            process: place.process,
            base,
            first: self.control[place.process].first,
            subject,
            statements: Vec::new(),
            open: false,
            departures: no_departures(self.model.processes[place.process].locations.len()),
            n_neighbours: OnceCell::new(),
        });
        self.by_instance[instance.index()].push((key, id));
        let n_lanes = self.control[place.process].n_transitions.div_ceil(LANE).max(1);
        self.by_lane.resize(base as usize / LANE + n_lanes, Some(id));
        self.ground(layout, id);
        id
    }

    /// Where the statements of a new incarnation go: small processes share a word, and none has a part of one.
    fn reserve(&mut self, n_statements: usize) -> StatementId {
        let used = self.by_lane.len() * LANE;
        let left = used.next_multiple_of(64) - used;
        let base = if n_statements <= left { used } else { used.next_multiple_of(64) };
        self.by_lane.resize(base / LANE, None);
        base as StatementId
    }

    /// Grounds a new incarnation, and whatever else depends on which processes there are.
    fn ground(&mut self, layout: &Layout, new: IncarnationId) {
        self.incarnations.iter_mut().for_each(|inc| inc.n_neighbours = OnceCell::new());
        let again = self.runs_meet || self.incarnations.iter().any(|inc| inc.open);
        if self.has_rows.get() {
            self.effort.forget_rows();
            self.incarnations.iter_mut().for_each(|inc| inc.departures = no_departures(inc.departures.len()));
            self.creators.iter_mut().for_each(|row| *row = OnceCell::new());
            self.leaving.forget();
            self.firings.iter_mut().for_each(Firings::forget);
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
        let mut is_new = false;
        for process in self.model.processes.indices() {
            let is_stale =
                |future: &Vec<Grounded>| future.is_empty() || future.iter().any(|g| g.statement.open);
            if self.future[process].as_ref().is_some_and(is_stale) {
                let subject = Subject { process, placed: None, fixed: None };
                let statements = self.ground_statements(layout, &subject);
                self.n_grounded += statements.len() as u64;
                self.future[process] = Some(statements);
                self.find_future_runs(process);
                is_new = true;
            }
        }
        if is_new {
            self.index_future();
        }
        if again {
            self.index = Index::default();
            self.driven.clear();
            self.find_runs(self.all_statements().collect());
        } else {
            self.find_runs(self.statements_of(new).collect());
        }
    }

    pub(super) fn scope<'a>(&'a self, layout: &'a Layout, subject: &'a Subject) -> Scope<'a> {
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
            .map(|t| {
                let found = unresolved(&scope, self.model, t);
                let statement = scope.statement(t);
                let transition = &self.model.transitions[t];
                // A firing never leaves everything as it is, and what it waits for may also have to leave.
                let mut own = match self.model.processes[subject.process].is_stationary {
                    true => Grounded::new(statement, found),
                    false => Grounded::of(statement, found, transition),
                };
                own.from = transition.from;
                own
            })
            .collect()
    }
}
