//! Feeds the front-ends broken texts for a while: mutations of shipped models of all languages, of the corpus and of
//! random models.
//!
//! `fuzz --seconds 60 [--seed N]`. A text that makes it panic, or that takes too long, is made smaller,
//! written to a file and named; the exit status is then 1.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::fs;
use std::panic;
use std::process::ExitCode;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use stubborn_languages::{LANGUAGES, Language, language_of};
use stubborn_tests::corpus::Corpus;
use stubborn_tests::front_end;
use stubborn_tests::generate::{Features, Random, generate};
use stubborn_tests::mutate::{mutate, words};
use stubborn_tests::program;
use stubborn_tests::table;
use stubborn_tests::workspace;

/// What one text may take.
const MOST_TIME: Duration = Duration::from_secs(2);

fn main() -> ExitCode {
    program::main("usage: fuzz [--seconds N] [--seed N]", options, |(seconds, seed)| {
        println!("seed {seed}, {seconds} seconds");
        panic::set_hook(Box::new(|_| {}));
        let (n_texts, n_bad) = fuzz(seed, Duration::from_secs(seconds));
        println!("{n_texts} texts");
        Ok(if n_bad == 0 { Vec::new() } else { vec![format!("{n_bad} of them bad")] })
    })
}

/// For how long, and what chance begins with.
fn options(arguments: &mut dyn Iterator<Item = String>) -> Option<(u64, u64)> {
    let mut seconds = 60;
    let mut seed = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    while let Some(argument) = arguments.next() {
        match (argument.as_str(), arguments.next()?.parse()) {
            ("--seconds", Ok(value)) => seconds = value,
            ("--seed", Ok(value)) => seed = value,
            _ => return None,
        }
    }
    Some((seconds, seed))
}

/// A text, and the language it should be of.
type Text = (&'static Language, String);

fn fuzz(seed: u64, time: Duration) -> (usize, usize) {
    let mut random = Random::new(seed);
    let originals = originals();
    let words: Vec<Vec<&str>> = LANGUAGES.iter().map(words).collect();
    let start = Instant::now();
    let (mut n_texts, mut n_bad) = (0, 0);
    // Texts that were read without complaint or with few errors breed further ones.
    let mut pool = originals.clone();
    while start.elapsed() < time {
        // Each language gets its share, however few its models are.
        let at = random.below(LANGUAGES.len());
        let language = &LANGUAGES[at];
        let pick = |texts: &[Text], random: &mut Random| {
            let own: Vec<&Text> = texts.iter().filter(|(of, _)| of.name == language.name).collect();
            random.pick(&own).map(|(_, text)| text.clone())
        };
        let base = match random.below(10) {
            0 if language.name == "promela" => Some(generate(random.bits(), Features::ALL).render()),
            0..=4 => pick(&originals, &mut random),
            _ => pick(&pool, &mut random),
        };
        let n_changes = 1 + random.below(8);
        let text = mutate(&base.unwrap_or_default(), &words[at], &mut random, n_changes);
        n_texts += 1;
        match try_text(language, &text) {
            Ok(n_errors) if n_errors <= 2 && text.len() < 20_000 => {
                if pool.len() < 2000 {
                    pool.push((language, text));
                } else {
                    let at = random.below(pool.len());
                    pool[at] = (language, text);
                }
            }
            Ok(_) => {}
            Err(why) => {
                n_bad += 1;
                report(language, &text, &why, n_bad);
            }
        }
    }
    (n_texts, n_bad)
}

fn originals() -> Vec<Text> {
    let mut paths = workspace::models();
    match Corpus::find() {
        Ok(corpus) => paths.extend(corpus.rows().iter().map(|row| corpus.path(table::text(row, "path")))),
        Err(why) => println!("without the corpus: {why}"),
    }
    paths.sort();
    let texts = paths.iter().filter_map(|path| Some((language_of(path), fs::read(path).ok()?)));
    texts
        .map(|(language, bytes)| (language, String::from_utf8_lossy(&bytes).into_owned()))
        .filter(|(_, text)| text.len() < 60_000)
        .collect()
}

fn try_text(language: &'static Language, text: &str) -> Result<usize, String> {
    let start = Instant::now();
    let result = panic::catch_unwind(|| front_end::count_errors(&front_end::nowhere(language), text));
    let time = start.elapsed();
    match result {
        Err(payload) => Err(format!("panic: {}", message(&*payload))),
        Ok(_) if time > MOST_TIME => Err(format!("takes {time:?}")),
        Ok(n_errors) => Ok(n_errors),
    }
}

fn message(payload: &dyn std::any::Any) -> String {
    let text = payload.downcast_ref::<String>().cloned();
    text.or_else(|| payload.downcast_ref::<&str>().map(|text| text.to_string())).unwrap_or_default()
}

/// Removes lines, then characters, as long as the text stays bad; writes what is left to a file.
fn report(language: &'static Language, text: &str, why: &str, number: usize) {
    let mut best: Vec<char> = text.chars().collect();
    let deadline = Instant::now() + Duration::from_secs(20);
    let mut size = best.len() / 2;
    while size > 0 && Instant::now() < deadline {
        let mut from = 0;
        while from < best.len() && Instant::now() < deadline {
            let to = (from + size).min(best.len());
            let candidate: String = best[..from].iter().chain(&best[to..]).collect();
            if try_text(language, &candidate).is_err() {
                best = candidate.chars().collect();
            } else {
                from = to;
            }
        }
        size /= 2;
    }
    let smallest: String = best.into_iter().collect();
    let path = format!("fuzz-{number}.{}", language.extensions[0]);
    println!("{why}\n{smallest}\n");
    if let Err(error) = fs::write(&path, &smallest) {
        eprintln!("{path}: {error}");
    }
}
