//! From syntax to a model: names, types, control flow, meaning.
//!
//! Three passes, because expressions may refer to the labels of any process:
//! declarations and control flow of every item in the order of the text; the
//! automata, with their locations numbered; then what the statements mean.

mod automaton;
mod body;
mod claims;
mod declare;
mod dstep;
mod exclusive;
mod expr;
mod expression;
mod flow;
mod labels;
mod names;
mod numbers;
mod print;
mod process;
mod stmt;

use hashbrown::HashSet;
use smol_str::{SmolStr, format_smolstr};
use stubborn_base::{Diagnostic, FileId, Idx, Sources, Span};
use stubborn_ir::{
    Activation, Claim, ClaimKind, LocationId, Model, Place, ProcessType, ProcessTypeId, Region, Slot,
    SlotType,
};

use crate::ast::{self, ExprKind, Item, Program, StmtKind};
use crate::fixes::insert_before;
use body::Body;
use claims::{Source, Stated};
use declare::{Frame, MAX_VECTOR, constant, declare_mtype, declare_struct, initial_value};
use expr::{Lower, Used, collect_scalars};
pub(crate) use expression::lower_expression;
use flow::Kind;
use names::{GLOBAL, Meaning, Names, SymbolId};
use numbers::{RemoteLabel, leave_out};
use process::{Process, Processes, lower_process};

/// The code of what is said of a model in which nothing happens.
const NO_PROCESS: &str = "no-process";

/// So many processes can exist at a time.
const MAX_PROCESSES: u16 = 255;

/// Lowers a program. No model if there are errors. `lost` are names whose declarations could not be read.
pub(crate) fn lower(
    program: &Program,
    lost: &HashSet<SmolStr>,
    sources: &Sources,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Model> {
    let parsed = !diagnostics.iter().any(Diagnostic::is_error);
    let mut used = Used::of(program);
    let mut found = Vec::new();
    let mut model = Declared::new(program, lost, &used, &mut found).lower(sources, &mut used, &mut found);
    // What only the statements tell changes the layout: then once more.
    if !used.dropped.is_empty() || used.priorities {
        let mut used = used.settled();
        found.clear();
        model = Declared::new(program, lost, &used, &mut found).lower(sources, &mut used, &mut found);
    }
    if !parsed {
        // One may be among what could not be read.
        found.retain(|diagnostic| diagnostic.code != NO_PROCESS);
    }
    let ok = parsed && !found.iter().any(Diagnostic::is_error);
    diagnostics.append(&mut found);
    ok.then_some(model)
}

impl Used {
    /// What the text alone tells.
    fn of(program: &Program) -> Self {
        let (last_pid, priorities) = (mentions_last(program), declares_priorities(program));
        Used { last_pid, priorities, ..Used::default() }
    }

    /// What is kept, for those who read the statements once more.
    fn settled(self) -> Self {
        let Used { dropped, last_pid, priorities, .. } = self;
        Used { dropped, last_pid, priorities, ..Used::default() }
    }
}

/// Everything that is declared, and the control flow of the processes.
struct Declared<'a> {
    names: Names,
    globals: Frame<'a>,
    processes: Processes<'a>,
    /// `never`, `trace` and `notrace`: read like processes.
    observers: Vec<Process<'a>>,
    /// Process types that exist from the start, with the number of copies.
    active: Vec<(ProcessTypeId, i32)>,
    claims: Vec<Stated<'a>>,
    last_pid: Option<Slot>,
    priorities: bool,
    /// Where the first process type begins.
    first_process: Option<Span>,
    /// Elements of the bodies so far.
    n_elements: u32,
}

