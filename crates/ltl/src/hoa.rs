//! Automata in the Hanoi Omega-Automata format, version 1 (Babiak et al. 2015), with acceptance on states.

use std::fmt::Write;

use crate::Buchi;
use crate::guard_text::Notation;

const NOTATION: Notation = Notation { always: "t", never: "f", and: "&", or: " | ", is_careful: false };

/// The automaton in the Hanoi Omega-Automata format; `name` is what it is for.
pub fn hoa<S: AsRef<str>>(automaton: &Buchi, name: &str, propositions: &[S]) -> String {
    let mut text = String::from("HOA: v1\n");
    let _ = writeln!(text, "name: {}", quoted(name));
    let _ = writeln!(text, "States: {}", automaton.states.len());
    let _ = writeln!(text, "Start: {}", automaton.initial);
    let names: Vec<String> = propositions.iter().map(|name| format!(" {}", quoted(name.as_ref()))).collect();
    let _ = writeln!(text, "AP: {}{}", names.len(), names.concat());
    text += "acc-name: Buchi\nAcceptance: 1 Inf(0)\nproperties: trans-labels explicit-labels state-acc\n";
    text += "--BODY--\n";
    for (number, state) in automaton.states.iter().enumerate() {
        let _ = writeln!(text, "State: {number}{}", if state.accepting { " {0}" } else { "" });
        for edge in &state.edges {
            let guard = edge.guard.text(&NOTATION, &|proposition| proposition.to_string());
            let _ = writeln!(text, "[{guard}] {}", edge.target);
        }
    }
    text + "--END--\n"
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Formula, translate};

    #[test]
    fn infinitely_often() {
        let automaton = translate(&Formula::atom(0).until(Formula::atom(1)), &|| false).unwrap();
        let text = "\
HOA: v1
name: \"p U \\\"x > 3\\\"\"
States: 2
Start: 0
AP: 2 \"p\" \"x > 3\"
acc-name: Buchi
Acceptance: 1 Inf(0)
properties: trans-labels explicit-labels state-acc
--BODY--
State: 0
[0&!1] 0
[1] 1
State: 1 {0}
[t] 1
--END--
";
        assert_eq!(hoa(&automaton, "p U \"x > 3\"", &["p", "x > 3"]), text);
    }
}
