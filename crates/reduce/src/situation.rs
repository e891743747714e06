//! A state as the reducers see it: who is where, what is enabled, and what can still
//! become enabled.

use stubborn_base::Idx;
use stubborn_ir::{InstanceId, Interpreter, LocationId, Model, Pid, Prepared, Step};
use stubborn_relations::{IncarnationId, Relations, StatementId, bits};

/// A process that exists.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Alive {
    pub(crate) instance: InstanceId,
    pub(crate) incarnation: IncarnationId,
    pub(crate) location: LocationId,
}

/// A state, taken apart. Kept between states for its buffers.
#[derive(Debug, Default)]
pub(crate) struct Situation {
    pub(crate) alive: Vec<Alive>,
    /// By incarnation: its index in `alive` plus 1, or 0.
    position: Vec<u32>,
    /// By prepared step: its statement, and its partner's.
    pub(crate) steps: Vec<(StatementId, Option<StatementId>)>,
    /// Statements of `steps`.
    pub(crate) enabled: Vec<u64>,
    /// Statements that stand for a step each: `enabled` without the receiving halves of rendezvous.
    pub(crate) counted: Vec<u64>,
    /// How many these are.
    pub(crate) n_counted: u32,
    /// Statements that are enabled or may become so without a process being created, and creations.
    pub(crate) relevant: Vec<u64>,
    values: Vec<i32>,
}

/// Whether a state can be reduced at all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reducible {
    Yes,
    /// Nothing is to be gained or something failed: explore everything.
    No,
}

impl Situation {
    /// Takes a state apart whose steps are prepared.
    pub(crate) fn observe(
        &mut self,
        relations: &mut Relations<'_>,
        interpreter: &Interpreter<'_>,
        state: &[u8],
        prepared: Prepared,
        timeout_is_reducible: bool,
    ) -> Reducible {
        let steps = interpreter.prepared();
        // What waits for `timeout` depends on everything. An error says nothing about what comes after.
        let reducible =
            prepared == Prepared::Steps || (prepared == Prepared::Timeout && timeout_is_reducible);
        if !reducible || steps.iter().any(|(_, error)| error.is_some()) {
            return Reducible::No;
        }
        self.find_alive(relations, interpreter, state);
        let n_words = relations.n_words();
        for row in [&mut self.enabled, &mut self.counted, &mut self.relevant] {
            row.clear();
            row.resize(n_words, 0);
        }
        for process in relations.model().processes.indices() {
            bits::insert(&mut self.relevant, relations.creation(process));
        }
        for process in &self.alive {
            let incarnation = relations.incarnation(process.incarnation);
            let reachable = relations.control(incarnation.process).reachable(process.location);
            bits::place(&mut self.relevant, incarnation.base, reachable.iter().copied());
        }
        self.steps.clear();
        for (step, _) in steps {
            self.add_step(relations, step);
        }
        self.n_counted = bits::count(&self.counted);
        Reducible::Yes
    }

    fn find_alive(&mut self, relations: &mut Relations<'_>, interpreter: &Interpreter<'_>, state: &[u8]) {
        for process in &self.alive {
            self.position[process.incarnation.index()] = 0;
        }
        self.alive.clear();
        let layout = interpreter.layout();
        for pid in 0..Model::num_processes_slot().read(state) {
            let Some(id) = layout.alive(state, pid as Pid) else { continue };
            let instance = layout.instance(id);
            self.values.clear();
            for slot in relations.fixed(instance.process) {
                self.values.push(slot.shifted(instance.base).read(state));
            }
            let known = relations.known(id);
            // To compare two empty vectors is a call that looks at memory which is not there: slow on some
            // processors.
            let is_same = |v: &Vec<i32>| v.len() == self.values.len() && v.iter().eq(&self.values);
            let found = known.iter().find(|(values, _)| values.as_ref().is_some_and(is_same));
            let incarnation = match found {
                Some((_, incarnation)) => *incarnation,
                None => relations.incarnate(layout, id, &self.values),
            };
            let location = LocationId((instance.location.read(state) - 1) as u16);
            self.alive.push(Alive { instance: id, incarnation, location });
        }
        for (i, process) in self.alive.iter().enumerate() {
            let index = process.incarnation.index();
            if self.position.len() <= index {
                self.position.resize(index + 1, 0);
            }
            self.position[index] = i as u32 + 1;
        }
    }

    fn add_step(&mut self, relations: &Relations<'_>, step: &Step) {
        let find =
            |instance| self.alive.iter().find(|p| p.instance == instance).expect("it moves").incarnation;
        let first = relations.statement_id(find(step.process), step.transition);
        let partner = step.partner.map(|(process, with)| relations.statement_id(find(process), with));
        bits::insert(&mut self.enabled, first);
        bits::insert(&mut self.counted, first);
        if let Some(partner) = partner {
            bits::insert(&mut self.enabled, partner);
        }
        self.steps.push((first, partner));
    }

    /// Whether an enabled statement is one half of a rendezvous.
    pub(crate) fn is_half(&self, statement: StatementId) -> bool {
        self.steps.iter().any(|&(first, partner)| {
            partner.is_some_and(|partner| first == statement || partner == statement)
        })
    }

    /// The index in `alive` of an incarnation that exists.
    pub(crate) fn index_of(&self, incarnation: IncarnationId) -> usize {
        self.position[incarnation.index()] as usize - 1
    }

    /// The process of a statement, which exists.
    #[inline]
    pub(crate) fn process_of(&self, incarnation: IncarnationId) -> &Alive {
        &self.alive[self.index_of(incarnation)]
    }
}
