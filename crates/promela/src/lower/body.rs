//! From the syntax of a body to its control flow.
//!
//! Desugars `for` and `select` as SPIN does, opens scopes, declares locals (a
//! declaration after the first statement is also a step that sets the variable)
//! and reports what SPIN's parser rejects about labels, `break` and `d_step`.

use std::rc::Rc;

use smol_str::format_smolstr;
use stubborn_base::{Diagnostic, Span};
use stubborn_ir::Call;

use super::declare::Frame;
use super::flow::{BreakId, El, Flow, GroupKind, Kind, SeqId, Statement};
use super::names::{Here, Meaning, Names, ScopeId, Type, Var};
use crate::ast::{
    BinaryOp, Block, Expr, ExprKind, For, ForOver, Ident, Init, InlineCall, Receive, RecvArg, RecvArgKind,
    Select, Send, Step, Stmt, StmtKind, VarDecl, VarRef,
};

/// The control flow of a body while it is being read.
pub(crate) struct Body<'a, 'n> {
    flow: Flow<'a>,
    frame: &'n mut Frame<'a>,
    names: &'n mut Names,
    diagnostics: &'n mut Vec<Diagnostic>,
    scope: ScopeId,
    breaks: Vec<BreakId>,
    /// No statement yet: declarations are initial values of the process.
    at_start: bool,
    /// Variables that take the value of the inlines being expanded.
    results: Vec<Option<&'a VarRef>>,
}

/// What a sequence is the body of, for labels that must not stand at its start.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SequenceOf {
    Option,
    Escape,
    EscapedStatement,
    Atomic,
    DStep,
    Braces,
}

/// `select` over at most this many values above the first is a choice between them.
const SMALL_SELECT: i32 = 32;

impl<'a, 'n> Body<'a, 'n> {
    pub(crate) fn new(
        names: &'n mut Names,
        frame: &'n mut Frame<'a>,
        scope: ScopeId,
        diagnostics: &'n mut Vec<Diagnostic>,
    ) -> Self {
        let (breaks, results) = (Vec::new(), Vec::new());
        Body { flow: Flow::default(), frame, names, diagnostics, scope, breaks, at_start: true, results }
    }

    /// The whole body of a process; it ends with the process.
    pub(crate) fn process(mut self, block: &'a Block) -> (Flow<'a>, SeqId) {
        self.flow.open();
        self.steps(block);
        let brace = Span { start: block.span.end.saturating_sub(1).max(block.span.start), ..block.span };
        let here = self.here();
        let end = self.flow.new_element(Kind::End, brace, here);
        self.flow.add(end);
        let sequence = self.flow.close();
        (self.flow, sequence)
    }

