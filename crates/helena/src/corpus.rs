//! Real nets to test with, if they are at hand.
//!
//! They are not in the repository: `$STUBBORN_CORPUS` names their folder, or they are looked for next to the
//! workspace, in `../shared/models`.

#![allow(clippy::print_stderr)]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use stubborn_base::Loader;

/// Finds files next to the one that was read.
pub(crate) struct Disk;

impl Loader for Disk {
    fn load(&self, includer: &Path, name: &str) -> Option<(PathBuf, Arc<str>)> {
        let path = includer.parent()?.join(name);
        Some((path.clone(), std::fs::read_to_string(path).ok()?.into()))
    }
}

/// The folder of real nets; `None`, said aloud, if there is none.
pub(crate) fn folder() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let real = std::env::var_os("STUBBORN_CORPUS").map_or(root.join("../shared/models"), PathBuf::from);
    let folder = real.join("helena");
    if !folder.is_dir() {
        eprintln!("SKIPPED: no nets in {}; set STUBBORN_CORPUS", folder.display());
        return None;
    }
    Some(folder)
}

/// All nets and property files with their texts, in the order of their names.
pub(crate) fn corpus() -> Vec<(PathBuf, Arc<str>)> {
    let Some(folder) = folder() else { return Vec::new() };
    let entries = std::fs::read_dir(folder).expect("it is a folder");
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "lna"));
    paths.sort();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("it was listed");
        (path, text.into())
    };
    paths.into_iter().map(read).collect()
}

#[test]
fn real_nets_are_read_without_complaint() {
    for (path, text) in corpus() {
        let read = crate::read(&path, text, &Disk, &[]);
        let codes: Vec<&str> = read.diagnostics.iter().map(|d| d.code).collect();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        // Functions of C, and a priority that looks at a place.
        let n_unsupported = match &*name {
            "sort.lna" | "sort.prop.lna" => 3,
            "buffer.lna" => 1,
            _ => 0,
        };
        assert_eq!(codes, vec!["unsupported"; n_unsupported], "{name}: {:#?}", read.diagnostics);
        assert_eq!(read.net.is_some(), n_unsupported == 0, "{name}");
    }
}
