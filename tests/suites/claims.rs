//! Claims about runs, decided by SPIN's verifier and by us: formulas, `never` claims, accept and progress
//! labels, of all runs and of the weakly fair ones.
//!
//! `STUBBORN_LARGE=1` gives the models of the corpus more time and memory. `STUBBORN_CLAIM_SEEDS` says how
//! many random models, `STUBBORN_CLAIM_START` the first.

use std::sync::Arc;

use stubborn_tests::suite::Suite;
use stubborn_tests::{say, spin};

mod corpus;
mod own;
mod random;

pub(crate) fn suite() -> Suite {
    if !spin::is_available() {
        say::skipped("claims", "spin and gcc are needed");
        return Suite::of(Vec::new());
    }
    let (corpus, random) = (Arc::new(corpus::Tally::default()), Arc::new(random::Tally::default()));
    let mut trials = own::trials();
    trials.extend(corpus::trials(&corpus));
    trials.extend(random::trials(&random));
    Suite::with_report(trials, move || corpus.report() & random.report())
}
