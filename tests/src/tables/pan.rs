//! SPIN's own reduction on this machine: `spin -o1 -o2 -o3 -a`, `gcc -O2`, and `pan` with its ample sets.

use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use stubborn_tests::spin::{Exploration, Options, Oracle, Outcome};

/// Seconds from which on the start of `pan` no longer counts.
pub(crate) const LONG: f64 = 2.0;

/// `pan -m` and `-w`: it pays for what it reserves, so the small one comes first.
const SIZES: [(usize, usize); 2] = [(100_000, 18), (10_000_000, 24)];

/// What `pan` stores with reduction, or why it does not say.
pub(crate) fn reduced(path: &Path, time: Duration) -> Result<Exploration, String> {
    let outcome = explore(path, time).map_err(|error| error.to_string())?;
    match outcome {
        Outcome::Explored(exploration) => Ok(exploration),
        Outcome::Rejected(_) => Err("rejected".into()),
        Outcome::NotCompiled(_) => Err("not compiled".into()),
        Outcome::Incomplete(why) => Err(why),
    }
}

fn explore(path: &Path, time: Duration) -> io::Result<Outcome> {
    let directory = tempfile::tempdir()?;
    let header = directory.path().join("reduce.h");
    // The oracle defines NOREDUCE on the command line; what is included comes after that.
    fs::write(&header, "#undef NOREDUCE\n")?;
    let compiler = vec!["-O2".into(), "-include".into(), header.to_string_lossy().into_owned()];
    let [small, large] = SIZES.map(|(depth, hash)| Options { compiler: compiler.clone(), depth, hash, time });
    let oracle = match Oracle::from_file(path, &small)? {
        Ok(oracle) => oracle,
        Err(outcome) => return Ok(outcome),
    };
    match oracle.explore(&small)? {
        Outcome::Incomplete(_) => oracle.explore(&large),
        outcome => Ok(outcome),
    }
}
