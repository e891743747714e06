//! What is known of channels before a model runs: what their messages are like, and which variables always hold the
//! same channel.

use std::ops::Range;

use stubborn_base::Idx;
use stubborn_ir::{Channel, Expr, Model, Place, ProcessTypeId, Region, Repr, Slot, Transition};

/// What a message is like: the representations of its fields, which follow each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Shape {
    pub(crate) fields: Vec<Repr>,
}

impl Shape {
    /// Bytes of a message.
    pub(crate) fn size(&self) -> u32 {
        self.fields.iter().map(|field| field.size()).sum()
    }

    /// Where a field begins.
    pub(crate) fn offset(&self, field: usize) -> u32 {
        self.fields[..field].iter().map(|field| field.size()).sum()
    }
}

/// The channels of a model.
#[derive(Debug, Default)]
pub(crate) struct Channels {
    /// What messages are like, each once.
    pub(crate) shapes: Vec<Shape>,
    /// Some channel has a length of two bytes.
    pub(crate) any_wide: bool,
    /// Some channel holds no message.
    pub(crate) any_rendezvous: bool,
    /// Some channel does.
    pub(crate) any_buffered: bool,
    /// Bytes of the globals that some statement may set.
    set_globals: Vec<Range<u32>>,
    /// By process type: bytes of the frame that some statement may set.
    set_locals: Vec<Vec<Range<u32>>>,
}

/// A channel that a variable always holds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known<'m> {
    /// The channel.
    pub(crate) channel: &'m Channel,
    /// Its number, if it is a global one.
    pub(crate) number: Option<u16>,
}

impl Channels {
    pub(crate) fn new(model: &Model) -> Self {
        let mut channels =
            Channels { set_locals: vec![Vec::new(); model.processes.len()], ..Channels::default() };
        for channel in
            model.channels.iter().chain(model.processes.iter().flat_map(|process| &process.channels))
        {
            let shape = Shape::of(channel);
            if !channels.shapes.contains(&shape) {
                channels.shapes.push(shape);
            }
            channels.any_wide |= channel.len_slot().size() > 1;
            channels.any_rendezvous |= channel.capacity == 0;
            channels.any_buffered |= channel.capacity > 0;
        }
        for (place, _) in &model.global_init {
            channels.set(ProcessTypeId::new(0), place);
        }
        for (id, process) in model.processes.iter_enumerated() {
            process.params.iter().chain(process.init.iter().map(|(place, _)| place)).for_each(|place| {
                channels.set(id, place);
            });
        }
        for transition in model.transitions.iter() {
            channels.note(transition);
        }
        channels
    }

    /// The number of a channel's shape.
    pub(crate) fn shape_of(&self, channel: &Channel) -> u32 {
        let shape = Shape::of(channel);
        self.shapes.iter().position(|known| *known == shape).expect("all shapes are known") as u32
    }

    /// The channel that an expression of a process type always is.
    pub(crate) fn known<'m>(
        &self,
        model: &'m Model,
        process: ProcessTypeId,
        chan: &Expr,
    ) -> Option<Known<'m>> {
        match chan {
            Expr::Const(number) => {
                let number = u16::try_from(*number).ok()?;
                let channel = model.channels.get(usize::from(number).checked_sub(1)?)?;
                Some(Known { channel, number: Some(number) })
            }
            Expr::Load(place) => {
                let slot = constant_slot(place)?;
                let is_it = |channel: &&Channel| channel.variable == slot;
                match place.region {
                    Region::Global if !overlaps(&self.set_globals, slot) => {
                        let index = model.channels.iter().position(|channel| is_it(&channel))?;
                        Some(Known { channel: &model.channels[index], number: Some(index as u16 + 1) })
                    }
                    Region::Local if !overlaps(&self.set_locals[process.index()], slot) => {
                        let channel = model.processes[process].channels.iter().find(is_it)?;
                        Some(Known { channel, number: None })
                    }
                    Region::Global | Region::Local => None,
                }
            }
            _ => None,
        }
    }

    fn note(&mut self, transition: &Transition) {
        // A process that ends is not there to look at its channels.
        transition.for_each_written(&mut |place| self.set(transition.process, place));
    }

    fn set(&mut self, process: ProcessTypeId, place: &Place) {
        let Range { start, end } = place.extent();
        let bytes = start as u32..end as u32;
        match place.region {
            Region::Global => self.set_globals.push(bytes),
            Region::Local => self.set_locals[process.index()].push(bytes),
        }
    }
}

impl Shape {
    fn of(channel: &Channel) -> Self {
        Shape { fields: channel.fields.iter().map(|field| field.repr()).collect() }
    }
}

/// The slot of a place, if its indices are constants within their bounds.
pub(crate) fn constant_slot(place: &Place) -> Option<Slot> {
    place.indices.iter().try_fold(place.slot, |slot, index| {
        let value = u32::try_from(index.value.as_const()?).ok().filter(|&value| value < index.bound)?;
        Some(slot.shifted(value * index.stride))
    })
}

fn overlaps(set: &[Range<u32>], slot: Slot) -> bool {
    let bytes = slot.offset..slot.offset + slot.size();
    set.iter().any(|range| range.start < bytes.end && bytes.start < range.end)
}
