//! Property files of the Model Checking Contest: XML to [`Property`]s.
//!
//! Reference: the contest's property grammar. Names in formulas are ids of nodes, or else names that only one node
//! has. Invariant: a property with a mistake is told about and left out.

use hashbrown::HashMap;
use stubborn_nets::{PlaceId, TransId};

use crate::formula::{Formula, Number, Property, StateFormula, Statement};
use crate::report::Report;
use crate::skeleton::{Skeleton, Target};
use crate::xml::{Document, Located, Node};

/// What names in formulas stand for.
#[derive(Debug)]
pub(crate) struct Names<'a> {
    skeleton: &'a Skeleton<'a>,
    places: HashMap<&'a str, Option<PlaceId>>,
    transitions: HashMap<&'a str, Option<TransId>>,
}

impl<'a> Names<'a> {
    /// The names of a net.
    pub(crate) fn new(skeleton: &'a Skeleton<'a>) -> Self {
        let places = unique(&skeleton.places, PlaceId);
        let transitions = unique(&skeleton.transitions, TransId);
        Names { skeleton, places, transitions }
    }

    /// A place.
    pub(crate) fn place(&self, name: &str) -> Option<PlaceId> {
        match self.skeleton.target(name) {
            Some(Target::Place(place)) => Some(place),
            _ => self.places.get(name).copied().flatten(),
        }
    }

    /// A transition.
    pub(crate) fn transition(&self, name: &str) -> Option<TransId> {
        match self.skeleton.target(name) {
            Some(Target::Transition(transition)) => Some(transition),
            _ => self.transitions.get(name).copied().flatten(),
        }
    }
}

/// Given names; those of several nodes stand for none.
fn unique<'a, I>(nodes: &[Node<'a>], id: fn(u32) -> I) -> HashMap<&'a str, Option<I>> {
    let mut names: HashMap<&'a str, Option<I>> = HashMap::new();
    for (at, node) in nodes.iter().enumerate() {
        if let Some(name) = node.given_name() {
            names.entry(name.text).and_modify(|known| *known = None).or_insert(Some(id(at as u32)));
        }
    }
    names
}

/// The properties of a file that is called `stem` without its extension.
pub(crate) fn read(document: &Document, stem: &str, names: &Names<'_>, report: &mut Report) -> Vec<Property> {
    let Some(root) = document.root() else { return Vec::new() };
    if root.name() != "property-set" {
        let message = format!("`<property-set>` is expected, not `<{}>`", root.name());
        report.error::<()>("syntax", root.tag(), message);
        return Vec::new();
    }
    let net = names.skeleton.net.attribute("id").map_or("", |id| id.text);
    let mut formulas = Formulas { names, report };
    let mut properties = Vec::new();
    for node in root.children() {
        if node.name() != "property" {
            formulas.report.unsupported::<()>(node, "in a list of properties");
            continue;
        }
        let id = id_of(node);
        let Some(formula) = node.child("formula").and_then(|formula| formula.children().next()) else {
            formulas.report.error::<()>("syntax", id.span, "a property has a formula");
            continue;
        };
        if let Some(statement) = formulas.statement(formula) {
            let name = short_name(id.text, stem, net).into();
            properties.push(Property { name, span: node.tag().join(id.span), statement });
        }
    }
    properties
}

/// The id of a property.
pub(crate) fn id_of(node: Node<'_>) -> Located<'_> {
    node.child("id").map_or(Located { text: "", span: node.tag() }, Node::text)
}

/// An id without the name of the instance: `LTLCardinality-00` of `Net-COL-05-LTLCardinality-00`.
pub(crate) fn short_name<'a>(id: &'a str, stem: &str, net: &str) -> &'a str {
    if let Some(at) = id.rfind(stem).filter(|at| *at > 0 && !stem.is_empty()) {
        return &id[at..];
    }
    id.strip_prefix(net).and_then(|rest| rest.strip_prefix('-')).unwrap_or(id)
}

struct Formulas<'n, 'r> {
    names: &'n Names<'n>,
    report: &'r mut Report,
}

impl Formulas<'_, '_> {
    fn statement(&mut self, node: Node<'_>) -> Option<Statement> {
        let is_universal = match node.name() {
            "all-paths" => true,
            "exists-path" => false,
            _ => return self.report.unsupported(node, "where `<all-paths>` or `<exists-path>` is expected"),
        };
        let body = self.operand(node)?;
        match (is_universal, body) {
            (true, Formula::Globally(inner)) if inner.as_state().is_some() => {
                Some(Statement::Invariant(inner.as_state()?.clone()))
            }
            (true, formula) => Some(Statement::Ltl(formula)),
            (false, Formula::Finally(inner)) if inner.as_state().is_some() => {
                Some(Statement::Reachable(inner.as_state()?.clone()))
            }
            (false, _) => {
                let message =
                    "that a path exists is supported only with `<finally>` and a condition on markings";
                self.report.error("unsupported", node.tag(), message)
            }
        }
    }

