//! Looking for accepting cycles in the product, once all of it is found, and for a run round one.
//!
//! OWCTY, "one way catch them young", backwards: Černá and Pelánek, "Distributed explicit fair cycle detection (set based
//! approach)", SPIN 2003, after Fisler, Fraer, Kamhi, Vardi and Yang (2001), divided among workers as by Barnat, Brim and
//! Ročkai (2009). From all nodes, two things are removed in turn:
//!
//! 1. nodes from which no arc leads on to a node that is left, as long as there are any ([`Work::Remove`]);
//! 2. nodes that lead to no accepting node that is left, the accepting ones themselves apart ([`Work::Mark`] finds the others).
//!
//! *Nothing is lost*: every node of an accepting cycle leads on to the next one, and to the accepting one, all of which
//! are left as long as none of them is removed; so none is the first. *What is left is no false alarm*: when nothing is
//! removed any more, every node that is left leads on to one that is left, and to an accepting one through those that are
//! left. So from an accepting node there is a way on to another, without end, among finitely many: one comes again. Hence
//! there is an accepting cycle if and only if something is left. Every turn but the last removes something.
//!
//! *Which node is removed does not depend on order*: both steps compute the least set that is closed under a rule. So workers
//! need not keep step with each other inside one: each goes on with what it has, and what it removes or marks, it tells the
//! owners of the nodes that lead there. A step is over when nobody has anything to do and no letter is on its way: that is
//! what the frontier of a dataflow of its own says (see [`mailbox`](crate::mailbox)); whoever has something to do holds a
//! time, and whoever gets a letter holds its time before it is read. Between two steps everybody tells everybody how many
//! nodes are left, so all come to the same end.
//!
//! *The run* is led: to an accepting node that is left, or to the one that an arc was found to close a cycle through. From
//! there it is told backwards, in rounds, who leads there; of those that a node hears of in the round in which it hears first, it
//! keeps the one whose hash is least. A way along these gets nearer to where it is led with every arc until it is there, and
//! goes on from there likewise; it never ends, since what is left leads on, and the node of a closed cycle to itself again;
//! where it comes to a node for the second time, it closes a cycle, and only a cycle with an accepting node in it can be closed
//! so. It begins in the initial node, which leads to whatever is found, and so is left if anything is. Invariant: it depends
//! neither on timing nor on who has which node, as long as 64 bits of a hash tell apart who leads a node on.

use std::collections::BTreeMap;
use std::time::Duration;

use stubborn_search::{Budget, Key, OutOfMemory, StateId};

use crate::crew::Listener;
use crate::graph::Graph;
use crate::letter::{GlobalId, Letter, Message, Tally, next};
use crate::mailbox::Time;
use crate::searcher::{Going, LETTER, PATIENCE, Searcher};

/// Nodes that are looked at between two looks into the mailbox.
const BLOCK: usize = 4096;

/// One step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Work {
    /// Removes nodes that lead on to none; at once those that are not marked, if it is not the first step.
    Remove { is_first: bool },
    /// Marks nodes that lead to an accepting one.
    Mark,
}

/// What is still to be told, or was heard, in memory that is paid for.
struct Open<T> {
    all: Vec<T>,
    budget: Budget,
}

impl<T> Open<T> {
    fn new(budget: &Budget) -> Self {
        Open { all: Vec::new(), budget: budget.clone() }
    }

    fn push(&mut self, one: T) -> Result<(), OutOfMemory> {
        self.budget.push(&mut self.all, one)
    }
}

impl<T> Drop for Open<T> {
    fn drop(&mut self) {
        self.budget.give_back(self.all.capacity() * size_of::<T>());
    }
}

/// A node leads to another one, which has that hash.
type Lead = (StateId, u64, GlobalId);

impl Searcher<'_, '_> {
    pub(crate) fn has_graph(&self) -> bool {
        self.product.as_ref().is_some_and(|product| product.graph.is_some())
    }

    fn graph(&mut self) -> Going<&mut Graph> {
        match self.product.as_mut().and_then(|product| product.graph.as_mut()) {
            Some(graph) => Going::Continue(graph),
            None => Going::Break(()),
        }
    }

