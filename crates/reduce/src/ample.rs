//! Ample sets of whole processes.
//!
//! Clarke, Grumberg, Minea and Peled, "State space reduction using partial order
//! techniques", §5: a set of processes such that nothing outside of it, as far as the
//! control flow of each process lets it come, has to do with what the set can do next
//! or wait for. Shared variables, rendezvous and buffers are all told by the relations.

use stubborn_relations::bits::{self, Row};
use stubborn_relations::{Over, StatementId};

use crate::question::{Memo, MemoIndex, Question};

/// Buffers kept between states.
#[derive(Debug, Default)]
pub(crate) struct Ample {
    /// By index among the processes that exist.
    members: Vec<bool>,
    work: Vec<usize>,
    index: MemoIndex,
    /// What the chosen processes can do.
    set: Vec<u64>,
    trial: Vec<u64>,
}

impl Ample {
    /// The statements of the set of processes with the fewest steps, if it is not all.
    pub(crate) fn smallest(&mut self, question: &Question<'_, '_>) -> Option<&[u64]> {
        let n_steps = question.situation.steps.len();
        let mut fewest = n_steps;
        for first in 0..question.situation.alive.len() {
            let Some(n) = self.close(question, first) else { continue };
            if n > 0 && n < fewest {
                fewest = n;
                std::mem::swap(&mut self.set, &mut self.trial);
            }
        }
        (fewest < n_steps).then_some(&*self.set)
    }

    /// The one step of the process with that index and of those that belong to it, if there is
    /// exactly one: its index among the steps.
    pub(crate) fn only_step(&mut self, question: &Question<'_, '_>, first: usize) -> Option<usize> {
        if self.close(question, first)? != 1 {
            return None;
        }
        question.situation.steps.iter().position(|&step| contains_step(&self.trial, step))
    }

    /// What the processes tried last can do.
    pub(crate) fn tried(&self) -> &[u64] {
        &self.trial
    }

    /// Closes the set of one process into `trial`; how many steps it has. None if it needs
    /// processes that do not exist yet, or takes a visible step.
    fn close(&mut self, question: &Question<'_, '_>, first: usize) -> Option<usize> {
        let situation = question.situation;
        let relations = question.relations;
        self.members.clear();
        self.members.resize(situation.alive.len(), false);
        self.members[first] = true;
        self.work.clear();
        self.work.push(first);
        self.trial.clear();
        self.trial.resize(relations.n_words(), 0);
        let mut memo = self.index.begin(relations.n_words());
        while let Some(index) = self.work.pop() {
            let process = situation.alive[index];
            let incarnation = relations.incarnation(process.incarnation);
            let reachable = relations.reachable(process.incarnation, process.location);
            let base = incarnation.base;
            bits::place(&mut self.trial, base, reachable.iter().copied());
            for bit in relations.at(process.incarnation, process.location).iter() {
                let statement = base + bit;
                if bits::contains(&situation.enabled, statement) {
                    let row = question.conflicts(statement, &mut memo, &mut self.index);
                    self.include(question, row)?;
                } else {
                    self.include(question, relations.conflicts(statement))?;
                    self.include_enablers(question, statement, &mut memo)?;
                }
            }
        }
        let mut n_steps = 0;
        for &(step, partner) in &situation.steps {
            if contains_step(&self.trial, (step, partner)) {
                n_steps += 1;
                let sees = |s: StatementId| question.forbidden.may_contain(s);
                if sees(step) || partner.is_some_and(sees) {
                    return None;
                }
            }
        }
        Some(n_steps)
    }

    /// Adds the processes that have statements in a row.
    fn include(&mut self, question: &Question<'_, '_>, row: &Over<Row>) -> Option<()> {
        let situation = question.situation;
        let relations = question.relations;
        for &(i, word) in row.sparse() {
            let new = word & situation.relevant[i as usize] & !self.trial[i as usize];
            for bit in bits::iter(&[new]) {
                let statement = i * 64 + bit;
                if let Some(process) = relations.created(statement) {
                    // Processes that may be created, unless nobody can.
                    if relations.creators(process).may_intersect(&situation.relevant) {
                        return None;
                    }
                    continue;
                }
                let (incarnation, _) = relations.decode(statement);
                let index = situation.index_of(incarnation);
                if !std::mem::replace(&mut self.members[index], true) {
                    self.work.push(index);
                }
            }
        }
        Some(())
    }

    /// Adds the processes that may enable a statement: those of the set that needs fewest.
    fn include_enablers<'a>(
        &mut self,
        question: &Question<'a, '_>,
        statement: StatementId,
        memo: &mut Memo<'a>,
    ) -> Option<()> {
        let relevant = &question.situation.relevant;
        let outside = |row: &&Over<Row>| {
            let words = row.sparse().iter();
            let outside = words.map(|&(at, word)| word & relevant[at as usize] & !self.trial[at as usize]);
            outside.map(u64::count_ones).sum::<u32>()
        };
        let ways = question.ways(statement);
        let sets = question.enabling_sets(statement, memo, &mut self.index);
        let best = ways.rows().chain(sets.iter().copied()).min_by_key(outside)?;
        self.include(question, best)
    }
}

fn contains_step(set: &[u64], (first, partner): (StatementId, Option<StatementId>)) -> bool {
    bits::contains(set, first) || partner.is_some_and(|partner| bits::contains(set, partner))
}
