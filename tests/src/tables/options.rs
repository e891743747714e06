//! The command line of `tables`.

use std::time::Duration;

use super::subjects::Subject;

pub(crate) const USAGE: &str =
    "usage: tables [--only NAME]... [--quick] [--beem] [--liveness] [--time DURATION] [--no-spin]";

#[derive(Clone, Debug)]
pub(crate) struct Options {
    /// Models, by name; all if empty.
    only: Vec<String>,
    /// Small models only.
    quick: bool,
    /// Table 5 only.
    pub(crate) beem: bool,
    /// Tables 7 and 8 only.
    pub(crate) liveness: bool,
    /// For each run.
    pub(crate) time: Duration,
    /// Whether the SPIN of this machine is asked.
    pub(crate) spin: bool,
}

impl Options {
    pub(crate) fn read(arguments: &mut dyn Iterator<Item = String>) -> Option<Options> {
        let time = Duration::from_secs(120);
        let mut options =
            Options { only: Vec::new(), quick: false, beem: false, liveness: false, time, spin: true };
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--only" => options.only.push(arguments.next()?),
                "--time" => options.time = duration(&arguments.next()?)?,
                "--beem" => options.beem = true,
                "--liveness" => options.liveness = true,
                "--quick" => options.quick = true,
                "--no-spin" => options.spin = false,
                _ => return None,
            }
        }
        Some(options)
    }

    pub(crate) fn wants(&self, subject: &Subject) -> bool {
        let is_named = self.only.iter().any(|name| name == subject.name);
        is_named || (self.only.is_empty() && (!self.quick || subject.is_small))
    }

    /// Whether a large model is wanted.
    pub(crate) fn wants_large(&self, is_called: impl Fn(&str) -> bool) -> bool {
        match self.only.is_empty() {
            true => !self.quick,
            false => self.only.iter().any(|name| is_called(name)),
        }
    }

    /// Whether a small model is wanted.
    pub(crate) fn wants_small(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only == name)
    }

    /// Whether it is about everything there is, and not about chosen models.
    pub(crate) fn wants_figures(&self) -> bool {
        self.only.is_empty()
    }

    /// A name that is no model's.
    pub(crate) fn unknown<'a>(&'a self, names: &[&str]) -> Option<&'a str> {
        self.only.iter().map(String::as_str).find(|name| !names.contains(name))
    }
}

/// Seconds, or minutes as in `10m`.
fn duration(text: &str) -> Option<Duration> {
    let (number, factor) = match text.strip_suffix('m') {
        Some(number) => (number, 60.0),
        None => (text.strip_suffix('s').unwrap_or(text), 1.0),
    };
    Duration::try_from_secs_f64(number.parse::<f64>().ok()? * factor).ok()
}