    /// Looks for a cycle, if there is no node known to be on one; the first worker tells of the run, if there is one.
    pub(crate) fn look_for_cycles(&mut self, seed: Option<GlobalId>, listener: &mut Listener) -> Going {
        self.graph()?.is_whole();
        if seed.is_none() && !self.is_anything_left(listener)? {
            return Going::Continue(());
        }
        self.lead(seed, listener)?;
        self.walk_round(listener)
    }

    /// Removes what is on no accepting cycle and leads to none; whether anything is left, anywhere.
    fn is_anything_left(&mut self, listener: &mut Listener) -> Going<bool> {
        let mut is_first = true;
        loop {
            self.work(Work::Remove { is_first }, listener)?;
            self.graph()?.clear_marks();
            self.work(Work::Mark, listener)?;
            let tallies = self.tally(listener)?;
            if tallies.iter().all(|tally| tally.marked == 0) {
                return Going::Continue(false);
            }
            if tallies.iter().all(|tally| tally.unmarked == 0) {
                return Going::Continue(true);
            }
            is_first = false;
        }
    }

    /// One step, until all workers are through with it.
    fn work(&mut self, work: Work, listener: &mut Listener) -> Going {
        self.begin_again();
        let mut open = self.first(work)?;
        let mut from = Vec::new();
        loop {
            for _ in 0..BLOCK {
                let Some(id) = open.all.pop() else { break };
                self.spread(work, id, &mut open, &mut from)?;
            }
            let is_idle = open.all.is_empty();
            self.post_now(if is_idle { 0 } else { LETTER });
            if is_idle {
                self.mail.release(Time::MAX);
            }
            loop {
                self.mail.step(if is_idle { PATIENCE } else { Duration::ZERO });
                self.look_around(listener)?;
                if let Err(why) = self.common.clock.check() {
                    return self.common.fail(why);
                }
                for (_, letter) in self.mail.take() {
                    self.take_in(work, &letter, &mut open)?;
                }
                if !self.common.board.is_congested() {
                    break;
                }
            }
            if open.all.is_empty() && self.mail.frontier().is_none() {
                return Going::Continue(());
            }
        }
    }

    /// What is done first.
    fn first(&mut self, work: Work) -> Going<Open<StateId>> {
        let common = self.common;
        let graph = self.graph()?;
        let mut open = Open::new(&common.budget);
        let is_first = |graph: &Graph, id| match work {
            Work::Remove { is_first } => graph.is_end(id) || (!is_first && !graph.is_marked(id)),
            Work::Mark => graph.is_accepting(id),
        };
        for id in graph.left().filter(|&id| is_first(graph, id)) {
            common.stored(open.push(id))?;
        }
        for &id in &open.all {
            match work {
                Work::Remove { .. } => graph.remove(id),
                Work::Mark => graph.mark(id),
            };
        }
        Going::Continue(open)
    }

    /// Tells those who lead to a node what became of it.
    fn spread(
        &mut self,
        work: Work,
        id: StateId,
        open: &mut Open<StateId>,
        from: &mut Vec<GlobalId>,
    ) -> Going {
        from.clear();
        self.graph()?.predecessors(id, from);
        for GlobalId { state, worker } in from.drain(..) {
            let to = usize::from(worker);
            if to == self.me {
                self.hear(work, state, open)?;
                continue;
            }
            self.letters[to].push(&match work {
                Work::Remove { .. } => Message::Gone { state },
                Work::Mark => Message::Marked { state },
            });
        }
        Going::Continue(())
    }

    /// Something became of a node that this one leads to.
    fn hear(&mut self, work: Work, id: StateId, open: &mut Open<StateId>) -> Going {
        let common = self.common;
        let graph = self.graph()?;
        if !graph.is_left(id) {
            return Going::Continue(());
        }
        let is_new = match work {
            Work::Remove { .. } => graph.lose(id) && graph.remove(id),
            Work::Mark => graph.mark(id),
        };
        match is_new {
            true => common.stored(open.push(id)),
            false => Going::Continue(()),
        }
    }

