//! A net in Graphviz' language.

use std::fmt::Write;

use super::Picture;
use super::part::{Kind, Node, Part};

const HEAD: &str = "\tnode [fontname=\"Helvetica\", fontsize=11, color=\"#334155\"];\n\
                    \tedge [fontname=\"Helvetica\", fontsize=9, color=\"#64748b\", arrowsize=0.7];\n";

pub(super) fn text(picture: &Picture<'_>, part: &Part) -> String {
    let label = match picture.caption.is_empty() {
        true => picture.title.clone(),
        false => format!("{}\n{}", picture.title, picture.caption),
    };
    let mut text =
        format!("digraph net {{\n\tlabel=\"{}\";\n\tfontname=\"Helvetica\";\n{HEAD}", escaped(&label));
    let (marking, enabled) = (picture.marking(), picture.enabled());
    for node in &part.nodes {
        let _ = match *node {
            Node::Place(p) => {
                let place = &picture.net.places[p as usize];
                let tokens = &marking.0[p as usize];
                let shown = if tokens.is_empty() { String::new() } else { place.show(tokens) };
                let look = match picture.changed_by(p) {
                    0 => "",
                    1.. => ", style=filled, fillcolor=\"#dcfce7\"",
                    _ => ", style=filled, fillcolor=\"#fee2e2\"",
                };
                let (name, shown) = (escaped(&place.name), escaped(&shown));
                writeln!(text, "\tp{p} [shape=circle, label=\"{shown}\", xlabel=\"{name}\"{look}];")
            }
            Node::Transition(t) => {
                let name = escaped(&picture.net.transitions[t as usize].name);
                let look = match (picture.fired_transition() == Some(t), enabled[t as usize]) {
                    (true, _) => ", style=filled, fillcolor=\"#fde68a\"",
                    (false, true) => ", style=filled, fillcolor=\"#e0f2fe\"",
                    (false, false) => "",
                };
                writeln!(text, "\tt{t} [shape=box, label=\"{name}\"{look}];")
            }
        };
    }
    let name = |at: usize| match part.nodes[at] {
        Node::Place(p) => format!("p{p}"),
        Node::Transition(t) => format!("t{t}"),
    };
    for arc in &part.arcs {
        let look = match arc.kind {
            Kind::Takes | Kind::Puts => "",
            Kind::Both => ", dir=both",
            Kind::Inhibits => ", arrowhead=odot",
        };
        let (from, to) = (name(arc.from), name(arc.to));
        let _ = writeln!(text, "\t{from} -> {to} [label=\"{}\"{look}];", escaped(&arc.label));
    }
    text + "}\n"
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
