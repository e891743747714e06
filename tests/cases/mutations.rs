//! Broken texts: no panic, no endless loop, and the errors of garbage in a time that grows as the garbage does.

use std::fs;
use std::panic;
use std::path::PathBuf;

use stubborn_languages::{LANGUAGES, Language, language_of};
use stubborn_tests::binary;
use stubborn_tests::corpus::Corpus;
use stubborn_tests::front_end;
use stubborn_tests::fuzz::{Bad, targets};
use stubborn_tests::generate::Random;
use stubborn_tests::mutate::{mutate, words};
use stubborn_tests::say;
use stubborn_tests::stopwatch::Stopwatch;
use stubborn_tests::table;
use stubborn_tests::workspace;

/// Broken versions of each file.
const VERSIONS: usize = 25;
/// No text of the size of these files should take longer on a processor, however slow an unoptimised build is: in
/// seconds.
const MOST_TIME: f64 = 10.0;

fn attack(files: &[PathBuf]) {
    let mut n_texts = 0;
    for (file_idx, path) in files.iter().enumerate() {
        let original = String::from_utf8_lossy(&fs::read(path).unwrap_or_default()).into_owned();
        let words = words(language_of(path));
        for version in 0..VERSIONS {
            let mut random = Random::new((file_idx * VERSIONS + version) as u64);
            let n_changes = 1 + random.below(6);
            let text = mutate(&original, &words, &mut random, n_changes);
            let watch = Stopwatch::start();
            let result = panic::catch_unwind(|| front_end::count_errors(path, &text));
            let time = watch.seconds();
            let name = path.display();
            assert!(result.is_ok(), "panics on version {version} of {name}:\n{text}");
            assert!(time < MOST_TIME, "takes {time} s for version {version} of {name}:\n{text}");
            n_texts += 1;
        }
    }
    say::note(&format!("mutations: {n_texts} broken texts"));
}

#[test]
fn own_models_broken() {
    attack(&workspace::models());
}

#[test]
fn corpus_broken() {
    match Corpus::find() {
        Ok(corpus) => {
            let names = corpus.rows().iter().map(|row| corpus.path(table::text(row, "path")));
            attack(&names.collect::<Vec<_>>());
        }
        Err(why) => say::skipped("mutations of the corpus", &why),
    }
}

/// Broken versions of what each of the other readers reads; of whole sessions fewer, since each is a process.
const OTHERS: usize = 150;
const SESSIONS: usize = 20;

#[test]
fn other_readers_broken() {
    for target in targets() {
        // These are read above.
        if LANGUAGES.iter().any(|language| language.name == target.name) {
            continue;
        }
        let name = &target.name;
        if let Some(Bad { text, why }) = target.try_originals().first() {
            panic!("{name}: {why}, as it is:\n{text}");
        }
        let mut campaign = target.campaign(7);
        let is_session = name == "language server" || name == "debug adapter";
        for _ in 0..if is_session { SESSIONS } else { OTHERS } {
            if let Err(Bad { text, why }) = campaign.step() {
                panic!("{name}: {why}:\n{text}");
            }
        }
    }
}

/// What begins much and ends nothing.
fn openings(language: &Language) -> &'static str {
    match language.name {
        "dve" => "process P { state a; trans a -> b { guard ( x [ \n",
        "helena" => "n { place p { dom : transition t { in { p : <( f ( [ { \n",
        "pnml" => "<pnml><net id=\"n\"><page><place id=\"p\"><name><text>\n",
        _ => "do :: if { ( proctype P() {\n",
    }
}

/// So many bytes that no parser likes, in three flavours.
fn garbage(language: &Language, flavour: usize, n_bytes: usize) -> Vec<u8> {
    let mut random = Random::new(flavour as u64);
    let mut bytes = Vec::with_capacity(n_bytes + 64);
    let words = words(language);
    while bytes.len() < n_bytes {
        match flavour {
            0 => bytes.push(random.below(256) as u8),
            1 => bytes.extend(format!("{} ", random.pick(&words).expect("there are words")).bytes()),
            _ => bytes.extend(openings(language).bytes()),
        }
    }
    bytes.truncate(n_bytes);
    bytes
}

#[test]
fn garbage_gets_its_errors() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    for (language, flavour) in LANGUAGES.iter().flat_map(|language| (0..3).map(move |i| (language, i))) {
        let name = format!("garbage-{flavour}.{}", language.extensions[0]);
        let path = directory.path().join(&name);
        fs::write(&path, garbage(language, flavour, 5_000_000)).expect("a writable directory");
        let answer = binary::run(["explore", &*path.to_string_lossy(), "--format", "json"]);
        assert_eq!(answer.status, Some(2), "{name} must be rejected");
        assert!(answer.is_orderly(), "{name}: {}", answer.errors.chars().take(2000).collect::<String>());
    }
}

/// How much longer ten times as much may take, in time on a processor. Twice what it should, and more for a machine
/// whose other programs are in the way; a hundred is what it would be if every part were looked at for every other.
const MOST_GROWTH: f64 = 25.0;

#[test]
fn errors_of_ten_times_as_much_garbage_take_ten_times_as_long() {
    for (language, flavour) in LANGUAGES.iter().flat_map(|language| (0..3).map(move |i| (language, i))) {
        let name = format!("{} {flavour}", language.name);
        let [some, much] = [200_000, 2_000_000].map(|n_bytes| {
            let text = String::from_utf8_lossy(&garbage(language, flavour, n_bytes)).into_owned();
            let time = || {
                let watch = Stopwatch::start();
                assert!(front_end::has_errors(language, &text), "garbage {name} must be rejected");
                watch.seconds()
            };
            (0..3).map(|_| time()).fold(f64::INFINITY, f64::min)
        });
        let growth = much / some.max(0.02);
        assert!(growth < MOST_GROWTH, "garbage {name}: {some} s, and {much} s for ten times as much");
    }
}
