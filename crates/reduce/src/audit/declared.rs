//! Declared read and write sets, held against what statements do.
//!
//! As LTSmin's `pins2pins-check.c`: what a step changes must be declared as written; and
//! where something is different that is not declared as read or written, whether the step
//! is possible, what it changes and whether it fails must be the same. One step at a time,
//! also inside atomic runs.

use stubborn_base::IndexVec;
use stubborn_ir::{
    Applied, InstanceId, Interpreter, LocationId, Model, Move, Prepared, ProcessTypeId, RuntimeErrorKind,
    Slot, Step, TransitionId,
};
use stubborn_relations::access::{Access, Cell, Test};
use stubborn_relations::constants::Constants;
use stubborn_relations::statement::Statement;
use stubborn_relations::{Fault, Relations};

use crate::audit::graph::{Graph, Node};
use crate::audit::report::{Condition, Tally, Violation};
use crate::audit::slots::{Kind, Part, Random, parts};
use crate::audit::words::tell_move;
use crate::situation::{Reducible, Situation};

/// Who declares what statements read and write.
pub trait Declare {
    /// Looks at a state whose steps are prepared; false if nothing can be said there.
    fn observe(&mut self, interpreter: &Interpreter<'_>, state: &[u8], prepared: Prepared) -> bool;

    /// What a transition of a process of that state does by itself.
    fn statement(&self, process: InstanceId, transition: TransitionId) -> Statement;
}

/// What the relations declare.
#[derive(Debug)]
pub struct Declarations<'m> {
    relations: Relations<'m>,
    situation: Situation,
}

impl<'m> Declarations<'m> {
    /// For a model with that initial state.
    pub fn new(model: &'m Model, initial: &[u8], fault: Option<Fault>) -> Self {
        Declarations { relations: Relations::new(model, initial, fault), situation: Situation::default() }
    }
}

impl Declare for Declarations<'_> {
    fn observe(&mut self, interpreter: &Interpreter<'_>, state: &[u8], prepared: Prepared) -> bool {
        let Declarations { relations, situation } = self;
        situation.observe(relations, interpreter, state, prepared, false) == Reducible::Yes
    }

    fn statement(&self, process: InstanceId, transition: TransitionId) -> Statement {
        let alive = self.situation.alive.iter().find(|alive| alive.instance == process);
        let incarnation = alive.expect("it is a process of the state").incarnation;
        self.relations.statement(self.relations.statement_id(incarnation, transition)).clone()
    }
}

/// A step with what its halves are declared to do.
struct Candidate {
    step: Step,
    halves: Vec<Statement>,
}

/// What a step does to a state.
type Done = (Vec<u8>, Result<Applied, RuntimeErrorKind>);

/// Tries statements out.
pub(crate) struct Declared<'a, 'm> {
    graph: &'a mut Graph<'m>,
    declare: &'a mut dyn Declare,
    random: Random,
    fixed: IndexVec<ProcessTypeId, Vec<Slot>>,
    writes: Tally,
    reads: Tally,
}

impl<'a, 'm> Declared<'a, 'm> {
    pub(crate) fn new(graph: &'a mut Graph<'m>, declare: &'a mut dyn Declare, seed: u64) -> Self {
        let constants = Constants::of(graph.model());
        let ids = graph.model().processes.iter_enumerated();
        let fixed = ids.map(|(id, _)| constants.fixed(id).to_vec()).collect();
        let [writes, reads] = [Condition::Writes, Condition::Reads].map(Tally::new);
        Declared { graph, declare, random: Random(seed), fixed, writes, reads }
    }

    /// In at most that many states.
    pub(crate) fn check(mut self, n_samples: usize) -> Vec<Tally> {
        let n_states = self.graph.n_states();
        let varying = self.varying_globals();
        for i in 0..n_samples.min(n_states) {
            let node = if n_states <= n_samples { i } else { self.random.below(n_states) };
            self.check_state(node as Node, &varying);
        }
        vec![self.writes, self.reads]
    }

    /// Cells of globals that do not have one value in all states. The others need no declaration.
    fn varying_globals(&self) -> Vec<Cell> {
        let first = self.graph.bytes(0);
        let mut varying = Vec::new();
        for node in 0..self.graph.n_states() as Node {
            let state = self.graph.bytes(node);
            for variable in &self.graph.model().globals {
                let cell = variable.slot.offset;
                if !varying.contains(&cell) && variable.slot.read(&state) != variable.slot.read(&first) {
                    varying.push(cell);
                }
            }
        }
        varying
    }

