//! What was measured, to be kept: with the day and the machine, without its name or any path.

use std::fs;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use super::definition::Definition;
use super::programs::{Measured, Program};

/// The runs of one program on one benchmark.
#[derive(Clone, Debug)]
pub struct Runs {
    /// Who ran.
    pub program: Program,
    /// Each run.
    pub runs: Vec<Measured>,
}

impl Runs {
    /// The median of their times.
    pub fn seconds(&self) -> f64 {
        median(self.runs.iter().map(|run| run.seconds).collect())
    }

    /// States per second, where states are counted.
    pub fn rate(&self) -> Option<f64> {
        Some(self.last().states? as f64 / self.seconds())
    }

    /// What every run says.
    pub fn last(&self) -> Measured {
        self.runs.last().copied().unwrap_or_default()
    }
}

fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    match all.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => all[n / 2],
        n => f64::midpoint(all[n / 2 - 1], all[n / 2]),
    }
}

/// All that was measured on one benchmark.
#[derive(Clone, Debug)]
pub struct Row {
    /// The benchmark.
    pub definition: Definition,
    /// Who ran.
    pub all: Vec<Runs>,
    /// Instructions of ours, if they were counted.
    pub instructions: Option<u64>,
}

impl Row {
    /// The runs of a program.
    pub fn of(&self, program: Program) -> Option<&Runs> {
        self.all.iter().find(|runs| runs.program == program)
    }

    /// How many times as fast as another program we are: by states per second where all states are visited, else by time.
    pub fn ratio(&self, to: Program) -> Option<f64> {
        let (ours, theirs) = (self.of(Program::Ours)?, self.of(to)?);
        Some(theirs.seconds() / ours.seconds())
    }

    /// What was written of a benchmark; none if there is no such benchmark any more.
    fn read(value: &Value, definitions: &[Definition]) -> Option<Row> {
        let definition = definitions.iter().find(|definition| value["name"] == definition.name)?.clone();
        let runs = |value: &Value| {
            let program = Program::ALL.into_iter().find(|program| value["program"] == program.name())?;
            let run = |seconds: &Value| {
                Some(Measured {
                    seconds: seconds.as_f64()?,
                    states: value["states"].as_u64(),
                    bytes_per_state: value["bytes_per_state"].as_f64(),
                    steps: value["steps"].as_u64(),
                })
            };
            Some(Runs {
                program,
                runs: value["all_seconds"].as_array()?.iter().map(run).collect::<Option<_>>()?,
            })
        };
        let all = value["programs"].as_array()?.iter().map(runs).collect::<Option<_>>()?;
        Some(Row { definition, all, instructions: value["instructions"].as_u64() })
    }

    fn json(&self) -> Value {
        let runs = |runs: &Runs| {
            let last = runs.last();
            json!({
                "program": runs.program.name(),
                "seconds": runs.seconds(),
                "all_seconds": runs.runs.iter().map(|run| run.seconds).collect::<Vec<_>>(),
                "states": last.states,
                "states_per_second": runs.rate(),
                "bytes_per_state": last.bytes_per_state,
                "steps": last.steps,
            })
        };
        json!({
            "name": self.definition.name,
            "kind": self.definition.kind.name(),
            "programs": self.all.iter().map(runs).collect::<Vec<_>>(),
            "times_as_fast_as_spin": self.ratio(Program::Spin),
            "instructions": self.instructions,
        })
    }
}

/// The rows of a record that is written already.
pub fn rows_of(record: &Value, definitions: &[Definition]) -> Vec<Row> {
    let all = record["benchmarks"].as_array().into_iter().flatten();
    all.filter_map(|value| Row::read(value, definitions)).collect()
}

/// Everything as one text.
pub fn text(rows: &[Row]) -> String {
    let record = json!({
        "date": today(),
        "machine": machine(),
        "programs": { "spin": version("spin", "-V"), "gcc": version("gcc", "--version") },
        "benchmarks": rows.iter().map(Row::json).collect::<Vec<_>>(),
    });
    serde_json::to_string_pretty(&record).expect("numbers, strings and lists can be written") + "\n"
}

/// The day, as `2026-11-18`.
pub fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let (year, month, day) = civil(seconds / 86_400);
    format!("{year}-{month:02}-{day:02}")
}

/// The date of a day since the beginning of 1970.
fn civil(days: u64) -> (u64, u64, u64) {
    let is_leap =
        |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let (mut year, mut left) = (1970, days);
    while left >= 365 + u64::from(is_leap(year)) {
        left -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if left < length {
            break;
        }
        left -= length;
        month += 1;
    }
    (year, month, left + 1)
}

/// The processor, how many there are, and the memory.
fn machine() -> Value {
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
    let field = |text: &str, name: &str| {
        let line = text.lines().find(|line| line.starts_with(name))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    let kernel = read("/proc/sys/kernel/osrelease");
    json!({
        "processor": field(&read("/proc/cpuinfo"), "model name"),
        "threads": std::thread::available_parallelism().map_or(0, usize::from),
        "memory": field(&read("/proc/meminfo"), "MemTotal"),
        // Times mean little where others had the processors meanwhile.
        "load": read("/proc/loadavg").split_whitespace().next(),
        "system": format!("{} {}", std::env::consts::OS, kernel.split('-').next().unwrap_or_default().trim()),
    })
}

fn version(program: &str, argument: &str) -> Option<String> {
    let output = Command::new(program).arg(argument).output().ok()?;
    String::from_utf8_lossy(&output.stdout).lines().next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_dates() {
        assert_eq!(civil(0), (1970, 1, 1));
        assert_eq!(civil(59), (1970, 3, 1));
        assert_eq!(civil(11_016), (2000, 2, 29));
        assert_eq!(civil(20_775), (2026, 11, 18));
    }

    #[test]
    fn half_of_all_are_below_the_median() {
        assert_eq!(median(vec![5.0, 1.0, 3.0]), 3.0);
        assert_eq!(median(vec![4.0, 1.0, 3.0, 2.0]), 2.5);
    }
}
