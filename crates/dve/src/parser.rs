//! From a text to its tree: whatever can be read of it, and located errors for the rest.
//!
//! The text is cut into pieces ([`crate::pieces`]) along its blocks, and each is given to the grammar in
//! `grammars/dve/dve.lalrpop`. Parsing never fails, and time is in proportion to the text.

use std::ops::Range;

use hashbrown::HashSet;
use lalrpop_util::ParseError;
use smol_str::SmolStr;
use stubborn_base::{Diagnostic, Edit, FileId, Span};

use crate::ast::{Expr, Program};
use crate::builder::Builder;
use crate::expect::{describe, expectation, help};
use crate::pieces::{Piece, Pieces};
use crate::token::{Kind, Lexeme, lexemes};

#[allow(unused_qualifications, unreachable_pub, missing_docs, clippy::all, clippy::pedantic)]
pub(crate) mod grammar {
    lalrpop_util::lalrpop_mod!(dve);
    pub(crate) use dve::{
        ClauseParser, DeclarationParser, ExprParser, PartParser, ProcessHeadParser, SystemParser,
        TransitionHeadParser,
    };
}

/// Operators and brackets that may be around each other in one piece, so that no walk over its tree exhausts the
/// stack.
const MAX_DEPTH: usize = 1000;

/// A text that was read.
#[derive(Clone, Debug)]
pub(crate) struct Parsed {
    pub(crate) program: Program,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Names in declarations that could not be read: they may be declared.
    pub(crate) lost: HashSet<SmolStr>,
}

/// Reads a text.
pub(crate) fn parse(text: &str, file: FileId) -> Parsed {
    let mut parser = Parser::new(text, file);
    parser.program();
    let Parser { program, diagnostics, lost, .. } = parser;
    Parsed { program, diagnostics, lost }
}

/// Reads a single expression.
pub(crate) fn parse_expression(text: &str, file: FileId) -> Result<Expr, Box<Diagnostic>> {
    let mut parser = Parser::new(text, file);
    let range = 0..parser.pieces.tokens.len();
    let parse = |b: &Builder<'_>, tokens: &mut Tokens<'_>| grammar::ExprParser::new().parse(b, tokens);
    let tree = parser.piece(range, parse);
    match (tree, parser.diagnostics.into_iter().next()) {
        (Some(tree), None) => Ok(tree),
        (_, Some(diagnostic)) => Err(Box::new(diagnostic)),
        (None, None) => {
            let span = Span::new(file, 0, text.len());
            Err(Box::new(Diagnostic::error("syntax", span, "this is not an expression")))
        }
    }
}

/// Reads a text, piece by piece.
pub(crate) struct Parser<'a> {
    pub(crate) builder: Builder<'a>,
    pub(crate) pieces: Pieces,
    pub(crate) program: Program,
    pub(crate) diagnostics: Vec<Diagnostic>,
    lost: HashSet<SmolStr>,
}

/// Tokens with their places, as the grammar takes them.
pub(crate) type Tokens<'t> = dyn Iterator<Item = Result<(usize, Kind, usize), ()>> + 't;

type Error = ParseError<usize, Kind, ()>;

impl<'a> Parser<'a> {
    fn new(text: &'a str, file: FileId) -> Self {
        let mut parser = Parser {
            builder: Builder { text, file },
            pieces: Pieces { tokens: Vec::new(), at: 0 },
            program: Program::default(),
            diagnostics: Vec::new(),
            lost: HashSet::new(),
        };
        for lexeme in lexemes(text) {
            if lexeme.is_open_comment(text) {
                let span = parser.builder.span(lexeme.start, lexeme.start + 2);
                let diagnostic = Diagnostic::error("open-comment", span, "this comment has no end");
                parser.diagnostics.push(diagnostic.help("end it with `*/`"));
            } else if lexeme.kind == Kind::Unknown {
                let message = format!("`{}` is not part of the language", lexeme.text(text).escape_debug());
                let span = parser.span(lexeme);
                parser.diagnostics.push(Diagnostic::error("unknown-character", span, message));
            } else if !lexeme.kind.is_comment() {
                parser.pieces.tokens.push(lexeme);
            }
        }
        parser
    }

    fn program(&mut self) {
        while let Some(kind) = self.pieces.peek() {
            match kind {
                Kind::Process => self.process(),
                Kind::System => self.system(),
                Kind::Const | Kind::Byte | Kind::Int | Kind::Channel => {
                    let declaration = self.declaration();
                    self.program.declarations.extend(declaration);
                }
                _ => self.unexpected("expected a declaration, a process or `system`"),
            }
        }
    }

    fn system(&mut self) {
        let start = self.pieces.at;
        let piece = self.pieces.piece();
        let parse = |b: &Builder<'_>, tokens: &mut Tokens<'_>| grammar::SystemParser::new().parse(b, tokens);
        let Some(system) = self.closed(piece, parse) else {
            // What it says is not known, but that there is one.
            if self.program.system.is_none() {
                let span = self.span(self.pieces.tokens[start]);
                self.program.system =
                    Some(crate::ast::System { is_synchronous: false, property: None, span });
            }
            return;
        };
        match &self.program.system {
            Some(first) => {
                let diagnostic =
                    Diagnostic::error("second-system", system.span, "`system` stands here twice");
                self.diagnostics.push(diagnostic.label(first.span, "first here"));
            }
            None => self.program.system = Some(system),
        }
    }

