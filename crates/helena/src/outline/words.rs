//! Words and their classes, and what can be folded.

use hashbrown::HashMap;
use stubborn_base::outline::{Fold, FoldKind, Outline, Word, WordClass};
use stubborn_base::{Sources, Span};

use crate::parser::Parsed;
use crate::token::{Kind, Token};

/// Fills in words and folds.
pub(super) fn collect(outline: &mut Outline, sources: &Sources, parsed: &[Parsed]) {
    let symbols: HashMap<Span, usize> = outline.mentions.iter().map(|m| (m.span, m.symbol)).collect();
    for file in parsed {
        let lexed = &file.lexed;
        let mut words: Vec<Word> = Vec::new();
        for (i, token) in lexed.tokens.iter().enumerate() {
            let text = sources.text(token.span);
            let before = i.checked_sub(1).map(|i| lexed.tokens[i].kind);
            let class = match symbols.get(&token.span) {
                Some(&symbol) => Some(WordClass::Symbol(symbol)),
                None => class(*token, text, before),
            };
            words.extend(class.map(|class| Word { span: token.span, class }));
        }
        words.extend(lexed.trivia.iter().map(|token| Word {
            span: token.span,
            class: if token.kind == Kind::Directive { WordClass::Directive } else { WordClass::Comment },
        }));
        words.extend(lexed.skipped.iter().filter_map(|span| {
            let text = sources.text(*span);
            let start = span.start + (text.len() - text.trim_start().len()) as u32;
            let end = span.end - (text.len() - text.trim_end().len()) as u32;
            (start < end).then_some(Word { span: Span { start, end, ..*span }, class: WordClass::Comment })
        }));
        words.sort_by_key(|word| word.span.start);
        outline.words.append(&mut words);
        folds(outline, sources, file);
    }
    outline.folds.sort_by_key(|fold| fold.span);
}

fn class(token: Token, text: &str, before: Option<Kind>) -> Option<WordClass> {
    match token.kind {
        Kind::Number => Some(WordClass::Number),
        Kind::Text => Some(WordClass::Text),
        _ if before == Some(Kind::Quote) => Some(WordClass::Predefined),
        Kind::Name => match text {
            "bool" | "int" | "nat" | "short" | "ushort" => Some(WordClass::Type),
            "true" | "false" => Some(WordClass::Predefined),
            _ => None,
        },
        kind if kind.is_keyword() => Some(WordClass::Keyword),
        Kind::LParen | Kind::RParen | Kind::LBrace | Kind::RBrace | Kind::LBracket | Kind::RBracket => None,
        Kind::Semi | Kind::Comma | Kind::LTuple | Kind::RTuple => None,
        _ => Some(WordClass::Operator),
    }
}

/// Braces and comments that take several lines.
fn folds(outline: &mut Outline, sources: &Sources, file: &Parsed) {
    let mut fold = |span: Span, kind: FoldKind| {
        if sources.text(span).contains('\n') {
            outline.folds.push(Fold { span, kind });
        }
    };
    let mut open = Vec::new();
    for token in &file.lexed.tokens {
        match token.kind {
            Kind::LBrace => open.push(token.span),
            Kind::RBrace => {
                if let Some(start) = open.pop() {
                    fold(start.join(token.span), FoldKind::Block);
                }
            }
            _ => {}
        }
    }
    for token in file.lexed.trivia.iter().filter(|token| token.kind == Kind::BlockComment) {
        fold(token.span, FoldKind::Comment);
    }
}
