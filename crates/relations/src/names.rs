//! Cells of the state in the words of the model.

use hashbrown::HashMap;
use smol_str::{SmolStr, format_smolstr};
use stubborn_base::Idx;
use stubborn_ir::{InstanceId, Layout, Model};

use crate::access::{Cell, rendezvous_cell};
use crate::scope::{UNKNOWN_PID, alive_cell, n_processes_cell};

/// The names of all cells.
#[derive(Debug)]
pub(crate) struct Names<'a> {
    model: &'a Model,
    layout: &'a Layout,
    by_cell: HashMap<Cell, Named>,
    /// By channel, from number 1.
    channels: Vec<Named>,
}

/// Who reads the names: a process may stand for others of its type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader {
    pub(crate) instance: InstanceId,
    /// It stands for others too: what is its own is said to be of `_pid`.
    pub(crate) stands_for_others: bool,
}

#[derive(Clone, Debug)]
struct Named {
    owner: Option<InstanceId>,
    label: Label,
}

#[derive(Clone, Debug)]
enum Label {
    /// A variable, a channel or the contents of one.
    Declared(SmolStr),
    NumProcesses,
    LastPid,
    Location,
    Existence,
}

impl<'a> Names<'a> {
    pub(crate) fn new(model: &'a Model, layout: &'a Layout) -> Self {
        let mut names = Names { model, layout, by_cell: HashMap::new(), channels: Vec::new() };
        names.add(n_processes_cell(), None, Label::NumProcesses);
        if let Some(last) = model.last_pid {
            names.add(last.offset, None, Label::LastPid);
        }
        for variable in &model.globals {
            names.add(variable.slot.offset, None, Label::Declared(variable.name.clone()));
        }
        for channel in &model.channels {
            names.add_channel(channel, 0, None);
        }
        for (id, instance) in layout.instances() {
            let ty = &model.processes[instance.process];
            names.add(instance.location.offset, Some(id), Label::Location);
            names.add(alive_cell(instance), Some(id), Label::Existence);
            for variable in &ty.locals {
                let cell = instance.base + variable.slot.offset;
                names.add(cell, Some(id), Label::Declared(variable.name.clone()));
            }
            for channel in &ty.channels {
                names.add_channel(channel, instance.base, Some(id));
            }
        }
        names
    }

    fn add(&mut self, cell: Cell, owner: Option<InstanceId>, label: Label) {
        self.by_cell.insert(cell, Named { owner, label });
    }

    fn add_channel(&mut self, channel: &stubborn_ir::Channel, base: u32, owner: Option<InstanceId>) {
        let label = Label::Declared(channel.name.clone());
        self.add(base + channel.variable.offset, owner, label.clone());
        if channel.capacity > 0 {
            self.add(base + channel.offset, owner, label.clone());
        }
        self.channels.push(Named { owner, label: label.clone() });
        self.add(rendezvous_cell(self.channels.len() as u16), owner, label);
    }

    /// The name of a cell, such as `a[2].f`, `P[1].x` or `P[1]'s location`.
    pub(crate) fn cell(&self, cell: Cell, reader: Reader) -> SmolStr {
        match self.by_cell.get(&cell) {
            Some(named) => self.text(named, reader),
            None => SmolStr::new_static("an unnamed variable"),
        }
    }

    /// The name of a channel.
    pub(crate) fn channel(&self, number: u16, reader: Reader) -> SmolStr {
        let named = usize::from(number).checked_sub(1).and_then(|index| self.channels.get(index));
        named.map_or_else(|| format_smolstr!("channel {number}"), |named| self.text(named, reader))
    }

    /// Whether a cell is something a person declared, not bookkeeping.
    pub(crate) fn is_declared(&self, cell: Cell) -> bool {
        self.by_cell.get(&cell).is_some_and(|named| matches!(named.label, Label::Declared(_)))
    }

    /// `P[1]`; the process of the reader is `P[_pid]` if it stands for others.
    fn process(&self, id: InstanceId, reader: Reader) -> SmolStr {
        let instance = self.layout.instance(id);
        let name = &self.model.processes[instance.process].name;
        match instance.pid {
            _ if id.index() == reader.instance.index() && reader.stands_for_others => {
                format_smolstr!("{name}[_pid]")
            }
            UNKNOWN_PID => format_smolstr!("{name}[?]"),
            pid => format_smolstr!("{name}[{pid}]"),
        }
    }

    fn text(&self, named: &Named, reader: Reader) -> SmolStr {
        let process = |owner| self.process(owner, reader);
        match (&named.label, named.owner) {
            (Label::Declared(name), None) => name.clone(),
            (Label::Declared(name), Some(owner)) => format_smolstr!("{}.{name}", process(owner)),
            (Label::Location, Some(owner)) => format_smolstr!("{}'s location", process(owner)),
            (Label::Existence, Some(owner)) => format_smolstr!("whether {} exists", process(owner)),
            (Label::LastPid, _) => SmolStr::new_static("_last"),
            (Label::NumProcesses | Label::Location | Label::Existence, _) => {
                SmolStr::new_static("number of processes")
            }
        }
    }
}
