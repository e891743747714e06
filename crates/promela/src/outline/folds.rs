//! What can be folded: blocks, conditionals of the preprocessor, comments, includes.

use stubborn_base::outline::{Fold, FoldKind};
use stubborn_base::{FileId, Sources, Span};

use crate::lexemes::{Lexeme, LexemeKind, is_directive};
use crate::token::Kind;

/// Of all files.
pub(super) fn folds(sources: &Sources, files: &[Vec<Lexeme>]) -> Vec<Fold> {
    let mut folds = Vec::new();
    for ((file, source), lexemes) in sources.iter().zip(files) {
        let mut finder = Finder { file, text: source.text(), found: Vec::new() };
        for (open, close) in blocks(source.text(), lexemes) {
            finder.push(lexemes[open].start, lexemes[close].end, FoldKind::Block);
        }
        finder.comments(lexemes);
        finder.directives(lexemes);
        finder.found.sort_by_key(|f| (f.span.start, std::cmp::Reverse(f.span.end)));
        folds.append(&mut finder.found);
    }
    folds
}

/// Braces, brackets, `if` and `do` with what closes them, by the numbers of their lexemes. Directives do not count.
pub(super) fn blocks(text: &str, lexemes: &[Lexeme]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    let mut open: Vec<(&str, usize)> = Vec::new();
    let mut n_open = [0usize; 5];
    let mut starts_line = true;
    let mut in_directive = false;
    for (at, lexeme) in lexemes.iter().enumerate() {
        let Some(kind) = lexeme.token() else { continue };
        if kind == Kind::Newline {
            (starts_line, in_directive) = (true, false);
            continue;
        }
        in_directive |= starts_line && kind == Kind::Hash;
        starts_line = false;
        if in_directive {
            continue;
        }
        let word = lexeme.text(text);
        const OPEN: [&str; 5] = ["(", "[", "{", "if", "do"];
        const CLOSE: [&str; 5] = [")", "]", "}", "fi", "od"];
        if let Some(pair) = OPEN.iter().position(|o| *o == word) {
            n_open[pair] += 1;
            open.push((OPEN[pair], at));
        } else if let Some(pair) = CLOSE.iter().position(|c| *c == word)
            && n_open[pair] > 0
        {
            // Others that are still open were forgotten; a parenthesis does not reach over a brace.
            if pair < 2
                && open.iter().rev().take_while(|o| o.0 != OPEN[pair]).any(|o| o.0.len() > 1 || o.0 == "{")
            {
                continue;
            }
            while let Some((opener, start)) = open.pop() {
                n_open[OPEN.iter().position(|o| *o == opener).unwrap_or(0)] -= 1;
                if opener == OPEN[pair] {
                    pairs.push((start, at));
                    break;
                }
            }
        }
    }
    pairs
}

struct Finder<'a> {
    file: FileId,
    text: &'a str,
    found: Vec<Fold>,
}

impl Finder<'_> {
    /// If it has more than one line.
    fn push(&mut self, start: u32, end: u32, kind: FoldKind) {
        let span = Span { file: self.file, start, end };
        if self.text[span.range()].contains('\n') {
            self.found.push(Fold { span, kind });
        }
    }

    /// Comments of several lines, and lines of nothing but comments.
    fn comments(&mut self, lexemes: &[Lexeme]) {
        let mut run: Option<(u32, u32)> = None;
        for line in lexemes.split(|l| l.is(Kind::Newline)) {
            match line {
                [comment] if comment.kind == LexemeKind::LineComment => {
                    run = Some((run.map_or(comment.start, |(start, _)| start), comment.end));
                    continue;
                }
                _ => {}
            }
            if let Some((start, end)) = run.take() {
                self.push(start, end, FoldKind::Comment);
            }
            for comment in line.iter().filter(|l| l.kind == LexemeKind::BlockComment) {
                self.push(comment.start, comment.end, FoldKind::Comment);
            }
        }
        if let Some((start, end)) = run {
            self.push(start, end, FoldKind::Comment);
        }
    }

    /// Runs of includes, branches of conditionals, macros of several lines.
    fn directives(&mut self, lexemes: &[Lexeme]) {
        let mut includes: Option<(u32, u32)> = None;
        let mut branches: Vec<u32> = Vec::new();
        for line in lexemes.split(|l| l.is(Kind::Newline)) {
            let line = &line[line.iter().position(|l| !l.is_comment()).unwrap_or(line.len())..];
            let (Some(first), Some(last)) = (line.first(), line.last()) else { continue };
            let word = match line.get(1) {
                Some(word) if is_directive(line) => word.text(self.text),
                _ => "",
            };
            if word == "include" {
                includes = Some((includes.map_or(first.start, |(start, _)| start), last.end));
                continue;
            }
            if let Some((start, end)) = includes.take() {
                self.push(start, end, FoldKind::Includes);
            }
            match word {
                "define" => self.push(first.start, last.end, FoldKind::Block),
                "if" | "ifdef" | "ifndef" => branches.push(first.start),
                "elif" | "else" | "endif" => {
                    if let Some(start) = branches.pop() {
                        // The fold ends with the line above, so that the next branch stays in sight.
                        let end = match word {
                            "endif" => last.end,
                            _ => self.text[..first.start as usize].trim_end().len() as u32,
                        };
                        self.push(start, end.max(start), FoldKind::Block);
                    }
                    if word != "endif" {
                        branches.push(first.start);
                    }
                }
                _ => {}
            }
        }
        if let Some((start, end)) = includes {
            self.push(start, end, FoldKind::Includes);
        }
    }
}
