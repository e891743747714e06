//! The arcs of the product, each kept backwards by the owner of the node that it leads to.
//!
//! A node knows who leads to it, and how many arcs lead on from it. So nobody has to be told under which number a successor
//! is known to its owner, and what is left to do, to find cycles, goes backwards (see [`cycles`](crate::cycles)).
//!
//! While nodes are found, each also gets an *elder*: of the accepting nodes on the ways to it that go one level on with every
//! arc, itself apart, the one whose hash is greatest. It is the heuristic of Barnat, Brim and Ročkai, "A time-optimal
//! on-the-fly parallel algorithm for model checking of weak LTL properties" (2009), after "maximal accepting predecessors"
//! (Brim, Černá, Moravec and Šimša, 2004): an arc from a node whose elder it leads to closes an accepting cycle. Most
//! violations are found so, long before all is searched; none is missed that is not found so.
//!
//! Invariant: elders, and so the arcs that close cycles, depend neither on timing nor on who has which node, since all ways
//! of a level count. Two nodes of one hash would be taken for each other; the run that is then looked for is not there, and
//! the search incomplete.

use stubborn_base::Idx;
use stubborn_search::{Budget, Key, OutOfMemory, Placed, StateId};

use crate::letter::GlobalId;

/// No entry.
const NONE: u32 = u32::MAX;

/// The node is no longer looked at: it is on no accepting cycle.
const REMOVED: u8 = 1;
/// The automaton accepts in it.
const ACCEPTING: u8 = 2;
/// It leads to an accepting node.
const MARKED: u8 = 4;
/// The walk to a cycle has passed it.
const PASSED: u8 = 8;

/// Nodes, by their number in the shard, and the arcs to them.
#[derive(Debug)]
pub(crate) struct Graph {
    /// By node: the last arc to it.
    last: Vec<u32>,
    arcs: Vec<Arc>,
    /// By node: how many arcs lead on to nodes that are not removed.
    n_arcs: Vec<u32>,
    flags: Vec<u8>,
    /// By node; empty once no more are looked for.
    elders: Vec<Elder>,
    /// The least cycle that was closed in this round.
    closed: Option<Closed>,
    /// By node: one that it leads to and that is nearer to where runs are led, if it is not there itself.
    next: Vec<GlobalId>,
    /// An arc to an elder closes a cycle.
    heeds_elders: bool,
    budget: Budget,
}

/// An arc to a node.
#[derive(Clone, Copy, Debug)]
struct Arc {
    from: GlobalId,
    /// The one before it to the same node.
    before: u32,
}

/// A node by its hash, or none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub(crate) struct Elder(pub(crate) u64);

impl Elder {
    /// None, which any other outranks.
    pub(crate) const NONE: Elder = Elder(0);

    pub(crate) fn of(node: &[u8]) -> Self {
        Elder(Key::plain(node).hash().max(1))
    }
}

/// A cycle that an arc closed: the accepting node it leads to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Closed {
    /// Comes first, so that the least does not depend on numbers.
    pub(crate) elder: Elder,
    pub(crate) seed: GlobalId,
}

impl Closed {
    /// The lesser of two, if there are any.
    pub(crate) fn or(one: Option<Self>, other: Option<Self>) -> Option<Self> {
        one.into_iter().chain(other).min()
    }
}

impl Graph {
    /// No nodes. Unless it `heeds_elders`, no cycle is found before all nodes are.
    pub(crate) fn new(heeds_elders: bool, budget: &Budget) -> Self {
        Graph {
            last: Vec::new(),
            arcs: Vec::new(),
            n_arcs: Vec::new(),
            flags: Vec::new(),
            elders: Vec::new(),
            closed: None,
            next: Vec::new(),
            heeds_elders,
            budget: budget.clone(),
        }
    }

    /// Makes room for a node.
    fn grow(&mut self, id: StateId) -> Result<(), OutOfMemory> {
        if id.index() == self.flags.len() {
            let Graph { last, n_arcs, flags, elders, budget, .. } = self;
            budget.push(last, NONE)?;
            budget.push(n_arcs, 0)?;
            budget.push(flags, 0)?;
            budget.push(elders, Elder::NONE)?;
        }
        Ok(())
    }