    fn take_in(&mut self, work: Work, letter: &Letter, open: &mut Open<StateId>) -> Going {
        let mut reader = letter.reader();
        while !reader.is_at_end() {
            match (work, self.understood(next(&mut reader))?) {
                (Work::Remove { .. }, Message::Gone { state }) | (Work::Mark, Message::Marked { state }) => {
                    self.hear(work, state, open)?;
                }
                _ => return self.garbled(),
            }
        }
        Going::Continue(())
    }

    /// What all workers have, by worker.
    fn tally(&mut self, listener: &mut Listener) -> Going<Vec<Tally>> {
        self.begin_again();
        let graph = self.graph()?;
        let mut mine = Tally::default();
        for id in graph.left() {
            match graph.is_marked(id) {
                true => mine.marked += 1,
                false => mine.unmarked += 1,
            }
        }
        self.letters.iter_mut().for_each(|letter| letter.push(&Message::Tally(mine)));
        self.post_now(0);
        self.mail.release(Time::MAX);
        let mut told = vec![None; self.n_workers];
        while self.mail.frontier().is_some() {
            self.mail.step(PATIENCE);
            self.look_around(listener)?;
            for (_, letter) in self.mail.take() {
                let Some(Message::Tally(tally)) = next(&mut letter.reader()) else { return self.garbled() };
                told[letter.from()] = Some(tally);
            }
            self.mail.release(Time::MAX);
        }
        let all: Option<Vec<Tally>> = told.into_iter().collect();
        self.understood(all)
    }

    /// Notes of each node that is left where a run goes on to that one, or else to one that accepts.
    fn lead(&mut self, seed: Option<GlobalId>, listener: &mut Listener) -> Going {
        self.begin_again();
        let (common, me) = (self.common, self.me);
        let mut open = Open::new(&common.budget);
        let graph = self.graph()?;
        common.stored(graph.point())?;
        graph.clear_marks();
        match seed {
            Some(seed) if usize::from(seed.worker) == me => common.stored(open.push(seed.state))?,
            Some(_) => {}
            None => graph
                .left()
                .filter(|&id| graph.is_accepting(id))
                .try_for_each(|id| common.stored(open.push(id)))?,
        }
        for &id in &open.all {
            graph.mark(id);
        }
        let mut deferred: BTreeMap<Time, Vec<Letter>> = BTreeMap::new();
        let mut heard = Open::new(&common.budget);
        for tick in 0.. {
            for block in open.all.chunks(BLOCK) {
                block.iter().try_for_each(|&id| self.tell_leads(tick, id, &mut heard))?;
                self.hear_of_leads(Duration::ZERO, &mut deferred, listener)?;
                while common.board.is_congested() {
                    self.hear_of_leads(PATIENCE, &mut deferred, listener)?;
                }
            }
            (0..self.n_workers).for_each(|to| self.post(to, tick));
            self.mail.hold_from(tick + 1);
            loop {
                self.hear_of_leads(PATIENCE / 5, &mut deferred, listener)?;
                let frontier = self.mail.frontier();
                if frontier.is_none() && deferred.is_empty() && heard.all.is_empty() {
                    return Going::Continue(());
                }
                if frontier.is_none_or(|frontier| frontier >= tick + 2) {
                    break;
                }
            }
            common.board.is_calm();
            while let Some(entry) = deferred.first_entry().filter(|entry| *entry.key() <= tick + 1) {
                entry.remove().iter().try_for_each(|letter| self.take_leads(letter, &mut heard))?;
            }
            // Of those that a node hears of first, the one with the least hash.
            heard.all.sort_unstable();
            open.all.clear();
            let graph = self.graph()?;
            for (id, _, to) in heard.all.drain(..) {
                graph.leads(id, to);
                if graph.mark(id) {
                    common.stored(open.push(id))?;
                }
            }
            if open.all.is_empty() {
                self.mail.release(tick + 1);
            }
        }
        Going::Continue(())
    }

