//! What can be written on the command line.

mod cluster;
mod convert;
mod graph;
mod net;
mod search;
mod simulate;
mod trail;

use std::path::PathBuf;
use std::time::Duration;

use clap::{Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use stubborn_base::Position;
use stubborn_check::{
    Choice, Config, Cycles, EngineChoice, HeuristicName, Proviso, Reduction, StoreChoice, Visibility,
};

pub(crate) use cluster::ClusterArgs;
pub(crate) use convert::ConvertArgs;
pub(crate) use graph::{GraphArgs, GraphFormat};
pub(crate) use net::{NetArgs, NetFormat};
pub(crate) use search::{Search, SearchArgs, undirected};
pub(crate) use simulate::SimulateArgs;
pub(crate) use trail::{TrailArgs, TrailFormat};

/// Model checking with partial-order reduction
#[derive(Debug, Parser)]
#[command(
    name = "stubborn",
    version = env!("STUBBORN_VERSION"),
    after_help = "Begin with `stubborn check MODEL`: a file in Promela, DVE or PNML, or one of Helena's nets."
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Check the properties of a model
    #[command(
        after_help = "Exit code: 0 all hold, 1 a violation, 2 a bad command line or a model with errors, \
                            3 incomplete."
    )]
    Check(CheckArgs),
    /// Show how a property is violated, step by step
    #[command(
        after_help = "Exit code: 0 nothing is violated, 1 a violation is shown, 2 a bad command line or a \
                            model with errors, 3 incomplete."
    )]
    Trail(TrailArgs),
    /// Visit all states of a model and count them
    #[command(after_help = "Exit code: 0 all were visited, 2 a bad command line or a model with errors, \
                            3 incomplete.")]
    Explore(ExploreArgs),
    /// Draw a small state space
    #[command(after_help = "Exit code: 0 all is drawn, 2 too much to draw, a bad command line or a model \
                            with errors, 3 there are more states.")]
    Graph(GraphArgs),
    /// Draw a Petri net
    #[command(after_help = "Exit code: 0 drawn, 2 no net, a bad command line or a model with errors.")]
    Net(NetArgs),
    /// Write a model in another language
    #[command(
        after_help = "Exit code: 0 written, 2 it cannot be, a bad command line or a model with errors."
    )]
    Convert(ConvertArgs),
    /// Run a model, by chance or by choice
    #[command(after_help = "Exit code: 0 nothing was wrong, 1 a violation, 2 a bad command line or a model \
                            with errors.")]
    Simulate(SimulateArgs),
    /// Tell what is known of the statements of a model without exploring it
    #[command(
        after_help = "Exit code: 0 told, 2 no statement there, a bad command line or a model with errors."
    )]
    Relations(RelationsArgs),
    /// Tell what is known of an LTL formula, and its Büchi automaton
    #[command(after_help = "Exit code: 0 told, 2 a bad command line or a formula with errors.")]
    Ltl(LtlArgs),
    /// Serve an editor: the Language Server Protocol over standard input and output
    Lsp(LspArgs),
    /// Serve a debugger's front-end: the Debug Adapter Protocol over standard input and output
    Dap(DapArgs),
    /// Check that reductions keep to their definitions on a small model
    #[command(after_help = "Exit code: 0 clean, 1 a violation of a definition, 2 a bad command line or a \
                            model with errors, 3 incomplete.")]
    Audit(AuditArgs),
    /// Write what completes command lines in a shell
    Completions(CompletionsArgs),
    /// Write the manual page
    Man(ManArgs),
}

#[derive(Debug, clap::Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ManArgs {
    /// Write the page of every command to this folder instead
    #[arg(value_name = "FOLDER")]
    pub(crate) folder: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ExploreArgs {
    #[command(flatten)]
    pub(crate) common: Common,
    /// How results are written
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
    #[command(flatten, next_help_heading = "Several processes")]
    pub(crate) cluster: ClusterArgs,
}

#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {
    /// Check this property only; can be repeated [default: all of the model's]
    #[arg(long, value_name = "NAME")]
    pub(crate) property: Vec<String>,
    #[command(flatten)]
    pub(crate) how: How,
    /// How results are written
    #[arg(long, value_enum, default_value_t = CheckFormat::Human)]
    pub(crate) format: CheckFormat,
    /// Check again whenever the model's file, or one that it includes, has changed, until Ctrl-C
    #[arg(long, conflicts_with_all = ["processes", "hosts"])]
    pub(crate) watch: bool,
    #[command(flatten, next_help_heading = "Several processes")]
    pub(crate) cluster: ClusterArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum CheckFormat {
    /// For people
    Human,
    /// For programs
    Json,
    /// For what shows results in reviews: the Static Analysis Results Interchange Format
    Sarif,
}

