//! Messages: `Executor::send`, `receive`, `hand_over` and `bind`.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{AbiParam, Block, InstBuilder, MemFlagsData, Signature, Type, Value, types};
use stubborn_ir::{Pattern, Receive, Repr, Send};

use super::channel::Chan;
use super::{Address, Declined, Emit, Emitter};
use crate::Fault;
use crate::channels::Shape;
use crate::context::{Context, MESSAGE};

/// Contents of a channel of no more bytes than this are moved as a whole.
const FEW: u32 = 48;

impl Emitter<'_, '_> {
    /// Puts a message into a channel. Goes to `full` if there is no room; asks if messages pass it at once.
    pub(super) fn send(&mut self, send: &Send, full: Block) -> Emit<()> {
        let chan = self.channel(&send.chan)?;
        self.go_if_rendezvous(&chan, self.ask);
        if self.is_rendezvous(&chan) == Some(true) {
            return Ok(());
        }
        let (at, repr) = self.length_at(&chan)?;
        let len = self.load(at, repr);
        let capacity = self.capacity(&chan);
        let has_room = self.compare(IntCC::UnsignedLessThan, len, capacity);
        self.go_unless(has_room, full);
        self.with_shape(
            &chan,
            |shape| shape.fields.len() == send.args.len(),
            |x, shape| {
                let values = send.args.iter().map(|arg| x.eval(arg)).collect::<Emit<Vec<_>>>()?;
                let messages = x.messages(&chan);
                let mut index = len;
                if send.sorted {
                    index = x.place_in_order(messages, shape, &values, len);
                    let from = x.message_at(messages, shape, index);
                    let from = x.flat(from);
                    let n_moved = x.b.ins().isub(len, index);
                    x.move_bytes(from, shape.size() as i32, n_moved, shape);
                }
                let is_first = matches!(chan, Chan::Known { channel, .. } if channel.capacity == 1);
                let message = if is_first { messages } else { x.message_at(messages, shape, index) };
                for (i, &value) in values.iter().enumerate() {
                    let at = Address { offset: message.offset + shape.offset(i) as i32, ..message };
                    x.store(at, shape.fields[i], value);
                }
                Ok(())
            },
        )?;
        let one = self.int(1);
        let more = self.b.ins().iadd(len, one);
        self.store_length(at, repr, more);
        Ok(())
    }

    /// The index of the first message that is greater, or the number of messages. The message is compared as it is
    /// given, not as it will be kept.
    fn place_in_order(&mut self, messages: Address, shape: &Shape, values: &[Value], len: Value) -> Value {
        let index = self.variable(types::I32);
        let first = self.int(0);
        self.b.def_var(index, first);
        let (head, next, found) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        self.b.ins().jump(head, &[]);
        self.b.switch_to_block(head);
        let i = self.b.use_var(index);
        let is_there = self.compare(IntCC::UnsignedLessThan, i, len);
        self.go_unless(is_there, found);
        let message = self.message_at(messages, shape, i);
        for (field, &value) in values.iter().enumerate() {
            let at = Address { offset: message.offset + shape.offset(field) as i32, ..message };
            let stored = self.load(at, shape.fields[field]);
            let (differ, same) = (self.b.create_block(), self.b.create_block());
            let is_same = self.compare(IntCC::Equal, value, stored);
            self.b.ins().brif(is_same, same, &[], differ, &[]);
            self.b.switch_to_block(differ);
            let is_less = self.compare(IntCC::SignedLessThan, value, stored);
            self.b.ins().brif(is_less, found, &[], next, &[]);
            self.b.switch_to_block(same);
        }
        self.b.ins().jump(next, &[]);
        self.b.switch_to_block(next);
        let one = self.int(1);
        let i = self.b.ins().iadd(i, one);
        self.b.def_var(index, i);
        self.b.ins().jump(head, &[]);
        self.b.switch_to_block(found);
        self.b.use_var(index)
    }

