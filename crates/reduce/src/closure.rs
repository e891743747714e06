//! Stubborn sets by closure: the closure algorithm and its beam search.
//!
//! Algorithms 1 and 3 of Laarman et al.: begin with an enabled statement, and while
//! there is work, add what an enabled statement does not accord with, and a necessary
//! enabling set of a disabled one, the cheapest by the heuristic of §4.3. The beam
//! runs one such search per enabled statement, always the one with the fewest enabled
//! statements so far.
//!
//! Invariant (Lemma 1): of a finished context, `set` contains for every statement what
//! the lemma asks.

use stubborn_relations::{StatementId, bits};

use crate::question::Question;

/// A set being closed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Context {
    pub(crate) set: Vec<u64>,
    work: Vec<u64>,
    /// How many steps the set contains.
    pub(crate) n_enabled: u32,
    key: StatementId,
}

/// Buffers kept between states.
#[derive(Debug, Default)]
pub(crate) struct Closure {
    contexts: Vec<Context>,
    choice: Vec<u64>,
    best: Vec<u64>,
}

impl Context {
    fn start(&mut self, question: &Question<'_, '_>, key: StatementId) {
        for row in [&mut self.set, &mut self.work] {
            row.clear();
            row.resize(question.relations.n_words(), 0);
        }
        self.n_enabled = 0;
        self.insert(question, key as usize / 64, 1 << (key % 64));
        self.add(question, question.demanded);
        self.key = key;
    }

    fn is_finished(&self) -> bool {
        self.work.iter().all(|&word| word == 0)
    }

    /// Adds what is relevant of a row.
    fn add(&mut self, question: &Question<'_, '_>, row: &[u64]) {
        let situation = question.situation;
        for (i, &word) in row.iter().enumerate() {
            let new = word & situation.relevant[i] & !self.set[i] & !self.work[i];
            if new != 0 {
                self.insert(question, i, new);
            }
        }
    }

    fn insert(&mut self, question: &Question<'_, '_>, word: usize, new: u64) {
        let situation = question.situation;
        self.work[word] |= new;
        self.n_enabled += (new & situation.counted[word]).count_ones();
        if !question.forbidden.is_empty() && new & situation.enabled[word] & question.forbidden[word] != 0 {
            // As bad as all steps.
            self.n_enabled += situation.steps.len() as u32;
        }
    }
}

impl Closure {
    /// The closure of the first enabled statement (Algorithm 1).
    pub(crate) fn first(&mut self, question: &Question<'_, '_>) -> &[u64] {
        let key = question.situation.steps[0].0;
        self.begin(question, 1, |_| key);
        while !self.contexts[0].is_finished() {
            self.advance(question, 0);
        }
        &self.contexts[0].set
    }

    /// The set with the fewest steps that the beam search finds (Algorithm 3).
    pub(crate) fn beam(&mut self, question: &Question<'_, '_>) -> &[u64] {
        let situation = question.situation;
        let mut keys: Vec<StatementId> = situation.steps.iter().map(|(first, _)| *first).collect();
        keys.dedup();
        self.begin(question, keys.len(), |i| keys[i]);
        loop {
            let (at, _) = self.contexts[..keys.len()]
                .iter()
                .enumerate()
                .min_by_key(|(_, context)| context.n_enabled)
                .expect("something is enabled");
            if self.contexts[at].is_finished() {
                return &self.contexts[at].set;
            }
            let score = self.contexts[at].n_enabled;
            while !self.contexts[at].is_finished() && self.contexts[at].n_enabled == score {
                self.advance(question, at);
            }
        }
    }

    fn begin(&mut self, question: &Question<'_, '_>, n: usize, key: impl Fn(usize) -> StatementId) {
        if self.contexts.len() < n {
            self.contexts.resize_with(n, Context::default);
        }
        for (i, context) in self.contexts[..n].iter_mut().enumerate() {
            context.start(question, key(i));
        }
    }

    /// Closes one more statement of a context.
    fn advance(&mut self, question: &Question<'_, '_>, at: usize) {
        let Closure { contexts, choice, best } = self;
        let context = &mut contexts[at];
        let Question { relations, situation, .. } = question;
        let word = context.work.iter().position(|&word| word != 0).expect("there is work");
        let statement = word as StatementId * 64 + context.work[word].trailing_zeros();
        bits::remove(&mut context.work, statement);
        bits::insert(&mut context.set, statement);
        if bits::contains(&situation.enabled, statement) {
            let conflicts = relations.conflicts(statement);
            let rendezvous = situation.is_half(statement);
            if question.rules.weak && statement != context.key && !rendezvous {
                let left = relations.left_conflicts(statement);
                let row = if question.cost(context, left) < question.cost(context, conflicts) {
                    left
                } else {
                    conflicts
                };
                context.add(question, row);
            } else {
                context.add(question, conflicts);
            }
            if !question.visible.is_empty() && bits::contains(question.visible, statement) {
                context.add(question, question.visible);
            }
            return;
        }
        let mut best_cost = u32::MAX;
        question.each_enabling_set(statement, choice, |row| {
            let cost = question.cost(context, row);
            if cost < best_cost {
                best_cost = cost;
                best.clear();
                best.extend_from_slice(row);
            }
            best_cost == 0 || !question.rules.heuristic
        });
        if best_cost == u32::MAX {
            // Nothing is known of what could enable it.
            context.add(question, &situation.relevant);
        } else if best_cost > 0 {
            context.add(question, best);
        }
    }
}

impl Question<'_, '_> {
    /// The heuristic cost of adding a row (§4.3).
    #[inline]
    fn cost(&self, context: &Context, row: &[u64]) -> u32 {
        let situation = self.situation;
        let mut cost = 0;
        for (i, &word) in row.iter().enumerate() {
            let new = word & situation.relevant[i] & !context.set[i] & !context.work[i];
            if new != 0 {
                cost += new.count_ones() + (new & situation.enabled[i]).count_ones() * 1024;
            }
        }
        cost
    }
}
