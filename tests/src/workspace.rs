//! Where things are.

use std::path::{Path, PathBuf};

use stubborn_languages::LANGUAGES;

/// The top of the workspace.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("this crate is a folder of the workspace")
}

/// A file or folder of this crate.
pub fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// A Promela model that is shipped with the project.
pub fn model(name: &str) -> PathBuf {
    file("models/promela").join(name)
}

/// All models of all languages that the tests are about.
pub fn models() -> Vec<PathBuf> {
    models_in(file("models"))
}

/// All examples of all languages.
pub fn examples() -> Vec<PathBuf> {
    models_in(root().join("examples"))
}

fn models_in(folder: PathBuf) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder];
    while let Some(folder) = folders.pop() {
        let entries =
            std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for entry in entries {
            let path = entry.expect("a readable folder").path();
            if path.is_dir() {
                folders.push(path);
            } else if LANGUAGES.iter().any(|language| language.has(&path)) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
