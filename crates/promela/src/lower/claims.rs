//! Formulas and `never` claims: from trees and control flow to what the IR says of runs.
//!
//! Propositions are as small as they can be: a formula is taken apart down to what is not a connective.

use smol_str::SmolStr;
use stubborn_base::Span;
use stubborn_ir::{
    self as ir, BinaryOp, Claim, ClaimAutomaton, ClaimBody, ClaimEdge, ClaimKind, ClaimState, Comm, Effect,
    Literal, Location, Model, Pattern, Propositions, TemporalClaim, TraceClaim, TraceEdge, TraceState,
    Transition, TransitionId, UnaryOp,
};
use stubborn_ltl::Formula;

use super::expr::Lower;
use super::names::Here;
use crate::ast::{self, ExprKind, Temporal1, Temporal2};

/// A claim whose text is known, but not what it means.
pub(crate) struct Stated<'a> {
    pub(crate) name: SmolStr,
    pub(crate) span: Span,
    pub(crate) source: Source<'a>,
}

/// Where a claim comes from.
#[derive(Clone, Copy)]
pub(crate) enum Source<'a> {
    /// `ltl`
    Formula(&'a ast::Ltl),
    /// `never`: the observer with that index.
    Never(usize),
    /// `trace` or `notrace`: the observer with that index, and which of them.
    Trace(usize, bool),
}

impl Stated<'_> {
    pub(crate) fn kind(&self) -> ClaimKind {
        match self.source {
            Source::Formula(_) => ClaimKind::Ltl,
            Source::Never(_) => ClaimKind::Never,
            Source::Trace(..) => ClaimKind::Trace,
        }
    }
}

/// What is asked of locations with some label.
pub(crate) fn label_claim(name: &str, kind: ClaimKind, span: Span) -> Claim {
    let (proposition, extends_finite_runs) = match kind {
        ClaimKind::NonProgress => (ir::Expr::NonProgress, false),
        _ => (ir::Expr::Accepting, true),
    };
    let label = Formula::atom(0);
    let formula = match kind {
        // Again and again, progress is made.
        ClaimKind::NonProgress => label.negated().eventually().always(),
        // From some time on, nothing is accepted.
        _ => label.negated().always().eventually(),
    };
    let claim = TemporalClaim { formula, propositions: vec![proposition], extends_finite_runs };
    Claim { name: name.into(), kind, body: ClaimBody::Formula(claim), span }
}

/// What a formula says.
pub(crate) fn formula(lower: &mut Lower<'_>, tree: &ast::Expr, here: Here) -> ClaimBody {
    // Finds all errors there are.
    lower.expr(tree, here);
    let mut propositions = Propositions::default();
    let formula = temporal(&mut propositions, lower, tree, here);
    ClaimBody::Formula(TemporalClaim { formula, propositions: propositions.0, extends_finite_runs: true })
}

/// A formula down to what is not a connective.
fn temporal(propositions: &mut Propositions, lower: &mut Lower<'_>, tree: &ast::Expr, here: Here) -> Formula {
    let mut of = |tree: &ast::Expr| temporal(propositions, lower, tree, here);
    match &tree.kind {
        ExprKind::Temporal1(op, f) => {
            let f = of(f);
            match op {
                Temporal1::Always => f.always(),
                Temporal1::Eventually => f.eventually(),
                Temporal1::Next => f.next(),
            }
        }
        ExprKind::Temporal2(op, f, g) => {
            let (f, g) = (of(f), of(g));
            match op {
                Temporal2::Until => f.until(g),
                Temporal2::WeakUntil => f.weak_until(g),
                Temporal2::Release => f.release(g),
                Temporal2::Implies => f.implies(g),
                Temporal2::Equivalent => f.equivalent(g),
            }
        }
        ExprKind::Unary(UnaryOp::Not, f) => of(f).negated(),
        ExprKind::Binary(BinaryOp::And, f, g) => of(f).and(of(g)),
        ExprKind::Binary(BinaryOp::Or, f, g) => of(f).or(of(g)),
        _ => {
            let proposition = lower.expr(tree, here);
            match propositions.literal(proposition) {
                Ok(Literal { proposition, holds: true }) => Formula::atom(proposition as usize),
                Ok(Literal { proposition, holds: false }) => Formula::atom(proposition as usize).negated(),
                Err(true) => Formula::True,
                Err(false) => Formula::False,
            }
        }
    }
}

/// A `trace` or `notrace` that was lowered like a process, into a model of its own. Of a send it looks at the
/// fields that are constants, of a receive at those that are constants or `eval`.
pub(crate) fn trace(model: &Model, locations: &[Location], negated: bool) -> ClaimBody {
    let mut watched: Vec<ir::Expr> = Vec::new();
    let mut watch = |expr: &ir::Expr| {
        watched.iter().position(|known| known == expr).unwrap_or_else(|| {
            watched.push(expr.clone());
            watched.len() - 1
        })
    };
    let mut states = Vec::with_capacity(locations.len());
    for location in locations {
        let mut state = TraceState { is_end: location.is_end, ..TraceState::default() };
        for id in location.transition_ids() {
            let t = &model.transitions[id];
            let (Some(comm), Some(target)) = (&t.comm, t.to) else {
                (state.is_end, state.is_last) = (true, true);
                continue;
            };
            let (chan, fields) = match comm {
                Comm::Send(send) => {
                    let field = |expr: &ir::Expr| expr.as_const().is_some().then(|| expr.clone());
                    (&send.chan, send.args.iter().map(field).collect::<Vec<_>>())
                }
                Comm::Receive(receive) => {
                    let field = |pattern: &Pattern| match pattern {
                        Pattern::Match(expr) => Some(expr.clone()),
                        Pattern::Bind(_) | Pattern::Any => None,
                    };
                    (&receive.chan, receive.pattern.iter().map(field).collect())
                }
            };
            let chan = watch(chan);
            let fields = fields.iter().map(|field| field.as_ref().map(&mut watch)).collect();
            let is_send = matches!(comm, Comm::Send(_));
            state.edges.push(TraceEdge { is_send, chan, fields, target: u32::from(target.0) });
        }
        states.push(state);
    }
    ClaimBody::Trace(TraceClaim { negated, watched, states })
}

