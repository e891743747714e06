//! Stubborn sets by closure: the closure algorithm and its beam search.
//!
//! Algorithms 1 and 3 of Laarman et al.: begin with an enabled statement, and while
//! there is work, add what an enabled statement does not accord with, and a necessary
//! enabling set of a disabled one, the cheapest by the heuristic of §4.3. A choice that
//! adds a step is put off until there is no other: what else is added may make up for it.
//! The beam runs one such search per enabled statement, always the one with the fewest
//! enabled statements so far; among equals, steps of processes that have little to do with
//! others go first, then those that have little left to do.
//!
//! A process that cannot leave where it is but by what is in the set cannot do anything elsewhere before: its statements
//! there are passed over, without a look at each.
//!
//! Invariant (Lemma 1): of a finished context, the set contains for every statement what
//! the lemma asks. A context with all steps is not finished: it chooses nothing.

use std::ops::ControlFlow;

use stubborn_relations::bits::{self, Row};
use stubborn_relations::{Departure, Firings, Over, StatementId, UpSet};

use crate::question::{Memo, MemoIndex, Question, Rules, Way};

/// The cost of a statement that is enabled; of one that is not, it is 1.
const ENABLED_COST: u32 = 1024;

/// Statements of one word of a row: its place, and which.
type Part = (u32, u64);

/// A set being closed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Context {
    /// Relevant statements that are not in the set; those that are in it are the other ones.
    missing: Vec<u64>,
    /// Enabled ones that are not closed yet, last ones first: what they bring with them is not a matter of choice.
    forced: Vec<Part>,
    /// Disabled ones that are not closed yet, in order; from `next` on.
    waiting: Vec<Part>,
    next: usize,
    /// Disabled ones whose cheapest necessary enabling set had a step when it was their turn, in order; from `resumed` on.
    postponed: Vec<StatementId>,
    resumed: usize,
    /// How many steps the set contains.
    n_enabled: u32,
    key: StatementId,
    /// Disabled ones that bring nothing with them that is not in the set, as words: they need not be closed.
    idle: Vec<u64>,
}

/// The cheapest necessary enabling set so far.
struct Cheapest<'a> {
    cost: u32,
    row: Option<&'a Over<Row>>,
}

