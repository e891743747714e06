//! A formula and its automaton, for people.

use std::fmt::Write;

use stubborn_ltl::{Cube, Guard, Lasso, Letter, StutterInvariance};

use super::Report;
use crate::output::{BOLD, DIM, UNKNOWN};

pub(super) fn report(report: &Report) -> String {
    let mut text = format!("{BOLD}{}{BOLD:#}\n", report.formula);
    let _ = writeln!(text, "  {}", meaning(report));
    match &report.stutter_invariance {
        StutterInvariance::Invariant => text += "  stutter-invariant: repeating a letter changes nothing\n",
        StutterInvariance::Sensitive(witness) => {
            text += "  not stutter-invariant: these words differ in repetitions only\n";
            let _ = writeln!(text, "    satisfying  {}", word(report, &witness.satisfying));
            let _ = writeln!(text, "    violating   {}", word(report, &witness.violating));
        }
        StutterInvariance::Unknown => {
            let _ =
                writeln!(text, "  stutter-invariance {UNKNOWN}unknown{UNKNOWN:#}: too much work to decide");
        }
    }
    let automaton = &report.automaton;
    let _ = writeln!(
        text,
        "  Büchi automaton: {}, {}",
        counted(automaton.states.len(), "state"),
        counted(automaton.n_edges(), "edge")
    );
    for (number, state) in automaton.states.iter().enumerate() {
        let initial = if number == automaton.initial { " initial" } else { "" };
        let accepting = if state.accepting { " accepting" } else { "" };
        let _ = writeln!(text, "    {BOLD}{number}{BOLD:#}{DIM}{initial}{accepting}{DIM:#}");
        for edge in &state.edges {
            let guard = edge.guard.to_promela(&report.propositions);
            let _ = writeln!(text, "      to {}  {guard}", edge.target);
        }
    }
    text
}

fn meaning(report: &Report) -> String {
    let class = match report.class_name() {
        Some("general") => "neither a safety nor a guarantee nor an obligation property".to_owned(),
        Some("obligation") => "an obligation property".to_owned(),
        Some(class) => format!("a {class} property"),
        None => "of unknown class: too much work to decide".to_owned(),
    };
    match report.trivial_name() {
        Some(trivial) => format!("{trivial}; {class}"),
        None => class,
    }
}

/// `p; !p; (p)*`: what holds in each position.
fn word(report: &Report, lasso: &Lasso) -> String {
    let letter = |&letter: &Letter| {
        let cubes = vec![Cube::of(letter, report.propositions.len())];
        Guard { cubes }.to_promela(&report.propositions)
    };
    let letters = |letters: &[Letter]| letters.iter().map(letter).collect::<Vec<_>>().join("; ");
    let prefix = if lasso.prefix.is_empty() { String::new() } else { letters(&lasso.prefix) + "; " };
    format!("{prefix}then for ever: {}", letters(&lasso.cycle))
}

fn counted(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}
