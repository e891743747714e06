//! The tableau: from a formula to a generalised Büchi automaton with acceptance on transitions
//! (Couvreur 1999; Duret-Lutz 2014, "LTL translation improvements in Spot 1.0").
//!
//! The successors of a formula are a Boolean function of three sorts of variables: propositions, that hold
//! now; next variables, one per formula that must hold in the next position; and promises, one per formula
//! that was put off. It is a decision diagram whose propositions come first, and monotone in the rest.
//! A state is a function of next variables alone. States with equal successors are one state.
//!
//! A promise that is made for ever is broken: acceptance set `i` holds the transitions without promise `i`.

use std::collections::BTreeMap;

use hashbrown::HashMap;

use crate::bdd::{Bdd, Bdds};
use crate::budget::Budget;
use crate::nnf::{Id, Node, Store};
use crate::{Error, MAX_PROPOSITIONS};

/// How the alternatives for one letter become transitions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Branching {
    /// One transition per alternative.
    Now,
    /// One transition per set of promises: which alternative it is, is decided later.
    Postponed,
}

/// An automaton whose guards are diagrams.
#[derive(Debug)]
pub(crate) struct Tableau {
    /// The number of acceptance sets.
    pub(crate) n_sets: usize,
    /// The edges of each state; the first state is initial.
    pub(crate) states: Vec<Vec<TableauEdge>>,
}

#[derive(Debug)]
pub(crate) struct TableauEdge {
    pub(crate) guard: Bdd,
    /// The acceptance sets it belongs to.
    pub(crate) marks: u64,
    pub(crate) target: usize,
}

/// Larger automata are refused.
const MAX_EDGES: usize = 30_000;

/// The automaton of a stored formula; an error if it has more states than allowed.
pub(crate) fn tableau(
    store: &Store,
    root: Id,
    branching: Branching,
    max_states: usize,
    bdds: &mut Bdds,
    budget: &Budget,
) -> Result<Tableau, Error> {
    let mut builder = Builder {
        store,
        bdds,
        branching,
        successors: HashMap::new(),
        expanded: HashMap::new(),
        states: HashMap::new(),
        functions: Vec::new(),
        promises: Vec::new(),
    };
    let root = builder.next(root);
    builder.state(root);
    let mut edges: Vec<Vec<(Bdd, u64, usize)>> = Vec::new();
    let mut n_edges = 0;
    while edges.len() < builder.functions.len() {
        let row = builder.edges(builder.functions[edges.len()], budget)?;
        n_edges += row.len();
        edges.push(row);
        budget.spend(1 + builder.bdds.take_steps())?;
        if builder.bdds.is_full() || builder.functions.len() > max_states || n_edges > MAX_EDGES {
            return Err(Error::TooLarge);
        }
    }
    let n_sets = builder.promises.len();
    let full = if n_sets == 64 { u64::MAX } else { (1 << n_sets) - 1 };
    let edge =
        |(guard, promises, target): (Bdd, u64, usize)| TableauEdge { guard, marks: full & !promises, target };
    let states = edges.into_iter().map(|row| row.into_iter().map(edge).collect()).collect();
    Ok(Tableau { n_sets, states })
}

struct Builder<'a> {
    store: &'a Store,
    bdds: &'a mut Bdds,
    branching: Branching,
    /// The successors of each formula met.
    successors: HashMap<Id, Bdd>,
    /// The successors of each function of next variables met.
    expanded: HashMap<Bdd, Bdd>,
    /// The state with these successors.
    states: HashMap<Bdd, usize>,
    /// The successors of each state.
    functions: Vec<Bdd>,
    /// The variable of each promise met.
    promises: Vec<u32>,
}

