//! From control flow to an automaton: locations and the transitions that leave them.
//!
//! Jumps, joins and the entries of groups are passed through on the way to the
//! next statement, except where that would leave an `atomic` sequence unseen:
//! then the jump is a step of its own, so that control is kept exactly as long
//! as in SPIN. The options of a selection become the transitions of its location,
//! nested selections are merged into the outer one, and the transitions of
//! escapes are put before those they escape from.

use stubborn_base::{Diagnostic, IndexVec, suggest};

use super::flow::{El, Flow, GroupKind, Kind, SeqId, is_special};
use super::names::Names;

/// A transition, before its statement is given a meaning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Edge {
    /// The element that is executed.
    pub(crate) element: El,
    /// The location that is entered; none where the process ends.
    pub(crate) to: Option<El>,
    /// Control is kept.
    pub(crate) atomic: bool,
    /// The first location of the escape it belongs to.
    pub(crate) escape: Option<El>,
    /// First locations of the escapes that pre-empt it, outermost first.
    escapes: Vec<El>,
}

/// What leaves an element.
#[derive(Clone, Debug)]
enum Leaving {
    /// It is executed.
    Edges(Vec<Edge>),
    /// It is a choice between the elements behind it.
    Choice(Vec<El>),
}

/// The automaton of a process; its locations are elements of the flow.
#[derive(Clone, Debug)]
pub(crate) struct Automaton {
    leaving: IndexVec<El, Option<Leaving>>,
    /// The first location.
    pub(crate) start: El,
    /// Where a process may stay for ever, may not pass for ever, must pass for ever.
    pub(crate) end: Vec<El>,
    pub(crate) accept: Vec<El>,
    pub(crate) progress: Vec<El>,
}

impl Automaton {
    /// Transitions of a location, in order.
    pub(crate) fn edges(&self, location: El) -> &[Edge] {
        match &self.leaving[location] {
            Some(Leaving::Edges(edges)) => edges,
            _ => &[],
        }
    }

    pub(crate) fn build(
        flow: &mut Flow<'_>,
        body: SeqId,
        names: &Names,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Automaton> {
        let mut build = Build {
            leaving: flow.elements.iter().map(|_| None).collect(),
            done: flow.elements.iter().map(|_| false).collect(),
            flow,
            names,
            diagnostics,
            failed: false,
        };
        let first = build.flow.sequences[body].first?;
        let start = build.pass(first, build.flow.elements[first].atomic)?;
        build.sequence(body);
        if build.failed {
            return None;
        }
        let mut automaton =
            Automaton { leaving: build.leaving, start, end: vec![], accept: vec![], progress: vec![] };
        automaton.mark(build.flow);
        automaton.merge_nested_choices();
        automaton.replace_choices();
        automaton.prepend_escapes(build.flow);
        automaton.pass_on_end_labels(build.flow);
        Some(automaton)
    }

    /// Marks what the labels mark.
    fn mark(&mut self, flow: &Flow<'_>) {
        for (id, element) in flow.elements.iter_enumerated() {
            if matches!(element.kind, Kind::End) {
                self.end.push(id);
            }
        }
        for label in flow.labels.iter().filter(|l| is_special(&l.name)) {
            let marks = if label.name.starts_with("end") {
                &mut self.end
            } else if label.name.starts_with("accept") {
                &mut self.accept
            } else {
                &mut self.progress
            };
            marks.push(label.element);
        }
    }

    /// The marks of `through`, which is passed over, go to `to`.
    fn pass_on(&mut self, through: El, to: Option<El>) {
        let Some(to) = to else { return };
        for marks in [&mut self.end, &mut self.accept, &mut self.progress] {
            if marks.contains(&through) && !marks.contains(&to) {
                marks.push(to);
            }
        }
    }

    /// Replaces choices among the options of a choice by their own options.
    fn merge_nested_choices(&mut self) {
        loop {
            let mut changed = false;
            let elements: Vec<El> = self.leaving.indices().collect();
            for at in elements {
                let Some(Leaving::Choice(options)) = self.leaving[at].clone() else { continue };
                let mut merged = Vec::new();
                for option in options {
                    match self.leaving[option].clone() {
                        Some(Leaving::Choice(inner)) if option != at => {
                            for &element in &inner {
                                self.pass_on(option, Some(element));
                            }
                            merged.extend(inner);
                            changed = true;
                        }
                        _ => merged.push(option),
                    }
                }
                self.leaving[at] = Some(Leaving::Choice(merged));
            }
            if !changed {
                return;
            }
        }
    }

    /// Gives every choice the transitions of its options.
    fn replace_choices(&mut self) {
        let elements: Vec<El> = self.leaving.indices().collect();
        for at in elements {
            let Some(Leaving::Choice(options)) = self.leaving[at].clone() else { continue };
            let mut edges = Vec::new();
            for option in options {
                let own = self.edges(option).to_vec();
                for edge in &own {
                    self.pass_on(option, edge.to);
                }
                edges.extend(own);
            }
            self.leaving[at] = Some(Leaving::Edges(edges));
        }
    }

    /// Puts the transitions of escapes before those they pre-empt.
    fn prepend_escapes(&mut self, flow: &Flow<'_>) {
        let mut elements: Vec<El> = self.leaving.indices().collect();
        elements.sort_by_key(|&e| flow.elements[e].order);
        for at in elements {
            let own = self.edges(at).to_vec();
            let mut edges = own.clone();
            for &escape in own.iter().flat_map(|e| e.escapes.iter().rev()) {
                for edge in self.edges(escape).to_vec() {
                    if !edges.iter().any(|e| e.element == edge.element) {
                        edges.insert(0, Edge { escape: Some(escape), ..edge });
                    }
                }
            }
            if self.leaving[at].is_some() {
                self.leaving[at] = Some(Leaving::Edges(edges));
            }
        }
    }

    /// A join that is a location of its own and a valid end makes the next one so.
    fn pass_on_end_labels(&mut self, flow: &Flow<'_>) {
        for at in flow.elements.indices() {
            if self.end.contains(&at)
                && matches!(flow.elements[at].kind, Kind::Join)
                && let [edge] = self.edges(at)
                && let Some(to) = edge.to
                && !self.end.contains(&to)
            {
                self.end.push(to);
            }
        }
    }
}

struct Build<'f, 'a, 'n> {
    flow: &'f mut Flow<'a>,
    names: &'n Names,
    diagnostics: &'n mut Vec<Diagnostic>,
    leaving: IndexVec<El, Option<Leaving>>,
    done: IndexVec<El, bool>,
    failed: bool,
}

