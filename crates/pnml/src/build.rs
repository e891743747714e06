//! Labels of nodes and arcs, and what they amount to: a [`Net`] of [`Term`]s.
//!
//! Reference: ISO/IEC 15909-2, place/transition nets and symmetric nets. A place of a place/transition net is one of
//! the sort dot. Invariant: arcs between the same nodes are one arc; a net that lacks a node or an arc is not given.

use hashbrown::HashMap;
use smol_str::SmolStr;
use stubborn_base::{IndexVec, Span};
use stubborn_nets::{Arc, Domain, Net, Place, PlaceId, TransId, Transition, Value, Variable};

use crate::bag::{Bag, TooLarge};
use crate::declarations::Declarations;
use crate::inscriptions::ArcKind;
use crate::report::Report;
use crate::skeleton::{self, Skeleton};
use crate::sort::{Kind, MAX_VALUES, Sort};
use crate::term::Term;
use crate::terms::{Scope, Terms};
use crate::xml::{Located, Node};

/// Numbers of tokens that the engine can count with.
pub(crate) const MAX_COUNT: u64 = 1 << 30;

/// The net; none, or only a part of it, if something is wrong.
pub(crate) fn build(skeleton: &Skeleton<'_>, report: &mut Report) -> Option<Net<Term>> {
    let mut declarations = Declarations::read(&skeleton.declarations, report);
    let sorts: Vec<Option<Sort>> =
        skeleton.places.iter().map(|place| sort_of(*place, &mut declarations, report)).collect();
    let mut builder = Builder { skeleton, declarations, sorts, report };
    let place_names = names(&skeleton.places);
    let places =
        skeleton.places.iter().enumerate().map(|(at, node)| builder.place(*node, at, &place_names[at]));
    let places: Vec<Option<Place>> = places.collect();
    let mut arcs: IndexVec<TransId, Vec<&skeleton::Arc<'_>>> =
        skeleton.transitions.iter().map(|_| Vec::new()).collect();
    for arc in &skeleton.arcs {
        arcs[arc.transition].push(arc);
    }
    let names = names(&skeleton.transitions);
    let transitions: Vec<Option<Transition<Term>>> =
        (skeleton.transitions.iter().zip(arcs.iter()).zip(&names))
            .map(|((node, arcs), name)| builder.transition(*node, arcs, name))
            .collect();
    let name = skeleton.net.given_name().or_else(|| skeleton.net.attribute("id"));
    Some(Net {
        name: name.map_or("net", |name| name.text).into(),
        span: name.map_or(skeleton.net.tag(), |name| name.span),
        places: places.into_iter().collect::<Option<_>>()?,
        transitions: transitions.into_iter().collect::<Option<_>>()?,
    })
}

/// What people call nodes: their names, or their ids where names are absent or not unique; and where the ids stand.
fn names(nodes: &[Node<'_>]) -> Vec<(SmolStr, Span)> {
    let mut uses: HashMap<&str, usize> = HashMap::new();
    for name in nodes.iter().filter_map(|node| node.given_name()) {
        *uses.entry(name.text).or_default() += 1;
    }
    let name = |node: &Node<'_>| {
        let id = node.attribute("id").unwrap_or(Located { text: "", span: node.tag() });
        let given = node.given_name().unwrap_or(id);
        let is_unique = uses.get(given.text).is_none_or(|n| *n == 1);
        (if is_unique { given.text } else { id.text }.into(), id.span)
    };
    nodes.iter().map(name).collect()
}

fn sort_of<'a>(place: Node<'a>, declarations: &mut Declarations<'a>, report: &mut Report) -> Option<Sort> {
    let Some(ty) = place.child("type") else { return Some(Sort::new(Kind::Dot)) };
    match structure(ty) {
        Some(sort) => declarations.sort(sort, report),
        None => report.error("syntax", ty.tag(), "the type of a place has a `<structure>`"),
    }
}

/// The term of a label.
pub(crate) fn structure(label: Node<'_>) -> Option<Node<'_>> {
    label.child("structure")?.children().next()
}

/// Makes places and transitions of their labels.
pub(crate) struct Builder<'a, 's, 'r> {
    /// What there is.
    pub(crate) skeleton: &'s Skeleton<'a>,
    declarations: Declarations<'a>,
    /// The sorts of places; none where something is wrong with them.
    pub(crate) sorts: Vec<Option<Sort>>,
    /// What is wrong.
    pub(crate) report: &'r mut Report,
}

