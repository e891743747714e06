//! Models on disk that a text is a part of: an editor may open a part of a model without the model.

use std::fs;
use std::path::{Path, PathBuf};

use stubborn_languages::{Belonging, LANGUAGES, language_of};

use crate::texts::{Texts, normal};

/// So many files and folders are looked at, and then no more.
const MAX_ENTRIES: usize = 5_000;

/// Models that a text is a part of by its name, open or not, by path; whether or not its own file is there.
pub(crate) fn wholes(part: &Path, texts: &Texts) -> Vec<PathBuf> {
    let language = language_of(part);
    let Some(folder) = part.parent() else { return Vec::new() };
    match language.belonging(part) {
        Belonging::To(name) => {
            let path = folder.join(name);
            if texts.get(&path).is_some() || path.is_file() { vec![path] } else { Vec::new() }
        }
        Belonging::ToAllBeside => {
            let mut found = Vec::new();
            models(folder, &mut { MAX_ENTRIES }, &mut found, &mut Vec::new());
            found.extend(texts.iter().map(|(path, _)| path.to_owned()));
            found.retain(|path| path.parent() == Some(folder) && language.has(path));
            found.sort();
            found.dedup();
            found
        }
        Belonging::IfIncluded | Belonging::ToNone => Vec::new(),
    }
}

/// Whether a text is a part of a model by its name.
pub(crate) fn is_part(part: &Path, whole: &Path) -> bool {
    let is_beside = part.parent() == whole.parent();
    match language_of(part).belonging(part) {
        Belonging::To(name) => is_beside && whole.file_name().is_some_and(|whole| *whole == *name),
        Belonging::ToAllBeside => is_beside && language_of(part).has(whole),
        Belonging::IfIncluded | Belonging::ToNone => false,
    }
}

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
        includes.any(|line| line.contains("include") && line.contains(&*name))
    };
    let may_include = |path: &Path| language_of(path).belonging(path) == Belonging::IfIncluded;
    found.retain(|path| path != included && may_include(path) && mentions(path));
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
    LANGUAGES.iter().any(|language| language.has(path))
}
