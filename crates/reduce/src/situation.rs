//! A state as the reducers see it: who is where, what is enabled, and what can still
//! become enabled.

use stubborn_base::Idx;
use stubborn_ir::{InstanceId, Interpreter, Layout, LocationId, Model, Pid, Prepared, Slot, Step};
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
    /// By incarnation: its index in `alive`, if it is there.
    position: Vec<u32>,
    /// By instance: its incarnation, if it is alive.
    incarnations: Vec<IncarnationId>,
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
    /// Creations of processes that can no more be created: nothing has to be executed before what never happens.
    pub(crate) idle: Vec<u64>,
}

/// Whether a state can be reduced at all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reducible {
    Yes,
    /// Nothing is to be gained or something failed: explore everything.
    No,
}

/// The incarnation of a process that exists in a state, if it is told apart from others, or its fixed values.
fn incarnation(
    relations: &Relations<'_>,
    layout: &Layout,
    state: &[u8],
    id: InstanceId,
) -> Result<IncarnationId, Vec<i32>> {
    let instance = layout.instance(id);
    let fixed = relations.fixed(instance.process);
    let value = |slot: &Slot| slot.shifted(instance.base).read(state);
    let is_same = |values: &Vec<i32>| {
        debug_assert_eq!(values.len(), fixed.len());
        fixed.iter().zip(values).all(|(slot, known)| value(slot) == *known)
    };
    let mut known = relations.known(id).iter();
    match known.find(|(values, _)| values.as_ref().is_some_and(is_same)) {
        Some((_, incarnation)) => Ok(*incarnation),
        None => Err(fixed.iter().map(value).collect()),
    }
}

/// The processes of a state that the relations do not know, with their fixed values.
pub(crate) fn unknown(
    relations: &Relations<'_>,
    layout: &Layout,
    state: &[u8],
) -> Vec<(InstanceId, Vec<i32>)> {
    let pids = 0..Model::num_processes_slot().read(state);
    let alive = pids.filter_map(|pid| layout.alive(state, pid as Pid));
    // Where there are too many to be told apart, one stands for the rest.
    let is_open = |id: &InstanceId| !relations.known(*id).iter().any(|(values, _)| values.is_none());
    let values = |id| incarnation(relations, layout, state, id).err().map(|values| (id, values));
    alive.filter(is_open).filter_map(values).collect()
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
        for row in [&mut self.enabled, &mut self.counted, &mut self.relevant, &mut self.idle] {
            row.clear();
            row.resize(n_words, 0);
        }
        for process in &self.alive {
            let incarnation = relations.incarnation(process.incarnation);
            let reachable = relations.reachable(process.incarnation, process.location);
            match *reachable {
                [word] => self.relevant[incarnation.base as usize / 64] |= word << (incarnation.base % 64),
                _ => bits::place(&mut self.relevant, incarnation.base, reachable.iter().copied()),
            }
        }
        for process in relations.model().processes.indices() {
            bits::insert(&mut self.relevant, relations.creation(process));
        }
        for process in relations.model().processes.indices() {
            if !relations.creators(process).may_intersect(&self.relevant) {
                bits::insert(&mut self.idle, relations.creation(process));
            }
        }
        self.steps.clear();
        self.n_counted = 0;
        for (step, _) in steps {
            self.add_step(relations, step);
        }
        Reducible::Yes
    }

    fn find_alive(&mut self, relations: &mut Relations<'_>, interpreter: &Interpreter<'_>, state: &[u8]) {
        self.alive.clear();
        let layout = interpreter.layout();
        for pid in 0..Model::num_processes_slot().read(state) {
            let Some(id) = layout.alive(state, pid as Pid) else { continue };
            let instance = layout.instance(id);
            let incarnation = match incarnation(relations, layout, state, id) {
                Ok(incarnation) => incarnation,
                Err(values) => relations.incarnate(layout, id, &values),
            };
            let location = LocationId((instance.location.read(state) - 1) as u16);
            put(&mut self.position, incarnation.index(), self.alive.len() as u32);
            put(&mut self.incarnations, id.index(), incarnation);
            self.alive.push(Alive { instance: id, incarnation, location });
        }
    }

    fn add_step(&mut self, relations: &Relations<'_>, step: &Step) {
        let find = |instance: InstanceId| self.incarnations[instance.index()];
        let first = relations.statement_id(find(step.process), step.transition);
        let partner = step.partner.map(|(process, with)| relations.statement_id(find(process), with));
        bits::insert(&mut self.enabled, first);
        self.n_counted += u32::from(!bits::contains(&self.counted, first));
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
        self.position[incarnation.index()] as usize
    }

    /// The process of a statement, which exists.
    #[inline]
    pub(crate) fn process_of(&self, incarnation: IncarnationId) -> &Alive {
        &self.alive[self.index_of(incarnation)]
    }
}

/// Puts a value at an index that may be new.
fn put<T: Copy>(values: &mut Vec<T>, index: usize, value: T) {
    if values.len() <= index {
        values.resize(index + 1, value);
    }
    values[index] = value;
}
