//! What a search for a set asks: a state with the relations, and what a disabled
//! statement waits for.

use std::ops::ControlFlow;

use stubborn_ir::{ChannelStatus, Comm};
use stubborn_relations::bits::Row;
use stubborn_relations::{Departure, Entry, InState, MAX_SELECTORS, Need, Over, Relations, StatementId};

use crate::look::Look;
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
    pub(crate) look: Look<'a, 'm>,
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

/// What the statements of one state bring with them, found once each.
pub(crate) struct Memo<'a> {
    /// By statement asked about: its sets are a range of `rows`.
    ranges: Vec<(u32, u32)>,
    rows: Vec<&'a Over<Row>>,
}

/// By statement: its place in [`Memo::ranges`] plus 1, or 0; kept between states.
#[derive(Debug, Default)]
pub(crate) struct MemoIndex {
    places: Vec<u32>,
    used: Vec<StatementId>,
    /// The buffers of the last memo, empty.
    ranges: Vec<(u32, u32)>,
    rows: Vec<&'static Over<Row>>,
    answers: Answers,
}

/// Which of the necessary enabling sets of statements whose processes are elsewhere are some in this state: contexts ask
/// alike.
#[derive(Debug, Default)]
struct Answers {
    /// By statement: which of its rows were asked about, and which of these are some.
    known: Vec<(u32, u32)>,
    asked: Vec<StatementId>,
}

impl Answers {
    fn begin(&mut self, n_words: usize) {
        for statement in self.asked.drain(..) {
            self.known[statement as usize] = (0, 0);
        }
        self.known.resize(n_words * 64, (0, 0));
    }

    /// Whether the row with that index of a statement is one; found out once.
    #[inline]
    fn is_one(&mut self, statement: StatementId, row: usize, find_out: impl FnOnce() -> bool) -> bool {
        let Some(bit) = 1u32.checked_shl(row as u32) else { return find_out() };
        let (asked, yes) = &mut self.known[statement as usize];
        if *asked & bit == 0 {
            if *asked == 0 {
                self.asked.push(statement);
            }
            *asked |= bit;
            *yes |= if find_out() { bit } else { 0 };
        }
        *yes & bit != 0
    }

    /// The same of two rows, from that index on, at most one of which is one: what the statement lacks of its channel.
    #[inline]
    fn lacks(
        &mut self,
        statement: StatementId,
        row: usize,
        need: Need,
        find_out: impl FnOnce() -> Option<Need>,
    ) -> bool {
        let Some(pair) = 3u32.checked_shl(row as u32).filter(|pair| pair.count_ones() == 2) else {
            return find_out() == Some(need);
        };
        let (level, other) = (pair & pair >> 1, pair & pair << 1);
        let (asked, yes) = &mut self.known[statement as usize];
        if *asked & pair == 0 {
            if *asked == 0 {
                self.asked.push(statement);
            }
            *asked |= pair;
            *yes |= match find_out() {
                Some(Need::Level) => level,
                Some(Need::Match) => other,
                _ => 0,
            };
        }
        *yes & if need == Need::Level { level } else { other } != 0
    }
}

impl MemoIndex {
    /// For a new state.
    pub(crate) fn begin<'a>(&mut self, n_words: usize) -> Memo<'a> {
        for statement in self.used.drain(..) {
            self.places[statement as usize] = 0;
        }
        self.places.resize(n_words * 64, 0);
        self.answers.begin(n_words);
        self.ranges.clear();
        Memo { ranges: std::mem::take(&mut self.ranges), rows: std::mem::take(&mut self.rows) }
    }

    /// Keeps the buffers for the next state.
    pub(crate) fn end(&mut self, mut memo: Memo<'_>) {
        memo.rows.clear();
        self.ranges = memo.ranges;
        // An empty vector of references that live longer: the same buffer.
        self.rows = memo.rows.into_iter().map(|_| unreachable!("it was cleared")).collect();
    }
}

