//! Where the nodes and arcs of a picture stand: in layers, places and transitions by turns, those with tokens at the
//! beginning at the top.

use stubborn_ir::Marking;

use super::part::{Kind, Node, Part};
use super::{Picture, cut};
use crate::explain::initial_marking;
use crate::graph::{Drawing, Extent, Line, layered_in};

/// Sizes in pixels.
pub(super) const RADIUS: f64 = 17.0;
pub(super) const BOX: f64 = 24.0;
pub(super) const CHAR: f64 = 6.3;
pub(super) const SMALL_CHAR: f64 = 5.6;
/// From a circle to its name.
pub(super) const TO_NAME: f64 = 5.0;
/// Letters of a name at most, and of a marking at least.
pub(super) const MAX_NAME: usize = 24;
const MIN_MARKING: usize = 14;

/// Places of everything.
pub(super) fn plan(picture: &Picture<'_>, part: &Part) -> Drawing {
    let initial = initial_marking(picture.model).unwrap_or(Marking(Vec::new()));
    let extents: Vec<Extent> = part.nodes.iter().map(|&node| extent(picture, node)).collect();
    let lines: Vec<Line> = part
        .arcs
        .iter()
        .map(|arc| Line {
            from: arc.from,
            to: arc.to,
            label: if arc.label.is_empty() {
                (2.0, 2.0)
            } else {
                (arc.label.len() as f64 * CHAR + 4.0, 12.0)
            },
        })
        .collect();
    layered_in(&extents, &lines, &layers(part, &initial))
}

/// The room that a node takes: the same whatever is in it.
fn extent(picture: &Picture<'_>, node: Node) -> Extent {
    match node {
        Node::Place(p) => {
            let place = &picture.net.places[p as usize];
            let name = place.name.chars().count().min(MAX_NAME) as f64 * CHAR;
            let marking =
                if place.is_plain() { 0.0 } else { marking_letters(&place.name) as f64 * SMALL_CHAR };
            Extent { left: RADIUS, right: RADIUS + TO_NAME + name.max(marking), height: 2.0 * RADIUS }
        }
        Node::Transition(t) => {
            let half = box_width(&picture.net.transitions[t as usize].name) / 2.0;
            Extent { left: half, right: half, height: BOX }
        }
    }
}

/// Letters of a marking under a name that there is room for.
pub(super) fn marking_letters(name: &str) -> usize {
    let letters = name.chars().count().min(MAX_NAME) as f64 * CHAR / SMALL_CHAR;
    (letters as usize).max(MIN_MARKING)
}

/// The width of a transition.
pub(super) fn box_width(name: &str) -> f64 {
    (cut(name, MAX_NAME).chars().count() as f64 * CHAR + 14.0).max(BOX)
}

/// When nodes come into play, beginning with the places that have tokens: a transition after all places it takes from,
/// a place after the first transition that puts there. Places are on even layers, transitions on odd ones.
fn layers(part: &Part, initial: &Marking) -> Vec<usize> {
    let n = part.nodes.len();
    let (mut inputs, mut outputs) = (vec![Vec::new(); n], vec![Vec::new(); n]);
    for arc in &part.arcs {
        match arc.kind {
            Kind::Takes | Kind::Both => inputs[arc.to].push(arc.from),
            Kind::Puts => outputs[arc.from].push(arc.to),
            Kind::Inhibits => {}
        }
    }
    let is_marked = |node: &Node| match node {
        Node::Place(p) => initial.0.get(*p as usize).is_some_and(|tokens| !tokens.is_empty()),
        Node::Transition(_) => false,
    };
    let mut layers: Vec<Option<usize>> = part.nodes.iter().map(|node| is_marked(node).then_some(0)).collect();
    loop {
        let is_waiting = |i: &usize| layers[*i].is_none();
        let transitions = (0..n).filter(|&i| matches!(part.nodes[i], Node::Transition(_)));
        // Of those whose places are all there, the first to come.
        let ready = transitions.filter(is_waiting).filter_map(|t| {
            let before = inputs[t].iter().map(|&p| layers[p]).collect::<Option<Vec<usize>>>()?;
            Some((before.into_iter().max().unwrap_or(0) + 1, t))
        });
        if let Some((layer, t)) = ready.min() {
            layers[t] = Some(layer);
            for &place in &outputs[t] {
                layers[place].get_or_insert(layer + 1);
            }
            continue;
        }
        // What never comes into play begins at the top.
        let is_source = |p: &usize| !part.arcs.iter().any(|arc| arc.kind == Kind::Puts && arc.to == *p);
        match (0..n).filter(is_waiting).min_by_key(|p| (!is_source(p), *p)) {
            Some(node) => layers[node] = Some(usize::from(matches!(part.nodes[node], Node::Transition(_)))),
            None => return layers.into_iter().map(|layer| layer.unwrap_or(0)).collect(),
        }
    }
}
