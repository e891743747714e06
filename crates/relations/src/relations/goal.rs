//! What has to happen in a net before a proposition holds: question-guided stubborn sets.
//!
//! Kristensen, Schmidt and Valmari, "Question-guided stubborn set methods for state properties", §3: an *up-set* of a
//! marking in which a proposition does not hold contains a firing of every sequence to a marking in which it does. Of a
//! conjunction, what could make one part true that is false; of a disjunction, what could make any of them true; of a
//! comparison of sums, the firings that change them in the right direction. A stubborn set that contains an up-set keeps,
//! for every marking where the proposition holds, a shortest way there; nothing has to be visible, and no proviso is
//! needed.
//!
//! Invariant: errs by more firings.

use hashbrown::HashMap;
use stubborn_ir::{BinaryOp, Comparison, Expr, UnaryOp};

use super::Relations;
use super::sums::{Sum, add, difference};
use crate::bits::Row;
use crate::direction::Over;
use crate::fault::Fault;

/// A proposition to be made true.
#[derive(Debug, Default)]
pub struct Goal {
    /// Each once.
    atoms: Vec<Atom>,
    /// All of these must hold.
    parts: Vec<Node>,
}

#[derive(Debug)]
struct Atom {
    expr: Expr,
    /// The same, if it is so simple.
    comparison: Option<Comparison>,
    /// It must hold, or must not.
    positive: bool,
    /// One of these must be executed before it does.
    row: Over<Row>,
}

#[derive(Debug)]
enum Node {
    All(Vec<Node>),
    Any(Vec<Node>),
    Atom(u32),
}

/// Sums stay well within the numbers there are, so that none wraps.
const SMALL: i64 = 1 << 30;

impl Relations<'_> {
    /// A proposition about the markings of a net; none if it is of another form, or the model is no net.
    pub fn goal(&self, proposition: &Expr) -> Option<Goal> {
        if !self.model.processes.iter().all(|process| process.is_stationary) {
            return None;
        }
        let mut goal = Goal::default();
        goal.parts =
            match self.node(proposition, true, &mut Known { goal: &mut goal, numbers: HashMap::new() })? {
                Node::All(parts) => parts,
                part => vec![part],
            };
        Some(goal)
    }

    fn node<'e>(&self, expr: &'e Expr, positive: bool, known: &mut Known<'_, 'e>) -> Option<Node> {
        match expr {
            Expr::Const(value) if (*value != 0) == positive => Some(Node::All(Vec::new())),
            Expr::Const(_) => Some(Node::Any(Vec::new())),
            Expr::Unary(UnaryOp::Not, inner) => self.node(inner, !positive, known),
            Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), operands) => {
                let is_all = (*op == BinaryOp::And) == positive;
                let mut parts = Vec::new();
                for operand in operands.iter() {
                    match (self.node(operand, positive, known)?, is_all) {
                        (Node::All(inner), true) | (Node::Any(inner), false) => parts.extend(inner),
                        (part, _) => parts.push(part),
                    }
                }
                Some(if is_all { Node::All(parts) } else { Node::Any(parts) })
            }
            _ => {
                if let Some(&number) = known.numbers.get(&(expr, positive)) {
                    return Some(Node::Atom(number));
                }
                let row = self.making(expr, positive)?;
                let number = known.goal.atoms.len() as u32;
                let comparison = Comparison::of(expr);
                known.goal.atoms.push(Atom { expr: expr.clone(), comparison, positive, row });
                known.numbers.insert((expr, positive), number);
                Some(Node::Atom(number))
            }
        }
    }

    /// The firings that may make a comparison hold, or not hold.
    fn making(&self, expr: &Expr, positive: bool) -> Option<Over<Row>> {
        let zero = Expr::Const(0);
        let (op, [left, right]) = match expr {
            Expr::Binary(
                op
                @ (BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge),
                operands,
            ) => (*op, [&operands[0], &operands[1]]),
            _ => (BinaryOp::Ne, [expr, &zero]),
        };
        let falls = match op {
            BinaryOp::Lt | BinaryOp::Le => Some(positive),
            BinaryOp::Gt | BinaryOp::Ge => Some(!positive),
            _ => None,
        };
        let falls = falls.filter(|_| is_small(left) && is_small(right));
        let mut sides = [Sum::new(), Sum::new()];
        add(left, 1, &mut sides[0])?;
        add(right, 1, &mut sides[1])?;
        let [left, right] = sides;
        Some(Over::row(self.row_of(|id, _, statement| {
            let by = difference(statement, &left, self.fault)
                .and_then(|by| by.checked_sub(difference(statement, &right, self.fault)?));
            let may = match (by, falls) {
                (None, _) => true,
                (Some(by), None) => by != 0,
                (Some(by), Some(true)) => by < 0 && self.fault != Some(Fault::UpSetsWithoutTaken),
                (Some(by), Some(false)) => by > 0,
            };
            may.then_some(id)
        })))
    }
}

