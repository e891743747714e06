//! The only place that writes to the terminal. A closed pipe is not an error.

use std::io::{IsTerminal, Write};

use anstyle::{AnsiColor, Style};

pub(crate) const BOLD: Style = Style::new().bold();
pub(crate) const DIM: Style = Style::new().dimmed();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default().bold();
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
pub(crate) const UNKNOWN: Style = AnsiColor::Yellow.on_default().bold();

/// Of a line that no terminal shows.
const DEFAULT_WIDTH: u16 = 120;

/// Writes results; colours are left out where they are not wanted.
pub(crate) fn results(text: &str) {
    let mut out = anstream::stdout();
    let _ = out.write_all(text.as_bytes());
    // A question does not end its line.
    let _ = out.flush();
}

/// Writes remarks; colours are left out where they are not wanted.
pub(crate) fn remarks(text: &str) {
    let _ = anstream::stderr().write_all(text.as_bytes());
}

/// Says in one line why a command could not be carried out.
pub(crate) fn failure(message: &str) {
    remarks(&format!("{BAD}error{BAD:#}: {message}\n"));
}

/// Whether somebody watches the remarks.
pub(crate) fn is_watched() -> bool {
    std::io::stderr().is_terminal()
}

/// How many characters fit on a line of the results.
pub(crate) fn width() -> usize {
    let (_, columns) = console::Term::stdout().size_checked().unwrap_or((0, DEFAULT_WIDTH));
    usize::from(columns)
}