    /// The node that every run begins in is there.
    pub(crate) fn start(&mut self, id: StateId) -> Result<(), OutOfMemory> {
        self.grow(id)
    }

    /// An arc from a node leads to this one of this worker. `elder` is that of what is reached from there.
    pub(crate) fn enter(
        &mut self,
        (placed, node): (Placed, &[u8]),
        me: usize,
        from: GlobalId,
        elder: Elder,
    ) -> Result<(), OutOfMemory> {
        let to = placed.id();
        self.grow(to)?;
        let Graph { last, arcs, elders, budget, .. } = self;
        if arcs.len() >= NONE as usize {
            return Err(OutOfMemory);
        }
        let before = std::mem::replace(&mut last[to.index()], arcs.len() as u32);
        budget.push(arcs, Arc { from, before })?;
        if !placed.is_old() {
            elders[to.index()] = elders[to.index()].max(elder);
        }
        let here = GlobalId { state: to, worker: me as u16 };
        let is_round = elder != Elder::NONE && self.heeds_elders && {
            // One with the elder, or with the node itself.
            elder == Elder::of(node) || (from == here && self.is_accepting(to))
        };
        if is_round {
            let closed = Closed { elder: Elder::of(node), seed: here };
            self.closed = Closed::or(self.closed, Some(closed));
        }
        Ok(())
    }

    /// The least cycle that was closed since this was asked last.
    pub(crate) fn take_closed(&mut self) -> Option<Closed> {
        self.closed.take()
    }

    /// A node has so many arcs; the elder of what is reached from it.
    pub(crate) fn expand(
        &mut self,
        id: StateId,
        node: &[u8],
        is_accepting: bool,
        n_arcs: usize,
    ) -> Result<Elder, OutOfMemory> {
        let at = id.index();
        self.n_arcs[at] = u32::try_from(n_arcs).map_err(|_| OutOfMemory)?;
        if !is_accepting {
            return Ok(self.elders[at]);
        }
        self.flags[at] |= ACCEPTING;
        Ok(self.elders[at].max(Elder::of(node)))
    }

    /// No more nodes are looked for.
    pub(crate) fn is_whole(&mut self) {
        let elders = std::mem::take(&mut self.elders);
        self.budget.give_back(elders.capacity() * size_of::<Elder>());
    }

    /// Appends those who lead to a node.
    pub(crate) fn predecessors(&self, id: StateId, from: &mut Vec<GlobalId>) {
        let mut at = self.last[id.index()];
        while let Some(arc) = self.arcs.get(at as usize) {
            from.push(arc.from);
            at = arc.before;
        }
    }

    /// The nodes that are not removed.
    pub(crate) fn left(&self) -> impl Iterator<Item = StateId> {
        let is_left = |at: &usize| self.flags[*at] & REMOVED == 0;
        (0..self.flags.len()).filter(is_left).map(StateId::new)
    }

    pub(crate) fn is_left(&self, id: StateId) -> bool {
        self.flags[id.index()] & REMOVED == 0
    }

    pub(crate) fn is_accepting(&self, id: StateId) -> bool {
        self.flags[id.index()] & ACCEPTING != 0
    }

    pub(crate) fn is_marked(&self, id: StateId) -> bool {
        self.flags[id.index()] & MARKED != 0
    }

    /// Whether nothing leads on from a node.
    pub(crate) fn is_end(&self, id: StateId) -> bool {
        self.n_arcs[id.index()] == 0
    }

    /// Nothing is marked any more.
    pub(crate) fn clear_marks(&mut self) {
        self.flags.iter_mut().for_each(|flags| *flags &= !MARKED);
    }

    /// Marks a node; whether it was not.
    pub(crate) fn mark(&mut self, id: StateId) -> bool {
        let is_new = !self.is_marked(id);
        self.flags[id.index()] |= MARKED;
        is_new
    }

