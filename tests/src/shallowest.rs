//! How deep SPIN finds the first error, breadth-first.

use std::process::Command;
use std::time::Duration;

use crate::spin::{after, run};

/// The depth at which `pan` without reduction finds an error; none if it does not in time. With `merges`, SPIN takes
/// some statements in a row for one, as it does unless told otherwise.
pub fn shallowest(text: &str, merges: bool, limit: Duration) -> Option<u64> {
    let folder = tempfile::tempdir().ok()?;
    std::fs::write(folder.path().join("model.pml"), text).ok()?;
    let finish = |program: &str, arguments: &[&str]| {
        let mut command = Command::new(program);
        command.current_dir(folder.path()).args(arguments);
        run(command, limit).ok().filter(|finished| !finished.timed_out)
    };
    let options: &[&str] = if merges { &["-a", "model.pml"] } else { &["-o3", "-a", "model.pml"] };
    finish("spin", options)?;
    finish("gcc", &["-w", "-O1", "-DBFS", "-DNOREDUCE", "-DSAFETY", "-DNOCLAIM", "-o", "pan", "pan.c"])?;
    let pan = folder.path().join("pan");
    after(&finish(pan.to_str()?, &[])?.text, "(at depth ")
}