/// The automaton of a `never` claim that was lowered like a process, into a model of its own.
pub(crate) fn automaton(model: &Model, locations: &[Location], n_locals: usize) -> ClaimBody {
    let mut never = Never {
        model,
        locations,
        propositions: Propositions::default(),
        end: locations.len() as u32,
        stuck: locations.len() as u32 + 1,
    };
    if n_locals > 0 {
        return ClaimBody::Unchecked("the claim has variables of its own".to_owned());
    }
    let mut states = Vec::with_capacity(locations.len() + 2);
    for location in locations {
        match never.edges(location) {
            Ok(edges) => {
                states.push(ClaimState { accepting: location.is_accept, is_final: location.is_end, edges })
            }
            Err(why) => return ClaimBody::Unchecked(why),
        }
    }
    states.push(ClaimState { is_final: true, ..ClaimState::default() });
    states.push(ClaimState::default());
    ClaimBody::Automaton(ClaimAutomaton { initial: 0, states, propositions: never.propositions.0 })
}

struct Never<'a> {
    model: &'a Model,
    locations: &'a [Location],
    propositions: Propositions,
    /// The state after its end, or after an assertion that fails.
    end: u32,
    /// A state without edges.
    stuck: u32,
}

/// Literals that hold together; none if they never do.
type Conjunction = Option<Vec<Literal>>;

impl Never<'_> {
    fn edges(&mut self, location: &Location) -> Result<Vec<ClaimEdge>, String> {
        let first = location.transitions.start;
        let mut edges = Vec::new();
        let mut later = Vec::new();
        for id in location.transition_ids() {
            let t = &self.model.transitions[id];
            let unless: Box<[u32]> = t.inhibitors.iter().map(|i| i.0 - first).collect();
            let guards = self.guards(t);
            let mut runs = Vec::new();
            if let Some(guards) = guards.clone() {
                self.runs(id, guards, &mut Vec::new(), &mut runs)?;
            }
            // Edges are numbered as transitions are: what else there is comes after them.
            let mut runs = runs.into_iter();
            let (literals, target) = match (t.atomic || runs.len() != 1, guards) {
                (false, _) => runs.next().expect("there is one"),
                (true, Some(guards)) => (guards, self.stuck),
                (true, None) => (self.never(), self.stuck),
            };
            edges.push(ClaimEdge { literals: literals.into(), unless: unless.clone(), target });
            later.extend(runs.map(|(literals, target)| ClaimEdge {
                literals: literals.into(),
                unless: unless.clone(),
                target,
            }));
        }
        edges.extend(later);
        Ok(edges)
    }

    /// Literals that never hold together.
    fn never(&mut self) -> Vec<Literal> {
        let literal = match self.propositions.0.is_empty() {
            true => self.propositions.literal(ir::Expr::NumProcesses).expect("it is no constant"),
            false => Literal { proposition: 0, holds: true },
        };
        vec![literal, Literal { holds: !literal.holds, ..literal }]
    }

    fn guards(&mut self, t: &Transition) -> Conjunction {
        self.propositions.conjunction(t.guards.iter().map(|&guard| self.model.guards[guard].clone()))
    }

    /// What the claim does in one turn if it begins with a transition whose guards hold with `literals`:
    /// one transition, or all of an atomic sequence.
    fn runs(
        &mut self,
        id: TransitionId,
        mut literals: Vec<Literal>,
        on_the_way: &mut Vec<TransitionId>,
        found: &mut Vec<(Vec<Literal>, u32)>,
    ) -> Result<(), String> {
        let t = &self.model.transitions[id];
        if on_the_way.contains(&id) {
            return Err("the claim has a loop inside an atomic sequence".to_owned());
        }
        if t.comm.is_some() {
            return Err("the claim uses channels".to_owned());
        }
        for effect in &t.effects {
            match effect {
                Effect::Assert(expr) => match self.propositions.literal(expr.clone()) {
                    Ok(literal) => {
                        let fails = Literal { holds: !literal.holds, ..literal };
                        found.push((literals.iter().copied().chain([fails]).collect(), self.end));
                        literals.push(literal);
                    }
                    Err(true) => {}
                    Err(false) => {
                        found.push((literals, self.end));
                        return Ok(());
                    }
                },
                Effect::Print(_) | Effect::End => {}
                _ => return Err("the claim has side effects".to_owned()),
            }
        }
        let Some(to) = t.to else {
            found.push((literals, self.end));
            return Ok(());
        };
        if !t.atomic {
            found.push((literals, u32::from(to.0)));
            return Ok(());
        }
        on_the_way.push(id);
        for next in self.locations[usize::from(to.0)].transition_ids() {
            let t = &self.model.transitions[next];
            if !t.inhibitors.is_empty() {
                return Err("the claim has else or unless inside an atomic sequence".to_owned());
            }
            if let Some(guards) = self.guards(t) {
                let together = literals.iter().copied().chain(guards).collect();
                self.runs(next, together, on_the_way, found)?;
            }
        }
        on_the_way.pop();
        Ok(())
    }
}
