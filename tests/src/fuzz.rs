//! Whatever reads texts that others wrote, fed with broken ones: the front-ends, the readers of formulas, expressions,
//! settings and trails in this process ([`readers`]), and whole sessions with the language server and the debug adapter
//! in processes of their own ([`servers`]).
//!
//! Everything is a text, a session too, one message a line; so all are broken, and what shows a defect is made smaller,
//! in the same way.

mod readers;
mod servers;

use std::panic::{RefUnwindSafe, UnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use crate::generate::Random;
use crate::mutate::mutate;

/// What reads texts.
pub struct Target {
    /// Its name.
    pub name: String,
    /// The extension of a file with such a text.
    pub extension: &'static str,
    /// What one text may take.
    pub most_time: Duration,
    originals: Vec<String>,
    words: Vec<&'static str>,
    /// More originals, if some can be made up.
    invent: Option<fn(&mut Random) -> String>,
    read: Box<dyn Read>,
}

/// How many errors a text has. Panics if it shows a defect of ours.
trait Read: Fn(&str) -> usize + UnwindSafe + RefUnwindSafe {}

impl<F: Fn(&str) -> usize + UnwindSafe + RefUnwindSafe> Read for F {}

/// A text that shows a defect.
#[derive(Clone, Debug)]
pub struct Bad {
    /// The text.
    pub text: String,
    /// What is wrong.
    pub why: String,
}

/// All there are.
pub fn targets() -> Vec<Target> {
    let mut targets = readers::targets();
    targets.extend(servers::targets());
    targets
}

/// Texts that were read with few errors breed further ones; so many are kept.
const MOST_KEPT: usize = 500;
/// Longer ones are not.
const LONGEST_KEPT: usize = 20_000;

/// Breaks the texts of one target, one after the other.
pub struct Campaign<'t> {
    target: &'t Target,
    random: Random,
    pool: Vec<String>,
}

impl Target {
    /// Begins with what the seed says.
    pub fn campaign(&self, seed: u64) -> Campaign<'_> {
        Campaign { target: self, random: Random::new(seed), pool: self.originals.clone() }
    }

    /// Reads a text as it is; how many errors it has, or what is wrong with us.
    pub fn attempt(&self, text: &str) -> Result<usize, String> {
        let start = Instant::now();
        let result = catch_unwind(|| (self.read)(text));
        let time = start.elapsed();
        match result {
            Err(payload) => {
                let text = payload.downcast_ref::<String>().cloned();
                let text = text.or_else(|| payload.downcast_ref::<&str>().map(|text| text.to_string()));
                Err(format!("panic: {}", text.unwrap_or_default()))
            }
            Ok(_) if time > self.most_time => Err(format!("takes {time:?}")),
            Ok(n_errors) => Ok(n_errors),
        }
    }

    /// Reads every text it begins with; those that are not read as they should be.
    pub fn try_originals(&self) -> Vec<Bad> {
        let attempts = self.originals.iter().map(|text| (text, self.attempt(text)));
        attempts.filter_map(|(text, result)| Some(Bad { text: text.clone(), why: result.err()? })).collect()
    }

    /// Leaves out lines, then characters, as long as the text stays bad, for some time.
    pub fn shrink(&self, bad: Bad, time: Duration) -> Bad {
        let deadline = Instant::now() + time;
        let lines: Vec<String> = bad.text.split_inclusive('\n').map(str::to_owned).collect();
        let few = self.leave_out(lines, deadline, &|lines| lines.concat());
        let characters: Vec<char> = few.chars().collect();
        let text = self.leave_out(characters, deadline, &|characters| characters.iter().collect());
        let why = self.attempt(&text).err().unwrap_or(bad.why);
        Bad { text, why }
    }

    fn leave_out<P: Clone>(
        &self,
        mut parts: Vec<P>,
        deadline: Instant,
        join: &dyn Fn(&[P]) -> String,
    ) -> String {
        let mut size = parts.len() / 2;
        while size > 0 && Instant::now() < deadline {
            let mut from = 0;
            while from < parts.len() && Instant::now() < deadline {
                let to = (from + size).min(parts.len());
                let fewer = [&parts[..from], &parts[to..]].concat();
                match self.attempt(&join(&fewer)) {
                    Err(_) => parts = fewer,
                    Ok(_) => from = to,
                }
            }
            size /= 2;
        }
        join(&parts)
    }
}

impl Campaign<'_> {
    /// Tries one broken text.
    pub fn step(&mut self) -> Result<(), Bad> {
        let Campaign { target, random, pool } = self;
        let base = match (random.below(10), target.invent) {
            (0, Some(invent)) => invent(random),
            (0..=4, _) => random.pick(&target.originals).cloned().unwrap_or_default(),
            _ => random.pick(pool).cloned().unwrap_or_default(),
        };
        let n_changes = 1 + random.below(8);
        let text = mutate(&base, &target.words, random, n_changes);
        match target.attempt(&text) {
            Ok(n_errors) if n_errors <= 2 && text.len() < LONGEST_KEPT => {
                if pool.len() < MOST_KEPT + target.originals.len() {
                    pool.push(text);
                } else {
                    let at = random.below(pool.len());
                    pool[at] = text;
                }
                Ok(())
            }
            Ok(_) => Ok(()),
            Err(why) => Err(Bad { text, why }),
        }
    }
}
