//! Stubborn sets by closure: the closure algorithm and its beam search.
//!
//! Algorithms 1 and 3 of Laarman et al.: begin with an enabled statement, and while
//! there is work, add what an enabled statement does not accord with, and a necessary
//! enabling set of a disabled one, the cheapest by the heuristic of §4.3. The beam
//! runs one such search per enabled statement, always the one with the fewest enabled
//! statements so far.
//!
//! Invariant (Lemma 1): of a finished context, `set` contains for every statement what
//! the lemma asks. A context with all steps is not finished: it chooses nothing.

use stubborn_relations::bits::{self, Row};
use stubborn_relations::{Over, StatementId};

use crate::question::{Memo, MemoIndex, Question, Ways};

/// The cost of a statement that is enabled; of one that is not, it is 1.
const ENABLED_COST: u32 = 1024;

/// A set being closed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Context {
    /// Statements that are in the set, closed or not.
    set: Vec<u64>,
    /// Relevant ones that are not.
    missing: Vec<u64>,
    /// Enabled ones that are not closed yet: what they bring with them is not a matter of choice.
    forced: Vec<StatementId>,
    /// Disabled ones that are not closed yet; from `next` on.
    waiting: Vec<StatementId>,
    next: usize,
    /// How many steps the set contains.
    n_enabled: u32,
    key: StatementId,
}

/// The cheapest necessary enabling set so far.
struct Cheapest<'a> {
    cost: u32,
    row: Option<&'a Over<Row>>,
}

/// Buffers kept between states.
#[derive(Debug, Default)]
pub(crate) struct Closure {
    contexts: Vec<Context>,
    keys: Vec<StatementId>,
    /// By context: another one that is run instead of it, or itself.
    leaders: Vec<usize>,
    index: MemoIndex,
}

fn leader(leaders: &[usize], context: usize) -> usize {
    let mut at = context;
    while leaders[at] != at {
        at = leaders[at];
    }
    at
}

/// Appends the numbers of the bits of a word.
#[inline]
fn push_bits(to: &mut Vec<StatementId>, base: StatementId, mut word: u64) {
    while word != 0 {
        to.push(base + word.trailing_zeros());
        word &= word - 1;
    }
}

impl Context {
    fn start(&mut self, question: &Question<'_, '_>, key: StatementId) {
        self.set.clear();
        self.set.resize(question.relations.n_words(), 0);
        question.situation.relevant.clone_into(&mut self.missing);
        self.forced.clear();
        self.waiting.clear();
        self.next = 0;
        self.n_enabled = 0;
        self.insert(question, key as usize / 64, 1 << (key % 64));
        self.add(question, question.demanded);
        self.key = key;
    }

    fn is_finished(&self) -> bool {
        self.forced.is_empty() && self.next == self.waiting.len()
    }

    /// Adds what is relevant of a row.
    #[inline]
    fn add(&mut self, question: &Question<'_, '_>, row: &Over<Row>) {
        for &(at, word) in row.sparse() {
            let new = word & self.missing[at as usize];
            if new != 0 {
                self.insert(question, at as usize, new);
            }
        }
    }

    fn insert(&mut self, question: &Question<'_, '_>, at: usize, new: u64) {
        let situation = question.situation;
        self.set[at] |= new;
        self.missing[at] &= !new;
        let base = at as StatementId * 64;
        let enabled = new & situation.enabled[at];
        push_bits(&mut self.waiting, base, new & !enabled);
        if enabled != 0 {
            push_bits(&mut self.forced, base, enabled);
            self.n_enabled += (new & situation.counted[at]).count_ones();
            if enabled & question.forbidden.word(at) != 0 {
                // As bad as all steps.
                self.n_enabled += situation.steps.len() as u32;
            }
        }
    }

    /// The heuristic cost of adding a row (§4.3); at least `limit` if it is not less.
    #[inline]
    fn cost(&self, question: &Question<'_, '_>, row: &Over<Row>, limit: u32) -> u32 {
        let mut cost = 0;
        for &(at, word) in row.sparse() {
            let new = word & self.missing[at as usize];
            if new != 0 {
                cost += new.count_ones();
                let enabled = new & question.situation.enabled[at as usize];
                if enabled != 0 {
                    cost += enabled.count_ones() * ENABLED_COST;
                }
                if cost >= limit {
                    break;
                }
            }
        }
        cost
    }

