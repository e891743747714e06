//! `d_step`: a deterministic run in one step.
//!
//! The first statement decides whether the step is enabled; the rest runs in
//! order, selections take their first executable option, and a statement that
//! blocks is an error. A selection at the start is enabled if one of its guards
//! holds (conditions and channel operations: SPIN does not count others).

use hashbrown::HashMap;

use stubborn_base::Diagnostic;
use stubborn_ir::{self as ir, BinaryOp, Comm, DAlternative, DStep, Effect, Expr, Origin, balanced};

use super::exclusive::are_exclusive;
use super::expr::Lower;
use super::flow::{El, Flow, GroupKind, Kind, SeqId};
use super::stmt::{Action, conjuncts};
use crate::ast::{self, ExprKind, StmtKind};

/// Of more options than this, the others are not compared with those before them.
const MOST_COMPARED: usize = 1000;

/// How a `d_step` starts.
pub(crate) enum Head {
    /// With this action; whatever follows is its last effect.
    Action(Action),
    /// With an `else`.
    Else(Action),
}

impl Lower<'_> {
    pub(crate) fn dstep(&mut self, flow: &Flow<'_>, sequence: SeqId, origin: &dyn Fn(El) -> Origin) -> Head {
        let mut build = Build {
            lower: self,
            flow,
            origin,
            nodes: Vec::new(),
            by_element: HashMap::new(),
            open: Vec::new(),
        };
        let Some(first) = flow.sequences[sequence].first.and_then(|f| build.enter(f)) else {
            return Head::Action(Action::default());
        };
        if let Kind::Select(options) = &flow.elements[first].kind {
            let mut action = Action::default();
            conjuncts(build.selection_guard(options), &mut action.guards);
            build.node(first);
            action.effects.push(build.finish());
            return Head::Action(action);
        }
        build.check(first);
        let mut action = build.lower.action(flow, first);
        if let Some(next) = build.after(first) {
            build.node(next);
            action.effects.push(build.finish());
        }
        if matches!(flow.elements[first].kind, Kind::Else) {
            Head::Else(action)
        } else {
            Head::Action(action)
        }
    }
}

struct Build<'l, 'c, 'f> {
    lower: &'l mut Lower<'c>,
    flow: &'f Flow<'f>,
    origin: &'l dyn Fn(El) -> Origin,
    nodes: Vec<Vec<DAlternative>>,
    by_element: HashMap<El, u32>,
    /// Nodes that are still empty, with their elements.
    open: Vec<(u32, El)>,
}

