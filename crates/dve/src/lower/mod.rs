//! From trees to a model: names, types, meaning.
//!
//! Where DiVinE's manual is silent or its tools differ, this follows what its explicit-state generator
//! (`dve_explicit_system.cc`, which BEEM's numbers come from), its compiler to C and its later interpreter have in
//! common:
//!
//! - values have 32 bits while they are computed; a variable holds 8 of them, or 16 with a sign, and a value that does
//!   not fit is an error (BEEM's number of states of anderson.1 shows it); a typed channel keeps what fits its types;
//! - in a rendezvous the value is handed over first, then come the receiver's effects, then the sender's; on a channel
//!   that holds messages the message goes before the effects;
//! - an untyped channel hands on as many values as its first use has;
//! - a state without successors is a deadlock: no process may stay anywhere for ever.
//!
//! Invariant: besides variables, where processes are and what channels hold, nothing in a state ever changes.

mod conflicts;
mod constant;
mod declare;
mod expr;
mod names;
mod process;
mod property;

use hashbrown::{HashMap, HashSet};
use smol_str::SmolStr;
use stubborn_base::{Diagnostic, FileId, Idx, Sources, Span};
use stubborn_ir::{Activation, LocationId, Model, ProcessType, ProcessTypeId, Region, Typed};

use crate::ast::{self, Declaration, Program};
use declare::{Channel, Frame, declare_channels, first_global, place_channels};
use expr::Lower;
use names::{Meaning, Names, ProcessNames};
use process::{Assemble, listed, start, steps};

/// So many processes can exist.
const MAX_PROCESSES: usize = 10_000;

