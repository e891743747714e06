//! Nets of the corpus: as many markings, firings and dead markings as is known, the contest's verdicts, and the same
//! sizes by an explorer that follows the definitions.
//!
//! By default only small ones; `STUBBORN_LARGE=1` takes all with up to three million markings, and verdicts on nets of up
//! to a hundred thousand. `--bin contest` decides every verdict.

use std::path::Path;
use std::time::Duration;

use libtest_mimic::{Failed, Trial};
use stubborn_ir::Model;
use stubborn_tests::contest::{self, Answer};
use stubborn_tests::nets::{naive, sizes};
use stubborn_tests::suite::Suite;
use stubborn_tests::{helena, say};

/// Nets with more markings are not for the explorer by the definitions.
const NAIVE: u64 = 600;
const MEMORY: usize = 4 << 30;

pub(crate) fn suite() -> Suite {
    let is_large = std::env::var_os("STUBBORN_LARGE").is_some();
    let (most_states, most_verdicts) = if is_large { (3_000_000, 100_000) } else { (25_000, 2_500) };
    let time = Duration::from_secs(if is_large { 600 } else { 60 });
    let mut trials = Vec::new();
    match helena::instances() {
        Some(all) => {
            for instance in all.into_iter().filter(|instance| instance.states <= most_states) {
                trials.push(Trial::test(format!("helena {}", instance.name), move || {
                    let model = instance.load()?;
                    instance.explore(&model, time, MEMORY)?;
                    if instance.states <= NAIVE {
                        agree(&model, &instance.path, &instance.parameters)?;
                    }
                    Ok(())
                }));
            }
        }
        None => say::note("SKIPPED: nets of the Helena distribution: no corpus"),
    }
    match contest::instances() {
        Some(all) => {
            for instance in all {
                let Some(n_states) = instance.n_states().filter(|&n| n <= most_states) else { continue };
                trials.push(Trial::test(format!("contest {}", instance.name), move || {
                    if !instance.path().exists() {
                        say::note(&format!("SKIPPED: {}: its net is not in the corpus", instance.name));
                        return Ok(());
                    }
                    decide(&instance, n_states, time, most_verdicts)
                }));
            }
        }
        None => say::note("SKIPPED: nets of the Model Checking Contest: no corpus"),
    }
    Suite::of(trials)
}

fn decide(
    instance: &contest::Instance,
    n_states: u64,
    time: Duration,
    most_verdicts: u64,
) -> Result<(), Failed> {
    let model = instance.load()?;
    let (answer, told) = instance.explore(&model, time, MEMORY);
    if answer != Answer::Right {
        return Err(told.into());
    }
    if n_states <= NAIVE {
        agree(&model, &instance.path(), &[])?;
    }
    if n_states > most_verdicts {
        return Ok(());
    }
    for (property, expected) in &instance.verdicts {
        let (answer, told) = instance.decide(&model, property, *expected, time, MEMORY);
        if answer != Answer::Right {
            return Err(format!("{property}: {told}").into());
        }
    }
    Ok(())
}

/// The explorer by the definitions counts the same.
fn agree(model: &Model, path: &Path, parameters: &[(String, String)]) -> Result<(), Failed> {
    let ours = sizes::of(model)?;
    match naive::explore_file(path, parameters, NAIVE as usize)? {
        Some(sizes) if sizes == ours => Ok(()),
        found => Err(format!("{found:?} by the definitions, instead of {ours:?}").into()),
    }
}
