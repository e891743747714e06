//! Looking for accepting cycles in the product, once all of it is found.
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
//! *The run*: in a last step like the second, each node notes by which arc it was marked; an accepting one, by which it
//! was first told of. A way along these gets nearer to an accepting node with every arc until it is at one, and it never ends,
//! since what is left leads on; where it comes to a node for the second time, it closes a cycle, and only a cycle with an
//! accepting node in it can be closed so. The way to it is the one over parents, as to any other violation.

use std::time::Duration;

use stubborn_search::{Budget, OutOfMemory, StateId};

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

/// Nodes that something became of, which is still to be told to those who lead there.
struct Open {
    nodes: Vec<StateId>,
    budget: Budget,
}

impl Open {
    fn push(&mut self, id: StateId) -> Result<(), OutOfMemory> {
        self.budget.push(&mut self.nodes, id)
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.budget.give_back(self.nodes.capacity() * size_of::<StateId>());
    }
}

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

    /// Looks for a cycle; the first worker tells of the run, if there is one.
    pub(crate) fn look_for_cycles(&mut self, listener: &mut Listener) -> Going {
        self.graph()?.is_whole();
        let mut is_first = true;
        let left = loop {
            self.work(Work::Remove { is_first }, listener)?;
            self.graph()?.clear_marks();
            self.work(Work::Mark, listener)?;
            let tallies = self.tally(listener)?;
            if tallies.iter().all(|tally| tally.marked == 0) {
                return Going::Continue(());
            }
            if tallies.iter().all(|tally| tally.unmarked == 0) {
                break tallies;
            }
            is_first = false;
        };
        let pointed = self.graph()?.point();
        self.common.stored(pointed)?;
        self.graph()?.clear_marks();
        self.work(Work::Mark, listener)?;
        let begins = left.iter().position(|tally| tally.marked > 0).unwrap_or(0);
        self.walk_round(begins, listener)
    }

    /// One step, until all workers are through with it.
    fn work(&mut self, work: Work, listener: &mut Listener) -> Going {
        self.begin_again();
        let mut open = self.first(work)?;
        let mut from = Vec::new();
        loop {
            for _ in 0..BLOCK {
                let Some(id) = open.nodes.pop() else { break };
                self.spread(work, id, &mut open, &mut from)?;
            }
            let is_idle = open.nodes.is_empty();
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
            if open.nodes.is_empty() && self.mail.frontier().is_none() {
                return Going::Continue(());
            }
        }
    }

    /// What is done first.
    fn first(&mut self, work: Work) -> Going<Open> {
        let common = self.common;
        let graph = self.graph()?;
        let mut open = Open { nodes: Vec::new(), budget: common.budget.clone() };
        let is_first = |graph: &Graph, id| match work {
            Work::Remove { is_first } => graph.is_end(id) || (!is_first && !graph.is_marked(id)),
            Work::Mark => graph.is_accepting(id),
        };
        for id in graph.left().filter(|&id| is_first(graph, id)) {
            common.stored(open.push(id))?;
        }
        for &id in &open.nodes {
            match work {
                Work::Remove { .. } => graph.remove(id),
                Work::Mark => graph.mark(id),
            };
        }
        Going::Continue(open)
    }

    /// Tells those who lead to a node what became of it.
    fn spread(&mut self, work: Work, id: StateId, open: &mut Open, from: &mut Vec<GlobalId>) -> Going {
        from.clear();
        self.graph()?.predecessors(id, from);
        let here = GlobalId { state: id, worker: self.me as u16 };
        for GlobalId { state, worker } in from.drain(..) {
            let to = usize::from(worker);
            if to == self.me {
                self.hear(work, state, here, open)?;
                continue;
            }
            self.letters[to].push(&match work {
                Work::Remove { .. } => Message::Gone { state },
                Work::Mark => Message::Leads { state, to: id },
            });
        }
        Going::Continue(())
    }

    /// Something became of a node that this one leads to.
    fn hear(&mut self, work: Work, id: StateId, to: GlobalId, open: &mut Open) -> Going {
        let common = self.common;
        let graph = self.graph()?;
        if !graph.is_left(id) {
            return Going::Continue(());
        }
        let is_new = match work {
            Work::Remove { .. } => graph.lose(id) && graph.remove(id),
            Work::Mark => {
                graph.leads(id, to);
                graph.mark(id)
            }
        };
        match is_new {
            true => common.stored(open.push(id)),
            false => Going::Continue(()),
        }
    }

    fn take_in(&mut self, work: Work, letter: &Letter, open: &mut Open) -> Going {
        let mut reader = letter.reader();
        let worker = letter.from() as u16;
        while !reader.is_at_end() {
            match (work, self.understood(next(&mut reader))?) {
                (Work::Remove { .. }, Message::Gone { state }) => {
                    self.hear(work, state, GlobalId::NOBODY, open)?;
                }
                (Work::Mark, Message::Leads { state, to }) => {
                    self.hear(work, state, GlobalId { state: to, worker }, open)?;
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

    /// Goes along what nodes noted, from a node of that worker on, until a cycle is closed.
    fn walk_round(&mut self, begins: usize, listener: &mut Listener) -> Going {
        self.begin_again();
        self.ask_for_cycle(begins);
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
        if state == GlobalId::NOBODY.state {
            let first = self.graph()?.left().next();
            state = self.understood(first)?;
            self.trace(time, finding, 0, state);
        }
        let mut bytes = Vec::new();
        loop {
            let is_again = !self.graph()?.pass(state);
            // The way there ends with the first node.
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
