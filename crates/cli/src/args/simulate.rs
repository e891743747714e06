//! `stubborn simulate`

use std::path::PathBuf;

use super::{Format, define};

#[derive(Debug, clap::Args)]
pub(crate) struct SimulateArgs {
    /// The model's file
    pub(crate) model: PathBuf,
    /// Define a macro before the model is read; can be repeated
    #[arg(short = 'D', long = "define", value_name = "NAME[=VALUE]", value_parser = define)]
    pub(crate) defines: Vec<(String, String)>,
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
