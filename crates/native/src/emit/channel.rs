//! Channels: `View::channel`, `View::find_message`, and what is asked about them.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use stubborn_ir::{ChanTest, Channel, Expr, Pattern, Poll, Receive, Repr};

use super::{Address, Declined, Emit, Emitter};
use crate::channels::{Known, Shape};
use crate::context::{ChannelRow, Context};

/// More kinds of messages than this are not told apart.
const MOST_SHAPES: usize = 4;

/// A channel that exists.
#[derive(Clone, Copy)]
pub(super) enum Chan<'a> {
    /// It is known which.
    Known {
        channel: &'a Channel,
        /// What the offsets of its contents are relative to.
        base: Value,
        /// Its number, if that is known, too.
        number: Option<u16>,
        variable: Address,
    },
    /// It is found in the table of channels.
    Row { row: Value, number: Value },
}

impl<'a> Emitter<'a, '_> {
    /// The channel an expression names. Asks if there is none.
    pub(super) fn channel(&mut self, chan: &Expr) -> Emit<Chan<'a>> {
        let unit = self.unit;
        if let Some(Known { channel, number }) = unit.channels.known(unit.model, self.process, chan) {
            let (base, room) = match number {
                Some(_) => (self.state, unit.model.global_size),
                None => (self.frame, unit.model.processes[self.process].frame_size),
            };
            if channel.offset + channel.size() > room {
                return Err(Declined);
            }
            let variable = Address { base, offset: channel.variable.offset as i32, is_fixed: true };
            return Ok(Chan::Known { channel, base, number, variable });
        }
        let number = self.eval(chan)?;
        let n_channels = self.word(self.context, Context::N_CHANNELS);
        let is_number = self.compare(IntCC::UnsignedLessThan, number, n_channels);
        self.ask_unless(is_number);
        let is_one = self.compare_with(IntCC::NotEqual, number, 0);
        self.ask_unless(is_one);
        let rows = self.pointer(Context::CHANNELS);
        let size = self.int(size_of::<ChannelRow>() as i32);
        let bytes = self.b.ins().imul(number, size);
        let row = self.plus(rows, bytes);
        let owner = self.word(row, ChannelRow::OWNER);
        let owner = Address { base: self.plus(self.state, owner), offset: 0, is_fixed: false };
        let alive = self.load(owner, Repr::U16);
        self.ask_unless(alive);
        Ok(Chan::Row { row, number })
    }

    /// Its number.
    pub(super) fn number(&mut self, chan: &Chan<'_>) -> Value {
        match *chan {
            Chan::Known { number: Some(number), .. } => self.int(i32::from(number)),
            Chan::Known { channel, variable, .. } => self.load(variable, channel.variable.repr()),
            Chan::Row { number, .. } => number,
        }
    }

    /// How many messages it can hold.
    pub(super) fn capacity(&mut self, chan: &Chan<'_>) -> Value {
        match *chan {
            Chan::Known { channel, .. } => self.int(i32::from(channel.capacity)),
            Chan::Row { row, .. } => self.word(row, ChannelRow::CAPACITY),
        }
    }

    /// Whether it passes messages on at once, if that is known.
    pub(super) fn is_rendezvous(&self, chan: &Chan<'_>) -> Option<bool> {
        let channels = &self.unit.channels;
        match chan {
            Chan::Known { channel, .. } => Some(channel.capacity == 0),
            Chan::Row { .. } if !channels.any_rendezvous => Some(false),
            Chan::Row { .. } if !channels.any_buffered => Some(true),
            Chan::Row { .. } => None,
        }
    }

    /// Goes to a block if it passes messages on at once.
    pub(super) fn go_if_rendezvous(&mut self, chan: &Chan<'_>, block: Block) {
        match self.is_rendezvous(chan) {
            Some(false) => {}
            Some(true) => {
                self.b.ins().jump(block, &[]);
                let unreachable = self.b.create_block();
                self.b.switch_to_block(unreachable);
            }
            None => {
                let capacity = self.capacity(chan);
                self.go_unless(capacity, block);
            }
        }
    }

    /// Where the number of its messages is, which is no rendezvous channel's.
    pub(super) fn length_at(&mut self, chan: &Chan<'_>) -> Emit<(Address, Repr)> {
        match *chan {
            Chan::Known { channel, base, .. } => {
                let slot = channel.len_slot();
                Ok((
                    Address { base, offset: (channel.offset + slot.offset) as i32, is_fixed: true },
                    slot.repr(),
                ))
            }
            Chan::Row { .. } if self.unit.channels.any_wide => Err(Declined),
            Chan::Row { row, .. } => {
                let len = self.word(row, ChannelRow::LEN);
                Ok((Address { base: self.plus(self.state, len), offset: 0, is_fixed: false }, Repr::U8))
            }
        }
    }

    /// How many messages are in it.
    pub(super) fn length(&mut self, chan: &Chan<'_>) -> Emit<Value> {
        match self.is_rendezvous(chan) {
            Some(true) => Ok(self.int(0)),
            Some(false) => {
                let (at, repr) = self.length_at(chan)?;
                Ok(self.load(at, repr))
            }
            None => {
                // The row of a rendezvous channel says offset 0, which can be read as well as any.
                let (at, repr) = self.length_at(chan)?;
                let len = self.load(at, repr);
                let (capacity, none) = (self.capacity(chan), self.int(0));
                Ok(self.b.ins().select(capacity, len, none))
            }
        }
    }

    /// The address of the first message, which is no rendezvous channel's.
    pub(super) fn messages(&mut self, chan: &Chan<'_>) -> Address {
        match *chan {
            Chan::Known { channel, base, .. } => {
                let offset = (channel.offset + channel.len_slot().size()) as i32;
                Address { base, offset, is_fixed: true }
            }
            Chan::Row { row, .. } => {
                let messages = self.word(row, ChannelRow::MESSAGES);
                Address { base: self.plus(self.state, messages), offset: 0, is_fixed: false }
            }
        }
    }

    /// The address of a message with that index.
    pub(super) fn message_at(&mut self, messages: Address, shape: &Shape, index: Value) -> Address {
        let size = self.int(shape.size() as i32);
        let bytes = self.b.ins().imul(index, size);
        Address { base: self.plus(messages.base, bytes), is_fixed: false, ..messages }
    }

    /// Goes on for each kind of messages that it may have and that fits, and comes together again. Asks if it has
    /// others.
    pub(super) fn with_shape(
        &mut self,
        chan: &Chan<'_>,
        fits: impl Fn(&Shape) -> bool,
        mut body: impl FnMut(&mut Self, &Shape) -> Emit<()>,
    ) -> Emit<()> {
        let unit = self.unit;
        let shapes = &unit.channels.shapes;
        let row = match *chan {
            Chan::Known { channel, .. } => {
                let shape = &shapes[unit.channels.shape_of(channel) as usize];
                if !fits(shape) {
                    self.ask();
                    return Ok(());
                }
                return body(self, shape);
            }
            Chan::Row { row, .. } => row,
        };
        let fitting: Vec<usize> = (0..shapes.len()).filter(|&i| fits(&shapes[i])).collect();
        if fitting.is_empty() || fitting.len() > MOST_SHAPES {
            return Err(Declined);
        }
        let found = self.word(row, ChannelRow::SHAPE);
        let done = self.b.create_block();
        for &shape in &fitting {
            let is_it = self.compare_with(IntCC::Equal, found, shape as i32);
            let other = self.b.create_block();
            self.go_unless(is_it, other);
            body(self, &shapes[shape])?;
            self.b.ins().jump(done, &[]);
            self.b.switch_to_block(other);
        }
        self.b.ins().jump(self.ask, &[]);
        self.b.switch_to_block(done);
        Ok(())
    }

    pub(super) fn channel_test(&mut self, test: ChanTest, chan: &Expr) -> Emit<Value> {
        let chan = self.channel(chan)?;
        let len = self.length(&chan)?;
        let none = self.int(0);
        Ok(match test {
            ChanTest::Empty => self.compare(IntCC::Equal, len, none),
            ChanTest::NotEmpty => self.compare(IntCC::NotEqual, len, none),
            ChanTest::Full | ChanTest::NotFull => {
                let capacity = self.capacity(&chan);
                let some = self.compare(IntCC::NotEqual, len, none);
                let many = self.compare(IntCC::UnsignedGreaterThanOrEqual, len, capacity);
                let is_full = self.b.ins().band(some, many);
                if test == ChanTest::Full {
                    is_full
                } else {
                    let one = self.b.ins().iconst(types::I8, 1);
                    self.b.ins().bxor(is_full, one)
                }
            }
            ChanTest::Len => unreachable!("no condition"),
        })
    }

    pub(super) fn poll(&mut self, poll: &Poll) -> Emit<Value> {
        let chan = self.channel(&poll.chan)?;
        self.go_if_rendezvous(&chan, self.ask);
        let (no, done) = (self.b.create_block(), self.b.create_block());
        let result = self.variable(types::I8);
        self.find_any(&chan, &poll.pattern, poll.random, no)?;
        for (value, start) in [(1, None), (0, Some(no))] {
            if let Some(block) = start {
                self.b.switch_to_block(block);
            }
            let value = self.b.ins().iconst(types::I8, value);
            self.b.def_var(result, value);
            self.b.ins().jump(done, &[]);
        }
        self.b.switch_to_block(done);
        Ok(self.b.use_var(result))
    }

    /// Goes on here if a receive is possible on its own: `View::can_receive`.
    pub(super) fn require_message(&mut self, receive: &Receive, no: Block) -> Emit<()> {
        let chan = self.channel(&receive.chan)?;
        self.go_if_rendezvous(&chan, if receive.peek { self.ask } else { no });
        if self.is_rendezvous(&chan) == Some(true) {
            return Ok(());
        }
        self.find_any(&chan, &receive.pattern, receive.random, no)
    }

    /// Goes on here if there is a message that matches.
    fn find_any(&mut self, chan: &Chan<'_>, pattern: &[Pattern], random: bool, no: Block) -> Emit<()> {
        if !pattern.iter().any(|field| matches!(field, Pattern::Match(_))) {
            let len = self.length(chan)?;
            self.go_unless(len, no);
            return Ok(());
        }
        self.with_shape(
            chan,
            |shape| shape.fields.len() >= pattern.len(),
            |x, shape| x.find_message(chan, shape, pattern, random, no).map(|_| ()),
        )
    }

    /// The index of the first message that matches, if `random`, or 0 if the first matches. Goes to `no` if there
    /// is none. The pattern has no more fields than the message.
    pub(super) fn find_message(
        &mut self,
        chan: &Chan<'_>,
        shape: &Shape,
        pattern: &[Pattern],
        random: bool,
        no: Block,
    ) -> Emit<Value> {
        let (at, repr) = self.length_at(chan)?;
        let len = self.load(at, repr);
        let messages = self.messages(chan);
        if !random {
            self.go_unless(len, no);
            self.require_match(messages, shape, pattern, no)?;
            return Ok(self.int(0));
        }
        let capacity = self.capacity(chan);
        let is_sound = self.compare(IntCC::UnsignedLessThanOrEqual, len, capacity);
        self.ask_unless(is_sound);
        let index = self.variable(types::I32);
        let first = self.int(0);
        self.b.def_var(index, first);
        let (head, next) = (self.b.create_block(), self.b.create_block());
        self.b.ins().jump(head, &[]);
        self.b.switch_to_block(head);
        let i = self.b.use_var(index);
        let is_there = self.compare(IntCC::UnsignedLessThan, i, len);
        self.go_unless(is_there, no);
        let message = self.message_at(messages, shape, i);
        self.require_match(message, shape, pattern, next)?;
        let found = self.b.create_block();
        self.b.ins().jump(found, &[]);
        self.b.switch_to_block(next);
        let one = self.int(1);
        let i = self.b.ins().iadd(i, one);
        self.b.def_var(index, i);
        self.b.ins().jump(head, &[]);
        self.b.switch_to_block(found);
        Ok(self.b.use_var(index))
    }

    /// Goes on here if a message matches.
    fn require_match(&mut self, message: Address, shape: &Shape, pattern: &[Pattern], no: Block) -> Emit<()> {
        for (i, field) in pattern.iter().enumerate() {
            if let Pattern::Match(expected) = field {
                let expected = self.eval(expected)?;
                let at = Address { offset: message.offset + shape.offset(i) as i32, ..message };
                let found = self.load(at, shape.fields[i]);
                let is_equal = self.compare(IntCC::Equal, found, expected);
                self.go_unless(is_equal, no);
            }
        }
        Ok(())
    }
}
