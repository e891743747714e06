//! What a search for a set asks: a state with the relations, and what a disabled
//! statement waits for.

use stubborn_ir::{ChannelStatus, Interpreter, RuntimeErrorKind};
use stubborn_relations::{Need, Relations, StatementId, bits};

use crate::situation::Situation;

/// How sets are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Rules {
    /// Statements other than the key may be left-closed only (weak stubborn sets).
    pub(crate) weak: bool,
    /// Necessary disabling sets serve as enabling sets (§4.2).
    pub(crate) disabling_sets: bool,
    /// The cheapest enabling set is chosen, not the first.
    pub(crate) heuristic: bool,
}

/// Everything a search for a set needs.
pub(crate) struct Question<'a, 'm> {
    pub(crate) relations: &'a Relations<'m>,
    pub(crate) interpreter: &'a Interpreter<'m>,
    pub(crate) state: &'a [u8],
    pub(crate) situation: &'a Situation,
    /// Statements that change what the property looks at; empty where nothing does.
    pub(crate) visible: &'a [u64],
    /// Statements that may be taken only with all others: sticky ones, or visible ones where
    /// condition C2 is asked for; empty where there are none.
    pub(crate) forbidden: &'a [u64],
    /// Statements that must be in the set; empty where there are none.
    pub(crate) demanded: &'a [u64],
    pub(crate) rules: Rules,
}

impl Question<'_, '_> {
    /// Calls `found` with every necessary enabling set that is known for a disabled
    /// statement, until it answers true. `choice` is scratch.
    pub(crate) fn each_enabling_set(
        &self,
        statement: StatementId,
        choice: &mut Vec<u64>,
        mut found: impl FnMut(&[u64]) -> bool,
    ) {
        let Question { relations, interpreter, state, situation, rules, .. } = self;
        if let Some(process) = relations.created(statement) {
            found(relations.creators(process));
            return;
        }
        let (incarnation, transition) = relations.decode(statement);
        let process = situation.process_of(incarnation);
        let model = relations.model();
        let t = &model.transitions[transition];
        let inc = relations.incarnation(incarnation);
        let is_there = process.location == t.from;
        if !is_there {
            let control = relations.control(inc.process);
            if rules.disabling_sets {
                // The process must leave where it is, and on a way that leads here.
                self.own_words(choice, inc.first_word, control.at(process.location), control.toward(t.from));
                if found(choice) {
                    return;
                }
            }
            // It must come here.
            let reachable = control.reachable(process.location);
            self.own_words(choice, inc.first_word, control.entering(t.from), reachable);
            if found(choice) {
                return;
            }
        }
        let mut is_ready = is_there;
        for (i, &guard) in t.guards.iter().enumerate() {
            if relations.statement(statement).tests[i].is_none() {
                continue;
            }
            let value = interpreter.eval(state, process.instance, &model.guards[guard]);
            is_ready &= value != Ok(0);
            if value == Ok(0) && found(relations.necessary_enabling_set(statement, Need::Guard(i))) {
                return;
            }
        }
        if let Some(comm) = &t.comm {
            let status = interpreter.channel_status(state, process.instance, comm);
            if self.comm_choice(statement, status, is_ready, choice, &mut found) {
                return;
            }
        }
        if is_there && !t.inhibitors.is_empty() {
            let inhibited = t
                .inhibitors
                .iter()
                .any(|&other| interpreter.is_enabled(state, process.instance, other) != Ok(false));
            if inhibited {
                found(relations.necessary_enabling_set(statement, Need::Inhibitor));
            }
        }
    }

    fn comm_choice(
        &self,
        statement: StatementId,
        status: Result<ChannelStatus, RuntimeErrorKind>,
        is_ready: bool,
        choice: &mut Vec<u64>,
        found: &mut impl FnMut(&[u64]) -> bool,
    ) -> bool {
        let relations = self.relations;
        match status {
            Ok(ChannelStatus::Full | ChannelStatus::Empty) => {
                found(relations.necessary_enabling_set(statement, Need::Level))
            }
            Ok(ChannelStatus::Mismatch) => found(relations.necessary_enabling_set(statement, Need::Match)),
            Ok(ChannelStatus::Rendezvous) if is_ready => {
                // Every process that could be the other one must get ready; or, where both are and
                // do not fit, what is sent or accepted must change. Were this offered to one that
                // is not ready itself, two could wait for each other, and nobody for what they need.
                choice.clear();
                choice.extend_from_slice(relations.partners(statement));
                relations.add_drivers(choice);
                bits::union(choice, relations.necessary_enabling_set(statement, Need::Level));
                bits::union(choice, relations.necessary_enabling_set(statement, Need::Inhibitor));
                found(choice)
            }
            Ok(ChannelStatus::Rendezvous | ChannelStatus::Ready) | Err(_) => false,
        }
    }

    /// Statements of one process in both of two sets, with those that begin runs they are in.
    fn own_words(&self, choice: &mut Vec<u64>, first_word: usize, a: &[u64], b: &[u64]) {
        let relations = self.relations;
        choice.clear();
        choice.resize(relations.n_words(), 0);
        for (i, (a, b)) in a.iter().zip(b).enumerate() {
            choice[first_word + i] = a & b;
        }
        relations.add_drivers(choice);
    }
}
