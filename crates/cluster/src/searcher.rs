//! One worker: goes through the rounds, expands what it owns, and takes in what others find.
//!
//! Invariant: a worker that has anything left to do on a level holds its time, so nobody takes the level for finished; a
//! worker that has nothing left holds nothing, so the end is seen when there is nothing left anywhere.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::time::Duration;

use stubborn_base::Idx;
use stubborn_search::{
    Budget, By, Clock, Counts, Expander, Incomplete, Key, OutOfMemory, Progress, Shard, StateId, Task,
    Watched,
};

use crate::board::Board;
use crate::crew::Listener;
use crate::expansion::{Findings, Stage, wrong};
use crate::gathering::Gathering;
use crate::graph::{Elder, Graph};
use crate::letter::{GlobalId, Letter, Message, Report, Sighting, Wrong, next};
use crate::mailbox::{Mailbox, Time};
use crate::product::Product;
use crate::rounds::{Announced, Next, Phase, Rounds};
use crate::unsettled::Unsettled;
use crate::wire::Reader;

/// Goes on, or the search is over for this worker.
pub(crate) type Going<T = ()> = ControlFlow<(), T>;

/// States that are expanded between two looks into the mailbox.
const BLOCK: usize = 128;

/// Bytes after which a letter is sent.
pub(crate) const LETTER: usize = 1 << 15;

/// How long a worker that has nothing to do waits before it looks whether the search is over.
pub(crate) const PATIENCE: Duration = Duration::from_millis(5);

/// What all workers of a process share.
pub(crate) struct Common<'a> {
    pub(crate) task: &'a Task<'a>,
    pub(crate) board: &'a Board,
    pub(crate) clock: Clock,
    pub(crate) budget: Budget,
    pub(crate) initial: &'a [u8],
    /// Processes may be created while the model runs.
    pub(crate) creates: bool,
}

impl Common<'_> {
    /// Ends the search before its end, everywhere.
    pub(crate) fn fail<T>(&self, why: Incomplete) -> Going<T> {
        self.board.fail(why);
        ControlFlow::Break(())
    }

    pub(crate) fn stored<T>(&self, result: Result<T, OutOfMemory>) -> Going<T> {
        match result {
            Ok(value) => ControlFlow::Continue(value),
            Err(OutOfMemory) => self.fail(Incomplete::Memory { limit: self.budget.limit() }),
        }
    }
}

/// A worker of a search.
pub(crate) struct Searcher<'m, 'c> {
    pub(crate) common: &'c Common<'c>,
    pub(crate) me: usize,
    pub(crate) n_workers: usize,
    pub(crate) expander: Expander<'m>,
    pub(crate) shard: Shard<GlobalId>,
    pub(crate) mail: Mailbox,
    /// By worker: what is being written to it, to be sent in this round.
    pub(crate) letters: Vec<Letter>,
    pub(crate) tick: Time,
    pub(crate) rounds: Rounds,
    /// The states of this level.
    level: Range<usize>,
    /// A cycle through this node is enough.
    enough: Option<GlobalId>,
    /// What is to be expanded in this round, if it is not the level.
    again: Option<Vec<StateId>>,
    pub(crate) put_off: Vec<StateId>,
    /// States that keep to part of their steps, with what was chosen, while no step is known to lead to the next level.
    pub(crate) unsettled: Unsettled,
    /// Letters of rounds to come.
    deferred: BTreeMap<Time, Vec<Letter>>,
    pub(crate) findings: Findings,
    pub(crate) stage: Stage,
    pub(crate) state: Vec<u8>,
    pub(crate) holds: Vec<bool>,
    /// If runs are looked for, their states are nodes.
    pub(crate) product: Option<Product<'c>>,
    /// The first worker gathers what all find.
    pub(crate) gathering: Option<Gathering>,
}

impl<'m, 'c> Searcher<'m, 'c> {
    pub(crate) fn new(
        common: &'c Common<'c>,
        mail: Mailbox,
        [me, n_workers]: [usize; 2],
        mut expander: Expander<'m>,
        shard: Shard<GlobalId>,
        has_proviso: bool,
    ) -> Self {
        prime(&mut expander, common.initial);
        let keeps_choices = common.creates && expander.reducer.is_some();
        let product = match common.task.claim {
            Some(Watched { automaton, by: By::Runs { extends_finite_runs } }) => {
                let fault = common.task.plan.fault;
                Some(Product::new(automaton, extends_finite_runs, keeps_choices, fault, &common.budget))
            }
            _ => None,
        };
        Searcher {
            common,
            me,
            n_workers,
            expander,
            shard,
            mail,
            letters: (0..n_workers).map(|to| Letter::new(to, me)).collect(),
            tick: 0,
            rounds: Rounds::new(has_proviso),
            level: 0..0,
            enough: None,
            again: None,
            put_off: Vec::new(),
            unsettled: Unsettled::new(&common.budget),
            deferred: BTreeMap::new(),
            findings: Findings::default(),
            stage: Stage::default(),
            state: Vec::new(),
            holds: Vec::new(),
            product,
            gathering: (me == 0).then(Gathering::default),
        }
    }

