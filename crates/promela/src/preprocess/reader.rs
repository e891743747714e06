//! Reads files token by token and obeys directives on the way.
//!
//! Follows C99 §6.10 and gcc: a directive is a line whose first token is `#`,
//! also between the arguments of a macro call; skipped lines are looked at
//! for nested conditionals only; every conditional ends in its file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use stubborn_base::{Diagnostic, FileId, Span, suggest};

use super::{Include, MAX_INCLUDES, MAX_NESTING, Preprocessor};
use crate::fixes::replace;
use crate::table::{Ctx, Flags, Sym, Token};
use crate::token::{Kind, Raw, lex};

/// One open file.
pub(super) struct Reader {
    file: FileId,
    path: PathBuf,
    text: Arc<str>,
    raws: Vec<Raw>,
    pos: usize,
    conditionals: Vec<Conditional>,
    starts_line: bool,
}

/// An `#if` whose `#endif` has not been seen.
struct Conditional {
    span: Span,
    /// One of its branches has been read.
    taken: bool,
    seen_else: bool,
}

impl Reader {
    pub(super) fn new(file: FileId, path: &Path, text: Arc<str>) -> Self {
        let raws = lex(&text);
        Reader { file, path: path.into(), text, raws, pos: 0, conditionals: Vec::new(), starts_line: true }
    }

    fn span(&self, raw: Raw) -> Span {
        Span { file: self.file, start: raw.start, end: raw.end }
    }

    fn slice(&self, raw: Raw) -> &str {
        &self.text[raw.start as usize..raw.end as usize]
    }

    /// Takes the rest of the line.
    fn line(&mut self) -> &[Raw] {
        let start = self.pos;
        while self.raws.get(self.pos).is_some_and(|raw| raw.kind != Kind::Newline) {
            self.pos += 1;
        }
        &self.raws[start..self.pos]
    }

    /// The directive that the line at `pos` is, if it is one: its name.
    fn directive_at(&self, pos: usize) -> Option<&str> {
        let (hash, name) = (self.raws.get(pos)?, self.raws.get(pos + 1)?);
        (hash.kind == Kind::Hash && name.kind == Kind::Name).then(|| self.slice(*name))
    }
}

