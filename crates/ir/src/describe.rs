//! What changed between two states, in the words of the model.

use smol_str::{SmolStr, format_smolstr};

use crate::layout::{Instance, Layout};
use crate::model::{Channel, Model, Variable};
use crate::slot::{Slot, SlotType};

/// A value as it is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// A number.
    Number(i32),
    /// A symbolic constant, a channel, or a channel's contents.
    Text(SmolStr),
}

/// A variable or channel whose value changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// The variable, `P(2):x` for a local one.
    pub name: SmolStr,
    /// Before.
    pub from: Value,
    /// After.
    pub to: Value,
}

impl Layout {
    /// What changed from `before` to `after`: variables in order of declaration,
    /// globals first. Processes that appear or go are not listed.
    pub fn changes(&self, model: &Model, before: &[u8], after: &[u8]) -> Vec<Change> {
        let describe = Describe { model, layout: self, before, after };
        let mut changes = Vec::new();
        for variable in &model.globals {
            describe.variable(variable, 0, None, &mut changes);
        }
        for channel in &model.channels {
            describe.channel(channel, 0, None, &mut changes);
        }
        for (id, instance) in self.instances() {
            if self.is_alive(before, id) && self.is_alive(after, id) {
                let process = &model.processes[instance.process];
                for variable in &process.locals {
                    describe.variable(variable, instance.base, Some(instance), &mut changes);
                }
                for channel in &process.channels {
                    describe.channel(channel, instance.base, Some(instance), &mut changes);
                }
            }
        }
        changes
    }
}

impl Layout {
    /// The values of all variables and channels, in order of declaration, globals first.
    pub fn values(&self, model: &Model, state: &[u8]) -> Vec<(SmolStr, Value)> {
        let describe = Describe { model, layout: self, before: state, after: state };
        let mut values = Vec::new();
        let mut frame = |variables: &[Variable], channels: &[Channel], base, owner: Option<&Instance>| {
            for variable in variables {
                let value = describe.value(variable.slot.shifted(base).read(state), &variable.ty);
                let name = describe.name(&variable.name, owner);
                // A channel variable that was never assigned is its own channel.
                if !matches!(&value, Value::Text(channel) if *channel == name) {
                    values.push((name, value));
                }
            }
            for channel in channels.iter().filter(|channel| channel.capacity > 0) {
                let contents = describe.contents(channel, base, state);
                values.push((describe.name(&channel.name, owner), Value::Text(contents)));
            }
        };
        frame(&model.globals, &model.channels, 0, None);
        for (id, instance) in self.instances() {
            if self.is_alive(state, id) {
                let process = &model.processes[instance.process];
                frame(&process.locals, &process.channels, instance.base, Some(instance));
            }
        }
        values
    }
}

impl Model {
    /// The symbolic constant of a set with that number.
    pub(crate) fn symbol(&self, set: u16, value: i32) -> Option<&SmolStr> {
        let names = self.symbols.get(usize::from(set))?;
        names.get(usize::try_from(value).ok()?.checked_sub(1)?)
    }
}

struct Describe<'a> {
    model: &'a Model,
    layout: &'a Layout,
    before: &'a [u8],
    after: &'a [u8],
}

impl Describe<'_> {
    fn variable(&self, variable: &Variable, base: u32, owner: Option<&Instance>, changes: &mut Vec<Change>) {
        let slot = variable.slot.shifted(base);
        let (from, to) = (slot.read(self.before), slot.read(self.after));
        if from != to {
            let show = |value| self.value(value, &variable.ty);
            changes.push(Change { name: self.name(&variable.name, owner), from: show(from), to: show(to) });
        }
    }

    fn channel(&self, channel: &Channel, base: u32, owner: Option<&Instance>, changes: &mut Vec<Change>) {
        let start = (base + channel.offset) as usize;
        let range = start..start + channel.size() as usize;
        if self.before[range.clone()] != self.after[range] {
            let show = |state| Value::Text(self.contents(channel, base, state));
            let (from, to) = (show(self.before), show(self.after));
            changes.push(Change { name: self.name(&channel.name, owner), from, to });
        }
    }

    fn name(&self, name: &SmolStr, owner: Option<&Instance>) -> SmolStr {
        match owner {
            Some(o) => format_smolstr!("{}({}):{name}", self.model.processes[o.process].name, o.pid),
            None => name.clone(),
        }
    }

    fn contents(&self, channel: &Channel, base: u32, state: &[u8]) -> SmolStr {
        let start = base + channel.offset;
        let len = channel.len_slot().shifted(start).read(state);
        let mut at = start + channel.len_slot().size();
        let mut messages = Vec::new();
        for _ in 0..len {
            let mut fields = Vec::new();
            for ty in &channel.fields {
                let value = self.value(Slot::new(at, ty).read(state), ty);
                fields.push(match value {
                    Value::Number(n) => n.to_string(),
                    Value::Text(t) => t.to_string(),
                });
                at += ty.size();
            }
            messages.push(fields.join(","));
        }
        format_smolstr!("[{}]", messages.join("] ["))
    }

    fn value(&self, value: i32, ty: &SlotType) -> Value {
        match ty {
            SlotType::Symbol(set) => match self.model.symbol(*set, value) {
                Some(name) => Value::Text(name.clone()),
                None => Value::Number(value),
            },
            SlotType::Chan => {
                self.layout.channel_name(self.model, value).map_or(Value::Number(value), Value::Text)
            }
            _ => Value::Number(value),
        }
    }
}

impl Layout {
    /// The name of the channel with that number.
    fn channel_name(&self, model: &Model, number: i32) -> Option<SmolStr> {
        let number = usize::try_from(number).ok()?.checked_sub(1)?;
        if let Some(channel) = model.channels.get(number) {
            return Some(channel.name.clone());
        }
        let (_, owner) = self
            .instances()
            .filter(|(_, i)| usize::from(i.first_channel) <= number + 1)
            .max_by_key(|(_, i)| (i.first_channel, i.base))?;
        let process = &model.processes[owner.process];
        let channel = process.channels.get(number + 1 - usize::from(owner.first_channel))?;
        Some(format_smolstr!("{}({}):{}", process.name, owner.pid, channel.name))
    }
}
