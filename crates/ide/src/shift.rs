//! Places in a text that has changed since it was read.
//!
//! Two versions of a text differ between what they begin with and what they end with alike. A place outside of that is
//! known in both; inside of it, in neither.

use std::sync::Arc;

use stubborn_base::{FileId, SourceFile, Sources, Span};

use crate::analysis::Analysis;
use crate::texts::Texts;

/// Where two versions of a text differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shift {
    start: u32,
    old_end: u32,
    new_end: u32,
}

impl Shift {
    /// From one version to another.
    pub fn between(old: &str, new: &str) -> Self {
        let n_same = old.bytes().zip(new.bytes()).take_while(|(a, b)| a == b).count();
        // A difference may begin or end inside of a character.
        let start = (0..=n_same).rev().find(|&at| old.is_char_boundary(at) && new.is_char_boundary(at));
        let start = start.unwrap_or(0);
        let rest = (old.len() - start).min(new.len() - start);
        let ends = old.bytes().rev().zip(new.bytes().rev()).take(rest);
        let n_after = ends.take_while(|(a, b)| a == b).count();
        let n_after = (0..=n_after).rev().find(|&n| old.is_char_boundary(old.len() - n)).unwrap_or(0);
        Shift {
            start: start as u32,
            old_end: (old.len() - n_after) as u32,
            new_end: (new.len() - n_after) as u32,
        }
    }

    /// A place of the new text in the old one, unless it is where they differ.
    pub fn to_old(self, offset: u32) -> Option<u32> {
        match offset {
            _ if offset < self.start => Some(offset),
            _ if offset > self.new_end => Some(offset - self.new_end + self.old_end),
            _ => None,
        }
    }

    /// A place of the new text in the old one; the nearest one.
    pub fn nearest_old(self, offset: u32) -> u32 {
        self.to_old(offset).unwrap_or(self.start)
    }

    /// A place of the old text in the new one; the nearest one.
    pub fn to_new(self, offset: u32) -> u32 {
        match offset {
            _ if offset <= self.start => offset,
            _ if offset >= self.old_end => offset - self.old_end + self.new_end,
            _ => self.start,
        }
    }
}

/// The files of an analysis that have changed since they were read.
#[derive(Clone, Debug, Default)]
pub struct Moved {
    files: Vec<(FileId, Shift, Sources)>,
}

impl Moved {
    /// Those of an analysis whose texts are others now.
    pub fn since(analysis: &Analysis, texts: &Texts) -> Self {
        let mut files = Vec::new();
        for (id, file) in analysis.sources.iter() {
            let Some(now) = texts.get(file.path()) else { continue };
            if !Arc::ptr_eq(&now.text, file.text()) && now.text != *file.text() {
                let mut sources = Sources::new();
                sources.add(file.path(), now.text.clone());
                files.push((id, Shift::between(file.text(), &now.text), sources));
            }
        }
        Moved { files }
    }

    /// How a file has changed.
    pub fn shift(&self, file: FileId) -> Option<Shift> {
        self.files.iter().find(|(id, ..)| *id == file).map(|(_, shift, _)| *shift)
    }

    /// The file as it is now.
    pub fn file<'a>(&'a self, sources: &'a Sources, file: FileId) -> &'a SourceFile {
        let moved = self.files.iter().find(|(id, ..)| *id == file);
        moved.map_or_else(|| sources.file(file), |(_, _, now)| now.file(FileId(0)))
    }

    /// Where something is now that was read somewhere.
    pub fn span(&self, span: Span) -> Span {
        let Some(shift) = self.shift(span.file) else { return span };
        Span { start: shift.to_new(span.start), end: shift.to_new(span.end), ..span }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(old: &str, new: &str) {
        let shift = Shift::between(old, new);
        for (at, _) in new.char_indices() {
            if let Some(then) = shift.to_old(at as u32) {
                assert_eq!(
                    old[then as usize..].chars().next(),
                    new[at..].chars().next(),
                    "{old:?} {new:?} {at}"
                );
                assert_eq!(shift.to_new(then), at as u32, "{old:?} {new:?} {at}");
            }
        }
        for at in 0..=old.len() as u32 + 1 {
            assert!(shift.to_new(at.min(old.len() as u32)) as usize <= new.len(), "{old:?} {new:?}");
        }
        for at in 0..=new.len() as u32 {
            assert!(shift.nearest_old(at) as usize <= old.len(), "{old:?} {new:?}");
        }
    }

    #[test]
    fn places_outside_of_a_change_are_kept() {
        let texts = ["", "a", "aa", "aba", "abba", "xéy", "xèy", "xéèy", "byte x;", "byte xx;", "byte\nx;"];
        for old in texts {
            for new in texts {
                check(old, new);
            }
        }
        let shift = Shift::between("byte x; byte y", "byte longer; byte y");
        assert_eq!((shift.to_old(0), shift.to_old(7), shift.to_old(18)), (Some(0), None, Some(13)));
    }
}
