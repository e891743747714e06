//! Process types: from control flow and automaton to the IR's locations and transitions.

use hashbrown::{HashMap, HashSet};

use smol_str::{SmolStr, format_smolstr};
use stubborn_base::{Diagnostic, Idx, Sources, Span};
use stubborn_ir::{GuardId, Location, LocationId, Model, Origin, ProcessTypeId, Transition, TransitionId};

use super::automaton::{Automaton, Edge};
use super::declare::Frame;
use super::dstep::Head;
use super::expr::Lower;
use super::flow::{El, Flow, GroupKind, Kind, SeqId, Statement};
use super::names::{Here, Names, ScopeId, SymbolId};
use super::numbers::Numbers;
use super::stmt::{Action, conjuncts};
use crate::ast::{self, ExprKind, StmtKind};

/// A process type, or an observer such as a `never` claim, whose control flow is
/// known, but not yet what its statements mean.
pub(crate) struct Process<'a> {
    pub(crate) name: ast::Ident,
    pub(crate) provided: Option<&'a ast::Expr>,
    pub(crate) priority: Option<&'a ast::Expr>,
    /// The scope of parameters and outermost locals.
    pub(crate) scope: ScopeId,
    /// Symbols declared in it: the first, and one past the last.
    pub(crate) symbols: (u32, u32),
    pub(crate) flow: Flow<'a>,
    /// The whole body.
    pub(crate) sequence: SeqId,
    pub(crate) frame: Frame<'a>,
    pub(crate) params: Vec<SymbolId>,
    /// SPIN's numbers of its elements in the whole model.
    pub(crate) numbers: Numbers,
    /// Number of scalars among the parameters.
    pub(crate) n_params: usize,
    pub(crate) automaton: Option<Automaton>,
    /// Locations in order of discovery; the start is the first.
    locations: Vec<El>,
    location_ids: HashMap<El, LocationId>,
}

impl<'a> Process<'a> {
    pub(crate) fn new(name: ast::Ident, flow: Flow<'a>, sequence: SeqId, frame: Frame<'a>) -> Self {
        Process {
            name,
            provided: None,
            priority: None,
            scope: super::names::GLOBAL,
            symbols: (0, 0),
            flow,
            sequence,
            frame,
            params: Vec::new(),
            numbers: Numbers::default(),
            n_params: 0,
            automaton: None,
            locations: Vec::new(),
            location_ids: HashMap::new(),
        }
    }

    /// Builds the automaton and numbers the locations that can be reached.
    pub(crate) fn build_automaton(&mut self, names: &Names, diagnostics: &mut Vec<Diagnostic>) {
        self.automaton = Automaton::build(&mut self.flow, self.sequence, names, diagnostics);
        let Some(automaton) = &self.automaton else { return };
        self.locations.push(automaton.start);
        self.location_ids.insert(automaton.start, LocationId(0));
        let mut next = 0;
        while next < self.locations.len() {
            for to in automaton.edges(self.locations[next]).iter().filter_map(|e| e.to) {
                let number = LocationId(self.locations.len() as u16);
                self.location_ids.entry(to).or_insert_with(|| {
                    self.locations.push(to);
                    number
                });
            }
            next += 1;
        }
        if self.locations.len() > usize::from(u16::MAX) - 1 {
            let message = format!("`{}` has more than 65,534 locations", self.name.name);
            diagnostics.push(Diagnostic::error("process-too-large", self.name.span, message));
        }
    }
}

/// All process types of a model, by number.
#[derive(Default)]
pub(crate) struct Processes<'a> {
    pub(crate) all: Vec<Process<'a>>,
    by_name: HashMap<SmolStr, ProcessTypeId>,
}

impl<'a> Processes<'a> {
    /// The next type; none of its name may be there.
    pub(crate) fn push(&mut self, process: Process<'a>) -> ProcessTypeId {
        let id = ProcessTypeId::new(self.all.len());
        self.by_name.insert(process.name.name.clone(), id);
        self.all.push(process);
        id
    }
}

