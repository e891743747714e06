//! Broken texts: no panic, no endless loop, and the errors of five megabytes of garbage within two seconds.

use std::fs;
use std::panic;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use stubborn_tests::binary;
use stubborn_tests::corpus::Corpus;
use stubborn_tests::front_end;
use stubborn_tests::generate::Random;
use stubborn_tests::mutate::{WORDS, mutate};
use stubborn_tests::say;
use stubborn_tests::table;
use stubborn_tests::workspace;

/// Broken versions of each file.
const VERSIONS: usize = 25;
/// No text of the size of these files should take longer. Unoptimised builds are slow, and machines busy.
const MOST_TIME: Duration = Duration::from_secs(10);

fn own_files() -> Vec<PathBuf> {
    let folder = workspace::file("models/promela");
    let entries = fs::read_dir(folder).expect("the project ships models");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "pml"));
    files.sort();
    files
}

fn attack(files: &[PathBuf]) {
    let mut n_texts = 0;
    for (file_idx, path) in files.iter().enumerate() {
        let original = String::from_utf8_lossy(&fs::read(path).unwrap_or_default()).into_owned();
        for version in 0..VERSIONS {
            let mut random = Random::new((file_idx * VERSIONS + version) as u64);
            let n_changes = 1 + random.below(6);
            let text = mutate(&original, &mut random, n_changes);
            let start = Instant::now();
            let result = panic::catch_unwind(|| front_end::count_errors(&text, path.parent()));
            let time = start.elapsed();
            let name = path.display();
            assert!(result.is_ok(), "panics on version {version} of {name}:\n{text}");
            assert!(time < MOST_TIME, "takes {time:?} for version {version} of {name}:\n{text}");
            n_texts += 1;
        }
    }
    say::note(&format!("mutations: {n_texts} broken texts"));
}

#[test]
fn own_models_broken() {
    attack(&own_files());
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

/// Five megabytes that no parser likes, in three flavours.
fn garbage(flavour: usize) -> Vec<u8> {
    let mut random = Random::new(flavour as u64);
    let mut bytes = Vec::with_capacity(5_000_000);
    while bytes.len() < 5_000_000 {
        match flavour {
            0 => bytes.push(random.below(256) as u8),
            1 => bytes.extend(format!("{} ", random.pick(WORDS).expect("there are words")).bytes()),
            _ => bytes.extend(b"do :: if { ( proctype P() {\n"),
        }
    }
    bytes.truncate(5_000_000);
    bytes
}

#[test]
fn garbage_gets_its_errors_within_two_seconds() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    for flavour in 0..3 {
        let path = directory.path().join(format!("garbage-{flavour}.pml"));
        fs::write(&path, garbage(flavour)).expect("a writable directory");
        let model = path.to_string_lossy();
        // The best of three: the machine may be busy with something else.
        let mut best = Duration::MAX;
        for _ in 0..3 {
            let start = Instant::now();
            let answer = binary::run(["explore", &*model, "--format", "json"]);
            best = best.min(start.elapsed());
            assert_eq!(answer.status, Some(2), "garbage {flavour} must be rejected");
            assert!(
                answer.is_orderly(),
                "garbage {flavour}: {}",
                answer.errors.chars().take(2000).collect::<String>()
            );
            if best < Duration::from_secs(2) {
                break;
            }
        }
        assert!(best < Duration::from_secs(2), "garbage {flavour} takes {best:?}");
    }
}
