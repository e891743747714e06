//! Models built by hand, for tests of whatever works on models.
//!
//! ```
//! use stubborn_ir::fixture::{Fixture, add};
//! use stubborn_ir::{Interpreter, SlotType};
//!
//! let mut model = Fixture::new();
//! let x = model.global("x", SlotType::Byte);
//! let mut p = model.process("P");
//! p.edge(0, 1, "x++").assign(&x, add(&x, 1));
//! p.exit(1);
//! let p = p.finish();
//! model.activate(p);
//! let model = model.finish();
//! assert_eq!(Interpreter::new(&model).initial().unwrap(), [1, 0, 0, 1, 0]);
//! ```

use std::sync::Arc;

use smol_str::SmolStr;
use stubborn_base::{FileId, Idx, Span};

use crate::expr::{BinaryOp, Expr, Pattern, Place, Region};
use crate::model::{
    Activation, Channel, Comm, Effect, Location, LocationId, Model, Origin, ProcessType, ProcessTypeId,
    Receive, Run, Send, Transition, TransitionId, Variable,
};
use crate::slot::{Slot, SlotType};

/// A model under construction. Spans are numbers in order of construction.
#[derive(Debug)]
pub struct Fixture {
    model: Model,
    n_spans: usize,
}

/// A process type under construction.
#[derive(Debug)]
pub struct FixtureProcess<'a> {
    fixture: &'a mut Fixture,
    name: SmolStr,
    frame_size: u32,
    n_params: usize,
    locals: Vec<Variable>,
    ends: Vec<u16>,
    transitions: Vec<Transition>,
}

/// A transition under construction.
#[derive(Debug)]
pub struct FixtureEdge<'a> {
    model: &'a mut Model,
    transition: &'a mut Transition,
}

impl Default for Fixture {
    fn default() -> Self {
        let global_size = Model::num_processes_slot().size();
        Fixture { model: Model { global_size, max_processes: 10_000, ..Model::default() }, n_spans: 0 }
    }
}

impl Fixture {
    /// No variables, no processes.
    pub fn new() -> Self {
        Self::default()
    }

    /// A global variable.
    pub fn global(&mut self, name: &str, ty: SlotType) -> Place {
        let slot = Slot::new(self.model.global_size, &ty);
        self.model.global_size += ty.size();
        self.model.globals.push(Variable { name: name.into(), ty, slot });
        Place::simple(Region::Global, slot)
    }

    /// A global channel. Returns the variable that holds its number.
    pub fn channel(&mut self, name: &str, capacity: u16, fields: &[SlotType]) -> Place {
        let variable = Slot::new(self.model.global_size, &SlotType::Chan);
        let offset = self.model.global_size + variable.size();
        let channel = Channel { name: name.into(), variable, capacity, fields: fields.to_vec(), offset };
        self.model.global_size = offset + channel.size();
        self.model.channels.push(channel);
        Place::simple(Region::Global, variable)
    }

    /// A process type; it starts at location 0.
    pub fn process(&mut self, name: &str) -> FixtureProcess<'_> {
        FixtureProcess {
            fixture: self,
            name: name.into(),
            frame_size: ProcessType::location_slot().size(),
            n_params: 0,
            locals: Vec::new(),
            ends: Vec::new(),
            transitions: Vec::new(),
        }
    }

    /// A process that exists from the start.
    pub fn activate(&mut self, process: ProcessTypeId) {
        self.model.initial.push(Activation { process, priority: 1 });
    }

    /// The model, for what has no method here.
    pub fn model(&mut self) -> &mut Model {
        &mut self.model
    }

    /// The finished model.
    pub fn finish(self) -> Model {
        self.model
    }

    fn span(&mut self) -> Span {
        self.n_spans += 1;
        Span::new(FileId(0), self.n_spans - 1, self.n_spans)
    }
}

