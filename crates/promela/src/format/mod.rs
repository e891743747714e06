//! Layout of a text: indentation and the space between tokens.
//!
//! Lines are the author's: none is broken, none is joined, since the end of a line can end a statement. Directives
//! with the bodies of macros, comments, C code and branches of conditionals that are no code stay as they are. Between two tokens of a line is what [`space`]
//! says, at its start what [`indent`] says; two or more empty lines become one.
//!
//! Invariants: tokens and comments are the same before and after; laying out twice is laying out once.

mod branches;
mod indent;
mod space;

#[cfg(test)]
mod tests;

use crate::lexemes::{Lexeme, is_directive, lexemes};
use crate::token::Kind;
use indent::Indent;
use space::Spacer;

/// Columns of one level.
const WIDTH: usize = 4;

/// The text laid out as is usual, with all its comments; none if it has errors that stand in the way: comments,
/// strings or blocks without an end.
pub fn format(text: &str) -> Option<String> {
    let lexemes = lexemes(text);
    let has_no_end = |l: &Lexeme| {
        let word = l.text(text);
        let is_open = word.starts_with("/*") && !(word.len() >= 4 && word.ends_with("*/"));
        // A `\` at the end of the text would go on with what is put there, blanks behind it or not.
        let goes_on = word.trim_end_matches([' ', '\t', '\r']).ends_with('\\');
        (l.is_comment() && is_open) || ((l.is_comment() || l.is(Kind::Unknown)) && goes_on)
    };
    if lexemes.iter().any(has_no_end) {
        return None;
    }
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let lines: Vec<&[Lexeme]> = lexemes.split(|l| l.is(Kind::Newline)).collect();
    let is_prose = branches::prose(text, &lines)?;
    let mut indent = Indent::default();
    let mut spacer = Spacer::new(text);
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    let mut blank = false;
    for (at, line) in lines.iter().enumerate() {
        let (Some(first), Some(last)) = (line.first(), line.last()) else {
            blank = !out.is_empty();
            continue;
        };
        if std::mem::take(&mut blank) {
            out.push_str(newline);
        }
        let code = line.iter().position(|l| !l.is_comment());
        if is_prose[at] || code.is_some_and(|code| is_directive(&line[code..])) {
            if !is_prose[at] {
                indent.directive(text, &line[code.unwrap_or(0)..]);
            }
            let start = text[..first.start as usize].rfind('\n').map_or(0, |at| at + 1);
            out.push_str(text[start..last.end as usize].trim_end_matches('\r'));
        } else {
            let level = match code {
                Some(code) => indent.line(text, &line[code..]),
                None => indent.comment(&lines[at + 1..]),
            };
            out.extend(std::iter::repeat_n(' ', level * WIDTH));
            spacer.line(line, &mut out);
            // What is no token goes on to the end of the line.
            out.truncate(out.trim_end_matches('\r').len());
        }
        out.push_str(newline);
    }
    Some(out)
}
