//! Propositions and properties.
//!
//! A state property rejects the states in which its `reject` clause holds and none of its `accept` clauses does
//! (language reference, section 3.1; `deadlock` holds where no transition can fire). A temporal property is about all
//! maximal runs; one that ends counts as one that stays in its last state for ever, as Helena's search has it.

use smol_str::SmolStr;
use stubborn_base::{Diagnostic, Span};
use stubborn_ltl::Formula;

use crate::ast::{self, Clause, Expr, Ident, Item, Ltl, Program};
use crate::check::{Checker, PropositionDef, Space};
use crate::code::Node;

/// A property of states.
#[derive(Clone, Debug)]
pub(crate) struct StateDef {
    /// Its name.
    pub(crate) name: Ident,
    /// Its place among all properties.
    pub(crate) index: usize,
    /// What is rejected.
    pub(crate) reject: Vec<Condition>,
    /// What is accepted all the same.
    pub(crate) accept: Vec<Condition>,
}

/// What a clause of a state property looks at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Condition {
    /// No transition can fire.
    Deadlock,
    /// A proposition holds.
    Proposition(usize),
}

/// A property of runs.
#[derive(Clone, Debug)]
pub(crate) struct LtlDef {
    /// Its name.
    pub(crate) name: Ident,
    /// Its place among all properties.
    pub(crate) index: usize,
    /// Over the propositions below.
    pub(crate) formula: Formula,
    /// Propositions of the net, by the numbers that the formula has for them.
    pub(crate) propositions: Vec<usize>,
}

impl Checker<'_> {
    pub(super) fn proposition(&mut self, def: &ast::Proposition) {
        self.scope.clear();
        self.n_locals = 0;
        self.is_complex = true;
        let body = self.condition(&def.body);
        self.is_complex = false;
        self.define(Space::Proposition, &def.name, self.propositions.len());
        let n_locals = self.n_locals as usize;
        self.propositions.push(PropositionDef { name: def.name.clone(), body, n_locals });
    }

    /// An expression of any discrete type, as it would stand in a proposition.
    pub(super) fn extra(&mut self, expr: &Expr) -> Option<(Node, usize)> {
        self.scope.clear();
        self.n_locals = 0;
        self.is_complex = true;
        let draft = self.draft(expr);
        let node = draft.and_then(|draft| {
            let ty = self.choose(&draft)?;
            if !self.types().is_discrete(ty) {
                self.error("wrong-type", expr.span, "only numbers, truth values and names can be looked at");
                return None;
            }
            Some(self.fix(draft, ty)?.0)
        });
        self.is_complex = false;
        Some((node?, self.n_locals as usize))
    }

    /// Reads all properties, wherever they stand.
    pub(super) fn properties(&mut self, program: &Program) {
        let mut names: Vec<(SmolStr, Span)> = Vec::new();
        for item in &program.items {
            let name = match item {
                Item::StateProperty(def) => &def.name,
                Item::LtlProperty(def) => &def.name,
                _ => continue,
            };
            if let Some((_, old)) = names.iter().find(|(old, _)| *old == name.name) {
                let message = format!("the property `{}` is defined twice", name.name);
                let diagnostic = Diagnostic::error("duplicate", name.span, message);
                self.report(diagnostic.label(*old, "first defined here"));
            }
            let index = names.len();
            names.push((name.name.clone(), name.span));
            match item {
                Item::StateProperty(def) => self.state_property(def, index),
                Item::LtlProperty(def) => self.ltl_property(def, index),
                _ => {}
            }
        }
    }

    fn state_property(&mut self, def: &ast::StateProperty, index: usize) {
        let (mut reject, mut accept) = (Vec::new(), Vec::new());
        for (i, clause) in def.clauses.iter().enumerate() {
            if clause.accepts == (i == 0) {
                let diagnostic = Diagnostic::error(
                    "misplaced",
                    clause.span,
                    "a state property is one `reject` clause and then `accept` clauses",
                );
                self.report(diagnostic.help("write a property for each `reject` clause"));
            }
            let condition = self.clause(clause);
            if clause.accepts { accept.extend(condition) } else { reject.extend(condition) }
        }
        self.states.push(StateDef { name: def.name.clone(), index, reject, accept });
    }

    fn clause(&mut self, clause: &Clause) -> Option<Condition> {
        if clause.what.name == "deadlock" && self.find(Space::Proposition, "deadlock").is_none() {
            return Some(Condition::Deadlock);
        }
        self.proposition_named(&clause.what).map(Condition::Proposition)
    }

    fn ltl_property(&mut self, def: &ast::LtlProperty, index: usize) {
        let mut propositions = Vec::new();
        if let Some(formula) = self.formula(&def.formula, &mut propositions) {
            self.formulas.push(LtlDef { name: def.name.clone(), index, formula, propositions });
        }
    }

    fn formula(&mut self, ltl: &Ltl, propositions: &mut Vec<usize>) -> Option<Formula> {
        let mut both = |checker: &mut Self, [f, g]: &[Ltl; 2]| {
            let (f, g) = (checker.formula(f, propositions), checker.formula(g, propositions));
            Some((f?, g?))
        };
        Some(match ltl {
            Ltl::Atom(name) if name.name == "true" => Formula::True,
            Ltl::Atom(name) if name.name == "false" => Formula::False,
            Ltl::Atom(name) => {
                let proposition = self.proposition_named(name)?;
                let known = propositions.iter().position(|p| *p == proposition);
                let number = known.unwrap_or_else(|| {
                    propositions.push(proposition);
                    propositions.len() - 1
                });
                Formula::atom(number)
            }
            Ltl::Not(f) => self.formula(f, propositions)?.negated(),
            Ltl::Always(f) => self.formula(f, propositions)?.always(),
            Ltl::Eventually(f) => self.formula(f, propositions)?.eventually(),
            Ltl::And(fs) => both(self, fs).map(|(f, g)| f.and(g))?,
            Ltl::Or(fs) => both(self, fs).map(|(f, g)| f.or(g))?,
            Ltl::Implies(fs) => both(self, fs).map(|(f, g)| f.implies(g))?,
            Ltl::Equivalent(fs) => both(self, fs).map(|(f, g)| f.equivalent(g))?,
            Ltl::Until(fs) => both(self, fs).map(|(f, g)| f.until(g))?,
        })
    }
}