    /// Tells those who lead to a node of it.
    fn tell_leads(&mut self, tick: Time, id: StateId, heard: &mut Open<Lead>) -> Going {
        let Searcher { shard, state: bytes, me, common, .. } = self;
        shard.read(id, bytes);
        let (hash, here) = (Key::plain(bytes).hash(), GlobalId { state: id, worker: *me as u16 });
        let (common, me) = (*common, *me);
        let mut from = Vec::new();
        self.graph()?.predecessors(id, &mut from);
        for GlobalId { state, worker } in from {
            let to = usize::from(worker);
            if to == me {
                if self.graph()?.is_to_be_led(state) {
                    common.stored(heard.push((state, hash, here)))?;
                }
                continue;
            }
            self.letters[to].push(&Message::Leads { state, to: id, hash });
            if self.letters[to].len() >= LETTER {
                self.post(to, tick);
            }
        }
        Going::Continue(())
    }

    fn hear_of_leads(
        &mut self,
        patience: Duration,
        deferred: &mut BTreeMap<Time, Vec<Letter>>,
        listener: &mut Listener,
    ) -> Going {
        self.mail.step(patience);
        self.look_around(listener)?;
        if let Err(why) = self.common.clock.check() {
            return self.common.fail(why);
        }
        for (time, letter) in self.mail.take() {
            deferred.entry(time).or_default().push(letter);
        }
        Going::Continue(())
    }

    fn take_leads(&mut self, letter: &Letter, heard: &mut Open<Lead>) -> Going {
        let mut reader = letter.reader();
        let (common, worker) = (self.common, letter.from() as u16);
        while !reader.is_at_end() {
            let Some(Message::Leads { state, to, hash }) = next(&mut reader) else { return self.garbled() };
            if self.graph()?.is_to_be_led(state) {
                common.stored(heard.push((state, hash, GlobalId { state: to, worker })))?;
            }
        }
        Going::Continue(())
    }

    /// Goes along what nodes noted, from the initial one on, until a cycle is closed.
    fn walk_round(&mut self, listener: &mut Listener) -> Going {
        self.begin_again();
        let initial = self.product.as_ref().map(|product| product.initial(self.common.initial));
        let initial = self.understood(initial)?;
        self.ask_for_cycle(self.owner_of(&initial));
        self.mail.release(Time::MAX);
        while self.mail.frontier().is_some() {
            self.mail.step(PATIENCE);
            self.look_around(listener)?;
            for (time, letter) in self.mail.take() {
                self.read_urgent(time, &letter, listener)?;
            }
            self.mail.release(Time::MAX);
        }
        Going::Continue(())
    }

    /// The walk comes to a node: goes on from there as far as this worker knows.
    pub(crate) fn walk(&mut self, time: Time, finding: u32, position: u32, state: StateId) -> Going {
        let mut told = Letter::new(0, self.me);
        let (mut position, mut state) = (position, state);
        if position == 0 {
            self.trace(time, finding, 0, state);
        }
        let mut bytes = Vec::new();
        loop {
            let is_again = !self.graph()?.pass(state);
            // The way there is the first node.
            if position > 0 {
                self.shard.read(state, &mut bytes);
                told.push(&Message::Walked { finding, position, is_again, state: &bytes });
            }
            if is_again {
                break;
            }
            let next = self.graph()?.next(state);
            let next = self.understood(next)?;
            position += 1;
            state = next.state;
            if usize::from(next.worker) != self.me {
                let mut ask = Letter::new(usize::from(next.worker), self.me);
                ask.push(&Message::Walk { finding, position, state });
                self.send(time, ask);
                break;
            }
        }
        if !told.is_empty() {
            self.send(time, told);
        }
        Going::Continue(())
    }

    /// What comes next has a dataflow of its own.
    fn begin_again(&mut self) {
        self.common.board.is_calm();
        self.mail.begin_again();
    }

    /// Sends what is longer than that.
    fn post_now(&mut self, least: usize) {
        let Some(time) = self.mail.latest() else { return };
        self.mail.hold_from(time);
        for to in 0..self.n_workers {
            if self.letters[to].len() >= least {
                self.post(to, time);
            }
        }
    }
}
