//! Trails across the border: SPIN follows ours to the same end, and we follow its verifier's.
//!
//! On random models, the models shipped here and the models of the corpus that have errors.
//! `STUBBORN_SPIN_SEEDS` says how many random models, `STUBBORN_SPIN_START` the first. A few trails of the
//! verifier are followed, because it has to be compiled for each; `STUBBORN_LARGE=1` follows all.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use libtest_mimic::{Failed, Trial};
use stubborn_check::{
    Config, Job, NotATrail, Order, PropertyKind, PropertyResult, Trail, TrailStep, Verdict, check, from_spin,
    properties, select, spin as trails,
};
use stubborn_ir::{Interpreter, LocationId, Model, Move, Value, Violation};
use stubborn_promela::load;
use stubborn_tests::corpus::Corpus;
use stubborn_tests::environment::variable;
use stubborn_tests::exceptions::Exceptions;
use stubborn_tests::generate::{Budget, Features, generate, shrink};
use stubborn_tests::guided::{Desk, Followed};
use stubborn_tests::merged::{Merged, Merging};
use stubborn_tests::reductions::NoFiles;
use stubborn_tests::shallowest::shallowest;
use stubborn_tests::suite::Suite;
use stubborn_tests::{front_end, say, spin, table, workspace};

const BATCH: u64 = 20;
/// So many random models in a hundred, at least, have a trail.
const LEAST_TRAILS: u64 = 30;
/// One in so many random models, and of the corpus, is verified by SPIN too.
const VERIFIED: u64 = 25;

#[derive(Default)]
struct Tally {
    exported: AtomicU64,
    imported: AtomicU64,
    /// Trails in which a bit is larger than 1 where SPIN's simulator does not let it.
    overflown: AtomicU64,
}

pub(crate) fn suite() -> Suite {
    if !spin::is_available() {
        say::skipped("spin_trails", "spin and gcc are needed");
        return Suite::of(Vec::new());
    }
    let seeds = variable("STUBBORN_SPIN_SEEDS").unwrap_or(60);
    let start = variable("STUBBORN_SPIN_START").unwrap_or(0);
    let tally = Arc::new(Tally::default());
    let mut trials = Vec::new();
    for first in (start..start + seeds).step_by(BATCH as usize) {
        let last = (first + BATCH).min(start + seeds);
        let tally = tally.clone();
        trials.push(Trial::test(format!("seeds {first}..{last}"), move || batch(first, last, &tally)));
    }
    let exceptions = Arc::new(Exceptions::of("spin_trails"));
    let files: Vec<(String, PathBuf, bool)> = own().into_iter().chain(corpus()).collect();
    let names: Vec<String> = files.iter().map(|(name, ..)| name.clone()).collect();
    trials.extend(files.into_iter().map(|(name, path, is_verified)| {
        let (tally, exceptions) = (tally.clone(), exceptions.clone());
        Trial::test(name.clone(), move || {
            let model = front_end::read(&path).ok_or("it has errors")?;
            let desk = Desk::with_file(&path).map_err(|error| error.to_string())?;
            Ok(exceptions.judge(&name, decide(&model, &desk, is_verified, &Bits::default(), &tally))?)
        })
    }));
    trials.push(Trial::test("exceptions are few and have reasons", move || Ok(exceptions.check(&names)?)));
    trials.push(Trial::test("as long as SPIN says", as_long_as_spin_says));
    Suite::with_report(trials, move || is_enough(&tally, seeds))
}

/// Trails have to have been followed.
fn is_enough(tally: &Tally, seeds: u64) -> bool {
    let [exported, imported, overflown] =
        [&tally.exported, &tally.imported, &tally.overflown].map(|n| n.load(Ordering::Relaxed));
    say::note(&format!(
        "spin_trails: SPIN followed {exported} trails of ours, we followed {imported} of its; in {overflown} more, \
         bits are larger than its simulator lets them be"
    ));
    if overflown * 10 > exported {
        say::note("spin_trails: too many bits are too large");
        return false;
    }
    if exported * 100 < seeds * LEAST_TRAILS || imported * 2 * VERIFIED < seeds {
        say::note("spin_trails: too few trails");
        return false;
    }
    true
}

fn is_large() -> bool {
    std::env::var_os("STUBBORN_LARGE").is_some_and(|value| value == "1")
}

