//! Models on disk that include a text: an editor may open a part of a model without the model.

use std::fs;
use std::path::{Path, PathBuf};

use stubborn_languages::LANGUAGES;

use crate::texts::{Texts, normal};

/// So many files and folders are looked at, and then no more.
const MAX_ENTRIES: usize = 5_000;

/// Models in the folders whose texts seem to include a text, by path.
pub(crate) fn includers(folders: &[PathBuf], included: &Path, texts: &Texts) -> Vec<PathBuf> {
    let Some(name) = included.file_name().map(|name| name.to_string_lossy().into_owned()) else {
        return Vec::new();
    };
    let beside = included.parent().map(Path::to_owned);
    let mut left = MAX_ENTRIES;
    let mut found = Vec::new();
    let mut folders: Vec<PathBuf> = folders.iter().map(|folder| normal(folder)).collect();
    if let Some(beside) = beside.filter(|beside| !folders.iter().any(|folder| beside.starts_with(folder))) {
        // No further than beside it: this is nobody's workspace.
        models(&beside, &mut left, &mut found, &mut Vec::new());
    }
    while let Some(folder) = folders.pop() {
        models(&folder, &mut left, &mut found, &mut folders);
    }
    let mentions = |path: &PathBuf| {
        let text = texts.read(path).unwrap_or_default();
        let mut includes = text.lines().filter(|line| line.trim_start().starts_with('#'));
        path != included && includes.any(|line| line.contains("include") && line.contains(&*name))
    };
    found.retain(mentions);
    found.sort();
    found.dedup();
    found
}

/// The models of a folder, and the folders in it.
fn models(folder: &Path, left: &mut usize, found: &mut Vec<PathBuf>, folders: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let Some(fewer) = left.checked_sub(1) else { return };
        *left = fewer;
        let (path, kind) = (entry.path(), entry.file_type());
        let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
        match kind {
            Ok(kind) if kind.is_dir() && !is_hidden => folders.push(path),
            Ok(kind) if kind.is_file() && is_model(&path) => found.push(path),
            _ => {}
        }
    }
}

fn is_model(path: &Path) -> bool {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
    let known = |extension: String| LANGUAGES.iter().any(|l| l.extensions.contains(&extension.as_str()));
    extension.is_some_and(known)
}
