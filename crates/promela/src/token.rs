//! Tokens of Promela and of its preprocessor.
//!
//! One set of kinds serves both: the preprocessor sees names and numbers as C
//! does ([`Kind::Name`], [`Kind::Number`]), and once macros are expanded names
//! become keywords ([`keyword`]) and numbers are read as SPIN reads them.
//! Follows the lexer of SPIN 6.5.2 (decimal numbers only; `in` and the
//! temporal operators are keywords only where they can be used).

use logos::{Lexer, Logos};

macro_rules! kinds {
    ($($(#[$meta:meta])* $name:ident $(= $text:literal)?,)*) => {
        /// What a token is.
        #[derive(Logos, Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[logos(skip r"[ \t\f\v\r]+", skip r"\\[ \t]*\r?\n", skip(r"//(\\[ \t]*\r?\n|[^\n])*", allow_greedy = true))]
        pub enum Kind {
            $($(#[$meta])* $name,)*
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

        /// All spellings of kinds that have only one.
        #[cfg(test)]
        pub(crate) const SPELLINGS: &[&str] = &[$($($text,)?)*];

        /// The keyword that a name spells, if it spells one.
        pub(crate) fn keyword(name: &str) -> Option<Kind> {
            match name {
                $($($text => Some(Kind::$name),)?)*
                "true" | "false" | "skip" => Some(Kind::Const),
                _ => None,
            }
            .filter(|kind| !kind.is_contextual())
        }
    };
}

kinds! {
    /// End of a line.
    #[token("\n")]
    Newline,
    /// A comment without an end.
    #[token("/*", comment)]
    OpenComment,
    /// The end of a comment that did not begin.
    #[token("*/")]
    CloseComment = "*/",
    /// A name that is not a keyword.
    #[regex("[A-Za-z_][A-Za-z0-9_]*")]
    Name,
    /// What C calls a preprocessing number, such as `12` or `0..N`.
    #[regex("[0-9][A-Za-z0-9_.]*")]
    Number,
    /// A string with its quotes.
    #[regex(r#""([^"\\\n]|\\[^\n]|\\\r?\n)*""#)]
    #[regex(r"\$[^$\n]*\$")]
    Str,
    /// A string without an end.
    #[regex(r#""([^"\\\n]|\\[^\n]|\\\r?\n)*"#)]
    OpenStr,
    /// A character with its quotes.
    #[regex(r"'([^'\\\n]|\\[^\n])'")]
    Char,
    /// Quotes around anything but one character.
    #[regex(r"'([^'\\\n]|\\[^\n])*'?", priority = 1)]
    BadChar,
    /// No token at all.
    Unknown,
    #[doc = "`#`"] #[token("#")] Hash = "#",
    #[doc = "`##`"] #[token("##")] HashHash = "##",

    #[doc = "`(`"] #[token("(")] LParen = "(",
    #[doc = "`)`"] #[token(")")] RParen = ")",
    #[doc = "`[`"] #[token("[")] LBracket = "[",
    #[doc = "`]`"] #[token("]")] RBracket = "]",
    #[doc = "`{`"] #[token("{")] LBrace = "{",
    #[doc = "`}`"] #[token("}")] RBrace = "}",
    #[doc = "`;`"] #[token(";")] Semi = ";",
    #[doc = "`->`"] #[token("->")] Arrow = "->",
    #[doc = "`,`"] #[token(",")] Comma = ",",
    #[doc = "`.`"] #[token(".")] Dot = ".",
    #[doc = "`..`"] #[token("..")] DotDot = "..",
    #[doc = "`:`"] #[token(":")] Colon = ":",
    #[doc = "`::`"] #[token("::")] Sep = "::",
    #[doc = "`=`"] #[token("=")] Assign = "=",
    #[doc = "`++`"] #[token("++")] Incr = "++",
    #[doc = "`--`"] #[token("--")] Decr = "--",
    #[doc = "`+`"] #[token("+")] Plus = "+",
    #[doc = "`-`"] #[token("-")] Minus = "-",
    #[doc = "`*`"] #[token("*")] Star = "*",
    #[doc = "`/`"] #[token("/")] Slash = "/",
    #[doc = "`%`"] #[token("%")] Percent = "%",
    #[doc = "`&`"] #[token("&")] Amp = "&",
    #[doc = "`&&`"] #[token("&&")] AndAnd = "&&",
    #[doc = "`|`"] #[token("|")] Bar = "|",
    #[doc = "`||`"] #[token("||")] OrOr = "||",
    #[doc = "`^`"] #[token("^")] Caret = "^",
    #[doc = "`~`"] #[token("~")] Tilde = "~",
    #[doc = "`!`"] #[token("!")] Bang = "!",
    #[doc = "`!!`"] #[token("!!")] BangBang = "!!",
    #[doc = "`?`"] #[token("?")] Query = "?",
    #[doc = "`??`"] #[token("??")] QueryQuery = "??",
    #[doc = "`<`"] #[token("<")] Lt = "<",
    #[doc = "`<=`"] #[token("<=")] Le = "<=",
    #[doc = "`>`"] #[token(">")] Gt = ">",
    #[doc = "`>=`"] #[token(">=")] Ge = ">=",
    #[doc = "`==`"] #[token("==")] EqEq = "==",
    #[doc = "`!=`"] #[token("!=")] Ne = "!=",
    #[doc = "`<<`"] #[token("<<")] Shl = "<<",
    #[doc = "`>>`"] #[token(">>")] Shr = ">>",
    #[doc = "`@`"] #[token("@")] At = "@",

    #[doc = "`active`"] Active = "active",
    #[doc = "`assert`"] Assert = "assert",
    #[doc = "`atomic`"] Atomic = "atomic",
    #[doc = "`bit`"] Bit = "bit",
    #[doc = "`bool`"] Bool = "bool",
    #[doc = "`break`"] Break = "break",
    #[doc = "`byte`"] Byte = "byte",
    #[doc = "`chan`"] Chan = "chan",
    #[doc = "`d_step`"] DStep = "d_step",
    #[doc = "`D_proctype`"] DProctype = "D_proctype",
    #[doc = "`do`"] Do = "do",
    #[doc = "`else`"] Else = "else",
    #[doc = "`empty`"] Empty = "empty",
    #[doc = "`enabled`"] Enabled = "enabled",
    #[doc = "`eval`"] Eval = "eval",
    #[doc = "`fi`"] Fi = "fi",
    #[doc = "`for`"] For = "for",
    #[doc = "`full`"] Full = "full",
    #[doc = "`get_priority`"] GetPriority = "get_priority",
    #[doc = "`goto`"] Goto = "goto",
    #[doc = "`hidden`"] Hidden = "hidden",
    #[doc = "`if`"] If = "if",
    #[doc = "`in`, in the head of a `for`"] In = "in",
    #[doc = "`init`"] Init = "init",
    #[doc = "`inline`"] Inline = "inline",
    #[doc = "`int`"] Int = "int",
    #[doc = "`len`"] Len = "len",
    #[doc = "`local`"] Local = "local",
    #[doc = "`ltl`"] Ltl = "ltl",
    #[doc = "`mtype`"] Mtype = "mtype",
    #[doc = "`nempty`"] Nempty = "nempty",
    #[doc = "`never`"] Never = "never",
    #[doc = "`nfull`"] Nfull = "nfull",
    #[doc = "`notrace`"] Notrace = "notrace",
    #[doc = "`np_`"] NonProgress = "np_",
    #[doc = "`od`"] Od = "od",
    #[doc = "`of`"] Of = "of",
    #[doc = "`pc_value`"] PcValue = "pc_value",
    #[doc = "`pid`"] Pid = "pid",
    #[doc = "`printf`"] Printf = "printf",
    #[doc = "`printm`"] Printm = "printm",
    #[doc = "`priority`"] Priority = "priority",
    #[doc = "`proctype`"] Proctype = "proctype",
    #[doc = "`provided`"] Provided = "provided",
    #[doc = "`return`"] Return = "return",
    #[doc = "`run`"] Run = "run",
    #[doc = "`select`"] Select = "select",
    #[doc = "`set_priority`"] SetPriority = "set_priority",
    #[doc = "`short`"] Short = "short",
    #[doc = "`show`"] Show = "show",
    #[doc = "`timeout`"] Timeout = "timeout",
    #[doc = "`trace`"] Trace = "trace",
    #[doc = "`typedef`"] Typedef = "typedef",
    #[doc = "`unless`"] Unless = "unless",
    #[doc = "`unsigned`"] Unsigned = "unsigned",
    #[doc = "`xr`"] Xr = "xr",
    #[doc = "`xs`"] Xs = "xs",

    /// A number, character, `true`, `false` or `skip`, once read.
    Const,
    /// The name of a `typedef`.
    TypeName,
    /// The name of a proctype.
    ProcName,
    /// The call of an inline; its body follows in braces.
    InlineCall,
    /// `c_code { ... }` or `c_decl { ... }`, whole.
    CCode,
    /// `c_expr { ... }`, whole.
    CExpr,
    /// Stands for tokens that could not be parsed, and were reported.
    Error,

    /// `[]` in a formula.
    Always,
    /// `<>` in a formula.
    Eventually,
    /// `X` in a formula.
    Next,
    /// `U` in a formula.
    Until,
    /// `W` in a formula.
    WeakUntil,
    /// `V` in a formula.
    Release,
    /// `->` in a formula.
    Implies,
    /// `<->` in a formula.
    Equivalent,
}

impl Kind {
    /// A keyword only in some places, and a name everywhere else.
    fn is_contextual(self) -> bool {
        self == Kind::In
    }

    /// Begins a top-level item and nothing else, so it never stands inside one.
    pub fn begins_item(self) -> bool {
        use Kind::*;
        matches!(
            self,
            Proctype | DProctype | Active | Init | Never | Inline | Typedef | Ltl | Trace | Notrace
        )
    }

    /// Begins a declaration, apart from names of `typedef`s.
    pub fn begins_declaration(self) -> bool {
        use Kind::*;
        self.is_type() || matches!(self, Hidden | Show | Local)
    }

    /// A type, apart from names of `typedef`s.
    pub fn is_type(self) -> bool {
        use Kind::*;
        matches!(self, Bit | Bool | Byte | Chan | Int | Mtype | Pid | Short | Unsigned)
    }

    /// Can begin a statement or declaration.
    pub fn begins_statement(self) -> bool {
        use Kind::*;
        self.begins_declaration()
            || matches!(
                self,
                Name | TypeName | ProcName | InlineCall | Const | CCode | CExpr | Error | LBrace | LParen
            )
            || matches!(
                self,
                Assert | Atomic | Break | DStep | Do | Else | For | Goto | If | Printf | Printm | Return
            )
            || matches!(
                self,
                Run | Select | SetPriority | Timeout | Xr | Xs | Full | Empty | Nfull | Nempty | Len
            )
            || matches!(self, Enabled | GetPriority | NonProgress | PcValue)
    }

    /// Separates statements.
    pub fn is_separator(self) -> bool {
        matches!(self, Kind::Semi | Kind::Arrow)
    }

    /// Kinds whose spelling is kept with the token.
    pub(crate) fn has_own_text(self) -> bool {
        self.text().is_none()
    }
}

/// The operator that a word stands for inside a formula.
pub(crate) fn temporal_word(name: &str) -> Option<Kind> {
    Some(match name {
        "U" | "until" | "stronguntil" => Kind::Until,
        "W" | "weakuntil" => Kind::WeakUntil,
        "V" | "release" => Kind::Release,
        "X" | "next" => Kind::Next,
        "always" => Kind::Always,
        "eventually" => Kind::Eventually,
        "implies" => Kind::Implies,
        "equivalent" => Kind::Equivalent,
        _ => return None,
    })
}

/// Skips a comment; one without an end is a token that reaches to the end of the file.
fn comment(lexer: &mut Lexer<'_, Kind>) -> logos::Filter<()> {
    match lexer.remainder().find("*/") {
        Some(end) => {
            lexer.bump(end + 2);
            logos::Filter::Skip
        }
        None => {
            lexer.bump(lexer.remainder().len());
            logos::Filter::Emit(())
        }
    }
}

/// A token of one file, before preprocessing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Raw {
    pub(crate) kind: Kind,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// Splits a file into tokens. C code is one token, so that no macro and no
/// brace in it is mistaken for Promela.
pub(crate) fn lex(text: &str) -> Vec<Raw> {
    let mut raws: Vec<Raw> = Vec::with_capacity(text.len() / 4);
    let mut lexer = Kind::lexer(text);
    let mut in_directive = false;
    let mut c_ends = true;
    while let Some(result) = lexer.next() {
        let mut kind = result.unwrap_or(Kind::Unknown);
        match kind {
            Kind::Newline => in_directive = false,
            Kind::Hash if raws.last().is_none_or(|raw| raw.kind == Kind::Newline) => in_directive = true,
            Kind::Name if c_ends && !in_directive => {
                let code = match lexer.slice() {
                    "c_code" | "c_decl" => Kind::CCode,
                    "c_expr" => Kind::CExpr,
                    _ => Kind::Name,
                };
                if code != Kind::Name
                    && let Some(rest) = lexer.remainder().trim_start().chars().next()
                    && matches!(rest, '{' | '[')
                {
                    match c_code_len(lexer.remainder()) {
                        Some(len) => {
                            lexer.bump(len);
                            kind = code;
                        }
                        None => c_ends = false,
                    }
                }
            }
            _ => {}
        }
        let span = lexer.span();
        match raws.last_mut() {
            // One error for a run of characters that begin no token.
            Some(last)
                if kind == Kind::Unknown && last.kind == Kind::Unknown && last.end as usize == span.start =>
            {
                last.end = span.end as u32;
            }
            _ => raws.push(Raw { kind, start: span.start as u32, end: span.end as u32 }),
        }
    }
    raws
}

/// Length of an optional `[precondition]` and `{ code }`, if it has an end.
fn c_code_len(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut at, mut braces, mut brackets) = (0, 0usize, 0usize);
    while at < bytes.len() {
        match bytes[at] {
            b'{' => braces += 1,
            b'}' => {
                braces = braces.checked_sub(1)?;
                if braces == 0 && brackets == 0 {
                    return Some(at + 1);
                }
            }
            b'[' if braces == 0 => brackets += 1,
            b']' if braces == 0 => brackets = brackets.checked_sub(1)?,
            b'/' if bytes[at..].starts_with(b"/*") => at += 2 + text[at + 2..].find("*/")? + 1,
            b'/' if bytes[at..].starts_with(b"//") => at += text[at..].find('\n')?,
            quote @ (b'"' | b'\'') => {
                at += 1;
                while *bytes.get(at)? != quote {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// The kind of `text` if it is one token, for `##`.
pub(crate) fn lex_one(text: &str) -> Option<Kind> {
    let mut lexer = Kind::lexer(text);
    let kind = lexer.next()?.ok()?;
    (lexer.span() == (0..text.len()) && kind != Kind::Newline).then_some(kind)
}
