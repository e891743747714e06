//! Claims about runs: what one process decides by nested depth-first search, several decide alike.
//!
//! Shipped models through the binary, random models and formulas with each process a thread of this one.

use std::path::Path;
use std::sync::{Arc, Mutex};

use libtest_mimic::Trial;
use stubborn_promela::load;
use stubborn_tests::generate::{generate, tangle};
use stubborn_tests::processes::{Asked, is_decided_alike};
use stubborn_tests::reductions::{NoFiles, features};
use stubborn_tests::together::{Tally, compare};
use stubborn_tests::{say, table, workspace};

use super::number;

/// Larger state graphs are left alone.
const MAX_STATES: usize = 300;

/// Models that state claims, besides those of `claims/expected.tsv`.
const MODELS: &[&str] = &[
    "promela/peterson.pml",
    "promela/alternating_bit.pml",
    "promela/leader_election.pml",
    "promela/philosophers.pml",
    "promela/semantics/process_creation.pml",
    "dve/two_locks.dve",
    "helena/ferry.lna",
    "helena/in_vain.lna",
];

pub(super) fn trials(tally: &Arc<Mutex<Tally>>) -> Vec<Trial> {
    let rows = table::read(&workspace::model("claims/expected.tsv")).expect("it is shipped");
    let mut models: Vec<String> =
        rows.iter().map(|row| format!("promela/{}", table::text(row, "path"))).collect();
    models.dedup();
    models.extend(MODELS.iter().map(ToString::to_string));
    let shipped = models.into_iter().map(|name| {
        let path = workspace::file("models").join(&name);
        Trial::test(format!("claims of {name}"), move || Ok(is_decided_alike(&*path, Asked::All).map(drop)?))
    });
    let start = number("STUBBORN_CLUSTER_START", 0);
    let seeds = number("STUBBORN_CLUSTER_RUN_SEEDS", 12);
    let random = (start..start + seeds).map(|seed| {
        let tally = tally.clone();
        Trial::test(format!("random runs {seed}"), move || Ok(at_random(seed, &tally)?))
    });
    shipped.chain(random).collect()
}

/// The run must have looked at what can go wrong.
pub(super) fn report(tally: &Tally) -> bool {
    say::note(&format!(
        "cluster: {} random claims, {} violated, {} of these by cycles, {} by cycles that are found in the end; {} with all \
         visited that reduction leaves, {} with states left out",
        tally.cases, tally.violated, tally.cycles, tally.late, tally.reducible, tally.reduced
    ));
    let asks = tally.cases >= 40;
    !asks || (tally.violated * 5 > tally.cases && tally.cycles > 0 && tally.late > 0 && tally.reduced > 0)
}

fn at_random(seed: u64, tally: &Mutex<Tally>) -> Result<(), String> {
    for text in [tangle(seed), generate(seed, features()).render()] {
        let Some(model) = load(Path::new("model.pml"), text.as_str().into(), &NoFiles, &[]).model else {
            continue;
        };
        let found = compare(&model, seed, MAX_STATES).map_err(|why| format!("{why}\n{text}"))?;
        *tally.lock().expect("no trial panics while it counts") += found.unwrap_or_default();
    }
    Ok(())
}
