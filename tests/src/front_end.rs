//! The front-end and the search, called in this process: thousands of broken texts would otherwise mean
//! thousands of processes.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use stubborn_base::Severity;
use stubborn_ir::Model;
use stubborn_promela::{Loader, load};
use stubborn_reduce::Plan;
use stubborn_search::{Ignore, Limits, Order, search};

/// Finds included files among those of a folder.
struct Folder(Option<PathBuf>);

impl Loader for Folder {
    fn load(&self, _includer: &Path, name: &str) -> Option<(PathBuf, Arc<str>)> {
        let path = self.0.as_ref()?.join(name);
        let bytes = std::fs::read(&path).ok()?;
        Some((path, String::from_utf8_lossy(&bytes).into()))
    }
}

/// The model in a file; none if it has errors.
pub fn read(path: &Path) -> Option<Model> {
    let text = String::from_utf8_lossy(&std::fs::read(path).ok()?).into();
    load(path, text, &Folder(path.parent().map(Path::to_path_buf)), &[]).model
}

/// Memory for the states of a text that turns out to be a model.
const SMALL: usize = 1 << 18;
/// Time for its search.
const SHORT: Duration = Duration::from_millis(200);

/// Reads a text as a model and returns how many errors it has. Each error must have its place, and a text
/// without errors must make a model that can be searched.
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
    if let Some(model) = &loaded.model {
        let limits = Limits { time: Some(SHORT), ..Limits::memory(SMALL) };
        // A model may have no initial state; the search itself must come to an end.
        let _ = search(model, Order::BreadthFirst, &Plan::none(), &limits, &mut Ignore);
    }
    n_errors
}
