//! Branches of the preprocessor's conditionals that are no code: notes that nobody compiles.
//!
//! A branch is code if what it opens it closes, or if all branches of its conditional leave the same open.

use super::indent::{Open, take_in};
use crate::lexemes::{Lexeme, is_directive};
use crate::token::Kind;

/// A conditional whose end has not been seen.
struct Conditional {
    /// What is open where it begins; none in a text that is no code.
    start: Option<Vec<Open>>,
    branches: Vec<(std::ops::Range<usize>, Option<Vec<Open>>)>,
    first_line: usize,
    has_else: bool,
}

/// For each line, whether it stands in such a branch; none if the text around them does not balance.
pub(super) fn prose(text: &str, lines: &[&[Lexeme]]) -> Option<Vec<bool>> {
    let mut is_prose = vec![false; lines.len()];
    let mut open: Option<Vec<Open>> = Some(Vec::new());
    let mut conditionals: Vec<Conditional> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let line = &line[line.iter().position(|l| !l.is_comment()).unwrap_or(line.len())..];
        if !is_directive(line) {
            open = open.and_then(|open| after(open, text, line));
            continue;
        }
        match line.get(1).map_or("", |word| word.text(text)) {
            "if" | "ifdef" | "ifndef" => {
                let (start, first_line) = (open.clone(), at + 1);
                conditionals.push(Conditional { start, branches: Vec::new(), first_line, has_else: false });
            }
            word @ ("else" | "elif" | "endif") => {
                let mut conditional = conditionals.pop()?;
                conditional.branches.push((conditional.first_line..at, open));
                if word == "endif" {
                    open = conditional.end(&mut is_prose);
                } else {
                    conditional.first_line = at + 1;
                    conditional.has_else |= word == "else";
                    open = conditional.start.clone();
                    conditionals.push(conditional);
                }
            }
            _ => {}
        }
    }
    (conditionals.is_empty() && open.is_some_and(|open| open.is_empty())).then_some(is_prose)
}

/// What is open after a line; none if it closes what is not open.
fn after(mut open: Vec<Open>, text: &str, line: &[Lexeme]) -> Option<Vec<Open>> {
    for at in 0..line.len() {
        take_in(&mut open, text, line, at)?;
    }
    (!line.iter().any(|l| l.is(Kind::OpenStr))).then_some(open)
}

impl Conditional {
    /// What is open after it.
    fn end(self, is_prose: &mut [bool]) -> Option<Vec<Open>> {
        let implied = (!self.has_else).then_some(&self.start);
        let mut ends = self.branches.iter().map(|(_, end)| end).chain(implied);
        let first = ends.next()?;
        if first.is_some() && ends.all(|end| end == first) {
            return first.clone();
        }
        for (lines, end) in self.branches {
            if end != self.start || end.is_none() {
                is_prose[lines].fill(true);
            }
        }
        self.start
    }
}
