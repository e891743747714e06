//! Markings of a net in words: which tokens are where, what a firing needs, and what it lacks.
//!
//! A firing asks its model for values of slots; here the slots are tokens again. Invariant: what is said of a firing is
//! read from its guards and effects, so it is what the search goes by.

use std::collections::BTreeMap;

use smol_str::{SmolStr, format_smolstr};

use crate::comparison::{Compared, Comparison};
use crate::expr::Expr;
use crate::model::{Effect, Model};
use crate::model::{GuardId, TransitionId};
use crate::net::{Kept, Net, NetPlace};
use crate::slot::Slot;

/// A token of a place, both by their number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct TokenRef {
    /// The place.
    pub place: u32,
    /// Which of its tokens.
    pub token: u32,
}

/// Something that has to be so for a firing to be possible.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum TokenNeed {
    /// There are at least so many.
    AtLeast(TokenRef, i32),
    /// There are fewer.
    Fewer(TokenRef, i32),
}

impl TokenNeed {
    /// What it is about.
    pub fn token(self) -> TokenRef {
        match self {
            TokenNeed::AtLeast(token, _) | TokenNeed::Fewer(token, _) => token,
        }
    }
}

/// Which tokens lie where in a state.
#[derive(Clone, Debug)]
pub struct TokenIndex<'n> {
    net: &'n Net,
    /// By slot and value: a token that is chosen by it, or with 0 one that is counted there.
    by_slot: BTreeMap<(u32, i32), TokenRef>,
    slots: BTreeMap<u32, Slot>,
}

/// How many of which tokens there are in each place; only those there are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Marking(pub Vec<Vec<(u32, i32)>>);

impl Net {
    /// The marking that a state is.
    pub fn marking(&self, state: &[u8]) -> Marking {
        let of = |place: &NetPlace| {
            let counts = place.tokens.iter().enumerate().map(|(i, t)| (i as u32, t.kept.count(state)));
            counts.filter(|&(_, count)| count != 0).collect()
        };
        Marking(self.places.iter().map(of).collect())
    }
}

impl NetPlace {
    /// The place with one of its tokens, such as `fork(1)`.
    pub fn token_name(&self, token: u32) -> SmolStr {
        let colour = self.tokens.get(token as usize).map_or("", |t| &t.colour);
        format_smolstr!("{}{colour}", self.name)
    }

    /// Whether its tokens are all alike.
    pub fn is_plain(&self) -> bool {
        self.tokens.iter().all(|token| token.colour.is_empty())
    }

    /// Tokens of it: a number where they are all alike, else `{1, 2'3}`.
    pub fn show(&self, tokens: &[(u32, i32)]) -> String {
        if self.is_plain() {
            return tokens.iter().map(|&(_, count)| i64::from(count)).sum::<i64>().to_string();
        }
        let shown = tokens.iter().map(|&(token, count)| {
            let colour = bare(&self.tokens[token as usize].colour);
            if count == 1 { colour.to_owned() } else { format!("{count}'{colour}") }
        });
        format!("{{{}}}", shown.collect::<Vec<_>>().join(", "))
    }
}

/// `1` for `(1)`; tuples stay as they are.
fn bare(colour: &str) -> &str {
    match colour.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        Some(inside) if !inside.contains([',', '(', ')']) => inside,
        _ => colour,
    }
}

impl<'n> TokenIndex<'n> {
    /// Of a net.
    pub fn new(net: &'n Net) -> Self {
        let (mut by_slot, mut slots) = (BTreeMap::new(), BTreeMap::new());
        for (place, declared) in net.places.iter().enumerate() {
            for (token, kept) in declared.tokens.iter().enumerate() {
                let (slot, value) = match kept.kept {
                    Kept::Number(slot) => (slot, 0),
                    Kept::Choice(slot, value) => (slot, value),
                };
                slots.insert(slot.offset, slot);
                by_slot.insert((slot.offset, value), TokenRef { place: place as u32, token: token as u32 });
            }
        }
        TokenIndex { net, by_slot, slots }
    }

    /// The place with a token, such as `fork(1)`.
    pub fn name(&self, token: TokenRef) -> SmolStr {
        self.net.places[token.place as usize].token_name(token.token)
    }

    /// The slot that begins at an offset, if tokens are kept there.
    pub fn slot(&self, offset: u32) -> Option<Slot> {
        self.slots.get(&offset).copied()
    }

    /// Whether the slot at an offset says of a token whether it is there.
    pub fn is_kept_in(&self, token: TokenRef, offset: u32) -> bool {
        let (Kept::Number(slot) | Kept::Choice(slot, _)) =
            self.net.places[token.place as usize].tokens[token.token as usize].kept;
        slot.offset == offset
    }