    fn here(&self) -> Here {
        self.names.here(self.scope)
    }

    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(code, span, message));
    }

    fn steps(&mut self, block: &'a Block) {
        for step in &block.steps {
            match step {
                Step::Decl(decl) => self.declaration(decl),
                Step::Exclusive(exclusive) => {
                    let here = self.here();
                    self.frame.exclusives.extend(exclusive.chans.iter().map(|chan| (chan, here)));
                }
                Step::Stmt(stmt) => {
                    self.hoist(stmt);
                    self.statement(stmt);
                    self.at_start = false;
                }
            }
        }
    }

    fn declaration(&mut self, decl: &'a VarDecl) {
        for declarator in &decl.vars {
            let symbol = self.frame.declare(self.names, self.scope, decl, declarator, self.diagnostics);
            let here = self.here();
            if self.at_start {
                self.frame.initial.push((symbol, declarator, here));
                continue;
            }
            if let Some(Init::Chan(init)) = declarator.init.as_deref() {
                let message =
                    format!("channel `{}` is created after the first statement", declarator.name.name);
                let help = "declare channels with their capacity at the start of the process";
                self.diagnostics.push(Diagnostic::error("late-channel", init.span, message).help(help));
                continue;
            }
            let kind = Kind::Declare(symbol, declarator.init.as_deref());
            let element = self.flow.new_element(kind, declarator.span, here);
            self.flow.add(element);
        }
    }

    /// Initial assignments of loops stand before the statement that contains the
    /// loop, even if that is an `unless` or has a label.
    fn hoist(&mut self, stmt: &'a Stmt) {
        match &stmt.kind {
            StmtKind::Labelled(_, Some(inner)) => self.hoist(inner),
            StmtKind::Unless(body, escape) => {
                self.hoist(body);
                self.hoist(escape);
            }
            StmtKind::For(f) => {
                let (var, value) = match &f.over {
                    ForOver::Range(from, _) => (f.var.clone(), from.clone()),
                    ForOver::In(_) if self.is_struct(&f.var) => {
                        (self.message_counter(f), number(0, stmt.span))
                    }
                    ForOver::In(_) => (f.var.clone(), number(0, stmt.span)),
                };
                self.synthetic(StmtKind::Assign(var, value), f.var.span);
            }
            StmtKind::Select(select) if self.literal_bounds(select).is_none() => {
                let Select { var, from, .. } = &**select;
                self.synthetic(StmtKind::Assign(var.clone(), from.clone()), var.span);
            }
            _ => {}
        }
    }

    /// Adds a statement that was not written.
    fn synthetic(&mut self, kind: StmtKind, span: Span) -> El {
        let here = self.here();
        let element =
            self.flow.new_element(Kind::Stmt(Statement::Made(Rc::new(Stmt { kind, span }))), span, here);
        self.flow.add(element);
        element
    }

    /// Adds a statement to the open sequence and returns what a label before it marks.
    fn statement(&mut self, stmt: &'a Stmt) -> El {
        let here = self.here();
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Labelled(label, Some(inner)) if is_compound(inner) => {
                let element = self.statement(inner);
                self.flow.label(label, self.scope, element);
                element
            }
            StmtKind::If(options) => {
                let options = self.options(options);
                self.flow.select(options, None, span, here, self.diagnostics)
            }
            StmtKind::Do(options) => {
                let id = self.flow.new_break();
                self.breaks.push(id);
                let options = self.options(options);
                self.breaks.pop();
                self.flow.select(options, Some(id), span, here, self.diagnostics)
            }
            StmtKind::For(f) => self.for_loop(f, span),
            StmtKind::Select(select) => self.select(select, span),
            StmtKind::Unless(body, escape) => self.unless(body, escape, span),
            _ => {
                let element = self.simple(stmt);
                self.flow.add(element);
                element
            }
        }
    }

    /// A statement that is one element, with its labels, not yet added.
    fn simple(&mut self, stmt: &'a Stmt) -> El {
        let here = self.here();
        let kind = match &stmt.kind {
            StmtKind::Labelled(label, inner) => {
                let element = match inner {
                    Some(inner) => self.simple(inner),
                    None => self.flow.new_element(Kind::Skip, label.span, here),
                };
                self.flow.label(label, self.scope, element);
                return element;
            }
            StmtKind::Goto(label) => Kind::Goto(label),
            StmtKind::Break => match self.breaks.last() {
                Some(&id) => Kind::Break(id),
                None => {
                    self.error("misplaced-break", stmt.span, "`break` outside of a loop");
                    Kind::Skip
                }
            },
            StmtKind::Else => Kind::Else,
            StmtKind::Atomic(block) => {
                let seq = self.block(block, SequenceOf::Atomic);
                self.flow.make_atomic(seq, false);
                Kind::Group(GroupKind::Atomic, seq)
            }
            StmtKind::DStep(block) => Kind::Group(GroupKind::DStep, self.dstep(block)),
            StmtKind::Block(block) => Kind::Group(GroupKind::Plain, self.block(block, SequenceOf::Braces)),
            StmtKind::InlineCall(call) => Kind::Group(GroupKind::Plain, self.inline(call)),
            StmtKind::Return(value) => {
                let kind = match self.results.last() {
                    Some(Some(result)) => StmtKind::Assign((*result).clone(), value.clone()),
                    Some(None) => StmtKind::Expr(value.clone()),
                    None => {
                        self.error("return-outside-inline", stmt.span, "`return` outside of an inline");
                        StmtKind::Error
                    }
                };
                Kind::Stmt(Statement::Made(Rc::new(Stmt { kind, span: stmt.span })))
            }
            _ => Kind::Stmt(Statement::Written(stmt)),
        };
        self.flow.new_element(kind, stmt.span, here)
    }

    fn options(&mut self, options: &'a [Block]) -> Vec<SeqId> {
        let mut sequences = Vec::new();
        for option in options {
            self.flow.open();
            self.at_start = false;
            self.steps(option);
            let sequence = self.close(SequenceOf::Option, option.span);
            self.flow.drop_redundant_skips(sequence);
            sequences.push(sequence);
        }
        sequences
    }

    /// A block in braces: a scope and a sequence.
    fn block(&mut self, block: &'a Block, of: SequenceOf) -> SeqId {
        let outer = self.scope;
        self.scope = self.names.open_scope(outer);
        self.flow.open();
        self.at_start = false;
        self.steps(block);
        let sequence = self.close(of, block.span);
        self.scope = outer;
        sequence
    }

    fn inline(&mut self, call: &'a InlineCall) -> SeqId {
        self.results.push(call.result.as_ref());
        let outer = self.flow.calls.clone();
        let this = Call { name: call.name.name.clone(), span: call.name.span };
        self.flow.calls = std::iter::once(this).chain(outer.iter().cloned()).collect();
        let sequence = self.block(&call.body, SequenceOf::Braces);
        self.flow.calls = outer;
        self.results.pop();
        sequence
    }

    fn dstep(&mut self, block: &'a Block) -> SeqId {
        let first = self.flow.elements.len() as u32;
        let sequence = self.block(block, SequenceOf::DStep);
        self.flow.make_atomic(sequence, true);
        self.check_dstep(sequence, first);
        sequence
    }

    fn close(&mut self, of: SequenceOf, span: Span) -> SeqId {
        let here = self.here();
        let sequence = self.flow.close();
        let Some(first) = self.flow.sequences[sequence].first else {
            self.error("empty-sequence", span, "a sequence needs at least one statement");
            self.flow.open();
            let skip = self.flow.new_element(Kind::Skip, span, here);
            self.flow.add(skip);
            return self.flow.close();
        };
        let Some(label) = self.flow.labels.on(first).next() else { return sequence };
        let (what, help) = match of {
            SequenceOf::Option => {
                let message = format!("label `{}` on the guard of an option marks no state", label.name);
                let help = "put the label before the selection";
                self.diagnostics.push(Diagnostic::warning("label-on-guard", label.span, message).help(help));
                return sequence;
            }
            SequenceOf::Escape => ("guard of an escape", "an escape's guard is no state of its own"),
            SequenceOf::EscapedStatement => ("statement before `unless`", "write `L: { stmt unless stmt }`"),
            SequenceOf::Atomic => ("first statement of an atomic", "write `L: atomic { ... }`"),
            SequenceOf::DStep => ("first statement of a d_step", "write `L: d_step { ... }`"),
            SequenceOf::Braces => ("first statement of a block", "write `L: { ... }`"),
        };
        let message = format!("label `{}` stands on the {what}", label.name);
        self.diagnostics.push(Diagnostic::error("misplaced-label", label.span, message).help(help));
        sequence
    }

    fn unless(&mut self, body: &'a Stmt, escape: &'a Stmt, span: Span) -> El {
        let here = self.here();
        // A label before a group is the label of all of it.
        if let StmtKind::Labelled(label, Some(inner)) = &body.kind
            && let StmtKind::Block(b) | StmtKind::Atomic(b) | StmtKind::DStep(b) = &inner.kind
        {
            if matches!(inner.kind, StmtKind::DStep(_)) {
                let message = "a d_step with a label cannot stand before `unless`";
                let diagnostic = Diagnostic::error("unless-in-d-step", inner.span, message);
                self.diagnostics.push(diagnostic.help("write `L: { d_step { ... } unless ... }`"));
            }
            let (kind, body) = if matches!(inner.kind, StmtKind::Atomic(_)) {
                let body = self.block(b, SequenceOf::Atomic);
                self.flow.make_atomic(body, false);
                (GroupKind::Atomic, body)
            } else {
                (GroupKind::Plain, self.block(b, SequenceOf::Braces))
            };
            let escape = self.escape(escape);
            self.flow.open();
            self.flow.unless(body, escape, span, here);
            let all = self.flow.close();
            let element = self.flow.new_element(Kind::Group(kind, all), span, here);
            self.flow.label(label, self.scope, element);
            self.flow.add(element);
            return element;
        }
        let sequence = match &body.kind {
            StmtKind::Block(block) => self.block(block, SequenceOf::Braces),
            StmtKind::InlineCall(call) => self.inline(call),
            _ => {
                self.flow.open();
                self.statement(body);
                let sequence = self.close(SequenceOf::EscapedStatement, body.span);
                // A statement without braces is numbered after the escape.
                self.flow.forget_numbers(sequence);
                let escape = self.escape(escape);
                self.flow.renumber(sequence);
                return self.flow.unless(sequence, escape, span, here);
            }
        };
        let escape = self.escape(escape);
        self.flow.unless(sequence, escape, span, here)
    }

    fn escape(&mut self, escape: &'a Stmt) -> SeqId {
        match &escape.kind {
            StmtKind::Block(block) => self.block(block, SequenceOf::Braces),
            StmtKind::InlineCall(call) => self.inline(call),
            _ => {
                self.flow.open();
                self.statement(escape);
                self.close(SequenceOf::Escape, escape.span)
            }
        }
    }

    fn for_loop(&mut self, f: &'a For, span: Span) -> El {
        let here = self.here();
        let id = self.flow.new_break();
        self.breaks.push(id);
        self.flow.open();
        self.at_start = false;
        let counter = match &f.over {
            ForOver::Range(_, to) => {
                self.condition(BinaryOp::Le, f.var.clone(), to.clone(), f.var.span.join(to.span));
                f.var.clone()
            }
            ForOver::In(chan) if self.is_struct(&f.var) => {
                let counter = self.message_counter(f);
                let len = Expr { kind: ExprKind::Len(chan.clone()), span: chan.span };
                self.condition(BinaryOp::Lt, counter.clone(), len, chan.span);
                self.rotate(f, chan);
                counter
            }
            ForOver::In(array) => {
                let last = number(self.array_len(array) - 1, array.span);
                self.condition(BinaryOp::Le, f.var.clone(), last, f.var.span.join(array.span));
                f.var.clone()
            }
        };
        let outer = self.scope;
        self.scope = self.names.open_scope(outer);
        self.steps(&f.body);
        self.scope = outer;
        self.synthetic(StmtKind::Increment(counter), f.var.span);
        let main = self.flow.close();
        self.breaks.pop();
        let done = self.leave_loop(true, id, span);
        self.flow.select(vec![main, done], Some(id), span, here, self.diagnostics)
    }

    fn condition(&mut self, op: BinaryOp, var: VarRef, bound: Expr, span: Span) {
        let var = Expr { span: var.span, kind: ExprKind::Var(var) };
        let kind = ExprKind::Binary(op, Box::new(var), Box::new(bound));
        self.synthetic(StmtKind::Expr(Expr { kind, span }), span);
    }

    /// The option that leaves a loop: `else -> break`, or just `break`.
    fn leave_loop(&mut self, with_else: bool, id: BreakId, span: Span) -> SeqId {
        let here = self.here();
        self.flow.open();
        if with_else {
            let element = self.flow.new_element(Kind::Else, span, here);
            self.flow.add(element);
        }
        let element = self.flow.new_element(Kind::Break(id), span, here);
        self.flow.add(element);
        self.flow.close()
    }

    /// Takes the next message out of the channel and puts it back at the end.
    fn rotate(&mut self, f: &'a For, chan: &'a VarRef) {
        let arg = RecvArg { kind: RecvArgKind::Var(f.var.clone()), span: f.var.span };
        let receive = Receive { chan: chan.clone(), random: false, peek: false, args: vec![arg] };
        self.synthetic(StmtKind::Receive(receive), chan.span);
        let arg = Expr { kind: ExprKind::Var(f.var.clone()), span: f.var.span };
        let send = Send { chan: chan.clone(), sorted: false, args: vec![arg] };
        self.synthetic(StmtKind::Send(send), chan.span);
    }

    /// The unnamed variable that counts the messages of a channel in a `for`.
    fn message_counter(&mut self, f: &For) -> VarRef {
        let name = format_smolstr!("for@{}:{}", f.var.span.file.0, f.var.span.start);
        let ident = Ident { name, span: f.var.span };
        if self.names.lookup(self.here(), &ident.name).is_none() {
            self.frame.declare_counter(self.names, self.scope, &ident, self.diagnostics);
        }
        VarRef { name: ident, index: None, field: None, span: f.var.span }
    }

    fn select(&mut self, select: &'a Select, span: Span) -> El {
        let here = self.here();
        let var = &select.var;
        if let (ExprKind::Const(from), ExprKind::Const(to)) = (&select.from.kind, &select.to.kind)
            && to < from
        {
            self.error("empty-range", span, "the range of this select is empty");
        }
        let Some((from, to)) = self.literal_bounds(select) else {
            return self.select_loop(var, select.to.clone(), span);
        };
        if to.saturating_sub(from) <= SMALL_SELECT {
            let mut options = Vec::new();
            for value in from..=to {
                self.flow.open();
                self.synthetic(StmtKind::Assign(var.clone(), number(value, var.span)), span);
                options.push(self.flow.close());
            }
            return self.flow.select(options, None, span, here, self.diagnostics);
        }
        let first = self.synthetic(StmtKind::Assign(var.clone(), number(from, var.span)), span);
        self.select_loop(var, number(to, var.span), span);
        first
    }

    fn select_loop(&mut self, var: &'a VarRef, to: Expr, span: Span) -> El {
        let here = self.here();
        let id = self.flow.new_break();
        self.flow.open();
        self.condition(BinaryOp::Lt, var.clone(), to, span);
        self.synthetic(StmtKind::Increment(var.clone()), span);
        let main = self.flow.close();
        let done = self.leave_loop(false, id, span);
        self.flow.select(vec![done, main], Some(id), span, here, self.diagnostics)
    }

    /// The bounds of a `select` that SPIN's lexer replaces; in an inline it replaces none.
    fn literal_bounds(&self, select: &Select) -> Option<(i32, i32)> {
        match (&select.from.kind, &select.to.kind) {
            (&ExprKind::Const(from), &ExprKind::Const(to)) if select.literal && self.results.is_empty() => {
                Some((from, to))
            }
            _ => None,
        }
    }

    fn variable(&self, var: &VarRef) -> Option<&Var> {
        match &self.names.symbol(self.names.lookup(self.here(), &var.name.name)?).meaning {
            Meaning::Var(var) => Some(var),
            _ => None,
        }
    }

    fn is_struct(&self, var: &VarRef) -> bool {
        self.variable(var).is_some_and(|v| matches!(v.ty, Type::Struct(_)))
    }

    fn array_len(&mut self, array: &VarRef) -> i32 {
        let Some(len) = self.variable(array).and_then(|v| v.array) else {
            let message = format!("`{}` is not an array", array.name.name);
            self.error("not-an-array", array.span, message);
            return 1;
        };
        len as i32
    }

    /// Reports jumps out of a `d_step` and what cannot stand in one.
    fn check_dstep(&mut self, sequence: SeqId, first: u32) {
        for element in self.flow.up_to_extent(sequence) {
            let e = &self.flow.elements[element];
            let (span, scope) = (e.span, e.here.scope);
            match e.kind.clone() {
                Kind::Goto(label) => {
                    let target = self.flow.labels.find(self.names, scope, &label.name);
                    if target.is_none_or(|l| l.element.0 < first) {
                        self.error("jump-out-of-d-step", span, "a `goto` cannot leave a d_step");
                    }
                }
                Kind::Break(id) if self.flow.break_target(id).is_none() => {
                    self.error("jump-out-of-d-step", span, "a `break` cannot leave a d_step");
                }
                Kind::Unless(body, _) => {
                    self.error("unless-in-d-step", span, "`unless` cannot stand inside a d_step");
                    self.check_dstep(body, first);
                }
                Kind::Select(options) => {
                    for option in options {
                        self.check_dstep(option, first);
                    }
                }
                Kind::Group(_, inner) => self.check_dstep(inner, first),
                _ => {}
            }
        }
    }
}

/// Whether a statement adds itself to the open sequence.
fn is_compound(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Labelled(_, Some(inner)) => is_compound(inner),
        StmtKind::If(_)
        | StmtKind::Do(_)
        | StmtKind::For(_)
        | StmtKind::Select(..)
        | StmtKind::Unless(..) => true,
        _ => false,
    }
}

fn number(value: i32, span: Span) -> Expr {
    Expr { kind: ExprKind::Const(value), span }
}