impl<'a> Builder<'a, '_, '_> {
    fn place(&mut self, node: Node<'a>, at: usize, name: &(SmolStr, Span)) -> Option<Place> {
        let sort = self.sorts[at].clone()?;
        let mut marking = Bag::default();
        for label in node.children() {
            match label.name() {
                "initialMarking" => {
                    let sum = marking.add(self.number(label, &sort)?);
                    sum.ok()?;
                }
                "hlinitialMarking" => {
                    let Some(term) = structure(label) else {
                        return self.report.error("syntax", label.tag(), "a marking has a `<structure>`");
                    };
                    let bag = self.terms(None).multiset(term, &sort)?;
                    marking.add(bag.on(&sort)).ok()?;
                }
                "name" | "type" | "graphics" | "toolspecific" => {}
                _ => {
                    self.report.unsupported::<()>(label, "in a place");
                }
            }
        }
        let tokens = match marking.tokens(&[]) {
            Ok(tokens) => tokens,
            Err(undefined) => return self.report.error("type", node.tag(), undefined.to_string()),
        };
        let mut initial: Vec<(Value, u32)> = Vec::with_capacity(tokens.len());
        for (token, count) in tokens {
            match u32::try_from(count) {
                Ok(count) if u64::from(count) <= MAX_COUNT => initial.push((token, count)),
                _ => return self.too_large(node.child("hlinitialMarking").unwrap_or(node).tag()),
            }
        }
        initial.retain(|(_, count)| *count > 0);
        let notation = sort.token_notation();
        Some(Place { name: name.0.clone(), span: name.1, initial, capacity: None, notation })
    }

    /// Too many tokens.
    pub(crate) fn too_large<T>(&mut self, span: Span) -> Option<T> {
        self.report.error(
            "too-large",
            span,
            format!("there can be no more than {MAX_COUNT} tokens of a kind"),
        )
    }

    /// Reads terms over some variables.
    pub(crate) fn terms<'b>(&'b mut self, scope: Option<&'b mut Scope>) -> Terms<'a, 'b> {
        Terms { declarations: &mut self.declarations, report: self.report, scope }
    }

    fn transition(
        &mut self,
        node: Node<'a>,
        arcs: &[&skeleton::Arc<'a>],
        name: &(SmolStr, Span),
    ) -> Option<Transition<Term>> {
        let mut scope = Scope::default();
        let mut guards = Vec::new();
        let mut is_whole = true;
        for label in node.children() {
            match label.name() {
                "condition" => {
                    match structure(label).map(|term| self.terms(Some(&mut scope)).condition(term)) {
                        Some(Some(guard)) => guards.extend(guard.conjuncts()),
                        Some(None) => is_whole = false,
                        None => {}
                    }
                }
                "name" | "graphics" | "toolspecific" => {}
                _ => {
                    self.report.unsupported::<()>(label, "in a transition");
                }
            }
        }
        let [mut inputs, mut outputs, mut inhibitors] = [(); 3].map(|()| Vec::new());
        for arc in arcs {
            let Some((kind, bag)) = self.inscription(arc, &mut scope) else {
                is_whole = false;
                continue;
            };
            let side = match kind {
                ArcKind::Inhibitor => &mut inhibitors,
                ArcKind::Normal if arc.is_input => &mut inputs,
                ArcKind::Normal => &mut outputs,
            };
            self.join(side, arc, bag)?;
        }
        let variables = self.variables(&scope, node)?;
        let [inputs, outputs, inhibitors] = [inputs, outputs, inhibitors].map(|side| self.arcs(side));
        let transition = Transition {
            name: name.0.clone(),
            span: name.1,
            variables,
            inputs: inputs?,
            outputs: outputs?,
            inhibitors: inhibitors?,
            guards,
            priority: None,
        };
        Some(transition).filter(|_| is_whole)
    }

    /// Adds an arc to those of its side.
    fn join(&mut self, side: &mut Vec<Joined>, arc: &skeleton::Arc<'a>, bag: Bag) -> Option<()> {
        let span = arc.node.tag();
        let Some(joined) = side.iter_mut().find(|joined| joined.place == arc.place) else {
            side.push(Joined { place: arc.place, span, bag });
            return Some(());
        };
        match joined.bag.add(bag) {
            Ok(()) => Some(()),
            Err(TooLarge) => self.too_large(span),
        }
    }

    fn arcs(&mut self, side: Vec<Joined>) -> Option<Vec<Arc<Term>>> {
        let arc = |joined: Joined| match joined.bag.addends(MAX_COUNT) {
            Some(addends) => Some(Arc { place: joined.place, addends }),
            None => self.too_large(joined.span),
        };
        let arcs: Vec<Option<Arc<Term>>> = side.into_iter().map(arc).collect();
        arcs.into_iter().filter(|arc| arc.as_ref().is_none_or(|arc| !arc.addends.is_empty())).collect()
    }

    fn variables(
        &mut self,
        scope: &Scope,
        node: Node<'a>,
    ) -> Option<IndexVec<stubborn_nets::VariableId, Variable<Term>>> {
        let mut variables = IndexVec::new();
        for (name, sort) in scope.variables.iter() {
            let Some(values) = sort.values() else {
                let message = format!("`{name}` has more than {MAX_VALUES} values");
                return self.report.error("too-large", node.tag(), message);
            };
            let domain = Domain::Values(values.into());
            variables.push(Variable { name: name.clone(), domain, notation: sort.notation() });
        }
        Some(variables)
    }
}

/// Arcs between the same nodes.
struct Joined {
    place: PlaceId,
    span: Span,
    bag: Bag,
}