    fn formula(&mut self, node: Node<'_>) -> Option<Formula> {
        Some(match node.name() {
            "globally" => Formula::Globally(Box::new(self.operand(node)?)),
            "finally" => Formula::Finally(Box::new(self.operand(node)?)),
            "next" => Formula::Next(Box::new(self.operand(node)?)),
            "negation" => self.operand(node)?.negated(),
            "until" => {
                let part = |name: &str, report: &mut Report| match node.child(name) {
                    Some(part) => one(part, report),
                    None => report.error("syntax", node.tag(), format!("`<until>` has no `<{name}>`")),
                };
                let (before, reach) = (part("before", self.report), part("reach", self.report));
                let (before, reach) = (self.formula(before?), self.formula(reach?));
                Formula::Until(Box::new([before?, reach?]))
            }
            "conjunction" => Formula::several(self.operands(node)?, true),
            "disjunction" => Formula::several(self.operands(node)?, false),
            "exclusive-disjunction" => {
                Formula::pair(self.two(node)?, StateFormula::ExclusiveOr, Formula::ExclusiveOr)
            }
            "implication" => Formula::pair(self.two(node)?, StateFormula::Implies, Formula::Implies),
            "equivalence" => Formula::pair(self.two(node)?, StateFormula::Equivalent, Formula::Equivalent),
            "true" => Formula::State(StateFormula::Constant(true)),
            "false" => Formula::State(StateFormula::Constant(false)),
            "deadlock" => Formula::State(StateFormula::Deadlock),
            "integer-le" => {
                let numbers = self.numbers(node)?;
                match <[Number; 2]>::try_from(numbers) {
                    Ok([left, right]) => Formula::State(StateFormula::AtMost(left, right)),
                    Err(_) => return self.arity(node, 2),
                }
            }
            "is-fireable" => Formula::State(StateFormula::Fireable(self.transitions(node)?)),
            _ => return self.report.unsupported(node, "in a formula"),
        })
    }

    fn operand(&mut self, node: Node<'_>) -> Option<Formula> {
        let operand = one(node, self.report)?;
        self.formula(operand)
    }

    fn operands(&mut self, node: Node<'_>) -> Option<Vec<Formula>> {
        let operands: Vec<Option<Formula>> = node.children().map(|operand| self.formula(operand)).collect();
        operands.into_iter().collect()
    }

    fn two(&mut self, node: Node<'_>) -> Option<[Formula; 2]> {
        match <[Formula; 2]>::try_from(self.operands(node)?) {
            Ok(operands) => Some(operands),
            Err(_) => self.arity(node, 2),
        }
    }

    fn arity<T>(&mut self, node: Node<'_>, n: usize) -> Option<T> {
        self.report.error("syntax", node.tag(), format!("`<{}>` has {n} operands", node.name()))
    }

    fn numbers(&mut self, node: Node<'_>) -> Option<Vec<Number>> {
        let numbers: Vec<Option<Number>> = node.children().map(|number| self.number(number)).collect();
        numbers.into_iter().collect()
    }

    fn number(&mut self, node: Node<'_>) -> Option<Number> {
        Some(match node.name() {
            "integer-constant" => {
                let text = node.text();
                match text.text.parse() {
                    Ok(number) => Number::Constant(number),
                    Err(_) => {
                        let message = format!("`{}` is no number, or too large a one", text.text);
                        return self.report.error("syntax", text.span, message);
                    }
                }
            }
            "tokens-count" => {
                let (names, kind) = (self.names, "place");
                Number::Tokens(self.nodes(node, kind, |name| names.place(name))?)
            }
            "integer-sum" => Number::Sum(self.numbers(node)?),
            "integer-difference" => Number::Difference(self.numbers(node)?),
            _ => return self.report.unsupported(node, "as a number"),
        })
    }

    /// The transitions an element lists, in order and each once.
    fn transitions(&mut self, node: Node<'_>) -> Option<Vec<TransId>> {
        let names = self.names;
        let mut transitions = self.nodes(node, "transition", |name| names.transition(name))?;
        transitions.sort_unstable();
        transitions.dedup();
        Some(transitions)
    }

    fn nodes<I>(&mut self, node: Node<'_>, kind: &str, find: impl Fn(&str) -> Option<I>) -> Option<Vec<I>> {
        let mut found = Some(Vec::new());
        for child in node.children() {
            let name = child.text();
            let id = match find(name.text) {
                _ if child.name() != kind => {
                    self.report.unsupported(child, format!("where a {kind} is expected"))
                }
                None => self.report.undeclared(name.span, kind, name.text),
                id => id,
            };
            found = found.zip(id).map(|(mut found, id)| {
                found.push(id);
                found
            });
        }
        found
    }
}

/// The one element in another.
fn one<'a>(node: Node<'a>, report: &mut Report) -> Option<Node<'a>> {
    let mut children = node.children();
    match (children.next(), children.next()) {
        (Some(only), None) => Some(only),
        _ => report.error("syntax", node.tag(), format!("`<{}>` contains one formula", node.name())),
    }
}