    fn check_state(&mut self, node: Node, varying: &[Cell]) {
        let state = self.graph.bytes(node);
        let prepared = self.graph.interpreter().prepare(&state);
        let steps = self.graph.interpreter().prepared().to_vec();
        if !self.declare.observe(self.graph.interpreter(), &state, prepared) {
            return;
        }
        let parts = parts(self.graph.model(), self.graph.layout(), &state);
        let mut done = Vec::new();
        for (step, _) in &steps {
            let candidate = self.candidate(*step);
            let result = self.take(&state, step);
            self.check_writes(node, &state, &candidate, &result, &parts);
            done.push((candidate, result));
        }
        for part in &parts {
            let is_constant = match part.owner {
                None => matches!(part.kind, Kind::Variable(..)) && !varying.contains(&part.cell),
                Some(owner) => self.is_fixed(owner, part.cell),
            };
            if !is_constant {
                self.check_reads(node, &state, &done, part);
            }
        }
    }

    fn candidate(&self, step: Step) -> Candidate {
        let mut halves = vec![self.declare.statement(step.process, step.transition)];
        halves.extend(step.partner.map(|(process, with)| self.declare.statement(process, with)));
        Candidate { step, halves }
    }

    fn take(&mut self, state: &[u8], step: &Step) -> Done {
        let mut after = state.to_vec();
        let result = self.graph.interpreter().apply(&mut after, step);
        (after, result)
    }

    fn is_fixed(&self, owner: InstanceId, cell: Cell) -> bool {
        let instance = self.graph.layout().instance(owner);
        self.fixed[instance.process].iter().any(|slot| instance.base + slot.offset == cell)
    }

    fn violation(&self, node: Node, step: &Step, what: String) -> Violation {
        let step: Move = self.graph.layout().move_of(step);
        let text = tell_move(self.graph.model(), &step);
        let (way, state) = (self.graph.way_to(node), self.graph.tell_state(node));
        Violation { way, state, step: Some(step), what: format!("{text} {what}") }
    }

    fn check_writes(&mut self, node: Node, state: &[u8], candidate: &Candidate, done: &Done, parts: &[Part]) {
        let (after, Ok(_)) = done else { return };
        self.writes.n_checked += 1;
        let mut wrong = Vec::new();
        for part in parts {
            let changed = state[part.bytes()] != after[part.bytes()];
            if changed && !candidate.may_write(part) {
                wrong.push(format!("changes {}, which it is not declared to write", part.name));
            } else if changed
                && let Some(owner) = part.owner
                && self.graph.layout().is_alive(after, owner)
                && self.is_fixed(owner, part.cell)
            {
                wrong.push(format!("changes {}, which is declared to stay as it is", part.name));
            } else if let Some(expected) = candidate.expected(part, state)
                && part.value(after) != Some(expected)
            {
                wrong.push(format!("does not make {} the declared {expected}", part.name));
            }
        }
        wrong.extend(self.unnamed_change(state, after, parts, candidate));
        if let Some(what) = wrong.into_iter().next() {
            let violation = self.violation(node, &candidate.step, what);
            self.writes.violated(|| violation);
        }
    }

    /// A change of something that has no name; processes that appear or go apart.
    fn unnamed_change(
        &self,
        state: &[u8],
        after: &[u8],
        parts: &[Part],
        candidate: &Candidate,
    ) -> Option<String> {
        let mut known = vec![false; after.len()];
        parts.iter().for_each(|part| known[part.bytes()].fill(true));
        let layout = self.graph.layout();
        for (id, instance) in layout.instances() {
            if !layout.is_alive(state, id) || !layout.is_alive(after, id) {
                let size = self.graph.model().processes[instance.process].frame_size;
                known[instance.base as usize..(instance.base + size) as usize].fill(true);
            }
        }
        // A variable whose name is hidden has no part, but must be declared.
        for (cell, _) in candidate.accesses().filter(|(_, access)| access.writes()) {
            let end = (cell as usize).saturating_add(size_of::<i32>()).min(known.len());
            known[(cell as usize).min(end)..end].fill(true);
        }
        let at = (0..state.len()).find(|&i| state[i] != after[i] && !known[i])?;
        Some(format!("changes byte {at} of the state, which is no variable's"))
    }