impl Processes<'_> {
    pub(crate) fn find(&self, name: &str) -> Option<ProcessTypeId> {
        self.by_name.get(name).copied()
    }

    pub(crate) fn parameters(&self, process: ProcessTypeId) -> usize {
        self.all[process.index()].n_params
    }

    pub(crate) fn has_label(&self, process: ProcessTypeId, label: &str) -> bool {
        self.all[process.index()].flow.labels.named(label).next().is_some()
    }

    pub(crate) fn labels(&self, process: ProcessTypeId) -> impl Iterator<Item = &str> {
        self.all[process.index()].flow.labels.iter().map(|l| l.name.as_str())
    }

    /// The location a label marks, if it can be reached.
    pub(crate) fn location_of_label(&self, process: ProcessTypeId, label: &str) -> Option<LocationId> {
        let process = &self.all[process.index()];
        let label = process.flow.labels.named(label).next_back()?;
        process.location_ids.get(&label.element).copied()
    }

    /// What names mean at a location; none if there is no such location.
    pub(crate) fn here_at(&self, process: ProcessTypeId, location: LocationId) -> Option<Here> {
        let process = self.all.get(process.index())?;
        let element = *process.locations.get(usize::from(location.0))?;
        Some(process.flow.elements[element].here)
    }

    /// A variable of a process: an outermost one, else any of that name.
    pub(crate) fn local(&self, names: &Names, process: ProcessTypeId, name: &str) -> Option<SymbolId> {
        let process = &self.all[process.index()];
        names.member(process.scope, name).or_else(|| {
            let (from, to) = process.symbols;
            (from..to).map(SymbolId).find(|&s| names.symbol(s).name == name)
        })
    }
}

/// Adds the transitions of a process type to the model. Returns its locations, the start
/// first, and how many guards all transitions begin with.
pub(crate) fn lower_process(
    lower: &mut Lower<'_>,
    model: &mut Model,
    sources: &Sources,
    process: &Process<'_>,
    id: ProcessTypeId,
) -> (Vec<Location>, usize) {
    let Some(automaton) = &process.automaton else {
        // Jumps lead nowhere; the statements may have errors of their own.
        for element in process.flow.elements.indices() {
            lower.action(&process.flow, element);
        }
        return (Vec::new(), 0);
    };
    let mut assemble = Assemble { lower, model, sources, process, automaton, id, guards: HashMap::new() };
    let provided = assemble.provided();
    let locations = process.locations.iter().map(|&l| assemble.location(l, &provided)).collect();
    assemble.report_unreachable();
    (locations, provided.len())
}

struct Assemble<'l, 'c, 'm> {
    lower: &'l mut Lower<'c>,
    model: &'m mut Model,
    sources: &'m Sources,
    process: &'m Process<'m>,
    automaton: &'m Automaton,
    id: ProcessTypeId,
    guards: HashMap<stubborn_ir::Expr, GuardId>,
}

