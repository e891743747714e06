//! Broken texts: no panic, no endless loop, and the errors of garbage in a time that grows as the garbage does.

use std::fs;
use std::panic;
use std::path::PathBuf;

use stubborn_tests::binary;
use stubborn_tests::corpus::Corpus;
use stubborn_tests::front_end;
use stubborn_tests::generate::Random;
use stubborn_tests::mutate::{WORDS, mutate};
use stubborn_tests::say;
use stubborn_tests::stopwatch::Stopwatch;
use stubborn_tests::table;
use stubborn_tests::workspace;

/// Broken versions of each file.
const VERSIONS: usize = 25;
/// No text of the size of these files should take longer on a processor, however slow an unoptimised build is: in
/// seconds.
const MOST_TIME: f64 = 10.0;

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
            let watch = Stopwatch::start();
            let result = panic::catch_unwind(|| front_end::count_errors(&text, path.parent()));
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

/// So many bytes that no parser likes, in three flavours.
fn garbage(flavour: usize, n_bytes: usize) -> Vec<u8> {
    let mut random = Random::new(flavour as u64);
    let mut bytes = Vec::with_capacity(n_bytes + 64);
    while bytes.len() < n_bytes {
        match flavour {
            0 => bytes.push(random.below(256) as u8),
            1 => bytes.extend(format!("{} ", random.pick(WORDS).expect("there are words")).bytes()),
            _ => bytes.extend(b"do :: if { ( proctype P() {\n"),
        }
    }
    bytes.truncate(n_bytes);
    bytes
}

#[test]
fn garbage_gets_its_errors() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    for flavour in 0..3 {
        let path = directory.path().join(format!("garbage-{flavour}.pml"));
        fs::write(&path, garbage(flavour, 5_000_000)).expect("a writable directory");
        let answer = binary::run(["explore", &*path.to_string_lossy(), "--format", "json"]);
        assert_eq!(answer.status, Some(2), "garbage {flavour} must be rejected");
        assert!(
            answer.is_orderly(),
            "garbage {flavour}: {}",
            answer.errors.chars().take(2000).collect::<String>()
        );
    }
}

/// How much longer ten times as much may take, in time on a processor. Twice what it should, and more for a machine
/// whose other programs are in the way; a hundred is what it would be if every part were looked at for every other.
const MOST_GROWTH: f64 = 25.0;

#[test]
fn errors_of_ten_times_as_much_garbage_take_ten_times_as_long() {
    for flavour in 0..3 {
        let [some, much] = [200_000, 2_000_000].map(|n_bytes| {
            let text = String::from_utf8_lossy(&garbage(flavour, n_bytes)).into_owned();
            let time = || {
                let watch = Stopwatch::start();
                assert!(front_end::has_errors(&text), "garbage {flavour} must be rejected");
                watch.seconds()
            };
            (0..3).map(|_| time()).fold(f64::INFINITY, f64::min)
        });
        let growth = much / some.max(0.02);
        assert!(growth < MOST_GROWTH, "garbage {flavour}: {some} s, and {much} s for ten times as much");
    }
}
