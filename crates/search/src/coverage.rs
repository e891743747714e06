//! What a search saw of a model: which statements were executed, and which values there were.
//!
//! Of states that a reduction left out nothing is known, so values are those *seen*. Statements are another matter:
//! under strong sets and a proviso against ignoring, what can be executed at all is executed.

use stubborn_base::IndexVec;
use stubborn_ir::{Interpreter, Model, Pid, ProcessTypeId, Step, TransitionId};

/// The least and the greatest value seen.
pub type Range = (i32, i32);

/// What was seen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Coverage {
    /// By transition: the number of edges it was executed on.
    pub executed: IndexVec<TransitionId, u64>,
    /// By transition: the number of stored states it was enabled in.
    pub enabled: IndexVec<TransitionId, u64>,
    /// By global variable: its values.
    pub globals: Vec<Option<Range>>,
    /// By process type and local variable: its values, over all processes of the type.
    pub locals: IndexVec<ProcessTypeId, Vec<Option<Range>>>,
    /// By global channel: the most messages in it.
    pub channels: Vec<u32>,
    /// By place of a net: the most tokens in it.
    pub places: Vec<u64>,
}

impl Coverage {
    /// Nothing yet.
    pub(crate) fn new(model: &Model) -> Self {
        let none: IndexVec<TransitionId, u64> = model.transitions.iter().map(|_| 0).collect();
        Coverage {
            executed: none.clone(),
            enabled: none,
            globals: vec![None; model.globals.len()],
            locals: model.processes.iter().map(|ty| vec![None; ty.locals.len()]).collect(),
            channels: vec![0; model.channels.len()],
            places: vec![0; model.net.as_ref().map_or(0, |net| net.places.len())],
        }
    }

    /// A stored state whose steps are prepared.
    pub(crate) fn see(&mut self, interpreter: &Interpreter<'_>, state: &[u8]) {
        let model = interpreter.model();
        for (step, _) in interpreter.prepared() {
            count(&mut self.enabled, step);
        }
        for (variable, range) in model.globals.iter().zip(&mut self.globals) {
            widen(range, variable.slot.read(state));
        }
        if let Some(net) = &model.net {
            for (place, most) in net.places.iter().zip(&mut self.places) {
                let tokens = place.tokens.iter().map(|token| i64::from(token.kept.count(state)));
                *most = (*most).max(tokens.sum::<i64>().max(0) as u64);
            }
        }
        for (channel, most) in model.channels.iter().zip(&mut self.channels) {
            if channel.capacity > 0 {
                let len = channel.len_slot().shifted(channel.offset).read(state) as u32;
                *most = len.max(*most);
            }
        }
        let layout = interpreter.layout();
        for pid in 0..Model::num_processes_slot().read(state) as Pid {
            let Some(id) = layout.alive(state, pid) else { continue };
            let instance = layout.instance(id);
            let process = &model.processes[instance.process];
            let dead = &process.locations[instance.location.read(state) as usize - 1].dead;
            let locals = process.locals.iter().zip(&mut self.locals[instance.process]);
            for (variable, range) in locals.filter(|(variable, _)| !dead.contains(&variable.slot)) {
                widen(range, variable.slot.shifted(instance.base).read(state));
            }
        }
    }

    /// The steps of an edge.
    pub(crate) fn execute(&mut self, steps: &[Step]) {
        for step in steps {
            count(&mut self.executed, step);
        }
    }
}

fn count(counts: &mut IndexVec<TransitionId, u64>, step: &Step) {
    counts[step.transition] += 1;
    if let Some((_, with)) = step.partner {
        counts[with] += 1;
    }
}

fn widen(range: &mut Option<Range>, value: i32) {
    *range = Some(range.map_or((value, value), |(least, most)| (least.min(value), most.max(value))));
}
