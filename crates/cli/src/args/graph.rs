//! `stubborn graph`

use clap::ValueEnum;

use super::{ModelArgs, SearchArgs};

#[derive(Debug, clap::Args)]
pub(crate) struct GraphArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    #[command(flatten)]
    pub(crate) search: SearchArgs,
    /// The most states to draw; the nearest are drawn
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub(crate) max: usize,
    /// How the graph is written
    #[arg(long, value_enum, default_value_t = GraphFormat::Dot)]
    pub(crate) format: GraphFormat,
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
