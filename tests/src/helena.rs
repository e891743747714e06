//! Nets of the Helena distribution with the sizes that are known.

use std::path::PathBuf;
use std::time::Duration;

use stubborn_check::{Choice, Config, Job, Reduction, explore};
use stubborn_ir::Model;

use crate::{corpus, front_end};

/// A net with values of its parameters, and what is known of its markings.
pub struct Instance {
    /// Its name, with the values of its parameters.
    pub name: String,
    /// Its file.
    pub path: PathBuf,
    /// Values of parameters.
    pub parameters: Vec<(String, String)>,
    /// Markings.
    pub states: u64,
    edges: u64,
    dead: u64,
}

/// All instances of the corpus; none if there is no corpus.
pub fn instances() -> Option<Vec<Instance>> {
    let folder = corpus::models().join("helena");
    let table = std::fs::read_to_string(folder.join("expected-graphs.tsv")).ok()?;
    let instance = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let number = |i: usize| fields.get(i)?.parse::<u64>().ok();
        let (net, values) = fields[0].split_once('-')?;
        // `C-2_S-1`
        let parameter =
            |text: &str| text.split_once('-').map(|(name, value)| (name.to_owned(), value.to_owned()));
        Some(Instance {
            name: fields[0].to_owned(),
            path: folder.join(format!("{net}.lna")),
            parameters: values.split('_').map(parameter).collect::<Option<_>>()?,
            states: number(1)?,
            edges: number(2)?,
            dead: number(6)?,
        })
    };
    table.lines().skip(1).map(instance).collect()
}

impl Instance {
    /// The model, or why there is none.
    pub fn load(&self) -> Result<Model, String> {
        front_end::read_with(&self.path, &self.parameters)
    }

    /// Counts markings, firings and dead markings, and compares.
    pub fn explore(&self, model: &Model, time: Duration, memory: usize) -> Result<String, String> {
        let reduction = Choice::Named(Reduction::None);
        let config = Config { reduction, time: Some(time), memory, ..Config::default() };
        let job = Job { cancel: Default::default(), progress: &mut |_| {} };
        let report = explore(model, &config, job).map_err(|refused| refused.to_string())?;
        let counts = &report.counts;
        let ours = [counts.states, counts.transitions, counts.deadlocks];
        let expected = [self.states, self.edges, self.dead];
        let told = format!("{ours:?} in {:.2} s", report.time.as_secs_f64());
        match report.incomplete {
            Some(why) => Err(format!("{why} after {told}")),
            None if ours != expected => Err(format!("{told} instead of {expected:?}")),
            None => Ok(told),
        }
    }
}
