//! Random claims about random models.
//!
//! Each model has a few formulas, since the C compiler takes most of the time, or a trace, or a never claim, or
//! accept and progress labels.
//! We decide with and without reduction, by components and by nested search. A difference is made smaller
//! before it is shown.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use libtest_mimic::{Failed, Trial};
use stubborn_check::{
    Choice, Config, Cycles, Job, Property, PropertyResult, Reduction, Verdict, check, properties,
};
use stubborn_ir::Model;
use stubborn_promela::load;
use stubborn_tests::environment::variable;
use stubborn_tests::generate::{
    Budget, Features, Random, Stated, generate, never, shrink, tangle, trace, with_labels,
};
use stubborn_tests::graph::Graph;
use stubborn_tests::pan::Verifier;
use stubborn_tests::reductions::NoFiles;
use stubborn_tests::say;
use stubborn_tests::spin::Options;
use stubborn_tests::verdicts::{Agreement, compare, oversight, subject};

const BATCH: u64 = 10;
/// Larger state graphs are left alone.
const MAX_STATES: usize = 3000;
/// Formulas about one model.
const FORMULAS: usize = 5;
/// Megabytes for `pan`.
const MEMORY: usize = 500;

/// What the models came to.
#[derive(Clone, Copy, Default)]
struct Counts {
    alike: usize,
    violated: usize,
    undecided: usize,
    /// Violations that `pan` is known to overlook.
    overlooked: usize,
    /// Models that SPIN refuses, or that are too large.
    discarded: usize,
}

/// Counts of all batches.
#[derive(Default)]
pub(crate) struct Tally(Mutex<Counts>);

impl Tally {
    fn add(&self, counts: Counts) {
        let mut all = self.0.lock().expect("no trial panics while it counts");
        all.alike += counts.alike;
        all.violated += counts.violated;
        all.undecided += counts.undecided;
        all.overlooked += counts.overlooked;
        all.discarded += counts.discarded;
    }

    /// Says what was decided; whether it is enough to have looked at.
    pub(crate) fn report(&self) -> bool {
        let Counts { alike, violated, undecided, overlooked, discarded } =
            *self.0.lock().expect("no trial panics while it counts");
        say::note(&format!(
            "random claims: {alike} alike, {violated} of them violated; {undecided} undecided, {overlooked} \
             overlooked by pan, {discarded} models discarded"
        ));
        let is_balanced = violated * 100 >= alike * 20 && violated * 100 <= alike * 80;
        let is_enough = is_balanced && (undecided + overlooked) * 10 <= alike;
        if !is_enough {
            say::note("random claims: 20% to 80% violated, and nine in ten decided, are asked for");
        }
        is_enough
    }
}

/// One trial per batch of seeds.
pub(crate) fn trials(tally: &Arc<Tally>) -> Vec<Trial> {
    let seeds: u64 = variable("STUBBORN_CLAIM_SEEDS").unwrap_or(20);
    let start: u64 = variable("STUBBORN_CLAIM_START").unwrap_or(0);
    let mut trials = Vec::new();
    for first in (start..start + seeds).step_by(BATCH as usize) {
        let last = (first + BATCH).min(start + seeds);
        let tally = tally.clone();
        trials.push(Trial::test(format!("seeds {first}..{last}"), move || batch(first, last, &tally)));
    }
    trials
}

fn batch(first: u64, last: u64, tally: &Tally) -> Result<(), Failed> {
    let mut failures = Vec::new();
    for seed in first..last {
        match one(seed, failures.is_empty()) {
            Ok(counts) => tally.add(counts),
            Err(why) => failures.push(format!("seed {seed}: {why}")),
        }
    }
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n").into()) }
}

/// Compares on the model of a seed; the error shows a difference.
fn one(seed: u64, shrinks: bool) -> Result<Counts, String> {
    let mut random = Random::new(seed ^ 0xc1a1);
    let tree = (!seed.is_multiple_of(2)).then(|| generate(seed, Features::ALL));
    let text = tree.as_ref().map_or_else(|| tangle(seed), |tree| tree.render());
    let discarded = Counts { discarded: 1, ..Counts::default() };
    let kind = random.below(12);
    if kind < 5 {
        let Some(model) = read(&text) else { return Ok(discarded) };
        let observer = match kind {
            0..3 => trace(&model, &mut random),
            _ => match Graph::build(&model, MAX_STATES) {
                Some(graph) => never(&model, &graph, &text, &mut random),
                None => return Ok(discarded),
            },
        };
        return compare_text(&(text.clone() + &observer)).map_err(|difference| {
            let differs = |text: &str| compare_text(&(text.to_owned() + &observer)).is_err();
            match tree.filter(|_| shrinks) {
                Some(tree) => show(&(shrink(tree, budget(), differs).render() + &observer)),
                None => format!("{difference}\n{text}{observer}"),
            }
        });
    }
    if kind < 7 {
        let labels = random.clone();
        let renamed = |text: &str| with_labels(text, &mut labels.clone());
        return compare_text(&renamed(&text)).map_err(|difference| {
            let differs = |text: &str| compare_text(&renamed(text)).is_err();
            match tree.filter(|_| shrinks) {
                Some(tree) => show(&renamed(&shrink(tree, budget(), differs).render())),
                None => format!("{difference}\n{}", renamed(&text)),
            }
        });
    }
    let Some(model) = read(&text) else { return Ok(discarded) };
    let Some(graph) = Graph::build(&model, MAX_STATES) else { return Ok(discarded) };
    let formulas: Vec<Stated> =
        (0..FORMULAS).map(|_| Stated::random(&model, &graph, &text, &mut random)).collect();
    let mut whole = text.clone();
    for (i, formula) in formulas.iter().enumerate() {
        whole += &formula.block(&format!("f{i}"));
    }
    compare_text(&whole).map_err(|difference| {
        if !shrinks {
            return format!("{difference}\n{whole}");
        }
        let with = |text: &str, formula: &Stated| format!("{text}{}", formula.block("f"));
        let differs = |formula: &Stated| compare_text(&with(&text, formula)).is_err();
        let Some(mut formula) = formulas.into_iter().find(differs) else {
            return format!("only together: {difference}\n{whole}");
        };
        while let Some(smaller) = formula.smaller().into_iter().find(differs) {
            formula = smaller;
        }
        let differs = |text: &str| compare_text(&with(text, &formula)).is_err();
        let text = tree.map_or(text.clone(), |tree| shrink(tree, budget(), differs).render());
        show(&with(&text, &formula))
    })
}

