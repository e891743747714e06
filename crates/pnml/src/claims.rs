//! Properties in terms of a model: what is asked of the engine.
//!
//! A formula's maximal parts about markings are its propositions, each once; a negation stays outside of them, so that
//! a condition and its contrary share one. Reference: the contest's rules, by which a run that ends counts as one that
//! stays in its last marking for ever. Invariant: every property is in one of the lists, with its position in the
//! files; sums and alternatives over many nodes are balanced, so that no expression is deep.

use smol_str::SmolStr;
use stubborn_base::Span;
use stubborn_ir::{BinaryOp, Claim, ClaimBody, ClaimKind, Expr, TemporalClaim, balanced};
use stubborn_ltl::Formula as Ltl;
use stubborn_nets::{PlaceId, TransId};

use crate::formula::{Formula, Number, Property, StateFormula, Statement};

/// What is asked of a net.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Properties {
    /// That something can be reached.
    pub reachable: Vec<Reachability>,
    /// That something holds everywhere.
    pub invariants: Vec<Invariant>,
    /// What holds of all runs, with the position of each property among all.
    pub claims: Vec<(usize, Claim)>,
}

/// Some reachable state satisfies `goal`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reachability {
    /// Its position among all properties.
    pub index: usize,
    /// Its name.
    pub name: SmolStr,
    /// Where it stands.
    pub span: Span,
    /// What is looked for.
    pub goal: Expr,
}

/// All reachable states satisfy `condition`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    /// Its position among all properties.
    pub index: usize,
    /// Its name.
    pub name: SmolStr,
    /// Where it stands.
    pub span: Span,
    /// What holds.
    pub condition: Expr,
}

impl Reachability {
    /// The same as a claim: some run violates `[] ! goal`.
    pub fn into_claim(self) -> Claim {
        let never = Ltl::atom(0).negated().always();
        Claim { kind: ClaimKind::Reachability, ..claim(self.name, self.span, never, vec![self.goal]) }
    }
}

impl Invariant {
    /// The same as a claim: every run satisfies `[] condition`.
    pub fn into_claim(self) -> Claim {
        claim(self.name, self.span, Ltl::atom(0).always(), vec![self.condition])
    }
}

impl Properties {
    /// All as claims, in the order of the files.
    pub fn into_claims(self) -> Vec<Claim> {
        let reachable = self.reachable.into_iter().map(|reachable| (reachable.index, reachable.into_claim()));
        let invariants =
            self.invariants.into_iter().map(|invariant| (invariant.index, invariant.into_claim()));
        let mut all: Vec<(usize, Claim)> = reachable.chain(invariants).chain(self.claims).collect();
        all.sort_by_key(|(index, _)| *index);
        all.into_iter().map(|(_, claim)| claim).collect()
    }
}

/// How a model tells what formulas ask.
pub struct Atoms<'a> {
    /// How many tokens there are in a place, of all colours.
    pub count: &'a mut dyn FnMut(PlaceId) -> Expr,
    /// Whether a transition can fire, in some way.
    pub fireable: &'a mut dyn FnMut(TransId) -> Expr,
    /// How many transitions there are.
    pub n_transitions: usize,
}

/// States properties in terms of a model.
pub fn claims(properties: &[Property], atoms: &mut Atoms<'_>) -> Properties {
    let mut stated = Properties::default();
    for (index, Property { name, span, statement }) in properties.iter().enumerate() {
        let (name, span) = (name.clone(), *span);
        match statement {
            Statement::Reachable(goal) => {
                let goal = atoms.state(goal);
                stated.reachable.push(Reachability { index, name, span, goal });
            }
            Statement::Invariant(condition) => {
                let condition = atoms.state(condition);
                stated.invariants.push(Invariant { index, name, span, condition });
            }
            Statement::Ltl(formula) => {
                let mut known = Vec::new();
                let formula = temporal(formula, &mut known);
                let propositions = known.into_iter().map(|state| atoms.state(state)).collect();
                stated.claims.push((index, claim(name, span, formula, propositions)));
            }
        }
    }
    stated
}

fn claim(name: SmolStr, span: Span, formula: Ltl, propositions: Vec<Expr>) -> Claim {
    let body = TemporalClaim { formula, propositions, extends_finite_runs: true };
    Claim { name, kind: ClaimKind::Ltl, body: ClaimBody::Formula(body), span }
}