fn batch(first: u64, last: u64, tally: &Tally) -> Result<(), Failed> {
    let mut failures = Vec::new();
    for seed in first..last {
        let model = generate(seed, Features::ALL);
        let is_verified = is_large() || seed.is_multiple_of(VERIFIED);
        let decide = |text: &str| decide_text(text, is_verified, tally);
        if let Err(why) = decide(&model.render()) {
            let budget = Budget { attempts: 500, time: Duration::from_secs(60) };
            let small = match failures.is_empty() {
                true => shrink(model, budget, |text| decide(text).is_err()).render(),
                false => model.render(),
            };
            failures.push(format!("seed {seed}: {why}\nnow {:?}\n{small}", decide(&small)));
        }
    }
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n").into()) }
}

/// Bits in arrays, in structures and in messages, which SPIN's verifier takes for bytes, as we do, and its simulator
/// for bits: so the simulator cannot follow a trail in which one of them becomes larger than 1.
#[derive(Default)]
struct Bits {
    /// Words of the lines that declare some.
    names: BTreeSet<String>,
}

impl Bits {
    fn of(text: &str) -> Bits {
        let words = |line: &str| -> Vec<String> {
            line.split(|c: char| !c.is_alphanumeric() && c != '_').map(str::to_owned).collect()
        };
        let declares = |line: &&str| {
            let is_bit = words(line).iter().any(|word| word == "bit" || word == "bool");
            is_bit && (line.contains('[') || line.contains("typedef"))
        };
        let names = text.lines().filter(declares).flat_map(words);
        Bits { names: names.filter(|word| word.starts_with(|c: char| c.is_alphabetic())).collect() }
    }

    /// Whether a trail may have one that is larger than 1: it becomes so in some step, is handed over in a rendezvous,
    /// or may have been so within a `d_step`.
    fn may_overflow(&self, trail: &Trail) -> bool {
        let is_large = |value: &str| {
            value
                .split(|c: char| !c.is_ascii_digit())
                .any(|digits| digits.parse::<u32>().is_ok_and(|n| n > 1))
        };
        let overflows = |step: &TrailStep| {
            step.partner.is_some()
                || step.mover.text.starts_with("d_step")
                || step.changes.iter().any(|change| {
                    let mut words = change.name.split(|c: char| !c.is_alphanumeric() && c != '_');
                    let is_of_bits = words.any(|word| self.names.contains(word));
                    is_of_bits && (change.to.to_string().contains('-') || is_large(&change.to.to_string()))
                })
        };
        !self.names.is_empty() && trail.steps.iter().any(overflows)
    }
}

fn decide_text(text: &str, is_verified: bool, tally: &Tally) -> Result<(), String> {
    let Some(model) = load(Path::new("model.pml"), text.into(), &NoFiles, &[]).model else { return Ok(()) };
    let desk = Desk::with_text(text).map_err(|error| error.to_string())?;
    decide(&model, &desk, is_verified, &Bits::of(text), tally)
}

/// The models that are shipped, with their places; whether SPIN verifies them too.
fn own() -> Vec<(String, PathBuf, bool)> {
    let tables = ["expected.tsv", "claims/expected.tsv"].map(|name| table::read(&workspace::model(name)));
    let rows = tables.into_iter().flat_map(|table| table.expect("it is shipped with the models"));
    let mut names: Vec<String> = rows.map(|row| table::text(&row, "path").to_owned()).collect();
    names.sort();
    names.dedup();
    let n_verified = if is_large() { 1 } else { 6 };
    let places = names.into_iter().enumerate();
    places.map(|(i, name)| (name.clone(), workspace::model(&name), i.is_multiple_of(n_verified))).collect()
}

/// The models of the corpus that have errors.
fn corpus() -> Vec<(String, PathBuf, bool)> {
    let corpus = match Corpus::find() {
        Ok(corpus) => corpus,
        Err(why) => {
            say::skipped("spin_trails", &why);
            return Vec::new();
        }
    };
    let has_errors = |row: &&table::Row| table::number(row, "raw_errors").is_some_and(|errors| errors > 0);
    let names = corpus.rows().iter().filter(has_errors).map(|row| table::text(row, "path"));
    let n_verified = if is_large() { 1 } else { 5 };
    names
        .enumerate()
        .map(|(i, name)| (name.to_owned(), corpus.path(name), i.is_multiple_of(n_verified)))
        .collect()
}

