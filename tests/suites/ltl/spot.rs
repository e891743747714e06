//! What Spot 2.12 says of five hundred formulas and their negations.

use std::path::PathBuf;

use libtest_mimic::Failed;
use stubborn_ltl::{Class, Error, Language, StutterInvariance, Trivial, parse};
use stubborn_tests::table::{self, Row};
use stubborn_tests::{say, workspace};

/// Our automata may have at most this many states on average.
const MAX_MEAN: f64 = 4.4;

/// The answers must be Spot's, and the automata about as small.
pub(crate) fn compare() -> Result<(), Failed> {
    let path = oracle();
    let rows = match table::read(&path) {
        Ok(rows) => rows,
        Err(error) => {
            say::skipped("Spot's answers", &format!("{}: {error}", path.display()));
            return Ok(());
        }
    };
    let mut wrong = Vec::new();
    let (mut n_states, mut n_spot, mut slowest) = (0, 0, (0, String::new()));
    for row in &rows {
        let formula = table::text(row, "formula");
        match ask(row) {
            Ok(answer) => {
                n_states += answer.n_states;
                n_spot += table::number(row, "buchi_states").unwrap_or(0);
                slowest = slowest.max((answer.steps, formula.to_owned()));
                wrong.extend(answer.differences.iter().map(|difference| format!("{formula}: {difference}")));
            }
            Err(error) => wrong.push(format!("{formula}: {error}")),
        }
    }
    let mean = |states: u64| states as f64 / rows.len() as f64;
    say::note(&format!(
        "LTL: {} formulas, {:.3} states on average, Spot {:.3}; most work {} steps: {}",
        rows.len(),
        mean(n_states),
        mean(n_spot),
        slowest.0,
        slowest.1
    ));
    if !wrong.is_empty() {
        return Err(wrong.join("\n").into());
    }
    if rows.is_empty() || mean(n_states) > MAX_MEAN {
        return Err(format!("{} states on average are more than {MAX_MEAN}", mean(n_states)).into());
    }
    Ok(())
}

/// Beside the corpus.
fn oracle() -> PathBuf {
    let shared = match std::env::var_os("STUBBORN_CORPUS") {
        Some(models) => PathBuf::from(models).join(".."),
        None => workspace::root().join("../shared"),
    };
    shared.join("ltl/spot-oracle.tsv")
}

struct Answer {
    n_states: u64,
    steps: u64,
    differences: Vec<String>,
}

/// What we say. A translation that needs more work than a second's is an error of the crate.
fn ask(row: &Row) -> Result<Answer, Error> {
    let parsed = parse(table::text(row, "formula"));
    let mut language = Language::of(&parsed.formula, &|| false)?;
    let automaton = language.buchi()?;
    let steps = language.steps();
    let class = match language.class()? {
        Class::Safety => "safety",
        Class::Guarantee => "guarantee",
        Class::Obligation => "obligation",
        Class::Other => "other",
    };
    let stutter = match language.stutter_invariance() {
        StutterInvariance::Invariant => "yes",
        StutterInvariance::Sensitive(_) => "no",
        StutterInvariance::Unknown => "unknown",
    };
    let trivial = match language.trivial() {
        Some(Trivial::Valid) => "valid",
        Some(Trivial::Unsatisfiable) => "unsat",
        None => "",
    };
    let mut differences: Vec<String> = parsed.errors.iter().map(|error| error.message.clone()).collect();
    for (column, ours) in [("class", class), ("stutter_invariant", stutter), ("trivial", trivial)] {
        let theirs = table::text(row, column);
        if ours != theirs {
            differences.push(format!("{column} is {ours}, Spot says {theirs}"));
        }
    }
    Ok(Answer { n_states: automaton.states.len() as u64, steps, differences })
}
