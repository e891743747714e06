//! Random `never` claims, as text: what SPIN makes of formulas, and automata that no formula has.
//!
//! A claim can get stuck, come to its closing brace, jump to a place that accepts, use `else`, and count. Half
//! of them wait in every place, as the automata of most formulas do: these are the ones that cannot tell how
//! often a state is repeated.

use stubborn_ir::Model;

use super::Random;
use super::stated::proposition;
use crate::graph::Graph;

/// A random `never` claim about values that occur, lengths of channels, and places of processes.
pub fn never(model: &Model, graph: &Graph<'_>, text: &str, random: &mut Random) -> String {
    let n_propositions = 1 + random.below(2);
    let propositions: Vec<String> =
        (0..n_propositions).map(|_| proposition(model, graph, text, random)).collect();
    let literal = |random: &mut Random| {
        let proposition = &propositions[random.below(n_propositions)];
        let sign = if random.percent(50) { "" } else { "!" };
        format!("{sign}({proposition})")
    };
    let n_places = 1 + random.below(3);
    let names: Vec<String> = (0..n_places)
        .map(|place| format!("{}{place}", if random.percent(40) { "accept_T" } else { "T" }))
        .collect();
    let waits = random.percent(50);
    let mut claim = "never {\n".to_owned();
    for name in &names {
        claim += &format!("{name}:\n  if\n");
        if waits {
            let guard = if random.percent(50) { "true".to_owned() } else { literal(random) };
            claim += &format!("  :: {guard} -> goto {name}\n");
        }
        for _ in 0..1 + random.below(2) {
            let target = match random.below(8) {
                0 => "goto done".to_owned(),
                1 => format!("assert({})", literal(random)),
                _ => format!("goto {}", names[random.below(n_places)]),
            };
            let guard = literal(random);
            claim += &match random.below(4) {
                0 => format!("  :: {guard} && {} -> {target}\n", literal(random)),
                1 => format!("  :: atomic {{ {guard} -> {target} }}\n"),
                _ => format!("  :: {guard} -> {target}\n"),
            };
        }
        if random.percent(20) {
            claim += &format!("  :: else -> goto {}\n", names[random.below(n_places)]);
        }
        claim += "  fi;\n";
    }
    // Whoever comes here without a jump has come through all places.
    claim += if random.percent(50) { "stuck: false;\n" } else { "" };
    claim + "done:\n  skip\n}\n"
}
