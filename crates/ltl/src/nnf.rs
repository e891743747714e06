//! Formulas in negation normal form, each stored once, together with their negations.
//!
//! Invariant: with a formula its dual is stored, so negation is a look-up, and each rewrite rule is
//! written once: `or` and `release` are the duals of `and` and `until`. The rules are in
//! [`simplify`](crate::simplify).

use hashbrown::HashMap;

use crate::Formula;

/// A stored formula.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Id(pub(crate) u32);

impl Id {
    pub(crate) const TRUE: Id = Id(0);
    pub(crate) const FALSE: Id = Id(1);

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A formula by its operator and its operands.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Node {
    True,
    False,
    /// A proposition, negated or not.
    Literal(u32, bool),
    /// At least two operands, in ascending order; none of them an `And`.
    And(Box<[Id]>),
    /// At least two operands, in ascending order; none of them an `Or`.
    Or(Box<[Id]>),
    Next(Id),
    Until(Id, Id),
    Release(Id, Id),
}

/// What is known of a formula by its form.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Form {
    /// Purely eventual: it holds if it holds later (Etessami, Holzmann 2000).
    pub(crate) is_eventual: bool,
    /// Purely universal: if it holds, it holds from then on.
    pub(crate) is_universal: bool,
}

impl Form {
    /// Whether it holds everywhere or nowhere on a word.
    pub(crate) fn is_constant(self) -> bool {
        self.is_eventual && self.is_universal
    }
}

/// All formulas met so far.
pub(crate) struct Store {
    nodes: Vec<Node>,
    forms: Vec<Form>,
    ids: HashMap<Node, Id>,
    pub(crate) implications: HashMap<(Id, Id), bool>,
}

impl Store {
    pub(crate) fn new() -> Self {
        let mut store =
            Store { nodes: Vec::new(), forms: Vec::new(), ids: HashMap::new(), implications: HashMap::new() };
        store.intern(Node::True);
        store
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn node(&self, id: Id) -> &Node {
        &self.nodes[id.index()]
    }

    pub(crate) fn form(&self, id: Id) -> Form {
        self.forms[id.index()]
    }

    /// The negation: formulas come in pairs.
    pub(crate) fn negate(&self, id: Id) -> Id {
        Id(id.0 ^ 1)
    }

    /// Stores a node as it is, and its dual.
    pub(crate) fn intern(&mut self, node: Node) -> Id {
        if let Some(&id) = self.ids.get(&node) {
            return id;
        }
        let id = Id(self.nodes.len() as u32);
        let dual = self.dual(&node);
        for (id, node) in [(id, node), (self.negate(id), dual)] {
            let form = self.form_of(&node);
            self.forms.push(form);
            self.ids.insert(node.clone(), id);
            self.nodes.push(node);
        }
        id
    }

    fn dual(&self, node: &Node) -> Node {
        let all = |operands: &[Id]| {
            let mut duals: Box<[Id]> = operands.iter().map(|&operand| self.negate(operand)).collect();
            duals.sort_unstable();
            duals
        };
        match node {
            Node::True => Node::False,
            Node::False => Node::True,
            &Node::Literal(proposition, is_positive) => Node::Literal(proposition, !is_positive),
            Node::And(operands) => Node::Or(all(operands)),
            Node::Or(operands) => Node::And(all(operands)),
            &Node::Next(f) => Node::Next(self.negate(f)),
            &Node::Until(f, g) => Node::Release(self.negate(f), self.negate(g)),
            &Node::Release(f, g) => Node::Until(self.negate(f), self.negate(g)),
        }
    }

    fn form_of(&self, node: &Node) -> Form {
        match node {
            Node::True | Node::False => Form { is_eventual: true, is_universal: true },
            Node::Literal(..) => Form::default(),
            Node::And(operands) | Node::Or(operands) => Form {
                is_eventual: operands.iter().all(|&f| self.form(f).is_eventual),
                is_universal: operands.iter().all(|&f| self.form(f).is_universal),
            },
            &Node::Next(f) => self.form(f),
            &Node::Until(f, g) => Form {
                is_eventual: f == Id::TRUE || self.form(g).is_eventual,
                is_universal: self.form(f).is_universal && self.form(g).is_universal,
            },
            &Node::Release(f, g) => Form {
                is_eventual: self.form(f).is_eventual && self.form(g).is_eventual,
                is_universal: f == Id::FALSE || self.form(g).is_universal,
            },
        }
    }

    /// Whether there is a next operator in it. What has none cannot tell how often a letter is repeated.
    pub(crate) fn has_next(&self, root: Id) -> bool {
        let mut seen = vec![false; self.len()];
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            if std::mem::replace(&mut seen[id.index()], true) {
                continue;
            }
            match self.node(id) {
                Node::True | Node::False | Node::Literal(..) => {}
                Node::And(operands) | Node::Or(operands) => open.extend(operands.iter().copied()),
                Node::Next(_) => return true,
                &Node::Until(f, g) | &Node::Release(f, g) => open.extend([f, g]),
            }
        }
        false
    }

    /// The operands of a chain of conjunctions or disjunctions, all at once: rules are applied to the chain
    /// once, not once per link.
    fn add_chain(&mut self, formula: &Formula) -> Vec<Id> {
        let mut operands = Vec::new();
        let mut open = vec![formula];
        while let Some(next) = open.pop() {
            if std::mem::discriminant(next) == std::mem::discriminant(formula) {
                open.extend(next.operands());
            } else {
                operands.push(self.add(next));
            }
        }
        operands
    }

    /// The normal form of a formula.
    pub(crate) fn add(&mut self, formula: &Formula) -> Id {
        match formula {
            Formula::True => Id::TRUE,
            Formula::False => Id::FALSE,
            Formula::Atom(proposition) => self.intern(Node::Literal(proposition.0, true)),
            Formula::Not(f) => {
                let f = self.add(f);
                self.negate(f)
            }
            Formula::And(..) => {
                let operands = self.add_chain(formula);
                self.and(&operands)
            }
            Formula::Or(..) => {
                let operands = self.add_chain(formula);
                self.or(&operands)
            }
            Formula::Implies(f, g) => {
                let (f, g) = (self.add(f), self.add(g));
                self.or(&[self.negate(f), g])
            }
            Formula::Equivalent(f, g) => {
                let (f, g) = (self.add(f), self.add(g));
                let both = self.and(&[f, g]);
                let none = self.and(&[self.negate(f), self.negate(g)]);
                self.or(&[both, none])
            }
            Formula::Next(f) => {
                let f = self.add(f);
                self.next(f)
            }
            Formula::Always(f) => {
                let f = self.add(f);
                self.release(Id::FALSE, f)
            }
            Formula::Eventually(f) => {
                let f = self.add(f);
                self.until(Id::TRUE, f)
            }
            Formula::Until(f, g) => {
                let (f, g) = (self.add(f), self.add(g));
                self.until(f, g)
            }
            Formula::WeakUntil(f, g) => {
                let (f, g) = (self.add(f), self.add(g));
                let either = self.or(&[f, g]);
                self.release(g, either)
            }
            Formula::Release(f, g) => {
                let (f, g) = (self.add(f), self.add(g));
                self.release(f, g)
            }
        }
    }
}
