//! What reads texts in this process.

use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use stubborn_check::{Config, Job, Verdict, check, from_spin, properties, spin};
use stubborn_ide::Settings;
use stubborn_ide::settings::Written;
use stubborn_ir::Model;
use stubborn_languages::{LANGUAGES, Language, Loader, language_of};
use stubborn_ltl::{Language as Formulas, hoa, never_claim, parse};

use super::{Read, Target};
use crate::corpus::Corpus;
use crate::front_end::{self, count_errors_with, nowhere};
use crate::generate::{Features, generate};
use crate::mutate::{FORMULA, NUMBERS, SETTINGS, words};
use crate::{say, table, workspace};

/// What a text may take that is read only.
const SHORT: Duration = Duration::from_secs(2);
/// What a text may take that is searched for, too.
const LONG: Duration = Duration::from_secs(20);
/// No original is longer.
const LONGEST: usize = 60_000;

pub(super) fn targets() -> Vec<Target> {
    let models = models();
    let mut targets: Vec<Target> = LANGUAGES.iter().map(|language| texts(language, &models)).collect();
    targets.extend(LANGUAGES.iter().map(expressions));
    targets.push(property_files("helena properties", "ferry.lna", &["ferry.prop.lna"]));
    let contest: &[&str] = &["LTLFireability.xml", "ReachabilityCardinality.xml"];
    targets.push(property_files("pnml properties", "workshop/model.pnml", contest));
    targets.extend([formulas(), settings(), trails()]);
    targets
}

fn target(
    name: impl Into<String>,
    extension: &'static str,
    originals: Vec<String>,
    words: Vec<&'static str>,
    read: impl Read + 'static,
) -> Target {
    let read = Box::new(read);
    Target { name: name.into(), extension, most_time: SHORT, originals, words, invent: None, read }
}

/// Models that are shipped, and those of the corpus.
fn models() -> Vec<PathBuf> {
    let mut paths = workspace::models();
    paths.extend(workspace::examples());
    match Corpus::find() {
        Ok(corpus) => paths.extend(corpus.rows().iter().map(|row| corpus.path(table::text(row, "path")))),
        Err(why) => say::note(&format!("without the corpus: {why}")),
    }
    paths.sort();
    paths
}

fn texts(language: &'static Language, models: &[PathBuf]) -> Target {
    let own = models.iter().filter(|path| language_of(path).name == language.name);
    let texts = own.filter_map(|path| Some(String::from_utf8_lossy(&fs::read(path).ok()?).into_owned()));
    let originals = texts.filter(|text| text.len() < LONGEST).collect();
    let read = |text: &str| front_end::count_errors(&nowhere(language), text);
    let mut target = target(language.name, language.extensions[0], originals, words(language), read);
    if language.name == "promela" {
        target.invent = Some(|random| generate(random.bits(), Features::ALL).render());
    }
    target
}

/// Gives one text for each of some files.
struct Beside<'t> {
    files: &'t [&'t str],
    text: &'t str,
}

impl Loader for Beside<'_> {
    fn load(&self, includer: &Path, name: &str) -> Option<(PathBuf, Arc<str>)> {
        let is_it = self.files.contains(&name);
        is_it.then(|| (includer.with_file_name(name), self.text.into()))
    }
}

/// Properties in files beside a net that is as it should be.
fn property_files(name: &str, net: &str, files: &'static [&'static str]) -> Target {
    let folder = workspace::file("models").join(name.split(' ').next().unwrap_or_default());
    let path = folder.join(net);
    let text = |path: &Path| fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let net = text(&path);
    let originals = files.iter().map(|file| text(&path.with_file_name(file))).collect();
    let (language, extension) = (language_of(&path), files[0].rsplit('.').next().unwrap_or_default());
    target(name, extension, originals, words(language), move |text| {
        count_errors_with(&path, &net, &Beside { files, text })
    })
}

/// What stands after `--reach`, or is watched in a debugger.
fn expressions(language: &'static Language) -> Target {
    let (model, originals): (&str, &[&str]) = match language.name {
        "dve" => ("dve/two_locks.dve", &["Anna.both and Bruno.both", "ledger == 1 imply not (stamp < 1)"]),
        "helena" => {
            ("helena/ferry.lna", &["card(waiting) > 1", "forall (w in waiting | w->1 = 1)", "not true"])
        }
        "pnml" => ("pnml/workshop/model.pnml", &["hammer >= 1", "(saw + rests1 < 3) && !(works1 == 1)"]),
        _ => (
            "promela/peterson.pml",
            &["turn == 1 && inside == 2", "wants[0] || user[1]@L", "(wants[1] -> turn : -2) % 3 > 0"],
        ),
    };
    let path = workspace::file("models").join(model);
    let model = fs::read_to_string(&path).unwrap_or_default();
    let name = format!("{} expressions", language.name);
    let originals = originals.iter().map(|text| text.to_string()).collect();
    let mut words = words(language);
    words.extend(FORMULA);
    target(name, "txt", originals, words, move |text| {
        match language.expression(&path, &model, &front_end::Nothing, &[], text, None) {
            Ok(_) => 0,
            Err(bad) => {
                let range = bad.at.start..bad.at.end;
                assert!(text.get(range).is_some(), "{:?} is outside of the expression", bad.at);
                assert!(!bad.message.is_empty(), "an error without a message");
                1
            }
        }
    })
}

