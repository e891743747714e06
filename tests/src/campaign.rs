//! A campaign of random models: what a suite asks of each, in batches, counted together, and shrunk where an
//! answer is wrong.

use std::ops::AddAssign;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use libtest_mimic::{Failed, Trial};

use crate::environment::variable;
use crate::generate::{Budget, generate, shrink, tangle};
use crate::reductions::features;
use crate::suite::Suite;
use crate::{table, workspace};

const BATCH: u64 = 20;

/// What a suite does with models.
pub struct Campaign<T> {
    /// `STUBBORN_{this}_SEEDS` says how many models, `STUBBORN_{this}_START` the first.
    pub name: &'static str,
    /// How many models if nobody says.
    pub seeds: u64,
    /// Decides the text of a random model, given its seed; an error says how an answer differs.
    pub decide: fn(&str, u64) -> Result<T, String>,
    /// Decides the text of a model that is shipped, some of them for what once went wrong.
    pub decide_own: fn(&str) -> Result<(), String>,
    /// Whether the run has looked at what can go wrong.
    pub report: fn(&T) -> bool,
}

impl<T: AddAssign + Default + Send + 'static> Campaign<T> {
    /// All of it.
    pub fn suite(self) -> Suite {
        self.suite_with(Vec::new())
    }

    /// All of it, after other trials.
    pub fn suite_with(self, others: Vec<Trial>) -> Suite {
        let seeds = variable(&format!("STUBBORN_{}_SEEDS", self.name)).unwrap_or(self.seeds);
        let start = variable(&format!("STUBBORN_{}_START", self.name)).unwrap_or(0);
        let tally = Arc::new(Mutex::new(T::default()));
        let mut trials = others;
        for first in (start..start + seeds).step_by(BATCH as usize) {
            let last = (first + BATCH).min(start + seeds);
            let (tally, decide) = (tally.clone(), self.decide);
            let batch = move || batch(first, last, decide, &tally);
            trials.push(Trial::test(format!("seeds {first}..{last}"), batch));
        }
        let rows =
            table::read(&workspace::model("expected.tsv")).expect("the table is shipped with the models");
        for row in rows {
            let name = table::text(&row, "path").to_string();
            let decide = self.decide_own;
            trials.push(Trial::test(name.clone(), move || {
                let text =
                    std::fs::read_to_string(workspace::model(&name)).map_err(|error| error.to_string())?;
                Ok(decide(&text)?)
            }));
        }
        let report = self.report;
        Suite::with_report(trials, move || report(&tally.lock().expect("no trial panics while it counts")))
    }
}

fn batch<T: AddAssign>(
    first: u64,
    last: u64,
    decide: fn(&str, u64) -> Result<T, String>,
    tally: &Mutex<T>,
) -> Result<(), Failed> {
    let mut failures = Vec::new();
    let add = |found| *tally.lock().expect("no trial panics while it counts") += found;
    for seed in first..last {
        let tangled = tangle(seed);
        match decide(&tangled, seed) {
            Ok(found) => add(found),
            Err(why) => failures.push(format!("tangle {seed}: {why}\n{tangled}")),
        }
        let model = generate(seed, features());
        match decide(&model.render(), seed) {
            Ok(found) => add(found),
            Err(why) => {
                let budget = Budget { attempts: 3000, time: Duration::from_secs(60) };
                let small = match failures.is_empty() {
                    true => shrink(model, budget, |text| decide(text, seed).is_err()).render(),
                    false => String::new(),
                };
                let now = decide(&small, seed).err().unwrap_or_default();
                failures.push(format!("seed {seed}: {why}\nnow {now}\n{small}"));
            }
        }
    }
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n").into()) }
}
