//! Who can receive what another process wants to hand over: `View::can_accept`.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, types};
use stubborn_ir::{Comm, Location, Pattern};

use super::enabled::MOST_TRANSITIONS;
use super::{Declined, Emit, Emitter};
use crate::context::{Context, MESSAGE};

impl Emitter<'_, '_> {
    /// Returns a mask of the transitions of a location that can receive the message in the context, from the channel
    /// with that number.
    pub(crate) fn accept(&mut self, location: &Location) -> Emit<()> {
        if location.transitions.len() > MOST_TRANSITIONS {
            return Err(Declined);
        }
        let offered = self.more[0];
        let mask = self.variable(types::I64);
        let none = self.b.ins().iconst(types::I64, 0);
        self.b.def_var(mask, none);
        for (i, id) in location.transition_ids().enumerate() {
            let t = &self.unit.model.transitions[id];
            let Some(Comm::Receive(receive)) = &t.comm else { continue };
            if receive.peek {
                continue;
            }
            if receive.pattern.len() > MESSAGE {
                return Err(Declined);
            }
            let next = self.b.create_block();
            let chan = self.eval(&receive.chan)?;
            let is_it = self.compare(IntCC::Equal, chan, offered);
            self.go_unless(is_it, next);
            for &guard in &t.guards {
                self.require(&self.unit.model.guards[guard], next)?;
            }
            let n_fields = self.word(self.context, Context::N_FIELDS);
            let fits =
                self.compare_with(IntCC::UnsignedGreaterThanOrEqual, n_fields, receive.pattern.len() as i32);
            self.ask_unless(fits);
            for (field, pattern) in receive.pattern.iter().enumerate() {
                if let Pattern::Match(expected) = pattern {
                    let expected = self.eval(expected)?;
                    let found = self.word(self.context, Context::message(field));
                    let is_equal = self.compare(IntCC::Equal, expected, found);
                    self.go_unless(is_equal, next);
                }
            }
            let mut inhibitors = 0u64;
            for inhibitor in &t.inhibitors {
                match inhibitor.0.checked_sub(location.transitions.start) {
                    Some(index) if (index as usize) < i => inhibitors |= 1 << index,
                    _ => return Err(Declined),
                }
            }
            let before = self.b.use_var(mask);
            if inhibitors != 0 {
                let bits = self.b.ins().iconst(types::I64, inhibitors as i64);
                let accepting = self.b.ins().band(before, bits);
                let is_free = self.b.ins().icmp(IntCC::Equal, accepting, none);
                self.go_unless(is_free, next);
            }
            let bit = self.b.ins().iconst(types::I64, 1i64 << i);
            let after = self.b.ins().bor(before, bit);
            self.b.def_var(mask, after);
            self.b.ins().jump(next, &[]);
            self.b.switch_to_block(next);
        }
        let mask = self.b.use_var(mask);
        self.b.ins().return_(&[mask]);
        Ok(())
    }
}
