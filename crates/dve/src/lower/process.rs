//! Processes: states become locations, transitions become guarded transitions.
//!
//! Committed states: if some process is at one, only transitions that leave committed states can be taken. So each
//! transition that leaves any other has it among its guards that no process is at a committed state. A rendezvous of
//! two processes of which one only is committed is impossible then, as in DiVinE.

use std::sync::Arc;

use hashbrown::HashMap;
use smol_str::SmolStr;
use stubborn_base::{Diagnostic, Sources, Span};
use stubborn_ir::{
    self as ir, Comm, Effect, GuardId, Location, LocationId, Model, Origin, Pattern, ProcessTypeId,
    Transition,
};

use super::declare::report_range;
use super::expr::{Lower, conjuncts, located};
use super::names::{Meaning, Names};
use crate::ast;

/// A transition of a process, with the states that it leads from and to.
pub(crate) struct Step<'a> {
    pub(crate) from: LocationId,
    pub(crate) to: LocationId,
    pub(crate) tree: &'a ast::Transition,
}

/// The transitions of a process whose states are known, in order; reports those that are not.
pub(crate) fn steps<'a>(
    names: &Names<'_>,
    index: usize,
    process: &'a ast::Process,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Step<'a>> {
    let mut steps = Vec::new();
    let mut before = None;
    for tree in &process.transitions {
        let from = match &tree.from {
            Some(from) => names.state(index, from, diagnostics),
            None => {
                if steps.is_empty() && before.is_none() {
                    let message = "it is not said where this transition begins";
                    let diagnostic = Diagnostic::error("no-source", tree.to.span, message);
                    diagnostics.push(
                        diagnostic
                            .help("only after another transition the state before `->` can be left out"),
                    );
                }
                before
            }
        };
        before = from;
        let to = names.state(index, &tree.to, diagnostics);
        steps.extend(from.zip(to).map(|(from, to)| Step { from, to, tree }));
    }
    steps
}

/// The states of a process that a list names; reports names that are none.
pub(crate) fn listed(
    names: &Names<'_>,
    index: usize,
    list: &[ast::Ident],
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<LocationId> {
    list.iter().filter_map(|name| names.state(index, name, diagnostics)).collect()
}

/// Where a process starts.
pub(crate) fn start(
    names: &Names<'_>,
    index: usize,
    process: &ast::Process,
    diagnostics: &mut Vec<Diagnostic>,
) -> LocationId {
    let states = listed(names, index, &process.init, diagnostics);
    if process.init.is_empty() && !process.lost_states {
        let message = format!("process `{}` has no initial state", process.name.name);
        let mut diagnostic = Diagnostic::error("no-initial-state", process.name.span, message);
        if let Some(first) = process.states.first() {
            diagnostic = diagnostic.help(format!("write `init {};`", first.name));
        }
        diagnostics.push(diagnostic);
    }
    if let [_, second, ..] = process.init.as_slice() {
        let message = "a process has one initial state";
        diagnostics.push(Diagnostic::error("second-initial-state", second.span, message));
    }
    states.first().copied().unwrap_or(LocationId(0))
}

/// Adds transitions and locations of one process to the model.
pub(crate) struct Assemble<'l, 'n, 'm> {
    pub(crate) lower: &'l mut Lower<'n>,
    pub(crate) model: &'m mut Model,
    pub(crate) sources: &'m Sources,
    pub(crate) id: ProcessTypeId,
    /// Committed states of all processes.
    pub(crate) committed: &'m [(ProcessTypeId, LocationId)],
    pub(crate) guards: HashMap<String, GuardId>,
}

