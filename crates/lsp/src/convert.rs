//! Places and data of the engine as those of the protocol, and back.
//!
//! A position that is not in the text is taken for the nearest one that is, as the protocol asks.

use std::path::{Path, PathBuf};

use stubborn_base::outline::SymbolKind;
use stubborn_base::{FileId, Severity, SourceFile, Sources, Span};
use stubborn_ide::shift::Moved;
use tower_lsp::ls_types as lsp;

/// How columns are counted.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum Encoding {
    Utf8,
    #[default]
    Utf16,
}

/// The path of a document; as good as possible if it is not a file.
pub(crate) fn path(uri: &lsp::Uri) -> PathBuf {
    uri.to_file_path().map_or_else(|| PathBuf::from(uri.as_str()), std::borrow::Cow::into_owned)
}

/// The address of a file.
pub(crate) fn uri(path: &Path) -> Option<lsp::Uri> {
    // What came as something else than a file goes back as it came.
    let as_it_came = || path.to_str().filter(|p| p.contains(':')).and_then(|p| p.parse().ok());
    if path.is_absolute() { lsp::Uri::from_file_path(path) } else { as_it_came() }
}

/// The byte at a position of a text.
pub(crate) fn offset(text: &str, position: lsp::Position, encoding: Encoding) -> usize {
    let mut start = 0;
    for _ in 0..position.line {
        match text[start..].find('\n') {
            Some(at) => start += at + 1,
            None => return text.len(),
        }
    }
    let line = text[start..].split('\n').next().unwrap_or_default();
    let line = line.strip_suffix('\r').unwrap_or(line);
    start + column_to_byte(line, position.character as usize, encoding)
}

/// The same with the index of lines of a file.
pub(crate) fn offset_in(file: &SourceFile, position: lsp::Position, encoding: Encoding) -> u32 {
    let text = file.text();
    let Some(range) = file.line_index().line(position.line) else { return text.len() as u32 };
    let start = usize::from(range.start());
    let line = text.get(start..usize::from(range.end())).unwrap_or_default();
    let line = line.trim_end_matches(['\n', '\r']);
    (start + column_to_byte(line, position.character as usize, encoding)) as u32
}

fn column_to_byte(line: &str, column: usize, encoding: Encoding) -> usize {
    match encoding {
        Encoding::Utf8 => {
            let mut at = column.min(line.len());
            while !line.is_char_boundary(at) {
                at -= 1;
            }
            at
        }
        Encoding::Utf16 => {
            let mut units = 0;
            for (at, c) in line.char_indices() {
                if units >= column {
                    return at;
                }
                units += c.len_utf16();
            }
            line.len()
        }
    }
}

/// The position of a byte.
pub(crate) fn position(file: &SourceFile, offset: u32, encoding: Encoding) -> lsp::Position {
    let offset = (offset as usize).min(file.text().len());
    let at = file.line_index().line_col((offset as u32).into());
    let start = offset - at.col as usize;
    let character = match encoding {
        Encoding::Utf8 => at.col,
        Encoding::Utf16 => {
            file.text().get(start..offset).map_or(at.col, |text| text.encode_utf16().count() as u32)
        }
    };
    lsp::Position { line: at.line, character }
}

/// The range of a span.
pub(crate) fn range(sources: &Sources, span: Span, encoding: Encoding) -> lsp::Range {
    let file = sources.file(span.file);
    lsp::Range { start: position(file, span.start, encoding), end: position(file, span.end, encoding) }
}

/// The place of a span, unless its file has no address.
pub(crate) fn location(sources: &Sources, span: Span, encoding: Encoding) -> Option<lsp::Location> {
    let uri = uri(sources.file(span.file).path())?;
    Some(lsp::Location { uri, range: range(sources, span, encoding) })
}

/// The place of something that was read, in the text as it is now.
pub(crate) fn location_now(
    moved: &Moved,
    sources: &Sources,
    span: Span,
    encoding: Encoding,
) -> Option<lsp::Location> {
    let file = moved.file(sources, span.file);
    let span = moved.span(span);
    let range =
        lsp::Range { start: position(file, span.start, encoding), end: position(file, span.end, encoding) };
    Some(lsp::Location { uri: uri(file.path())?, range })
}

