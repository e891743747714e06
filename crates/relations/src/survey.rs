//! Grounds the processes a model starts with, and describes its statements.

use std::collections::BTreeMap;

use hashbrown::HashSet;
use smol_str::SmolStr;
use stubborn_base::{Idx, IndexVec};
use stubborn_ir::{Effect, Expr, Interrupt, Layout, LocationId, Model, Pid, ProcessTypeId, TransitionId};

use crate::access::{Cell, Test};
use crate::bits::Row;
use crate::describe::{
    AtomicRun, Basis, ChannelUse, Condition, ConditionKind, Conflict, Description, Reason, Relative, Spot,
    StatementRef, Sticky, Whose,
};
use crate::distance::shortest_local_cycle;
use crate::names::Reader;
use crate::query::Query;
use crate::reason::{clashes, share_unknown_channel, tested};
use crate::relations::{Grounded, IncarnationId, Need, Relations, StatementId};
use crate::render;
use crate::scope::UNKNOWN_PID;
use crate::statement::{Operation, can_fail_at};
use crate::sticky::creates_process;

/// Where more memory would be needed, as for runs of ten thousands of statements, relations are coarse.
const MOST_BYTES: usize = 1 << 29;

/// The relations of the processes a model starts with.
///
/// Types of which there is none then are given one whose number and arguments are not known.
#[derive(Debug)]
pub struct Survey<'m> {
    relations: Relations<'m>,
    layout: Layout,
    /// By type: the processes that are described.
    subjects: IndexVec<ProcessTypeId, Vec<IncarnationId>>,
    basis: IndexVec<ProcessTypeId, Basis>,
}

impl<'m> Survey<'m> {
    /// Of a model with that initial state, placed as `layout` says.
    pub fn new(model: &'m Model, layout: &Layout, initial: &[u8]) -> Self {
        let mut layout = layout.clone();
        let mut relations = Relations::new(model, initial, None);
        relations.heed(&Interrupt::new(|bytes| bytes > MOST_BYTES));
        let mut subjects: IndexVec<ProcessTypeId, Vec<IncarnationId>> = IndexVec::new();
        let mut basis = IndexVec::new();
        for process in model.processes.indices() {
            subjects.push(Vec::new());
            let started = layout.instances().filter(|(_, i)| i.process == process);
            let pids: Vec<Pid> = started.map(|(_, i)| i.pid).collect();
            let is_spawned = relations.is_spawned(process);
            basis.push(match pids.is_empty() {
                false => Basis::Initial(pids),
                true if is_spawned => Basis::Created,
                true => Basis::Never,
            });
        }
        for (process, basis) in basis.iter_enumerated() {
            if !matches!(basis, Basis::Initial(_)) {
                // Without numbers for its channels there is nothing to tell.
                let _ = layout.instantiate(model, UNKNOWN_PID, process);
            }
        }
        let placed: Vec<_> = layout.instances().map(|(id, i)| (id, i.process, i.pid, i.base)).collect();
        for (id, process, pid, base) in placed {
            let incarnation = if pid == UNKNOWN_PID {
                relations.incarnate_unknown(&layout, id)
            } else {
                let fixed = relations.fixed(process).iter();
                let values: Vec<i32> = fixed.map(|slot| slot.shifted(base).read(initial)).collect();
                relations.incarnate(&layout, id, &values)
            };
            subjects[process].push(incarnation);
        }
        Survey { relations, layout, subjects, basis }
    }

    /// The relations.
    pub fn relations(&self) -> &Relations<'m> {
        &self.relations
    }

    /// Asks for single relations.
    pub fn query(&self) -> Query<'_, 'm> {
        Query::new(&self.relations, &self.layout)
    }

    /// The statements of a transition that are described together.
    pub fn statements(&self, transition: TransitionId) -> Vec<StatementId> {
        let process = self.relations.model().transitions[transition].process;
        let subjects = self.subjects[process].iter();
        subjects.map(|&inc| self.relations.statement_id(inc, transition)).collect()
    }

    /// Whether a transition, or the run it begins, is in the set that meets every cycle of states.
    pub fn is_sticky(&self, transition: TransitionId) -> bool {
        let query = self.query();
        self.statements(transition).into_iter().any(|id| query.is_sticky(id).is_possible())
    }

    /// A shortest cycle of its process that a transition is on, the transition first; empty if it is on none.
    pub fn local_cycle(&self, transition: TransitionId) -> Vec<StatementRef> {
        let model = self.relations.model();
        let cycle = shortest_local_cycle(model, transition);
        cycle.into_iter().map(|t| StatementRef::new(model, t)).collect()
    }

    /// All that is known of a statement.
    pub fn describe(&self, transition: TransitionId) -> Description {
        let query = self.query();
        Describe { survey: self, query: &query, transition, ids: self.statements(transition) }.all()
    }
}