    /// Takes a message out of a channel, or looks at it. Goes to `no` if there is none that matches; if it is known
    /// that the first does, it is not compared again. Asks if messages pass the channel at once.
    pub(super) fn receive(&mut self, receive: &Receive, matches: bool, no: Block) -> Emit<()> {
        let chan = self.channel(&receive.chan)?;
        self.go_if_rendezvous(&chan, self.ask);
        if self.is_rendezvous(&chan) == Some(true) {
            return Ok(());
        }
        let n_fields = receive.pattern.len();
        let exact = must_be_equal(receive);
        self.with_shape(
            &chan,
            |shape| n_fields == shape.fields.len() || (n_fields < shape.fields.len() && !exact),
            |x, shape| {
                let pattern = if matches && !receive.random { &[][..] } else { &receive.pattern };
                let index = x.find_message(&chan, shape, pattern, receive.random, no)?;
                let messages = x.messages(&chan);
                let message = if receive.random { x.message_at(messages, shape, index) } else { messages };
                let mut values = Vec::new();
                for (i, field) in receive.pattern.iter().enumerate() {
                    if let Pattern::Bind(place) = field {
                        let at = Address { offset: message.offset + shape.offset(i) as i32, ..message };
                        values.push((place, x.load(at, shape.fields[i])));
                    }
                }
                if !receive.peek {
                    x.remove(&chan, shape, messages, receive.random.then_some(index))?;
                }
                for (place, value) in values {
                    x.assign(place, value)?;
                }
                Ok(())
            },
        )
    }

    /// Takes a message out: the first, unless it says which. There is one.
    fn remove(
        &mut self,
        chan: &Chan<'_>,
        shape: &Shape,
        messages: Address,
        index: Option<Value>,
    ) -> Emit<()> {
        let (at, repr) = self.length_at(chan)?;
        let len = self.load(at, repr);
        let one = self.int(1);
        let less = self.b.ins().isub(len, one);
        self.store_length(at, repr, less);
        let size = shape.size();
        if let Chan::Known { channel, .. } = *chan
            && index.is_none()
            && u32::from(channel.capacity) * size <= FEW
        {
            // What is behind the last message is 0, so all may move as if it were messages.
            let total = u32::from(channel.capacity) * size;
            self.move_down(messages, size, total - size);
            self.zero(Address { offset: messages.offset + (total - size) as i32, ..messages }, size);
            return Ok(());
        }
        let is_sound = {
            let capacity = self.capacity(chan);
            self.compare(IntCC::UnsignedLessThanOrEqual, len, capacity)
        };
        self.ask_unless(is_sound);
        let n_moved = match index {
            Some(index) => self.b.ins().isub(less, index),
            None => less,
        };
        let hole = match index {
            Some(index) => self.message_at(messages, shape, index),
            None => messages,
        };
        let hole = self.flat(hole);
        let step = self.b.ins().iconst(types::I64, i64::from(size));
        let from = self.b.ins().iadd(hole, step);
        self.move_bytes(from, -(size as i32), n_moved, shape);
        let last = self.message_at(messages, shape, less);
        self.zero(last, size);
        Ok(())
    }

    /// Moves a fixed number of bytes that begin `by` bytes after an address to it.
    fn move_down(&mut self, to: Address, by: u32, n_bytes: u32) {
        let flags = MemFlagsData::new().with_notrap();
        for (at, ty) in pieces(n_bytes) {
            let offset = to.offset + at as i32;
            let piece = self.b.ins().load(ty, flags, to.base, offset + by as i32);
            self.b.ins().store(flags, piece, to.base, offset);
        }
    }

    /// Sets a fixed number of bytes to 0.
    pub(super) fn zero(&mut self, at: Address, n_bytes: u32) {
        let flags = MemFlagsData::new().with_notrap();
        for (offset, ty) in pieces(n_bytes) {
            let zero = self.b.ins().iconst(ty, 0);
            self.b.ins().store(flags, zero, at.base, at.offset + offset as i32);
        }
    }

    /// Moves messages, from the one at an address, by some bytes.
    fn move_bytes(&mut self, from: Value, by: i32, n_messages: Value, shape: &Shape) {
        let (some, done) = (self.b.create_block(), self.b.create_block());
        self.b.ins().brif(n_messages, some, &[], done, &[]);
        self.b.switch_to_block(some);
        let by = self.b.ins().iconst(types::I64, i64::from(by));
        let to = self.b.ins().iadd(from, by);
        let size = self.int(shape.size() as i32);
        let n_bytes = self.b.ins().imul(n_messages, size);
        let n_bytes = self.b.ins().uextend(types::I64, n_bytes);
        let mut signature = Signature::new(self.unit.call_conv);
        signature.params.extend([AbiParam::new(types::I64); 3]);
        let signature = self.b.import_signature(signature);
        let address = move_bytes as *const () as i64;
        let callee = self.b.ins().iconst(types::I64, address);
        self.b.ins().call_indirect(signature, callee, &[to, from, n_bytes]);
        self.b.ins().jump(done, &[]);
        self.b.switch_to_block(done);
    }

