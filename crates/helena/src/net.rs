//! From a checked net to the description of a high-level net.
//!
//! Variables of `for` are unrolled. A tuple whose condition is known is a pattern or nothing; one whose condition
//! depends on the variables of the transition is a multiset. A guard is split at `and`; a part that may be undefined
//! keeps what stands before it, since that may be what makes it defined.

use std::collections::BTreeMap;
use std::sync::Arc;

use stubborn_base::{Diagnostic, IndexVec, Span};
use stubborn_nets::{
    Addend, Domain, Net, Notation, Pattern, Place, Transition, Value, Variable, render_tuple,
};

use crate::check::{ArcDef, Checked, PlaceDef, Source, TransitionDef, TupleDef};
use crate::code::{Bound, Context, Node, Range, Term};
use crate::eval::Machine;
use crate::priority;
use crate::types::{Shape, TypeId};

/// Tuples that one `for` may stand for.
const MAX_TUPLES: usize = 1 << 20;

/// Describes a net that was checked without errors; `None` if something is found wrong only now, or not supported.
pub(crate) fn describe(
    checked: &Checked,
    context: &Arc<Context>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Net<Term>> {
    let n_before = diagnostics.len();
    let mut maker = Maker { context, diagnostics, is_dynamic: priority::depends_on_marking(checked) };
    let places: IndexVec<_, Place> = checked.places.iter().map(|place| maker.place(place)).collect();
    let transitions: IndexVec<_, _> = checked.transitions.iter().map(|t| maker.transition(t)).collect();
    let is_good = diagnostics.len() == n_before;
    let name = &checked.name;
    is_good.then(|| Net { name: name.name.clone(), span: name.span, places, transitions })
}

struct Maker<'a> {
    context: &'a Arc<Context>,
    diagnostics: &'a mut Vec<Diagnostic>,
    /// Priorities depend on the marking: they are added when the markings are known, all of them.
    is_dynamic: bool,
}