/// Whether no part of a sum comes near the greatest number.
fn is_small(expr: &Expr) -> bool {
    fn most(expr: &Expr) -> i64 {
        match expr {
            Expr::Const(value) => i64::from(*value).abs(),
            Expr::Load(place) => {
                let (least, most) = place.slot.bounds();
                i64::from(least).abs().max(i64::from(most).abs())
            }
            Expr::Unary(UnaryOp::Neg, inner) => most(inner),
            Expr::Unary(UnaryOp::Not, _) => 1,
            Expr::Binary(BinaryOp::Add | BinaryOp::Sub, operands) => {
                most(&operands[0]).saturating_add(most(&operands[1]))
            }
            Expr::Binary(
                BinaryOp::And
                | BinaryOp::Or
                | BinaryOp::Eq
                | BinaryOp::Ne
                | BinaryOp::Lt
                | BinaryOp::Le
                | BinaryOp::Gt
                | BinaryOp::Ge,
                _,
            ) => 1,
            _ => i64::MAX,
        }
    }
    most(expr) <= SMALL
}

/// An up-set: all these rows together.
pub type UpSet<'g> = Vec<&'g Over<Row>>;

/// A goal that is being read.
struct Known<'g, 'e> {
    goal: &'g mut Goal,
    numbers: HashMap<(&'e Expr, bool), u32>,
}

/// What is known of the atoms in one marking: the cost of those that do not hold.
struct Marked<'g, H, C> {
    goal: &'g Goal,
    state: &'g [u8],
    holds: H,
    cost: C,
    atoms: Vec<Option<Option<u64>>>,
}

impl Goal {
    /// The up-sets of a marking, one for each part that does not hold; none if all do. `holds` evaluates, and `cost` says
    /// what a row is worth where there is a choice further in.
    pub fn up_sets<'g>(
        &'g self,
        state: &'g [u8],
        holds: impl Fn(&Expr) -> bool,
        cost: impl Fn(&Over<Row>) -> u64,
    ) -> Vec<UpSet<'g>> {
        let mut marked = Marked { goal: self, state, holds, cost, atoms: vec![None; self.atoms.len()] };
        let mut sets = Vec::new();
        for part in &self.parts {
            if let Some((_, mut atoms)) = marked.up_set(part) {
                atoms.sort_unstable();
                atoms.dedup();
                sets.push(atoms.iter().map(|&atom| &self.atoms[atom as usize].row).collect());
            }
        }
        sets
    }
}

impl<H: Fn(&Expr) -> bool, C: Fn(&Over<Row>) -> u64> Marked<'_, H, C> {
    /// The cost of making an atom hold; none if it does.
    fn atom(&mut self, number: u32) -> Option<u64> {
        if let Some(known) = self.atoms[number as usize] {
            return known;
        }
        let Atom { expr, comparison, positive, row } = &self.goal.atoms[number as usize];
        let holds = match comparison {
            Some(comparison) => comparison.holds(self.state),
            None => (self.holds)(expr),
        };
        let cost = (holds != *positive).then(|| (self.cost)(row));
        self.atoms[number as usize] = Some(cost);
        cost
    }

    /// The atoms that a node lacks, and their cost; none if it holds.
    fn up_set(&mut self, node: &Node) -> Option<(u64, Vec<u32>)> {
        match node {
            Node::Atom(number) => Some((self.atom(*number)?, vec![*number])),
            Node::All(parts) => {
                let mut best: Option<(u64, Vec<u32>)> = None;
                for lacking in parts.iter().filter_map(|part| self.up_set(part)) {
                    if best.as_ref().is_none_or(|(cost, _)| lacking.0 < *cost) {
                        best = Some(lacking);
                    }
                }
                best
            }
            Node::Any(parts) => {
                let mut all = (0u64, Vec::new());
                for part in parts {
                    let (cost, atoms) = self.up_set(part)?;
                    all.0 = all.0.saturating_add(cost);
                    all.1.extend(atoms);
                }
                Some(all)
            }
        }
    }
}
