//! Diagnostics in the terminal, with the source they are about.

use std::sync::Arc;

use codespan_reporting::diagnostic as rendered;
use codespan_reporting::files::SimpleFiles;
use codespan_reporting::term::{self, DisplayStyle, termcolor};
use stubborn_base::{Diagnostic, Severity, Sources, Span};

use crate::output;

/// More than this many are counted, not shown.
const MAX_SHOWN: usize = 100;

/// Longer lines are not shown.
const MAX_LINE: usize = 400;

/// Shows diagnostics, the first ones in full.
pub(crate) fn show(sources: &Sources, diagnostics: &[Diagnostic]) {
    let mut files = SimpleFiles::new();
    for (_, file) in sources.iter() {
        files.add(file.path().display().to_string(), printable(file.text()));
    }
    let mut buffer = termcolor::Ansi::new(Vec::new());
    for diagnostic in diagnostics.iter().take(MAX_SHOWN) {
        let mut config = term::Config::default();
        if has_long_line(sources, diagnostic) {
            config.display_style = DisplayStyle::Medium;
        }
        // Fails only for spans outside their file, which there are none of.
        let _ = term::emit_to_write_style(&mut buffer, &config, &files, &render(diagnostic));
    }
    let mut text = String::from_utf8_lossy(buffer.get_ref()).into_owned();
    if let Some(more @ 1..) = diagnostics.len().checked_sub(MAX_SHOWN) {
        text += &format!("and {more} more\n");
    }
    output::remarks(&text);
}

/// The text without what a terminal would take for a command; as long as it is.
fn printable(text: &Arc<str>) -> Arc<str> {
    let is_command = |c: char| c.is_ascii_control() && !matches!(c, '\n' | '\r' | '\t');
    match text.contains(is_command) {
        true => text.replace(is_command, "?").into(),
        false => text.clone(),
    }
}

fn has_long_line(sources: &Sources, diagnostic: &Diagnostic) -> bool {
    let is_long = |span: Span| {
        let text = sources.file(span.file).text().as_bytes();
        let (start, end) = (span.start as usize, span.end as usize);
        let before = text[..start].iter().rev().take(MAX_LINE).take_while(|&&c| c != b'\n').count();
        let after = text[end..].iter().take(MAX_LINE).take_while(|&&c| c != b'\n').count();
        before + (end - start) + after > MAX_LINE
    };
    is_long(diagnostic.span) || diagnostic.labels.iter().any(|label| is_long(label.span))
}

fn render(diagnostic: &Diagnostic) -> rendered::Diagnostic<usize> {
    let severity = match diagnostic.severity {
        Severity::Note => rendered::Severity::Note,
        Severity::Warning => rendered::Severity::Warning,
        Severity::Error => rendered::Severity::Error,
    };
    let file = |span: Span| span.file.0 as usize;
    let primary = rendered::Label::primary(file(diagnostic.span), diagnostic.span.range());
    let secondary = diagnostic.labels.iter().map(|label| {
        rendered::Label::secondary(file(label.span), label.span.range()).with_message(&label.message)
    });
    rendered::Diagnostic::new(severity)
        .with_code(diagnostic.code)
        .with_message(&diagnostic.message)
        .with_labels(std::iter::once(primary).chain(secondary).collect())
        .with_notes(diagnostic.help.iter().map(|help| format!("help: {help}")).collect())
}