impl Maker<'_> {
    fn term(&self, node: Node) -> Term {
        Term { node: self.folded(node), context: self.context.clone() }
    }

    fn evaluate(&self, node: &Node) -> crate::eval::Result {
        Machine::new(self.context, &[]).eval(node, &mut Vec::new())
    }

    /// The expression with parts that are known replaced by their values.
    fn folded(&self, mut node: Node) -> Node {
        if matches!(node, Node::Const(_)) {
            return node;
        }
        if node.is_closed()
            && let Ok(value) = self.evaluate(&node)
        {
            return Node::Const(value);
        }
        node.children_mut(&mut |child| {
            let taken = std::mem::replace(child, Node::bool(false));
            *child = self.folded(taken);
        });
        node
    }

    fn notation(&self, ty: TypeId) -> Notation {
        let context = self.context.clone();
        Notation(Arc::new(move |value| context.types.show(ty, value)))
    }

    /// Tokens are shown as tuples of their components.
    fn token_notation(&self, ty: TypeId) -> Notation {
        let context = self.context.clone();
        Notation(Arc::new(move |value| {
            let Shape::Token(types) = &context.types[ty].shape else { return String::new() };
            let components = value.as_seq().unwrap_or_default().iter().zip(types);
            let shown: Vec<String> = components.map(|(value, ty)| context.types.show(*ty, value)).collect();
            render_tuple(&shown)
        }))
    }

    fn place(&mut self, place: &PlaceDef) -> Place {
        let mut initial: BTreeMap<Value, u32> = BTreeMap::new();
        for tuple in &place.init {
            for (guard, components) in self.unrolled(tuple) {
                let token = Node::Seq(components);
                let is_there = guard.map_or(Ok(Value::Int(1)), |guard| self.evaluate(&guard));
                let token = is_there.and_then(|is_there| match is_there {
                    Value::Int(0) => Ok(None),
                    _ => self.evaluate(&token).map(Some),
                });
                match token {
                    Ok(Some(token)) if tuple.factor > 0 => {
                        let count = initial.entry(token).or_default();
                        *count = count.saturating_add(tuple.factor);
                    }
                    Ok(_) => {}
                    Err(undefined) => {
                        let message = format!("this has no value: {undefined}");
                        self.diagnostics.push(Diagnostic::error("undefined", tuple.span, message));
                        break;
                    }
                }
            }
        }
        if let Some(capacity) = place.capacity
            && let Some((_, count)) = initial.iter().find(|(_, count)| **count > capacity)
        {
            let message = format!("initially there are {count} of a token, and the capacity is {capacity}");
            self.diagnostics.push(Diagnostic::error("out-of-range", place.name.span, message));
        }
        Place {
            name: place.name.name.clone(),
            span: place.name.span,
            initial: initial.into_iter().collect(),
            capacity: place.capacity,
            notation: self.token_notation(place.token),
        }
    }

    /// The conditions and components of a tuple, for all values of its `for` variables.
    fn unrolled(&mut self, tuple: &TupleDef) -> Vec<(Option<Node>, Vec<Node>)> {
        let mut frames = vec![Vec::new()];
        for bound in &tuple.vars {
            let Some(values) = self.bound_values(bound, tuple.span) else { return Vec::new() };
            if frames.len().saturating_mul(values.len()) > MAX_TUPLES {
                let message = "this stands for too many tuples";
                self.diagnostics.push(Diagnostic::error("too-large", tuple.span, message));
                return Vec::new();
            }
            let longer = frames.iter().flat_map(|frame: &Vec<Option<Value>>| {
                values.iter().map(move |value| {
                    let mut frame = frame.clone();
                    frame.resize(bound.local as usize, None);
                    frame.push(Some(value.clone()));
                    frame
                })
            });
            frames = longer.collect();
        }
        let instance = |frame: &Vec<Option<Value>>| {
            let with = |node: &Node| self.folded(node.clone().with_locals(frame));
            (tuple.guard.as_ref().map(&with), tuple.components.iter().map(with).collect())
        };
        frames.iter().map(instance).collect()
    }

    fn bound_values(&mut self, bound: &Bound, span: Span) -> Option<Vec<Value>> {
        let Range::Each(node) = &bound.domain else { return None };
        match self.evaluate(node) {
            Ok(values) => Some(values.as_seq().unwrap_or_default().to_vec()),
            Err(undefined) => {
                let message = format!("this has no value: {undefined}");
                self.diagnostics.push(Diagnostic::error("undefined", span, message));
                None
            }
        }
    }

    fn transition(&mut self, def: &TransitionDef) -> Transition<Term> {
        let variables = def.variables.iter().map(|variable| Variable {
            name: variable.name.name.clone(),
            domain: match &variable.source {
                Source::Arc => Domain::Pattern,
                Source::Pick(node) => match self.folded(node.clone()) {
                    Node::Const(Value::Seq(values)) => Domain::Values(values),
                    node => Domain::Each(self.term(node)),
                },
                Source::Let(node) => Domain::Let(self.term(node.clone())),
            },
            notation: self.notation(variable.ty),
        });
        let variables = variables.collect();
        Transition {
            name: def.name.name.clone(),
            span: def.name.span,
            variables,
            inputs: def.inputs.iter().map(|arc| self.arc(arc, true)).collect(),
            outputs: def.outputs.iter().map(|arc| self.arc(arc, false)).collect(),
            inhibitors: def.inhibitors.iter().map(|arc| self.arc(arc, false)).collect(),
            guards: def.guard.iter().flat_map(|guard| self.guards(guard)).collect(),
            priority: match &def.priority {
                Some(priority) if !self.is_dynamic => Some(self.term(priority.node.clone())),
                _ => None,
            },
        }
    }

    fn guards(&self, guard: &Node) -> Vec<Term> {
        let mut parts = Vec::new();
        conjuncts(guard, &mut parts);
        let mut before: Option<Node> = None;
        let mut guards = Vec::new();
        for part in parts {
            let all = match before {
                Some(before) => Node::And(Box::new([before, part.clone()])),
                None => part.clone(),
            };
            guards.push(self.term(if part.is_total() { part.clone() } else { all.clone() }));
            before = Some(all);
        }
        guards
    }

    fn arc(&mut self, arc: &ArcDef, is_input: bool) -> stubborn_nets::Arc<Term> {
        let mut addends = Vec::new();
        for tuple in arc.tuples.iter().filter(|tuple| tuple.factor > 0) {
            for (guard, components) in self.unrolled(tuple) {
                let components: Vec<Node> =
                    components.into_iter().map(|node| if is_input { bare(node) } else { node }).collect();
                match guard {
                    Some(Node::Const(Value::Int(0))) => {}
                    None | Some(Node::Const(_)) => {
                        let components = components.into_iter().map(|node| self.term(node)).collect();
                        addends.push(Addend::Pattern(Pattern { count: tuple.factor, components }));
                    }
                    Some(guard) => {
                        let count = Node::Const(Value::Int(i64::from(tuple.factor)));
                        let pair = Node::Seq(vec![Node::Seq(components), count]);
                        let nothing = Node::Const(Value::seq([]));
                        let node = Node::Conditional(Box::new([guard, Node::Seq(vec![pair]), nothing]));
                        addends.push(Addend::Multiset(self.term(node)));
                    }
                }
            }
        }
        stubborn_nets::Arc { place: arc.place, addends }
    }
}

/// A variable of an input arc is what the token has there: in the domain of the place.
fn bare(node: Node) -> Node {
    match node {
        Node::Check(_, inner) if matches!(*inner, Node::Var(_)) => *inner,
        node => node,
    }
}

fn conjuncts<'a>(node: &'a Node, found: &mut Vec<&'a Node>) {
    match node {
        Node::And(operands) => operands.iter().for_each(|operand| conjuncts(operand, found)),
        node => found.push(node),
    }
}
