//! Classes of words.

use hashbrown::HashMap;
use stubborn_base::outline::{Mention, Word, WordClass};
use stubborn_base::{FileId, Sources, Span};

use crate::lexemes::{Lexeme, LexemeKind, is_directive};
use crate::token::{Kind, keyword};

/// Names that the language defines.
pub(crate) const PREDEFINED: &[&str] =
    &["_", "_last", "_nr_pr", "_pid", "_priority", "__FILE__", "__LINE__", "np_", "STDIN"];

/// All words of all files. `special` are those whose class depends on where they stand.
pub(super) fn words(
    mentions: &[Mention],
    special: Vec<Word>,
    sources: &Sources,
    files: &[Vec<Lexeme>],
) -> Vec<Word> {
    let mut known: HashMap<(FileId, u32), WordClass> =
        special.into_iter().map(|w| ((w.span.file, w.span.start), w.class)).collect();
    known.extend(mentions.iter().map(|m| ((m.span.file, m.span.start), WordClass::Symbol(m.symbol))));
    let mut words = Vec::new();
    for ((file, source), lexemes) in sources.iter().zip(files) {
        let mut finder = Finder { file, text: source.text(), known: &known, words: &mut words };
        for line in lexemes.split(|l| l.is(Kind::Newline)) {
            finder.line(line);
        }
    }
    words
}

struct Finder<'a> {
    file: FileId,
    text: &'a str,
    known: &'a HashMap<(FileId, u32), WordClass>,
    words: &'a mut Vec<Word>,
}

impl Finder<'_> {
    fn line(&mut self, line: &[Lexeme]) {
        let first = line.iter().position(|l| !l.is_comment()).unwrap_or(line.len());
        let (comments, rest) = line.split_at(first);
        comments.iter().for_each(|&l| self.lexeme(l));
        let rest = match rest {
            [hash, name, after @ ..] if is_directive(rest) && name.is(Kind::Name) => {
                self.push(hash.start, name.end, WordClass::Directive);
                after
            }
            _ => rest,
        };
        rest.iter().for_each(|&l| self.lexeme(l));
    }

    fn push(&mut self, start: u32, end: u32, class: WordClass) {
        self.words.push(Word { span: Span { file: self.file, start, end }, class });
    }

    fn lexeme(&mut self, lexeme: Lexeme) {
        use Kind::*;
        let Lexeme { kind, start, end } = lexeme;
        let class = match kind {
            LexemeKind::LineComment | LexemeKind::BlockComment => WordClass::Comment,
            LexemeKind::Token(Name) => match self.name(lexeme) {
                Some(class) => class,
                None => return,
            },
            LexemeKind::Token(Number) => return self.number(lexeme),
            LexemeKind::Token(Str | OpenStr | Char | BadChar) => WordClass::Text,
            LexemeKind::Token(LParen | RParen | LBracket | RBracket | LBrace | RBrace) => return,
            LexemeKind::Token(Semi | Comma | Dot | Newline | Unknown | CloseComment) => return,
            LexemeKind::Token(CCode | CExpr) => {
                let word = lexeme.text(self.text).find(|c: char| !c.is_ascii_alphabetic() && c != '_');
                return self.push(
                    start,
                    start + word.map_or(end - start, |at| at as u32),
                    WordClass::Keyword,
                );
            }
            LexemeKind::Token(_) => WordClass::Operator,
        };
        self.push(start, end, class);
    }

    fn name(&self, lexeme: Lexeme) -> Option<WordClass> {
        if let Some(&known) = self.known.get(&(self.file, lexeme.start)) {
            // `init` is the name of a process, but first of all a keyword.
            if !matches!(known, WordClass::Symbol(_)) || keyword(lexeme.text(self.text)).is_none() {
                return Some(known);
            }
        }
        let text = lexeme.text(self.text);
        match keyword(text) {
            _ if PREDEFINED.contains(&text) => Some(WordClass::Predefined),
            Some(kind) if kind.is_type() => Some(WordClass::Type),
            Some(_) => Some(WordClass::Keyword),
            None => None,
        }
    }

    /// Numbers and names in what C takes for one number, such as `0..N`.
    fn number(&mut self, lexeme: Lexeme) {
        let bytes = lexeme.text(self.text).as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let digits = bytes[at..].iter().take_while(|b| b.is_ascii_digit()).count();
            let name = bytes[at..].iter().take_while(|&&b| b != b'.').count();
            let start = lexeme.start + at as u32;
            if digits > 0 {
                self.push(start, start + digits as u32, WordClass::Number);
            } else if let Some(&class) = self.known.get(&(self.file, start)) {
                self.push(start, start + name as u32, class);
            }
            at += if digits > 0 { digits } else { name.max(1) };
        }
    }
}
