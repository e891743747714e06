//! Other processes: `View::remote`.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use stubborn_base::Idx;
use stubborn_ir::{LocationId, Place, ProcessType, Remote};

use super::{Address, Emit, Emitter};
use crate::context::{Context, NO_FRAME, OnlyRow};

impl Emitter<'_, '_> {
    /// Whether a process is at a location.
    pub(super) fn is_at(&mut self, remote: &Remote, location: LocationId) -> Emit<Value> {
        let value = self.of_remote(remote, |_, _, _, at| Ok(at))?;
        Ok(self.compare_with(IntCC::Equal, value, i32::from(location.0) + 1))
    }

    /// The number of another process, or 0.
    pub(super) fn remote_pid(&mut self, remote: &Remote) -> Emit<Value> {
        self.of_remote(remote, |_, _, pid, _| Ok(pid))
    }

    /// A local of another process, or 0. Indices are the asking process's.
    pub(super) fn remote_value(&mut self, remote: &Remote, place: &Place) -> Emit<Value> {
        let room = self.unit.model.processes[remote.process].frame_size;
        self.of_remote(remote, |x, frame, _, _| {
            let at = x.address_in(place, frame, room)?;
            Ok(x.load(Address { is_fixed: false, ..at }, place.slot.repr()))
        })
    }

    /// Something about another process, from its frame, its number and its location plus 1; or 0 if there is none.
    fn of_remote(
        &mut self,
        remote: &Remote,
        value: impl FnOnce(&mut Self, Value, Value, Value) -> Emit<Value>,
    ) -> Emit<Value> {
        let result = self.variable(types::I32);
        let none = self.int(0);
        self.b.def_var(result, none);
        let done = self.b.create_block();
        let (frame, pid) = self.frame_of(remote, done)?;
        let slot = ProcessType::location_slot();
        let at = Address { base: frame, offset: slot.offset as i32, is_fixed: false };
        let location = self.load(at, slot.repr());
        self.go_unless(location, done);
        let value = value(self, frame, pid, location)?;
        self.b.def_var(result, value);
        self.b.ins().jump(done, &[]);
        self.b.switch_to_block(done);
        Ok(self.b.use_var(result))
    }

    /// The frame that another process has if it exists, and its number. Goes to `none` if there is no frame for it.
    fn frame_of(&mut self, remote: &Remote, none: Block) -> Emit<(Value, Value)> {
        let ty = remote.process.index();
        let (offset, pid) = match &remote.pid {
            Some(pid) => {
                let pid = self.eval(pid)?;
                let n_pids = self.word(self.context, Context::N_PIDS);
                let is_number = self.compare(IntCC::UnsignedLessThan, pid, n_pids);
                self.go_unless(is_number, none);
                let frames = self.pointer(Context::FRAMES);
                let ty = self.int(ty as i32);
                let first = self.b.ins().imul(n_pids, ty);
                let index = self.b.ins().iadd(first, pid);
                let size = self.int(size_of::<u32>() as i32);
                let bytes = self.b.ins().imul(index, size);
                let row = self.plus(frames, bytes);
                let offset = self.word(row, 0);
                let exists = self.compare_with(IntCC::NotEqual, offset, NO_FRAME as i32);
                self.go_unless(exists, none);
                (offset, pid)
            }
            None => {
                let rows = self.pointer(Context::ONLY);
                let first = (ty * size_of::<OnlyRow>()) as i32;
                let offset = self.word(rows, first + OnlyRow::FRAME);
                let is_only = self.compare_with(IntCC::NotEqual, offset, NO_FRAME as i32);
                self.ask_unless(is_only);
                let pid = self.word(rows, first + OnlyRow::PID);
                (offset, pid)
            }
        };
        let frame = self.plus(self.state, offset);
        Ok((frame, pid))
    }
}