impl Preprocessor<'_> {
    /// The next token of the innermost file that is no directive; macros are not expanded.
    pub(super) fn read(&mut self) -> Option<Token> {
        loop {
            let reader = self.readers.last_mut()?;
            let Some(&raw) = reader.raws.get(reader.pos) else {
                self.close();
                continue;
            };
            match raw.kind {
                Kind::Newline => {
                    reader.pos += 1;
                    reader.starts_line = true;
                }
                Kind::Hash if reader.starts_line => self.directive(),
                _ => {
                    let adjacent = reader.pos > 0 && reader.raws[reader.pos - 1].end == raw.start;
                    reader.pos += 1;
                    let starts_line = std::mem::take(&mut reader.starts_line);
                    let mut flags = if adjacent { Flags::default() } else { Flags::SPACE };
                    if starts_line {
                        flags = flags.with(Flags::NEWLINE);
                    }
                    return Some(self.token(raw, flags));
                }
            }
        }
    }

    /// A token of the innermost file.
    fn token(&mut self, raw: Raw, flags: Flags) -> Token {
        let reader = self.readers.last().expect("called while a file is open");
        let sym = if raw.kind.has_own_text() && !matches!(raw.kind, Kind::CCode | Kind::CExpr) {
            self.table.intern(reader.slice(raw))
        } else {
            Sym::NONE
        };
        Token { kind: raw.kind, flags, sym, span: reader.span(raw), ctx: Ctx::ROOT, param: None }
    }

    /// Leaves a file at its end.
    fn close(&mut self) {
        let Some(reader) = self.readers.pop() else { return };
        for conditional in reader.conditionals {
            let diagnostic =
                Diagnostic::error("unclosed-conditional", conditional.span, "`#if` has no `#endif`");
            let end = Span::new(reader.file, reader.text.len(), reader.text.len());
            self.report.push(diagnostic.fix("Insert `#endif`", replace(end, "\n#endif\n")));
        }
        if let Some(outer) = self.readers.last_mut() {
            outer.starts_line = true;
        }
    }

    /// Obeys the directive on this line.
    fn directive(&mut self) {
        let reader = self.readers.last_mut().expect("called while a file is open");
        let line: Vec<Raw> = reader.line().to_vec();
        let Some(&name) = line.get(1) else { return };
        let span = reader.span(name);
        if name.kind == Kind::Number {
            return; // # 12 "file"
        }
        let directive = reader.slice(name).to_owned();
        let operands: Vec<Token> = if matches!(directive.as_str(), "pragma" | "line" | "ident") {
            Vec::new()
        } else {
            let mut previous = name.end;
            line[2..]
                .iter()
                .map(|&raw| {
                    let adjacent = std::mem::replace(&mut previous, raw.end) == raw.start;
                    self.token(raw, if adjacent { Flags::default() } else { Flags::SPACE })
                })
                .collect()
        };
        match directive.as_str() {
            "define" => self.define(span, &operands),
            "undef" => match operands.first() {
                Some(&name) if name.kind == Kind::Name => {
                    self.mention(name);
                    self.macros.remove(&name.sym);
                }
                _ => self.error("bad-directive", span, "`#undef` needs a name"),
            },
            "include" => self.include(span, &operands),
            "if" => {
                let taken = self.evaluate(span, &operands);
                self.open_conditional(span, taken);
            }
            "ifdef" | "ifndef" => {
                let defined = match operands.first() {
                    Some(&name) if name.kind == Kind::Name => {
                        self.mention(name);
                        self.is_defined(name.sym)
                    }
                    _ => {
                        self.error("bad-directive", span, format!("`#{directive}` needs a name"));
                        false
                    }
                };
                self.open_conditional(span, defined == (directive == "ifdef"));
            }
            "elif" | "else" | "endif" => self.continue_conditional(span, &directive),
            "error" | "warning" => {
                let from = operands.first().map_or(span, |t| t.span);
                let to = operands.last().map_or(span, |t| t.span);
                let message = format!("#{directive} {}", self.sources.text(from.join(to)));
                self.report.push(match directive.as_str() {
                    "error" => Diagnostic::error("error-directive", span, message),
                    _ => Diagnostic::warning("warning-directive", span, message),
                });
            }
            "pragma" | "line" | "ident" => {}
            _ => {
                let message = format!("there is no directive `#{directive}`");
                let diagnostic = Diagnostic::error("unknown-directive", span, message);
                let known = ["define", "undef", "include", "ifdef", "ifndef", "if", "elif", "else", "endif"];
                self.report.push(suggest(diagnostic, span, &directive, known.into_iter()));
            }
        }
    }

    fn open_conditional(&mut self, span: Span, taken: bool) {
        let reader = self.readers.last_mut().expect("called while a file is open");
        reader.conditionals.push(Conditional { span, taken, seen_else: false });
        if !taken {
            self.skip();
        }
    }

    /// `#elif`, `#else` or `#endif` after lines that were read.
    fn continue_conditional(&mut self, span: Span, directive: &str) {
        let reader = self.readers.last_mut().expect("called while a file is open");
        match reader.conditionals.last_mut() {
            None => self.error("stray-directive", span, format!("`#{directive}` has no `#if`")),
            Some(_) if directive == "endif" => {
                reader.conditionals.pop();
            }
            Some(conditional) => {
                let late = std::mem::replace(&mut conditional.seen_else, directive == "else");
                if late {
                    self.error("stray-directive", span, format!("`#{directive}` after `#else`"));
                }
                self.skip();
            }
        }
    }

    /// Skips to the branch to read or to the end of the innermost conditional.
    fn skip(&mut self) {
        let mut depth = 0usize;
        loop {
            let reader = self.readers.last_mut().expect("called while a file is open");
            reader.line();
            if reader.pos >= reader.raws.len() {
                return;
            }
            reader.pos += 1; // the end of the line
            reader.starts_line = true;
            let pos = reader.pos;
            let Some(directive) = reader.directive_at(pos) else { continue };
            let mut branches = false;
            match directive {
                "if" | "ifdef" | "ifndef" => depth += 1,
                "endif" if depth > 0 => depth -= 1,
                "endif" => {
                    reader.line();
                    reader.conditionals.pop();
                    return;
                }
                "elif" | "else" if depth == 0 => branches = true,
                _ => {}
            }
            if branches && self.branch() {
                return;
            }
        }
    }

    /// Whether the `#elif` or `#else` at this line begins the branch to read; the line is consumed.
    fn branch(&mut self) -> bool {
        let reader = self.readers.last_mut().expect("called while a file is open");
        let line: Vec<Raw> = reader.line().to_vec();
        let span = reader.span(line[1]);
        let is_else = reader.slice(line[1]) == "else";
        let Some(conditional) = reader.conditionals.last_mut() else { return true };
        let late = std::mem::replace(&mut conditional.seen_else, is_else);
        let taken = conditional.taken;
        if late {
            self.error("stray-directive", span, "`#elif` or `#else` after `#else`");
        }
        if taken {
            return false;
        }
        let take = is_else || {
            let operands: Vec<Token> = line[2..].iter().map(|&raw| self.token(raw, Flags::SPACE)).collect();
            self.evaluate(span, &operands)
        };
        if let Some(conditional) = self.readers.last_mut().and_then(|reader| reader.conditionals.last_mut()) {
            conditional.taken = take;
        }
        take
    }

    fn include(&mut self, directive: Span, operands: &[Token]) {
        let operands = match operands.first() {
            Some(first) if first.kind == Kind::Name => self.expand_list(operands.to_vec()),
            _ => operands.to_vec(),
        };
        let (Some(first), Some(last)) = (operands.first(), operands.last()) else {
            return self.error("bad-directive", directive, "`#include` needs a file name");
        };
        let span = first.span.join(last.span);
        let (name, span) = match first.kind {
            Kind::Str => (self.table.text(*first).to_owned(), first.span),
            Kind::Lt => (self.sources.text(span).to_owned(), span),
            _ => {
                return self.error("bad-directive", span, "expected `\"file\"` or `<file>` after `#include`");
            }
        };
        let name = name.trim_matches(['"', '<', '>']).to_owned();
        if self.includes_fail {
            return;
        }
        let reader = self.readers.last().expect("called while a file is open");
        let Some((path, text)) = self.loader.load(&reader.path, &name) else {
            self.includes.push(Include { span, file: None });
            let message = format!("cannot read `{name}`");
            return self.error("include-not-found", span, message);
        };
        if self.readers.len() >= MAX_NESTING || self.includes.len() >= MAX_INCLUDES {
            self.includes_fail = true;
            let message = if self.readers.iter().any(|open| open.path == path) {
                format!("`{name}` includes itself")
            } else {
                "files include each other too deeply".to_owned()
            };
            let help = "put `#ifndef NAME`, `#define NAME` and `#endif` around the included file's text";
            return self.report.push(Diagnostic::error("include-cycle", span, message).help(help));
        }
        let file = self.sources.add(path.clone(), text.clone());
        self.includes.push(Include { span, file: Some(file) });
        self.readers.push(Reader::new(file, &path, text));
    }
}