impl Build<'_, '_, '_> {
    /// Fills all nodes: one after the other, for there are as many as there are statements.
    fn finish(&mut self) -> Effect {
        while let Some((node, element)) = self.open.pop() {
            let alternatives = match self.flow.elements[element].kind.clone() {
                Kind::Select(options) => options.into_iter().map(|o| self.option(o)).collect(),
                _ => vec![self.alternative(element)],
            };
            self.warn_of_choice(&alternatives);
            self.nodes[node as usize] = alternatives;
        }
        Effect::DStep(DStep { nodes: std::mem::take(&mut self.nodes) })
    }

    /// The element that is executed when control comes to `element`; none outside.
    fn enter(&self, element: El) -> Option<El> {
        let mut at = element;
        for _ in 0..=self.flow.elements.len() {
            let e = &self.flow.elements[at];
            if !e.in_dstep {
                return None;
            }
            at = match e.kind {
                Kind::Join | Kind::BreakTarget => e.next?,
                Kind::Break(id) => self.flow.break_target(id)?,
                Kind::Goto(label) => {
                    self.flow.labels.find(self.lower.names, e.here.scope, &label.name)?.element
                }
                Kind::Group(GroupKind::Plain, inner) => self.flow.sequences[inner].first?,
                _ => return Some(at),
            };
        }
        None
    }

    /// What comes after an element; none if that is the end of the `d_step`.
    fn after(&self, element: El) -> Option<El> {
        self.enter(self.flow.elements[element].next?)
    }

    /// The node of an element, which is filled later.
    fn node(&mut self, element: El) -> u32 {
        if let Some(&node) = self.by_element.get(&element) {
            return node;
        }
        let node = self.nodes.len() as u32;
        self.nodes.push(Vec::new());
        self.by_element.insert(element, node);
        self.open.push((node, element));
        node
    }

    /// Warns of options that may be executable together: the first one is always taken.
    fn warn_of_choice(&mut self, alternatives: &[DAlternative]) {
        for (i, option) in alternatives.iter().enumerate().take(MOST_COMPARED) {
            let overlaps = |earlier: &&DAlternative| !are_exclusive(&earlier.guards, &option.guards);
            if option.origin.text != "else"
                && let Some(earlier) = alternatives[..i].iter().find(overlaps)
            {
                let message = "inside a d_step the first executable option is taken, never this one instead";
                let warning = Diagnostic::warning("choice-in-d-step", option.origin.span, message)
                    .label(earlier.origin.span, "this one goes first")
                    .help("use atomic for a choice");
                self.lower.report(warning);
            }
        }
    }

    fn alternative(&mut self, element: El) -> DAlternative {
        self.check(element);
        let Action { guards, comm, effects } = self.lower.action(self.flow, element);
        let to = self.after(element).map(|next| self.node(next));
        DAlternative { guards, comm, effects, to, origin: (self.origin)(element) }
    }

    /// An option is tried by its first statement; a selection or a block there is entered.
    fn option(&mut self, option: SeqId) -> DAlternative {
        let first = self.flow.sequences[option].first.expect("an option has a statement");
        let is_statement = matches!(
            self.flow.elements[first].kind,
            Kind::Stmt(_) | Kind::Skip | Kind::Declare(..) | Kind::Else
        );
        if is_statement {
            return self.alternative(first);
        }
        let to = self.enter(first).map(|e| self.node(e));
        let origin = (self.origin)(first);
        DAlternative { guards: Vec::new(), comm: None, effects: Vec::new(), to, origin }
    }

    /// Whether one of the guards of a selection at the start holds.
    fn selection_guard(&mut self, options: &[SeqId]) -> Expr {
        let mut guards = Vec::new();
        for &option in options {
            let Some(first) = self.flow.sequences[option].first.and_then(|f| self.enter(f)) else { continue };
            let guard = match &self.flow.elements[first].kind {
                Kind::Select(inner) => self.selection_guard(inner),
                Kind::Else | Kind::Skip => Expr::Const(1),
                Kind::Stmt(stmt)
                    if matches!(stmt.kind, StmtKind::Expr(_) | StmtKind::Send(_) | StmtKind::Receive(_)) =>
                {
                    executability(&self.lower.action(self.flow, first))
                }
                _ => continue,
            };
            guards.push(guard);
        }
        balanced(BinaryOp::Or, guards).unwrap_or(Expr::Const(1))
    }

    /// Reports what cannot be done in one step.
    fn check(&mut self, element: El) {
        let Kind::Stmt(stmt) = &self.flow.elements[element].kind else { return };
        if let StmtKind::Expr(value) | StmtKind::Assign(_, value) = &stmt.kind
            && let ast::Expr { kind: ExprKind::Run(_), span } = value
        {
            let message = "`run` cannot stand in a d_step";
            self.lower.report(Diagnostic::error("run-in-d-step", *span, message).help("use atomic"));
        }
    }
}

/// Whether an action could be done, as an expression.
fn executability(action: &Action) -> Expr {
    let comm = action.comm.as_ref().map(|comm| match comm {
        Comm::Send(send) => Expr::Chan(ir::ChanTest::NotFull, Box::new(send.chan.clone())),
        Comm::Receive(receive) => Expr::Poll(Box::new(ir::Poll {
            chan: receive.chan.clone(),
            random: receive.random,
            pattern: receive.pattern.clone(),
        })),
    });
    let parts = action.guards.iter().cloned().chain(comm);
    parts.reduce(|a, b| Expr::binary(BinaryOp::And, a, b)).unwrap_or(Expr::Const(1))
}