fn budget() -> Budget {
    let seconds = variable("STUBBORN_CLAIM_SHRINK").unwrap_or(90);
    Budget { attempts: 20 * seconds as usize, time: Duration::from_secs(seconds) }
}

fn show(text: &str) -> String {
    format!("{}\n{text}", compare_text(text).err().unwrap_or_default())
}

fn read(text: &str) -> Option<Model> {
    load(Path::new("model.pml"), text.into(), &NoFiles, &[]).model
}

/// Compares on every claim of a model, fair and not; the error tells the first difference.
fn compare_text(text: &str) -> Result<Counts, String> {
    let discarded = Counts { discarded: 1, ..Counts::default() };
    let Some(model) = read(text) else { return Ok(discarded) };
    let claims: Vec<Property> = properties(&model).into_iter().filter(|p| p.claim.is_some()).collect();
    if claims.is_empty() || Graph::build(&model, MAX_STATES).is_none() {
        return Ok(discarded);
    }
    let options = Options { depth: 60_000, ..Options::small() };
    let Ok(Ok(verifier)) = Verifier::of_text(text, &options, MEMORY) else { return Ok(discarded) };
    let mut counts = Counts::default();
    for property in &claims {
        let Some(subject) = subject(&property.name, property.kind) else { continue };
        for is_fair in [false, true] {
            let theirs = verifier.decide(&subject, is_fair).map_err(|error| error.to_string())?;
            let agreements = ways(is_fair).into_iter().map(|way| {
                let result = ours(&model, property, &way)?;
                let told = format!(
                    "{}, fair: {is_fair}, {:?}, {:?}, {} threads",
                    property.name, way.reduction, way.cycles, way.threads
                );
                let oversight = oversight(&model, &verifier, &theirs, &result, is_fair);
                if oversight.map_err(|error| error.to_string())?.is_some() {
                    return Ok(Some(None));
                }
                match compare(&theirs, result.verdict, result.reason.as_deref().unwrap_or_default()) {
                    Agreement::Different(difference) => Err(format!("{told}: {difference}")),
                    Agreement::Undecided(_) => Ok(None),
                    Agreement::Same => Ok(Some(Some(result.verdict))),
                }
            });
            match agreements.collect::<Result<Option<Vec<Option<Verdict>>>, String>>()? {
                Some(verdicts) if verdicts.contains(&None) => counts.overlooked += 1,
                Some(verdicts) => {
                    counts.alike += 1;
                    counts.violated += usize::from(verdicts.contains(&Some(Verdict::Violated)));
                }
                None => counts.undecided += 1,
            }
        }
    }
    Ok(counts)
}

/// Weak fairness is decided by components alone, and without reduction.
fn ways(is_fair: bool) -> Vec<Config> {
    let both = [Cycles::Components, Cycles::Nested];
    let cycles = if is_fair { &both[..1] } else { &both[..] };
    let reductions = [Choice::Auto, Choice::Named(Reduction::None)];
    let pairs = reductions.into_iter().flat_map(|reduction| cycles.iter().map(move |&c| (reduction, c)));
    let alone = pairs.map(|(reduction, cycles)| Config { reduction, cycles, is_fair, ..Config::default() });
    // Several threads look for cycles in a way of their own, fairness apart.
    let together = reductions.into_iter().zip([2, 3]).filter(|_| !is_fair);
    let together = together.map(|(reduction, threads)| Config { reduction, threads, ..Config::default() });
    alone.chain(together).collect()
}

fn ours(model: &Model, property: &Property, config: &Config) -> Result<PropertyResult, String> {
    let job = Job { cancel: Arc::default(), progress: &mut |_| {} };
    let results = check(model, std::slice::from_ref(property), config, job);
    Ok(results.map_err(|refused| refused.to_string())?.remove(0))
}
