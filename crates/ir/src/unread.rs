//! Variables whose values nobody needs.
//!
//! A variable is *read* if a guard, a channel operation, an assertion or an index looks at it, if whether a computation
//! fails depends on it, or if what is put into a variable that is read is computed from it. What is put into any other one decides
//! neither what can happen nor what goes wrong: models that differ only there are bisimilar, so a search for deadlocks
//! and failures that leaves those values alone has fewer states and the same answers, by runs of the same length. (It is
//! Weiser's program slicing, as `spin` does it, but of values only: every step stays.)
//!
//! Invariant: whatever is not understood counts as read. Formulas are not looked at: this is for questions that have
//! none. What is printed does not count, since printing changes nothing.

use stubborn_base::IndexVec;

use crate::dead::forget_dead;
use crate::expr::{BinaryOp, Expr, Pattern, Place, Region};
use crate::model::{Comm, DAlternative, Effect, Model, Piece, ProcessTypeId};
use crate::slot::Slot;

/// After so many rounds everything counts as read: a chain of variables that long is no model of anything.
const MOST_ROUNDS: usize = 100;

/// Which bytes of states belong to variables that are read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unread {
    globals: Vec<bool>,
    locals: IndexVec<ProcessTypeId, Vec<bool>>,
    /// Whether another byte was found to be read in this round.
    has_grown: bool,
}

impl Unread {
    /// Finds out. What is put into variables is looked at again until nothing more is read.
    pub fn of(model: &Model) -> Self {
        let mut read = Unread {
            globals: vec![false; model.global_size as usize],
            locals: model.processes.iter().map(|ty| vec![false; ty.frame_size as usize]).collect(),
            has_grown: false,
        };
        for _ in 0..MOST_ROUNDS {
            read.has_grown = false;
            read.look_at(model);
            if !read.has_grown {
                return read;
            }
        }
        read.globals.fill(true);
        read.locals.iter_mut().for_each(|bytes| bytes.fill(true));
        read
    }

    /// Whether nobody reads what is in the slot, which is a global or one of a type of processes.
    pub fn contains(&self, process: Option<ProcessTypeId>, slot: Slot) -> bool {
        let bytes = process.map_or(&self.globals, |process| &self.locals[process]);
        !bytes[slot.bytes()].contains(&true)
    }

    /// The model without what is put into variables that are not read, or not any more; none if that is nothing, or
    /// what does not fit would be missed.
    pub fn left_out_of(&self, model: &Model) -> Option<Model> {
        if model.overflow_fails {
            return None;
        }
        let mut shorter = model.clone();
        let mut is_shorter = false;
        for transition in shorter.transitions.iter_mut() {
            let process = transition.process;
            is_shorter |= self.leave_out(model, process, &mut transition.comm, &mut transition.effects);
        }
        is_shorter |= forget_dead(&mut shorter);
        is_shorter.then_some(shorter)
    }

    fn look_at(&mut self, model: &Model) {
        for (place, value) in &model.global_init {
            self.read_indices(None, place);
            self.read(None, value);
        }
        for (id, process) in model.processes.iter_enumerated() {
            for (place, value) in &process.init {
                self.read_indices(Some(id), place);
                self.read(Some(id), value);
            }
        }
        for transition in model.transitions.iter() {
            let process = Some(transition.process);
            for &guard in &transition.guards {
                self.read(process, &model.guards[guard]);
            }
            self.look_at_comm(process, transition.comm.as_ref());
            self.look_at_effects(model, process, &transition.effects);
        }
    }

    fn look_at_comm(&mut self, process: Option<ProcessTypeId>, comm: Option<&Comm>) {
        match comm {
            None => {}
            Some(Comm::Send(send)) => {
                self.read(process, &send.chan);
                send.args.iter().for_each(|arg| self.read(process, arg));
            }
            Some(Comm::Receive(receive)) => {
                self.read(process, &receive.chan);
                for field in &receive.pattern {
                    match field {
                        Pattern::Match(value) => self.read(process, value),
                        Pattern::Bind(place) => self.read_indices(process, place),
                        Pattern::Any => {}
                    }
                }
            }
        }
    }

