//! What it takes to relate statements, in time and in memory: with ten thousands of statements, both are much, and whoever
//! waits may have had enough.
//!
//! Invariant: between two questions whether it is time to stop, little is done.

use std::cell::Cell;

use stubborn_ir::Interrupt;

/// Comparisons between two questions: some milliseconds.
const WORK: usize = 1 << 16;

/// Bytes between two questions.
const BYTES: usize = 1 << 20;

/// What was done and taken.
#[derive(Debug, Default)]
pub(super) struct Effort {
    interrupt: Interrupt,
    /// Since the last question.
    work: Cell<usize>,
    /// In use for rows, which can be forgotten, and for the rest.
    rows: Cell<usize>,
    rest: Cell<usize>,
    /// In use when the last question was asked.
    told: Cell<usize>,
    is_over: Cell<bool>,
}

impl Effort {
    #[inline]
    pub(super) fn heed(&mut self, interrupt: &Interrupt) {
        if !self.interrupt.is(interrupt) {
            self.interrupt = interrupt.clone();
        }
    }

    #[inline]
    pub(super) fn is_over(&self) -> bool {
        self.is_over.get()
    }

    /// So much was done, and so many bytes were taken for what is forgotten with the rows.
    pub(super) fn spend(&self, work: usize, bytes: usize) {
        self.rows.update(|sum| sum + bytes);
        self.note(work);
    }

    /// The same, for what stays.
    pub(super) fn invest(&self, work: usize, bytes: usize) {
        self.rest.update(|sum| sum + bytes);
        self.note(work);
    }

    /// The rows are forgotten.
    pub(super) fn forget_rows(&self) {
        self.rows.set(0);
        self.told.update(|told| told.min(self.rest.get()));
    }

    fn note(&self, work: usize) {
        self.work.update(|sum| sum + work);
        let bytes = self.rows.get() + self.rest.get();
        if self.work.get() >= WORK || bytes >= self.told.get() + BYTES {
            self.work.set(0);
            self.told.set(bytes);
            self.is_over.set(self.is_over.get() || self.interrupt.ask(bytes));
        }
    }
}