    /// A declaration; its names may be declared even if it cannot be read.
    pub(crate) fn declaration(&mut self) -> Option<crate::ast::Declaration> {
        let piece = self.pieces.piece();
        let range = piece.range.clone();
        let parse =
            |b: &Builder<'_>, tokens: &mut Tokens<'_>| grammar::DeclarationParser::new().parse(b, tokens);
        let declaration = self.closed(piece, parse);
        if declaration.is_none() {
            self.lose(range);
        }
        declaration
    }

    /// Parses a piece, which should end with a `;`.
    pub(crate) fn closed<T>(
        &mut self,
        piece: Piece,
        parse: impl FnOnce(&Builder<'a>, &mut Tokens<'_>) -> Result<T, Error>,
    ) -> Option<T> {
        let Piece { range, is_closed } = piece;
        let tree = self.piece(range.clone(), parse)?;
        if !is_closed {
            let last = self.pieces.tokens[range.end.max(1) - 1];
            let span = self.builder.span(last.end, last.end);
            let found = describe(self.pieces.tokens.get(range.end).copied(), self.builder.text);
            let edits = vec![Edit { span, text: ";".to_owned() }];
            let place = self.pieces.tokens.get(range.end).copied().unwrap_or(last);
            let diagnostic =
                Diagnostic::error("syntax", self.span(place), format!("expected `;` before {found}"));
            self.diagnostics.push(diagnostic.fix("Insert `;`", edits));
        }
        Some(tree)
    }

    /// Parses a piece.
    pub(crate) fn piece<T>(
        &mut self,
        range: Range<usize>,
        parse: impl FnOnce(&Builder<'a>, &mut Tokens<'_>) -> Result<T, Error>,
    ) -> Option<T> {
        let tokens = &self.pieces.tokens[range.clone()];
        if let Some(deep) = too_deep(tokens) {
            let message = "this is nested too deeply";
            let diagnostic = Diagnostic::error("nested-too-deeply", self.span(deep), message);
            self.diagnostics.push(diagnostic.help("take it apart, with the help of a variable"));
            return None;
        }
        let mut input = tokens.iter().map(|token| Ok((token.start, token.kind, token.end)));
        let (at, expected) = match parse(&self.builder, &mut input) {
            Ok(tree) => return Some(tree),
            Err(ParseError::UnrecognizedToken { token: (start, ..), expected }) => (Some(start), expected),
            Err(ParseError::ExtraToken { token: (start, ..) }) => (Some(start), Vec::new()),
            Err(_) if range.is_empty() => (None, vec!["an expression".to_owned()]),
            Err(ParseError::UnrecognizedEof { expected, .. }) => (None, expected),
            Err(ParseError::InvalidToken { .. } | ParseError::User { .. }) => (None, Vec::new()),
        };
        let at = at.and_then(|start| tokens.iter().position(|token| token.start == start));
        self.error(range.start + at.unwrap_or(range.len()), &expectation(&expected));
        None
    }

    /// Reports that the token at an index is none of those expected.
    pub(crate) fn error(&mut self, at: usize, expectation: &str) {
        let tokens = &self.pieces.tokens;
        let found = tokens.get(at).copied();
        let before = at.checked_sub(1).and_then(|at| tokens.get(at)).copied();
        let span = match (found, before) {
            (Some(found), _) => self.span(found),
            (None, Some(before)) => self.builder.span(before.end, before.end),
            (None, None) => self.builder.span(0, 0),
        };
        let message = format!("{expectation}, found {}", describe(found, self.builder.text));
        let mut diagnostic = Diagnostic::error("syntax", span, message);
        if let Some(help) = help(found, before) {
            diagnostic = diagnostic.help(help);
        }
        self.diagnostics.push(diagnostic);
    }

    /// Reports and passes what has no place here, up to the next piece.
    pub(crate) fn unexpected(&mut self, expectation: &str) {
        self.error(self.pieces.at, expectation);
        let start = self.pieces.at;
        let range = self.pieces.piece().range;
        self.lose(range);
        // A closing brace is no piece.
        self.pieces.at += usize::from(self.pieces.at == start);
    }

    /// Names in these tokens may be declared there.
    pub(crate) fn lose(&mut self, range: Range<usize>) {
        let names = self.pieces.tokens[range].iter().filter(|token| token.kind == Kind::Name);
        self.lost.extend(names.map(|token| SmolStr::new(token.text(self.builder.text))));
    }

    pub(crate) fn span(&self, lexeme: Lexeme) -> Span {
        self.builder.span(lexeme.start, lexeme.end)
    }

    /// From one token to another.
    pub(crate) fn span_of(&self, range: Range<usize>) -> Span {
        let tokens = &self.pieces.tokens[range];
        match (tokens.first(), tokens.last()) {
            (Some(first), Some(last)) => self.builder.span(first.start, last.end),
            _ => self.builder.span(0, 0),
        }
    }
}

/// The first token that is nested deeper than [`MAX_DEPTH`], counting operators as levels.
fn too_deep(tokens: &[Lexeme]) -> Option<Lexeme> {
    let mut outer: Vec<usize> = Vec::new();
    let mut level = 0;
    for &token in tokens {
        match token.kind {
            Kind::LParen | Kind::LBracket | Kind::LBrace => {
                outer.push(level);
                level += 1;
            }
            Kind::RParen | Kind::RBracket | Kind::RBrace => level = outer.pop().unwrap_or(0),
            Kind::Comma => level = outer.last().map_or(0, |outer| outer + 1),
            Kind::Name | Kind::Number | Kind::True | Kind::False => {}
            _ => level += 1,
        }
        if level > MAX_DEPTH {
            return Some(token);
        }
    }
    None
}