    fn look_at_effects(&mut self, model: &Model, process: Option<ProcessTypeId>, effects: &[Effect]) {
        for effect in effects {
            match effect {
                Effect::Assign(place, value) => {
                    self.read_indices(process, place);
                    self.look_at_assigned(process, process, place, value);
                }
                Effect::Evaluate(value) => self.read_to_fail(process, value),
                Effect::Print(pieces) => {
                    pieces
                        .iter()
                        .filter_map(Piece::value)
                        .for_each(|value| self.read_to_fail(process, value));
                }
                Effect::Assert(value) => self.read(process, value),
                Effect::Run(run) => {
                    for (place, value) in model.processes[run.process].params.iter().zip(&run.args) {
                        self.look_at_assigned(process, Some(run.process), place, value);
                    }
                }
                Effect::SetPriority(pid, priority) => {
                    self.read(process, pid);
                    self.read(process, priority);
                }
                // More than there is room for is an error.
                Effect::Count { place, .. } => {
                    self.read_indices(process, place);
                    self.mark(process, place);
                }
                Effect::Undefined(_) | Effect::End => {}
                Effect::DStep(dstep) => {
                    for DAlternative { guards, comm, effects, .. } in dstep.nodes.iter().flatten() {
                        guards.iter().for_each(|guard| self.read(process, guard));
                        self.look_at_comm(process, comm.as_ref());
                        self.look_at_effects(model, process, effects);
                    }
                }
            }
        }
    }

    /// A process computes what is put into a place, which may be in the frame of another.
    fn look_at_assigned(
        &mut self,
        process: Option<ProcessTypeId>,
        owner: Option<ProcessTypeId>,
        place: &Place,
        value: &Expr,
    ) {
        if self.is_unread(owner, place) {
            self.read_to_fail(process, value);
        } else {
            self.read(process, value);
        }
    }

    /// Everything is read that decides whether the computation of the value fails.
    fn read_to_fail(&mut self, process: Option<ProcessTypeId>, value: &Expr) {
        value.for_each_needed_to_fail(&mut |part| self.read(process, part));
    }

    /// Everything that the value depends on is read.
    fn read(&mut self, process: Option<ProcessTypeId>, value: &Expr) {
        value.any(&mut |part| {
            match part {
                Expr::Load(place) => self.mark(process, place),
                Expr::Remote(remote, place) => self.mark(Some(remote.process), place),
                _ => {}
            }
            false
        });
    }

    fn read_indices(&mut self, process: Option<ProcessTypeId>, place: &Place) {
        place.indices.iter().for_each(|index| self.read(process, &index.value));
    }

    /// All that the place can be is read. A place of nobody's frame is no place.
    fn mark(&mut self, process: Option<ProcessTypeId>, place: &Place) {
        let bytes = match (place.region, process) {
            (Region::Global, _) => &mut self.globals,
            (Region::Local, Some(process)) => &mut self.locals[process],
            (Region::Local, None) => return,
        };
        for byte in &mut bytes[place.extent()] {
            self.has_grown |= !*byte;
            *byte = true;
        }
    }

    /// Whether nobody reads what is put there.
    fn is_unread(&self, process: Option<ProcessTypeId>, place: &Place) -> bool {
        let bytes = match (place.region, process) {
            (Region::Global, _) => &self.globals,
            (Region::Local, Some(process)) => &self.locals[process],
            (Region::Local, None) => return false,
        };
        !bytes[place.extent()].contains(&true)
    }

    /// Whether anything was left out.
    fn leave_out(
        &self,
        model: &Model,
        process: ProcessTypeId,
        comm: &mut Option<Comm>,
        effects: &mut Vec<Effect>,
    ) -> bool {
        let id = process;
        let process = Some(process);
        let mut is_shorter = false;
        if let Some(Comm::Receive(receive)) = comm {
            for field in &mut receive.pattern {
                let is_left_out = |place: &Place| place.indices.is_empty() && self.is_unread(process, place);
                if matches!(field, Pattern::Bind(place) if is_left_out(place)) {
                    *field = Pattern::Any;
                    is_shorter = true;
                }
            }
        }
        effects.retain_mut(|effect| match effect {
            Effect::Assign(place, value) if self.is_unread(process, place) && *value != Expr::Const(0) => {
                is_shorter = true;
                match (value.can_fail(), place.indices.is_empty()) {
                    (false, true) => return false,
                    // The index may be out of bounds: that is not to be missed.
                    (false, false) => *value = Expr::Const(0),
                    (true, true) => *effect = Effect::Evaluate(value.clone()),
                    (true, false) => *value = Expr::binary(BinaryOp::And, value.clone(), Expr::Const(0)),
                }
                true
            }
            Effect::Run(run) => {
                for (place, value) in model.processes[run.process].params.iter().zip(&mut run.args) {
                    let is_left_out = self.is_unread(Some(run.process), place) && !value.can_fail();
                    if is_left_out && *value != Expr::Const(0) {
                        *value = Expr::Const(0);
                        is_shorter = true;
                    }
                }
                true
            }
            Effect::DStep(dstep) => {
                for alternative in dstep.nodes.iter_mut().flatten() {
                    let DAlternative { comm, effects, .. } = alternative;
                    is_shorter |= self.leave_out(model, id, comm, effects);
                }
                true
            }
            _ => true,
        });
        is_shorter
    }
}
