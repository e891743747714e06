//! States in the words of the model: the values of all variables, and what changed between two states.

use std::ops::Range;

use smol_str::{SmolStr, format_smolstr};

use crate::expr::{BinaryOp, Expr, Region};
use crate::layout::{ChannelId, Instance, Layout};
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

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Number(number) => number.fmt(f),
            Value::Text(text) => text.fmt(f),
        }
    }
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
    /// It is a token of a net, and the values are how many there are.
    pub is_token: bool,
}

/// `x: 1 → 2`; of tokens what is put and what is taken: `+fork(1)`, `-2'idle`.
impl std::fmt::Display for Change {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Change { name, from, to, is_token } = self;
        match (is_token, from, to) {
            (true, Value::Number(from), Value::Number(to)) => {
                let by = i64::from(*to) - i64::from(*from);
                let sign = if by < 0 { '-' } else { '+' };
                match by.abs() {
                    1 => write!(f, "{sign}{name}"),
                    n => write!(f, "{sign}{n}'{name}"),
                }
            }
            _ => write!(f, "{name}: {from} → {to}"),
        }
    }
}

impl Change {
    /// Several in a line: tokens as they are taken and put, other changes one after the other.
    pub fn in_a_row(changes: &[Change]) -> String {
        let taken = |change: &Change| match (&change.from, &change.to) {
            (Value::Number(from), Value::Number(to)) => to < from,
            _ => false,
        };
        let are_tokens = changes.iter().all(|change| change.is_token);
        let mut shown: Vec<&Change> = changes.iter().collect();
        if are_tokens {
            shown.sort_by_key(|change| (!taken(change), &change.name));
        }
        let shown: Vec<String> = shown.iter().map(ToString::to_string).collect();
        shown.join(if are_tokens { " " } else { ", " })
    }
}

/// A variable, or a channel with its contents.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Valued {
    /// The variable, `P(2):x` for a local one.
    pub name: SmolStr,
    /// Its value.
    pub value: Value,
    /// Where it lies in the state.
    pub bytes: Range<usize>,
}

impl Layout {
    /// What changed from `before` to `after`: variables in order of declaration,
    /// globals first. Processes that appear or go are not listed.
    pub fn changes(&self, model: &Model, before: &[u8], after: &[u8]) -> Vec<Change> {
        let words = Words { model, layout: self };
        let mut changes = Vec::new();
        words.each(
            |id| self.is_alive(before, id) && self.is_alive(after, id),
            |named| {
                let bytes = named.bytes();
                if before[bytes.clone()] == after[bytes] {
                    return;
                }
                if let Some((old, new)) = words.token(&named, before).zip(words.token(&named, after)) {
                    let change = |name: SmolStr, from, to| {
                        let (from, to) = (Value::Number(from), Value::Number(to));
                        Change { name, from, to, is_token: true }
                    };
                    changes.extend(old.map(|name| change(name, 1, 0)));
                    changes.extend(new.map(|name| change(name, 0, 1)));
                } else {
                    let (from, to) = (words.show(&named, before), words.show(&named, after));
                    let is_token = model.net.is_some() && named.owner.is_none();
                    changes.push(Change { name: words.name(&named), from, to, is_token });
                }
            },
        );
        changes
    }

    /// The values of all variables of processes that exist, and the contents of all channels that keep any, in
    /// the order of [`Layout::changes`]. A variable that names its own channel is not listed.
    pub fn values(&self, model: &Model, state: &[u8]) -> Vec<Valued> {
        let words = Words { model, layout: self };
        let mut values = Vec::new();
        words.each(
            |id| self.is_alive(state, id),
            |named| {
                if let Some(token) = words.token(&named, state) {
                    let value = Value::Number(1);
                    values.extend(token.map(|name| Valued { name, value, bytes: named.bytes() }));
                    return;
                }
                let value = words.show(&named, state);
                let is_own_name = matches!(&value, Value::Text(text) if *text == words.name(&named));
                if !named.bytes().is_empty() && !is_own_name {
                    values.push(Valued { name: words.name(&named), value, bytes: named.bytes() });
                }
            },
        );
        values
    }

    /// The name of what lies at a byte of the state, whether or not its process exists.
    pub fn name_at(&self, model: &Model, byte: usize) -> Option<SmolStr> {
        let words = Words { model, layout: self };
        let mut name = None;
        words.each(
            |_| true,
            |named| {
                if name.is_none() && named.bytes().contains(&byte) {
                    name = Some(words.name(&named));
                }
            },
        );
        name
    }

    /// The name of the channel with that number.
    pub fn channel_name(&self, model: &Model, number: i32) -> Option<SmolStr> {
        let (owner, channel) = self.find_channel(model, number)?;
        Some(Words { model, layout: self }.name_of(&channel.name, owner))
    }

    /// A message as text, its fields as the channel with that number declares them.
    pub fn message_text(&self, model: &Model, number: i32, message: &[i32]) -> SmolStr {
        let words = Words { model, layout: self };
        let fields = self.find_channel(model, number).map_or(&[][..], |(_, channel)| &channel.fields);
        let shown = message.iter().enumerate().map(|(i, &value)| match fields.get(i) {
            Some(ty) => words.value(ty.wrap(value), ty).to_string(),
            None => value.to_string(),
        });
        shown.collect::<Vec<_>>().join(",").into()
    }

