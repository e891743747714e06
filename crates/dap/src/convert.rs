//! Places of a program as the client counts them.

use stubborn_base::{FileId, Span};
use stubborn_ide::debug::Program;

use crate::protocol::{InitializeArguments, Range, Source};

/// The line that a client means, from 1.
pub(crate) fn line_from(abilities: &InitializeArguments, line: i64) -> u32 {
    let line = if abilities.lines_start_at_1 { line } else { line + 1 };
    u32::try_from(line).unwrap_or(0)
}

/// A line, from 1, as a client counts.
pub(crate) fn line_to(abilities: &InitializeArguments, line: u32) -> i64 {
    i64::from(line) - i64::from(!abilities.lines_start_at_1)
}

pub(crate) fn range(abilities: &InitializeArguments, program: &Program, span: Span) -> Range {
    let (start, end) = program.sources.positions(span);
    let column = |offset: u32| {
        let text = program.sources.file(span.file).text();
        let before = text.get(..offset as usize).unwrap_or_default();
        let line = before.rsplit('\n').next().unwrap_or_default();
        // The protocol counts UTF-16.
        line.encode_utf16().count() as i64 + i64::from(abilities.columns_start_at_1)
    };
    Range {
        line: line_to(abilities, start.line),
        column: column(span.start),
        end_line: line_to(abilities, end.line),
        end_column: column(span.end),
    }
}

pub(crate) fn source(program: &Program, file: FileId) -> Source {
    let path = program.sources.file(file).path();
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    Source { name: name.unwrap_or_default(), path: path.display().to_string() }
}
