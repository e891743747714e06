//! Where tokens come from: every token is followed from the step that puts it to the one that takes it.
//!
//! Of tokens that are alike the one that came first is taken first. A firing rests on the steps that put what it needs,
//! and where it is inhibited, on the steps that took such tokens; not on steps that only took some of what was there.

use std::collections::{BTreeMap, VecDeque};

use stubborn_ir::{Model, TokenIndex, TokenNeed, TokenRef, TransitionId};

use super::Link;

/// The tokens of a marking, each with the step that put it.
pub(super) struct Origins<'m> {
    model: &'m Model,
    tokens: TokenIndex<'m>,
    /// By token, the first first: how many, and who put them; nobody those of the beginning.
    there: BTreeMap<TokenRef, VecDeque<(Option<usize>, i32)>>,
    /// By token: who took one.
    taken: BTreeMap<TokenRef, Vec<usize>>,
}

impl<'m> Origins<'m> {
    /// In the initial state; none if the model is no net, or if some firings go before others: then what a firing rests
    /// on is also what is not there.
    pub(super) fn start(model: &'m Model, state: &[u8]) -> Option<Self> {
        let has_priorities = model.transitions.iter().any(|t| !t.inhibitors.is_empty());
        let net = model.net.as_ref().filter(|_| !has_priorities)?;
        let mut there: BTreeMap<TokenRef, VecDeque<(Option<usize>, i32)>> = BTreeMap::new();
        for (place, tokens) in net.marking(state).0.into_iter().enumerate() {
            for (token, count) in tokens {
                there.insert(TokenRef { place: place as u32, token }, VecDeque::from([(None, count)]));
            }
        }
        Some(Origins { model, tokens: TokenIndex::new(net), there, taken: BTreeMap::new() })
    }

    /// The tokens, by where they are kept.
    pub(super) fn tokens(&self) -> &TokenIndex<'m> {
        &self.tokens
    }

    /// The steps that a firing rests on.
    pub(super) fn behind(&self, firing: TransitionId) -> Vec<(usize, Link)> {
        let mut causes = Vec::new();
        for need in self.tokens.needs(self.model, firing) {
            let token = need.token();
            match need {
                TokenNeed::AtLeast(_, n) => {
                    let mut wanted = n;
                    for &(origin, count) in self.there.get(&token).into_iter().flatten() {
                        if wanted <= 0 {
                            break;
                        }
                        wanted -= count;
                        causes.extend(origin.map(|step| (step, Link::Putting(self.tokens.name(token)))));
                    }
                }
                TokenNeed::Fewer(..) => {
                    let takers = self.taken.get(&token).into_iter().flatten();
                    causes.extend(takers.map(|&step| (step, Link::Taking(self.tokens.name(token)))));
                }
            }
        }
        causes
    }

    /// Takes down what a step has changed.
    pub(super) fn note(&mut self, firing: TransitionId, step: usize, after: &[u8]) {
        let needs = self.tokens.needs(self.model, firing).into_iter().map(TokenNeed::token);
        let mut tokens: Vec<TokenRef> = needs.chain(self.tokens.puts(self.model, firing)).collect();
        tokens.sort_unstable();
        tokens.dedup();
        for token in tokens {
            let queue = self.there.entry(token).or_default();
            let before: i32 = queue.iter().map(|&(_, count)| count).sum();
            let by = self.tokens.count(token, after) - before;
            if by > 0 {
                queue.push_back((Some(step), by));
            }
            if by < 0 {
                self.taken.entry(token).or_default().push(step);
            }
            let mut gone = -by;
            while gone > 0
                && let Some((_, count)) = queue.front_mut()
            {
                let now = gone.min(*count);
                (*count, gone) = (*count - now, gone - now);
                if *count == 0 {
                    queue.pop_front();
                }
            }
        }
    }
}
