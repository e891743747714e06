//! Propositions and properties as written: sections 2.10 and 3 of the language reference.

use stubborn_base::Span;

use crate::ast::{Expr, Ident};

/// `proposition NAME : e;`
#[derive(Clone, PartialEq, Debug)]
pub struct Proposition {
    /// Its name.
    pub name: Ident,
    /// What holds.
    pub body: Expr,
    /// All of it.
    pub span: Span,
}

/// `state property NAME : reject …; accept …;`
#[derive(Clone, PartialEq, Debug)]
pub struct StateProperty {
    /// Its name.
    pub name: Ident,
    /// Its clauses.
    pub clauses: Vec<Clause>,
    /// All of it.
    pub span: Span,
}

/// `reject p;` or `accept p;`
#[derive(Clone, PartialEq, Debug)]
pub struct Clause {
    /// `accept`, otherwise `reject`.
    pub accepts: bool,
    /// A proposition, or `deadlock`.
    pub what: Ident,
    /// All of it.
    pub span: Span,
}

/// `ltl property NAME : formula;`
#[derive(Clone, PartialEq, Debug)]
pub struct LtlProperty {
    /// Its name.
    pub name: Ident,
    /// What every run satisfies.
    pub formula: Ltl,
    /// All of it.
    pub span: Span,
}

/// A temporal formula over propositions.
#[derive(Clone, PartialEq, Debug)]
#[expect(missing_docs, reason = "named as in the logic")]
pub enum Ltl {
    /// A proposition, or `true` or `false`.
    Atom(Ident),
    Not(Box<Ltl>),
    Always(Box<Ltl>),
    Eventually(Box<Ltl>),
    And(Box<[Ltl; 2]>),
    Or(Box<[Ltl; 2]>),
    Implies(Box<[Ltl; 2]>),
    Equivalent(Box<[Ltl; 2]>),
    Until(Box<[Ltl; 2]>),
}