struct Describe<'a, 'm> {
    survey: &'a Survey<'m>,
    query: &'a Query<'a, 'm>,
    transition: TransitionId,
    /// The statements it is in the processes that are described.
    ids: Vec<StatementId>,
}

/// Each statement once, of the same process and of others, in the model's order.
type Relatives = BTreeMap<(TransitionId, bool), Whose>;

impl<'a, 'm> Describe<'a, 'm> {
    fn relations(&self) -> &'a Relations<'m> {
        &self.survey.relations
    }

    fn model(&self) -> &'m Model {
        self.relations().model()
    }

    fn all(&self) -> Description {
        let model = self.model();
        let t = &model.transitions[self.transition];
        let process = &model.processes[t.process];
        let spot = |id: LocationId| {
            let location = process.location(id);
            Spot { number: location.number, labels: location.labels.clone(), is_end: location.is_end }
        };
        let own = || self.ids.iter().map(|&id| (id, self.relations().statement(id)));
        let tests = |s: &'a crate::statement::Statement| s.tests.iter().flatten().flat_map(Test::accesses);
        let names = |found: &dyn Fn(&'a crate::statement::Statement) -> Vec<Cell>| {
            self.name_all(own().map(|(id, s)| (id, found(s))))
        };
        let mut creates: Vec<ProcessTypeId> = own().flat_map(|(_, s)| s.spawns.clone()).collect();
        creates.sort_unstable();
        creates.dedup();
        Description {
            statement: StatementRef::new(model, self.transition),
            basis: self.survey.basis[t.process].clone(),
            from: spot(t.from),
            to: t.to.map(spot),
            conditions: self.conditions(),
            reads: names(&|s| {
                let all = tests(s).chain(s.accesses.iter().copied());
                all.filter(|(_, access)| !access.writes()).map(|(cell, _)| cell).collect()
            }),
            writes: names(&|s| {
                s.accesses.iter().filter(|(_, access)| access.writes()).map(|&(cell, _)| cell).collect()
            }),
            uses_unknown_channel: own().any(|(_, s)| s.any_channel),
            creates: creates.into_iter().map(|ty| model.processes[ty].name.clone()).collect(),
            channel: self.channel(),
            does_not_accord: self.conflicts(),
            never_with: self.never_with(),
            sticky: self.sticky(),
            run: self.run(),
            inside_runs_of: self.drivers(),
            seen_by: self.seen_by(),
            asserts: asserts(&t.effects),
            can_fail: can_fail_at(model, t),
            steps_to_end: self.steps_to_end(),
            steps_to_assertion: self.steps_to_assertion(),
        }
    }

    fn reader(&self, id: StatementId) -> Reader {
        let (inc, transition) = self.relations().decode(id);
        let basis = &self.survey.basis[self.model().transitions[transition].process];
        let stands_for_others = !matches!(basis, Basis::Initial(pids) if pids.len() == 1);
        Reader { instance: self.relations().incarnation(inc).instance, stands_for_others }
    }

    /// Names of cells as the processes that use them see them, each once, in order of cells.
    fn name_all(&self, cells: impl Iterator<Item = (StatementId, Vec<Cell>)>) -> Vec<SmolStr> {
        let mut named: Vec<(Cell, SmolStr)> = Vec::new();
        for (id, cells) in cells {
            let reader = self.reader(id);
            named.extend(cells.into_iter().map(|cell| (cell, self.query.names().cell(cell, reader))));
        }
        named.sort();
        let mut seen = HashSet::new();
        named.into_iter().map(|(_, name)| name).filter(|name| seen.insert(name.clone())).collect()
    }

    /// Adds the statements of a row; of those that do not exist yet, the ones that are `wanted`.
    fn add(&self, own: StatementId, row: &Row, wanted: &dyn Fn(&Grounded) -> bool, found: &mut Relatives) {
        for id in row.iter() {
            if let Some(process) = self.relations().created(id) {
                let first = self.relations().control(process).first.index();
                for (i, g) in self.relations().future(process).iter().enumerate() {
                    if wanted(g) {
                        found.entry((TransitionId::new(first + i), false)).or_insert(Whose::Created);
                    }
                }
            } else if let Some(whose) = self.whose(own, id) {
                let (_, transition) = self.relations().decode(id);
                let entry = found.entry((transition, whose == Whose::Same)).or_insert(whose);
                *entry = (*entry).min(whose);
            }
        }
    }

    /// Whose a statement is; nobody's if no process of its type is ever created.
    fn whose(&self, own: StatementId, other: StatementId) -> Option<Whose> {
        let instance = |id| self.relations().incarnation(self.relations().decode(id).0).instance;
        if instance(own) == instance(other) {
            return Some(Whose::Same);
        }
        let (_, transition) = self.relations().decode(other);
        match self.survey.basis[self.model().transitions[transition].process] {
            Basis::Initial(_) => Some(Whose::Other),
            Basis::Created => Some(Whose::Created),
            Basis::Never => None,
        }
    }

    fn finish(&self, found: Relatives) -> Vec<Relative> {
        let relative = |((t, _), whose)| Relative { statement: StatementRef::new(self.model(), t), whose };
        found.into_iter().map(relative).collect()
    }

    fn conditions(&self) -> Vec<Condition> {
        let mut needs: Vec<Need> = Vec::new();
        for &id in &self.ids {
            for need in self.query.needs(id) {
                if !needs.contains(&need) {
                    needs.push(need);
                }
            }
        }
        needs.sort_by_key(|need| match need {
            Need::Guard(guard) => (0, *guard),
            Need::Level => (1, 0),
            Need::Match => (2, 0),
            Need::Inhibitor => (3, 0),
            Need::Partner => (4, 0),
        });
        needs.into_iter().filter_map(|need| self.condition(need)).collect()
    }

    fn condition(&self, need: Need) -> Option<Condition> {
        let t = &self.model().transitions[self.transition];
        let (mut enabled_by, mut disabled_by) = (Relatives::new(), Relatives::new());
        let mut by_anything = false;
        let mut looked_at = Vec::new();
        for &id in &self.ids {
            let own = self.relations().statement(id);
            let cells: Vec<Cell> = match need {
                Need::Guard(guard) => match &own.tests[guard] {
                    Some(test) => {
                        by_anything |= *test == Test::Timeout;
                        tested(test)
                    }
                    None => continue,
                },
                Need::Level => own.comm.iter().flat_map(|comm| comm.buffers.clone()).collect(),
                Need::Match => own.comm.iter().flat_map(|c| c.reads.iter().map(|&(cell, _)| cell)).collect(),
                Need::Partner => continue,
                Need::Inhibitor => {
                    by_anything |= own.reads_everything;
                    own.inhibitors.iter().map(|&(cell, _)| cell).collect()
                }
            };
            looked_at.push((id, cells));
            if by_anything {
                continue;
            }
            let enables = self.query.changes(id, need, true);
            let disables = self.query.changes(id, need, false);
            let enabling = self.query.necessary_enabling_set(id, need);
            self.add(id, enabling.approximation(), &|g| enables(&g.statement), &mut enabled_by);
            let disabling = self.query.necessary_disabling_set(id, need);
            self.add(id, disabling.approximation(), &|g| disables(&g.statement), &mut disabled_by);
            if need == Need::Level {
                // The partner of a rendezvous comes, and goes.
                let partners = self.relations().partners(id);
                self.add(id, partners.approximation(), &|g| meets(own.comm.as_ref(), g), &mut enabled_by);
                self.add(id, partners.approximation(), &|g| meets(own.comm.as_ref(), g), &mut disabled_by);
            }
        }
        let comms = || self.ids.iter().filter_map(|&id| self.relations().statement(id).comm.as_ref());
        let (kind, text) = match need {
            Need::Guard(guard) => {
                let guard = &self.model().guards[t.guards[guard]];
                (ConditionKind::Guard, render::expression(self.model(), Some(t.process), guard))
            }
            Need::Level => (ConditionKind::Channel, level_text(comms())),
            // A message that only has to be there is told of above.
            Need::Match if comms().all(|comm| comm.reads.is_empty()) && !is_matched(t) => return None,
            Need::Match => (ConditionKind::Message, "a message that matches".to_owned()),
            Need::Partner => return None,
            Need::Inhibitor => (ConditionKind::Otherwise, otherwise_text(self.model(), self.transition)),
        };
        if by_anything {
            (enabled_by, disabled_by) = (Relatives::new(), Relatives::new());
        }
        Some(Condition {
            kind,
            text,
            variables: self.name_all(looked_at.into_iter()),
            by_anything,
            enabled_by: self.finish(enabled_by),
            disabled_by: self.finish(disabled_by),
        })
    }

    fn channel(&self) -> Option<ChannelUse> {
        let comms: Vec<(StatementId, &Operation)> = self
            .ids
            .iter()
            .filter_map(|&id| Some((id, self.relations().statement(id).comm.as_ref()?)))
            .collect();
        let (_, first) = comms.first()?;
        let mut partners = Relatives::new();
        let mut channels = Some(Vec::new());
        for &(id, comm) in &comms {
            self.add(
                id,
                self.relations().partners(id).approximation(),
                &|g| meets(Some(comm), g),
                &mut partners,
            );
            match (&comm.channels, &mut channels) {
                (Some(numbers), Some(channels)) => {
                    for &number in numbers {
                        let name = self.query.names().channel(number, self.reader(id));
                        if !channels.contains(&name) {
                            channels.push(name);
                        }
                    }
                }
                _ => channels = None,
            }
        }
        Some(ChannelUse {
            is_send: first.is_send,
            channels,
            may_meet: comms.iter().any(|(_, comm)| comm.may_meet),
            must_meet: comms.iter().all(|(_, comm)| comm.must_meet),
            partners: self.finish(partners),
        })
    }

    fn conflicts(&self) -> Vec<Conflict> {
        let mut found: BTreeMap<(TransitionId, bool), (Whose, Reason)> = BTreeMap::new();
        for &id in &self.ids {
            let own = self.relations().grounded(id);
            let comm = own.statement.comm.as_ref();
            let row = self.query.do_not_accord(id);
            for other in row.candidates() {
                if let Some(process) = self.relations().created(other) {
                    let first = self.relations().control(process).first.index();
                    for (i, g) in self.relations().future(process).iter().enumerate() {
                        if meets(comm, g) || own.conflicts_with(g) {
                            let key = (TransitionId::new(first + i), false);
                            found.entry(key).or_insert_with(|| (Whose::Created, self.reason(id, g)));
                        }
                    }
                } else if let Some(whose) = self.whose(id, other) {
                    let (_, transition) = self.relations().decode(other);
                    let reason = || match whose {
                        Whose::Same => Reason::SameLocation,
                        _ => self.reason(id, self.relations().grounded(other)),
                    };
                    let key = (transition, whose == Whose::Same);
                    match found.get(&key) {
                        Some((known, _)) if *known <= whose => {}
                        _ => {
                            found.insert(key, (whose, reason()));
                        }
                    }
                }
            }
        }
        let conflict = |((t, _), (whose, reason))| {
            let statement = StatementRef::new(self.model(), t);
            Conflict { with: Relative { statement, whose }, reason }
        };
        found.into_iter().map(conflict).collect()
    }

    /// Why a statement does not accord with one of another process.
    fn reason(&self, id: StatementId, other: &Grounded) -> Reason {
        let own = self.relations().grounded(id);
        if meets(own.statement.comm.as_ref(), other) {
            return Reason::Rendezvous;
        }
        let clashes = clashes(own, other);
        let names = self.query.names();
        let declared = clashes.iter().find(|clash| names.is_declared(clash.cell));
        if let Some(clash) = declared.or(clashes.first()) {
            return Reason::Shared {
                name: names.cell(clash.cell, self.reader(id)),
                here: clash.here,
                there: clash.there,
                in_run_here: clash.in_run_here,
                in_run_there: clash.in_run_there,
            };
        }
        if share_unknown_channel(own, other) {
            Reason::UnknownChannel
        } else if own.run.reads_everything || other.run.reads_everything {
            Reason::Everything
        } else if own.statement.waits_for_timeout && other.statement.waits_for_timeout {
            Reason::Timeout
        } else {
            Reason::Unclear
        }
    }

    fn never_with(&self) -> Vec<StatementRef> {
        let model = self.model();
        let others = model.source_of(self.transition).transition_ids().filter(|&t| t != self.transition);
        let never = others.filter(|&other| {
            let others = self.survey.statements(other);
            let mut pairs = self.ids.iter().zip(others);
            pairs.all(|(&own, other)| self.query.may_be_co_enabled(own, other).is_impossible())
        });
        never.map(|t| StatementRef::new(model, t)).collect()
    }

    fn sticky(&self) -> Sticky {
        let t = &self.model().transitions[self.transition];
        let is_sticky = |id| self.query.is_sticky(id).is_possible();
        if creates_process(t) {
            Sticky::CreatesProcess
        } else if self.relations().is_sticky_transition(self.transition) {
            Sticky::OnCycle
        } else if self.ids.iter().any(|&id| is_sticky(id)) {
            Sticky::InRun
        } else {
            Sticky::No
        }
    }

    fn run(&self) -> Option<AtomicRun> {
        if !self.model().transitions[self.transition].atomic {
            return None;
        }
        let mut contains = Relatives::new();
        let (mut reads, mut writes) = (Vec::new(), Vec::new());
        for &id in &self.ids {
            let g = self.relations().grounded(id);
            for &inner in &g.inside {
                if let Some(whose) = self.whose(id, inner) {
                    let (_, transition) = self.relations().decode(inner);
                    contains.entry((transition, whose == Whose::Same)).or_insert(whose);
                }
            }
            let own = |cell: Cell, writes: bool| {
                let tests = g.statement.tests.iter().flatten().flat_map(Test::accesses);
                let mut all = tests.chain(g.statement.accesses.iter().copied());
                all.any(|(c, access)| c == cell && access.writes() == writes)
            };
            let added = |writes: bool| {
                let of_run = g.run.accesses.iter().filter(move |(_, access)| access.writes() == writes);
                of_run.map(|&(cell, _)| cell).filter(|&cell| !own(cell, writes)).collect::<Vec<Cell>>()
            };
            reads.push((id, added(false)));
            writes.push((id, added(true)));
        }
        let (reads, writes) = (self.name_all(reads.into_iter()), self.name_all(writes.into_iter()));
        Some(AtomicRun { contains: self.finish(contains), reads, writes })
    }

    fn drivers(&self) -> Vec<StatementRef> {
        let drivers = self.ids.iter().flat_map(|&id| self.relations().grounded(id).drivers.iter().copied());
        let mut drivers: Vec<TransitionId> =
            drivers.map(|driver| self.relations().decode(driver).1).collect();
        drivers.sort_unstable();
        drivers.dedup();
        drivers.into_iter().map(|t| StatementRef::new(self.model(), t)).collect()
    }

    /// The claims whose propositions it may change.
    fn seen_by(&self) -> Vec<SmolStr> {
        let sees = |proposition: &Expr| {
            let row = self.relations().visible(&self.survey.layout, proposition);
            self.ids.iter().any(|&id| row.may_contain(id))
        };
        let claims = self.model().claims.iter();
        claims.filter(|claim| claim.propositions().iter().any(sees)).map(|claim| claim.name.clone()).collect()
    }

    fn steps_to_end(&self) -> Option<u32> {
        let t = &self.model().transitions[self.transition];
        let Some(to) = t.to else { return Some(1) };
        let process = &self.model().processes[t.process];
        let distances = self.relations().control(t.process).distances();
        distances.to_nearest(to, |location| process.location(location).is_end).map(|distance| distance + 1)
    }

    fn steps_to_assertion(&self) -> Option<u32> {
        let t = &self.model().transitions[self.transition];
        if asserts(&t.effects) {
            return Some(1);
        }
        let process = &self.model().processes[t.process];
        let has_assertion = |location: LocationId| {
            let mut transitions = process.location(location).transition_ids();
            transitions.any(|t| asserts(&self.model().transitions[t].effects))
        };
        let distances = self.relations().control(t.process).distances();
        distances.to_nearest(t.to?, has_assertion).map(|distance| distance + 2)
    }
}