    /// Searches until the search is over, here and everywhere; breaks off if it ends before its end.
    pub(crate) fn run(&mut self, listener: &mut Listener) -> Going {
        let seed = self.explore(listener)?;
        if self.has_graph() {
            self.look_for_cycles(seed, listener)?;
        }
        if seed.is_none() {
            self.common.board.one_is_done();
        } else if self.gathering.is_some() {
            // Who has seen a cycle has no need of more, and so has stopped.
            return self.common.fail(Incomplete::Cancelled);
        }
        loop {
            self.exchange(PATIENCE, listener)?;
        }
    }

    /// Visits all states, until there are none left anywhere, or a cycle was closed through the node that is told.
    fn explore(&mut self, listener: &mut Listener) -> Going<Option<GlobalId>> {
        self.start()?;
        loop {
            self.expand_round(listener)?;
            self.mail.hold_from(self.tick + 1);
            loop {
                self.exchange(PATIENCE / 5, listener)?;
                let frontier = self.mail.frontier();
                if frontier.is_none() && self.deferred.is_empty() {
                    return ControlFlow::Continue(self.enough);
                }
                if frontier.is_none_or(|frontier| frontier >= self.tick + 2) {
                    break;
                }
            }
            if self.enough.is_some() {
                // All come to it in this round.
                self.mail.release(Time::MAX);
                return ControlFlow::Continue(self.enough);
            }
            self.finish_round()?;
        }
    }

    /// The initial state is where the first level begins, at the worker that owns it.
    fn start(&mut self) -> Going {
        let initial = match &self.product {
            Some(product) => product.initial(self.common.initial),
            None => self.common.initial.to_vec(),
        };
        if self.owner_of(&initial) == self.me {
            let Searcher { common, shard, product, .. } = self;
            let key = common.stored(shard.key(&initial))?;
            let parent = GlobalId { state: StateId(0), worker: self.me as u16 };
            let placed = shard.place([(&*initial, key, parent)].into_iter(), |_, placed| {
                match product.as_mut().and_then(|product| product.graph.as_mut()) {
                    Some(graph) => graph.start(placed.id()),
                    None => Ok(()),
                }
            });
            common.stored(placed)?;
        }
        self.begin_level()?;
        if self.level.is_empty() {
            self.mail.release(0);
        }
        ControlFlow::Continue(())
    }

    fn begin_level(&mut self) -> Going {
        self.level = self.common.stored(self.shard.begin_level())?;
        self.again = None;
        self.unsettled.clear();
        ControlFlow::Continue(())
    }

    /// Expands what there is to expand in this round, a block at a time, and takes in letters between.
    fn expand_round(&mut self, listener: &mut Listener) -> Going {
        let is_first = match self.rounds.phase {
            Phase::Chosen => true,
            Phase::Answers => return ControlFlow::Continue(()),
            Phase::Rest => false,
        };
        let again = self.again.take();
        let n = again.as_ref().map_or(self.level.len(), Vec::len);
        let mut ids = Vec::with_capacity(BLOCK);
        for start in (0..n).step_by(BLOCK) {
            let block = start..n.min(start + BLOCK);
            ids.clear();
            match &again {
                Some(again) => ids.extend_from_slice(&again[block]),
                None => ids.extend(block.map(|at| StateId::new(self.level.start + at))),
            }
            let before = self.findings.counts.transitions;
            self.expand_block(&ids, is_first)?;
            let Searcher { common, findings, .. } = self;
            common.board.count(findings.counts.transitions - before);
            common.board.store(self.me, self.shard.len());
            if let Err(why) = common.clock.check() {
                return common.fail(why);
            }
            self.exchange(Duration::ZERO, listener)?;
            while self.common.board.is_congested() {
                self.exchange(PATIENCE, listener)?;
            }
        }
        if n > 0 {
            self.report();
        }
        (0..self.n_workers).for_each(|to| self.post(to, self.tick));
        ControlFlow::Continue(())
    }