/// How properties are checked.
#[derive(Debug, clap::Args)]
pub(crate) struct How {
    #[command(flatten)]
    pub(crate) common: Common,
    /// Check that this expression, in the model's language, is never true: a trail leads to a state where it is. Can be
    /// repeated; other properties are then checked only if they are named
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub(crate) reach: Vec<String>,
    /// Weak fairness: a run counts only if every process that could always move does move
    #[arg(long)]
    fair: bool,
    /// How accepting cycles are looked for
    #[arg(long, value_enum, default_value_t = LookFor::Scc)]
    cycles: LookFor,
    /// How a reduction keeps what an LTL property looks at in order [default: vi, where it has to]
    #[arg(long, value_enum)]
    visibility: Option<Visible>,
    /// What tells a-star, best-first or ida-star how far it is: zero, formula for assertions, active-processes for
    /// deadlocks; or the distance to what a depth-first search finds first: hamming, hamming-class, fsm-distance or
    /// fsm-distance-class [default: formula for assertions, active-processes for deadlocks]
    #[arg(long, value_name = "HEURISTIC")]
    heuristic: Option<HeuristicName>,
    /// Show counterexamples as they are found
    #[arg(long)]
    no_shorten: bool,
    /// Time to look for a shorter counterexample of each property, such as 10s or 1m
    #[arg(long, value_name = "DURATION", value_parser = duration, default_value = "2s")]
    shorten_budget: Duration,
}

