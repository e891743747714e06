//! `stubborn graph`

use clap::ValueEnum;
use stubborn_check::{Choice, Config, Proviso, Reduction};

use super::{ModelArgs, Search};
use crate::system;

#[derive(Debug, clap::Args)]
pub(crate) struct GraphArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// Order in which states are visited [default: bfs]
    #[arg(long, value_enum)]
    pub(crate) search: Option<Search>,
    /// Show what this reduction leaves out, as for `explore`
    #[arg(long, value_name = "REDUCTION")]
    reduction: Option<Choice>,
    /// With this proviso [default: what suits the reduction]
    #[arg(long, value_name = "PROVISO")]
    proviso: Option<Proviso>,
    /// The most states to draw; the nearest are drawn
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub(crate) max: usize,
    /// How the graph is written
    #[arg(long, value_enum, default_value_t = GraphFormat::Dot)]
    pub(crate) format: GraphFormat,
}

impl GraphArgs {
    pub(crate) fn config(&self) -> Config {
        Config {
            order: self.search.map(Search::order),
            reduction: self.reduction.unwrap_or(Choice::Named(Reduction::None)),
            proviso: self.proviso,
            memory: system::default_memory(),
            ..Config::default()
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum GraphFormat {
    /// For Graphviz
    Dot,
    /// The Aldebaran format: what is visited, as a labelled transition system
    Aut,
    /// A drawing
    Svg,
}