    /// What happens where one part is different.
    fn check_reads(&mut self, node: Node, state: &[u8], done: &[(Candidate, Done)], part: &Part) {
        let mut other = state.to_vec();
        let (model, layout) = (self.graph.model(), self.graph.layout().clone());
        if !part.change(model, &layout, &mut other, &mut self.random) {
            return;
        }
        self.graph.interpreter().prepare(&other);
        let steps = self.graph.interpreter().prepared().to_vec();
        self.reads.n_checked += 1;
        let was = |value: &[u8]| part.value(value).map_or("different".to_owned(), |v| v.to_string());
        let where_ = format!("{} were {} instead of {}", part.name, was(&other), was(state));
        for (candidate, before) in done.iter().filter(|(candidate, _)| !candidate.depends_on(part)) {
            let what = match steps.iter().find(|(step, _)| *step == candidate.step) {
                None => Some("would not be possible"),
                Some((_, Some(_))) => Some("would fail"),
                Some((step, None)) => self.difference(&other, step, part, before),
            };
            if let Some(what) = what {
                let what = format!("{what} if {where_}; it is not declared to read that");
                let violation = self.violation(node, &candidate.step, what);
                self.reads.violated(|| violation);
            }
        }
        for (step, _) in &steps {
            let is_new = done.iter().all(|(candidate, _)| candidate.step != *step);
            if is_new && self.is_where_it_was(state, step) {
                let candidate = self.candidate(*step);
                if !candidate.depends_on(part) {
                    let what = format!("would be possible if {where_}; it is not declared to read that");
                    let violation = self.violation(node, step, what);
                    self.reads.violated(|| violation);
                }
            }
        }
    }

    /// Whether a step's processes are where it begins.
    fn is_where_it_was(&self, state: &[u8], step: &Step) -> bool {
        let is_there = |process: InstanceId, transition: TransitionId| {
            let layout = self.graph.layout();
            let from: LocationId = self.graph.model().transitions[transition].from;
            layout.is_alive(state, process)
                && layout.instance(process).location.read(state) == i32::from(from.0) + 1
        };
        is_there(step.process, step.transition)
            && step.partner.is_none_or(|(process, with)| is_there(process, with))
    }

    /// How a step differs from what it did before.
    fn difference(&mut self, other: &[u8], step: &Step, part: &Part, before: &Done) -> Option<&'static str> {
        let (mut after, result) = self.take(other, step);
        let (expected, expected_result) = before;
        match (&result, expected_result) {
            (Err(kind), Err(expected)) => return (kind != expected).then_some("would fail differently"),
            (Err(_), Ok(_)) => return Some("would fail"),
            (Ok(_), Err(_)) => return Some("would not fail"),
            (Ok(applied), Ok(expected)) if applied.failed != expected.failed => {
                return Some("would assert differently");
            }
            _ => {}
        }
        let mut expected = expected.clone();
        let size = expected.len().max(after.len());
        expected.resize(size, 0);
        after.resize(size, 0);
        if after[part.bytes()] != other[part.bytes()] {
            return Some("would change that, which it does not write, and");
        }
        expected[part.bytes()].copy_from_slice(&after[part.bytes()]);
        (after != expected).then_some("would do something else")
    }
}

impl Candidate {
    fn accesses(&self) -> impl Iterator<Item = (Cell, Access)> + '_ {
        self.halves.iter().flat_map(|s| s.accesses.iter().copied())
    }

    fn may_write(&self, part: &Part) -> bool {
        let any = matches!(part.kind, Kind::Buffer(..)) && self.halves.iter().any(|s| s.any_channel);
        any || self.accesses().any(|(cell, access)| cell == part.cell && access.writes())
    }

    /// The value a part is declared to get.
    fn expected(&self, part: &Part, state: &[u8]) -> Option<i32> {
        let mut writes = self.accesses().filter(|(cell, access)| *cell == part.cell && access.writes());
        match (writes.next()?.1, writes.next()) {
            (Access::Set(value), None) => Some(part.wrap(value)),
            (Access::Add(by) | Access::Count(by) | Access::CountIfRoom(by), None) => {
                part.value(state).map(|now| part.wrap(now.wrapping_add(by)))
            }
            _ => None,
        }
    }

    /// Whether what it does is declared to have to do with a part.
    fn depends_on(&self, part: &Part) -> bool {
        self.halves.iter().any(|s| {
            let tests = || s.tests.iter().flatten().flat_map(Test::accesses);
            s.reads_everything
                || s.waits_for_timeout
                || (s.any_channel && matches!(part.kind, Kind::Buffer(..)))
                || s.accesses.iter().any(|(cell, _)| *cell == part.cell)
                || tests().any(|(cell, _)| cell == part.cell)
        })
    }
}
