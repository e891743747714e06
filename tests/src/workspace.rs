//! Where things are.

use std::path::{Path, PathBuf};

/// The top of the workspace.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("this crate is a folder of the workspace")
}

/// A file or folder of this crate.
pub fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// A model that is shipped with the project.
pub fn model(name: &str) -> PathBuf {
    file("models/promela").join(name)
}