impl Assemble<'_, '_, '_> {
    fn provided(&mut self) -> Vec<GuardId> {
        let Some(provided) = self.process.provided else { return Vec::new() };
        let here = Here { scope: self.process.scope, known: self.process.symbols.1 };
        let mut guards = Vec::new();
        conjuncts(self.lower.expr(provided, here), &mut guards);
        self.intern(guards)
    }

    fn intern(&mut self, guards: Vec<stubborn_ir::Expr>) -> Vec<GuardId> {
        let mut ids = Vec::new();
        for guard in guards {
            let known = self.guards.get(&guard).copied();
            ids.push(known.unwrap_or_else(|| {
                let id = self.model.guards.push(guard.clone());
                self.guards.insert(guard, id);
                id
            }));
        }
        ids
    }

    fn location(&mut self, element: El, provided: &[GuardId]) -> Location {
        let first = self.model.transitions.len() as u32;
        let edges = self.automaton.edges(element);
        for (i, edge) in edges.iter().enumerate() {
            let transition = self.transition(element, &edges[..i], edge, first, provided);
            self.model.transitions.push(transition);
        }
        let labels = &self.process.flow.labels;
        Location {
            transitions: first..first + edges.len() as u32,
            is_end: self.automaton.end.contains(&element),
            is_accept: self.automaton.accept.contains(&element),
            is_progress: self.automaton.progress.contains(&element),
            labels: labels.on(element).map(|l| l.name.clone()).collect(),
            number: self.process.flow.elements[element].order as i32,
            span: self.process.flow.elements[element].span,
            calls: self.process.flow.elements[element].calls.clone(),
            dead: Vec::new(),
        }
    }

    fn transition(
        &mut self,
        from: El,
        before: &[Edge],
        edge: &Edge,
        first: u32,
        provided: &[GuardId],
    ) -> Transition {
        let (flow, sources) = (&self.process.flow, self.sources);
        let origin = |e: El| origin(flow, sources, e);
        let mut is_else = matches!(flow.elements[edge.element].kind, Kind::Else);
        let action = match flow.elements[edge.element].kind {
            Kind::Group(GroupKind::DStep, inner) => match self.lower.dstep(flow, inner, &origin) {
                Head::Action(action) => action,
                Head::Else(action) => {
                    is_else = true;
                    action
                }
            },
            _ => self.lower.action(flow, edge.element),
        };
        let inhibits = |b: &Edge| is_else || (b.escape.is_some() && b.escape != edge.escape);
        let inhibitors = before.iter().enumerate().filter(|(_, b)| inhibits(b));
        let inhibitors = inhibitors.map(|(i, _)| TransitionId(first + i as u32)).collect();
        let Action { guards, comm, effects } = action;
        let mut all = provided.to_vec();
        all.extend(self.intern(guards));
        Transition {
            process: self.id,
            from: self.process.location_ids[&from],
            to: edge.to.map(|to| self.process.location_ids[&to]),
            guards: all,
            comm,
            effects,
            inhibitors,
            atomic: edge.atomic,
            origin: origin(edge.element),
            number: self.process.numbers.of(flow.elements[edge.element].order),
        }
    }

    /// Warns of the first statement of each stretch that control never reaches.
    fn report_unreachable(&mut self) {
        let edges = self.process.locations.iter().flat_map(|&l| self.automaton.edges(l));
        let reached: HashSet<El> = edges.map(|e| e.element).collect();
        let flow = &self.process.flow;
        let mut in_stretch = false;
        for (id, element) in flow.elements.iter_enumerated() {
            if element.in_dstep
                || !matches!(element.kind, Kind::Stmt(Statement::Written(_)))
                || flow.is_false(id)
            {
                continue;
            }
            let unreachable = !reached.contains(&id);
            if unreachable && !in_stretch {
                let message = "this statement is never reached";
                self.lower.report(Diagnostic::warning("unreachable", element.span, message));
            }
            in_stretch = unreachable;
        }
    }
}

/// What to show for an element.
fn origin(flow: &Flow<'_>, sources: &Sources, element: El) -> Origin {
    let e = &flow.elements[element];
    let text = match &e.kind {
        Kind::Stmt(stmt) => match &stmt.kind {
            StmtKind::Increment(var) => one_line(sources, var.span, "++"),
            StmtKind::Decrement(var) => one_line(sources, var.span, "--"),
            // The first step of a loop, of which the text is its variable.
            StmtKind::Assign(var, value) if var.span == e.span => match &value.kind {
                ExprKind::Const(value) => one_line(sources, var.span, &format!(" = {value}")),
                _ => {
                    let value = one_line(sources, value.span, "");
                    one_line(sources, var.span, &format!(" = {value}"))
                }
            },
            _ => one_line(sources, e.span, ""),
        },
        Kind::Declare(..) | Kind::Group(..) => one_line(sources, e.span, ""),
        Kind::Skip => "skip".into(),
        Kind::Else => "else".into(),
        Kind::Goto(label) => format_smolstr!("goto {}", label.name),
        Kind::Break(_) | Kind::BreakTarget => "break".into(),
        Kind::Join | Kind::Select(_) | Kind::Unless(..) => "end of selection".into(),
        Kind::End => "end of process".into(),
    };
    Origin { span: e.span, text, calls: e.calls.clone() }
}

/// The text of a span on one line, shortened.
fn one_line(sources: &Sources, span: Span, suffix: &str) -> SmolStr {
    const LONG: usize = 60;
    let mut text = sources.text(span).split_whitespace().collect::<Vec<_>>().join(" ");
    if text.chars().count() > LONG {
        text = text.chars().take(LONG).chain("...".chars()).collect();
    }
    text.push_str(suffix);
    text.into()
}
