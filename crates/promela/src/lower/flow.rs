//! The control flow of a process body as SPIN sees it: sequences of elements.
//!
//! Which statements are states of their own, which jumps are steps and which
//! states an `atomic` keeps together is decided by the shape of this graph and
//! by the rules of [`automaton`](super::automaton); both follow SPIN 6.5.2's
//! (`flow.c`, `pangen2.c`), because the number of states must. Statements stay
//! syntax here; [`Here`] says what their names mean.
//!
//! An element knows the next one of its sequence. A selection holds one sequence
//! per option, each ending in a shared [`Kind::Join`]; a loop's join stands before
//! it, and a [`Kind::BreakTarget`] after it.

use std::ops::Deref;
use std::rc::Rc;
use std::sync::Arc;

use stubborn_base::{Diagnostic, IndexVec, Span, define_index};
use stubborn_ir::Call;

use super::labels::{Label, Labels};
use super::names::{Here, ScopeId, SymbolId};
use crate::ast::{self, Init, Stmt};

define_index! {
    /// An element of a process's control flow.
    pub(crate) struct El;
}
define_index! {
    /// A sequence of elements.
    pub(crate) struct SeqId;
}

#[derive(Clone, Debug)]
pub(crate) enum Kind<'a> {
    /// A statement that is executed in one step.
    Stmt(Statement<'a>),
    /// `skip`, or a jump's target that must be a state.
    Skip,
    /// A declaration after the first statement sets its variable.
    Declare(SymbolId, Option<&'a Init>),
    Else,
    /// To the element a label marks.
    Goto(&'a ast::Ident),
    /// To the [`Kind::BreakTarget`] of the loop around.
    Break(BreakId),
    Join,
    BreakTarget,
    Select(Vec<SeqId>),
    /// Body and escape.
    Unless(SeqId, SeqId),
    Group(GroupKind, SeqId),
    /// The end of the process.
    End,
}

impl Kind<'_> {
    /// The sequences an element consists of.
    pub(crate) fn sequences(&self) -> Vec<SeqId> {
        match self {
            Kind::Select(options) => options.clone(),
            Kind::Unless(body, escape) => vec![*body, *escape],
            Kind::Group(_, sequence) => vec![*sequence],
            _ => Vec::new(),
        }
    }
}

/// A statement of the model, or one that stands for part of it.
#[derive(Clone, Debug)]
pub(crate) enum Statement<'a> {
    Written(&'a Stmt),
    Made(Rc<Stmt>),
}

impl Deref for Statement<'_> {
    type Target = Stmt;

    fn deref(&self) -> &Stmt {
        match self {
            Statement::Written(stmt) => stmt,
            Statement::Made(stmt) => stmt,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum GroupKind {
    Plain,
    Atomic,
    DStep,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct BreakId(usize);

#[derive(Clone, Debug)]
pub(crate) struct Element<'a> {
    pub(crate) kind: Kind<'a>,
    pub(crate) next: Option<El>,
    /// Control is kept after it.
    pub(crate) atomic: bool,
    /// The last of an atomic sequence.
    pub(crate) last_atomic: bool,
    /// Inside a `d_step`.
    pub(crate) in_dstep: bool,
    /// Escapes of the `unless`es around, outermost first.
    pub(crate) escapes: Vec<SeqId>,
    pub(crate) span: Span,
    pub(crate) here: Here,
    /// The calls of inlines around it, innermost first.
    pub(crate) calls: Arc<[Call]>,
    /// SPIN's number of the element in its process: what `pc_value` shows, and the order
    /// in which nested escapes are combined.
    pub(crate) order: u32,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sequence {
    pub(crate) first: Option<El>,
    pub(crate) last: Option<El>,
    /// The last element before a join was appended.
    pub(crate) extent: Option<El>,
}

/// The control flow of one process body.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flow<'a> {
    pub(crate) elements: IndexVec<El, Element<'a>>,
    pub(crate) sequences: IndexVec<SeqId, Sequence>,
    pub(crate) labels: Labels,
    /// The calls of inlines around what comes next, innermost first.
    pub(crate) calls: Arc<[Call]>,
    break_targets: Vec<Option<El>>,
    open: Vec<SeqId>,
    n_ordered: u32,
}

impl<'a> Flow<'a> {
    pub(crate) fn open(&mut self) {
        let id = self.sequences.push(Sequence::default());
        self.open.push(id);
    }

    pub(crate) fn close(&mut self) -> SeqId {
        let id = self.open.pop().expect("a sequence is open");
        self.sequences[id].extent = self.sequences[id].last;
        id
    }

    pub(crate) fn new_element(&mut self, kind: Kind<'a>, span: Span, here: Here) -> El {
        self.n_ordered += 1;
        self.elements.push(Element {
            order: self.n_ordered,
            kind,
            next: None,
            atomic: false,
            last_atomic: false,
            in_dstep: false,
            escapes: Vec::new(),
            span,
            here,
            calls: self.calls.clone(),
        })
    }

    /// How many elements SPIN numbers.
    pub(crate) fn n_numbered(&self) -> u32 {
        self.n_ordered
    }

    /// Takes back the numbers of a sequence whose elements were made last, to give
    /// them others with [`Flow::renumber`].
    pub(crate) fn forget_numbers(&mut self, sequence: SeqId) {
        self.n_ordered -= self.up_to_extent(sequence).len() as u32;
    }

    /// The elements of a sequence count as made now, in the order they were made in.
    pub(crate) fn renumber(&mut self, sequence: SeqId) {
        let mut elements = self.up_to_extent(sequence);
        elements.sort_by_key(|&e| self.elements[e].order);
        for element in elements {
            self.n_ordered += 1;
            self.elements[element].order = self.n_ordered;
        }
    }

    /// Appends to the open sequence. A jump with a label that means something to
    /// the checker would lose it: the label moves to a `skip` before it.
    pub(crate) fn add(&mut self, element: El) {
        if matches!(self.elements[element].kind, Kind::Goto(_) | Kind::Break(_))
            && self.labels.on(element).any(|l| is_special(&l.name))
        {
            let (span, here) = (self.elements[element].span, self.elements[element].here);
            let skip = self.new_element(Kind::Skip, span, here);
            self.labels.move_last(element, skip);
            self.append(skip);
        }
        self.append(element);
    }

    fn append(&mut self, element: El) {
        let open = *self.open.last().expect("a sequence is open");
        self.append_to(open, element);
    }

    fn append_to(&mut self, sequence: SeqId, element: El) {
        let seq = &mut self.sequences[sequence];
        match seq.last {
            None => seq.first = Some(element),
            Some(last) => self.elements[last].next = Some(element),
        }
        seq.last = Some(element);
    }

    pub(crate) fn label(&mut self, name: &ast::Ident, scope: ScopeId, element: El) {
        let (name, span) = (name.name.clone(), name.span);
        self.labels.push(Label { name, span, scope, element });
    }

    pub(crate) fn new_break(&mut self) -> BreakId {
        self.break_targets.push(None);
        BreakId(self.break_targets.len() - 1)
    }

    /// Where a `break` of that loop leads; none while the loop is being read.
    pub(crate) fn break_target(&self, id: BreakId) -> Option<El> {
        self.break_targets[id.0]
    }

    /// Adds `if` (no `loop_break`) or `do` with its options. `else` goes last.
    pub(crate) fn select(
        &mut self,
        mut options: Vec<SeqId>,
        loop_break: Option<BreakId>,
        span: Span,
        here: Here,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> El {
        let is_else = |option: SeqId| {
            self.sequences[option].first.filter(|&e| matches!(self.elements[e].kind, Kind::Else))
        };
        let elses: Vec<usize> = (0..options.len()).filter(|&i| is_else(options[i]).is_some()).collect();
        if let [_, second, ..] = elses[..] {
            let at = is_else(options[second]).map_or(span, |e| self.elements[e].span);
            diagnostics.push(Diagnostic::error("duplicate-else", at, "a selection has at most one `else`"));
            // Each waits for all others; there may be many.
            for &further in elses[1..].iter().rev() {
                options.remove(further);
            }
        } else if let [only] = elses[..] {
            let option = options.remove(only);
            options.push(option);
        }
        let element = self.new_element(Kind::Select(options.clone()), span, here);
        let join = self.new_element(Kind::Join, span, here);
        for option in options {
            self.append_to(option, join);
        }
        match loop_break {
            None => {
                self.append(element);
                self.append(join);
            }
            Some(id) => {
                self.append(join);
                self.append(element);
                let target = self.new_element(Kind::BreakTarget, span, here);
                self.break_targets[id.0] = Some(target);
                self.append(target);
            }
        }
        element
    }

    /// Adds `body unless escape`.
    pub(crate) fn unless(&mut self, body: SeqId, escape: SeqId, span: Span, here: Here) -> El {
        let element = self.new_element(Kind::Unless(body, escape), span, here);
        let join = self.new_element(Kind::Join, span, here);
        self.append_to(body, join);
        self.append_to(escape, join);
        self.attach_escape_to_sequence(body, escape);
        self.append(element);
        self.append(join);
        element
    }

    fn attach_escape_to_sequence(&mut self, sequence: SeqId, escape: SeqId) {
        for element in self.up_to_extent(sequence) {
            self.attach_escape(element, escape);
        }
    }

    fn attach_escape(&mut self, element: El, escape: SeqId) {
        if self.elements[element].escapes.contains(&escape) {
            return;
        }
        for inner in self.elements[element].escapes.clone() {
            self.attach_escape_to_sequence(inner, escape);
        }
        self.elements[element].escapes.insert(0, escape);
        match self.elements[element].kind.clone() {
            Kind::Unless(body, _) => self.attach_escape_to_sequence(body, escape),
            Kind::Select(options) => {
                for option in options {
                    self.attach_escape_to_sequence(option, escape);
                }
            }
            Kind::Group(GroupKind::DStep, seq) => {
                if let Some(first) = self.sequences[seq].first {
                    self.attach_escape(first, escape);
                }
            }
            Kind::Group(_, seq) => self.attach_escape_to_sequence(seq, escape),
            _ => {}
        }
    }

    /// The elements of a sequence, without the joins that were appended.
    pub(crate) fn up_to_extent(&self, sequence: SeqId) -> Vec<El> {
        let seq = self.sequences[sequence];
        let mut elements = Vec::new();
        let mut next = seq.first;
        while let Some(element) = next {
            elements.push(element);
            if Some(element) == seq.extent {
                break;
            }
            next = self.elements[element].next;
        }
        elements
    }

    /// Marks a sequence as the body of an `atomic` or a `d_step`.
    pub(crate) fn make_atomic(&mut self, sequence: SeqId, dstep: bool) {
        let seq = self.sequences[sequence];
        let (Some(first), Some(last)) = (seq.first, seq.last) else { return };
        self.mark_atomic(first, last, dstep);
        if let Kind::Group(GroupKind::Plain | GroupKind::Atomic, inner) = self.elements[last].kind {
            self.make_atomic(inner, dstep);
        } else {
            self.elements[last].atomic = false;
            self.elements[last].last_atomic = true;
        }
    }

    fn mark_atomic(&mut self, first: El, last: El, dstep: bool) {
        let mut element = first;
        loop {
            let e = &mut self.elements[element];
            e.atomic = true;
            e.in_dstep |= dstep;
            if let Kind::Group(kind, _) = &mut e.kind
                && (*kind == GroupKind::Atomic || (*kind == GroupKind::DStep && dstep))
            {
                *kind = GroupKind::Plain;
            }
            let inner = match &e.kind {
                Kind::Group(GroupKind::DStep, _) => Vec::new(),
                kind => kind.sequences(),
            };
            for seq in inner {
                let seq = self.sequences[seq];
                if let (Some(first), Some(last)) = (seq.first, seq.last) {
                    self.mark_atomic(first, last, dstep);
                }
            }
            if element == last {
                return;
            }
            match self.elements[element].next {
                Some(next) => element = next,
                None => return,
            }
        }
    }

    /// Drops all but the first of a row of `skip`s inside an option, as SPIN does.
    pub(crate) fn drop_redundant_skips(&mut self, option: SeqId) {
        let seq = self.sequences[option];
        let mut row = 0;
        let mut previous: Option<El> = None;
        let mut element = seq.first;
        while let Some(e) = element {
            element = self.elements[e].next;
            if !(self.prints(e) || self.is_true(e)) || self.labels.on(e).next().is_some() {
                row = 0;
                previous = Some(e);
                continue;
            }
            row += 1;
            let removable = row > 1 && !self.prints(e) && Some(e) != seq.first && Some(e) != seq.last;
            if removable && let Some(previous) = previous {
                self.elements[previous].next = element;
            } else {
                previous = Some(e);
            }
        }
    }

    fn prints(&self, element: El) -> bool {
        matches!(&self.elements[element].kind,
            Kind::Stmt(s) if matches!(s.kind, ast::StmtKind::Printf(_) | ast::StmtKind::Printm(_)))
    }

    /// Whether the element is `skip` or another constant condition that holds.
    fn is_true(&self, element: El) -> bool {
        matches!(self.elements[element].kind, Kind::Skip) || self.condition(element) == Some(1)
    }

    /// Whether the element is a condition that never holds.
    pub(crate) fn is_false(&self, element: El) -> bool {
        self.condition(element) == Some(0)
    }

    /// The value of a condition that is a literal constant.
    fn condition(&self, element: El) -> Option<i32> {
        match &self.elements[element].kind {
            Kind::Stmt(s) => match &s.kind {
                ast::StmtKind::Expr(ast::Expr { kind: ast::ExprKind::Const(value), .. }) => Some(*value),
                _ => None,
            },
            _ => None,
        }
    }

    /// A label on a jump that another process refers to must mark a state.
    pub(crate) fn make_state(&mut self, element: El) {
        if !matches!(self.elements[element].kind, Kind::Goto(_) | Kind::Break(_)) {
            return;
        }
        let jump = self.elements[element].clone();
        let jump = self.elements.push(jump);
        self.elements[element].kind = Kind::Skip;
        self.elements[element].next = Some(jump);
    }
}

/// Whether a label's name means something to the checker.
pub(crate) fn is_special(name: &str) -> bool {
    name.starts_with("accept") || name.starts_with("end") || name.starts_with("progress")
}
