//! Choices made before, told by what they rest on.
//!
//! What is chosen in a state rests on who is where, on which steps are enabled, and on what a search for a set asks besides:
//! whether a few guards are false, what a few channel operations find. States that agree on the first two share an
//! [`Outline`]. A search asks one thing after the other, and what it asks next is a matter of the answers so far: so the
//! searches for the states of an outline are a tree of questions, with a choice at each leaf. A state is told by following
//! its answers, which takes a small part of a search.
//!
//! Invariant: two states that share an outline, and have the same answers to what the search for one of them asked, have the
//! same choice, see [`Look`]. All of it is dropped when relations or the layout grow, and when there is too much of it. A
//! small state space is over before anything is worth being kept: the first states are not looked up.

use hashbrown::HashTable;
use rapidhash::v3::rapidhash_v3;
use stubborn_base::Idx;
use stubborn_ir::{InstanceId, Interpreter, Model, Slot};
use stubborn_relations::Relations;

use crate::look::{Answer, Asked, Look, Query};

/// Choices made before.
#[derive(Debug, Default)]
pub(crate) struct Recall<'m> {
    /// What it was filled under: the width of states, and how many incarnations there were.
    valid_for: (usize, usize),
    /// Bytes that say who is where.
    places: Vec<u32>,
    outlines: Vec<Outline>,
    by_outline: HashTable<(u64, u32)>,
    /// Keys of outlines, one after the other.
    keys: Vec<u8>,
    /// The key that is being looked up.
    key: Vec<u8>,
    nodes: Vec<Node<'m>>,
    branches: Vec<Branch>,
    worth: Use,
    /// How many states there were before anything was kept.
    n_first: u32,
}

/// States with the same processes at the same places, and the same steps.
#[derive(Debug)]
struct Outline {
    start: u32,
    len: u32,
    /// What is asked of them first.
    root: Link,
}

/// The index of a node plus 1; 0 where there is none yet.
type Link = u32;

/// What a search comes to, after some answers.
#[derive(Clone, Copy, Debug)]
enum Node<'m> {
    /// It asks this.
    Asks {
        process: InstanceId,
        query: Query<'m>,
        /// Answers there were, the last one first: the index of a branch plus 1, or 0.
        branch: u32,
    },
    /// It has chosen, by step.
    Chosen(u64),
}

/// An answer, and what it leads to.
#[derive(Clone, Copy, Debug)]
struct Branch {
    answer: Answer,
    leads_to: Link,
    /// The index of another one plus 1, or 0.
    next: u32,
}

/// Whether it is of use: where hardly anything is found again, it takes longer than to choose anew.
#[derive(Debug, Default)]
struct Use {
    n_asked: u32,
    n_found: u32,
    n_resting: u32,
}

/// Where a choice is to be kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vacancy {
    outline: u32,
}

/// What is known of a state.
pub(crate) enum Recalled {
    /// What was chosen, by step.
    Chosen(u64),
    /// Nothing, and it may be kept there.
    Nothing(Vacancy),
    /// Nothing, and it is not to be kept.
    Resting,
}

impl<'m> Recall<'m> {
    /// Bytes; more than that is forgotten.
    const MOST: usize = 8 << 20;
    /// So many states are not looked up. Where choices are doubted, all of them are: random models are small.
    const FIRST: u32 = if cfg!(debug_assertions) { 0 } else { 256 };
    /// Choices are of at most so many steps.
    pub(crate) const MOST_STEPS: usize = 64;

    /// That looks the first states up, too: faults are looked for in small models.
    pub(crate) fn at_once() -> Self {
        Recall { n_first: Self::FIRST, ..Recall::default() }
    }

    /// Looks a state up whose steps are prepared, without errors.
    pub(crate) fn find(
        &mut self,
        relations: &Relations<'_>,
        interpreter: &Interpreter<'m>,
        state: &[u8],
    ) -> Recalled {
        if self.n_first != Self::FIRST {
            self.n_first += 1;
            return Recalled::Resting;
        }
        if self.worth.is_resting() {
            return Recalled::Resting;
        }
        let valid_for = (interpreter.layout().size(), relations.n_incarnations());
        if self.valid_for != valid_for || self.size() > Self::MOST {
            self.reset(relations, interpreter);
            self.valid_for = valid_for;
        }
        self.outline_key(interpreter, state);
        let outline = self.outline();
        let found = self.choice(outline, &Look::at(interpreter, state));
        self.worth.note(found.is_some());
        found.map_or(Recalled::Nothing(Vacancy { outline }), Recalled::Chosen)
    }

    /// Whether it is time to look whether what was found is right.
    pub(crate) fn is_doubted(&self) -> bool {
        self.worth.n_asked.is_multiple_of(8)
    }

