//! What a search for a set asks: a state with the relations, and what a disabled
//! statement waits for.

use stubborn_ir::{ChannelStatus, Comm, Interpreter};
use stubborn_relations::bits::Row;
use stubborn_relations::{InState, Need, Over, Relations, StatementId};

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
    pub(crate) visible: &'a Over<Row>,
    /// Statements that may be taken only with all others: sticky ones, or visible ones where
    /// condition C2 is asked for; empty where there are none.
    pub(crate) forbidden: &'a Over<Row>,
    /// Statements that must be in the set; none where there are none.
    pub(crate) demanded: &'a Over<Row>,
    /// An invisible step must be in the set (condition I); there is one.
    pub(crate) needs_invisible: bool,
    pub(crate) rules: Rules,
}

/// More selectors than this are not looked at in each state.
const MAX_SELECTORS: usize = 12;

/// What the statements of one state bring with them, found once each.
pub(crate) struct Memo<'a> {
    /// By statement asked about: its sets are a range of `rows`.
    ranges: Vec<(u32, u32)>,
    rows: Vec<&'a Over<Row>>,
}

impl Memo<'_> {
    pub(crate) fn new() -> Self {
        Memo { ranges: Vec::with_capacity(32), rows: Vec::with_capacity(64) }
    }
}

/// By statement: its place in [`Memo::ranges`] plus 1, or 0; kept between states.
#[derive(Debug, Default)]
pub(crate) struct MemoIndex {
    places: Vec<u32>,
    used: Vec<StatementId>,
}

impl MemoIndex {
    /// For a new state.
    pub(crate) fn clear(&mut self, n_words: usize) {
        for statement in self.used.drain(..) {
            self.places[statement as usize] = 0;
        }
        self.places.resize(n_words * 64, 0);
    }
}

