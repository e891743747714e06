//! Calls and their arguments, also where the closing parenthesis is still to be typed.

use stubborn_base::Span;
use stubborn_base::outline::Call;

use super::walk::Walk;
use crate::token::Kind;

/// Tokens that are looked at for the end of a call that has none.
const MAX_UNFINISHED: usize = 200;

impl Walk<'_> {
    /// Notes the call whose name stands at `name`.
    pub(super) fn note_call(&mut self, symbol: usize, name: usize) {
        let open = name + 1;
        if self.kind(open) != Some(Kind::LParen) {
            return;
        }
        let close = self.pairs.partner(open);
        let stop = close.unwrap_or_else(|| self.unfinished_end(open));
        let ctx = self.tokens[name].ctx;
        let here = |at: usize| {
            let token = self.tokens[at];
            if token.ctx == ctx { token.span } else { self.place(token) }
        };
        let mut starts = vec![here(open)];
        let mut at = open + 1;
        while at < stop {
            if self.tokens[at].kind == Kind::Comma {
                starts.push(here(at));
            }
            at = self.pairs.partner(at).filter(|&p| p > at).unwrap_or(at) + 1;
        }
        let first = self.tokens[name].span;
        let end = (stop < self.tokens.len()).then(|| here(stop));
        self.draft.calls.extend(call(symbol, first, &starts, end, close.is_some(), self.text(first)));
    }

    /// The text of the file that a place is in.
    pub(super) fn text(&self, span: Span) -> &str {
        self.sources.file(span.file).text()
    }

    /// The token before which a call without an end surely ends.
    fn unfinished_end(&self, open: usize) -> usize {
        use Kind::{Arrow, Fi, LBrace, Od, RBrace, Semi, Sep};
        let limit = (open + MAX_UNFINISHED).min(self.tokens.len());
        let ends = |at: &usize| {
            let token = self.tokens[*at];
            matches!(token.kind, Semi | Arrow | LBrace | RBrace | Sep | Fi | Od)
                || token.kind.begins_item()
                || (token.starts_line() && self.tokens[*at - 1].kind != Kind::Comma)
                || (token.starts_line() && token.kind.begins_statement() && token.kind != Kind::Name)
        };
        (open + 1..limit).find(ends).unwrap_or(limit)
    }
}

/// A call by the places of its name, of what stands before its arguments, and of what ends it.
pub(super) fn call(
    symbol: usize,
    name: Span,
    starts: &[Span],
    end: Option<Span>,
    closed: bool,
    text: &str,
) -> Option<Call> {
    let file = name.file;
    let (last, end) = match end {
        Some(end) if end.file != file => return None,
        Some(end) => (end.start, if closed { end.end } else { end.start }),
        None => (text.len() as u32, text.len() as u32),
    };
    let bounds = starts.iter().skip(1).map(|s| s.start).chain([last]);
    let mut arguments = Vec::with_capacity(starts.len());
    for (start, until) in starts.iter().zip(bounds) {
        let gap = text.get(start.end as usize..until as usize).filter(|_| start.file == file)?;
        let blank = gap.len() - gap.trim_start().len();
        let span = match gap.trim() {
            // What is still to be written goes there.
            "" => Span { file, start: start.end, end: until },
            written => {
                Span::new(file, start.end as usize + blank, start.end as usize + blank + written.len())
            }
        };
        arguments.push(span);
    }
    let nothing = arguments.len() == 1 && closed && text[arguments[0].range()].trim().is_empty();
    if nothing {
        arguments.clear();
    }
    (name.start <= end).then_some(Call { span: Span { file, start: name.start, end }, symbol, arguments })
}
