//! What somebody who stops in a state looks at: variables and channels of one process, or the global ones, by the
//! names they have in expressions there.

use smol_str::SmolStr;

use crate::describe::{Value, Words};
use crate::layout::{InstanceId, Layout};
use crate::model::{Channel, Model, Variable};
use crate::slot::SlotType;

/// A channel with what is in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contents {
    /// The variable it was declared for.
    pub name: SmolStr,
    /// Number of messages it holds; 0 for a rendezvous channel.
    pub capacity: u16,
    /// First to last, with their fields.
    pub messages: Vec<Vec<Value>>,
}

impl Layout {
    /// The named scalars of a process that exists in `state`, or the global ones, in order.
    pub fn variables(
        &self,
        model: &Model,
        state: &[u8],
        owner: Option<InstanceId>,
    ) -> Vec<(SmolStr, SlotType, Value)> {
        let (variables, _, base) = self.belongings(model, owner);
        let words = Words { model, layout: self };
        let value = |v: &Variable| words.value(v.slot.shifted(base).read(state), &v.ty);
        variables.iter().map(|v| (v.name.clone(), v.ty.clone(), value(v))).collect()
    }

    /// The channels of a process that exists in `state`, or the global ones, in order.
    pub fn channels(&self, model: &Model, state: &[u8], owner: Option<InstanceId>) -> Vec<Contents> {
        let (_, channels, base) = self.belongings(model, owner);
        let words = Words { model, layout: self };
        let contents = |channel: &Channel| Contents {
            name: channel.name.clone(),
            capacity: channel.capacity,
            messages: words.messages(channel, base, state),
        };
        channels.iter().map(contents).collect()
    }

    /// A value as one of that type is shown.
    pub fn show(&self, model: &Model, value: i32, ty: &SlotType) -> Value {
        Words { model, layout: self }.value(value, ty)
    }

    fn belongings<'m>(
        &self,
        model: &'m Model,
        owner: Option<InstanceId>,
    ) -> (&'m [Variable], &'m [Channel], u32) {
        match owner.map(|owner| self.instance(owner)) {
            Some(instance) => {
                let process = &model.processes[instance.process];
                (&process.locals, &process.channels, instance.base)
            }
            None => (&model.globals, &model.channels, 0),
        }
    }
}
