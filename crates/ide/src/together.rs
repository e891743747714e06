//! Checking a model with other processes.
//!
//! Who starts a workspace brings somebody who can come together with them; how that is done is not known here.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use stubborn_check::{Config, Distributed, Property};
use stubborn_ir::Model;

/// With which processes, as the settings say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Processes {
    /// How many, on this machine.
    pub count: u16,
    /// How many threads each has.
    pub workers: u16,
    /// A file with the addresses of all of them, instead; this is the first.
    pub hosts: Option<PathBuf>,
    /// A file with what only they know, if there are hosts.
    pub secret_file: Option<PathBuf>,
}

/// What others have to know, to check the same.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// With whom.
    pub processes: &'a Processes,
    /// The file the model is in.
    pub path: &'a Path,
    /// Macros that are defined beforehand.
    pub defines: &'a [(String, String)],
    /// The model as the editor has it.
    pub model: &'a Model,
    /// What is asked.
    pub properties: &'a [Property],
    /// How it is searched.
    pub config: &'a Config,
    /// Set when nobody wants it any more.
    pub cancel: &'a Arc<AtomicBool>,
}

/// Comes together with others, or says why not.
pub type Former = dyn Fn(&Wanted<'_>) -> Result<Box<dyn Distributed>, String> + Send + Sync;
