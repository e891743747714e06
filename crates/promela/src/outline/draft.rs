//! Symbols, mentions and calls as they are found, and their order in the end.

use hashbrown::HashMap;
use stubborn_base::outline::{Call, Mention, Outline, Role, Symbol, SymbolKind};
use stubborn_base::{FileId, Sources, Span};

use super::roles::merge;
use crate::table::Sym;

/// What was found so far.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) symbols: Vec<Symbol>,
    /// What else is known of each symbol.
    pub(super) facts: Vec<Fact>,
    pub(super) mentions: Vec<Mention>,
    pub(super) calls: Vec<Call>,
}

/// What the walk wants to know of a symbol.
#[derive(Clone, Copy)]
pub(super) struct Fact {
    pub(super) sym: Sym,
    /// Where it is declared in the text of a file: the place of the macro that declares it, if one does.
    pub(super) place: Span,
    /// The structure that a variable is.
    pub(super) structure: Option<usize>,
    /// What is done with it, all in all, apart from its declaration.
    pub(super) role: Option<Role>,
}

impl Draft {
    pub(super) fn add(&mut self, symbol: Symbol, fact: Fact) -> usize {
        self.symbols.push(symbol);
        self.facts.push(fact);
        self.symbols.len() - 1
    }

    pub(super) fn mention(&mut self, span: Span, symbol: usize, role: Role) {
        // A constant in a receive is matched, not set.
        let is_constant = self.symbols[symbol].kind == SymbolKind::Constant;
        let role = if is_constant && role == Role::Write { Role::Read } else { role };
        if role != Role::Declaration {
            let known = &mut self.facts[symbol].role;
            *known = Some(known.map_or(role, |known| merge(known, role)));
        }
        self.mentions.push(Mention { span, symbol, role });
    }

    /// The outline with its symbols, mentions and calls.
    pub(super) fn finish(mut self, sources: &Sources) -> Outline {
        let numbers = self.order();
        let mut symbols: Vec<Option<Symbol>> = self.symbols.into_iter().map(Some).collect();
        let mut ordered: Vec<(usize, usize)> = numbers.iter().copied().zip(0..).collect();
        ordered.sort_unstable();
        let symbols: Vec<Symbol> = ordered
            .into_iter()
            .filter_map(|(_, old)| symbols[old].take())
            .map(|s| Symbol { container: s.container.map(|c| numbers[c]), ..s })
            .collect();

        // Spelled by pasting, or in the middle of something else: no place to rename.
        self.mentions.retain(|m| {
            let name = &symbols[numbers[m.symbol]];
            m.span == name.name_span || sources.text(m.span) == name.name
        });
        for mention in &mut self.mentions {
            mention.symbol = numbers[mention.symbol];
        }
        let (mentions, shared) = once_each(self.mentions);
        for call in &mut self.calls {
            call.symbol = numbers[call.symbol];
        }
        self.calls.sort_by_key(|c| (c.span.file, c.span.start, c.span.end));
        self.calls.dedup_by_key(|c| c.span);
        Outline { symbols, mentions, shared, calls: self.calls, ..Outline::default() }
    }

    /// The final number of each symbol: by place, but never before its container.
    fn order(&self) -> Vec<usize> {
        let mut keys: Vec<(FileId, u32)> = Vec::with_capacity(self.symbols.len());
        for (symbol, fact) in self.symbols.iter().zip(&self.facts) {
            let own = (fact.place.file, fact.place.start);
            // A container is declared before what it contains.
            keys.push(symbol.container.map_or(own, |c| own.max(keys[c])));
        }
        let mut order: Vec<usize> = (0..keys.len()).collect();
        order.sort_by_key(|&i| keys[i]);
        let mut numbers = vec![0; order.len()];
        for (number, old) in order.into_iter().enumerate() {
            numbers[old] = number;
        }
        numbers
    }
}

/// Mentions by place: the first symbol found at each, and the others.
fn once_each(mentions: Vec<Mention>) -> (Vec<Mention>, Vec<Mention>) {
    let mut merged: Vec<Mention> = Vec::with_capacity(mentions.len());
    let mut known: HashMap<(Span, usize), usize> = HashMap::with_capacity(mentions.len());
    for mention in mentions {
        let at = *known.entry((mention.span, mention.symbol)).or_insert(merged.len());
        match merged.get_mut(at) {
            Some(earlier) => earlier.role = merge(earlier.role, mention.role),
            None => merged.push(mention),
        }
    }
    merged.sort_by_key(|m| m.span);
    let (mut first, mut others): (Vec<Mention>, Vec<Mention>) = (Vec::new(), Vec::new());
    for mention in merged {
        match first.last() {
            // A name inside another one's place cannot be told from it.
            Some(last) if last.span.file == mention.span.file && mention.span.start < last.span.end => {
                if last.span == mention.span {
                    others.push(mention);
                }
            }
            _ => first.push(mention),
        }
    }
    (first, others)
}