/// The whole of a file.
pub(crate) fn everything(sources: &Sources, file: FileId, encoding: Encoding) -> lsp::Range {
    let end = sources.file(file).text().len();
    range(sources, Span::new(file, 0, end), encoding)
}

pub(crate) fn severity(severity: Severity) -> lsp::DiagnosticSeverity {
    match severity {
        Severity::Note => lsp::DiagnosticSeverity::HINT,
        Severity::Warning => lsp::DiagnosticSeverity::WARNING,
        Severity::Error => lsp::DiagnosticSeverity::ERROR,
    }
}

pub(crate) fn symbol_kind(kind: SymbolKind) -> lsp::SymbolKind {
    match kind {
        SymbolKind::Process => lsp::SymbolKind::CLASS,
        SymbolKind::Variable | SymbolKind::Parameter => lsp::SymbolKind::VARIABLE,
        SymbolKind::Channel => lsp::SymbolKind::EVENT,
        SymbolKind::Constant => lsp::SymbolKind::ENUM_MEMBER,
        SymbolKind::Type => lsp::SymbolKind::STRUCT,
        SymbolKind::Field => lsp::SymbolKind::FIELD,
        SymbolKind::Label => lsp::SymbolKind::KEY,
        SymbolKind::Inline => lsp::SymbolKind::FUNCTION,
        SymbolKind::Macro => lsp::SymbolKind::CONSTANT,
        SymbolKind::Property => lsp::SymbolKind::PROPERTY,
    }
}

pub(crate) fn completion_kind(kind: Option<SymbolKind>) -> lsp::CompletionItemKind {
    match kind {
        None => lsp::CompletionItemKind::KEYWORD,
        Some(SymbolKind::Process) => lsp::CompletionItemKind::CLASS,
        Some(SymbolKind::Variable | SymbolKind::Parameter) => lsp::CompletionItemKind::VARIABLE,
        Some(SymbolKind::Channel) => lsp::CompletionItemKind::EVENT,
        Some(SymbolKind::Constant) => lsp::CompletionItemKind::ENUM_MEMBER,
        Some(SymbolKind::Type) => lsp::CompletionItemKind::STRUCT,
        Some(SymbolKind::Field) => lsp::CompletionItemKind::FIELD,
        Some(SymbolKind::Label) => lsp::CompletionItemKind::REFERENCE,
        Some(SymbolKind::Inline) => lsp::CompletionItemKind::FUNCTION,
        Some(SymbolKind::Macro) => lsp::CompletionItemKind::CONSTANT,
        Some(SymbolKind::Property) => lsp::CompletionItemKind::PROPERTY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "byte é;\n/* 𝄞 */ x = 1\r\nend";

    #[test]
    fn positions_and_offsets_are_inverse_in_both_encodings() {
        let mut sources = Sources::new();
        let id = sources.add("m.pml", TEXT);
        let file = sources.file(id);
        for encoding in [Encoding::Utf8, Encoding::Utf16] {
            for (at, c) in TEXT.char_indices().filter(|(_, c)| *c != '\n' && *c != '\r') {
                let there = position(file, at as u32, encoding);
                assert_eq!(offset(TEXT, there, encoding), at, "{c} {there:?}");
                assert_eq!(offset_in(file, there, encoding), at as u32, "{c} {there:?}");
            }
        }
    }

    #[test]
    fn positions_outside_the_text_are_the_nearest_inside() {
        let at = |line, character| offset(TEXT, lsp::Position { line, character }, Encoding::Utf16);
        assert_eq!(at(0, 99), TEXT.find('\n').unwrap());
        assert_eq!(at(1, 99), TEXT.find('\r').unwrap());
        assert_eq!(at(9, 0), TEXT.len());
        // Between the halves of a surrogate pair.
        assert_eq!(at(1, 4), TEXT.find('𝄞').unwrap() + '𝄞'.len_utf8());
    }
}
