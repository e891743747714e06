//! Settings: the editor's, and those of a `stubborn.toml` in the workspace, which go first.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;
use stubborn_base::read_regular;
use stubborn_check::{Choice, Config};

use crate::together::Processes;

/// The file in a workspace that settings are read from.
pub const FILE: &str = "stubborn.toml";

/// Settings as they are written; what is not there is left to somebody else.
#[derive(Clone, PartialEq, Eq, Default, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Written {
    /// When models are checked: `save`, `type` or `demand`.
    pub check: Option<When>,
    /// Memory for all checks together, in MiB.
    pub memory: Option<u64>,
    /// Time for a search, in seconds.
    pub time: Option<u64>,
    /// Checks at a time.
    pub threads: Option<usize>,
    /// As `--reduction`.
    pub reduction: Option<String>,
    /// Macros that are defined beforehand: `NAME` or `NAME=VALUE`.
    pub defines: Option<Vec<String>>,
    /// Names of properties that are not checked.
    pub skip: Option<Vec<String>>,
    /// Time to make a counterexample shorter, in seconds; 0 leaves it as it is found.
    pub shorten: Option<u64>,
    /// Weak fairness.
    pub fair: Option<bool>,
    /// As `--processes`, for checks on the cluster.
    pub processes: Option<u16>,
    /// As `--workers`.
    pub workers: Option<u16>,
    /// As `--hosts`, of which the server is the first process. In a file, it is beside the file.
    pub hosts: Option<PathBuf>,
    /// As `--secret-file`.
    #[serde(rename = "secretFile", alias = "secret_file")]
    pub secret_file: Option<PathBuf>,
}

/// When models are checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum When {
    /// A little while one types, all when a text is saved.
    Save,
    /// All, while one types.
    Type,
    /// When it is asked for.
    Demand,
}

/// Settings as they are used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// When models are checked.
    pub check: When,
    /// Memory for all checks together, in bytes.
    pub memory: usize,
    /// Time for a search.
    pub time: Duration,
    /// Checks at a time.
    pub threads: usize,
    /// Which states are left out.
    pub reduction: Choice,
    /// Macros that are defined beforehand.
    pub defines: Vec<(String, String)>,
    /// Names of properties that are not checked.
    pub skip: Vec<String>,
    /// Time to make a counterexample shorter.
    pub shorten: Option<Duration>,
    /// Weak fairness.
    pub fair: bool,
    /// With whom a check on the cluster is made.
    pub processes: Processes,
}

/// Processes, and workers of each, that the command line takes at the most.
const MOST: u16 = 256;

/// What a bounded check may use.
const BOUNDED_TIME: Duration = Duration::from_secs(1);
const BOUNDED_MEMORY: usize = 256 << 20;

impl Default for Settings {
    fn default() -> Self {
        Settings {
            check: When::Save,
            memory: 2 << 30,
            time: Duration::from_secs(60),
            threads: 1,
            reduction: Choice::Auto,
            defines: Vec::new(),
            skip: Vec::new(),
            shorten: Some(Duration::from_secs(2)),
            fair: false,
            processes: Processes { count: 2, workers: 1, hosts: None, secret_file: None },
        }
    }
}