    /// Closes one more statement.
    fn advance<'a>(&mut self, question: &Question<'a, '_>, memo: &mut Memo<'a>, index: &mut MemoIndex) {
        let Question { relations, situation, .. } = question;
        if let Some(statement) = self.forced.pop() {
            let mut row = question.conflicts(statement, memo, index);
            if question.rules.weak && statement != self.key && !situation.is_half(statement) {
                let left = relations.left_conflicts(statement);
                if self.cost(question, left, u32::MAX) < self.cost(question, row, u32::MAX) {
                    row = left;
                }
            }
            self.add(question, row);
            if question.visible.may_contain(statement) {
                self.add(question, question.visible);
            }
            return;
        }
        let statement = self.waiting[self.next];
        self.next += 1;
        let mut best = Cheapest { cost: u32::MAX, row: None };
        match question.ways(statement) {
            Ways::Here => match question.enabling_sets(statement, memo, index) {
                // What there is no choice about need not be weighed.
                [only] => best.row = Some(only),
                rows => rows.iter().for_each(|row| self.consider(question, row, &mut best)),
            },
            Ways::Creation(row) => best.row = Some(row),
            Ways::Elsewhere { entry, leaving, arriving } => {
                if let Some(row) = leaving {
                    self.consider(question, row, &mut best);
                }
                self.consider(question, arriving, &mut best);
                if !question.rules.heuristic || best.cost == 0 {
                    // Nothing is better.
                } else if entry.unresolved().is_empty() {
                    // What a row costs takes less time to find out than whether it is a necessary enabling set.
                    question.enabling_sets_elsewhere(&entry, |row, is_one| {
                        let cost = self.cost(question, row, best.cost);
                        if cost < best.cost && is_one() {
                            best = Cheapest { cost, row: Some(row) };
                        }
                    });
                } else {
                    for row in question.enabling_sets(statement, memo, index) {
                        self.consider(question, row, &mut best);
                    }
                }
            }
        }
        match best.row {
            Some(row) => self.add(question, row),
            // Nothing is known of what could enable it.
            None => {
                for at in 0..self.set.len() {
                    let new = self.missing[at];
                    self.insert(question, at, new);
                }
            }
        }
    }

    /// Takes a row if it costs less than what there is; without the heuristic, if there is nothing.
    #[inline]
    fn consider<'a>(&self, question: &Question<'a, '_>, row: &'a Over<Row>, best: &mut Cheapest<'a>) {
        if best.row.is_none() || question.rules.heuristic {
            let cost = self.cost(question, row, best.cost);
            if cost < best.cost {
                *best = Cheapest { cost, row: Some(row) };
            }
        }
    }
}

impl Closure {
    /// The closure of the first enabled statement (Algorithm 1).
    pub(crate) fn first(&mut self, question: &Question<'_, '_>) -> &[u64] {
        self.collect_keys(question);
        self.keys.truncate(1);
        self.search(question)
    }

    /// The set with the fewest steps that the beam search finds (Algorithm 3).
    pub(crate) fn beam(&mut self, question: &Question<'_, '_>) -> &[u64] {
        self.collect_keys(question);
        // Processes created first go first: measured to leave out more.
        self.keys.reverse();
        self.search(question)
    }

    /// What a set may be the closure of: any enabled statement, or where condition I asks for an invisible
    /// step, the invisible ones.
    fn collect_keys(&mut self, question: &Question<'_, '_>) {
        let steps = question.situation.steps.iter();
        let wanted = steps.filter(|&&step| !question.needs_invisible || question.is_invisible(step));
        self.keys.clear();
        self.keys.extend(wanted.map(|(first, _)| *first));
        self.keys.dedup();
    }

    /// Always goes on with the context that has the fewest steps.
    fn search(&mut self, question: &Question<'_, '_>) -> &[u64] {
        let Closure { contexts, keys, leaders, index } = self;
        let mut memo = index.begin(question.relations.n_words());
        if contexts.len() < keys.len() {
            contexts.resize_with(keys.len(), Context::default);
        }
        leaders.clear();
        leaders.extend(0..keys.len());
        let mut n_begun = 0;
        let best = loop {
            // A context that has not begun has one step.
            let running = (0..n_begun).filter(|&i| leaders[i] == i);
            let least = running.map(|i| (contexts[i].n_enabled, i)).min();
            let at = match least {
                // However they are closed, all take everything.
                Some((n_enabled, at))
                    if n_begun == keys.len() && n_enabled >= question.situation.n_counted =>
                {
                    break at;
                }
                Some((n_enabled, at)) if n_enabled <= 1 || n_begun == keys.len() => at,
                _ => {
                    contexts[n_begun].start(question, keys[n_begun]);
                    n_begun += 1;
                    n_begun - 1
                }
            };
            let context = &mut contexts[at];
            let score = context.n_enabled;
            while !context.is_finished() && context.n_enabled == score {
                context.advance(question, &mut memo, index);
            }
            if context.n_enabled == score {
                break at;
            }
            // A set that contains the key of another one contains a set of that one, too.
            let follows =
                (0..keys.len()).find(|&i| bits::contains(&context.set, keys[i]) && leader(leaders, i) != at);
            if let Some(other) = follows {
                leaders[at] = leader(leaders, other);
            }
        };
        index.end(memo);
        &self.contexts[best].set
    }
}
