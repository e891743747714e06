//! Which processes search together.

use std::path::PathBuf;

/// Which processes search together.
#[derive(Debug, clap::Args)]
pub(crate) struct ClusterArgs {
    /// Divide the states among so many processes on this machine
    #[arg(long, value_name = "N", conflicts_with = "hosts", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) processes: Option<u16>,
    /// Divide the states among processes on the machines in this file: an address with a port on each line. Each of them is
    /// started with the same model and options, and its own --process; the first has the results
    #[arg(long, value_name = "FILE", requires = "process")]
    pub(crate) hosts: Option<PathBuf>,
    /// Which line of the hosts this process is, counted from 0
    #[arg(long, value_name = "K")]
    pub(crate) process: Option<usize>,
    /// How many threads each process has
    #[arg(long, value_name = "W", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) workers: u16,
    /// A file with what only these processes know [default: the environment variable STUBBORN_SECRET]
    #[arg(long, value_name = "FILE", requires = "hosts")]
    pub(crate) secret_file: Option<PathBuf>,
    /// Where the process listens that started this one
    #[arg(long, value_name = "ADDRESS", hide = true, requires = "process")]
    pub(crate) join: Option<String>,
}