impl Assemble<'_, '_, '_> {
    /// The locations of the process; their transitions are added to the model.
    pub(crate) fn locations(
        &mut self,
        process: &ast::Process,
        steps: &[Step<'_>],
        accept: &[LocationId],
    ) -> Vec<Location> {
        let transitions: Vec<(LocationId, Transition)> =
            steps.iter().map(|s| (s.from, self.transition(s))).collect();
        let mut by_location: Vec<Vec<Transition>> = process.states.iter().map(|_| Vec::new()).collect();
        for (from, transition) in transitions {
            by_location[usize::from(from.0)].push(transition);
        }
        let mut locations = Vec::with_capacity(by_location.len());
        for (i, (state, own)) in process.states.iter().zip(by_location).enumerate() {
            let first = self.model.transitions.len() as u32;
            for mut transition in own {
                transition.number = self.model.transitions.len() as u32;
                self.model.transitions.push(transition);
            }
            locations.push(Location {
                transitions: first..self.model.transitions.len() as u32,
                is_end: false,
                is_accept: accept.contains(&LocationId(i as u16)),
                is_progress: false,
                labels: vec![state.name.clone()],
                number: i as i32,
                span: state.span,
                calls: Arc::default(),
                dead: Vec::new(),
            });
        }
        locations
    }

    fn transition(&mut self, step: &Step<'_>) -> Transition {
        let Step { from, to, tree } = step;
        let mut guards = Vec::new();
        if !self.committed.contains(&(self.id, *from)) {
            let others = self.committed.iter().filter(|(process, _)| *process != self.id);
            guards.extend(others.map(|&(process, location)| located(process, location).not()));
        }
        for guard in &tree.guards {
            conjuncts(self.lower.expr(guard), &mut guards);
        }
        let comm = tree.sync.as_ref().and_then(|sync| self.comm(sync));
        let effects = tree.effects.iter().filter_map(|effect| self.effect(effect)).collect();
        let guards = guards.into_iter().map(|guard| self.intern(guard)).collect();
        Transition {
            process: self.id,
            from: *from,
            to: Some(*to),
            guards,
            comm,
            effects,
            inhibitors: Vec::new(),
            atomic: false,
            origin: Origin {
                span: tree.span,
                text: one_line(self.sources, tree.span),
                calls: Arc::default(),
            },
            number: 0,
        }
    }

    fn intern(&mut self, guard: ir::Expr) -> GuardId {
        let model = &mut self.model;
        *self.guards.entry(format!("{guard:?}")).or_insert_with(|| model.guards.push(guard))
    }

    fn effect(&mut self, effect: &ast::Assignment) -> Option<Effect> {
        let target = self.lower.target(&effect.target);
        let value = self.lower.expr(&effect.value);
        let (place, ty) = target?;
        if let Some(value) = value.as_const() {
            report_range(ty, value, effect.value.span, self.lower.diagnostics);
        }
        Some(Effect::Assign(place, value))
    }

    fn comm(&mut self, sync: &ast::Sync) -> Option<Comm> {
        let chan = channel(self.lower, sync);
        let comm = if sync.is_send {
            let args = sync.values.iter().map(|value| self.lower.expr(value)).collect();
            Some((args, Vec::new()))
        } else {
            let places: Vec<Option<Pattern>> = sync
                .values
                .iter()
                .map(|value| self.lower.target(value).map(|(place, _)| Pattern::Bind(place)))
                .collect();
            places.into_iter().collect::<Option<Vec<_>>>().map(|pattern| (Vec::new(), pattern))
        };
        let (args, pattern) = comm?;
        let chan = ir::Expr::Const(chan? as i32 + 1);
        Some(if sync.is_send {
            Comm::Send(ir::Send { chan, args, sorted: false })
        } else {
            Comm::Receive(ir::Receive { chan, pattern, random: false, peek: false })
        })
    }
}

/// The channel of a synchronisation, by index; reports if it carries something else.
fn channel(lower: &mut Lower<'_>, sync: &ast::Sync) -> Option<usize> {
    let name = &sync.channel;
    let names = lower.names;
    // A variable of the process does not hide a channel.
    let index = match names.find(None, &name.name).map(|symbol| &symbol.meaning) {
        Some(Meaning::Channel(index)) => *index,
        Some(other) => {
            let message = format!("`{}` is {}, not a channel", name.name, other.word());
            lower.diagnostics.push(Diagnostic::error("not-a-channel", name.span, message));
            return None;
        }
        None => {
            let channels = names.globals.iter().filter(|s| matches!(s.meaning, Meaning::Channel(_)));
            let candidates = channels.map(|s| s.name.name.as_str());
            names.undeclared(name, "channel", candidates, lower.diagnostics);
            return None;
        }
    };
    let channel = &mut lower.channels[index];
    let given = sync.values.len();
    let (expected, place) = match &channel.types {
        Some(types) => (types.len(), (channel.name.span, "declared here")),
        None => {
            let (n, span) = *channel.first_use.get_or_insert((given, sync.span));
            (n, (span, "first used here"))
        }
    };
    if given != expected {
        let message = format!("`{}` carries {}, not {given}", name.name, values(expected));
        let diagnostic = Diagnostic::error("wrong-number-of-values", sync.span, message);
        let diagnostic = diagnostic.label(place.0, place.1);
        lower.diagnostics.push(diagnostic.help("all uses of a channel have the same number of values"));
    }
    Some(index)
}

fn values(n: usize) -> String {
    match n {
        0 => "no value".to_owned(),
        1 => "one value".to_owned(),
        n => format!("{n} values"),
    }
}

/// The text of a span on one line, shortened.
pub(crate) fn one_line(sources: &Sources, span: Span) -> SmolStr {
    const LONG: usize = 80;
    let words: Vec<&str> = sources.text(span).split_whitespace().collect();
    let mut text = words.join(" ");
    if text.chars().count() > LONG {
        text = text.chars().take(LONG).chain("...".chars()).collect();
    }
    text.into()
}
