//! What can be written after `stubborn convert`.

use std::path::PathBuf;

use clap::ValueEnum;
use stubborn_convert::Target;

use super::ModelArgs;

#[derive(Debug, clap::Args)]
pub(crate) struct ConvertArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// The language to write it in
    #[arg(long, value_enum, value_name = "LANGUAGE")]
    pub(crate) to: Into,
    /// Where to [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Into {
    /// A proctype for each process
    Promela,
    /// A process for each
    Dve,
    /// A place/transition net, of a net
    Pnml,
}

impl Into {
    pub(crate) fn target(self) -> Target {
        match self {
            Into::Promela => Target::Promela,
            Into::Dve => Target::Dve,
            Into::Pnml => Target::Pnml,
        }
    }
}