impl Build<'_, '_, '_> {
    fn sequence(&mut self, sequence: SeqId) {
        let mut next = self.flow.sequences[sequence].first;
        while let Some(element) = next {
            if !self.done[element] {
                self.done[element] = true;
                self.element(element);
            }
            if Some(element) == self.flow.sequences[sequence].last {
                break;
            }
            next = self.flow.elements[element].next;
        }
    }

    fn element(&mut self, element: El) {
        match self.flow.elements[element].kind.clone() {
            Kind::Unless(body, _) => self.sequence(body),
            Kind::Select(options) => {
                let starts: Vec<El> = options
                    .iter()
                    .filter_map(|&o| self.start_of(o))
                    .filter(|&e| !self.flow.is_false(e) || !self.flow.elements[e].escapes.is_empty())
                    .collect();
                self.leaving[element] = Some(Leaving::Choice(starts));
                for option in options {
                    self.sequence(option);
                }
            }
            Kind::Group(kind, inner) => {
                self.patch_jumps(inner);
                if let Some(last) = self.flow.sequences[inner].last {
                    self.flow.elements[last].next = self.flow.elements[element].next;
                }
                if kind == GroupKind::DStep {
                    self.link_groups(inner);
                    self.step(element);
                } else {
                    self.leaving[element] = Some(Leaving::Choice(self.start_of(inner).into_iter().collect()));
                    self.sequence(inner);
                }
            }
            _ => self.step(element),
        }
    }

    /// Control goes on after a block inside a `d_step` where it goes on after any other.
    fn link_groups(&mut self, sequence: SeqId) {
        for element in self.flow.up_to_extent(sequence) {
            let e = &self.flow.elements[element];
            let (next, inner) = (e.next, e.kind.sequences());
            if let Kind::Group(_, group) = e.kind
                && let Some(last) = self.flow.sequences[group].last
            {
                self.flow.elements[last].next = next;
            }
            for sequence in inner {
                self.link_groups(sequence);
            }
        }
    }

    /// An element that is executed in one step.
    fn step(&mut self, element: El) {
        let e = &self.flow.elements[element];
        let (atomic, next) = (e.atomic, e.next);
        let sequences = if matches!(e.kind, Kind::Join) { Vec::new() } else { e.escapes.clone() };
        let to = match self.jump(element) {
            Some(target) => target.and_then(|t| self.pass(t, atomic)),
            None => next.and_then(|n| self.pass(n, atomic)),
        };
        let mut escapes = Vec::new();
        for &escape in &sequences {
            let first = self.flow.sequences[escape].first;
            escapes.extend(first.and_then(|f| self.pass(f, atomic)));
        }
        let edge = Edge { element, to, atomic, escape: None, escapes };
        self.leaving[element] = Some(Leaving::Edges(vec![edge]));
        for escape in sequences {
            self.sequence(escape);
        }
    }

    /// Where a jump leads, if the element is one; reports a label that does not exist.
    fn jump(&mut self, element: El) -> Option<Option<El>> {
        let e = &self.flow.elements[element];
        match e.kind {
            Kind::Break(id) => Some(self.flow.break_target(id)),
            Kind::Goto(name) => {
                let (scope, from_dstep) = (e.here.scope, e.in_dstep);
                let target = self.flow.labels.find(self.names, scope, &name.name).map(|l| l.element);
                match target {
                    None => {
                        let message = format!("no label `{}` in this process", name.name);
                        let diagnostic = Diagnostic::error("undefined-label", name.span, message);
                        let labels = self.flow.labels.iter().map(|l| l.name.as_str());
                        self.report(suggest(diagnostic, name.span, &name.name, labels));
                    }
                    Some(t) if self.flow.elements[t].in_dstep && !from_dstep => {
                        let message = format!("jump to `{}` inside a d_step", name.name);
                        let help = "a d_step is one step: label the d_step itself";
                        self.report(Diagnostic::error("jump-into-d-step", name.span, message).help(help));
                    }
                    Some(_) => {}
                }
                Some(target)
            }
            _ => None,
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.failed = true;
        if !self.diagnostics.contains(&diagnostic) {
            self.diagnostics.push(diagnostic);
        }
    }

    /// The location behind an element: jumps and joins are passed, unless that
    /// would lead out of an atomic sequence.
    fn pass(&mut self, element: El, atomic: bool) -> Option<El> {
        let mut at = element;
        for _ in 0..=self.flow.elements.len() {
            let behind = match self.flow.elements[at].kind {
                Kind::Goto(_) | Kind::Break(_) => self.jump(at)??,
                Kind::Join | Kind::BreakTarget => match self.flow.elements[at].next {
                    Some(next) => next,
                    None => return Some(at),
                },
                Kind::Unless(body, _) => {
                    let first = self.flow.sequences[body].first?;
                    self.pass(first, atomic)?
                }
                _ => return Some(at),
            };
            if atomic && !self.flow.elements[behind].atomic {
                return Some(at);
            }
            at = behind;
        }
        let span = self.flow.elements[element].span;
        let message = "these jumps lead to each other and to no statement";
        self.report(Diagnostic::error("endless-goto", span, message).help("put a statement into the loop"));
        None
    }

    /// The first element of a sequence that can be a transition of a choice.
    fn start_of(&self, sequence: SeqId) -> Option<El> {
        let mut at = self.flow.sequences[sequence].first?;
        loop {
            at = match self.flow.elements[at].kind {
                Kind::Join => match self.flow.elements[at].next {
                    Some(next) => next,
                    None => return Some(at),
                },
                Kind::Unless(body, _) => self.flow.sequences[body].first?,
                _ => return Some(at),
            };
        }
    }

    /// A jump out of an atomic sequence ends it, a jump into another continues it.
    fn patch_jumps(&mut self, sequence: SeqId) {
        for element in self.flow.up_to_extent(sequence) {
            if let Some(target) = self.jump(element) {
                let Some(target) = target else { continue };
                let t = &self.flow.elements[target];
                let target_atomic = t.atomic || t.last_atomic;
                let e = &mut self.flow.elements[element];
                if (e.atomic || e.last_atomic) && !target_atomic {
                    (e.atomic, e.last_atomic) = (false, true);
                }
                if e.last_atomic && target_atomic {
                    (e.atomic, e.last_atomic) = (true, false);
                }
                continue;
            }
            // Groups inside are patched when their turn comes.
            let kind = &self.flow.elements[element].kind;
            if matches!(kind, Kind::Group(..)) {
                continue;
            }
            for option in kind.sequences() {
                self.patch_jumps(option);
            }
        }
    }
}