impl Builder<'_> {
    fn promise_variable(&self, promised: Id) -> u32 {
        MAX_PROPOSITIONS as u32 + promised.0
    }

    fn first_next_variable(&self) -> u32 {
        (MAX_PROPOSITIONS + self.store.len()) as u32
    }

    /// The function that asks for a formula in the next position.
    fn next(&mut self, id: Id) -> Bdd {
        match self.store.node(id) {
            Node::True => Bdd::TRUE,
            Node::False => Bdd::FALSE,
            Node::And(operands) => operands.clone().iter().fold(Bdd::TRUE, |all, &operand| {
                let operand = self.next(operand);
                self.bdds.and(all, operand)
            }),
            Node::Or(operands) if self.branching == Branching::Postponed => {
                operands.clone().iter().fold(Bdd::FALSE, |any, &operand| {
                    let operand = self.next(operand);
                    self.bdds.or(any, operand)
                })
            }
            _ => {
                let variable = self.first_next_variable() + id.0;
                self.bdds.variable(variable)
            }
        }
    }

    /// The successors of a formula.
    fn successors(&mut self, id: Id) -> Bdd {
        if let Some(&known) = self.successors.get(&id) {
            return known;
        }
        let result = match self.store.node(id).clone() {
            Node::True => Bdd::TRUE,
            Node::False => Bdd::FALSE,
            Node::Literal(proposition, is_positive) => {
                let variable = self.bdds.variable(proposition);
                if is_positive { variable } else { self.bdds.not(variable) }
            }
            Node::And(operands) => operands.iter().fold(Bdd::TRUE, |all, &operand| {
                let operand = self.successors(operand);
                self.bdds.and(all, operand)
            }),
            Node::Or(operands) => operands.iter().fold(Bdd::FALSE, |any, &operand| {
                let operand = self.successors(operand);
                self.bdds.or(any, operand)
            }),
            Node::Next(f) => self.next(f),
            Node::Until(f, g) => {
                // g || (f && X (f U g) && promise g)
                let (stay, end, again) = (self.successors(f), self.successors(g), self.next(id));
                let promise = self.bdds.variable(self.promise_variable(g));
                let put_off = self.bdds.and(again, promise);
                let stay = self.bdds.and(stay, put_off);
                self.bdds.or(end, stay)
            }
            Node::Release(f, g) => {
                // g && (f || X (f V g))
                let (end, stay, again) = (self.successors(f), self.successors(g), self.next(id));
                let end = self.bdds.or(end, again);
                self.bdds.and(stay, end)
            }
        };
        self.successors.insert(id, result);
        result
    }

    /// The state for a function of next variables.
    fn state(&mut self, function: Bdd) -> usize {
        let successors = self.expand(function);
        let next = self.functions.len();
        let state = *self.states.entry(successors).or_insert(next);
        if state == next {
            self.functions.push(successors);
        }
        state
    }

    /// Puts its successors in the place of each next variable. The function is monotone.
    fn expand(&mut self, function: Bdd) -> Bdd {
        if function == Bdd::TRUE || function == Bdd::FALSE {
            return function;
        }
        if let Some(&known) = self.expanded.get(&function) {
            return known;
        }
        let (without, with) = self.bdds.branches(function);
        let id = Id(self.bdds.top(function) - self.first_next_variable());
        let (without, with, here) = (self.expand(without), self.expand(with), self.successors(id));
        let with = self.bdds.and(here, with);
        let result = self.bdds.or(without, with);
        self.expanded.insert(function, result);
        result
    }

    /// The edges of a state: guard, promises, target.
    fn edges(&mut self, successors: Bdd, budget: &Budget) -> Result<Vec<(Bdd, u64, usize)>, Error> {
        let mut rows: Vec<(Bdd, u64, usize)> = Vec::new();
        for (alternatives, guard) in self.by_letter(successors) {
            let mut cubes = minimal_cubes(self.bdds, alternatives, budget)?;
            cubes.sort();
            let mut targets: BTreeMap<(u64, usize), Bdd> = BTreeMap::new();
            for (i, cube) in cubes.into_iter().enumerate() {
                let mut promises = 0;
                let mut target = Bdd::TRUE;
                for variable in cube {
                    if variable < self.first_next_variable() {
                        promises |= self.promise(variable)?;
                    } else {
                        let variable = self.bdds.variable(variable);
                        target = self.bdds.and(target, variable);
                    }
                }
                let group = if self.branching == Branching::Postponed { 0 } else { i };
                let known = targets.entry((promises, group)).or_insert(Bdd::FALSE);
                *known = self.bdds.or(*known, target);
            }
            for ((promises, _), target) in targets {
                let target = self.state(target);
                match rows.iter_mut().find(|row| (row.1, row.2) == (promises, target)) {
                    Some(row) => row.0 = self.bdds.or(row.0, guard),
                    None => rows.push((guard, promises, target)),
                }
            }
            budget.spend(1)?;
        }
        Ok(rows)
    }

    /// The bit of a promise.
    fn promise(&mut self, variable: u32) -> Result<u64, Error> {
        let known = self.promises.iter().position(|&known| known == variable);
        let index = known.unwrap_or_else(|| {
            self.promises.push(variable);
            self.promises.len() - 1
        });
        if index < 64 { Ok(1 << index) } else { Err(Error::TooLarge) }
    }

    /// What is left of the successors for each class of letters that agree on it, and the class.
    fn by_letter(&mut self, successors: Bdd) -> Vec<(Bdd, Bdd)> {
        let mut open = BTreeMap::from([((self.bdds.top(successors), successors), Bdd::TRUE)]);
        let mut result = Vec::new();
        while let Some(((variable, function), guard)) = open.pop_first() {
            if function == Bdd::FALSE {
                continue;
            }
            if variable >= MAX_PROPOSITIONS as u32 {
                result.push((function, guard));
                continue;
            }
            let (low, high) = self.bdds.branches(function);
            let literal = self.bdds.variable(variable);
            let (low_guard, high_guard) = (self.bdds.without(guard, literal), self.bdds.and(guard, literal));
            for (branch, guard) in [(low, low_guard), (high, high_guard)] {
                let known = open.entry((self.bdds.top(branch), branch)).or_insert(Bdd::FALSE);
                *known = self.bdds.or(*known, guard);
            }
        }
        result
    }
}

/// The minimal sets of variables that make a monotone function true.
fn minimal_cubes(bdds: &Bdds, function: Bdd, budget: &Budget) -> Result<Vec<Vec<u32>>, Error> {
    if function == Bdd::FALSE {
        return Ok(Vec::new());
    }
    if function == Bdd::TRUE {
        return Ok(vec![Vec::new()]);
    }
    let (low, high) = bdds.branches(function);
    let variable = bdds.top(function);
    let mut cubes = minimal_cubes(bdds, low, budget)?;
    let mut with = minimal_cubes(bdds, high, budget)?;
    budget.spend(1 + (cubes.len() * with.len()) as u64)?;
    with.retain(|cube| !cubes.iter().any(|known| known.iter().all(|variable| cube.contains(variable))));
    with.iter_mut().for_each(|cube| cube.push(variable));
    cubes.append(&mut with);
    Ok(cubes)
}