    /// A channel by its number, and the process that created it.
    fn find_channel<'m>(&self, model: &'m Model, number: i32) -> Option<(Option<&Instance>, &'m Channel)> {
        let id = ChannelId(u16::try_from(number).ok()?);
        let Some(owner) = self.channel_info(id)?.owner else {
            return Some((None, model.channels.get(usize::from(id.0).checked_sub(1)?)?));
        };
        let owner = self.instance(owner);
        let channels = &model.processes[owner.process].channels;
        Some((Some(owner), channels.get(usize::from(id.0 - owner.first_channel))?))
    }
}

impl Model {
    /// The token that an expression asks for, if it asks a slot that holds one of several; and whether it must be there.
    pub fn asked_token(&self, expr: &Expr) -> Option<(&SmolStr, bool)> {
        let Expr::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), operands) = expr else { return None };
        let [Expr::Load(place), Expr::Const(value)] = &**operands else { return None };
        let is_it = |v: &&Variable| place.region == Region::Global && v.slot.offset == place.slot.offset;
        let SlotType::Token { set, .. } = self.globals.iter().find(is_it)?.ty else { return None };
        Some((self.symbol(set, *value)?, *op == BinaryOp::Eq))
    }

    /// The symbolic constant of a set with that number.
    pub(crate) fn symbol(&self, set: u16, value: i32) -> Option<&SmolStr> {
        let names = self.symbols.get(usize::from(set))?;
        names.get(usize::try_from(value).ok()?.checked_sub(1)?)
    }
}

/// A model's words for what lies in a state.
pub(crate) struct Words<'a> {
    pub(crate) model: &'a Model,
    pub(crate) layout: &'a Layout,
}

/// Something with a name, and the process it belongs to.
struct Named<'a> {
    what: What<'a>,
    owner: Option<&'a Instance>,
}

enum What<'a> {
    Variable(&'a Variable),
    Contents(&'a Channel),
}

impl Named<'_> {
    fn base(&self) -> u32 {
        self.owner.map_or(0, |owner| owner.base)
    }

    /// Where it lies in a state.
    fn bytes(&self) -> Range<usize> {
        let (offset, size) = match self.what {
            What::Variable(variable) => (variable.slot.offset, variable.slot.size()),
            What::Contents(channel) => (channel.offset, channel.size()),
        };
        let start = (self.base() + offset) as usize;
        start..start + size as usize
    }
}

impl Words<'_> {
    /// All that has a name: what is global, then what belongs to each process that is `wanted`.
    fn each(&self, wanted: impl Fn(crate::layout::InstanceId) -> bool, mut visit: impl FnMut(Named<'_>)) {
        let mut all = |variables: &[Variable], channels: &[Channel], owner: Option<&Instance>| {
            variables.iter().for_each(|variable| visit(Named { what: What::Variable(variable), owner }));
            channels.iter().for_each(|channel| visit(Named { what: What::Contents(channel), owner }));
        };
        all(&self.model.globals, &self.model.channels, None);
        for (id, instance) in self.layout.instances() {
            if wanted(id) {
                let process = &self.model.processes[instance.process];
                all(&process.locals, &process.channels, Some(instance));
            }
        }
    }

    fn name(&self, named: &Named<'_>) -> SmolStr {
        let name = match named.what {
            What::Variable(variable) => &variable.name,
            What::Contents(channel) => &channel.name,
        };
        self.name_of(name, named.owner)
    }

    fn name_of(&self, name: &SmolStr, owner: Option<&Instance>) -> SmolStr {
        match owner {
            Some(o) => format_smolstr!("{}({}):{name}", self.model.processes[o.process].name, o.pid),
            None => name.clone(),
        }
    }

    fn show(&self, named: &Named<'_>, state: &[u8]) -> Value {
        match named.what {
            What::Variable(variable) => {
                self.value(variable.slot.shifted(named.base()).read(state), &variable.ty)
            }
            What::Contents(channel) => Value::Text(self.contents(channel, named.base(), state)),
        }
    }

    /// The token that is there, for something that holds one or none.
    fn token(&self, named: &Named<'_>, state: &[u8]) -> Option<Option<SmolStr>> {
        let What::Variable(Variable { ty: SlotType::Token { set, .. }, slot, .. }) = named.what else {
            return None;
        };
        Some(self.model.symbol(*set, slot.shifted(named.base()).read(state)).cloned())
    }

    fn contents(&self, channel: &Channel, base: u32, state: &[u8]) -> SmolStr {
        if channel.size() == 0 {
            return SmolStr::default();
        }
        let text = |message: &Vec<Value>| message.iter().map(Value::to_string).collect::<Vec<_>>().join(",");
        let messages: Vec<String> = self.messages(channel, base, state).iter().map(text).collect();
        format_smolstr!("[{}]", messages.join("] ["))
    }

    /// The messages in a channel, first to last, with their fields.
    pub(crate) fn messages(&self, channel: &Channel, base: u32, state: &[u8]) -> Vec<Vec<Value>> {
        if channel.size() == 0 {
            return Vec::new();
        }
        let start = base + channel.offset;
        let len = channel.len_slot().shifted(start).read(state);
        let mut at = start + channel.len_slot().size();
        let mut messages = Vec::new();
        for _ in 0..len {
            let mut fields = Vec::new();
            for ty in &channel.fields {
                fields.push(self.value(Slot::new(at, ty).read(state), ty));
                at += ty.size();
            }
            messages.push(fields);
        }
        messages
    }

    pub(crate) fn value(&self, value: i32, ty: &SlotType) -> Value {
        match ty {
            SlotType::Symbol(set) | SlotType::Token { set, .. } => match self.model.symbol(*set, value) {
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