/// Whether a statement may be the other half of a rendezvous.
fn meets(own: Option<&Operation>, other: &Grounded) -> bool {
    own.zip(other.statement.comm.as_ref()).is_some_and(|(own, other)| {
        own.may_meet && other.may_meet && own.is_send != other.is_send && own.may_share_channel(other)
    })
}

fn level_text<'o>(mut comms: impl Iterator<Item = &'o Operation>) -> String {
    let Some(comm) = comms.next() else { return String::new() };
    let text = match (comm.must_meet, comm.is_send) {
        (true, true) => "somebody is ready to receive",
        (true, false) => "somebody is ready to send",
        (false, true) => "the channel has room",
        (false, false) => "the channel has a message",
    };
    text.to_owned()
}

/// Whether a receive takes some messages only.
fn is_matched(t: &stubborn_ir::Transition) -> bool {
    matches!(&t.comm, Some(stubborn_ir::Comm::Receive(receive))
        if receive.pattern.iter().any(|field| matches!(field, stubborn_ir::Pattern::Match(_))))
}

fn otherwise_text(model: &Model, transition: TransitionId) -> String {
    let inhibitors = model.transitions[transition].inhibitors.iter();
    let texts: Vec<&str> = inhibitors.map(|&t| &*model.transitions[t].origin.text).collect();
    format!("not possible: {}", texts.join("; "))
}

fn asserts(effects: &[Effect]) -> bool {
    effects.iter().any(|effect| match effect {
        Effect::Assert(_) => true,
        Effect::DStep(dstep) => dstep.nodes.iter().flatten().any(|a| asserts(&a.effects)),
        _ => false,
    })
}