    /// Tells the first worker what this round came to.
    fn report(&mut self) {
        let Findings { counts, cut_off, is_endless, found, without_value } =
            std::mem::take(&mut self.findings);
        let letter = &mut self.letters[0];
        letter.push(&Message::Report(Report { counts, cut_off, is_endless }));
        for seen in &found {
            let (wrong, state, steps) = (wrong(seen.violation), &seen.state, seen.steps.clone());
            letter.push(&Message::Found(Sighting { wrong, id: seen.id, state, steps }));
        }
        if let Some((id, state)) = &without_value {
            let wrong = Wrong::NoValue;
            letter.push(&Message::Found(Sighting { wrong, id: *id, state, steps: Vec::new() }));
        }
    }

    /// Something has to be known to all before a state is expanded.
    pub(crate) fn announce(&mut self, what: Announced) {
        if !self.rounds.announce(what.clone()) {
            return;
        }
        let message = match what {
            Announced::Frame(pid, process) => Message::Frame { pid, process },
            Announced::Process(instance, values) => Message::Process { instance, values },
        };
        let me = self.me;
        let others = self.letters.iter_mut().enumerate().filter(|(to, _)| *to != me);
        others.for_each(|(_, letter)| letter.push(&message));
    }

    /// Sends what was written to a worker.
    pub(crate) fn post(&mut self, to: usize, time: Time) {
        if !self.letters[to].is_empty() {
            let letter = std::mem::replace(&mut self.letters[to], Letter::new(to, self.me));
            self.send(time, letter);
        }
    }

    pub(crate) fn send(&self, time: Time, letter: Letter) {
        self.common.board.handed_over(letter.to(), letter.len());
        self.mail.send(time, letter);
    }

    /// Sends and receives, and takes in what belongs to this round.
    fn exchange(&mut self, patience: Duration, listener: &mut Listener) -> Going {
        self.mail.step(patience);
        for (time, letter) in self.mail.take() {
            if letter.is_urgent() {
                self.read_urgent(time, &letter, listener)?;
            } else {
                self.deferred.entry(time).or_default().push(letter);
            }
        }
        while let Some(entry) = self.deferred.first_entry().filter(|entry| *entry.key() <= self.tick + 1) {
            let (time, letters) = entry.remove_entry();
            letters.iter().try_for_each(|letter| self.read(time, letter))?;
        }
        self.look_around(listener)
    }