fn decide(model: &Model, desk: &Desk, is_verified: bool, bits: &Bits, tally: &Tally) -> Result<(), String> {
    let mut is_violated = false;
    for property in properties(model) {
        // Shortest and found deep down, without a cycle and with one.
        for order in [Order::BreadthFirst, Order::DepthFirst] {
            let limits = (Some(Duration::from_secs(5)), 400 << 20);
            let config = Config { order: Some(order), time: limits.0, memory: limits.1, ..Config::default() };
            let Ok(results) = check(model, std::slice::from_ref(&property), &config, job()) else { continue };
            for result in &results {
                is_violated |= result.verdict == Verdict::Violated;
                let Some(trail) = result.trail.as_ref().filter(|trail| !trail.steps.is_empty()) else {
                    continue;
                };
                match exported(model, desk, result) {
                    Ok(()) => tally.exported.fetch_add(1, Ordering::Relaxed),
                    Err(_) if bits.may_overflow(trail) => tally.overflown.fetch_add(1, Ordering::Relaxed),
                    Err(why) => return Err(format!("{}, {order}: {why}", property.name)),
                };
            }
        }
    }
    if is_verified {
        let n = imported(model, desk, is_violated)?;
        tally.imported.fetch_add(n, Ordering::Relaxed);
    }
    Ok(())
}

/// Statements that SPIN merges: local ones, in an atomic sequence all but those that wait; none with a `run`.
const MERGED: &str = "chan c = [0] of { byte }; byte x;
    proctype P(byte n) { byte a, b; a = n; b = a + 1; c!b; x = b; b = 0 }
    init {
        byte i, r;
        atomic { do :: i < 2 -> run P(i); i++ :: i == 2 -> break od };
        c?r; r = r + 1; c?r;
        assert(x == 7)
    }";

/// The shortest trail, counted as SPIN merges statements, is as deep as its verifier finds an error breadth-first.
fn as_long_as_spin_says() -> Result<(), Failed> {
    let time = Duration::from_secs(60);
    let model = load(Path::new("model.pml"), MERGED.into(), &NoFiles, &[]).model.ok_or("it has errors")?;
    let assertions = select(&model, &["assertions".to_owned()]).map_err(|unknown| unknown.to_string())?;
    let results = check(&model, &assertions, &Config::default(), job()).map_err(|why| why.to_string())?;
    let trail = results[0].trail.as_ref().ok_or("nothing fails")?;
    let merging = Merging::of(MERGED, time).ok_or("SPIN does not list its transitions")?;
    let merged = merging.length(&model, trail, false)?;
    // Where the assertion is, a step before it fails.
    let depth = shallowest(MERGED, true, time).ok_or("SPIN finds nothing")? as usize + 1;
    match merged == (Merged { now: depth, once: depth - 2 }) && depth < trail.steps.len() {
        true => Ok(()),
        false => Err(format!("{} statements are {merged:?}, SPIN says {depth}", trail.steps.len()).into()),
    }
}

fn job() -> Job<'static> {
    Job { cancel: Arc::default(), progress: Box::leak(Box::new(|_: &_| {})) }
}

/// SPIN follows a trail of ours to its end, and ends where we do. What it takes back in is the same run.
fn exported(model: &Model, desk: &Desk, result: &PropertyResult) -> Result<(), String> {
    let trail = result.trail.as_ref().ok_or("a violation without a trail")?;
    let text = trails::export(model, trail);
    let back =
        trails::import(model, &text).map_err(|error| format!("we do not follow it: {error}\n{text}"))?;
    let moves: Vec<_> = trail.steps.iter().map(|step| step.made).collect();
    if [back.prefix, back.cycle].concat() != moves {
        return Err(format!("it is another run when it is read again\n{text}"));
    }
    let followed = desk.follow(&text).map_err(|error| error.to_string())?;
    let is_error = matches!(trail.violation, Violation::Error(_));
    // A step that does something undefined fails in SPIN too.
    let complaint = followed.complaints.iter().find(|(line, _)| !is_error || *line < followed.last_step);
    if let Some((_, complaint)) = complaint {
        return Err(format!("SPIN does not follow it: {complaint}\n{text}"));
    }
    if is_error {
        return Ok(());
    }
    if matches!(trail.violation, Violation::FailedAssertion(_)) && !followed.fails {
        return Err(format!("no assertion fails in SPIN\n{text}"));
    }
    let hides = desk.hides().map_err(|error| error.to_string())?;
    same_end(model, &moves, &followed, hides).map_err(|why| format!("{why}\n{text}"))
}

