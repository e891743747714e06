//! What can be written after `stubborn trail`.

use std::path::PathBuf;

use clap::ValueEnum;

use super::How;

#[derive(Debug, clap::Args)]
pub(crate) struct TrailArgs {
    #[command(flatten)]
    pub(crate) how: How,
    /// How this property is violated [default: the first that is]
    #[arg(long, value_name = "NAME")]
    pub(crate) property: Option<String>,
    /// Take this trail of SPIN's verifier instead of looking for one
    #[arg(long, value_name = "FILE")]
    pub(crate) from_spin: Option<PathBuf>,
    /// How the trail is written
    #[arg(long, value_enum, default_value_t = TrailFormat::Human)]
    pub(crate) format: TrailFormat,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum TrailFormat {
    /// For people, in the terminal: a column for each process
    Human,
    /// For programs: as `stubborn check` writes it
    Json,
    /// A message sequence chart
    Svg,
    /// A page to step through with the keyboard
    Html,
    /// A trail file: save it as MODEL.trail, and `spin -t -p MODEL` replays it
    Spin,
}
