//! Declarations: where variables lie in the state, and which channels there are.
//!
//! Constants are not in the state. Channels are known by their numbers: the one slot that the model wants for the
//! variable of a channel is shared by all, and nobody reads it.

use smol_str::{SmolStr, format_smolstr};
use stubborn_base::{Diagnostic, Span};
use stubborn_ir as ir;
use stubborn_ir::{Model, Place, Region, Slot, SlotType};

use super::constant::constant;
use super::names::{Meaning, Names, Variable};
use crate::ast::{self, Ident, Init, Type};

/// The longest array.
const MAX_ARRAY: i32 = 65_536;

/// Messages that a channel holds at most.
const MAX_CAPACITY: i32 = 65_535;

/// The type of a slot. DiVinE's `int` has 16 bits.
pub(crate) fn slot_type(ty: Type) -> SlotType {
    match ty {
        Type::Byte => SlotType::Byte,
        Type::Int => SlotType::Short,
    }
}

/// The variables of the system or of a process, as they are declared.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) region: Region,
    /// Bytes so far.
    pub(crate) size: u32,
    pub(crate) variables: Vec<ir::Variable>,
    pub(crate) init: Vec<(Place, ir::Expr)>,
}

/// A channel.
#[derive(Clone, Debug)]
pub(crate) struct Channel {
    pub(crate) name: Ident,
    /// What a message has; none if that is told by the first use.
    pub(crate) types: Option<Vec<Type>>,
    pub(crate) capacity: u16,
    /// Number of values in the first use of an untyped channel, and where that is.
    pub(crate) first_use: Option<(usize, Span)>,
}

impl Frame {
    pub(crate) fn new(region: Region, size: u32) -> Self {
        Frame { region, size, variables: Vec::new(), init: Vec::new() }
    }

    /// Declares variables of a process, or of the system.
    pub(crate) fn declare(
        &mut self,
        names: &mut Names<'_>,
        process: Option<usize>,
        declaration: &ast::Variables,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        for variable in &declaration.variables {
            let size = variable.size.as_ref().map(|size| array_size(names, process, size, diagnostics));
            let mut n = size.unwrap_or(1);
            let mut initial = initial_values(names, process, variable, diagnostics);
            let bytes = u64::from(n) * u64::from(slot_type(declaration.ty).size());
            if !names.has_room(bytes, &variable.name, diagnostics) {
                n = n.min(initial.len().max(1) as u32);
            }
            for (value, span) in &initial {
                report_range(declaration.ty, *value, *span, diagnostics);
            }
            // BEEM's anderson gives its array a 0 too many, which changes nothing.
            if let Some((_, span)) = initial.iter().skip(n as usize).find(|(value, _)| *value != 0) {
                let message =
                    format!("`{}` has {n} elements, but {} values", variable.name.name, initial.len());
                diagnostics.push(Diagnostic::error("too-many-values", *span, message));
            }
            initial.truncate(n as usize);
            let ty = slot_type(declaration.ty);
            let mut values: Vec<i32> = initial.iter().map(|(value, _)| ty.wrap(*value)).collect();
            values.resize(n as usize, 0);
            let meaning = if declaration.is_const {
                if variable.init.is_none() {
                    let message = format!("constant `{}` has no value", variable.name.name);
                    let diagnostic = Diagnostic::error("constant-without-value", variable.span, message);
                    diagnostics.push(diagnostic.help(format!("write `{} = 0`", variable.name.name)));
                }
                Meaning::Constant { values, is_array: size.is_some() }
            } else {
                self.place(&variable.name.name, declaration.ty, size, values)
            };
            let table = match process {
                Some(process) => &mut names.processes[process].table,
                None => &mut names.globals,
            };
            table.declare(&variable.name, meaning, diagnostics);
        }
    }

    /// Gives a variable its place in the state.
    fn place(&mut self, name: &SmolStr, ty: Type, size: Option<u32>, initial: Vec<i32>) -> Meaning {
        let slot_ty = slot_type(ty);
        let first = Slot::new(self.size, &slot_ty);
        for (i, &value) in initial.iter().enumerate() {
            let slot = Slot::new(self.size, &slot_ty);
            let name = if size.is_some() { format_smolstr!("{name}[{i}]") } else { name.clone() };
            self.variables.push(ir::Variable { name, ty: slot_ty.clone(), slot });
            if value != 0 {
                self.init.push((Place::simple(self.region, slot), ir::Expr::Const(value)));
            }
            self.size += slot_ty.size();
        }
        Meaning::Variable(Variable { region: self.region, slot: first, ty, size, initial })
    }
}