/// What control flow says of a statement that is disabled, which takes no evaluation.
pub(crate) enum Way<'a, 'm> {
    /// It stands for a process that could be created, by these.
    Creation(&'a Over<Row>),
    /// Nothing: its process is there.
    Here,
    /// Its process is there, and the one guard it has is what it waits for: one of these must be executed first.
    Guard(&'a Over<Row>),
    /// One of these must be executed first, of each row.
    Elsewhere {
        /// The statement.
        entry: Entry<'a, 'm>,
        /// The process must leave where it is, on a way that leads there, which is a disabling set; or come there.
        first: &'a Over<Row>,
        /// What there is to all statements of the process that are elsewhere.
        departure: &'a Departure,
        /// The other one of these, unless disabling sets are not used or it would bring more with it.
        second: Option<&'a Over<Row>>,
    },
}

impl<'a> Way<'a, '_> {
    /// The necessary enabling sets.
    pub(crate) fn rows(&self) -> impl Iterator<Item = &'a Over<Row>> + use<'a> {
        let rows = match *self {
            Way::Creation(row) => [Some(row), None],
            // Found again by evaluation.
            Way::Here | Way::Guard(_) => [None, None],
            Way::Elsewhere { first, second, .. } => [Some(first), second],
        };
        rows.into_iter().flatten()
    }
}

impl<'a, 'm> Question<'a, 'm> {
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
            Some(now) => relations.conflicts_in_state(self.look.layout(), statement, now),
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
        let Question { relations, look, situation, .. } = *self;
        let entry = relations.entry(statement)?;
        let unresolved = entry.unresolved();
        let assignment = if is_enabled { entry.assignment() } else { None };
        if (unresolved.is_empty() && assignment.is_none()) || unresolved.len() > MAX_SELECTORS {
            return None;
        }
        let process = situation.process_of(entry.incarnation).instance;
        for (value, expr) in selectors.iter_mut().zip(unresolved) {
            *value = look.value(process, expr)?;
        }
        let changes_nothing = assignment.is_some_and(|assignment| look.is_unchanged(process, assignment));
        if unresolved.is_empty() && !changes_nothing {
            return None;
        }
        Some(InState { selectors: &selectors[..unresolved.len()], changes_nothing })
    }

