//! Which transitions of a location are enabled: `View::enabled_steps`.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, MemFlagsData, Value, types};
use cranelift_frontend::Variable;
use stubborn_ir::{Comm, Expr, Location, Send, Transition};

use super::condition::is_cheap;
use super::{Declined, Emit, Emitter};
use crate::Fault;
use crate::context::Context;

/// More transitions than this do not fit a mask.
pub(crate) const MOST_TRANSITIONS: usize = 62;

impl Emitter<'_, '_> {
    /// Returns a mask of the transitions of a location that are enabled. Those that are sends that wait for a
    /// partner are in the mask in the context, whatever partners there are.
    pub(crate) fn enabled(&mut self, location: &Location, offers: bool) -> Emit<()> {
        if location.transitions.len() > MOST_TRANSITIONS {
            return Err(Declined);
        }
        self.timeout = self.more.first().copied();
        let mask = self.variable(types::I64);
        let waiting = self.variable(types::I64);
        let none = self.b.ins().iconst(types::I64, 0);
        self.b.def_var(mask, none);
        self.b.def_var(waiting, none);
        for (i, id) in location.transition_ids().enumerate() {
            let t = &self.unit.model.transitions[id];
            let inhibitors = t
                .inhibitors
                .iter()
                .map(|inhibitor| match inhibitor.0.checked_sub(location.transitions.start) {
                    Some(index) if (index as usize) < i => Ok(1u64 << index),
                    _ => Err(Declined),
                })
                .try_fold(0u64, |bits, bit| bit.map(|bit| bits | bit))?;
            let inhibitors = if self.unit.fault == Some(Fault::Inhibitors) { 0 } else { inhibitors };
            if t.comm.is_none() && self.guards(t).all(is_cheap) {
                self.simple(t, i, inhibitors, offers, mask, waiting)?;
                continue;
            }
            let next = self.b.create_block();
            for &guard in &t.guards {
                self.require(&self.unit.model.guards[guard], next)?;
            }
            if inhibitors != 0 {
                let is_free = self.is_free(inhibitors, offers, mask, waiting);
                self.go_unless(is_free, next);
            }
            match &t.comm {
                None => {}
                Some(Comm::Receive(receive)) => self.require_message(receive, next)?,
                Some(Comm::Send(send)) => self.require_room(send, i, waiting, next)?,
            }
            self.add(mask, i);
            self.b.ins().jump(next, &[]);
            self.b.switch_to_block(next);
        }
        if offers {
            let waiting = self.b.use_var(waiting);
            let flags = MemFlagsData::new().with_notrap().with_aligned();
            self.b.ins().store(flags, waiting, self.context, Context::OFFERS);
        }
        let mask = self.b.use_var(mask);
        self.b.ins().return_(&[mask]);
        Ok(())
    }

    fn guards<'t>(&self, t: &'t Transition) -> impl Iterator<Item = &'t Expr>
    where
        Self: 't,
    {
        let model = self.unit.model;
        t.guards.iter().map(|&guard| &model.guards[guard])
    }

    /// A transition that only asks for what is cheaper to evaluate than to decide about.
    fn simple(
        &mut self,
        t: &Transition,
        index: usize,
        inhibitors: u64,
        offers: bool,
        mask: Variable,
        waiting: Variable,
    ) -> Emit<()> {
        let mut flags = Vec::new();
        for &guard in &t.guards {
            flags.push(self.flag(&self.unit.model.guards[guard])?);
        }
        if inhibitors != 0 {
            flags.push(self.is_free(inhibitors, offers, mask, waiting));
        }
        let Some(flag) = flags.into_iter().reduce(|l, r| self.b.ins().band(l, r)) else {
            self.add(mask, index);
            return Ok(());
        };
        let wide = self.b.ins().uextend(types::I64, flag);
        let by = self.b.ins().iconst(types::I64, index as i64);
        let bit = self.b.ins().ishl(wide, by);
        let before = self.b.use_var(mask);
        let after = self.b.ins().bor(before, bit);
        self.b.def_var(mask, after);
        Ok(())
    }

    fn add(&mut self, mask: Variable, index: usize) {
        let bit = self.b.ins().iconst(types::I64, 1i64 << index);
        let before = self.b.use_var(mask);
        let after = self.b.ins().bor(before, bit);
        self.b.def_var(mask, after);
    }

    /// Whether none of these transitions, which come before, is enabled. Asks if one waits for a partner.
    fn is_free(&mut self, inhibitors: u64, offers: bool, mask: Variable, waiting: Variable) -> Value {
        let bits = self.b.ins().iconst(types::I64, inhibitors as i64);
        if offers {
            let waiting = self.b.use_var(waiting);
            let waits = self.b.ins().band(waiting, bits);
            self.ask_if(waits);
        }
        let mask = self.b.use_var(mask);
        let enabled = self.b.ins().band(mask, bits);
        let none = self.b.ins().iconst(types::I64, 0);
        self.compare(IntCC::Equal, enabled, none)
    }

    /// Goes on here if a channel has room, or passes messages on at once; then the transition waits.
    fn require_room(&mut self, send: &Send, index: usize, waiting: Variable, full: Block) -> Emit<()> {
        let chan = self.channel(&send.chan)?;
        let (passes, done) = (self.b.create_block(), self.b.create_block());
        self.go_if_rendezvous(&chan, passes);
        if self.is_rendezvous(&chan) != Some(true) {
            let (at, repr) = self.length_at(&chan)?;
            let len = self.load(at, repr);
            let capacity = self.capacity(&chan);
            let has_room = self.compare(IntCC::UnsignedLessThan, len, capacity);
            self.go_unless(has_room, full);
        }
        self.b.ins().jump(done, &[]);
        self.b.switch_to_block(passes);
        self.add(waiting, index);
        self.b.ins().jump(done, &[]);
        self.b.switch_to_block(done);
        Ok(())
    }
}
