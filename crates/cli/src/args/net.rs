//! `stubborn net`

use std::path::PathBuf;

use clap::ValueEnum;

use super::How;

#[derive(Debug, clap::Args)]
pub(crate) struct NetArgs {
    #[command(flatten)]
    pub(crate) how: How,
    /// With the marking along the counterexample of this property
    #[arg(long, value_name = "NAME")]
    pub(crate) property: Option<String>,
    /// After so many steps of it [default: all]
    #[arg(long, value_name = "K")]
    pub(crate) step: Option<usize>,
    /// How the picture is written
    #[arg(long, value_enum, default_value_t = NetFormat::Svg)]
    pub(crate) format: NetFormat,
    /// Where to [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum NetFormat {
    /// A drawing
    Svg,
    /// For Graphviz
    Dot,
}
