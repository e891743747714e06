//! Source files and positions in them.
//!
//! Invariant: a [`Span`] lies inside the text of its file and on character
//! boundaries, so slicing with it never panics.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use line_index::{LineCol, LineIndex, TextSize};

/// A file of a [`Sources`] collection.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FileId(pub u32);

/// A range of bytes in one file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span of `start..end` in `file`.
    pub fn new(file: FileId, start: usize, end: usize) -> Self {
        Span { file, start: start as u32, end: end as u32 }
    }

    /// The smallest span that covers both; `self` if they are in different files.
    pub fn join(self, other: Span) -> Span {
        if self.file != other.file {
            return self;
        }
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The bytes as a range, for slicing.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A place in a file as people count: line and column from 1, columns in characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// One file: its path as the user knows it, and its text.
#[derive(Clone, Debug)]
pub struct SourceFile {
    path: PathBuf,
    text: Arc<str>,
    lines: LineIndex,
}

impl SourceFile {
    /// The path as it was given.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The whole text.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// Line table, for conversion to UTF-16 columns.
    pub fn line_index(&self) -> &LineIndex {
        &self.lines
    }
}

/// All files that took part in reading a model; the first one is the model itself.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
}

impl Sources {
    /// No files yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file. Texts are limited to 4 GiB by their 32-bit offsets.
    pub fn add(&mut self, path: impl Into<PathBuf>, text: impl Into<Arc<str>>) -> FileId {
        let text = text.into();
        let lines = LineIndex::new(&text);
        self.files.push(SourceFile { path: path.into(), text, lines });
        FileId(self.files.len() as u32 - 1)
    }

    /// The file behind an id.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// All files in the order they were added.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter().enumerate().map(|(i, f)| (FileId(i as u32), f))
    }

    /// The text a span covers.
    pub fn text(&self, span: Span) -> &str {
        self.file(span.file).text.get(span.range()).unwrap_or("")
    }

    /// Where a byte offset is, as people count.
    pub fn position(&self, file: FileId, offset: u32) -> Position {
        let source = self.file(file);
        let LineCol { line, col } = source.lines.line_col(TextSize::from(offset));
        let line_start = (offset - col) as usize;
        let column = source.text.get(line_start..offset as usize).map_or(col as usize, |s| s.chars().count());
        Position { line: line + 1, column: column as u32 + 1 }
    }

    /// The byte offset of a place, as people count; none if the file has no such place. The end
    /// of a line is one.
    pub fn offset(&self, file: FileId, position: Position) -> Option<u32> {
        let text = &self.file(file).text;
        let line = position.line.checked_sub(1)? as usize;
        let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
        // A text that does not end in a line break has no empty line after it.
        if text[..start].matches('\n').count() != line {
            return None;
        }
        let mut ends = text[start..].split('\n').next()?.char_indices().map(|(at, c)| at + c.len_utf8());
        let column = match position.column.checked_sub(1)? {
            0 => 0,
            column => ends.nth(column as usize - 1)?,
        };
        Some((start + column) as u32)
    }

    /// Start and end of a span, as people count.
    pub fn positions(&self, span: Span) -> (Position, Position) {
        (self.position(span.file, span.start), self.position(span.file, span.end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        let mut sources = Sources::new();
        let file = sources.add("m.pml", "byte x;\n/* é */ y = 1");
        assert_eq!(sources.position(file, 0), Position { line: 1, column: 1 });
        let y = sources.file(file).text().rfind('y').unwrap() as u32;
        assert_eq!(sources.position(file, y), Position { line: 2, column: 9 });
    }

    #[test]
    fn places_and_offsets_are_inverse() {
        let mut sources = Sources::new();
        let text = "byte x;\n/* é */ y = 1\n";
        let file = sources.add("m.pml", text);
        for (at, _) in text.char_indices() {
            let position = sources.position(file, at as u32);
            assert_eq!(sources.offset(file, position), Some(at as u32), "{position:?}");
        }
        let offset = |line, column| sources.offset(file, Position { line, column });
        assert_eq!(offset(3, 1), Some(text.len() as u32));
        assert_eq!([offset(1, 9), offset(4, 1), offset(0, 1), offset(1, 0)], [None; 4]);
    }

    #[test]
    fn join_covers_both() {
        let f = FileId(0);
        assert_eq!(Span::new(f, 3, 5).join(Span::new(f, 9, 12)), Span::new(f, 3, 12));
        let other = Span::new(FileId(1), 0, 1);
        assert_eq!(Span::new(f, 3, 5).join(other), Span::new(f, 3, 5));
    }
}
