//! `stubborn check --watch`: checks again whenever a file that the model was read from has changed.
//!
//! Invariant: what is shown last is of the files as they are. Files are compared with the texts that were read, so no
//! change is lost, whenever it comes; a check that is running then is cancelled, and its results are not shown.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, SystemTime};

use stubborn_base::{Sources, read_text};

/// How often files are looked at.
const INTERVAL: Duration = Duration::from_millis(100);

/// The files of a model as they were read.
pub(crate) struct Files {
    files: Vec<File>,
}

struct File {
    path: PathBuf,
    /// None if it could not be read.
    text: Option<Arc<str>>,
    /// When it was last compared: how long it was, and when it had been written.
    seen: Option<(u64, Option<SystemTime>)>,
}

impl Files {
    /// Those of a model.
    pub(crate) fn of(sources: &Sources) -> Self {
        let file = |path: PathBuf, text: &Arc<str>| File { path, text: Some(text.clone()), seen: None };
        Files { files: sources.iter().map(|(_, f)| file(f.path().to_owned(), f.text())).collect() }
    }

    /// One that could not be read.
    pub(crate) fn missing(path: PathBuf) -> Self {
        Files { files: vec![File { path, text: None, seen: None }] }
    }

    /// Waits until one of them is another than it was, or `is_over`.
    pub(crate) fn wait(&mut self, is_over: impl Fn() -> bool) {
        while !is_over() && !self.are_changed() {
            thread::sleep(INTERVAL);
        }
    }

    fn are_changed(&mut self) -> bool {
        self.files.iter_mut().any(File::is_changed)
    }
}

impl File {
    fn is_changed(&mut self) -> bool {
        let seen = fs::metadata(&self.path).ok().map(|data| (data.len(), data.modified().ok()));
        // What was written within the resolution of the clock may have been written once more.
        let is_settled = seen.is_some_and(|(_, written)| {
            written.and_then(|time| time.elapsed().ok()).is_some_and(|age| age > Duration::from_secs(2))
        });
        if seen.is_some() && seen == self.seen {
            return false;
        }
        let text = read_text(&self.path).ok();
        if text == self.text {
            self.seen = seen.filter(|_| is_settled);
            return false;
        }
        true
    }
}

/// Runs `check` with a flag that is set when one of the files changes or `is_over`. Returns nothing if it was set.
pub(crate) fn interruptible<T>(
    files: &mut Files,
    is_over: &AtomicBool,
    check: impl FnOnce(Arc<AtomicBool>) -> T,
) -> Option<T> {
    let cancel = Arc::new(AtomicBool::new(false));
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            files.wait(|| is_over.load(Ordering::Relaxed) || is_done.load(Ordering::Relaxed));
            if !is_done.load(Ordering::Relaxed) {
                cancel.store(true, Ordering::Relaxed);
            }
        });
        let result = check(cancel.clone());
        is_done.store(true, Ordering::Relaxed);
        (!cancel.load(Ordering::Relaxed)).then_some(result)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_seen_and_touching_is_none() {
        let path = std::env::temp_dir().join(format!("stubborn-watch-{}.pml", std::process::id()));
        fs::write(&path, "init { skip }").expect("temporary files can be written");
        let mut sources = Sources::new();
        sources.add(&path, "init { skip }");
        let mut files = Files::of(&sources);
        assert!(!files.are_changed());
        fs::write(&path, "init { skip }").expect("it can be written again");
        assert!(!files.are_changed());
        fs::write(&path, "init { false }").expect("it can be written again");
        assert!(files.are_changed());
        fs::remove_file(&path).expect("it can be removed");
        assert!(files.are_changed());
    }
}
