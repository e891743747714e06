//! Automata as drawings, in Graphviz' language.

use std::fmt::Write;

use crate::Buchi;

/// The automaton as a Graphviz graph: accepting states have a double line.
pub fn dot<S: AsRef<str>>(automaton: &Buchi, title: &str, propositions: &[S]) -> String {
    let mut text = String::from("digraph automaton {\n\trankdir=LR;\n");
    let _ = writeln!(text, "\tlabel=\"{}\";\n\tnode [shape=circle];", escaped(title));
    let _ = writeln!(text, "\tstart [shape=point];\n\tstart -> {};", automaton.initial);
    for (number, state) in automaton.states.iter().enumerate() {
        let shape = if state.accepting { " [shape=doublecircle]" } else { "" };
        let _ = writeln!(text, "\t{number}{shape};");
        for edge in &state.edges {
            let guard = edge.guard.to_promela(propositions);
            let _ = writeln!(text, "\t{number} -> {} [label=\"{}\"];", edge.target, escaped(&guard));
        }
    }
    text + "}\n"
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Formula, translate};

    #[test]
    fn quotes_are_escaped() {
        let automaton = translate(&Formula::atom(0).always(), &|| false).unwrap();
        let text = dot(&automaton, "[]\"x > 3\"", &["x > 3"]);
        assert!(text.contains("label=\"[]\\\"x > 3\\\"\";"), "{text}");
        assert!(text.contains("0 [shape=doublecircle];\n\t0 -> 0 [label=\"(x > 3)\"];"), "{text}");
    }
}