/// What a disabled statement brings with it.
enum Enabling<'a> {
    /// It is in the set already. Perhaps it is the same with others of the process.
    There(Option<&'a Departure>),
    /// There is no other, or the choice is not put off.
    Only(&'a Over<Row>),
    /// The cheapest one, with what it costs.
    Cheapest(&'a Over<Row>, u32),
    /// Nothing is known of what could enable it.
    Unknown,
}

/// Buffers kept between states.
#[derive(Debug, Default)]
pub(crate) struct Closure {
    contexts: Vec<Context>,
    keys: Vec<StatementId>,
    /// How many neighbours the process of a key has, how many statements it has left, and the key.
    ranks: Vec<(u32, u32, StatementId)>,
    /// By context: another one that is run instead of it, or itself.
    leaders: Vec<usize>,
    index: MemoIndex,
    /// What was found last.
    set: Vec<u64>,
    /// How many statements were closed for it, where that is counted.
    pub(crate) n_closed: usize,
}

fn leader(leaders: &[usize], context: usize) -> usize {
    let mut at = context;
    while leaders[at] != at {
        at = leaders[at];
    }
    at
}

/// How many bits are set: often one, and processors that are not asked for more than all of them can do take a
/// while to count.
#[inline]
fn count(word: u64) -> u32 {
    if word.is_power_of_two() { 1 } else { word.count_ones() }
}

impl Context {
    fn start(&mut self, question: &Question<'_, '_>, key: StatementId) {
        self.clear(question);
        debug_assert!(bits::contains(&self.missing, key), "what is enabled is relevant");
        self.insert(question, key / 64, 1 << (key % 64));
        self.add(question, question.demanded);
        self.key = key;
    }

    /// Nothing is in the set.
    fn clear(&mut self, question: &Question<'_, '_>) {
        question.situation.relevant.clone_into(&mut self.missing);
        self.forced.clear();
        self.waiting.clear();
        self.next = 0;
        self.postponed.clear();
        self.resumed = 0;
        self.n_enabled = 0;
        question.situation.idle.clone_into(&mut self.idle);
    }

    /// Whether a relevant statement is in the set.
    #[inline]
    fn contains(&self, statement: StatementId) -> bool {
        !bits::contains(&self.missing, statement)
    }

    /// Adds what is relevant of a row.
    #[inline]
    fn add(&mut self, question: &Question<'_, '_>, row: &Over<Row>) {
        for &(at, word) in row.sparse() {
            let new = word & self.missing[at as usize];
            if new != 0 {
                self.insert(question, at, new);
            }
        }
    }

    #[inline]
    fn insert(&mut self, question: &Question<'_, '_>, at: u32, new: u64) {
        let situation = question.situation;
        self.missing[at as usize] &= !new;
        let enabled = new & situation.enabled[at as usize];
        if new != enabled {
            self.waiting.push((at, new & !enabled));
        }
        if enabled != 0 {
            self.forced.push((at, enabled));
            self.n_enabled += count(enabled & situation.counted[at as usize]);
            if enabled & question.forbidden.word(at as usize) != 0 {
                // As bad as all steps.
                self.n_enabled += situation.steps.len() as u32;
            }
        }
    }

    /// An enabled statement that is not closed yet.
    #[inline]
    fn next_forced(&mut self) -> Option<StatementId> {
        let (at, word) = self.forced.last_mut()?;
        let bit = 63 - word.leading_zeros();
        let statement = *at * 64 + bit;
        *word ^= 1 << bit;
        if *word == 0 {
            self.forced.pop();
        }
        Some(statement)
    }

    /// The disabled statement that has not been closed for longest.
    #[inline]
    fn next_waiting(&mut self) -> Option<StatementId> {
        loop {
            let (at, word) = self.waiting.get_mut(self.next)?;
            *word &= !self.idle[*at as usize];
            if *word == 0 {
                self.next += 1;
                continue;
            }
            let statement = *at * 64 + word.trailing_zeros();
            *word &= *word - 1;
            return Some(statement);
        }
    }

    /// The heuristic cost of adding a row (§4.3); at least `limit` if it is not less.
    #[inline]
    fn cost(&self, question: &Question<'_, '_>, row: &Over<Row>, limit: u32) -> u32 {
        let mut cost = 0;
        for &(at, word) in row.sparse() {
            let new = word & self.missing[at as usize];
            if new != 0 {
                cost += count(new);
                let enabled = new & question.situation.enabled[at as usize];
                if enabled != 0 {
                    cost += count(enabled) * ENABLED_COST;
                }
                if cost >= limit {
                    break;
                }
            }
        }
        cost
    }

    /// Closes one more statement, if one is left.
    #[inline(always)]
    fn advance<'a>(
        &mut self,
        question: &Question<'a, '_>,
        memo: &mut Memo<'a>,
        index: &mut MemoIndex,
    ) -> ControlFlow<()> {
        let (row, is_seen) = if let Some(statement) = self.next_forced() {
            let row = self.conflicts(question, statement, memo, index);
            (Some(row), question.visible.may_contain(statement))
        } else if let Some(statement) = self.next_waiting() {
            let enabling = match question.relations.firings() {
                Some(firings) => self.enabling_set_in_net(question, firings, statement, memo, index),
                None => self.enabling_set(question, statement, memo, index),
            };
            match enabling {
                Enabling::There(departure) => {
                    departure.into_iter().for_each(|departure| self.pass_others(departure));
                    return ControlFlow::Continue(());
                }
                Enabling::Cheapest(_, ENABLED_COST..) => {
                    self.postponed.push(statement);
                    return ControlFlow::Continue(());
                }
                Enabling::Only(row) | Enabling::Cheapest(row, _) => (Some(row), false),
                Enabling::Unknown => (None, false),
            }
        } else if let Some(&statement) = self.postponed.get(self.resumed) {
            self.resumed += 1;
            match self.enabling_set(question, statement, memo, index) {
                Enabling::There(_) => return ControlFlow::Continue(()),
                Enabling::Only(row) | Enabling::Cheapest(row, _) => (Some(row), false),
                Enabling::Unknown => (None, false),
            }
        } else {
            return ControlFlow::Break(());
        };
        match row {
            Some(row) => self.add(question, row),
            None => self.add_all(question),
        }
        if is_seen {
            self.add_visible(question);
        }
        ControlFlow::Continue(())
    }

    /// Where a process cannot leave but by what is in the set, none of its statements elsewhere brings anything with it.
    #[inline]
    fn pass_others(&mut self, departure: &Departure) {
        if self.has_all(&departure.leaving) {
            for &(at, word) in departure.elsewhere.sparse() {
                self.idle[at as usize] |= word;
            }
        }
    }

    #[cold]
    fn add_all(&mut self, question: &Question<'_, '_>) {
        for at in 0..self.missing.len() {
            let new = self.missing[at];
            self.insert(question, at as u32, new);
        }
    }

    #[cold]
    fn add_visible(&mut self, question: &Question<'_, '_>) {
        self.add(question, question.visible);
    }

    /// What an enabled statement brings with it.
    #[inline]
    fn conflicts<'a>(
        &self,
        question: &Question<'a, '_>,
        statement: StatementId,
        memo: &mut Memo<'a>,
        index: &mut MemoIndex,
    ) -> &'a Over<Row> {
        let row = question.conflicts(statement, memo, index);
        if question.rules.weak && statement != self.key && !question.situation.is_half(statement) {
            let left = question.relations.left_conflicts(statement);
            if self.cost(question, left, u32::MAX) < self.cost(question, row, u32::MAX) {
                return left;
            }
        }
        row
    }

    /// The cheapest of what a disabled statement can bring with it.
    #[inline(always)]
    fn enabling_set<'a>(
        &self,
        question: &Question<'a, '_>,
        statement: StatementId,
        memo: &mut Memo<'a>,
        index: &mut MemoIndex,
    ) -> Enabling<'a> {
        let mut best = Cheapest { cost: u32::MAX, row: None };
        match question.ways(statement) {
            // What there is no choice about need not be weighed.
            Way::Creation(row) | Way::Guard(row) => return Enabling::Only(row),
            Way::Here => match question.enabling_sets(statement, memo, index) {
                [only] => return Enabling::Only(only),
                rows => rows.iter().for_each(|row| self.consider(question, row, &mut best)),
            },
            Way::Elsewhere { entry, first, second, departure } => {
                let there = || Enabling::There(question.rules.disabling_sets.then_some(departure));
                let is_choice = question.rules.heuristic && (second.is_some() || entry.has_data_needs());
                if !is_choice {
                    return if self.has_all(first) { there() } else { Enabling::Only(first) };
                }
                // Nothing is better than what is there already.
                best = Cheapest { cost: self.cost(question, first, u32::MAX), row: Some(first) };
                if best.cost == 0 {
                    return there();
                }
                if let Some(row) = second {
                    let cost = self.cost(question, row, best.cost.saturating_add(1));
                    if cost == 0 {
                        return there();
                    }
                    if cost <= best.cost {
                        best = Cheapest { cost, row: Some(row) };
                    }
                }
                if !entry.has_data_needs() {
                    // There is no other.
                } else if entry.unresolved().is_empty() {
                    // What a row costs takes less time to find out than whether it is a necessary enabling set.
                    question.enabling_sets_elsewhere(statement, &entry, index, |row, is_one| {
                        let cost = self.cost(question, row, best.cost.saturating_add(1));
                        if cost <= best.cost && is_one() {
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
        best.row.map_or(Enabling::Unknown, |row| Enabling::Cheapest(row, best.cost))
    }

    /// The cheapest of what a disabled firing can bring with it, which serves all that lack the same.
    fn enabling_set_in_net<'a>(
        &mut self,
        question: &Question<'a, '_>,
        firings: &'a Firings,
        statement: StatementId,
        memo: &mut Memo<'a>,
        index: &mut MemoIndex,
    ) -> Enabling<'a> {
        let Some(entry) = question.relations.entry(statement) else {
            return self.enabling_set(question, statement, memo, index);
        };
        let Rules { disabling_sets, heuristic, .. } = question.rules;
        let mut best = Cheapest { cost: u32::MAX, row: None };
        let mut lack = None;
        let state = question.look.all();
        entry.waits_for(firings, state, disabling_sets, |waiting| {
            if best.row.is_none() || heuristic {
                let cost = self.cost(question, waiting.row, best.cost);
                if cost < best.cost {
                    best = Cheapest { cost, row: Some(waiting.row) };
                    lack = Some(waiting.lack);
                }
            }
            // Nothing is better than what is there already.
            if best.cost == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if let Some(lack) = lack {
            question.relations.served_by(firings, lack, state, &mut self.idle);
        }
        best.row.map_or(Enabling::Unknown, Enabling::Only)
    }

    /// Whether all that is relevant of a row is in the set.
    #[inline]
    fn has_all(&self, row: &Over<Row>) -> bool {
        row.sparse().iter().all(|&(at, word)| word & self.missing[at as usize] == 0)
    }

    /// Takes a row unless it costs more than what there is: of equals the last, which is about data rather than about
    /// where a process is, and leads on to others more seldom. Without the heuristic, if there is nothing.
    #[inline]
    fn consider<'a>(&self, question: &Question<'a, '_>, row: &'a Over<Row>, best: &mut Cheapest<'a>) {
        if best.row.is_none() || question.rules.heuristic {
            let cost = self.cost(question, row, best.cost.saturating_add(1));
            if cost <= best.cost {
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
        match question.relations.firings() {
            Some(_) => self.keys.reverse(),
            // One alone has no rank.
            None if self.keys.len() < 2 => {}
            None => self.rank_keys(question),
        }
        self.search(question)
    }

    /// The closure with the fewest steps of those of some sets, which need not contain any.
    pub(crate) fn of_sets(&mut self, question: &Question<'_, '_>, sets: &[UpSet<'_>]) -> &[u64] {
        let Closure { contexts, index, set, n_closed, .. } = self;
        *n_closed = 0;
        let mut memo = index.begin(question.relations.n_words());
        if contexts.len() < sets.len() {
            contexts.resize_with(sets.len(), Context::default);
        }
        for (context, rows) in contexts.iter_mut().zip(sets) {
            context.clear(question);
            rows.iter().for_each(|row| context.add(question, row));
        }
        let best = loop {
            let least = (0..sets.len()).min_by_key(|&i| contexts[i].n_enabled).expect("there is one");
            let context = &mut contexts[least];
            let score = context.n_enabled;
            let mut is_closed = false;
            while !is_closed && context.n_enabled == score && !question.relations.is_over() {
                *n_closed += 1;
                is_closed = context.advance(question, &mut memo, index).is_break();
            }
            if is_closed || question.relations.is_over() {
                break least;
            }
        };
        index.end(memo);
        set.clear();
        let missing = &contexts[best].missing;
        set.extend(
            question.situation.relevant.iter().zip(missing).map(|(relevant, missing)| relevant & !missing),
        );
        set
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

    /// Processes with few neighbours first, of these what has few statements left to execute; of a rendezvous the process
    /// that has more of them counts. Measured to leave out more.
    fn rank_keys(&mut self, question: &Question<'_, '_>) {
        let Question { relations, situation, .. } = *question;
        let rank = |statement: StatementId| {
            let (incarnation, _) = relations.decode(statement);
            let left = relations.reachable(incarnation, situation.process_of(incarnation).location);
            (relations.n_neighbours(incarnation), bits::count(left))
        };
        let Closure { keys, ranks, .. } = self;
        ranks.clear();
        // Steps that begin with one statement stand together, in the order of the keys.
        let mut steps = situation.steps.iter().peekable();
        for &key in &*keys {
            let (mut neighbours, mut left) = rank(key);
            while steps.next_if(|(first, _)| *first != key).is_some() {}
            while let Some((_, partner)) = steps.next_if(|(first, _)| *first == key) {
                if let Some(other) = partner.map(rank) {
                    (neighbours, left) = (neighbours.max(other.0), left.max(other.1));
                }
            }
            ranks.push((neighbours, left, key));
        }
        ranks.sort_by_key(|&(neighbours, left, _)| (neighbours, left));
        keys.clear();
        keys.extend(ranks.iter().map(|&(_, _, key)| key));
    }

    /// Always goes on with the context that has the fewest steps.
    fn search(&mut self, question: &Question<'_, '_>) -> &[u64] {
        let Closure { contexts, keys, leaders, index, set, .. } = self;
        let mut memo = index.begin(question.relations.n_words());
        if contexts.len() < keys.len() {
            contexts.resize_with(keys.len(), Context::default);
        }
        leaders.clear();
        leaders.extend(0..keys.len());
        let mut n_begun = 0;
        let best = 'beam: loop {
            // A context that has not begun has one step.
            let running = (0..n_begun).filter(|&i| leaders[i] == i);
            let least = running.map(|i| (contexts[i].n_enabled, i)).min();
            let at = match least {
                // However they are closed, all take everything.
                Some((n_enabled, at))
                    if n_begun == keys.len() && n_enabled >= question.situation.n_counted =>
                {
                    break 'beam at;
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
            while context.n_enabled == score {
                if context.advance(question, &mut memo, index).is_break() || question.relations.is_over() {
                    break 'beam at;
                }
            }
            // A set that contains the key of another one contains a set of that one, too.
            let follows = (0..keys.len()).find(|&i| context.contains(keys[i]) && leader(leaders, i) != at);
            if let Some(other) = follows {
                leaders[at] = leader(leaders, other);
            }
        };
        index.end(memo);
        set.clear();
        let missing = &contexts[best].missing;
        set.extend(
            question.situation.relevant.iter().zip(missing).map(|(relevant, missing)| relevant & !missing),
        );
        set
    }
}
