//! What is done with a name, by what stands around it.

use stubborn_base::outline::Role;

use super::walk::Walk;
use crate::token::Kind;

/// One role for a place that has two.
pub(super) fn merge(a: Role, b: Role) -> Role {
    use Role::{Call, Declaration, Jump, Read, ReadWrite, Use};
    match (a, b) {
        _ if a == b => a,
        (Declaration, _) | (_, Declaration) => Declaration,
        (Use, other) | (other, Use) => other,
        (Jump | Call, other) | (other, Jump | Call) => other,
        // A channel that is looked at and sent to is above all sent to.
        (Read, channel @ (Role::Send | Role::Receive)) | (channel @ (Role::Send | Role::Receive), Read) => {
            channel
        }
        _ => ReadWrite,
    }
}

impl Walk<'_> {
    /// The role of the variable whose name stands at `at`.
    pub(super) fn role_at(&self, at: usize) -> Role {
        let before = self.kind_before(at);
        let after = self.reference_end(at);
        match self.kind(after) {
            Some(Kind::Assign) if self.state.decl.is_none() => Role::Write,
            Some(Kind::Incr | Kind::Decr) => Role::ReadWrite,
            Some(Kind::Bang | Kind::BangBang) => Role::Send,
            Some(Kind::Query | Kind::QueryQuery) => match self.kind(after + 1) {
                Some(Kind::LBracket) => Role::Read,
                _ => Role::Receive,
            },
            Some(Kind::Colon) if before == Some(Kind::LParen) => match self.kind_before(at.saturating_sub(1))
            {
                Some(Kind::For) => Role::ReadWrite,
                Some(Kind::Select) => Role::Write,
                _ => Role::Read,
            },
            Some(Kind::Name)
                if before == Some(Kind::LParen)
                    && self.kind_before(at.saturating_sub(1)) == Some(Kind::For) =>
            {
                Role::ReadWrite
            }
            Some(Kind::Comma | Kind::RParen) if matches!(before, Some(Kind::LParen | Kind::Comma)) => {
                self.argument_role().unwrap_or(if self.state.receiving { Role::Write } else { Role::Read })
            }
            _ if self.state.receiving => Role::Write,
            _ if self.state.exclusive => Role::Use,
            _ => Role::Read,
        }
    }

    /// What the inline that is being called does with the argument at hand.
    fn argument_role(&self) -> Option<Role> {
        let (inline, argument) = self.state.call?;
        let parameter = *self.parameters.get(&inline)?.get(argument)?;
        Some(self.draft.facts[parameter].role.unwrap_or(Role::Read))
    }

    /// Where the reference that begins with the name at `at` ends: after indices and fields.
    pub(super) fn reference_end(&self, at: usize) -> usize {
        let mut end = at + 1;
        loop {
            match self.kind(end) {
                Some(Kind::LBracket) => match self.pairs.partner(end) {
                    Some(close) => end = close + 1,
                    None => return end,
                },
                Some(Kind::Dot) if self.kind(end + 1) == Some(Kind::Name) => end += 2,
                _ => return end,
            }
        }
    }
}