impl FixtureProcess<'_> {
    /// A local variable.
    pub fn local(&mut self, name: &str, ty: SlotType) -> Place {
        let slot = Slot::new(self.frame_size, &ty);
        self.frame_size += ty.size();
        self.locals.push(Variable { name: name.into(), ty, slot });
        Place::simple(Region::Local, slot)
    }

    /// A parameter; all of them before any local variable.
    pub fn param(&mut self, name: &str, ty: SlotType) -> Place {
        self.n_params += 1;
        self.local(name, ty)
    }

    /// A transition.
    pub fn edge(&mut self, from: u16, to: u16, text: &str) -> FixtureEdge<'_> {
        self.push(from, Some(LocationId(to)), text)
    }

    /// The process ends in `from`, once all created after it are gone.
    pub fn exit(&mut self, from: u16) {
        self.ends.push(from);
        let last = Expr::binary(BinaryOp::Sub, Expr::NumProcesses, Expr::Const(1));
        let is_last = Expr::binary(BinaryOp::Eq, Expr::Pid, last);
        self.push(from, None, "-end-").guard(is_last).effect(Effect::End);
    }

    /// The process may stay there for ever.
    pub fn end_label(&mut self, location: u16) {
        self.ends.push(location);
    }

    /// The finished process type.
    pub fn finish(mut self) -> ProcessTypeId {
        self.transitions.sort_by_key(|t| t.from);
        let first = self.fixture.model.transitions.len();
        let ends = self.transitions.iter().flat_map(|t| [Some(t.from), t.to]).flatten();
        let n_locations = ends.map(|l| l.0 + 1).max().unwrap_or(1);
        let at = |location: u16| (first + self.transitions.partition_point(|t| t.from.0 < location)) as u32;
        let nowhere = Span::new(FileId(0), 0, 0);
        let locations = (0..n_locations)
            .map(|l| Location {
                transitions: at(l)..at(l + 1),
                is_end: self.ends.contains(&l),
                is_accept: false,
                is_progress: false,
                labels: Vec::new(),
                number: i32::from(l) + 1,
                span: nowhere,
                calls: Arc::default(),
                dead: Vec::new(),
            })
            .collect();
        for transition in self.transitions {
            self.fixture.model.transitions.push(transition);
        }
        let params =
            self.locals[..self.n_params].iter().map(|v| Place::simple(Region::Local, v.slot)).collect();
        self.fixture.model.processes.push(ProcessType {
            name: self.name,
            span: nowhere,
            frame_size: self.frame_size,
            params,
            locals: self.locals,
            channels: Vec::new(),
            init: Vec::new(),
            n_provided: 0,
            priority: None,
            locations,
            start: LocationId(0),
            is_stationary: false,
        })
    }

    fn push(&mut self, from: u16, to: Option<LocationId>, text: &str) -> FixtureEdge<'_> {
        let origin = Origin { span: self.fixture.span(), text: text.into(), calls: Arc::default() };
        self.transitions.push(Transition {
            process: ProcessTypeId::new(self.fixture.model.processes.len()),
            from: LocationId(from),
            to,
            guards: Vec::new(),
            comm: None,
            effects: Vec::new(),
            inhibitors: Vec::new(),
            atomic: false,
            origin,
            number: 0,
        });
        let transition = self.transitions.last_mut().expect("just pushed");
        FixtureEdge { model: &mut self.fixture.model, transition }
    }
}

impl FixtureEdge<'_> {
    /// Must be true.
    pub fn guard(&mut self, guard: Expr) -> &mut Self {
        let guard = self.model.guards.push(guard);
        self.transition.guards.push(guard);
        self
    }

    /// Sets a place.
    pub fn assign(&mut self, place: &Place, value: Expr) -> &mut Self {
        self.effect(Effect::Assign(place.clone(), value))
    }

    /// Does something.
    pub fn effect(&mut self, effect: Effect) -> &mut Self {
        self.transition.effects.push(effect);
        self
    }

    /// Creates a process.
    pub fn run(&mut self, process: ProcessTypeId, args: Vec<Expr>) -> &mut Self {
        self.effect(Effect::Run(Run { process, args, priority: 1 }))
    }

    /// Sends a message.
    pub fn send(&mut self, chan: &Place, args: Vec<Expr>) -> &mut Self {
        self.transition.comm = Some(Comm::Send(Send { chan: load(chan), args, sorted: false }));
        self
    }

    /// Receives a message.
    pub fn receive(&mut self, chan: &Place, pattern: Vec<Pattern>) -> &mut Self {
        let receive = Receive { chan: load(chan), pattern, random: false, peek: false };
        self.transition.comm = Some(Comm::Receive(receive));
        self
    }

    /// The process goes on alone.
    pub fn atomic(&mut self) -> &mut Self {
        self.transition.atomic = true;
        self
    }
}

/// The value of a place.
pub fn load(place: &Place) -> Expr {
    Expr::Load(place.clone())
}

/// A constant.
pub fn constant(value: i32) -> Expr {
    Expr::Const(value)
}

/// `place + value`
pub fn add(place: &Place, value: i32) -> Expr {
    Expr::binary(BinaryOp::Add, load(place), Expr::Const(value))
}

/// `place op value`
pub fn compare(place: &Place, op: BinaryOp, value: i32) -> Expr {
    Expr::binary(op, load(place), Expr::Const(value))
}

/// The transition with that text; panics if there is none.
pub fn transition(model: &Model, text: &str) -> TransitionId {
    let found = model.transitions.iter_enumerated().find(|(_, t)| t.origin.text == text);
    found.unwrap_or_else(|| panic!("no transition {text}")).0
}
