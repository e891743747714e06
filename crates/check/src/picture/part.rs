//! What of a net is drawn: all of it, or of a large one what is nearest to what is looked at.

use std::collections::{BTreeMap, VecDeque};

use stubborn_ir::{Effect, TokenIndex, TokenNeed, TransitionId};

use super::Picture;

/// More nodes, or arcs, are no picture any more.
const MAX_NODES: usize = 160;
const MAX_ARCS: usize = 420;

/// A place or a transition, by its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Node {
    Place(u32),
    Transition(u32),
}

/// How a place and a transition are connected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Tokens are taken.
    Takes,
    /// Tokens are put.
    Puts,
    /// Tokens are taken and put back.
    Both,
    /// Tokens are in the way.
    Inhibits,
}

/// An arc, by the nodes it connects: their positions in the list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Arc {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) kind: Kind,
    /// How many tokens, if it is not one.
    pub(super) label: String,
}

/// The nodes and arcs that are drawn.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) nodes: Vec<Node>,
    pub(super) arcs: Vec<Arc>,
}

impl Part {
    /// Everything.
    pub(super) fn whole(picture: &Picture<'_>) -> Part {
        let net = picture.net;
        let places = (0..net.places.len() as u32).map(Node::Place);
        let nodes: Vec<Node> =
            places.chain((0..net.transitions.len() as u32).map(Node::Transition)).collect();
        let mut arcs = Vec::new();
        for t in 0..net.transitions.len() {
            add_arcs(picture, t, &mut arcs);
        }
        Part { nodes, arcs }
    }

    /// Everything, or as much as makes a picture.
    pub(super) fn of(picture: &Picture<'_>) -> Part {
        let whole = Part::whole(picture);
        if whole.nodes.len() <= MAX_NODES && whole.arcs.len() <= MAX_ARCS {
            return whole;
        }
        let chosen = whole.around(picture);
        let at: BTreeMap<usize, usize> = chosen.iter().enumerate().map(|(new, &old)| (old, new)).collect();
        let arcs = whole
            .arcs
            .iter()
            .filter_map(|arc| Some(Arc { from: *at.get(&arc.from)?, to: *at.get(&arc.to)?, ..arc.clone() }));
        Part { nodes: chosen.iter().map(|&i| whole.nodes[i]).collect(), arcs: arcs.take(MAX_ARCS).collect() }
    }

    /// The nodes nearest to what has just fired, or else to the first place with a token, in order.
    fn around(&self, picture: &Picture<'_>) -> Vec<usize> {
        let n_places = picture.net.places.len();
        let marking = picture.marking();
        let marked = marking.0.iter().position(|tokens| !tokens.is_empty()).unwrap_or(0);
        let focus = picture.fired_transition().map_or(marked, |t| n_places + t as usize);
        let mut neighbours: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        for arc in &self.arcs {
            neighbours[arc.from].push(arc.to);
            neighbours[arc.to].push(arc.from);
        }
        let mut chosen: Vec<usize> = Vec::new();
        let mut is_known = vec![false; self.nodes.len()];
        let mut n_arcs = 0;
        let mut next = VecDeque::from([focus]);
        let mut others = 0..self.nodes.len();
        while chosen.len() < MAX_NODES && n_arcs < MAX_ARCS {
            let Some(node) = next.pop_front().or_else(|| others.find(|&node| !is_known[node])) else { break };
            if std::mem::replace(&mut is_known[node], true) {
                continue;
            }
            n_arcs += neighbours[node].iter().filter(|&&other| chosen.contains(&other)).count();
            chosen.push(node);
            next.extend(neighbours[node].iter().filter(|&&other| !is_known[other]));
        }
        chosen.sort_unstable();
        chosen
    }
}

/// The arcs of a transition.
fn add_arcs(picture: &Picture<'_>, t: usize, arcs: &mut Vec<Arc>) {
    let net = picture.net;
    let n_places = net.places.len();
    let declared = &net.transitions[t];
    let weights = Weights::of(picture, t);
    let transition = n_places + t;
    let [takes, puts, inhibits] = &declared.arcs;
    for &place in takes {
        let (taken, put) = weights.of_place(place);
        if puts.contains(&place) && taken == put {
            let label = weight(taken);
            arcs.push(Arc { from: place as usize, to: transition, kind: Kind::Both, label });
        } else {
            let label = weight(taken);
            arcs.push(Arc { from: place as usize, to: transition, kind: Kind::Takes, label });
        }
    }
    for &place in puts {
        let (taken, put) = weights.of_place(place);
        if !takes.contains(&place) || taken != put {
            arcs.push(Arc { from: transition, to: place as usize, kind: Kind::Puts, label: weight(put) });
        }
    }
    for &place in inhibits {
        arcs.push(Arc {
            from: place as usize,
            to: transition,
            kind: Kind::Inhibits,
            label: weight(weights.inhibiting(place)),
        });
    }
}

fn weight(n: i64) -> String {
    if n > 1 { n.to_string() } else { String::new() }
}

/// How many tokens the first firing of a transition takes and puts, by place.
#[derive(Default)]
struct Weights {
    taken: BTreeMap<u32, i64>,
    changed: BTreeMap<u32, i64>,
    inhibiting: BTreeMap<u32, i64>,
}

impl Weights {
    fn of(picture: &Picture<'_>, t: usize) -> Weights {
        let mut weights = Weights::default();
        let Some(&firing) = picture.net.transitions[t].firings.first() else { return weights };
        let firing = TransitionId(firing);
        let tokens = &picture.tokens;
        for need in tokens.needs(picture.model, firing) {
            let place = need.token().place;
            match need {
                TokenNeed::AtLeast(_, n) => *weights.taken.entry(place).or_default() += i64::from(n),
                TokenNeed::Fewer(_, n) => *weights.inhibiting.entry(place).or_default() += i64::from(n),
            }
        }
        weights.note_changes(picture, tokens, firing);
        weights
    }

    fn note_changes(&mut self, picture: &Picture<'_>, tokens: &TokenIndex<'_>, firing: TransitionId) {
        let t = &picture.model.transitions[firing];
        for effect in &t.effects {
            match effect {
                Effect::Count { place, by, .. } => {
                    let Some(token) = tokens.find(place.slot.offset, 0) else { continue };
                    *self.changed.entry(token.place).or_default() += i64::from(*by);
                }
                Effect::Assign(place, stubborn_ir::Expr::Const(value)) => {
                    if let Some(token) = tokens.find(place.slot.offset, *value) {
                        *self.changed.entry(token.place).or_default() += 1;
                    }
                    // What was there before is what the guard asks for.
                    let before = tokens.needs(picture.model, firing).into_iter().find(|need| {
                        let token = need.token();
                        tokens.is_kept_in(token, place.slot.offset)
                    });
                    if let Some(need) = before {
                        *self.changed.entry(need.token().place).or_default() -= 1;
                    }
                }
                _ => {}
            }
        }
    }

    /// Tokens taken and put.
    fn of_place(&self, place: u32) -> (i64, i64) {
        let taken = self.taken.get(&place).copied().unwrap_or(0);
        (taken, taken + self.changed.get(&place).copied().unwrap_or(0))
    }

    fn inhibiting(&self, place: u32) -> i64 {
        self.inhibiting.get(&place).copied().unwrap_or(1)
    }
}
