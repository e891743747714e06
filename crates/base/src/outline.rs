//! What an editor wants to know of a text, in terms that every language has: names and where they are mentioned,
//! words and their classes, blocks that fold, calls and their arguments.
//!
//! A front-end fills it in, also for a text with errors. Indices into [`Outline::symbols`] are valid; spans lie inside
//! the files they name.

use crate::Span;

/// All of it, over all files that took part.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Outline {
    /// What has a name, in the order of declaration; a container stands before what it contains.
    pub symbols: Vec<Symbol>,
    /// Where symbols are mentioned, declarations included; sorted by place, each place once.
    pub mentions: Vec<Mention>,
    /// Further symbols that places in `mentions` stand for, where text such as the body of a macro is used in several
    /// processes; sorted by place.
    pub shared: Vec<Mention>,
    /// Words that have a class; sorted by place, without overlaps.
    pub words: Vec<Word>,
    /// What can be folded; sorted by place.
    pub folds: Vec<Fold>,
    /// Nodes of syntax, to grow a selection by; sorted by start, the longer one first.
    pub nodes: Vec<Span>,
    /// Mentions of files.
    pub links: Vec<Link>,
    /// Calls; sorted by place.
    pub calls: Vec<Call>,
}

/// Something that has a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: SymbolKind,
    /// The whole declaration.
    pub span: Span,
    /// The name in it.
    pub name_span: Span,
    /// The declaration in one line, as one would write it: `byte x[3] = 1`.
    pub detail: String,
    /// What is written about it in a comment just before it or at the end of its line.
    pub comment: Option<String>,
    /// The symbol it belongs to: a process, an inline, a type.
    pub container: Option<usize>,
    /// The parameters of a process or an inline, or the fields of a channel's messages, each as it is declared.
    pub parameters: Vec<String>,
    /// Where the name can be used; none where that is everywhere.
    pub scope: Option<Span>,
}

/// What a symbol is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum SymbolKind {
    Process,
    Variable,
    Parameter,
    Channel,
    Constant,
    Type,
    Field,
    Label,
    Inline,
    Macro,
    Property,
}

/// A place where a symbol is mentioned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mention {
    /// The name.
    pub span: Span,
    /// Index of the symbol.
    pub symbol: usize,
    /// What is done with it.
    pub role: Role,
}

/// What a mention does with a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Role {
    Declaration,
    Read,
    Write,
    ReadWrite,
    Send,
    Receive,
    Jump,
    Call,
    /// Anything else, such as the name of a type.
    Use,
}

/// A word or literal with its class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Word {
    /// Where.
    pub span: Span,
    /// What it is.
    pub class: WordClass,
}

/// Classes of words, other than mentions of symbols.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum WordClass {
    Keyword,
    Type,
    Number,
    Text,
    Comment,
    Operator,
    Directive,
    /// A name that the language defines, such as `_pid`.
    Predefined,
    /// A mention of that symbol.
    Symbol(usize),
}

/// Something that can be folded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fold {
    /// From the first line to the last.
    pub span: Span,
    /// What it is.
    pub kind: FoldKind,
}

/// What is folded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum FoldKind {
    Block,
    Comment,
    Includes,
}

/// A mention of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Link {
    /// Its name in the text, without quotes.
    pub span: Span,
    /// The path it was found at; none if there is no such file.
    pub path: Option<std::path::PathBuf>,
}

/// A call of an inline or a macro, or the creation of a process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// From the name to the closing parenthesis, or to where the text ends.
    pub span: Span,
    /// Index of what is called.
    pub symbol: usize,
    /// The arguments.
    pub arguments: Vec<Span>,
}

/// A word of the language, to be offered where one types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Keyword {
    /// The word.
    pub word: &'static str,
    /// What it stands for when it is chosen, with `$1`, `${2:name}` and `$0` where one goes on; none for the word alone.
    pub snippet: Option<&'static str>,
    /// What it means, in a sentence.
    pub help: &'static str,
}
