//! A state graph in Graphviz' language.

use std::fmt::Write;

use stubborn_check::{Graph, GraphState, GraphTarget, Reduction, StateKind};

use super::told;
use crate::model::Source;

const HEAD: &str = "\tnode [shape=circle, fontname=\"Helvetica\", fontsize=11, width=0.35, height=0.35, \
                    margin=0.04, color=\"#334155\"];\n\
                    \tedge [fontname=\"Helvetica\", fontsize=9, color=\"#475569\", arrowsize=0.7];\n";

/// What `stubborn graph --format dot` writes.
pub(crate) fn text(source: &Source, graph: &Graph) -> String {
    let mut text = String::from("digraph states {\n");
    let _ = writeln!(text, "\tlabel=\"{}\";\n\tfontname=\"Helvetica\";\n{HEAD}", escaped(&source.path));
    text += "\tstart [shape=point, width=0.08, tooltip=\"start\"];\n\tstart -> 0;\n";
    let is_reduced = graph.strategy.plan.reduction != Reduction::None;
    for (number, state) in graph.states.iter().enumerate() {
        let tooltip = escaped(&told(&source.sources, state).join("\n"));
        let look = look(state, is_reduced);
        let _ =
            writeln!(text, "\t{number} [label=\"{}\", tooltip=\"{tooltip}\"{look}];", mark(number, state));
    }
    for (i, edge) in graph.edges.iter().enumerate() {
        let to = match edge.to {
            GraphTarget::State(to) => to.to_string(),
            GraphTarget::Error(kind) => nowhere(&mut text, i, &kind.to_string()),
            GraphTarget::Endless => nowhere(&mut text, i, "for ever"),
        };
        let label = escaped(&edge.steps.join("\n"));
        let mut look = String::new();
        if edge.fails {
            look += ", color=\"#dc2626\", fontcolor=\"#dc2626\", penwidth=1.5";
        }
        if !edge.is_taken {
            look += ", style=dashed, fontcolor=\"#94a3b8\"";
        }
        let _ = writeln!(text, "\t{} -> {to} [label=\"{label}\"{look}];", edge.from);
    }
    text + "}\n"
}

/// Its number; more follows where something is missing.
fn mark(number: usize, state: &GraphState) -> String {
    if state.is_cut { format!("{number}…") } else { number.to_string() }
}

fn look(state: &GraphState, is_reduced: bool) -> String {
    let mut look = String::new();
    match state.kind {
        StateKind::Alive => {}
        StateKind::End => look += ", shape=doublecircle",
        StateKind::Deadlock => look += ", shape=doublecircle, color=\"#dc2626\", fontcolor=\"#dc2626\"",
    }
    if !state.is_visited {
        look += ", style=dashed, fontcolor=\"#94a3b8\"";
    } else if is_reduced && state.is_full {
        look += ", style=filled, fillcolor=\"#bfdbfe\"";
    }
    look
}

/// Adds a node for the end of an edge that leads to no state.
fn nowhere(text: &mut String, edge: usize, why: &str) -> String {
    let name = format!("end{edge}");
    let _ = writeln!(
        text,
        "\t{name} [shape=box, label=\"{}\", color=\"#dc2626\", fontcolor=\"#dc2626\"];",
        escaped(why)
    );
    name
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