impl Settings {
    /// Settings that were written, the later ones first; with what is wrong with them.
    pub fn from_written<'a>(written: impl IntoIterator<Item = &'a Written>) -> (Self, Vec<String>) {
        let mut settings = Settings::default();
        let mut wrong = Vec::new();
        for written in written {
            settings.take(written, &mut wrong);
        }
        (settings, wrong)
    }

    fn take(&mut self, written: &Written, wrong: &mut Vec<String>) {
        let Written { check, memory, time, threads, reduction, defines, skip, shorten, fair, .. } = written;
        let Written { processes, workers, hosts, secret_file, .. } = written;
        let together = &mut self.processes;
        together.count = processes.unwrap_or(together.count).clamp(1, MOST);
        together.workers = workers.unwrap_or(together.workers).clamp(1, MOST);
        // An empty name is what editors have where nothing is written.
        let is_named = |path: &&PathBuf| !path.as_os_str().is_empty();
        if let Some(hosts) = hosts.as_ref().filter(is_named) {
            together.hosts = Some(hosts.clone());
        }
        if let Some(file) = secret_file.as_ref().filter(is_named) {
            together.secret_file = Some(file.clone());
        }
        self.check = check.unwrap_or(self.check);
        self.memory = memory.map_or(self.memory, |mib| (mib.max(1) as usize).saturating_mul(1 << 20));
        self.time = time.map_or(self.time, Duration::from_secs);
        self.threads = threads.unwrap_or(self.threads).max(1);
        self.fair = fair.unwrap_or(self.fair);
        if let Some(seconds) = *shorten {
            self.shorten = (seconds > 0).then(|| Duration::from_secs(seconds));
        }
        if let Some(skip) = skip {
            self.skip.clone_from(skip);
        }
        if let Some(defines) = defines {
            let split = |define: &String| match define.split_once('=') {
                Some((name, value)) => (name.to_owned(), value.to_owned()),
                None => (define.clone(), "1".to_owned()),
            };
            self.defines = defines.iter().map(split).collect();
        }
        match reduction.as_deref().map(str::parse) {
            Some(Ok(choice)) => self.reduction = choice,
            Some(Err(error)) => wrong.push(format!("reduction: {error}")),
            None => {}
        }
    }

    /// How a model is searched; `bounded` for a look while one types.
    pub fn config(&self, bounded: bool) -> Config {
        let memory = self.memory / self.threads;
        Config {
            reduction: self.reduction,
            is_fair: self.fair,
            memory: if bounded { memory.min(BOUNDED_MEMORY) } else { memory },
            time: Some(if bounded { self.time.min(BOUNDED_TIME) } else { self.time }),
            shorten: self.shorten.map(|time| if bounded { time.min(BOUNDED_TIME) } else { time }),
            coverage: true,
            ..Config::default()
        }
    }

    /// How each of several processes searches a model: those on one machine share its memory.
    pub fn config_together(&self) -> Config {
        let n_here = if self.processes.hosts.is_some() { 1 } else { usize::from(self.processes.count) };
        Config { memory: self.memory / n_here, coverage: false, ..self.config(false) }
    }
}

/// The settings of a folder; with what is wrong if there are some.
pub fn of_folder(folder: &Path) -> Option<Result<Written, String>> {
    let written = of_text(&read_regular(&folder.join(FILE)).ok()?);
    Some(written.map(|written| Written {
        hosts: written.hosts.map(|hosts| folder.join(hosts)),
        secret_file: written.secret_file.map(|file| folder.join(file)),
        ..written
    }))
}

/// The settings of a file with this text, or what is wrong with it.
pub fn of_text(text: &str) -> Result<Written, String> {
    toml::from_str(text).map_err(|error| format!("{FILE}: {}", error.message()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_settings_go_first_and_errors_are_told() {
        let editor: Written = toml::from_str("memory = 512\ntime = 5\nreduction = 'ample'").unwrap();
        let file: Written = toml::from_str("time = 7\nreduction = 'ampel'\ndefines = ['N=3', 'X']").unwrap();
        let (settings, wrong) = Settings::from_written([&editor, &file]);
        assert_eq!((settings.memory, settings.time), (512 << 20, Duration::from_secs(7)));
        assert_eq!(settings.reduction, "ample".parse().unwrap());
        assert_eq!(settings.defines, [("N".to_owned(), "3".to_owned()), ("X".to_owned(), "1".to_owned())]);
        assert_eq!(wrong.len(), 1, "{wrong:?}");
        assert!(toml::from_str::<Written>("tiem = 5").is_err());
    }

    #[test]
    fn processes_share_the_memory_of_a_machine() {
        let editor: Written = toml::from_str("memory = 512\nprocesses = 4\nhosts = ''").unwrap();
        let file: Written = toml::from_str("workers = 3").unwrap();
        let (settings, wrong) = Settings::from_written([&editor, &file]);
        let expected = Processes { count: 4, workers: 3, hosts: None, secret_file: None };
        assert_eq!((&settings.processes, wrong.len()), (&expected, 0));
        assert_eq!(settings.config_together().memory, 128 << 20);
        let hosts: Written = toml::from_str("hosts = 'hosts.txt'\nsecretFile = 's'\nprocesses = 0").unwrap();
        let (settings, _) = Settings::from_written([&editor, &hosts]);
        assert_eq!(settings.processes.hosts.as_deref(), Some(Path::new("hosts.txt")));
        assert_eq!((settings.processes.count, settings.config_together().memory), (1, 512 << 20));
    }
}
