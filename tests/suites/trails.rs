//! Counterexamples are shortened: the same kind of violation, never longer, and as short as can be wherever that
//! is claimed. On random models and on the models of the corpus that have errors.
//!
//! `STUBBORN_TRAIL_SEEDS` says how many models, `STUBBORN_TRAIL_START` the first. `STUBBORN_LARGE=1` adds the models
//! of the corpus that take longer than CI has.

use std::ops::AddAssign;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use libtest_mimic::Trial;
use stubborn_check::{
    Choice, Config, Guide, Job, Order, PropertyResult, Reduction, Verdict, check, properties,
};
use stubborn_ir::Model;
use stubborn_promela::load;
use stubborn_tests::campaign::Campaign;
use stubborn_tests::corpus::Corpus;
use stubborn_tests::reductions::NoFiles;
use stubborn_tests::shortest::shortest;
use stubborn_tests::table;
use stubborn_tests::{front_end, say};

/// Larger models are left alone.
const MAX_POSITIONS: usize = 20_000;
/// Larger models of the corpus are left alone, and named; in CI, those that are larger than the second.
const MAX_CORPUS: [usize; 2] = [1_000_000, 5_000];
/// For each counterexample of a model of the corpus.
const BUDGET: Duration = Duration::from_secs(20);

fn main() -> ExitCode {
    let campaign = Campaign { name: "TRAIL", seeds: 200, decide, decide_own, report };
    campaign.run_with(corpus())
}

/// What a run came to.
#[derive(Clone, Copy, Default)]
struct Tally {
    trails: u64,
    shortened: u64,
    shortest: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.trails += other.trails;
        self.shortened += other.shortened;
        self.shortest += other.shortest;
    }
}

/// The run must have had something to shorten, and budgets that suffice.
fn report(tally: &Tally) -> ExitCode {
    let Tally { trails, shortened, shortest } = *tally;
    say::note(&format!(
        "trails: {trails}, {shortened} of them shortened, {shortest} shown to be the shortest"
    ));
    if shortened * 10 < trails || shortest * 100 < trails * 98 {
        say::note("trails: one in ten to be shortened, and 98% shown to be the shortest, are asked for");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

fn decide_own(text: &str) -> Result<(), String> {
    decide(text, 0).map(drop)
}

fn decide(text: &str, _: u64) -> Result<Tally, String> {
    match load(Path::new("model.pml"), text.into(), &NoFiles, &[]).model {
        Some(model) => Ok(compare(&model, MAX_POSITIONS, Duration::from_secs(2))?.unwrap_or_default()),
        None => Ok(Tally::default()),
    }
}

/// The models of the corpus that have errors.
fn corpus() -> Vec<Trial> {
    let corpus = match Corpus::find() {
        Ok(corpus) => corpus,
        Err(why) => {
            say::skipped("trails", &why);
            return Vec::new();
        }
    };
    let is_large = std::env::var_os("STUBBORN_LARGE").is_some_and(|value| value == "1");
    let max_positions = if is_large { MAX_CORPUS[0] } else { MAX_CORPUS[1] };
    let has_errors = |row: &&table::Row| table::number(row, "raw_errors").is_some_and(|errors| errors > 0);
    if !is_large {
        say::note(&format!(
            "STUBBORN_LARGE=1 adds the models of the corpus with more than {max_positions} positions"
        ));
    }
    let rows = corpus.rows().iter().filter(has_errors);
    let trial = |row: &table::Row| {
        let name = table::text(row, "path").to_owned();
        let (path, told) = (corpus.path(&name), name.clone());
        Trial::test(name, move || {
            let model = front_end::read(&path).ok_or("it has errors")?;
            match compare(&model, max_positions, BUDGET)? {
                Some(tally) if tally.shortest < tally.trails => {
                    Err(format!("{} of {} trails are the shortest", tally.shortest, tally.trails).into())
                }
                Some(_) => Ok(()),
                None => {
                    if is_large {
                        say::note(&format!("trails: more than {max_positions} positions in {told}"));
                    }
                    Ok(())
                }
            }
        })
    };
    rows.map(trial).collect()
}

const SEARCHES: [(Order, Option<Guide>); 4] = [
    (Order::DepthFirst, None),
    (Order::BreadthFirst, None),
    (Order::BreadthFirst, Some(Guide::AStar)),
    (Order::BreadthFirst, Some(Guide::BestFirst)),
];

/// Shortens what each way of searching finds. None if the model is too large.
fn compare(model: &Model, max_positions: usize, budget: Duration) -> Result<Option<Tally>, String> {
    let Some(least) = shortest(model, max_positions) else { return Ok(None) };
    let mut tally = Tally::default();
    for (order, guide) in SEARCHES {
        for reduction in [Choice::Auto, Choice::Named(Reduction::None)] {
            let config = Config { order: Some(order), guide, reduction, ..Config::default() };
            let found = run(model, &config)?;
            let shortened = run(model, &Config { shorten: Some(budget), ..config })?;
            for ((found, shortened), least) in found.iter().zip(&shortened).zip(least) {
                let told = format!("{}, {order}, {guide:?}, {reduction:?}", found.property.name);
                tally += judge(found, shortened, least).map_err(|why| format!("{told}: {why}"))?;
            }
        }
    }
    Ok(Some(tally))
}

fn judge(found: &PropertyResult, shortened: &PropertyResult, least: Option<usize>) -> Result<Tally, String> {
    if (found.verdict == Verdict::Violated) != least.is_some() {
        return Err(format!("{}, but the shortest way is {least:?}", found.verdict));
    }
    if found.verdict != shortened.verdict {
        return Err(format!("{} without shortening, {} with it", found.verdict, shortened.verdict));
    }
    let (Some(before), Some(after)) = (&found.trail, &shortened.trail) else { return Ok(Tally::default()) };
    let (before, is_shortest, after) = (before.steps.len(), after.is_shortest, after.steps.len());
    let least = least.ok_or("a violation that there is no way to")?;
    if after > before || after < least || (is_shortest && after != least) {
        return Err(format!("{before} steps, shortened to {after} (shortest: {is_shortest}), of {least}"));
    }
    let (shortened, shortest) = (u64::from(after < before), u64::from(is_shortest));
    Ok(Tally { trails: 1, shortened, shortest })
}

/// Whether there are invalid end states, and failing assertions.
fn run(model: &Model, config: &Config) -> Result<Vec<PropertyResult>, String> {
    let properties: Vec<_> = properties(model).into_iter().filter(|p| p.claim.is_none()).take(2).collect();
    let job = Job { cancel: Arc::default(), progress: &mut |_| {} };
    let results = check(model, &properties, config, job).map_err(|refused| refused.to_string())?;
    match results.iter().find(|result| result.verdict == Verdict::Violated && result.trail.is_none()) {
        Some(_) => Err("a violation without a trail".to_owned()),
        None => Ok(results),
    }
}
