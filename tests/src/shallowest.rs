//! How deep SPIN finds the first error, breadth-first.

use std::process::Command;
use std::time::Duration;

use crate::spin::{after, run};

/// The depth at which `pan` without reduction finds an error; none if it does not in time. With `merges`, SPIN takes
/// some statements in a row for one, as it does unless told otherwise.
pub fn shallowest(text: &str, merges: bool, limit: Duration) -> Option<u64> {
    let options: &[&str] = if merges { &[] } else { &["-o3"] };
    let compiler = ["-O1", "-DBFS", "-DNOREDUCE", "-DSAFETY", "-DNOCLAIM"];
    after(&said(text, options, &compiler, &[], limit)?, "(at depth ")
}

/// What `pan` says of a model, compiled in a folder of its own; none if something takes longer than the limit.
pub(crate) fn said(
    text: &str,
    translator: &[&str],
    compiler: &[&str],
    asked: &[&str],
    limit: Duration,
) -> Option<String> {
    let folder = tempfile::tempdir().ok()?;
    std::fs::write(folder.path().join("model.pml"), text).ok()?;
    let finish = |program: &str, arguments: &[&[&str]]| {
        let mut command = Command::new(program);
        command.current_dir(folder.path()).args(arguments.concat());
        run(command, limit).ok().filter(|finished| !finished.timed_out)
    };
    finish("spin", &[translator, &["-a", "model.pml"]])?;
    finish("gcc", &[&["-w"], compiler, &["-o", "pan", "pan.c"]])?;
    let pan = folder.path().join("pan");
    Some(finish(pan.to_str()?, &[asked])?.text)
}
