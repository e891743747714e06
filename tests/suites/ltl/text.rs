//! Automata as text: SPIN accepts our never claims, and the Hanoi format can be read again.

use libtest_mimic::Failed;
use stubborn_ltl::{Formula, Proposition, hoa, never_claim, translate};
use stubborn_tests::generate::{self, Random};
use stubborn_tests::spin::{self, Options, Oracle, Outcome};
use stubborn_tests::{hanoi, say};

const NAMES: [&str; 3] = ["p", "x > 3", "q0"];

fn name(proposition: Proposition) -> String {
    NAMES[proposition.0 as usize].to_owned()
}

fn formulas(n: u64) -> impl Iterator<Item = Formula> {
    let fixed = [Formula::True, Formula::False, Formula::atom(0), Formula::atom(1).always()];
    fixed.into_iter().chain((0..n).map(|seed| {
        let mut random = Random::new(seed);
        let size = 1 + random.below(12);
        generate::formula(&mut random, size, NAMES.len())
    }))
}

/// SPIN translates a model with each claim.
pub(crate) fn never_claims() -> Result<(), Failed> {
    if !spin::is_available() {
        say::skipped("never claims", "spin or gcc is missing");
        return Ok(());
    }
    for formula in formulas(36) {
        let automaton = translate(&formula, &|| false)?;
        let shown = formula.display(&name).to_string();
        let claim = never_claim(&automaton, &shown, &NAMES);
        let text = format!("bool p, q0; byte x;\nactive proctype m() {{ p = true; x = 4 }}\n{claim}");
        match Oracle::translate(&text, &Options::small())? {
            Ok(()) => {}
            Err(Outcome::Rejected(message)) => {
                return Err(format!("SPIN refuses {shown}: {message}\n{text}").into());
            }
            Err(other) => return Err(format!("{shown}: {other:?}").into()),
        }
    }
    Ok(())
}

/// What is written can be read again, and means the same.
pub(crate) fn hoa_text() -> Result<(), Failed> {
    for formula in formulas(500) {
        let automaton = translate(&formula, &|| false)?;
        let shown = formula.display(&name).to_string();
        let text = hoa(&automaton, &shown, &NAMES);
        let read = hanoi::read(&text).map_err(|error| format!("{shown}: {error}\n{text}"))?;
        let same_names = read.propositions == NAMES;
        if read.name != shown || !same_names || read.automaton != automaton {
            return Err(format!("{shown} is not read as it was written:\n{text}").into());
        }
    }
    Ok(())
}