impl<'a> Declared<'a> {
    fn new(
        program: &'a Program,
        lost: &HashSet<SmolStr>,
        used: &Used,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Self {
        let mut size = Model::num_processes_slot().size();
        let last_pid = used.last_pid.then(|| Slot::new(size, &SlotType::Pid));
        size += last_pid.map_or(0, Slot::size);
        let mut declared = Declared {
            names: Names::new(lost),
            globals: Frame::new(Region::Global, size),
            processes: Processes::default(),
            observers: Vec::new(),
            active: Vec::new(),
            claims: Vec::new(),
            last_pid,
            priorities: used.priorities,
            first_process: None,
            n_elements: 0,
        };
        if !lost.is_empty() {
            // A channel that could not be read may have messages of any length.
            declared.names.note_message(usize::MAX);
        }
        for item in &program.items {
            declared.item(item, diagnostics);
        }
        declared.globals.place_channels();
        declared.build_automata(program, diagnostics);
        declared
    }

    fn item(&mut self, item: &'a Item, diagnostics: &mut Vec<Diagnostic>) {
        match item {
            Item::Decl(decl) => {
                for declarator in &decl.vars {
                    let symbol = self.globals.declare(&mut self.names, GLOBAL, decl, declarator, diagnostics);
                    self.globals.initial.push((symbol, declarator, self.names.here(GLOBAL)));
                }
            }
            Item::Mtype(decl) => declare_mtype(&mut self.names, decl, diagnostics),
            Item::Typedef(typedef) => declare_struct(&mut self.names, typedef, diagnostics),
            Item::Proctype(proctype) => self.proctype(proctype, diagnostics),
            Item::Ltl(ltl) => {
                let is_unnamed = |c: &&Stated<'_>| matches!(c.source, Source::Formula(f) if f.name.is_none());
                let unnamed = self.claims.iter().filter(is_unnamed).count();
                let name = ltl.name.as_ref().map_or(format_smolstr!("ltl_{unnamed}"), |n| n.name.clone());
                self.claims.push(Stated { name, span: ltl.span, source: Source::Formula(ltl) });
            }
            Item::Never(never) => {
                let n = self.claims.iter().filter(|c| c.kind() == ClaimKind::Never).count();
                let name = never.name.as_ref().map_or(format_smolstr!("never_{n}"), |n| n.name.clone());
                self.observer(&name, &never.body, false, diagnostics);
                let source = Source::Never(self.observers.len() - 1);
                self.claims.push(Stated { name, span: never.span, source });
            }
            Item::Trace(trace) => {
                let name = if trace.negated { "notrace" } else { "trace" };
                self.observer(name, &trace.body, true, diagnostics);
                let source = Source::Trace(self.observers.len() - 1, trace.negated);
                self.claims.push(Stated { name: name.into(), span: trace.span, source });
            }
            Item::Inline(_) => {}
        }
    }

    fn proctype(&mut self, proctype: &'a ast::Proctype, diagnostics: &mut Vec<Diagnostic>) {
        if self.processes.find(&proctype.name.name).is_some() {
            let message = format!("proctype `{}` is declared twice", proctype.name.name);
            diagnostics.push(Diagnostic::error("redeclared", proctype.name.span, message));
            return;
        }
        self.first_process.get_or_insert(proctype.span);
        let mut process = self.process(&proctype.name, &proctype.params, &proctype.body, diagnostics);
        process.provided = proctype.provided.as_ref();
        process.priority = proctype.priority.as_ref();
        let id = self.processes.push(process);
        self.activate(id, proctype, diagnostics);
    }

    /// A `never` claim or a trace: read like a process, but not one of the model's. A
    /// trace consists of channel operations, a claim has none.
    fn observer(
        &mut self,
        name: &str,
        body: &'a ast::Block,
        is_trace: bool,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let name = ast::Ident { name: name.into(), span: body.span };
        let process = self.process(&name, &[], body, diagnostics);
        for element in process.flow.elements.iter() {
            let Kind::Stmt(stmt) = &element.kind else { continue };
            let is_event = matches!(stmt.kind, StmtKind::Send(_) | StmtKind::Receive(_));
            if is_trace && !is_event {
                let message = "a trace consists of sends and receives";
                diagnostics.push(Diagnostic::error("not-an-event", element.span, message));
            } else if is_event && !is_trace {
                let message = "a never claim cannot send or receive";
                let diagnostic = Diagnostic::error("event-in-claim", element.span, message);
                diagnostics.push(diagnostic.help("test the channel's contents, as in `q?[x]`"));
            }
        }
        self.observers.push(process);
    }

    /// Declares what a process declares, and finds its control flow.
    fn process(
        &mut self,
        name: &ast::Ident,
        params: &'a [ast::VarDecl],
        body: &'a ast::Block,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Process<'a> {
        let scope = self.names.open_scope(GLOBAL);
        let first_symbol = self.names.here(scope).known;
        let mut size = ProcessType::location_slot().size();
        size += if self.priorities { SlotType::Byte.size() } else { 0 };
        let mut frame = Frame::new(Region::Local, size);
        let mut declared = Vec::new();
        for decl in params {
            for declarator in &decl.vars {
                if declarator.array.is_some() {
                    let message = format!("parameter `{}` cannot be an array", declarator.name.name);
                    diagnostics.push(Diagnostic::error("array-parameter", declarator.span, message));
                }
                if declarator.init.is_some() {
                    let message =
                        format!("parameter `{}` cannot have an initial value", declarator.name.name);
                    diagnostics.push(Diagnostic::error("initialised-parameter", declarator.span, message));
                }
                declared.push(frame.declare(&mut self.names, scope, decl, declarator, diagnostics));
            }
        }
        let (flow, sequence) = Body::new(&mut self.names, &mut frame, scope, diagnostics).process(body);
        flow.labels.report_duplicates(diagnostics);
        frame.place_channels();
        let mut process = Process::new(name.clone(), flow, sequence, frame);
        process.scope = scope;
        process.numbers.first = self.n_elements;
        self.n_elements += process.flow.n_numbered();
        process.symbols = (first_symbol, self.names.here(scope).known);
        process.n_params = self.places_of(&declared).len();
        process.params = declared;
        process
    }

    /// The scalars of some variables, in order.
    fn places_of(&self, symbols: &[SymbolId]) -> Vec<Place> {
        let mut places = Vec::new();
        for &symbol in symbols {
            if let Meaning::Var(var) = &self.names.symbol(symbol).meaning {
                collect_scalars(&self.names, var, var.offset, &mut |slot, _| {
                    places.push(Place::simple(var.region, slot));
                });
            }
        }
        places
    }

    fn activate(&mut self, id: ProcessTypeId, proctype: &ast::Proctype, diagnostics: &mut Vec<Diagnostic>) {
        if proctype.is_init {
            self.active.push((id, 1));
        }
        let Some(active) = &proctype.active else { return };
        let mut number = 1;
        if let Some(count) = &active.count {
            let here = self.names.here(GLOBAL);
            let value = initial_value(&self.names, here, count)
                .or_else(|| constant(&self.names, here, count, diagnostics));
            number = value.unwrap_or(1);
            if number > MAX_PROCESSES.into() {
                let message = format!("{number} processes, at most {MAX_PROCESSES} can exist");
                diagnostics.push(Diagnostic::error("too-many-processes", count.span, message));
            }
        }
        self.active.push((id, number.min(MAX_PROCESSES.into())));
    }

    fn build_automata(&mut self, program: &Program, diagnostics: &mut Vec<Diagnostic>) {
        let mut remote_labels = Vec::new();
        crate::visit::each_expr(program, &mut |expr| {
            if let ExprKind::RemoteLabel(remote) = &expr.kind {
                let (proctype, label) = (&remote.proctype.name, &remote.label.name);
                remote_labels.push(RemoteLabel { proctype, label, span: expr.span });
            }
        });
        let mut all: Vec<&mut Process<'_>> =
            self.processes.all.iter_mut().chain(&mut self.observers).collect();
        leave_out(&mut all, &self.names, &remote_labels);
        for process in self.processes.all.iter_mut().chain(&mut self.observers) {
            for remote in remote_labels.iter().filter(|remote| *remote.proctype == process.name.name) {
                let label = process.flow.labels.find(&self.names, process.scope, remote.label);
                if let Some(element) = label.map(|l| l.element) {
                    process.flow.make_state(element);
                }
            }
            process.build_automaton(&self.names, diagnostics);
        }
    }

    fn lower(self, sources: &Sources, used: &mut Used, diagnostics: &mut Vec<Diagnostic>) -> Model {
        let mut model = Model {
            global_size: self.globals.size,
            globals: self.globals.variables.clone(),
            channels: self.globals.channels.clone(),
            symbols: self.names.mtypes.iter().map(|(_, names)| names.clone()).collect(),
            last_pid: self.last_pid,
            ..Model::default()
        };
        let (names, processes) = (&self.names, &self.processes);
        let mut lower =
            Lower { names, processes, diagnostics, used, in_process: false, observes: false, created: None };
        for (symbol, declarator, here) in &self.globals.initial {
            lower.initial_values(*symbol, declarator.init.as_deref(), *here, &mut model.global_init);
        }
        lower.in_process = true;
        for (i, process) in processes.all.iter().enumerate() {
            let ty = self.process_type(&mut lower, &mut model, sources, process, ProcessTypeId::new(i));
            model.processes.push(ty);
        }
        model.uses_timeout = lower.used.timeout;
        model.max_processes = MAX_PROCESSES;
        self.lower_claims(&mut lower, &mut model, sources);
        for &(process, count) in &self.active {
            let priority = self.priority_of(process, lower.diagnostics);
            model.initial.extend((0..count).map(|_| Activation { process, priority }));
        }
        if model.initial.is_empty() {
            lower.report(self.no_process());
        }
        self.check_size(&model, lower.diagnostics);
        let hidden = names.symbols().filter(|(_, s)| s.hidden).map(|(id, _)| id);
        lower.used.dropped = hidden.filter(|s| !lower.used.hidden_read.contains(s)).collect();
        model.uses_priorities = lower.used.priorities;
        model
    }

    /// Reports that the first state is too long, at the process that makes it so.
    fn check_size(&self, model: &Model, diagnostics: &mut Vec<Diagnostic>) {
        let mut bytes = u64::from(model.global_size);
        for &(process, count) in &self.active {
            bytes += u64::from(model.processes[process].frame_size) * count as u64;
            if bytes > u64::from(MAX_VECTOR) {
                let name = &self.processes.all[process.index()].name;
                let message = format!("the processes `{}` make a state longer than 1 MiB", name.name);
                diagnostics.push(Diagnostic::error("state-too-large", name.span, message));
                return;
            }
        }
    }

    /// What to say of a model in which nothing happens.
    fn no_process(&self) -> Diagnostic {
        let message = "no process is active: there is neither `init` nor an `active proctype`";
        match self.processes.all.first() {
            Some(process) => {
                let help = format!("write `active proctype {}`", process.name.name);
                let diagnostic = Diagnostic::error(NO_PROCESS, process.name.span, message).help(help);
                match self.first_process {
                    Some(span) => diagnostic.fix("Insert `active`", insert_before(span, "active ")),
                    None => diagnostic,
                }
            }
            None => Diagnostic::error(NO_PROCESS, Span::new(FileId(0), 0, 0), message),
        }
    }

    fn process_type(
        &self,
        lower: &mut Lower<'_>,
        model: &mut Model,
        sources: &Sources,
        process: &Process<'_>,
        id: ProcessTypeId,
    ) -> ProcessType {
        let mut init = Vec::new();
        for (symbol, declarator, here) in &process.frame.initial {
            lower.initial_values(*symbol, declarator.init.as_deref(), *here, &mut init);
        }
        for (chan, here) in &process.frame.exclusives {
            lower.channel(chan, *here);
        }
        let priority = Slot::new(ProcessType::location_slot().size(), &SlotType::Byte);
        let (locations, n_provided) = lower_process(lower, model, sources, process, id);
        ProcessType {
            name: process.name.name.clone(),
            span: process.name.span,
            frame_size: process.frame.size,
            params: self.places_of(&process.params),
            locals: process.frame.variables.clone(),
            channels: process.frame.channels.clone(),
            init,
            priority: self.priorities.then_some(priority),
            n_provided,
            locations,
            start: LocationId(0),
            is_stationary: false,
        }
    }

    /// What the model states, in order, and then what its labels ask.
    fn lower_claims(&self, lower: &mut Lower<'_>, model: &mut Model, sources: &Sources) {
        lower.observes = true;
        for claim in &self.claims {
            let body = match claim.source {
                Source::Formula(ltl) => claims::formula(lower, &ltl.formula, self.names.here(GLOBAL)),
                Source::Never(i) => {
                    let mut alone = Model::default();
                    let observer = &self.observers[i];
                    let (locations, _) =
                        lower_process(lower, &mut alone, sources, observer, ProcessTypeId(0));
                    claims::automaton(&alone, &locations, observer.frame.variables.len())
                }
                Source::Trace(i, negated) => {
                    let mut alone = Model::default();
                    let (locations, _) =
                        lower_process(lower, &mut alone, sources, &self.observers[i], ProcessTypeId(0));
                    claims::trace(&alone, &locations, negated)
                }
            };
            let Stated { name, span, .. } = claim;
            model.claims.push(Claim { name: name.clone(), kind: claim.kind(), body, span: *span });
        }
        for (prefix, name, kind) in [
            ("accept", "acceptance", ClaimKind::Acceptance),
            ("progress", "non-progress", ClaimKind::NonProgress),
        ] {
            let mut labels = self.processes.all.iter().flat_map(|p| p.flow.labels.iter());
            if let Some(label) = labels.find(|l| l.name.starts_with(prefix)) {
                model.claims.push(claims::label_claim(name, kind, label.span));
            }
        }
    }

    fn priority_of(&self, process: ProcessTypeId, diagnostics: &mut Vec<Diagnostic>) -> u8 {
        let Some(priority) = self.processes.all[process.index()].priority else { return 1 };
        let value = constant(&self.names, self.names.here(GLOBAL), priority, diagnostics).unwrap_or(1);
        if !(1..=255).contains(&value) {
            let message = "a priority is between 1 and 255";
            diagnostics.push(Diagnostic::error("bad-priority", priority.span, message));
        }
        value.clamp(1, 255) as u8
    }
}

/// Whether `_last` occurs, be it where no process ever comes: SPIN's lexer asks no more.
fn mentions_last(program: &Program) -> bool {
    let mut found = false;
    crate::visit::each_expr(program, &mut |expr| {
        found |= matches!(&expr.kind, ExprKind::Var(var) if var.name.name == "_last");
    });
    found
}

/// Whether a process type is declared with a priority.
fn declares_priorities(program: &Program) -> bool {
    program.items.iter().any(|i| matches!(i, Item::Proctype(p) if p.priority.is_some()))
}
