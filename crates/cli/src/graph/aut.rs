//! A state graph as a labelled transition system in the Aldebaran format, which CADP, mCRL2 and others read.
//!
//! Only what the search visits: the format cannot tell what was left out. Runs that fail end in a state of
//! their own.

use std::fmt::Write;

use stubborn_check::{Graph, GraphTarget};

/// What `stubborn graph --format aut` writes. Fails if states are missing, for a program cannot see that.
pub(crate) fn text(graph: &Graph) -> Result<String, String> {
    let mut numbers = vec![None; graph.states.len()];
    let visited = graph.states.iter().enumerate().filter(|(_, state)| state.is_visited);
    for (number, (i, state)) in visited.enumerate() {
        if state.is_cut && state.is_full {
            return Err("there are more states than --max allows: allow more".to_owned());
        }
        numbers[i] = Some(number);
    }
    let mut n_states = numbers.iter().flatten().count();
    let mut lines = Vec::new();
    for edge in graph.edges.iter().filter(|edge| edge.is_taken) {
        let Some(from) = numbers[edge.from] else { continue };
        let label = edge.steps.join("; ");
        let (label, to) = match edge.to {
            GraphTarget::State(to) => (label, numbers[to].expect("what is taken leads to what is visited")),
            GraphTarget::Error(kind) => (format!("{label} ({kind})"), fresh(&mut n_states)),
            GraphTarget::Endless => (format!("{label} (for ever)"), fresh(&mut n_states)),
        };
        let label = if edge.fails { format!("{label} (assertion violated)") } else { label };
        lines.push(format!("({from}, \"{}\", {to})", escaped(&label)));
    }
    let mut text = format!("des (0, {}, {n_states})\n", lines.len());
    lines.iter().for_each(|line| {
        let _ = writeln!(text, "{line}");
    });
    Ok(text)
}

fn fresh(n_states: &mut usize) -> usize {
    *n_states += 1;
    *n_states - 1
}

/// Labels stand in quotes, and tools disagree on how to write one inside.
fn escaped(label: &str) -> String {
    label.replace('"', "'").replace('\n', " ")
}