    /// An address as one value.
    fn flat(&mut self, at: Address) -> Value {
        let offset = self.b.ins().iconst(types::I64, i64::from(at.offset));
        self.b.ins().iadd(at.base, offset)
    }

    /// Sets a length, which always fits.
    fn store_length(&mut self, at: Address, repr: Repr, value: Value) {
        let flags = self.flags(false);
        if repr.size() == 1 {
            self.b.ins().istore8(flags, value, at.base, at.offset);
        } else {
            self.b.ins().istore16(flags, value, at.base, at.offset);
        }
    }

    /// Puts a message that is to be handed over into the context, as the channel would have kept it. Returns the
    /// number of the channel.
    pub(crate) fn offer(&mut self, send: &Send) -> Emit<()> {
        if send.args.len() > MESSAGE {
            return Err(Declined);
        }
        let chan = self.channel(&send.chan)?;
        let passes = self.b.create_block();
        self.go_if_rendezvous(&chan, passes);
        self.b.ins().jump(self.ask, &[]);
        self.b.switch_to_block(passes);
        let flags = MemFlagsData::new().with_notrap().with_aligned();
        self.with_shape(
            &chan,
            |shape| shape.fields.len() == send.args.len(),
            |x, shape| {
                for (i, arg) in send.args.iter().enumerate() {
                    let value = x.eval(arg)?;
                    let mut value = x.wrap(shape.fields[i], value);
                    if x.unit.fault == Some(Fault::LastField) && i + 1 == send.args.len() {
                        value = x.int(0);
                    }
                    x.b.ins().store(flags, value, x.context, Context::message(i));
                }
                Ok(())
            },
        )?;
        let n_fields = self.int(send.args.len() as i32);
        self.b.ins().store(flags, n_fields, self.context, Context::N_FIELDS);
        let number = self.number(&chan);
        self.b.ins().return_(&[number]);
        Ok(())
    }

    /// Stores the fields of the message in the context where a pattern says.
    pub(crate) fn bind(&mut self, receive: &Receive) -> Emit<()> {
        let given = receive.pattern.len();
        if given > MESSAGE {
            return Err(Declined);
        }
        let n_fields = self.word(self.context, Context::N_FIELDS);
        let cc = if must_be_equal(receive) { IntCC::Equal } else { IntCC::UnsignedGreaterThanOrEqual };
        let fits = self.compare_with(cc, n_fields, given as i32);
        self.ask_unless(fits);
        for (i, field) in receive.pattern.iter().enumerate() {
            if let Pattern::Bind(place) = field {
                let value = self.word(self.context, Context::message(i));
                self.assign(place, value)?;
            }
        }
        Ok(())
    }
}

/// A receive may name fewer fields than the message has, unless it only matches.
fn must_be_equal(receive: &Receive) -> bool {
    let only_matches = receive.pattern.iter().all(|field| matches!(field, Pattern::Match(_)));
    only_matches && !receive.random && !receive.peek
}

/// A number of bytes in pieces that are moved at once: where each begins, and its type.
fn pieces(n_bytes: u32) -> impl Iterator<Item = (u32, Type)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let ty = match n_bytes - at {
            0 => return None,
            1 => types::I8,
            2..4 => types::I16,
            4..8 => types::I32,
            _ => types::I64,
        };
        at += ty.bytes();
        Some((at - ty.bytes(), ty))
    })
}

/// Moves bytes that may overlap.
#[expect(unsafe_code, reason = "called by machine code, with addresses inside of a state")]
unsafe extern "C" fn move_bytes(to: *mut u8, from: *const u8, n_bytes: u64) {
    // SAFETY: both are inside the contents of one channel, of no more messages than it has room for.
    unsafe { std::ptr::copy(from, to, n_bytes as usize) }
}