/// Where the processes are at the end, and what the global variables are: those that are plain, for SPIN's
/// simulator lets fields of structures have values that are too large for them.
fn same_end(model: &Model, moves: &[Move], followed: &Followed, hides: bool) -> Result<(), String> {
    let mut interpreter = Interpreter::new(model);
    let mut state = interpreter.initial().map_err(|kind| kind.to_string())?;
    let mut holder = None;
    for made in moves {
        let offered = interpreter.enabled_steps(&state, holder);
        let layout = interpreter.layout();
        let (step, _) =
            offered.into_iter().find(|(step, _)| layout.move_of(step) == *made).ok_or("no move")?;
        holder = interpreter.apply(&mut state, &step).map_err(|kind| kind.to_string())?.holder;
    }
    let layout = interpreter.layout();
    for (id, instance) in layout.instances().filter(|&(id, _)| layout.is_alive(&state, id)) {
        let process = &model.processes[instance.process];
        let at = LocationId((layout.instance(id).location.read(&state) - 1) as u16);
        // The simulator shows a process behind a jump where it has yet to make it.
        let mut leaving = process.location(at).transition_ids().map(|t| &model.transitions[t].origin.text);
        if leaving.all(|text| text.starts_with("goto ") || text == "break") {
            continue;
        }
        let (ours, theirs) = (process.location(at).number, followed.states.get(&instance.pid));
        if theirs != Some(&ours) {
            return Err(format!(
                "{}({}) ends in state {ours}, SPIN says {theirs:?}",
                process.name, instance.pid
            ));
        }
    }
    let n_alive = layout.instances().filter(|&(id, _)| layout.is_alive(&state, id)).count();
    if n_alive != followed.states.len() {
        return Err(format!("{n_alive} processes at the end, SPIN says {}", followed.states.len()));
    }
    for valued in layout.values(model, &state).iter().filter(|v| !hides && !v.name.contains(['.', '['])) {
        let Value::Number(number) = &valued.value else { continue };
        let Some(theirs) = followed.globals.get(valued.name.as_str()) else { continue };
        if theirs.parse() != Ok(*number) {
            return Err(format!("{} = {number} at the end, SPIN says {theirs}", valued.name));
        }
    }
    Ok(())
}

/// We follow the trails of SPIN's verifier: with and without merged statements, of runs that end and of runs that
/// do not. How many.
fn imported(model: &Model, desk: &Desk, is_violated: bool) -> Result<u64, String> {
    let has_cycles = properties(model).iter().any(|property| property.claim.is_some());
    let ways: [(&[&str], &[&str], &[&str]); 3] = [
        (&[], &[], &["-m100000"]),
        (&["-o3"], &["-DNOREDUCE"], &["-m100000"]),
        (&[], &[], &["-a", "-m100000"]),
    ];
    let mut n = 0;
    for (spin, compiler, pan) in &ways[..if has_cycles { 3 } else { 2 }] {
        let trail = desk.verify(spin, compiler, pan).map_err(|error| error.to_string())?;
        let Some(trail) = trail else { continue };
        let told = format!("the trail of spin {spin:?}, gcc {compiler:?}, pan {pan:?}");
        let result = from_spin(model, &trail, &properties(model), &Config::default(), &job());
        let result = match result {
            // The verifier is wrong about some traces and claims; whose verdict is right is for other suites.
            Err(NotATrail::NoViolation) if !is_violated => continue,
            result => result.map_err(|error| format!("{told}: {error}\n{trail}"))?,
        };
        if result.verdict != Verdict::Violated {
            return Err(format!("{told}: {:?}\n{trail}", result.reason));
        }
        if result.property.kind == PropertyKind::Deadlock && trail.contains("-1:-1:-1") {
            return Err(format!("{told}: a cycle is no deadlock\n{trail}"));
        }
        n += 1;
    }
    Ok(n)
}
