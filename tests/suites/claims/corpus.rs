//! Every claim in the corpus. What takes either of us too long is counted and listed.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use libtest_mimic::{Failed, Trial};
use stubborn_check::{Property, properties};
use stubborn_ir::Model;
use stubborn_tests::corpus::Corpus;
use stubborn_tests::exceptions::Exceptions;
use stubborn_tests::pan::{NO_CLAIM, Verifier};
use stubborn_tests::spin::{Options, Outcome};
use stubborn_tests::verdicts::{Agreement, compare, subject};
use stubborn_tests::{binary, front_end, say, table};

/// So many in a hundred must be decided, or the suite looks at too little.
const LEAST_DECIDED: usize = 50;

/// What came of the rows.
#[derive(Default)]
pub(crate) struct Tally {
    same: Mutex<usize>,
    /// Formulas with `X`, which Debian builds SPIN without.
    next: Mutex<usize>,
    /// Which, and why.
    undecided: Mutex<Vec<String>>,
}

impl Tally {
    /// Says what was decided and what was not; whether it is enough.
    pub(crate) fn report(&self) -> bool {
        let same = *self.same.lock().expect("no trial panics while it counts");
        let mut undecided = self.undecided.lock().expect("no trial panics while it counts").clone();
        undecided.sort();
        let next = *self.next.lock().expect("no trial panics while it counts");
        say::note(&format!(
            "claims of the corpus: {same} alike, {} undecided, {next} with X, which SPIN was built without",
            undecided.len()
        ));
        for row in &undecided {
            say::note(&format!("  undecided: {row}"));
        }
        let is_enough = same * 100 >= (same + undecided.len()) * LEAST_DECIDED;
        if !is_enough {
            say::note(&format!("claims of the corpus: {LEAST_DECIDED}% decided are asked for"));
        }
        is_enough
    }
}

/// What one search may take.
struct Means {
    pan: Options,
    time: &'static str,
    memory: usize,
}

fn means() -> Means {
    let is_large = std::env::var_os("STUBBORN_LARGE").is_some_and(|value| value == "1");
    match is_large {
        true => Means { pan: Options::large(), time: "600s", memory: 6000 },
        false => Means {
            pan: Options { depth: 400_000, hash: 20, time: Duration::from_millis(600), ..Options::small() },
            time: "600ms",
            memory: 1500,
        },
    }
}

/// One trial per model that has claims.
pub(crate) fn trials(tally: &Arc<Tally>) -> Vec<Trial> {
    let corpus = match Corpus::find() {
        Ok(corpus) => corpus,
        Err(why) => {
            say::skipped("claims of the corpus", &why);
            return Vec::new();
        }
    };
    let exceptions = Arc::new(Exceptions::of("claims"));
    let mut trials = Vec::new();
    let mut all = Vec::new();
    for row in corpus.rows() {
        let name = table::text(row, "path").to_owned();
        let path = corpus.path(&name);
        let Some(model) = front_end::read(&path) else { continue };
        let properties = claims(&model);
        if properties.is_empty() {
            continue;
        }
        let rows = properties.iter().flat_map(|p| [false, true].map(|is_fair| title(&name, p, is_fair)));
        all.extend(rows);
        let (tally, exceptions) = (tally.clone(), exceptions.clone());
        trials.push(Trial::test(name.clone(), move || agree(&name, &path, &properties, &tally, &exceptions)));
    }
    trials.push(Trial::test("exceptions are few and have reasons", move || Ok(exceptions.check(&all)?)));
    trials
}

fn claims(model: &Model) -> Vec<Property> {
    let mut all = properties(model);
    all.retain(|p| p.claim.is_some());
    all
}

fn title(model: &str, property: &Property, is_fair: bool) -> String {
    format!("{model} {}{}", property.name, if is_fair { " fair" } else { "" })
}

fn agree(
    name: &str,
    path: &Path,
    properties: &[Property],
    tally: &Tally,
    exceptions: &Exceptions,
) -> Result<(), Failed> {
    let means = means();
    let verifier = Verifier::of_file(path, &means.pan, means.memory)?;
    let mut failures = Vec::new();
    for property in properties {
        for is_fair in [false, true] {
            let title = title(name, property, is_fair);
            let agreement = decide(path, property, is_fair, verifier.as_ref(), &means);
            match agreement {
                Ok(Agreement::Undecided(why)) if why.contains(NO_CLAIM) => {
                    *tally.next.lock().expect("no trial panics while it counts") += 1;
                }
                Ok(Agreement::Undecided(why)) => {
                    let mut undecided = tally.undecided.lock().expect("no trial panics while it counts");
                    undecided.push(format!("{title}: {why}"));
                }
                Ok(Agreement::Same) => {
                    *tally.same.lock().expect("no trial panics while it counts") += 1;
                    failures.extend(exceptions.judge(&title, Ok(())).err());
                }
                Ok(Agreement::Different(difference)) | Err(difference) => {
                    failures.extend(exceptions.judge(&title, Err(format!("{title}: {difference}"))).err());
                }
            }
        }
    }
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n").into()) }
}

fn decide(
    path: &Path,
    property: &Property,
    is_fair: bool,
    verifier: Result<&Verifier, &Outcome>,
    means: &Means,
) -> Result<Agreement, String> {
    let subject = subject(&property.name, property.kind).ok_or("it is no claim")?;
    let verifier = match verifier {
        Ok(verifier) => verifier,
        Err(outcome) => return Ok(Agreement::Undecided(format!("{outcome:?}"))),
    };
    let memory = format!("{}M", means.memory);
    // Verdicts are compared; what becomes of long runs is another suite's.
    let mut more = vec!["--time", means.time, "--memory", &memory, "--shorten-budget", "100ms"];
    if is_fair {
        more.push("--fair");
    }
    let ours = binary::check(path, &property.name, &more)?;
    if let Some(why) = ours.shortage() {
        return Ok(Agreement::Undecided(why.to_owned()));
    }
    let theirs = verifier.decide(&subject, is_fair).map_err(|error| error.to_string())?;
    Ok(compare(&theirs, ours.verdict, &ours.reason))
}
