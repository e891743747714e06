//! What a model states about its runs, besides assertions and end states.

use smol_str::SmolStr;
use stubborn_base::Span;
use stubborn_ltl::Formula;

use crate::expr::{BinaryOp, Expr, UnaryOp};

/// A property that the model states about its runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// Its name.
    pub name: SmolStr,
    /// What kind of property.
    pub kind: ClaimKind,
    /// What it says.
    pub body: ClaimBody,
    /// Where it stands.
    pub span: Span,
}

impl Claim {
    /// What it looks at in states.
    pub fn propositions(&self) -> &[Expr] {
        match &self.body {
            ClaimBody::Formula(formula) => &formula.propositions,
            ClaimBody::Automaton(automaton) => &automaton.propositions,
            ClaimBody::Trace(_) | ClaimBody::Unchecked(_) => &[],
        }
    }
}

/// Kinds of [`Claim`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClaimKind {
    /// A temporal formula.
    Ltl,
    /// A Büchi automaton that must accept no run.
    Never,
    /// No run passes an accept location again and again.
    Acceptance,
    /// No run stays away from progress locations for ever.
    NonProgress,
    /// The order of events on channels.
    Trace,
    /// Some run violates the formula that is its body: it says that what there is to reach is never reached.
    Reachability,
}

/// What a [`Claim`] says of the runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClaimBody {
    /// Every run satisfies a formula.
    Formula(TemporalClaim),
    /// No run is accepted by an automaton.
    Automaton(ClaimAutomaton),
    /// Events on channels happen in some order, or not in some order.
    Trace(TraceClaim),
    /// Something that is read but cannot be checked, and why.
    Unchecked(String),
}

/// A formula about runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TemporalClaim {
    /// Over the propositions, by number.
    pub formula: Formula,
    /// What holds or not in a state; no process's expressions.
    pub propositions: Vec<Expr>,
    /// A run that ends counts as one that stays in its last state for ever; otherwise it does not count.
    pub extends_finite_runs: bool,
}

/// An automaton that watches a run. It moves before each edge of the run, and stays in step with it: by an
/// edge whose literals hold in the state that the run is in.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ClaimAutomaton {
    /// Where it begins.
    pub initial: u32,
    /// Its states.
    pub states: Vec<ClaimState>,
    /// What its literals are about; no process's expressions.
    pub propositions: Vec<Expr>,
}

/// A state of a [`ClaimAutomaton`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ClaimState {
    /// A run that the automaton is here in again and again is accepted.
    pub accepting: bool,
    /// A run that gets here is accepted, however it goes on.
    pub is_final: bool,
    /// How it can move.
    pub edges: Vec<ClaimEdge>,
}

/// An edge of a [`ClaimAutomaton`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClaimEdge {
    /// All must hold.
    pub literals: Box<[Literal]>,
    /// None of these, by their index in the state, can be taken.
    pub unless: Box<[u32]>,
    /// Where it leads.
    pub target: u32,
}

/// A proposition, or its contrary.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Literal {
    /// By number.
    pub proposition: u32,
    /// Whether it has to hold, or not to hold.
    pub holds: bool,
}

/// Propositions by number, while a claim is made of expressions. They are as few as they can be, so that automata stay
/// small and few steps are visible: what is there already is not added, and a comparison and its contrary are one.
#[derive(Clone, Debug, Default)]
pub struct Propositions(pub Vec<Expr>);

impl Propositions {
    /// The literal that holds where an expression does; its value if that is always the same.
    pub fn literal(&mut self, expr: Expr) -> Result<Literal, bool> {
        if let Some(value) = expr.as_const() {
            return Err(value != 0);
        }
        let (expr, holds) = match expr {
            Expr::Unary(UnaryOp::Not, operand) => {
                return self.literal(*operand).map(|l| Literal { holds: !l.holds, ..l }).map_err(|b| !b);
            }
            Expr::Binary(BinaryOp::Ne, parts) => (Expr::Binary(BinaryOp::Eq, parts), false),
            Expr::Binary(BinaryOp::Ge, parts) => (Expr::Binary(BinaryOp::Lt, parts), false),
            Expr::Binary(BinaryOp::Le, parts) => (Expr::Binary(BinaryOp::Gt, parts), false),
            expr => (expr, true),
        };
        let known = self.0.iter().position(|known| *known == expr);
        let proposition = known.unwrap_or_else(|| {
            self.0.push(expr);
            self.0.len() - 1
        });
        Ok(Literal { proposition: proposition as u32, holds })
    }

    /// The literals that hold where all of some expressions do; none if they never do.
    pub fn conjunction(&mut self, exprs: impl IntoIterator<Item = Expr>) -> Option<Vec<Literal>> {
        let mut literals = Vec::new();
        for expr in exprs {
            match self.literal(expr) {
                Ok(literal) => literals.push(literal),
                Err(true) => {}
                Err(false) => return None,
            }
        }
        Some(literals)
    }
}

/// An automaton over the events on some channels; it begins in its first state. Events that no edge is about,
/// by channel and direction, pass by it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TraceClaim {
    /// Its events must not all happen, one after the other from the first on; otherwise nothing else may.
    pub negated: bool,
    /// Channels and fields that edges name; no process's expressions.
    pub watched: Vec<Expr>,
    /// Its states.
    pub states: Vec<TraceState>,
}

/// A state of a [`TraceClaim`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TraceState {
    /// A run may end here.
    pub is_end: bool,
    /// There is nothing left to happen.
    pub is_last: bool,
    /// What may happen next.
    pub edges: Vec<TraceEdge>,
}

/// An event, as a [`TraceClaim`] describes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceEdge {
    /// A send; otherwise a receive.
    pub is_send: bool,
    /// The channel: an index into what is watched.
    pub chan: usize,
    /// What each field must be, as an index into what is watched; none if it does not matter.
    pub fields: Vec<Option<usize>>,
    /// Where it leads.
    pub target: u32,
}

impl ClaimAutomaton {
    /// Where it can go from a state in which `holds` tells what holds; targets in order, each once.
    pub fn successors(&self, state: u32, holds: impl Fn(u32) -> bool) -> Vec<u32> {
        let edges = &self.states[state as usize].edges;
        let fits = |edge: &ClaimEdge| edge.literals.iter().all(|l| holds(l.proposition) == l.holds);
        let mut enabled: Vec<bool> = Vec::with_capacity(edges.len());
        for edge in edges {
            // What stands in its way stands before it.
            let is_free = !edge.unless.iter().any(|&other| enabled[other as usize]);
            enabled.push(is_free && fits(edge));
        }
        let taken = edges.iter().zip(&enabled).filter(|(_, enabled)| **enabled);
        let mut targets: Vec<u32> = taken.map(|(edge, _)| edge.target).collect();
        targets.sort_unstable();
        targets.dedup();
        targets
    }
}
