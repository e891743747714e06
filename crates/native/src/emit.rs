//! One function of machine code, being written.
//!
//! Values are 32 bits wide, as in `stubborn_ir::eval`, which every method follows line by line. Where that has an error,
//! the function ends in `ask`: the interpreter is asked instead. What has no translation is [`Declined`] as a whole.

mod accept;
mod channel;
mod condition;
mod dstep;
mod effect;
mod enabled;
mod expr;
mod message;
mod remote;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, MemFlagsData, Type, Value, types};
use cranelift_codegen::isa::{CallConv, TargetFrontendConfig};
use cranelift_frontend::{FunctionBuilder, Variable};
use stubborn_ir::{Model, Place, ProcessTypeId, Region, Repr, Slot};

use crate::Fault;
use crate::channels::{Channels, constant_slot};

/// There is no translation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Declined;

pub(crate) type Emit<T> = Result<T, Declined>;

/// What is the same for all functions of a model.
#[derive(Debug)]
pub(crate) struct Unit<'m> {
    pub(crate) model: &'m Model,
    pub(crate) channels: &'m Channels,
    /// How functions of the machine call each other.
    pub(crate) call_conv: CallConv,
    pub(crate) fault: Option<Fault>,
}

/// A function being written.
pub(crate) struct Emitter<'a, 'b> {
    pub(crate) unit: &'a Unit<'a>,
    pub(crate) process: ProcessTypeId,
    b: FunctionBuilder<'b>,
    /// Pointer to the state.
    state: Value,
    /// Pointer to the process's frame.
    frame: Value,
    /// Pointer to the context.
    context: Value,
    /// The process's number.
    pid: Value,
    /// Further parameters.
    more: Vec<Value>,
    /// Whether `timeout` is true; if absent, it is false.
    timeout: Option<Value>,
    /// Where the interpreter is asked.
    ask: Block,
    /// What is returned there.
    asked: (Type, i64),
    /// The state is not changed by this function.
    is_pure: bool,
}

/// An address in the state.
#[derive(Clone, Copy, Debug)]
struct Address {
    base: Value,
    offset: i32,
    /// It does not depend on the state.
    is_fixed: bool,
}

impl<'a, 'b> Emitter<'a, 'b> {
    /// A function whose parameters are state, frame, context, number of the process, and others; that returns `asked` if
    /// the interpreter is asked.
    pub(crate) fn new(
        unit: &'a Unit<'a>,
        process: ProcessTypeId,
        mut b: FunctionBuilder<'b>,
        is_pure: bool,
        asked: (Type, i64),
    ) -> Self {
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        let ask = b.create_block();
        b.set_cold_block(ask);
        b.switch_to_block(entry);
        let params = b.block_params(entry).to_vec();
        Emitter {
            unit,
            process,
            b,
            state: params[0],
            frame: params[1],
            context: params[2],
            pid: params[3],
            more: params[4..].to_vec(),
            timeout: None,
            ask,
            asked,
            is_pure,
        }
    }

    /// The function is complete.
    pub(crate) fn finish(mut self, config: TargetFrontendConfig) {
        self.b.switch_to_block(self.ask);
        let (ty, asked) = self.asked;
        let asked = self.b.ins().iconst(ty, asked);
        self.b.ins().return_(&[asked]);
        self.b.seal_all_blocks();
        self.b.finalize(config);
    }

    /// What the function does if it need not ask.
    pub(crate) fn succeed(&mut self) {
        let done = self.b.ins().iconst(types::I32, 1);
        self.b.ins().return_(&[done]);
    }

    fn int(&mut self, value: i32) -> Value {
        self.b.ins().iconst(types::I32, i64::from(value))
    }

    fn variable(&mut self, ty: Type) -> Variable {
        self.b.declare_var(ty)
    }

    /// Asks unless a condition holds.
    fn ask_unless(&mut self, condition: Value) {
        let next = self.b.create_block();
        self.b.ins().brif(condition, next, &[], self.ask, &[]);
        self.b.switch_to_block(next);
    }

    /// Asks if a condition holds.
    fn ask_if(&mut self, condition: Value) {
        let next = self.b.create_block();
        self.b.ins().brif(condition, self.ask, &[], next, &[]);
        self.b.switch_to_block(next);
    }

    /// Always asks; what follows is never reached.
    fn ask(&mut self) {
        self.b.ins().jump(self.ask, &[]);
        let unreachable = self.b.create_block();
        self.b.switch_to_block(unreachable);
    }

    /// Goes on elsewhere unless a condition holds.
    fn go_unless(&mut self, condition: Value, elsewhere: Block) {
        let next = self.b.create_block();
        self.b.ins().brif(condition, next, &[], elsewhere, &[]);
        self.b.switch_to_block(next);
    }

    fn compare(&mut self, cc: IntCC, left: Value, right: Value) -> Value {
        self.b.ins().icmp(cc, left, right)
    }

    fn compare_with(&mut self, cc: IntCC, left: Value, right: i32) -> Value {
        let right = self.int(right);
        self.b.ins().icmp(cc, left, right)
    }