    /// The token that is counted in a slot, or chosen by that value of it.
    pub fn find(&self, offset: u32, value: i32) -> Option<TokenRef> {
        self.by_slot.get(&(offset, 0)).or_else(|| self.by_slot.get(&(offset, value))).copied()
    }

    /// How many of a token there are in a state.
    pub fn count(&self, token: TokenRef, state: &[u8]) -> i32 {
        self.net.places[token.place as usize].tokens[token.token as usize].kept.count(state)
    }

    /// What a guard asks for.
    pub fn need(&self, model: &Model, guard: GuardId) -> Option<TokenNeed> {
        let Comparison { slot, how, value } = Comparison::of(&model.guards[guard])?;
        let token = self.find(slot.offset, value)?;
        Some(match how {
            Compared::AtLeast => TokenNeed::AtLeast(token, value),
            Compared::Below => TokenNeed::Fewer(token, value),
            Compared::Equal => TokenNeed::AtLeast(token, 1),
            Compared::Differs => TokenNeed::Fewer(token, 1),
        })
    }

    /// What a firing asks for, in the order of its guards.
    pub fn needs(&self, model: &Model, firing: TransitionId) -> Vec<TokenNeed> {
        model.transitions[firing].guards.iter().filter_map(|&guard| self.need(model, guard)).collect()
    }

    /// What a firing needs and does not find in a state.
    pub fn lacking(&self, model: &Model, firing: TransitionId, state: &[u8]) -> Vec<TokenNeed> {
        let mut needs = self.needs(model, firing);
        needs.retain(|need| {
            let count = self.count(need.token(), state);
            match *need {
                TokenNeed::AtLeast(_, n) => count < n,
                TokenNeed::Fewer(_, n) => count >= n,
            }
        });
        needs
    }

    /// The tokens that a firing changes the number of for the better, which is what it puts.
    pub fn puts(&self, model: &Model, firing: TransitionId) -> Vec<TokenRef> {
        let effects = model.transitions[firing].effects.iter();
        let put = effects.filter_map(|effect| match effect {
            Effect::Count { place, by, .. } if *by > 0 => self.find(place.slot.offset, 0),
            Effect::Assign(place, Expr::Const(value)) if *value > 0 => self.find(place.slot.offset, *value),
            _ => None,
        });
        put.collect()
    }

    /// What is lacking, in words: `fork(1) is missing`.
    pub fn tell(&self, need: TokenNeed) -> String {
        match need {
            TokenNeed::AtLeast(token, 1) => format!("{} is missing", self.name(token)),
            TokenNeed::AtLeast(token, n) => format!("{n}'{} are missing", self.name(token)),
            TokenNeed::Fewer(token, 1) => format!("{} is in the way", self.name(token)),
            TokenNeed::Fewer(token, n) => format!("{n}'{} are in the way", self.name(token)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::Token;
    use crate::slot::SlotType;
    use stubborn_base::{FileId, Span};

    fn place(name: &str, colours: &[(&str, Kept)]) -> NetPlace {
        let tokens = colours.iter().map(|(colour, kept)| Token { colour: (*colour).into(), kept: *kept });
        NetPlace { name: name.into(), span: Span::new(FileId(0), 0, 0), tokens: tokens.collect(), most: None }
    }

    #[test]
    fn tokens_as_one_writes_them() {
        let slot = |at| Slot::new(at, &SlotType::Byte);
        let plain = place("p", &[("", Kept::Number(slot(0)))]);
        let coloured = place(
            "q",
            &[
                ("(1)", Kept::Number(slot(1))),
                ("(2)", Kept::Choice(slot(2), 1)),
                ("(1, true)", Kept::Choice(slot(2), 2)),
            ],
        );
        let net = Net { places: vec![plain, coloured], transitions: Vec::new() };
        let marking = |state: &[u8]| {
            let marking = net.marking(state);
            let shown = net.places.iter().zip(&marking.0).map(|(place, tokens)| place.show(tokens));
            shown.collect::<Vec<_>>()
        };
        assert_eq!(marking(&[3, 2, 1]), ["3", "{2'1, 2}"]);
        assert_eq!(marking(&[0, 0, 2]), ["0", "{(1, true)}"]);
        assert_eq!(marking(&[0, 0, 0]), ["0", "{}"]);
        let index = TokenIndex::new(&net);
        let token = index.find(2, 2).unwrap();
        assert_eq!((index.name(token).as_str(), index.find(2, 3)), ("q(1, true)", None));
        assert_eq!(index.tell(TokenNeed::AtLeast(token, 1)), "q(1, true) is missing");
    }
}
