//! Stubborn sets by deletion: no subset of what is found is stubborn.
//!
//! Algorithm 2 of Laarman et al.: begin with everything, and take enabled statements
//! out one by one, with all that can then not stay; undo it where no key is left. The
//! sets are kept as what *may stay*: a fixed point over the statements that Lemma 1
//! still holds for.

use stubborn_relations::bits::{self, Row};
use stubborn_relations::{Over, StatementId};

use crate::question::{MemoIndex, Question};

/// Buffers kept between states.
#[derive(Debug, Default)]
pub(crate) struct Deletion {
    /// May be in the set (T_n and T_k).
    set: Vec<u64>,
    /// May be a key (T_k).
    keys: Vec<u64>,
    saved: (Vec<u64>, Vec<u64>),
    /// By disabled relevant statement: its enabling sets, one after the other in `rows`.
    choices: Vec<(StatementId, usize, usize)>,
    /// By enabled statement: what it does not accord with, in `rows`.
    conflicts: Vec<(StatementId, usize)>,
    rows: Vec<u64>,
    index: MemoIndex,
}

impl Deletion {
    /// A set none of whose subsets is stubborn.
    pub(crate) fn minimal(&mut self, question: &Question<'_, '_>) -> &[u64] {
        let situation = question.situation;
        self.collect_choices(question);
        self.set.clear();
        self.set.extend_from_slice(&situation.relevant);
        self.keys.clear();
        self.keys.extend_from_slice(&situation.enabled);
        self.settle(question);
        for &(step, _) in &situation.steps {
            let demanded = question.demanded.may_contain(step);
            if demanded || !bits::contains(&self.set, step) {
                continue;
            }
            self.saved.0.clone_from(&self.set);
            self.saved.1.clone_from(&self.keys);
            bits::remove(&mut self.set, step);
            bits::remove(&mut self.keys, step);
            self.settle(question);
            let missing = lacks(question.demanded, &situation.relevant, &self.set);
            let lacks_invisible = question.needs_invisible && !self.has_invisible(question);
            if missing || lacks_invisible || self.keys.iter().all(|&word| word == 0) {
                std::mem::swap(&mut self.set, &mut self.saved.0);
                std::mem::swap(&mut self.keys, &mut self.saved.1);
            }
        }
        &self.set
    }

    /// Whether an invisible step is left.
    fn has_invisible(&self, question: &Question<'_, '_>) -> bool {
        let is_left = |statement| bits::contains(&self.set, statement);
        let mut steps = question.situation.steps.iter();
        steps.any(|&(first, partner)| {
            question.is_invisible((first, partner)) && (is_left(first) || partner.is_some_and(is_left))
        })
    }

    fn collect_choices(&mut self, question: &Question<'_, '_>) {
        self.choices.clear();
        self.rows.clear();
        let mut memo = self.index.begin(question.relations.n_words());
        let situation = question.situation;
        self.conflicts.clear();
        for statement in bits::iter(&situation.enabled) {
            self.conflicts.push((statement, self.rows.len()));
            let row = question.conflicts(statement, &mut memo, &mut self.index);
            append(&mut self.rows, row, &situation.relevant);
        }
        for i in 0..situation.relevant.len() {
            let disabled = [situation.relevant[i] & !situation.enabled[i]];
            for bit in bits::iter(&disabled) {
                let statement = i as StatementId * 64 + bit;
                let start = self.rows.len();
                let ways = question.ways(statement);
                let sets = question.enabling_sets(statement, &mut memo, &mut self.index);
                for row in ways.rows().chain(sets.iter().copied()) {
                    append(&mut self.rows, row, &situation.relevant);
                }
                if self.rows.len() == start {
                    self.rows.extend_from_slice(&situation.relevant);
                }
                self.choices.push((statement, start, self.rows.len()));
            }
        }
        self.index.end(memo);
    }

    /// Takes out what cannot stay, until nothing is left to take out.
    fn settle(&mut self, question: &Question<'_, '_>) {
        let Deletion { set, keys, choices, conflicts, rows, .. } = self;
        let situation = question.situation;
        let relations = question.relations;
        let n_words = set.len();
        let closed = |row, set: &[u64]| !lacks(row, &situation.relevant, set);
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for &(statement, start) in conflicts.iter() {
                if !bits::contains(set, statement) {
                    continue;
                }
                let seen = !question.visible.may_contain(statement) || closed(question.visible, set);
                let strong = seen && bits::is_subset(&rows[start..start + n_words], set);
                if !strong && bits::contains(keys, statement) {
                    bits::remove(keys, statement);
                    changed = true;
                }
                let stays = strong
                    || (question.rules.weak
                        && seen
                        && !situation.is_half(statement)
                        && closed(relations.left_conflicts(statement), set));
                if !stays {
                    bits::remove(set, statement);
                    changed = true;
                }
            }
            for &(statement, start, end) in choices.iter() {
                if bits::contains(set, statement)
                    && !rows[start..end].chunks_exact(n_words).any(|row| bits::is_subset(row, set))
                {
                    bits::remove(set, statement);
                    changed = true;
                }
            }
        }
    }
}

/// Appends what is relevant of a row, as words.
fn append(words: &mut Vec<u64>, row: &Over<Row>, relevant: &[u64]) {
    let start = words.len();
    words.resize(start + relevant.len(), 0);
    for &(at, word) in row.sparse() {
        words[start + at as usize] = word & relevant[at as usize];
    }
}

/// Whether something relevant of a row is not in a set.
fn lacks(row: &Over<Row>, relevant: &[u64], set: &[u64]) -> bool {
    row.sparse().iter().any(|&(at, word)| word & relevant[at as usize] & !set[at as usize] != 0)
}
