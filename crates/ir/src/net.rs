//! What a model that was a Petri net says of markings: its places and their tokens, and where each is kept.
//!
//! The model itself is one process that never moves: every firing is a transition from its only location to itself.

use std::ops::Range;

use smol_str::SmolStr;
use stubborn_base::Span;

use crate::balance::balanced;
use crate::expr::{BinaryOp, Expr, Place, Region};
use crate::slot::Slot;

/// Places and transitions as the author knows them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Net {
    /// Places, in order of declaration.
    pub places: Vec<NetPlace>,
    /// Transitions, in order of declaration.
    pub transitions: Vec<NetTransition>,
}

/// A place with the tokens that may be there at some time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetPlace {
    /// Its name.
    pub name: SmolStr,
    /// Where it is declared.
    pub span: Span,
    /// Its tokens.
    pub tokens: Vec<Token>,
    /// It never has more tokens than this; none if that is not proved.
    pub most: Option<u64>,
}

/// A token of a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// As it is written, such as `(1, true)`; empty where tokens are all alike.
    pub colour: SmolStr,
    /// Where it is kept.
    pub kept: Kept,
}

/// Where it is kept how many of a token there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kept {
    /// A number, among the globals.
    Number(Slot),
    /// There is one if the slot, among the globals, has this value, else none.
    Choice(Slot, i32),
}

impl Kept {
    /// How many there are.
    #[inline]
    pub fn count(self, state: &[u8]) -> i32 {
        match self {
            Kept::Number(slot) => slot.read(state),
            Kept::Choice(slot, value) => i32::from(slot.read(state) == value),
        }
    }
}

/// How many of these tokens there are.
pub fn amount(tokens: impl IntoIterator<Item = Kept>) -> Expr {
    let load = |slot: Slot| Expr::Load(Place::simple(Region::Global, slot));
    let compare = |slot: Slot, op: BinaryOp, value: i32| Expr::binary(op, load(slot), Expr::Const(value));
    let mut addends = Vec::new();
    let mut choices: Vec<(Slot, Vec<i32>)> = Vec::new();
    for kept in tokens {
        match kept {
            Kept::Number(slot) => addends.push(load(slot)),
            Kept::Choice(slot, value) => match choices.iter_mut().find(|(other, _)| *other == slot) {
                Some((_, values)) => values.push(value),
                None => choices.push((slot, vec![value])),
            },
        }
    }
    for (slot, mut values) in choices {
        values.sort_unstable();
        // Values in a row are asked for together.
        for run in values.chunk_by(|a, b| a + 1 == *b) {
            let (first, last) = (run[0], run[run.len() - 1]);
            addends.push(if first == last {
                compare(slot, BinaryOp::Eq, first)
            } else {
                let from = compare(slot, BinaryOp::Ge, first);
                Expr::binary(BinaryOp::And, from, compare(slot, BinaryOp::Le, last))
            });
        }
    }
    balanced(BinaryOp::Add, addends).unwrap_or(Expr::Const(0))
}

/// A transition with its firings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetTransition {
    /// Its name.
    pub name: SmolStr,
    /// Where it is declared.
    pub span: Span,
    /// The transitions of the model that are its firings, by number.
    pub firings: Vec<u32>,
    /// Places it is connected with: those it takes tokens from, puts them to, is inhibited by.
    pub arcs: [Vec<u32>; 3],
}

/// How full places are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Fill {
    /// The most of one token in a place.
    pub in_place: i64,
    /// The most tokens of all places together.
    pub in_marking: i64,
}

impl NetPlace {
    /// How many tokens there are in it.
    pub fn amount(&self) -> Expr {
        amount(self.tokens.iter().map(|token| token.kept))
    }
}

impl Net {
    /// Makes room for what is in `state`.
    pub fn measure(&self, state: &[u8], fill: &mut Fill) {
        let mut total = 0;
        for place in &self.places {
            for token in &place.tokens {
                let count = i64::from(token.kept.count(state));
                fill.in_place = fill.in_place.max(count);
                total += count;
            }
        }
        fill.in_marking = fill.in_marking.max(total);
    }

    /// The firings that are transitions of a model in this range belong to one transition of the net.
    pub fn transition_of(&self, firing: u32) -> Option<&NetTransition> {
        self.transitions.iter().find(|t| t.firings.binary_search(&firing).is_ok())
    }

    /// How many firings there are.
    pub fn firings(&self) -> Range<u32> {
        0..self.transitions.iter().map(|t| t.firings.len() as u32).sum()
    }
}