/// Formulas of the command line, made into automata.
fn formulas() -> Target {
    let originals = [
        "[] (p -> <> q)",
        "(p U (q V !r)) && X <> [] {x == 1}",
        "always (a implies eventually b) <-> (c W d)",
        "([]<>a -> []<>b) && (<>[]c || d U (e U f))",
    ];
    let mut formulas =
        target("formulas", "ltl", originals.map(str::to_owned).to_vec(), FORMULA.to_vec(), |text: &str| {
            let parsed = parse(text);
            for error in &parsed.errors {
                assert!(
                    text.get(error.range.clone()).is_some(),
                    "{:?} is outside of the formula",
                    error.range
                );
            }
            if !parsed.errors.is_empty() {
                return parsed.errors.len();
            }
            let start = Instant::now();
            let cancelled = || start.elapsed() > SHORT / 4;
            let Ok(mut language) = Formulas::of(&parsed.formula, &cancelled) else { return 1 };
            let Ok(automaton) = language.buchi() else { return 1 };
            let names: Vec<String> = parsed.propositions.iter().map(|text| text.to_string()).collect();
            assert!(
                !hoa(&automaton, text, &names).is_empty() && !never_claim(&automaton, "", &names).is_empty()
            );
            // What is written is a formula again.
            let again = parse(&parsed.formula.to_text(&names));
            assert!(again.errors.is_empty(), "{:?}", again.errors);
            0
        });
    formulas.most_time = LONG;
    formulas
}

/// The file `stubborn.toml`, and what it says as the editor's settings.
fn settings() -> Target {
    let originals = [
        "check = \"save\"\nmemory = 512\ntime = 5\nthreads = 2\nreduction = \"stubborn\"\nfair = true\nshorten = 0\n",
        "defines = [\"N=3\", \"X\", \"F=a=b\"]\nskip = [\"deadlock\", \"again\"]\nreduction = 'ample'\n",
    ];
    target("settings", "toml", originals.map(str::to_owned).to_vec(), SETTINGS.to_vec(), |text: &str| {
        let Ok(written) = stubborn_ide::settings::of_text(text) else { return 1 };
        let (settings, wrong) = Settings::from_written([&written, &Written::default()]);
        let _ = [true, false].map(|bounded| settings.config(bounded));
        wrong.len()
    })
}

/// Trails of SPIN's verifier, of a few models.
fn trails() -> Target {
    let names = ["broken_mutex.pml", "invalid_end_state.pml", "philosophers.pml", "alternating_bit.pml"];
    let read =
        |name: &str| front_end::read(&workspace::model(name)).unwrap_or_else(|| panic!("{name} has errors"));
    let models: Vec<Model> = names.iter().map(|name| read(name)).collect();
    let mut originals: Vec<String> = models.iter().flat_map(trails_of).collect();
    // As the verifier notes that it merged statements and had a claim.
    let noted: Vec<String> = originals.iter().map(|text| format!("-2:0:-2\n-4:-4:-4\n{text}")).collect();
    originals.extend(noted);
    let models = std::panic::AssertUnwindSafe(models);
    let mut trails = target("trails", "trail", originals, NUMBERS.to_vec(), move |text: &str| {
        let n_refused = Cell::new(0);
        for model in models.iter() {
            let config = Config { shorten: Some(Duration::from_millis(50)), ..Config::default() };
            let progress = &mut |_: &_| {};
            let job = Job { cancel: Arc::default(), progress };
            let answer = from_spin(model, text, &properties(model), &config, &job);
            n_refused.set(n_refused.get() + usize::from(answer.is_err()));
        }
        // One model or another may be the one that it is of.
        n_refused.get().saturating_sub(models.len() - 1)
    });
    trails.most_time = LONG;
    trails
}

/// Our own trails of what is wrong with a model.
fn trails_of(model: &Model) -> Vec<String> {
    let progress = &mut |_: &_| {};
    let job = Job { cancel: Arc::default(), progress };
    let config = Config { memory: 64 << 20, time: Some(LONG), ..Config::default() };
    let results = check(model, &properties(model), &config, job).unwrap_or_default();
    let violated = results.iter().filter(|result| result.verdict == Verdict::Violated);
    violated.filter_map(|result| Some(spin::export(model, result.trail.as_ref()?))).collect()
}
