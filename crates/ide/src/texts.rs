//! The texts: open ones as the editor has them, all others as they are on disk.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use stubborn_base::read_regular;
use stubborn_languages::Loader;

/// An open text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Document {
    /// What it says.
    pub text: Arc<str>,
    /// The editor's number for it.
    pub version: i32,
}

/// All open texts, by path.
#[derive(Clone, Default, Debug)]
pub struct Texts {
    open: BTreeMap<PathBuf, Document>,
}

impl Texts {
    /// Opens a text, or replaces it.
    pub fn set(&mut self, path: &Path, text: impl Into<Arc<str>>, version: i32) {
        self.open.insert(normal(path), Document { text: text.into(), version });
    }

    /// Closes a text.
    pub fn close(&mut self, path: &Path) {
        self.open.remove(&normal(path));
    }

    /// An open text.
    pub fn get(&self, path: &Path) -> Option<&Document> {
        self.open.get(&normal(path))
    }

    /// All open texts, by path.
    pub fn iter(&self) -> impl Iterator<Item = (&Path, &Document)> {
        self.open.iter().map(|(path, document)| (&**path, document))
    }

    /// A text, open or not.
    pub fn read(&self, path: &Path) -> Option<Arc<str>> {
        match self.get(path) {
            Some(document) => Some(document.text.clone()),
            None => read_regular(path).ok(),
        }
    }
}

/// Included files: next to the file that includes them, or as named.
impl Loader for Texts {
    fn load(&self, includer: &Path, name: &str) -> Option<(PathBuf, Arc<str>)> {
        let beside = includer.parent().map(|folder| normal(&folder.join(name)));
        let paths = beside.into_iter().chain([PathBuf::from(name)]);
        paths.into_iter().find_map(|path| Some((path.clone(), self.read(&path)?)))
    }
}

/// A path without `.` and `..`, so that a file has one name.
pub fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if normal.file_name().is_some() => {
                normal.pop();
            }
            _ => normal.push(component),
        }
    }
    normal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_texts_come_before_files() {
        let mut texts = Texts::default();
        texts.set(Path::new("/nowhere/a/../b.pml"), "byte x;", 3);
        let found = texts.load(Path::new("/nowhere/model.pml"), "./b.pml").unwrap();
        assert_eq!((found.0, &*found.1), (PathBuf::from("/nowhere/b.pml"), "byte x;"));
        texts.close(Path::new("/nowhere/b.pml"));
        assert_eq!(texts.load(Path::new("/nowhere/model.pml"), "b.pml"), None);
    }
}