/// Lowers a program. No model if there are errors. `lost` are names whose declarations could not be read.
pub(crate) fn lower(
    program: &Program,
    lost: &HashSet<SmolStr>,
    sources: &Sources,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Model> {
    let model = Declared::new(program, lost, diagnostics).lower(program, sources, diagnostics);
    let is_right = !diagnostics.iter().any(Diagnostic::is_error);
    is_right.then_some(model)
}

/// Gives a meaning to an expression that is not part of the model: outside of all processes, or as one sees it.
pub(crate) fn lower_expression(
    program: &Program,
    tree: &ast::Expr,
    at: Option<(ProcessTypeId, LocationId)>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Typed> {
    let nothing_lost = HashSet::new();
    let mut declared = Declared::new(program, &nothing_lost, &mut Vec::new());
    let process = match at {
        Some((id, _)) => Some(declared.names.processes.iter().position(|p| p.id == Some(id))?),
        None => None,
    };
    let (names, channels) = (&declared.names, &mut declared.channels);
    let mut lower = Lower { names, channels, diagnostics, process, from_outside: process.is_none() };
    let expr = lower.expr(tree);
    Some(Typed { expr, ty: lower.type_of(tree) })
}

/// Everything that is declared.
struct Declared<'a> {
    names: Names<'a>,
    globals: Frame,
    /// By process.
    frames: Vec<Frame>,
    channels: Vec<Channel>,
    /// Which process is the property.
    property: Option<usize>,
}

impl<'a> Declared<'a> {
    fn new(program: &Program, lost: &'a HashSet<SmolStr>, diagnostics: &mut Vec<Diagnostic>) -> Self {
        let has_channels = program.declarations.iter().any(|d| matches!(d, Declaration::Channels(_)));
        let mut declared = Declared {
            names: Names::new(lost),
            globals: Frame::new(Region::Global, first_global(has_channels).0),
            frames: Vec::new(),
            channels: Vec::new(),
            property: None,
        };
        for declaration in &program.declarations {
            match declaration {
                Declaration::Variables(variables) => {
                    declared.globals.declare(&mut declared.names, None, variables, diagnostics);
                }
                Declaration::Channels(channels) => {
                    declare_channels(&mut declared.names, &mut declared.channels, channels, diagnostics);
                }
            }
        }
        declared.declare_processes(program, diagnostics);
        declared
    }

    fn declare_processes(&mut self, program: &Program, diagnostics: &mut Vec<Diagnostic>) {
        for (index, process) in program.processes.iter().enumerate() {
            self.names.globals.declare(&process.name, Meaning::Process(index), diagnostics);
        }
        let property = program.system.as_ref().and_then(|system| system.property.as_ref());
        let find = |name: &ast::Ident| program.processes.iter().position(|p| p.name.name == name.name);
        self.property = property.and_then(find);
        let mut n_types = 0;
        for (index, process) in program.processes.iter().enumerate() {
            let id = (self.property != Some(index)).then(|| ProcessTypeId::new(n_types));
            n_types += usize::from(id.is_some());
            let (name, lost_states) = (process.name.clone(), process.lost_states);
            self.names.processes.push(ProcessNames { name, table: names::Table::default(), id, lost_states });
            let mut frame = Frame::new(Region::Local, ProcessType::location_slot().size());
            for declaration in &process.declarations {
                if let Declaration::Variables(variables) = declaration {
                    frame.declare(&mut self.names, Some(index), variables, diagnostics);
                }
            }
            let table = &mut self.names.processes[index].table;
            for (i, state) in process.states.iter().enumerate() {
                table.declare(state, Meaning::State(LocationId(i as u16)), diagnostics);
            }
            if process.states.len() >= usize::from(u16::MAX) {
                let message = format!("`{}` has more than 65,534 states", process.name.name);
                diagnostics.push(Diagnostic::error("process-too-large", process.name.span, message));
            }
            self.frames.push(frame);
        }
        if let (Some(name), None) = (property, self.property) {
            // Reports what is wrong with the name.
            self.names.process(name, diagnostics);
        }
    }

    fn lower(mut self, program: &Program, sources: &Sources, diagnostics: &mut Vec<Diagnostic>) -> Model {
        report_system(program, diagnostics);
        let mut model = Model { receiver_first: true, overflow_fails: true, ..Model::default() };
        let committed = self.committed(program, diagnostics);
        let (names, channels) = (&self.names, &mut self.channels);
        let mut lower = Lower { names, channels, diagnostics, process: None, from_outside: false };
        for (index, process) in program.processes.iter().enumerate() {
            lower.process = Some(index);
            let Some(id) = names.processes[index].id else {
                lower.from_outside = true;
                let claim = property::property(&mut lower, index, process);
                model.claims.push(claim);
                lower.from_outside = false;
                continue;
            };
            let start = start(names, index, process, lower.diagnostics);
            let accept = listed(names, index, &process.accept, lower.diagnostics);
            let steps = steps(names, index, process, lower.diagnostics);
            let mut assemble = Assemble {
                lower: &mut lower,
                model: &mut model,
                sources,
                id,
                committed: &committed,
                guards: HashMap::new(),
            };
            let locations = assemble.locations(process, &steps, &accept);
            let frame = &self.frames[index];
            model.processes.push(ProcessType {
                name: process.name.name.clone(),
                span: process.name.span,
                frame_size: frame.size,
                params: Vec::new(),
                locals: frame.variables.clone(),
                channels: Vec::new(),
                init: frame.init.clone(),
                n_provided: 0,
                priority: None,
                locations,
                start,
                is_stationary: false,
            });
            model.initial.push(Activation { process: id, priority: 1 });
            lower.from_outside = true;
            model.claims.extend(property::assertions(&mut lower, index, process));
            lower.from_outside = false;
        }
        self.finish(model, program, diagnostics)
    }

    /// The committed states of all processes of the system.
    fn committed(
        &self,
        program: &Program,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Vec<(ProcessTypeId, LocationId)> {
        let mut committed = Vec::new();
        for (index, process) in program.processes.iter().enumerate() {
            let states = listed(&self.names, index, &process.commit, diagnostics);
            let id = self.names.processes[index].id;
            committed.extend(id.into_iter().flat_map(|id| states.iter().map(move |&state| (id, state))));
        }
        committed
    }

    fn finish(self, mut model: Model, program: &Program, diagnostics: &mut Vec<Diagnostic>) -> Model {
        let (_, shared) = first_global(!self.channels.is_empty());
        let mut size = self.globals.size;
        model.channels = place_channels(&self.channels, shared, &mut size);
        model.global_size = size;
        model.globals = self.globals.variables;
        model.global_init = self.globals.init;
        conflicts::report(&model, diagnostics);
        model.max_processes = model.initial.len() as u16;
        if model.initial.len() > MAX_PROCESSES {
            let span = program.processes[MAX_PROCESSES].name.span;
            let message = format!("there are more than {MAX_PROCESSES} processes");
            diagnostics.push(Diagnostic::error("too-many-processes", span, message));
        }
        if model.initial.is_empty() && !diagnostics.iter().any(Diagnostic::is_error) {
            let span = program.system.as_ref().map_or(Span::new(FileId(0), 0, 0), |system| system.span);
            let diagnostic = Diagnostic::error("no-process", span, "the system has no process");
            diagnostics.push(diagnostic.help("write `process P { state s; init s; trans s -> s {}; }`"));
        }
        model
    }
}

/// What can be wrong with `system`.
fn report_system(program: &Program, diagnostics: &mut Vec<Diagnostic>) {
    match &program.system {
        None => {
            let end = program.processes.last().map_or(Span::new(FileId(0), 0, 0), |process| process.span);
            let place = Span { start: end.end, ..end };
            let message = "it is not said how the processes make a system";
            let edits = vec![stubborn_base::Edit { span: place, text: "\n\nsystem async;\n".to_owned() }];
            let diagnostic = Diagnostic::error("no-system", place, message);
            diagnostics.push(
                diagnostic.help("end the model with `system async;`").fix("Insert `system async;`", edits),
            );
        }
        Some(system) if system.is_synchronous => {
            let message = "synchronous systems are not supported";
            let diagnostic = Diagnostic::error("not-supported", system.span, message);
            diagnostics.push(diagnostic.help("write `system async`"));
        }
        Some(_) => {}
    }
}
