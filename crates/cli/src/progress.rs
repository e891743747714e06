//! A line on stderr that tells how far a search is, once it takes longer than a second.

use std::time::{Duration, Instant};

use indicatif::{HumanBytes, HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};
use stubborn_check::Progress;

use crate::output;

const DELAY: Duration = Duration::from_secs(1);
const INTERVAL: Duration = Duration::from_millis(100);

/// The line, if somebody watches.
pub(crate) struct ProgressLine {
    started: Instant,
    shown: Instant,
    memory: usize,
    bar: Option<ProgressBar>,
    is_watched: bool,
}

impl ProgressLine {
    /// For a search that may use `memory` bytes.
    pub(crate) fn new(memory: usize) -> Self {
        let now = Instant::now();
        ProgressLine { started: now, shown: now, memory, bar: None, is_watched: output::is_watched() }
    }

    /// Shows how far the search is, at most every 100 ms.
    pub(crate) fn update(&mut self, progress: &Progress) {
        if !self.is_watched {
            return;
        }
        let now = Instant::now();
        if now - self.started < DELAY || now - self.shown < INTERVAL {
            return;
        }
        self.shown = now;
        let counts = &progress.counts;
        let rate = counts.states as f64 / (now - self.started).as_secs_f64();
        let bar = self.bar.get_or_insert_with(|| bar(self.memory));
        bar.set_position(progress.bytes as u64);
        bar.set_message(format!(
            "{} states, depth {}, {} states/s, {} of {}",
            HumanCount(counts.states),
            HumanCount(counts.depth),
            HumanCount(rate as u64),
            HumanBytes(progress.bytes as u64),
            HumanBytes(self.memory as u64),
        ));
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// How much is left to visit is not known; how much memory is left is.
fn bar(memory: usize) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(memory as u64), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{spinner} {elapsed} [{bar:20}] {msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    bar
}
