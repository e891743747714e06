//! `stubborn simulate`

use super::{Format, ModelArgs};

#[derive(Debug, clap::Args)]
pub(crate) struct SimulateArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// What chance begins with: the same number, the same run
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Stop after this many steps
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub(crate) steps: usize,
    /// Ask which step to take
    #[arg(long, short)]
    pub(crate) interactive: bool,
    /// How the run is written
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
}