impl<'a> Question<'a, '_> {
    /// Whether the property does not see a step.
    #[inline]
    pub(crate) fn is_invisible(&self, (first, partner): (StatementId, Option<StatementId>)) -> bool {
        let sees = |statement| self.visible.may_contain(statement);
        !sees(first) && !partner.is_some_and(sees)
    }

    /// What an enabled statement does not accord with, in this state.
    #[inline]
    pub(crate) fn conflicts<'b>(
        &self,
        statement: StatementId,
        memo: &'b mut Memo<'a>,
        index: &mut MemoIndex,
    ) -> &'a Over<Row> {
        let place = &mut index.places[statement as usize];
        if *place == 0 {
            let start = memo.rows.len() as u32;
            memo.rows.push(self.find_conflicts(statement));
            memo.ranges.push((start, start + 1));
            *place = memo.ranges.len() as u32;
            index.used.push(statement);
        }
        memo.rows[memo.ranges[*place as usize - 1].0 as usize]
    }

    fn find_conflicts(&self, statement: StatementId) -> &'a Over<Row> {
        let relations = self.relations;
        let mut selectors = [0; MAX_SELECTORS];
        let now = self.now(statement, &mut selectors, true);
        match now {
            Some(now) => relations.conflicts_in_state(self.interpreter.layout(), statement, now),
            None => relations.conflicts(statement),
        }
    }

    /// What is known of a statement in this state only; none if that is nothing.
    fn now<'b>(
        &self,
        statement: StatementId,
        selectors: &'b mut [i32; MAX_SELECTORS],
        is_enabled: bool,
    ) -> Option<InState<'b>> {
        let Question { relations, interpreter, state, situation, .. } = *self;
        let unresolved = relations.unresolved(statement);
        let assignment = relations.assignment(statement).filter(|_| is_enabled);
        if (unresolved.is_empty() && assignment.is_none()) || unresolved.len() > MAX_SELECTORS {
            return None;
        }
        let process = situation.process_of(relations.decode(statement).0).instance;
        for (value, expr) in selectors.iter_mut().zip(unresolved) {
            *value = interpreter.eval(state, process, expr).ok()?;
        }
        let changes_nothing = assignment
            .is_some_and(|(place, value)| interpreter.is_unchanged(state, process, place, value) == Ok(true));
        if unresolved.is_empty() && !changes_nothing {
            return None;
        }
        Some(InState { selectors: &selectors[..unresolved.len()], changes_nothing })
    }

    /// A necessary enabling set of a disabled statement, in this state.
    fn enabling_set(&self, statement: StatementId, need: Need) -> &'a Over<Row> {
        let relations = self.relations;
        let mut selectors = [0; MAX_SELECTORS];
        match self.now(statement, &mut selectors, false) {
            Some(now) => relations.enabling_set_in_state(self.interpreter.layout(), statement, need, now),
            None => relations.necessary_enabling_set(statement, need),
        }
    }

    /// The necessary enabling sets of a statement that come from control flow alone, which take no
    /// evaluation: none where its process is there already.
    #[inline]
    pub(crate) fn ways(&self, statement: StatementId) -> [Option<&'a Over<Row>>; 2] {
        let Question { relations, situation, rules, .. } = *self;
        if let Some(process) = relations.created(statement) {
            return [Some(relations.creators(process)), None];
        }
        let (incarnation, transition) = relations.decode(statement);
        let at = situation.process_of(incarnation).location;
        let target = relations.model().transitions[transition].from;
        if at == target {
            return [None, None];
        }
        // The process must leave where it is, and on a way that leads here; or, it must come here.
        let leaving = rules.disabling_sets.then(|| relations.leaving(incarnation, at, target));
        [leaving, Some(relations.arriving(incarnation, at, target))]
    }

    /// The necessary enabling sets that are known for a disabled statement, [`Question::ways`] apart.
    #[inline]
    pub(crate) fn enabling_sets<'b>(
        &self,
        statement: StatementId,
        memo: &'b mut Memo<'a>,
        index: &mut MemoIndex,
    ) -> &'b [&'a Over<Row>] {
        let place = &mut index.places[statement as usize];
        if *place == 0 {
            let start = memo.rows.len() as u32;
            self.find_enabling_sets(statement, &mut memo.rows);
            memo.ranges.push((start, memo.rows.len() as u32));
            *place = memo.ranges.len() as u32;
            index.used.push(statement);
        }
        let (start, end) = memo.ranges[*place as usize - 1];
        &memo.rows[start as usize..end as usize]
    }

    fn find_enabling_sets(&self, statement: StatementId, found: &mut Vec<&'a Over<Row>>) {
        let Question { relations, interpreter, state, situation, .. } = *self;
        if relations.created(statement).is_some() {
            return;
        }
        let (incarnation, transition) = relations.decode(statement);
        let process = situation.process_of(incarnation);
        let model = relations.model();
        let t = &model.transitions[transition];
        let is_there = process.location == t.from;
        let mut is_ready = is_there;
        for (i, &guard) in t.guards.iter().enumerate() {
            if relations.statement(statement).tests[i].is_none() {
                continue;
            }
            if interpreter.eval(state, process.instance, &model.guards[guard]) == Ok(0) {
                is_ready = false;
                found.push(self.enabling_set(statement, Need::Guard(i)));
            }
        }
        // What inhibits a receiver in a rendezvous is up to the message, and part of `Need::Partner`.
        let mut may_be_inhibited = is_there && !t.inhibitors.is_empty();
        if let Some(comm) = &t.comm {
            let status = interpreter.channel_status(state, process.instance, comm);
            may_be_inhibited &= status != Ok(ChannelStatus::Rendezvous) || matches!(comm, Comm::Send(_));
            let need = match status {
                Ok(ChannelStatus::Full | ChannelStatus::Empty) => Some(Need::Level),
                Ok(ChannelStatus::Mismatch) => Some(Need::Match),
                Ok(ChannelStatus::Rendezvous) if is_ready => Some(Need::Partner),
                Ok(ChannelStatus::Rendezvous | ChannelStatus::Ready) | Err(_) => None,
            };
            found.extend(need.map(|need| self.enabling_set(statement, need)));
        }
        if may_be_inhibited {
            let is_enabled = |&other| interpreter.is_enabled(state, process.instance, other) != Ok(false);
            if t.inhibitors.iter().any(is_enabled) {
                found.push(relations.necessary_enabling_set(statement, Need::Inhibitor));
            }
        }
    }
}