fn array_size(
    names: &Names<'_>,
    process: Option<usize>,
    size: &ast::Expr,
    diagnostics: &mut Vec<Diagnostic>,
) -> u32 {
    let Some(value) = constant(names, process, size, diagnostics) else { return 1 };
    if !(1..=MAX_ARRAY).contains(&value) {
        let message = format!("an array has between 1 and {MAX_ARRAY} elements, not {value}");
        diagnostics.push(Diagnostic::error("array-size", size.span, message));
    }
    value.clamp(1, MAX_ARRAY) as u32
}

/// Initial values that are written, with their places.
fn initial_values(
    names: &Names<'_>,
    process: Option<usize>,
    variable: &ast::Variable,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<(i32, Span)> {
    let list = match (&variable.init, &variable.size) {
        (None, _) => return Vec::new(),
        (Some(Init::Scalar(value)), None) => std::slice::from_ref(value),
        (Some(Init::List(list, _)), Some(_)) => list,
        (Some(Init::Scalar(value)), Some(_)) => {
            let message = "an array gets its values as a list";
            let diagnostic = Diagnostic::error("wrong-initialiser", value.span, message);
            diagnostics.push(diagnostic.help("write `{`, the values separated by `,`, and `}`"));
            return Vec::new();
        }
        (Some(Init::List(_, span)), None) => {
            let message = format!("`{}` is not an array: it has one value", variable.name.name);
            diagnostics.push(Diagnostic::error("wrong-initialiser", *span, message));
            return Vec::new();
        }
    };
    let value = |e: &ast::Expr| (constant(names, process, e, diagnostics).unwrap_or(0), e.span);
    list.iter().map(value).collect()
}

/// Warns of a value that a variable cannot hold.
pub(crate) fn report_range(ty: Type, value: i32, span: Span, diagnostics: &mut Vec<Diagnostic>) {
    let (slot_ty, name, range) = match ty {
        Type::Byte => (SlotType::Byte, "byte", "0 to 255"),
        Type::Int => (SlotType::Short, "int", "-32768 to 32767"),
    };
    if slot_ty.wrap(value) != value {
        let message = format!("{value} does not fit a {name}: it becomes {}", slot_ty.wrap(value));
        diagnostics
            .push(Diagnostic::warning("out-of-range", span, message).help(format!("{name} is {range}")));
    }
}

/// Declares channels.
pub(crate) fn declare_channels(
    names: &mut Names<'_>,
    channels: &mut Vec<Channel>,
    declaration: &ast::Channels,
    diagnostics: &mut Vec<Diagnostic>,
) {
    for channel in &declaration.channels {
        let mut capacity = 0;
        if let Some(size) = &channel.capacity {
            capacity = constant(names, None, size, diagnostics).unwrap_or(0);
            if !(0..=MAX_CAPACITY).contains(&capacity) {
                let message =
                    format!("a channel holds between 0 and {MAX_CAPACITY} messages, not {capacity}");
                diagnostics.push(Diagnostic::error("channel-capacity", size.span, message));
                capacity = 0;
            }
            if declaration.types.is_none() && capacity > 0 {
                let message =
                    format!("`{}` holds messages, but does not say what they are", channel.name.name);
                let help = format!("write `channel {{byte}} {}[{capacity}];`", channel.name.name);
                diagnostics.push(Diagnostic::error("untyped-buffer", channel.span, message).help(help));
            }
        }
        let message: u32 = declaration.types.iter().flatten().map(|&ty| slot_type(ty).size()).sum();
        // And how many messages there are.
        let bytes = capacity as u64 * u64::from(message) + u64::from(SlotType::Unsigned(16).size());
        if !names.has_room(bytes, &channel.name, diagnostics) {
            capacity = 0;
        }
        names.globals.declare(&channel.name, Meaning::Channel(channels.len()), diagnostics);
        channels.push(Channel {
            name: channel.name.clone(),
            types: declaration.types.clone(),
            capacity: capacity as u16,
            first_use: None,
        });
    }
}

/// The channels of the model, laid out after the variables.
pub(crate) fn place_channels(channels: &[Channel], shared: Slot, size: &mut u32) -> Vec<ir::Channel> {
    let place = |channel: &Channel| {
        let fields = match (&channel.types, channel.first_use) {
            (Some(types), _) => types.iter().map(|&ty| slot_type(ty)).collect(),
            // Untyped channels hand values on as they are.
            (None, first) => vec![SlotType::Int; first.map_or(0, |(n, _)| n)],
        };
        let placed = ir::Channel {
            name: channel.name.name.clone(),
            variable: shared,
            capacity: channel.capacity,
            fields,
            offset: *size,
        };
        *size += placed.size();
        placed
    };
    channels.iter().map(place).collect()
}

/// Where the globals begin: after the number of processes and, if there are channels, the slot they share.
pub(crate) fn first_global(has_channels: bool) -> (u32, Slot) {
    let start = Model::num_processes_slot().size();
    let shared = Slot::new(start, &SlotType::Chan);
    (if has_channels { start + shared.size() } else { start }, shared)
}
