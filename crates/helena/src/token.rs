//! Tokens of Helena's two languages, that of nets and that of properties.
//!
//! Follows section 1 of the language reference (`doc/language.tex` in the Helena distribution), with one liberty:
//! words of the property language alone (`state`, `ltl`, `accept` …) are names wherever a name can stand, as they are
//! in Helena's own lexer for nets.

use logos::{Lexer, Logos};
use stubborn_base::Span;

macro_rules! kinds {
    ($($(#[$meta:meta])* $name:ident $(= $text:literal)?,)*) => {
        /// What a token is.
        #[derive(Logos, Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[expect(missing_docs, reason = "the spelling says it")]
        #[logos(skip r"[ \t\f\v\r\n]+")]
        pub enum Kind {
            $($(#[$meta])* $(#[token($text)])? $name,)*
        }

        impl Kind {
            /// The spelling, for the kinds that have only one.
            pub fn text(self) -> Option<&'static str> {
                match self {
                    $($(Kind::$name => Some($text),)?)*
                    _ => None,
                }
            }
        }
    };
}

kinds! {
    /// `// …`
    #[regex(r"//[^\n]*", allow_greedy = true)]
    LineComment,
    /// `/* … */`
    #[token("/*", block_comment)]
    BlockComment,
    /// A comment without an end.
    OpenComment,
    /// `#ifdef …`
    #[regex(r"#[^\n]*", allow_greedy = true)]
    Directive,
    /// A name that is not a keyword.
    #[regex("[A-Za-z_][A-Za-z0-9_]*")]
    Name,
    /// A number.
    #[regex("[0-9]+")]
    Number,
    /// `"…"`, which may go on over lines.
    #[regex("\"[^\"]*\"")]
    Text,
    /// Text that was reported and replaced.
    Error,
    And = "and", Assert = "assert", Capacity = "capacity", Card = "card", Case = "case", Constant = "constant",
    Default = "default", Description = "description", Dom = "dom", Else = "else", Empty = "empty", Enum = "enum",
    Epsilon = "epsilon", Exists = "exists", For = "for", Forall = "forall", Function = "function",
    Guard = "guard", If = "if", Import = "import", In = "in", Init = "init", Inhibit = "inhibit", Let = "let",
    List = "list", Max = "max", Min = "min", Mod = "mod", Mult = "mult", Not = "not", Of = "of", Or = "or",
    Out = "out", Pick = "pick", Place = "place", Pred = "pred", Priority = "priority", Product = "product",
    Proposition = "proposition", Range = "range", Return = "return", Safe = "safe", Set = "set",
    Struct = "struct", Subtype = "subtype", Succ = "succ", Sum = "sum", Transition = "transition",
    Type = "type", Vector = "vector", While = "while", With = "with",
    Accept = "accept", Deadlock = "deadlock", Ltl = "ltl", Property = "property", Reject = "reject",
    State = "state", Until = "until",
    LParen = "(", RParen = ")", LBrace = "{", RBrace = "}", LBracket = "[", RBracket = "]",
    LTuple = "<(", RTuple = ")>", Semi = ";", Comma = ",", Colon = ":", Update = "::", Assign = ":=",
    Dot = ".", DotDot = "..", Arrow = "->", Quote = "'", Bar = "|", Amp = "&", Query = "?",
    Plus = "+", Minus = "-", Star = "*", Slash = "/", Percent = "%",
    Eq = "=", Ne = "!=", Lt = "<", Le = "<=", Gt = ">", Ge = ">=",
    Always = "[]", Eventually = "<>", Implies = "=>", Equivalent = "<=>",
}

impl Kind {
    /// Not part of the tree.
    pub fn is_trivia(self) -> bool {
        matches!(self, Kind::LineComment | Kind::BlockComment | Kind::OpenComment | Kind::Directive)
    }

    /// A word of the language.
    pub fn is_keyword(self) -> bool {
        self.text().is_some_and(|text| text.starts_with(|c: char| c.is_ascii_alphabetic()))
    }

    /// A keyword that is a name too, wherever a name can stand.
    pub fn is_contextual(self) -> bool {
        use Kind::*;
        matches!(self, Accept | Deadlock | Ltl | Property | Reject | State | Until)
    }

    /// Begins a definition of a net, wherever it stands.
    pub(crate) fn begins_item(self) -> bool {
        use Kind::*;
        matches!(self, Subtype | Function | Import | Place | Transition | Proposition)
    }

    /// Begins a part of a definition that ends with `;` or `}`.
    pub(crate) fn begins_part(self) -> bool {
        use Kind::*;
        matches!(
            self,
            In | Out
                | Inhibit
                | Pick
                | Let
                | Guard
                | Priority
                | Safe
                | Description
                | Dom
                | Init
                | Capacity
                | Type
                | Constant
                | If
                | Case
                | While
                | For
                | Return
                | Assert
                | Default
                | Name
                | LBrace
        )
    }
}

/// Reads a comment to its end.
fn block_comment(lexer: &mut Lexer<'_, Kind>) -> Option<()> {
    let end = lexer.remainder().find("*/")?;
    lexer.bump(end + 2);
    Some(())
}

/// A token and its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// Where it stands.
    pub span: Span,
}
