//! The front-end, called in this process: thousands of broken texts would otherwise mean thousands of
//! processes.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use stubborn_base::Severity;
use stubborn_promela::{Loader, load};

/// Finds included files among those of a folder.
struct Folder(Option<PathBuf>);

impl Loader for Folder {
    fn load(&self, _includer: &Path, name: &str) -> Option<(PathBuf, Arc<str>)> {
        let path = self.0.as_ref()?.join(name);
        let bytes = std::fs::read(&path).ok()?;
        Some((path, String::from_utf8_lossy(&bytes).into()))
    }
}

/// Reads a text as a model and returns how many errors it has. Each error must have its place, and a text
/// without errors must make a model.
pub fn count_errors(text: &str, folder: Option<&Path>) -> usize {
    let loader = Folder(folder.map(Path::to_path_buf));
    let loaded = load(Path::new("model.pml"), text.into(), &loader, &[]);
    let errors = loaded.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    let n_errors = errors
        .inspect(|diagnostic| {
            let (start, end) = loaded.sources.positions(diagnostic.span);
            assert!(start.line >= 1 && start.line <= end.line, "{:?} has no place", diagnostic.message);
        })
        .count();
    assert_eq!(loaded.model.is_some(), n_errors == 0, "a model exactly if there are no errors");
    n_errors
}
