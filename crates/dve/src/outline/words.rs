//! Classes of words.

use hashbrown::HashMap;
use stubborn_base::outline::{Mention, Word, WordClass};
use stubborn_base::{FileId, Span};

use crate::token::{Kind, Lexeme};

/// All words of the text.
pub(super) fn words(mentions: &[Mention], file: FileId, lexemes: &[Lexeme]) -> Vec<Word> {
    let known: HashMap<u32, usize> = mentions.iter().map(|m| (m.span.start, m.symbol)).collect();
    let word = |lexeme: &Lexeme| {
        let class = match lexeme.kind {
            Kind::LineComment | Kind::Comment => WordClass::Comment,
            Kind::Name => WordClass::Symbol(*known.get(&(lexeme.start as u32))?),
            Kind::Number | Kind::True | Kind::False => WordClass::Number,
            Kind::Byte | Kind::Int | Kind::Channel => WordClass::Type,
            Kind::Unknown | Kind::Semi | Kind::Comma | Kind::Dot | Kind::Colon => return None,
            Kind::LParen | Kind::RParen | Kind::LBracket | Kind::RBracket | Kind::LBrace | Kind::RBrace => {
                return None;
            }
            kind if kind.is_keyword() && !matches!(kind, Kind::And | Kind::Or) => WordClass::Keyword,
            _ => WordClass::Operator,
        };
        Some(Word { span: Span::new(file, lexeme.start, lexeme.end), class })
    };
    lexemes.iter().filter_map(word).collect()
}
