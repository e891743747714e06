//! The space between two tokens of a line.

use crate::token::{Kind, Lexeme};

/// What was passed, as far as spaces depend on it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Context {
    /// Of the braces around: whether they are around values or types.
    lists: Vec<bool>,
    /// The last token closed a list.
    closed_list: bool,
    before: [Option<Kind>; 3],
    /// The last token is an operator with one operand.
    is_unary: bool,
    /// The last token is `!` or `?` of a synchronisation.
    is_sync: bool,
    /// Names are states of a transition, not parts of an expression.
    is_head: bool,
}

impl Context {
    /// A brace opens a block or a list, inside of the given statement.
    pub(crate) fn open(&mut self, statement: Option<Kind>) {
        let is_list = match self.before[0] {
            Some(Kind::Assign | Kind::Channel | Kind::Bang | Kind::Query) => true,
            _ => !matches!(statement, Some(Kind::Process | Kind::Trans)),
        };
        self.lists.push(is_list);
    }

    pub(crate) fn close(&mut self) {
        self.closed_list = self.lists.pop().unwrap_or(false);
    }

    /// A token was passed, and is in the given statement.
    pub(crate) fn pass(&mut self, kind: Kind, statement: Option<Kind>) {
        self.is_sync = match kind {
            Kind::Query => true,
            Kind::Bang => self.is_send(),
            _ => false,
        };
        self.is_unary = match kind {
            Kind::Minus => !self.is_operand(),
            Kind::Bang => !self.is_sync,
            Kind::Tilde => true,
            _ => false,
        };
        self.is_head = statement == Some(Kind::Trans);
        self.closed_list &= kind == Kind::RBrace;
        self.before.rotate_right(1);
        self.before[0] = Some(kind);
    }

    /// Whether a `!` that comes now sends.
    fn is_send(&self) -> bool {
        self.before[0] == Some(Kind::Name) && self.before[1] == Some(Kind::Sync)
    }

    /// Whether the last token ends an operand.
    fn is_operand(&self) -> bool {
        matches!(
            self.before[0],
            Some(Kind::Name | Kind::Number | Kind::True | Kind::False | Kind::RParen | Kind::RBracket)
        )
    }
}

/// Whether two tokens of a line are apart.
pub(crate) fn is_apart(context: &Context, before: Lexeme, after: Lexeme) -> bool {
    if before.kind.is_comment() || after.kind.is_comment() {
        return true;
    }
    match (before.kind, after.kind) {
        (
            _,
            Kind::Semi | Kind::Comma | Kind::RParen | Kind::RBracket | Kind::Dot | Kind::Colon | Kind::Query,
        ) => false,
        (Kind::LParen | Kind::LBracket | Kind::Dot, _) => false,
        (Kind::LBrace, Kind::RBrace) => false,
        (Kind::LBrace, _) | (_, Kind::RBrace) => !context.lists.last().is_some_and(|&is_list| is_list),
        (Kind::Bang | Kind::Query, Kind::LBrace) => false,
        (Kind::Name, Kind::LBracket) => false,
        (Kind::Arrow, _) | (_, Kind::Arrow) => context.is_head,
        (_, Kind::Bang) if context.is_send() => false,
        _ => !(context.is_unary || context.is_sync),
    }
}