/// A formula over `propositions`, to which those that are new are added.
fn temporal<'f>(formula: &'f Formula, propositions: &mut Vec<&'f StateFormula>) -> Ltl {
    match formula {
        Formula::State(state) => proposition(state, propositions),
        Formula::Not(inner) => temporal(inner, propositions).negated(),
        Formula::And(parts) => {
            halved(parts, &mut |part| temporal(part, propositions), Ltl::and).unwrap_or(Ltl::True)
        }
        Formula::Or(parts) => {
            halved(parts, &mut |part| temporal(part, propositions), Ltl::or).unwrap_or(Ltl::False)
        }
        Formula::ExclusiveOr(pair) => {
            temporal(&pair[0], propositions).equivalent(temporal(&pair[1], propositions)).negated()
        }
        Formula::Implies(pair) => temporal(&pair[0], propositions).implies(temporal(&pair[1], propositions)),
        Formula::Equivalent(pair) => {
            temporal(&pair[0], propositions).equivalent(temporal(&pair[1], propositions))
        }
        Formula::Next(inner) => temporal(inner, propositions).next(),
        Formula::Globally(inner) => temporal(inner, propositions).always(),
        Formula::Finally(inner) => temporal(inner, propositions).eventually(),
        Formula::Until(pair) => temporal(&pair[0], propositions).until(temporal(&pair[1], propositions)),
    }
}

/// All parts joined, in order, in a tree that is no deeper than it must be.
fn halved<'f>(
    parts: &'f [Formula],
    make: &mut dyn FnMut(&'f Formula) -> Ltl,
    join: fn(Ltl, Ltl) -> Ltl,
) -> Option<Ltl> {
    if let [only] = parts {
        return Some(make(only));
    }
    let (left, right) =
        parts.split_at_checked(parts.len().div_ceil(2)).filter(|(left, _)| !left.is_empty())?;
    let left = halved(left, make, join)?;
    Some(join(left, halved(right, make, join)?))
}

fn proposition<'f>(state: &'f StateFormula, propositions: &mut Vec<&'f StateFormula>) -> Ltl {
    match state {
        StateFormula::Not(inner) => return proposition(inner, propositions).negated(),
        StateFormula::Constant(true) => return Ltl::True,
        StateFormula::Constant(false) => return Ltl::False,
        _ => {}
    }
    let known = propositions.iter().position(|known| *known == state);
    Ltl::atom(known.unwrap_or_else(|| {
        propositions.push(state);
        propositions.len() - 1
    }))
}

impl Atoms<'_> {
    fn state(&mut self, formula: &StateFormula) -> Expr {
        match formula {
            StateFormula::Constant(holds) => Expr::Const(i32::from(*holds)),
            StateFormula::AtMost(left, right) => {
                Expr::binary(BinaryOp::Le, self.number(left), self.number(right))
            }
            StateFormula::Fireable(transitions) => self.any_fireable(transitions.iter().copied()),
            StateFormula::Deadlock => {
                let all = (0..self.n_transitions as u32).map(TransId);
                self.any_fireable(all).not()
            }
            StateFormula::Not(inner) => self.state(inner).not(),
            StateFormula::And(parts) => {
                let parts = parts.iter().map(|part| self.state(part)).collect();
                balanced(BinaryOp::And, parts).unwrap_or(Expr::Const(1))
            }
            StateFormula::Or(parts) => {
                let parts = parts.iter().map(|part| self.state(part)).collect();
                balanced(BinaryOp::Or, parts).unwrap_or(Expr::Const(0))
            }
            StateFormula::Implies(pair) => {
                let [left, right] = self.pair(pair);
                Expr::binary(BinaryOp::Or, left.not(), right)
            }
            // Negated, both are 0 or 1.
            StateFormula::ExclusiveOr(pair) => {
                let [left, right] = self.pair(pair);
                Expr::binary(BinaryOp::Ne, left.not(), right.not())
            }
            StateFormula::Equivalent(pair) => {
                let [left, right] = self.pair(pair);
                Expr::binary(BinaryOp::Eq, left.not(), right.not())
            }
        }
    }

    fn pair(&mut self, pair: &[StateFormula; 2]) -> [Expr; 2] {
        [self.state(&pair[0]), self.state(&pair[1])]
    }

    fn any_fireable(&mut self, transitions: impl Iterator<Item = TransId>) -> Expr {
        let parts = transitions.map(|transition| (self.fireable)(transition)).collect();
        balanced(BinaryOp::Or, parts).unwrap_or(Expr::Const(0))
    }

    fn number(&mut self, number: &Number) -> Expr {
        let zero = Expr::Const(0);
        match number {
            Number::Constant(number) => Expr::Const(*number),
            Number::Tokens(places) => {
                let parts = places.iter().map(|place| (self.count)(*place)).collect();
                balanced(BinaryOp::Add, parts).unwrap_or(zero)
            }
            Number::Sum(parts) => {
                let parts = parts.iter().map(|part| self.number(part)).collect();
                balanced(BinaryOp::Add, parts).unwrap_or(zero)
            }
            Number::Difference(parts) => {
                let mut parts = parts.iter().map(|part| self.number(part));
                let first = parts.next().unwrap_or(zero);
                parts.fold(first, |left, right| Expr::binary(BinaryOp::Sub, left, right))
            }
        }
    }
}
