//! The front-end, called in this process: thousands of broken texts would otherwise mean thousands of
//! processes.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use stubborn_base::{Severity, Sources};
use stubborn_promela::{Loader, parse};

/// Finds included files among those of a folder.
struct Folder(Option<PathBuf>);

impl Loader for Folder {
    fn load(&self, _includer: &Path, name: &str) -> Option<(PathBuf, Arc<str>)> {
        let path = self.0.as_ref()?.join(name);
        let bytes = std::fs::read(&path).ok()?;
        Some((path, String::from_utf8_lossy(&bytes).into()))
    }
}

/// Reads a text as a model and returns how many errors it has. Each error must lie inside its file.
pub fn count_errors(text: &str, folder: Option<&Path>) -> usize {
    let mut sources = Sources::new();
    let loader = Folder(folder.map(Path::to_path_buf));
    let parsed = parse(Path::new("model.pml"), text.into(), &mut sources, &loader, &[]);
    let is_error = |severity: Severity| severity == Severity::Error;
    let errors = parsed.diagnostics.iter().filter(|diagnostic| is_error(diagnostic.severity));
    errors
        .inspect(|diagnostic| {
            let (start, end) = sources.positions(diagnostic.span);
            assert!(start.line >= 1 && start.line <= end.line, "{:?} has no place", diagnostic.message);
        })
        .count()
}
