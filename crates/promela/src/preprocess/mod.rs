//! The C preprocessor, as SPIN runs it over a model (`gcc -E -x c`).
//!
//! Works on tokens, so that each keeps the place it was written at:
//! [`reader`] reads files and obeys directives, [`macros`] expands, and
//! [`condition`] evaluates `#if`. C code inside `c_code` and its kin is one
//! token and is not looked into.
//!
//! Invariants: work is bounded by [`MAX_TOKENS`], [`MAX_INCLUDES`] and
//! [`MAX_NESTING`] whatever the input; every error has a place.

mod condition;
mod define;
mod macros;
mod reader;

use hashbrown::{HashMap, HashSet};
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use stubborn_base::{Diagnostic, FileId, Sources, Span};

use crate::Loader;
use crate::report::Report;
use crate::table::{Flags, Sym, Token, Tokens};

use define::Macro;
use macros::Frame;
use reader::Reader;

/// Tokens that expansion may produce in all, against macros that double each other.
const MAX_TOKENS: usize = 2_000_000;
/// Files that may be open at once, and macro calls that may stand inside each other's arguments.
const MAX_NESTING: usize = 200;
/// `#include`s that may be obeyed in all.
const MAX_INCLUDES: usize = 10_000;

/// A macro that was defined, for editors.
#[derive(Clone, Debug)]
pub struct MacroDef {
    /// Its name.
    pub name: Sym,
    /// Where the name stands in the definition.
    pub span: Span,
    /// Names of the parameters, if it takes arguments.
    pub params: Option<Vec<Sym>>,
    /// What it stands for.
    pub body: Option<Span>,
}

/// A place where a macro is mentioned: a use, or a directive that asks for it.
#[derive(Clone, Debug)]
pub struct MacroUse {
    /// Index among the definitions.
    pub definition: usize,
    /// Where its name stands, be that in the body of another macro.
    pub span: Span,
    /// Its arguments, if they stand in the text of a file.
    pub call: Option<MacroCall>,
}

/// The arguments of a macro's use.
#[derive(Clone, Debug)]
pub struct MacroCall {
    /// The opening parenthesis, and what stands between the arguments.
    pub starts: Vec<Span>,
    /// The closing parenthesis; if there is none, what surely is no part of the call any more.
    pub end: Option<Span>,
    /// It has a closing parenthesis.
    pub closed: bool,
}

/// An `#include`.
#[derive(Clone, Debug)]
pub struct Include {
    /// The name with its quotes.
    pub span: Span,
    /// The file it brought in, if there is one.
    pub file: Option<FileId>,
}

/// What is left of the text after preprocessing.
pub(crate) struct Preprocessed {
    pub(crate) tokens: Vec<Token>,
    pub(crate) table: Tokens,
    pub(crate) macros: Vec<MacroDef>,
    pub(crate) macro_uses: Vec<MacroUse>,
    pub(crate) includes: Vec<Include>,
}

/// Reads `text` and what it includes.
pub(crate) fn preprocess(
    path: &Path,
    text: Arc<str>,
    sources: &mut Sources,
    loader: &dyn Loader,
    defines: &[(String, String)],
    report: &mut Report,
) -> Preprocessed {
    let mut pp = Preprocessor {
        sources,
        loader,
        report,
        table: Tokens::default(),
        macros: HashMap::new(),
        defined: Vec::new(),
        uses: Vec::new(),
        includes: Vec::new(),
        readers: Vec::new(),
        pushed: None,
        frames: Vec::new(),
        base: 0,
        active: HashSet::new(),
        carry: Flags::default(),
        budget: MAX_TOKENS,
        nesting: 0,
        unterminated: false,
        includes_fail: false,
    };
    let main = pp.sources.add(path, text.clone());
    if !defines.is_empty() {
        let lines: String = defines.iter().map(|(name, value)| format!("#define {name} {value}\n")).collect();
        let file = pp.sources.add("<command line>", lines.as_str());
        pp.readers.push(Reader::new(file, Path::new("<command line>"), lines.into()));
        while pp.next().is_some() {}
    }
    pp.readers.push(Reader::new(main, path, text));
    let mut tokens = Vec::new();
    while let Some(token) = pp.next() {
        tokens.push(token);
    }
    Preprocessed { tokens, table: pp.table, macros: pp.defined, macro_uses: pp.uses, includes: pp.includes }
}

struct Preprocessor<'a> {
    sources: &'a mut Sources,
    loader: &'a dyn Loader,
    report: &'a mut Report,
    table: Tokens,
    macros: HashMap<Sym, Rc<Macro>>,
    defined: Vec<MacroDef>,
    uses: Vec<MacroUse>,
    includes: Vec<Include>,
    /// Open files, the innermost last.
    readers: Vec<Reader>,
    /// A token that was read to see whether a macro is called.
    pushed: Option<Token>,
    /// Expansions being read, the innermost last.
    frames: Vec<Frame>,
    /// Frames below this one belong to the surroundings of an argument.
    base: usize,
    /// Macros being expanded; they are not expanded again.
    active: HashSet<Sym>,
    /// Flags of a macro call that expanded to nothing, for the token that follows.
    carry: Flags,
    budget: usize,
    nesting: usize,
    /// A macro call had no end: no further one is looked for.
    unterminated: bool,
    includes_fail: bool,
}

impl Preprocessor<'_> {
    /// Notes that a directive or an expansion mentions the macro that `name` is, if it is one.
    fn mention(&mut self, name: Token) {
        if let Some(definition) = self.macros.get(&name.sym).map(|m| m.definition) {
            self.uses.push(MacroUse { definition, span: name.span, call: None });
        }
    }

    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.report.push(Diagnostic::error(code, span, message));
    }

    fn error_at(&mut self, code: &'static str, token: Token, message: impl Into<String>) {
        self.report.push_at(&self.table, token, Diagnostic::error(code, token.span, message));
    }
}
