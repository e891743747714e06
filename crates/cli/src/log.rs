//! Where the servers log to, if they are asked to.

use std::fs::File;
use std::path::Path;
use std::sync::Mutex;

use tracing_subscriber::filter::LevelFilter;

/// From now on, what is logged goes to a file.
pub(crate) fn to(path: &Path, level: LevelFilter) -> Result<(), String> {
    let file = File::create(path).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    tracing_subscriber::fmt().with_writer(Mutex::new(file)).with_ansi(false).with_max_level(level).init();
    Ok(())
}