    /// Removes a node; whether it was there.
    pub(crate) fn remove(&mut self, id: StateId) -> bool {
        let is_new = self.is_left(id);
        self.flags[id.index()] |= REMOVED;
        is_new
    }

    /// A node that this one leads to was removed; whether that was the last.
    pub(crate) fn lose(&mut self, id: StateId) -> bool {
        let n_arcs = &mut self.n_arcs[id.index()];
        *n_arcs -= 1;
        *n_arcs == 0
    }

    /// From now on, it is noted where nodes lead.
    pub(crate) fn point(&mut self) -> Result<(), OutOfMemory> {
        let Graph { next, flags, budget, .. } = self;
        budget.reserve(next, flags.len())?;
        next.resize(flags.len(), GlobalId::NOBODY);
        Ok(())
    }

    /// A node leads to that one; what is noted first stays.
    pub(crate) fn leads(&mut self, id: StateId, to: GlobalId) {
        if let Some(next) = self.next.get_mut(id.index()).filter(|next| **next == GlobalId::NOBODY) {
            *next = to;
        }
    }

    /// Whether it is still to be noted where a node leads.
    pub(crate) fn is_to_be_led(&self, id: StateId) -> bool {
        self.is_left(id) && self.next[id.index()] == GlobalId::NOBODY
    }

    /// Where a node leads.
    pub(crate) fn next(&self, id: StateId) -> Option<GlobalId> {
        self.next.get(id.index()).copied().filter(|&next| next != GlobalId::NOBODY)
    }

    /// The walk passes a node; whether for the first time.
    pub(crate) fn pass(&mut self, id: StateId) -> bool {
        let is_new = self.flags[id.index()] & PASSED == 0;
        self.flags[id.index()] |= PASSED;
        is_new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A node leads to a later one, which leads back: an arc to an elder is told, and only that.
    #[test]
    fn an_arc_to_an_elder_closes_a_cycle() {
        let mut graph = Graph::new(true, &Budget::new(1 << 20));
        let here = |state| GlobalId { state: StateId(state), worker: 3 };
        let [new, old] =
            [Placed::New, Placed::Old].map(|placed| move |id: u8| (placed(StateId(id.into())), [id + 1]));
        let enter = |graph: &mut Graph, (placed, node): (Placed, [u8; 1]), from, elder| {
            graph.enter((placed, &node), 3, here(from), elder).unwrap();
            graph.take_closed().map(|closed| closed.seed)
        };
        graph.start(StateId(0)).unwrap();
        let elder = graph.expand(StateId(0), &[1], false, 1).unwrap();
        assert_eq!(enter(&mut graph, new(1), 0, elder), None);
        let elder = graph.expand(StateId(1), &[2], true, 1).unwrap();
        assert_eq!(elder, Elder::of(&[2]));
        assert_eq!(enter(&mut graph, new(2), 1, elder), None);
        let elder = graph.expand(StateId(2), &[3], false, 2).unwrap();
        assert_eq!(enter(&mut graph, old(0), 2, elder), None);
        assert_eq!(enter(&mut graph, old(1), 2, elder), Some(here(1)));
        let mut from = Vec::new();
        graph.predecessors(StateId(1), &mut from);
        assert_eq!(from, [here(2), here(0)]);
    }

    /// The elder of a node that is found twice is the same whichever way is told of first.
    #[test]
    fn elders_do_not_depend_on_who_comes_first() {
        let [one, other] = [Elder(5), Elder(7)];
        for elders in [[one, other], [other, one]] {
            let mut graph = Graph::new(true, &Budget::new(1 << 20));
            graph.start(StateId(0)).unwrap();
            let here = GlobalId { state: StateId(0), worker: 0 };
            for (placed, elder) in [Placed::New(StateId(1)), Placed::Next(StateId(1))].into_iter().zip(elders)
            {
                graph.enter((placed, &[2]), 0, here, elder).unwrap();
            }
            // Later ones come too late for what is already expanded.
            graph.enter((Placed::Old(StateId(1)), &[2]), 0, here, Elder(9)).unwrap();
            assert_eq!(graph.expand(StateId(1), &[2], false, 0), Ok(other));
        }
    }
}
