//! Automata as SPIN's never claims. The claim matches the words the automaton accepts, which are those
//! that must not occur: give it the automaton of the negated property.
//!
//! Labels as `spin -f` writes them: `init` for the first state, `accept_` before the accepting ones. An
//! accepting state that allows everything ends the claim, which matches whatever follows.

use std::fmt::Write;

use crate::{Buchi, State};

/// The automaton as a never claim; `comment` says what it is for.
pub fn never_claim<S: AsRef<str>>(automaton: &Buchi, comment: &str, propositions: &[S]) -> String {
    let mut text = format!("never {{    /* {} */\n", comment.replace("*/", "* /"));
    let initial = automaton.initial;
    let others = (0..automaton.states.len()).filter(|&state| state != initial);
    let last = everything(automaton);
    for state in std::iter::once(initial).chain(others.filter(|&state| Some(state) != last)) {
        let _ = writeln!(text, "{}:", label(automaton, state));
        text += &body(automaton, &automaton.states[state], propositions);
    }
    if let Some(state) = last {
        let _ = writeln!(text, "{}:\n\tskip", label(automaton, state));
    }
    text + "}\n"
}

fn body<S: AsRef<str>>(automaton: &Buchi, state: &State, propositions: &[S]) -> String {
    if state.edges.is_empty() {
        return "\tfalse;\n".to_owned();
    }
    let mut text = String::from("\tdo\n");
    for edge in &state.edges {
        let guard = edge.guard.to_promela(propositions);
        let _ = writeln!(text, "\t:: ({guard}) -> goto {}", label(automaton, edge.target));
    }
    text + "\tod;\n"
}

/// A state, not the first, that accepts all words by one loop.
fn everything(automaton: &Buchi) -> Option<usize> {
    automaton.states.iter().enumerate().position(|(number, State { accepting, edges })| {
        let is_loop = matches!(&edges[..], [edge] if edge.target == number && edge.guard.is_true());
        *accepting && is_loop && number != automaton.initial
    })
}

fn label(automaton: &Buchi, state: usize) -> String {
    let prefix = if automaton.states[state].accepting { "accept" } else { "T0" };
    if state == automaton.initial {
        format!("{prefix}_init")
    } else if Some(state) == everything(automaton) {
        "accept_all".to_owned()
    } else {
        format!("{prefix}_S{state}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Formula, translate};

    #[test]
    fn response_fails() {
        let formula = Formula::atom(0).implies(Formula::atom(1).eventually()).always().negated();
        let automaton = translate(&formula, &|| false).unwrap();
        let text = "\
never {    /* ![](p -> <>(x > 3)) */
T0_init:
	do
	:: (true) -> goto T0_init
	:: (p && !(x > 3)) -> goto accept_S1
	od;
accept_S1:
	do
	:: (!(x > 3)) -> goto accept_S1
	od;
}
";
        assert_eq!(never_claim(&automaton, "![](p -> <>(x > 3))", &["p", "x > 3"]), text);
    }

    #[test]
    fn what_accepts_everything_ends_the_claim() {
        let automaton = translate(&Formula::atom(0), &|| false).unwrap();
        let text = never_claim(&automaton, "p", &["p"]);
        assert!(text.ends_with("accept_all:\n\tskip\n}\n"), "{text}");
        let nothing = translate(&Formula::False, &|| false).unwrap();
        assert!(never_claim(&nothing, "false", &["p"]).contains("T0_init:\n\tfalse;\n"));
    }
}