impl How {
    pub(crate) fn config(&self) -> Config {
        Config {
            cycles: match self.cycles {
                LookFor::Scc => Cycles::Components,
                LookFor::Nested => Cycles::Nested,
            },
            visibility: self.visibility.map(|visible| match visible {
                Visible::Vi => Visibility::VAndI,
                Visible::C2 => Visibility::C2,
            }),
            is_fair: self.fair,
            heuristic: self.heuristic,
            shorten: (!self.no_shorten).then_some(self.shorten_budget),
            ..self.common.config(Choice::Auto)
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum LookFor {
    /// By strongly connected components
    Scc,
    /// By nested depth-first search
    Nested,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Visible {
    /// V and I: visible steps are chosen together, and an invisible one if there is one
    Vi,
    /// C2: visible steps are chosen only with all others
    C2,
}

#[derive(Debug, clap::Args)]
pub(crate) struct RelationsArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// The statement at this place, counted from 1, in an included file if it is named
    /// [default: list all statements]
    #[arg(long, value_name = "[FILE:]LINE:COLUMN", value_parser = at)]
    pub(crate) at: Option<At>,
    /// How results are written
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
}

#[derive(Debug, clap::Args)]
pub(crate) struct LtlArgs {
    /// The formula in SPIN's syntax, such as '[] (p -> <> "x > 3")'
    #[arg(allow_hyphen_values = true)]
    pub(crate) formula: String,
    /// Of the formula's negation
    #[arg(long)]
    pub(crate) negate: bool,
    /// How results are written
    #[arg(long, value_enum, default_value_t = LtlFormat::Human)]
    pub(crate) format: LtlFormat,
}

#[derive(Debug, clap::Args)]
pub(crate) struct LspArgs {
    /// Wait for the editor on this port of this machine instead
    #[arg(long, value_name = "PORT")]
    pub(crate) socket: Option<u16>,
    /// Write a log to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,
    /// Over standard input and output, which is so anyway; some editors ask for it
    #[arg(long, conflicts_with = "socket")]
    stdio: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct DapArgs {
    /// Write a log, with all messages, to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum LtlFormat {
    /// For people
    Human,
    /// The automaton in the Hanoi Omega-Automata format
    Hoa,
    /// The automaton as a never claim
    Spin,
    /// The automaton as a Graphviz graph
    Dot,
    /// For programs
    Json,
}

/// A place in a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct At {
    /// None for the model's own file.
    pub(crate) file: Option<PathBuf>,
    pub(crate) position: Position,
}

#[derive(Debug, clap::Args)]
pub(crate) struct AuditArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// Audit this reduction only [default: all]
    #[arg(long, value_name = "REDUCTION")]
    pub(crate) reduction: Option<Reduction>,
    /// Audit this proviso only [default: all that are legal]
    #[arg(long, value_name = "PROVISO")]
    pub(crate) proviso: Option<Proviso>,
    /// Audit this order only [default: both]
    #[arg(long, value_enum)]
    pub(crate) search: Option<Search>,
    /// States of the model that are looked at
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    pub(crate) limit: usize,
    /// How results are written
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
}

/// What a model is read from.
#[derive(Debug, clap::Args)]
pub(crate) struct ModelArgs {
    /// The model's file: .pml, .dve, .lna, .pnml or the contest's .xml; of another name, it is read as Promela
    #[arg(value_name = "MODEL")]
    pub(crate) file: PathBuf,
    /// Define a macro before the model is read, or the value of a net's parameter; can be repeated
    #[arg(short = 'D', long = "define", value_name = "NAME[=VALUE]", value_parser = define)]
    pub(crate) defines: Vec<(String, String)>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Common {
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    #[command(flatten)]
    pub(crate) search: SearchArgs,
    /// Say which reduction is used and why
    #[arg(long)]
    pub(crate) explain: bool,
    /// What finds and takes steps: auto, native or interpreter. Auto is machine code once a search goes on for long;
    /// the result is the same
    #[arg(long, value_name = "ENGINE", default_value_t = EngineChoice::Auto)]
    engine: EngineChoice,
    /// Memory for states, such as 500M or 2G [default: 70% of what is available]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(crate) memory: Option<usize>,
    /// Time for the search, such as 60s, 5m or 1h [default: unlimited]
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    time: Option<Duration>,
    /// How many threads search together: breadth-first or depth-first for states, by nested depth-first search for cycles;
    /// other searches have one
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// What is kept of states: auto, plain, compact, tree or bitstate. Trees share what is alike, and take long states by
    /// themselves. As bits, far more states can be visited in the same memory, but some may be missed: nothing is found
    /// to hold so, and what is found is a violation
    #[arg(long, value_name = "STORE", default_value_t)]
    store: StoreChoice,
}

impl Common {
    pub(crate) fn config(&self, default: Choice) -> Config {
        let config = self.search.config(default);
        let memory = self.memory.unwrap_or(config.memory);
        Config {
            memory,
            time: self.time,
            threads: usize::from(self.threads),
            store: self.store,
            engine: self.engine,
            ..config
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Human,
    /// For programs
    Json,
}

fn define(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').unwrap_or((text, "1"));
    let mut chars = name.chars();
    let is_name = chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !is_name {
        return Err(format!("`{name}` is not a name"));
    }
    Ok((name.to_owned(), value.to_owned()))
}

fn at(text: &str) -> Result<At, String> {
    let mut parts = text.rsplitn(3, ':');
    let mut number = || parts.next().and_then(|part| part.parse::<u32>().ok()).filter(|&number| number > 0);
    let (column, line) = (number(), number());
    let (Some(line), Some(column)) = (line, column) else {
        return Err(format!("`{text}` is not a line and a column, such as 12:3"));
    };
    Ok(At { file: parts.next().map(PathBuf::from), position: Position { line, column } })
}

/// A number and a unit, split where the unit begins.
fn quantity(text: &str) -> Result<(f64, &str), String> {
    let unit = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(unit);
    let number = number.parse::<f64>().map_err(|_| format!("`{text}` does not begin with a number"))?;
    Ok((number, unit.trim()))
}

fn size(text: &str) -> Result<usize, String> {
    let (number, unit) = quantity(text)?;
    let factor = match unit.to_ascii_uppercase().trim_end_matches("IB").trim_end_matches('B') {
        "" => 1u64,
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        "T" => 1 << 40,
        _ => return Err(format!("`{unit}` is not a unit of memory, use K, M or G")),
    };
    Ok((number * factor as f64) as usize)
}

fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = quantity(text)?;
    let factor = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("`{unit}` is not a unit of time, use s, m or h")),
    };
    Duration::try_from_secs_f64(number * factor).map_err(|_| format!("`{text}` is too long"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn sizes() {
        assert_eq!(size("2G"), Ok(2 << 30));
        assert_eq!(size("1.5k"), Ok(1536));
        assert_eq!(size("512 MiB"), Ok(512 << 20));
        assert_eq!(size("100"), Ok(100));
        assert_eq!(size("2X"), Err("`X` is not a unit of memory, use K, M or G".to_owned()));
        assert!(size("G").is_err());
    }

    #[test]
    fn durations() {
        assert_eq!(duration("60s"), Ok(Duration::from_secs(60)));
        assert_eq!(duration("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("20ms"), Ok(Duration::from_millis(20)));
        assert!(duration("1 fortnight").is_err());
        assert!(duration("-1s").is_err());
        assert!(duration("1e30h").is_err());
    }

    #[test]
    fn places() {
        let position = Position { line: 12, column: 3 };
        assert_eq!(at("12:3"), Ok(At { file: None, position }));
        assert_eq!(at("a/b.h:12:3"), Ok(At { file: Some("a/b.h".into()), position }));
        for wrong in ["12", "12:", "0:1", "x:3", "b.h:12", ""] {
            assert!(at(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn defines() {
        assert_eq!(define("N=3"), Ok(("N".to_owned(), "3".to_owned())));
        assert_eq!(define("DEBUG"), Ok(("DEBUG".to_owned(), "1".to_owned())));
        assert_eq!(define("F=a=b"), Ok(("F".to_owned(), "a=b".to_owned())));
        assert!(define("3=N").is_err());
    }
}