    /// A necessary enabling set of a disabled statement that is about other things in other states.
    fn enabling_set_in_state(&self, statement: StatementId, need: Need) -> &'a Over<Row> {
        let relations = self.relations;
        let mut selectors = [0; MAX_SELECTORS];
        match self.now(statement, &mut selectors, false) {
            Some(now) => relations.enabling_set_in_state(self.look.layout(), statement, need, now),
            None => relations.necessary_enabling_set(statement, need),
        }
    }

    /// What control flow alone says of a disabled statement.
    #[inline(always)]
    pub(crate) fn ways(&self, statement: StatementId) -> Way<'a, 'm> {
        let Question { relations, situation, rules, .. } = *self;
        let Some(entry) = relations.entry(statement) else {
            return Way::Creation(relations.creators(relations.created(statement).expect("it is one")));
        };
        let at = situation.process_of(entry.incarnation).location;
        if at == entry.from() {
            return match entry.only_guard() {
                Some(guard) => {
                    debug_assert!(self.is_false(&entry, guard), "what is disabled for one reason only");
                    Way::Guard(entry.necessary_enabling_set(Need::Guard(guard)))
                }
                None => Way::Here,
            };
        }
        let (ways, departure) = entry.ways(at);
        // Without disabling sets there is one only; without the heuristic it is the first that counts.
        match rules {
            Rules { disabling_sets: false, .. } => {
                Way::Elsewhere { entry, first: &ways.arriving, second: None, departure }
            }
            Rules { heuristic: false, .. } => {
                Way::Elsewhere { entry, first: &ways.leaving, second: Some(&ways.arriving), departure }
            }
            _ => match ways.better() {
                Some(better) => Way::Elsewhere { entry, first: better, second: None, departure },
                None => {
                    Way::Elsewhere { entry, first: &ways.leaving, second: Some(&ways.arriving), departure }
                }
            },
        }
    }

    /// Whether a guard is false, which may not be found out without knowing whether there is a timeout.
    fn is_false(&self, entry: &Entry<'a, 'm>, guard: usize) -> bool {
        let model = self.relations.model();
        let process = self.situation.process_of(entry.incarnation).instance;
        let guard = &model.guards[entry.transition.guards[guard]];
        model.uses_timeout || self.look.noting(None).is_false(process, guard)
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

    /// What [`Question::enabling_sets`] has for a statement whose process is elsewhere, which is the same in all
    /// states: rows, each of which is one if what comes with it says so.
    #[inline]
    pub(crate) fn enabling_sets_elsewhere(
        &self,
        statement: StatementId,
        entry: &Entry<'a, 'm>,
        index: &mut MemoIndex,
        mut found: impl FnMut(&'a Over<Row>, &mut dyn FnMut() -> bool),
    ) {
        let Question { relations, look, situation, .. } = *self;
        let process = situation.process_of(entry.incarnation).instance;
        let guards = &relations.model().guards;
        let answers = &mut index.answers;
        for (i, (&guard, test)) in entry.transition.guards.iter().zip(entry.tests()).enumerate() {
            if test.is_some() {
                let row = entry.necessary_enabling_set(Need::Guard(i));
                found(row, &mut || answers.is_one(statement, i, || look.is_false(process, &guards[guard])));
            }
        }
        if let Some(comm) = &entry.transition.comm {
            let lack = || need_of(look.status(process, comm), false);
            let n = entry.transition.guards.len();
            found(entry.necessary_enabling_set(Need::Level), &mut || {
                answers.lacks(statement, n, Need::Level, lack)
            });
            if matches!(comm, Comm::Receive(_)) {
                found(entry.necessary_enabling_set(Need::Match), &mut || {
                    answers.lacks(statement, n, Need::Match, lack)
                });
            }
        }
    }

    fn find_enabling_sets(&self, statement: StatementId, found: &mut Vec<&'a Over<Row>>) {
        let Question { relations, look, situation, .. } = *self;
        let Some(entry) = relations.entry(statement) else { return };
        let row = |need| match entry.unresolved().is_empty() {
            true => entry.necessary_enabling_set(need),
            false => self.enabling_set_in_state(statement, need),
        };
        let process = situation.process_of(entry.incarnation);
        let t = entry.transition;
        let is_there = process.location == t.from;
        let mut is_ready = is_there;
        if let Some(firings) = relations.firings() {
            entry.waits_for(firings, look.all(), self.rules.disabling_sets, |waiting| {
                found.push(waiting.row);
                ControlFlow::Continue(())
            });
            return;
        }
        for (i, (&guard, test)) in t.guards.iter().zip(entry.tests()).enumerate() {
            let guard = &relations.model().guards[guard];
            if test.is_some() && look.is_false(process.instance, guard) {
                is_ready = false;
                found.push(row(Need::Guard(i)));
            }
        }
        // What inhibits a receiver in a rendezvous is up to the message, and part of `Need::Partner`.
        let mut may_be_inhibited = is_there && !t.inhibitors.is_empty();
        if let Some(comm) = &t.comm {
            let status = look.status(process.instance, comm);
            may_be_inhibited &= status != Some(ChannelStatus::Rendezvous) || matches!(comm, Comm::Send(_));
            found.extend(need_of(status, is_ready).map(row));
        }
        if may_be_inhibited {
            let may_be = |&other| look.may_be_enabled(process.instance, other);
            if t.inhibitors.iter().any(may_be) {
                found.push(entry.necessary_enabling_set(Need::Inhibitor));
            }
        }
    }
}

/// What a statement lacks of its channel, if anything; `is_ready` if it lacks nothing else.
fn need_of(status: Option<ChannelStatus>, is_ready: bool) -> Option<Need> {
    match status? {
        ChannelStatus::Full | ChannelStatus::Empty => Some(Need::Level),
        ChannelStatus::Mismatch => Some(Need::Match),
        ChannelStatus::Rendezvous => is_ready.then_some(Need::Partner),
        ChannelStatus::Ready => None,
    }
}
