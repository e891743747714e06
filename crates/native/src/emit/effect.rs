//! Effects: `Executor::effect` and `Executor::finish`.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value};
use stubborn_ir::{Comm, Effect, Model, Piece, Place, ProcessType, TransitionId};

use super::{Address, Declined, Emit, Emitter};

/// Frames of more bytes than this are not cleared by machine code.
const LARGE: u32 = 512;

impl Emitter<'_, '_> {
    /// A step of one process: its channel operation, its effects, its next location.
    pub(crate) fn step(&mut self, transition: TransitionId) -> Emit<()> {
        match &self.unit.model.transitions[transition].comm {
            None => {}
            Some(Comm::Send(send)) => self.send(send, self.ask)?,
            Some(Comm::Receive(receive)) => self.receive(receive, true, self.ask)?,
        }
        self.finish_step(transition)
    }

    /// Effects and the next location.
    pub(crate) fn finish_step(&mut self, transition: TransitionId) -> Emit<()> {
        let t = &self.unit.model.transitions[transition];
        for effect in &t.effects {
            self.effect(effect)?;
        }
        if let Some(to) = t.to {
            let slot = ProcessType::location_slot();
            let at = self.local(slot)?;
            let location = self.int(i32::from(to.0) + 1);
            self.store(at, slot.repr(), location);
        }
        Ok(())
    }

    pub(super) fn effect(&mut self, effect: &Effect) -> Emit<()> {
        match effect {
            Effect::Assign(place, value) => {
                let value = self.eval(value)?;
                self.assign(place, value)?;
            }
            Effect::Evaluate(expr) => {
                self.eval(expr)?;
            }
            Effect::Print(pieces) => {
                for expr in pieces.iter().filter_map(Piece::value) {
                    self.eval(expr)?;
                }
            }
            Effect::Assert(condition) => self.require(condition, self.ask)?,
            Effect::Count { place, by, most } => {
                let at = self.global(place.slot)?;
                let value = self.load(at, place.slot.repr());
                let by = self.int(*by);
                let sum = self.b.ins().iadd(value, by);
                // The sum is off by 2^32 if it overflows, and then it is below 0 or above the greatest.
                let most = most.unwrap_or(place.slot.bounds().1);
                let fits = self.compare_with(IntCC::UnsignedLessThanOrEqual, sum, most);
                self.ask_unless(fits);
                self.store(at, place.slot.repr(), sum);
            }
            Effect::Undefined(_) => self.ask(),
            Effect::End => self.end()?,
            Effect::DStep(dstep) => self.dstep(dstep)?,
            Effect::Run(_) | Effect::SetPriority(..) => return Err(Declined),
        }
        Ok(())
    }

    /// Sets a place. Asks if the value does not fit, and that is an error.
    pub(super) fn assign(&mut self, place: &Place, value: Value) -> Emit<()> {
        let at = self.address(place)?;
        let repr = place.slot.repr();
        if self.unit.model.overflow_fails {
            let kept = self.wrap(repr, value);
            let fits = self.compare(IntCC::Equal, kept, value);
            self.ask_unless(fits);
        }
        self.store(at, repr, value);
        Ok(())
    }

    /// The process is gone.
    fn end(&mut self) -> Emit<()> {
        let size = self.unit.model.processes[self.process].frame_size;
        if size > LARGE {
            return Err(Declined);
        }
        self.zero(Address { base: self.frame, offset: 0, is_fixed: true }, size);
        let slot = Model::num_processes_slot();
        let at = self.global(slot)?;
        self.store(at, slot.repr(), self.pid);
        Ok(())
    }
}
