//! Counterexamples are shortened: the same kind of violation, never longer, and as short as can be wherever that
//! is claimed. On random models and on the models of the corpus that have errors; in every way to search for them.
//! So are runs that violate formulas, and trails of a hundred thousand steps.
//!
//! `STUBBORN_TRAIL_SEEDS` says how many models, `STUBBORN_TRAIL_START` the first. `STUBBORN_LARGE=1` adds the models
//! of the corpus that take longer than CI has.

mod long;
mod runs;

use std::ops::AddAssign;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use libtest_mimic::Trial;
use stubborn_check::{
    Choice, Config, GUIDES, Guide, HEURISTICS, HeuristicName, Job, Order, Property, PropertyKind,
    PropertyResult, Reduction, Verdict, check, properties,
};
use stubborn_ir::Model;
use stubborn_promela::load;
use stubborn_tests::campaign::Campaign;
use stubborn_tests::corpus::Corpus;
use stubborn_tests::reductions::NoFiles;
use stubborn_tests::shortest::shortest;
use stubborn_tests::suite::Suite;
use stubborn_tests::table;
use stubborn_tests::{front_end, say};

/// Larger models are left alone.
const MAX_POSITIONS: usize = 20_000;
/// Larger models of the corpus are left alone, and named; in CI, those that are larger than the second.
const MAX_CORPUS: [usize; 2] = [1_000_000, 5_000];
/// For each search.
const TIME: Duration = Duration::from_secs(5);
/// For each counterexample of a model of the corpus.
const BUDGET: Duration = Duration::from_secs(20);

pub(crate) fn suite() -> Suite {
    let campaign = Campaign { name: "TRAIL", seeds: 100, decide, decide_own, report };
    campaign.suite_with(corpus().into_iter().chain(long::trials()).collect())
}

/// What a run came to.
#[derive(Clone, Copy, Default)]
struct Tally {
    trails: u64,
    shortened: u64,
    shortest: u64,
    undecided: u64,
    runs: runs::Tally,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.trails += other.trails;
        self.shortened += other.shortened;
        self.shortest += other.shortest;
        self.undecided += other.undecided;
        self.runs.cycles += other.runs.cycles;
        self.runs.prefixes += other.runs.prefixes;
        self.runs.shortened += other.runs.shortened;
        self.runs.invariants += other.runs.invariants;
    }
}

/// The run must have had something to shorten, and budgets that suffice.
fn report(tally: &Tally) -> bool {
    let Tally { trails, shortened, shortest, undecided, runs } = *tally;
    say::note(&format!(
        "trails: {trails}, {shortened} of them shortened, {shortest} shown to be the shortest; ADFS and IDA* took too \
         long for {undecided} more"
    ));
    let runs::Tally { cycles, prefixes, shortened: runs_shortened, invariants } = runs;
    say::note(&format!(
        "trails: {cycles} runs with cycles, {prefixes} without, {runs_shortened} of them shortened; {invariants} invariants \
         decided with a direction"
    ));
    if invariants * 2 < cycles + prefixes {
        say::note("trails: one invariant to two runs is asked for");
        return false;
    }
    if cycles * 5 < prefixes || runs_shortened * 10 < cycles + prefixes {
        say::note("trails: one run with a cycle to five without, and one in ten shortened, are asked for");
        return false;
    }
    if shortened * 10 < trails || shortest * 100 < trails * 98 || undecided * 50 > trails {
        say::note(
            "trails: one in ten to be shortened, 98% shown to be the shortest, and 2% undecided are asked for",
        );
        return false;
    }
    true
}

fn decide_own(text: &str) -> Result<(), String> {
    decide(text, 0).map(drop)
}

fn decide(text: &str, seed: u64) -> Result<Tally, String> {
    let Some(model) = load(Path::new("model.pml"), text.into(), &NoFiles, &[]).model else {
        return Ok(Tally::default());
    };
    let tally = compare(&model, seed, MAX_POSITIONS, Duration::from_secs(2))?.unwrap_or_default();
    Ok(Tally { runs: runs::compare(&model, seed)?, ..tally })
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
            match compare(&model, 0, max_positions, BUDGET)? {
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

/// Every way to look for a violation.
fn searches() -> Vec<(Order, Option<Guide>, Option<HeuristicName>)> {
    let mut all = vec![(Order::DepthFirst, None, None), (Order::BreadthFirst, None, None)];
    for guide in GUIDES {
        all.push((Order::BreadthFirst, Some(guide), None));
        if guide.is_informed() {
            all.extend(HEURISTICS.map(|name| (Order::BreadthFirst, Some(guide), Some(name))));
        }
    }
    all
}

/// Shortens what each way of searching finds. None if the model is too large.
fn compare(
    model: &Model,
    seed: u64,
    max_positions: usize,
    budget: Duration,
) -> Result<Option<Tally>, String> {
    let Some(least) = shortest(model, max_positions) else { return Ok(None) };
    let mut tally = Tally::default();
    for (i, (order, guide, heuristic)) in searches().into_iter().enumerate() {
        // Each model is searched in some of the ways, and all ways are used on many models.
        if guide.is_some() && !(i as u64 + seed).is_multiple_of(6) {
            continue;
        }
        for reduction in [Choice::Auto, Choice::Named(Reduction::None)] {
            let time = Some(TIME);
            let config =
                Config { order: Some(order), guide, heuristic, reduction, time, ..Config::default() };
            for (property, least) in safety(model).iter().zip(least) {
                if heuristic.is_some_and(|name| !suits(name, property.kind)) {
                    continue;
                }
                let found = run(model, property, &config)?;
                let shortened = run(model, property, &Config { shorten: Some(budget), ..config.clone() })?;
                let is_undecided = |result: &PropertyResult| result.verdict == Verdict::Incomplete;
                if guide.is_some_and(enters_again) && (is_undecided(&found) || is_undecided(&shortened)) {
                    tally.undecided += 1;
                    continue;
                }
                let told = format!("{}, {order}, {guide:?}, {heuristic:?}, {reduction:?}", property.name);
                tally += judge(&found, &shortened, least).map_err(|why| format!("{told}: {why}"))?;
            }
        }
    }
    Ok(Some(tally))
}

/// Such a search may enter a state as often as there are lengths of ways to it.
fn enters_again(guide: Guide) -> bool {
    matches!(guide, Guide::Adfs | Guide::IdaStar)
}

fn suits(name: HeuristicName, kind: PropertyKind) -> bool {
    match kind {
        PropertyKind::Deadlock => name != HeuristicName::Formula,
        _ => name != HeuristicName::ActiveProcesses,
    }
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
    Ok(Tally { trails: 1, shortened, shortest, ..Tally::default() })
}

/// Whether there are invalid end states, and failing assertions.
fn safety(model: &Model) -> Vec<Property> {
    properties(model).into_iter().filter(|p| p.claim.is_none()).collect()
}

fn run(model: &Model, property: &Property, config: &Config) -> Result<PropertyResult, String> {
    let job = Job { cancel: Arc::default(), progress: &mut |_| {} };
    let results = check(model, std::slice::from_ref(property), config, job);
    let result = results.map_err(|refused| refused.to_string())?.remove(0);
    match result.verdict == Verdict::Violated && result.trail.is_none() {
        true => Err("a violation without a trail".to_owned()),
        false => Ok(result),
    }
}
