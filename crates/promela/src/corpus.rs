//! Models to test with: those of the repository, and real ones if they are at hand.
//!
//! The latter are not in the repository: `$STUBBORN_CORPUS` names their folder, or they are looked for next to the
//! workspace, in `../shared/models`.

#![allow(clippy::print_stderr)]

use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Finds included files next to those that include them.
pub(crate) struct Disk;

impl crate::Loader for Disk {
    fn load(&self, includer: &Path, name: &str) -> Option<(PathBuf, Arc<str>)> {
        let path = includer.parent()?.join(name);
        Some((path.clone(), std::fs::read_to_string(path).ok()?.into()))
    }
}

/// All models with their texts, in the order of their paths.
pub(crate) fn corpus() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut paths = Vec::new();
    find(&root.join("tests/models/promela"), &mut paths);
    assert!(!paths.is_empty(), "the repository has models");
    let n_own = paths.len();
    let real = std::env::var_os("STUBBORN_CORPUS").map_or(root.join("../shared/models"), PathBuf::from);
    find(&real.join("promela"), &mut paths);
    if paths.len() == n_own {
        eprintln!("SKIPPED: no models in {}; set STUBBORN_CORPUS", real.display());
    }
    let read = |path: PathBuf| {
        let text = String::from_utf8_lossy(&std::fs::read(&path).expect("it was listed")).into_owned();
        (path, text)
    };
    paths.into_iter().filter(|path| is_model(path)).map(read).collect()
}

fn is_model(path: &Path) -> bool {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
    !path.to_string_lossy().contains("README") && !["ltl", "tsv", "txt"].contains(&extension)
}

fn find(directory: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(directory) else { return };
    let mut entries: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            find(&path, found);
        } else {
            found.push(path);
        }
    }
}