    /// Keeps what was chosen in the state that was looked up last, after these answers.
    pub(crate) fn keep(
        &mut self,
        vacancy: Vacancy,
        relations: &Relations<'_>,
        asked: &[Asked<'m>],
        chosen: u64,
    ) {
        // What was looked up before the relations grew is of the past.
        if self.valid_for.1 != relations.n_incarnations() {
            return;
        }
        let mut at = Place::Root(vacancy.outline);
        for &Asked { process, query, answer } in asked {
            let node = self.node_at(at, Node::Asks { process, query, branch: 0 });
            match self.nodes[node] {
                Node::Asks { process: other, query: known, .. } if other == process && known.is(query) => {
                    at = Place::Branch(self.branch(node, answer));
                }
                _ => {
                    debug_assert!(false, "what is asked next is a matter of the answers so far");
                    return;
                }
            }
        }
        self.node_at(at, Node::Chosen(chosen));
    }

    fn size(&self) -> usize {
        self.keys.len() + size_of_val(&*self.nodes) + size_of_val(&*self.branches)
    }

    fn reset(&mut self, relations: &Relations<'_>, interpreter: &Interpreter<'_>) {
        self.outlines.clear();
        self.by_outline.clear();
        self.keys.clear();
        self.nodes.clear();
        self.branches.clear();
        self.places.clear();
        let bytes = |slot: Slot| slot.offset..slot.offset + slot.size();
        self.places.extend(bytes(Model::num_processes_slot()));
        for (_, instance) in interpreter.layout().instances() {
            self.places.extend(bytes(instance.location));
            let fixed = relations.fixed(instance.process).iter();
            self.places.extend(fixed.flat_map(|slot| bytes(slot.shifted(instance.base))));
        }
    }

    /// Writes down who is where and what is enabled.
    fn outline_key(&mut self, interpreter: &Interpreter<'_>, state: &[u8]) {
        self.key.clear();
        // States grow: what is not there yet is zero.
        let byte = |at: &u32| state.get(*at as usize).copied().unwrap_or(0);
        self.key.extend(self.places.iter().map(byte));
        for (step, _) in interpreter.prepared() {
            self.key.extend_from_slice(&step.transition.0.to_le_bytes());
            self.key.extend_from_slice(&(step.process.index() as u16).to_le_bytes());
            // A transition comes with partners or without: which is a matter of the channel that it is about.
            let (with, partner) = step.partner.map_or((u32::MAX, 0), |(p, with)| (with.0, p.index()));
            self.key.extend_from_slice(&with.to_le_bytes());
            self.key.extend_from_slice(&(partner as u16).to_le_bytes());
        }
    }

    /// The outline with the present key.
    fn outline(&mut self) -> u32 {
        let hash = rapidhash_v3(&self.key);
        let Recall { outlines, by_outline, keys, key, .. } = self;
        let key_of = |at: u32| {
            let Outline { start, len, .. } = outlines[at as usize];
            &keys[start as usize..][..len as usize]
        };
        if let Some(&(_, at)) = by_outline.find(hash, |&(own, at)| own == hash && key_of(at) == key) {
            return at;
        }
        let at = outlines.len() as u32;
        by_outline.insert_unique(hash, (hash, at), |(hash, _)| *hash);
        outlines.push(Outline { start: keys.len() as u32, len: key.len() as u32, root: 0 });
        keys.extend_from_slice(key);
        at
    }

    /// Follows the answers of a state.
    fn choice(&self, outline: u32, look: &Look<'_, 'm>) -> Option<u64> {
        let mut at = self.outlines[outline as usize].root;
        loop {
            let (process, query, branch) = match self.nodes[at.checked_sub(1)? as usize] {
                Node::Chosen(chosen) => return Some(chosen),
                Node::Asks { process, query, branch } => (process, query, branch),
            };
            let answer = look.ask(process, query);
            at = self.branches_from(branch).find(|(_, branch)| branch.answer == answer)?.1.leads_to;
        }
    }

    /// A branch and those after it, with their indices.
    fn branches_from(&self, first: u32) -> impl Iterator<Item = (usize, &Branch)> {
        let mut at = first;
        std::iter::from_fn(move || {
            let index = at.checked_sub(1)? as usize;
            at = self.branches[index].next;
            Some((index, &self.branches[index]))
        })
    }

    /// The node at a place, where that one is put if there is none.
    fn node_at(&mut self, place: Place, new: Node<'m>) -> usize {
        let link = match place {
            Place::Root(outline) => &mut self.outlines[outline as usize].root,
            Place::Branch(branch) => &mut self.branches[branch].leads_to,
        };
        if *link == 0 {
            self.nodes.push(new);
            *link = self.nodes.len() as u32;
        }
        *link as usize - 1
    }

    /// The branch of an answer to what a node asks, which may be new.
    fn branch(&mut self, node: usize, answer: Answer) -> usize {
        let Node::Asks { branch: first, .. } = self.nodes[node] else { unreachable!("it asks something") };
        if let Some((known, _)) = self.branches_from(first).find(|(_, branch)| branch.answer == answer) {
            return known;
        }
        self.branches.push(Branch { answer, leads_to: 0, next: first });
        let Node::Asks { branch, .. } = &mut self.nodes[node] else { unreachable!("it asks something") };
        *branch = self.branches.len() as u32;
        self.branches.len() - 1
    }
}

/// Where a node is found.
#[derive(Clone, Copy)]
enum Place {
    Root(u32),
    /// By index.
    Branch(usize),
}

impl Use {
    /// So many look-ups tell.
    const TRIED: u32 = 1024;
    /// For so many states then, nothing is looked up.
    const RESTS: u32 = 16 * Self::TRIED;

    #[inline]
    fn is_resting(&mut self) -> bool {
        let rests = self.n_resting > 0;
        self.n_resting -= u32::from(rests);
        rests
    }

    #[inline]
    fn note(&mut self, is_found: bool) {
        self.n_asked += 1;
        self.n_found += u32::from(is_found);
        if self.n_asked == Self::TRIED {
            let n_resting = if self.n_found < Self::TRIED / 8 { Self::RESTS } else { 0 };
            *self = Use { n_resting, ..Use::default() };
        }
    }
}