    /// Tells how far the search is, and breaks off if it is over.
    pub(crate) fn look_around(&self, listener: &mut Listener) -> Going {
        if let Some((counts, bytes)) = self.common.board.progress(self.me) {
            let depth = self.gathering.as_ref().map_or(0, |gathering| gathering.counts.depth);
            listener.progress(Progress { counts: Counts { depth, ..counts }, bytes });
        }
        if self.common.board.is_over() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    /// Takes in a letter of this round.
    fn read(&mut self, time: Time, letter: &Letter) -> Going {
        let from = letter.from();
        let mut reader = letter.reader();
        let mut offers: Vec<(&[u8], Key, GlobalId)> = Vec::new();
        let mut asks: Vec<bool> = Vec::new();
        let mut elders: Vec<Elder> = Vec::new();
        while !reader.is_at_end() {
            match self.understood(next(&mut reader))? {
                Message::Offer { from: state, wants_answer, state: bytes } => {
                    let key = self.common.stored(self.shard.key(bytes))?;
                    offers.push((bytes, key, GlobalId { state, worker: from as u16 }));
                    asks.push(wants_answer);
                }
                Message::Arc { from: state, elder, state: bytes } => {
                    let key = self.common.stored(self.shard.key(bytes))?;
                    offers.push((bytes, key, GlobalId { state, worker: from as u16 }));
                    elders.push(elder);
                }
                Message::Settled { state } => self.unsettled.settle(state),
                Message::Frame { pid, process } => {
                    self.rounds.announce(Announced::Frame(pid, process));
                }
                Message::Process { instance, values } => {
                    self.rounds.announce(Announced::Process(instance, values));
                }
                Message::Report(report) => self.gather(|gathering| gathering.count(&report)),
                Message::Found(sighting) => self.sight(from, &sighting)?,
                Message::Closed(closed) => self.gather(|gathering| gathering.close(closed)),
                Message::Enough { seed } => self.enough = Some(seed),
                _ => return self.garbled(),
            }
        }
        let n_expected = if self.has_graph() { elders.len() } else { asks.len() };
        if n_expected != offers.len() {
            return self.garbled();
        }
        let Searcher { me, common, shard, product, .. } = self;
        let mut graph = product.as_mut().and_then(|product| product.graph.as_mut());
        let mut answer = Letter::new(from, *me);
        let placed = shard.place(offers.iter().copied(), |at, placed| {
            let (state, _, from) = offers[at];
            if let Some(graph) = &mut graph {
                graph.enter((placed, state), *me, from, elders[at])?;
            } else if asks[at] && !placed.is_old() {
                answer.push(&Message::Settled { state: from.state });
            }
            Ok(())
        });
        common.stored(placed)?;
        common.board.store(*me, shard.len());
        if !answer.is_empty() {
            self.send(time, answer);
        }
        ControlFlow::Continue(())
    }

    /// What cannot be read did not come from a worker of this search.
    pub(crate) fn understood<T>(&self, message: Option<T>) -> Going<T> {
        match message {
            Some(message) => ControlFlow::Continue(message),
            None => self.garbled(),
        }
    }

    pub(crate) fn garbled<T>(&self) -> Going<T> {
        self.common.fail(Incomplete::Lost { process: self.common.board.process() })
    }

    /// All letters of the round are here.
    fn finish_round(&mut self) -> Going {
        self.tick += 1;
        self.common.board.is_calm();
        match self.rounds.finish() {
            Next::Again(announced) => {
                self.learn(announced);
                self.again = Some(std::mem::take(&mut self.put_off));
            }
            Next::Phase(Phase::Rest) => {
                self.again = Some(self.unsettled.all());
            }
            Next::Phase(_) => self.again = Some(Vec::new()),
            Next::Level => {
                self.tell_level();
                self.begin_level()?;
            }
        }
        let is_needed = match &self.again {
            Some(again) => !again.is_empty() || !self.unsettled.is_empty() || self.shard.has_next(),
            None => !self.level.is_empty(),
        };
        let has_news = self.gathering.as_ref().is_some_and(Gathering::has_news);
        let has_cycle = self.tell_of_cycles();
        if !is_needed && !has_news && !has_cycle {
            self.mail.release(self.tick);
        }
        ControlFlow::Continue(())
    }

    /// In the round that begins, the first worker hears of the cycles that were closed in the one before; what it heard
    /// itself meanwhile, all do. Whether there is anything to tell.
    fn tell_of_cycles(&mut self) -> bool {
        let graph = self.product.as_mut().and_then(|product| product.graph.as_mut());
        let closed = graph.and_then(Graph::take_closed);
        if let Some(closed) = closed {
            self.letters[0].push(&Message::Closed(closed));
        }
        let enough = self.gathering.as_mut().and_then(Gathering::enough);
        if let Some(seed) = enough {
            self.letters.iter_mut().for_each(|letter| letter.push(&Message::Enough { seed }));
        }
        closed.is_some() || enough.is_some()
    }

    /// Knows what everybody knows now, in the same order as everybody.
    fn learn(&mut self, announced: Vec<Announced>) {
        let Expander { interpreter, reducer } = &mut self.expander;
        let frame = |what: &Announced| match what {
            Announced::Frame(pid, process) => Some((*pid, *process)),
            Announced::Process(..) => None,
        };
        interpreter.lay_out(&announced.iter().filter_map(frame).collect::<Vec<_>>());
        for what in announced {
            if let (Announced::Process(instance, values), Some(reducer)) = (what, reducer.as_mut()) {
                reducer.learn(interpreter, instance, &values);
            }
        }
    }

    fn gather(&mut self, what: impl FnOnce(&mut Gathering)) {
        if let Some(gathering) = &mut self.gathering {
            what(gathering);
        }
    }

    pub(crate) fn read_urgent(&mut self, time: Time, letter: &Letter, listener: &mut Listener) -> Going {
        let mut reader: Reader<'_> = letter.reader();
        while !reader.is_at_end() {
            match self.understood(next(&mut reader))? {
                Message::Trace { finding, position, state } => self.trace(time, finding, position, state),
                Message::Traced { finding, position, is_first, state } => {
                    self.traced(finding, position, is_first, state, listener)?;
                }
                Message::Walk { finding, position, state } => self.walk(time, finding, position, state)?,
                Message::Walked { finding, position, is_again, state } => {
                    self.walked(finding, position, is_again, state, listener)?;
                }
                _ => return self.garbled(),
            }
        }
        ControlFlow::Continue(())
    }
}

/// Reducers of all workers know the processes of the initial state, in the same order, whatever they see first.
fn prime(expander: &mut Expander<'_>, initial: &[u8]) {
    let Expander { interpreter, reducer } = expander;
    if let Some(reducer) = reducer {
        for (instance, values) in reducer.unknown(interpreter, initial) {
            reducer.learn(interpreter, instance, &values);
        }
    }
}
