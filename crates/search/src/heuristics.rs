//! How far it is: the heuristics of Edelkamp, Leue and Lluch Lafuente, sections 2.5 and 3.1.
//!
//! Lengths are counted in steps, and a rendezvous is one step that moves two processes. So where there are
//! rendezvous, a sum of distances of processes is halved: it stays admissible.

use stubborn_base::IndexVec;
use stubborn_ir::{InstanceId, Interpreter, LocationId, Model, Pid, ProcessTypeId};
use stubborn_relations::Control;

use crate::directed::{Goal, Heuristic};
pub use crate::formula::{Assertions, Invariant};
pub use crate::snapshot::{Relevant, Snapshot};

/// H_d: the number of bits in which a state differs from a given one. Not admissible: a step may change many.
/// With a [`Snapshot`] of which only a part counts, it is the variant for equivalence classes.
#[derive(Clone, Debug)]
pub struct Hamming(pub Snapshot);

impl Heuristic for Hamming {
    fn estimate(&self, interpreter: &Interpreter<'_>, state: &[u8]) -> u32 {
        self.0.distance(interpreter, state)
    }

    fn is_admissible(&self, _: &Goal<'_>) -> bool {
        false
    }
}

/// H_m, the FSM distance: how many transitions the processes are from where they are in a given state, whatever
/// the data.
#[derive(Debug)]
pub struct FsmDistance {
    control: IndexVec<ProcessTypeId, Control>,
    /// Where each process is to come to; none where that does not matter.
    wanted: Vec<Option<(ProcessTypeId, LocationId)>>,
    may_meet: bool,
}

impl FsmDistance {
    /// To a state in which all processes are where they are in that one.
    pub fn to(interpreter: &Interpreter<'_>, target: &[u8]) -> Self {
        Self::to_class(interpreter, target, &|_| true)
    }

    /// To a state in which the processes that matter are where they are in that one.
    pub fn to_class(interpreter: &Interpreter<'_>, target: &[u8], matters: &dyn Fn(Pid) -> bool) -> Self {
        let model = interpreter.model();
        let mut wanted = Vec::new();
        for pid in 0..Model::num_processes_slot().read(target) as Pid {
            wanted.push(interpreter.layout().alive(target, pid).filter(|_| matters(pid)).map(|id| {
                let instance = interpreter.layout().instance(id);
                (instance.process, LocationId((instance.location.read(target) - 1) as u16))
            }));
        }
        FsmDistance { control: Control::of(model), wanted, may_meet: may_meet(model) }
    }
}

impl Heuristic for FsmDistance {
    fn estimate(&self, interpreter: &Interpreter<'_>, state: &[u8]) -> u32 {
        let layout = interpreter.layout();
        let mut sum: u32 = 0;
        for (pid, wanted) in self.wanted.iter().enumerate() {
            let Some((process, location)) = *wanted else { continue };
            // A process that is not there, or another one in its place, may come yet.
            let Some(id) = layout.alive(state, pid as Pid) else { continue };
            let instance = layout.instance(id);
            if instance.process == process {
                let at = LocationId((instance.location.read(state) - 1) as u16);
                // Where no way leads, the process can only end, and another one come.
                sum += self.control[process].distances().between(at, location).unwrap_or(0);
            }
        }
        if self.may_meet { sum.div_ceil(2) } else { sum }
    }

    fn is_admissible(&self, goal: &Goal<'_>) -> bool {
        // Another violation may be nearer than the one it leads to.
        matches!(goal, Goal::State(_))
    }
}

/// H_ap: the number of processes that can move, for invalid end states. Not admissible.
#[derive(Clone, Copy, Default, Debug)]
pub struct ActiveProcesses;

impl Heuristic for ActiveProcesses {
    fn estimate(&self, interpreter: &Interpreter<'_>, state: &[u8]) -> u32 {
        let n_processes = Model::num_processes_slot().read(state) as Pid;
        let layout = interpreter.layout();
        let alive = (0..n_processes).filter_map(|pid| layout.alive(state, pid));
        alive.filter(|&process| can_move(interpreter, state, process)).count() as u32
    }

    fn is_admissible(&self, _: &Goal<'_>) -> bool {
        false
    }
}

fn can_move(interpreter: &Interpreter<'_>, state: &[u8], process: InstanceId) -> bool {
    let instance = interpreter.layout().instance(process);
    let at = LocationId((instance.location.read(state) - 1) as u16);
    let location = interpreter.model().processes[instance.process].location(at);
    location.transition_ids().any(|t| interpreter.is_enabled(state, process, t) != Ok(false))
}

/// Whether two processes may move in one step.
fn may_meet(model: &Model) -> bool {
    let locals = model.processes.iter().flat_map(|ty| &ty.channels);
    model.channels.iter().chain(locals).any(|channel| channel.capacity == 0)
}