    /// Access that cannot fault: offsets are within the state. Bytes of a state are not aligned.
    fn flags(&self, is_fixed: bool) -> MemFlagsData {
        let flags = MemFlagsData::new().with_notrap();
        if self.is_pure && is_fixed { flags.with_readonly().with_can_move() } else { flags }
    }

    fn load(&mut self, at: Address, repr: Repr) -> Value {
        let flags = self.flags(at.is_fixed);
        let Address { base, offset, .. } = at;
        match repr {
            Repr::U8 | Repr::U8Masked(_) => self.load_as(types::I8, flags, base, offset, false),
            Repr::U16 | Repr::U16Masked(_) => self.load_as(types::I16, flags, base, offset, false),
            Repr::I16 => self.load_as(types::I16, flags, base, offset, true),
            Repr::I32 | Repr::U32Masked(_) => self.b.ins().load(types::I32, flags, base, offset),
        }
    }

    fn load_as(&mut self, ty: Type, flags: MemFlagsData, base: Value, offset: i32, is_signed: bool) -> Value {
        let narrow = self.b.ins().load(ty, flags, base, offset);
        if is_signed {
            self.b.ins().sextend(types::I32, narrow)
        } else {
            self.b.ins().uextend(types::I32, narrow)
        }
    }

    /// The value as a slot keeps it.
    fn wrap(&mut self, repr: Repr, value: Value) -> Value {
        let mask = match repr {
            Repr::U8 if self.unit.fault == Some(Fault::WrapByte) => 0x7f,
            Repr::U8 => 0xff,
            Repr::U8Masked(mask) => i32::from(mask),
            Repr::U16 => 0xffff,
            Repr::U16Masked(mask) => i32::from(mask),
            Repr::U32Masked(mask) => mask as i32,
            Repr::I32 => return value,
            Repr::I16 => {
                let narrow = self.b.ins().ireduce(types::I16, value);
                return self.b.ins().sextend(types::I32, narrow);
            }
        };
        let mask = self.int(mask);
        self.b.ins().band(value, mask)
    }

    /// Stores a value, wrapped.
    fn store(&mut self, at: Address, repr: Repr, value: Value) {
        debug_assert!(!self.is_pure, "a state is not changed while it is looked at");
        let value = self.wrap(repr, value);
        let flags = self.flags(false);
        let Address { base, offset, .. } = at;
        match repr.size() {
            1 => self.b.ins().istore8(flags, value, base, offset),
            2 => self.b.ins().istore16(flags, value, base, offset),
            _ => self.b.ins().store(flags, value, base, offset),
        };
    }

    /// Reads a word of the context or of its tables.
    fn word(&mut self, base: Value, offset: i32) -> Value {
        let flags = MemFlagsData::new().with_notrap().with_aligned();
        self.b.ins().load(types::I32, flags, base, offset)
    }

    /// Reads a pointer of the context.
    fn pointer(&mut self, offset: i32) -> Value {
        let flags = MemFlagsData::new().with_notrap().with_aligned();
        self.b.ins().load(types::I64, flags, self.context, offset)
    }

    /// The address that is some bytes after another one.
    fn plus(&mut self, base: Value, bytes: Value) -> Value {
        let wide = self.b.ins().uextend(types::I64, bytes);
        self.b.ins().iadd(base, wide)
    }

    fn global(&self, slot: Slot) -> Emit<Address> {
        if slot.offset + slot.size() > self.unit.model.global_size {
            return Err(Declined);
        }
        Ok(Address { base: self.state, offset: slot.offset as i32, is_fixed: true })
    }

    fn local(&self, slot: Slot) -> Emit<Address> {
        if slot.offset + slot.size() > self.unit.model.processes[self.process].frame_size {
            return Err(Declined);
        }
        Ok(Address { base: self.frame, offset: slot.offset as i32, is_fixed: true })
    }

    /// Where a place is. Asks if an index is out of bounds.
    fn address(&mut self, place: &Place) -> Emit<Address> {
        let (base, room) = match place.region {
            Region::Global => (self.state, self.unit.model.global_size),
            Region::Local => (self.frame, self.unit.model.processes[self.process].frame_size),
        };
        self.address_in(place, base, room)
    }

    /// Where a place is in a region of that many bytes.
    fn address_in(&mut self, place: &Place, base: Value, room: u32) -> Emit<Address> {
        let extent: u64 = place
            .indices
            .iter()
            .map(|index| u64::from(index.bound.saturating_sub(1)) * u64::from(index.stride))
            .sum();
        let end = u64::from(place.slot.offset) + extent + u64::from(place.slot.size());
        if end > u64::from(room) || i32::try_from(end).is_err() {
            return Err(Declined);
        }
        if let Some(slot) = constant_slot(place) {
            return Ok(Address { base, offset: slot.offset as i32, is_fixed: true });
        }
        let mut base = base;
        for index in &place.indices {
            let value = self.eval(&index.value)?;
            let bound = self.int(index.bound as i32);
            let is_inside = self.compare(IntCC::UnsignedLessThan, value, bound);
            self.ask_unless(is_inside);
            let stride = self.int(index.stride as i32);
            let bytes = self.b.ins().imul(value, stride);
            base = self.plus(base, bytes);
        }
        Ok(Address { base, offset: place.slot.offset as i32, is_fixed: false })
    }
}
