//! The visited states: each once, packed, with a dense number.
//!
//! A state vector grows while a model is explored, and a state is the same with
//! zeros appended (see `stubborn_ir::layout`). So hashing and comparing leave
//! trailing zeros out. Of states the bits are kept that tell them apart ([`records`](crate::records)), or they are kept as
//! trees ([`tree`](crate::tree)): long ones by themselves, once there are many of them, or as is asked for.

use std::cell::RefCell;
use std::fmt;

use rapidhash::v3::rapidhash_v3;
use stubborn_base::{Idx, define_index};

use crate::budget::{Budget, OutOfMemory};
use crate::prefetch::prefetch;
use crate::records::Records;
use crate::table::{Growth, Lookup, Numbered, Table, place};
use crate::tree::{Tree, hash_pair};

define_index! {
    /// A stored state; numbers are given in order of insertion, from 0.
    pub struct StateId;
}

/// So many states make trees pay...
const MANY: usize = 1 << 20;

/// ... if they take so many bytes when they are packed.
const LONG: usize = 32;

/// What is kept to save time is given up once so many hundredths of the memory are used.
const SCARCE: usize = 80;

/// How states are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Compression {
    /// Packed, or as trees if they are long and many; compact when memory is scarce.
    #[default]
    Auto,
    /// Packed, those found one after the other together.
    Plain,
    /// Packed, without what only saves time.
    Compact,
    /// As trees.
    Tree,
}

/// All of them.
pub const COMPRESSIONS: [Compression; 4] =
    [Compression::Auto, Compression::Plain, Compression::Compact, Compression::Tree];

impl fmt::Display for Compression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Compression::Auto => "auto",
            Compression::Plain => "plain",
            Compression::Compact => "compact",
            Compression::Tree => "tree",
        })
    }
}

/// The visited states.
#[derive(Debug)]
pub struct Store {
    table: Table,
    kept: Kept,
    compression: Compression,
}

#[derive(Debug)]
enum Kept {
    Plain(Plain),
    Tree(Box<Roots>),
}

/// States by their bytes.
#[derive(Debug)]
struct Plain {
    records: Records,
    /// By state, what the table finds it by: to find it out anew, when the table grows, takes a fifth of all time. None if
    /// that is done.
    places: Option<Places>,
}

/// States as trees.
#[derive(Debug)]
struct Roots {
    tree: Tree,
    roots: Records,
    /// Of the widest state so far.
    width: usize,
}

/// What a state is found by.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    hash: u64,
    /// The root of its tree, if states are kept as trees.
    root: u64,
}

impl Key {
    /// Of a state that is kept by its bytes.
    #[inline]
    pub fn plain(state: &[u8]) -> Self {
        Key { hash: hash(state), root: 0 }
    }

    /// The state's hash.
    #[inline]
    pub fn hash(self) -> u64 {
        self.hash
    }
}

/// Whether a state was there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Insert {
    /// It was.
    Old(StateId),
    /// It was not.
    New(StateId),
}

impl Insert {
    /// The state's number.
    pub fn id(self) -> StateId {
        match self {
            Insert::Old(id) | Insert::New(id) => id,
        }
    }
}

impl Store {
    /// No states; the first will be about `width` bytes wide.
    pub fn new(width: usize, compression: Compression) -> Self {
        let kept = match compression {
            Compression::Auto | Compression::Plain => Kept::Plain(Plain::new(width, Some(Places::default()))),
            Compression::Compact => Kept::Plain(Plain::new(width, None)),
            Compression::Tree => Kept::Tree(Box::new(Roots::new(width))),
        };
        let growth = if compression == Compression::Tree { Growth::Quarter } else { Growth::Half };
        Store { table: Table::new(growth), kept, compression }
    }

    /// Number of states.
    pub fn len(&self) -> usize {
        match &self.kept {
            Kept::Plain(plain) => plain.records.len(),
            Kept::Tree(roots) => roots.roots.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of a state at its present width.
    pub fn width(&self) -> usize {
        match &self.kept {
            Kept::Plain(plain) => plain.records.width(),
            Kept::Tree(roots) => roots.width,
        }
    }

    /// Makes `state` a stored one, as wide as states were when it was stored, or wider.
    #[inline]
    pub fn read(&self, id: StateId, state: &mut Vec<u8>) {
        state.clear();
        match &self.kept {
            Kept::Plain(plain) => plain.records.read(id, state),
            Kept::Tree(roots) => roots.read(id, state),
        }
    }

    /// A copy of a stored state.
    pub fn get(&self, id: StateId) -> Vec<u8> {
        let mut state = Vec::new();
        self.read(id, &mut state);
        state
    }

    /// Whether a state is the stored one.
    pub fn is(&self, id: StateId, state: &[u8]) -> bool {
        match &self.kept {
            Kept::Plain(plain) => plain.records.is(id, state),
            Kept::Tree(_) => without_trailing_zeros(&self.get(id)) == without_trailing_zeros(state),
        }
    }

    /// Finds a state, or adds it.
    pub fn insert(&mut self, state: &[u8], budget: &mut Budget) -> Result<Insert, OutOfMemory> {
        let key = self.key(state, budget)?;
        self.insert_by_key(state, key, budget)
    }

    /// What to insert a state with, before [`Store::compress`] is called or the key of a wider state is made.
    #[inline]
    pub(crate) fn key(&mut self, state: &[u8], budget: &mut Budget) -> Result<Key, OutOfMemory> {
        match &mut self.kept {
            Kept::Plain(_) => Ok(Key::plain(state)),
            Kept::Tree(roots) => {
                if state.len() > roots.width {
                    roots.widen(state.len(), &mut self.table, budget)?;
                }
                let root = roots.tree.fold(state, budget)?;
                Ok(Key { hash: hash_pair(root), root })
            }
        }
    }

    /// A state with this key will be inserted: its entry of the table is fetched meanwhile.
    #[inline]
    pub(crate) fn fetch_entry(&self, key: Key) {
        self.table.fetch(key.hash);
    }

    /// The same when the entry is likely to be at hand: the state that it leads to is fetched, to compare with.
    #[inline]
    pub(crate) fn fetch_state(&self, key: Key) {
        let Some(id) = self.table.first_entry(key.hash) else { return };
        match &self.kept {
            Kept::Plain(plain) => plain.records.fetch(StateId(id)),
            Kept::Tree(roots) => roots.roots.fetch(StateId(id)),
        }
    }

    /// Finds a state by its key, or adds it.
    #[inline]
    pub(crate) fn insert_by_key(
        &mut self,
        state: &[u8],
        key: Key,
        budget: &mut Budget,
    ) -> Result<Insert, OutOfMemory> {
        let Store { table, kept, .. } = self;
        let found = match kept {
            Kept::Plain(plain) => table.find(key.hash, |id| plain.records.is(StateId(id), state)),
            Kept::Tree(roots) => table.find(key.hash, |id| roots.roots.word(StateId(id)) == key.root),
        };
        let slot = match found {
            Lookup::Found(id) => return Ok(Insert::Old(StateId(id))),
            Lookup::Free(slot) => slot,
        };
        let has_moved = match kept {
            Kept::Plain(Plain { places: Some(places), .. }) => table.reserve(key.hash, places, budget)?,
            Kept::Plain(Plain { records, places: None }) => {
                table.reserve(key.hash, &Unpacked::new(records), budget)?
            }
            Kept::Tree(roots) => table.reserve(key.hash, &Trees(&roots.roots), budget)?,
        };
        let slot = match has_moved.then(|| table.find(key.hash, |_| false)) {
            Some(Lookup::Free(slot)) => slot,
            _ => slot,
        };
        let id = match kept {
            Kept::Plain(plain) => plain.push(state, key, budget)?,
            Kept::Tree(roots) => roots.roots.push(&key.root.to_le_bytes(), budget)?,
        };
        table.fill(slot, key.hash);
        Ok(Insert::New(id))
    }

    /// Keeps states in less memory from now on, if that is left to the store: as trees if they are long and many. Keys
    /// made before are of no use afterwards.
    #[inline]
    pub(crate) fn compress(&mut self, budget: &mut Budget) -> Result<(), OutOfMemory> {
        let Kept::Plain(plain) = &self.kept else { return Ok(()) };
        if self.compression != Compression::Auto || plain.records.len() < MANY {
            return Ok(());
        }
        if plain.records.bytes_per_packed() >= LONG {
            return self.make_trees(budget);
        }
        if plain.places.is_some() && budget.used() / SCARCE >= budget.limit() / 100 {
            self.make_compact(budget);
        }
        Ok(())
    }

    #[cold]
    fn make_compact(&mut self, budget: &mut Budget) {
        let Kept::Plain(plain) = &mut self.kept else { return };
        budget.give_back(plain.places.take().map_or(0, |places| places.bytes()));
    }

    #[cold]
    fn make_trees(&mut self, budget: &mut Budget) -> Result<(), OutOfMemory> {
        let mut store = Store::new(self.width(), Compression::Tree);
        let mut state = Vec::new();
        for id in 0..self.len() {
            self.read(StateId::new(id), &mut state);
            store.insert(&state, budget)?;
        }
        let bytes = self.table.bytes()
            + match &self.kept {
                Kept::Plain(plain) => plain.bytes(),
                Kept::Tree(_) => 0,
            };
        *self = store;
        budget.give_back(bytes);
        Ok(())
    }
}

impl Roots {
    fn new(width: usize) -> Self {
        Roots { tree: Tree::new(width), roots: Records::new(size_of::<u64>()), width }
    }

    fn read(&self, id: StateId, state: &mut Vec<u8>) {
        self.tree.unfold(self.roots.word(id), state);
        state.truncate(self.width);
    }

    /// Makes room for wider states.
    #[cold]
    fn widen(&mut self, width: usize, table: &mut Table, budget: &mut Budget) -> Result<(), OutOfMemory> {
        let is_higher = width > self.tree.width();
        while width > self.tree.width() {
            let mut raised = Records::new(size_of::<u64>());
            for id in 0..self.roots.len() {
                let root = self.tree.raised(self.roots.word(StateId::new(id)), budget)?;
                raised.push(&root.to_le_bytes(), budget)?;
            }
            self.tree.heighten();
            budget.give_back(self.roots.bytes());
            self.roots = raised;
        }
        self.width = width;
        if is_higher {
            let bytes = table.bytes();
            let mut higher = Table::new(Growth::Quarter);
            for id in 0..self.roots.len() {
                let hash = hash_pair(self.roots.word(StateId::new(id)));
                higher.reserve(hash, &Trees(&self.roots), budget)?;
                if let Lookup::Free(slot) = higher.find(hash, |_| false) {
                    higher.fill(slot, hash);
                }
            }
            *table = higher;
            budget.give_back(bytes);
        }
        Ok(())
    }
}

impl Plain {
    fn new(width: usize, places: Option<Places>) -> Self {
        Plain { records: Records::new(width), places }
    }

    fn push(&mut self, state: &[u8], key: Key, budget: &mut Budget) -> Result<StateId, OutOfMemory> {
        let Plain { records, places: Some(places) } = self else { return self.records.push(state, budget) };
        places.push(place(key.hash), budget)?;
        let id = records.push(state, budget);
        if id.is_err() {
            places.pop();
        }
        id
    }

    /// Bytes that the budget gave for them.
    fn bytes(&self) -> usize {
        self.records.bytes() + self.places.as_ref().map_or(0, Places::bytes)
    }
}

/// What the table finds states by, in blocks that stay where they are.
#[derive(Debug, Default)]
struct Places(Vec<Vec<u32>>);

impl Places {
    /// Entries of a block.
    const BLOCK: usize = 1 << 12;

    /// Only the first block grows as it is filled.
    fn push(&mut self, place: u32, budget: &mut Budget) -> Result<(), OutOfMemory> {
        let Places(blocks) = self;
        if blocks.last().is_none_or(|last| last.len() == Self::BLOCK) {
            let mut block = Vec::new();
            if !blocks.is_empty() {
                budget.reserve(&mut block, Self::BLOCK)?;
            }
            budget.push(blocks, block)?;
        }
        let last = blocks.last_mut().expect("there is a block with room");
        budget.push(last, place)
    }

    /// Takes the last one away.
    fn pop(&mut self) {
        self.0.last_mut().map(Vec::pop);
    }

    /// Bytes that the budget gave for them.
    fn bytes(&self) -> usize {
        let blocks: usize = self.0.iter().map(Vec::capacity).sum();
        blocks * size_of::<u32>() + self.0.capacity() * size_of::<Vec<u32>>()
    }

    #[inline]
    fn at(&self, id: u32) -> &u32 {
        &self.0[id as usize / Self::BLOCK][id as usize % Self::BLOCK]
    }
}

impl Numbered for Places {
    #[inline]
    fn place(&self, id: u32) -> u32 {
        *self.at(id)
    }

    #[inline]
    fn fetch(&self, id: u32) {
        prefetch(self.at(id));
    }
}

/// States whose places are found out anew.
struct Unpacked<'r> {
    records: &'r Records,
    state: RefCell<Vec<u8>>,
}

impl<'r> Unpacked<'r> {
    fn new(records: &'r Records) -> Self {
        Unpacked { records, state: RefCell::default() }
    }
}

impl Numbered for Unpacked<'_> {
    fn place(&self, id: u32) -> u32 {
        let mut state = self.state.borrow_mut();
        state.clear();
        self.records.read(StateId(id), &mut state);
        place(hash(&state))
    }

    #[inline]
    fn fetch(&self, id: u32) {
        self.records.fetch(StateId(id));
    }
}

/// States by the roots of their trees.
struct Trees<'r>(&'r Records);

impl Numbered for Trees<'_> {
    #[inline]
    fn place(&self, id: u32) -> u32 {
        place(hash_pair(self.0.word(StateId(id))))
    }

    #[inline]
    fn fetch(&self, id: u32) {
        self.0.fetch(StateId(id));
    }
}

/// The hash of a state that is kept by its bytes.
#[inline]
fn hash(state: &[u8]) -> u64 {
    rapidhash_v3(without_trailing_zeros(state))
}

#[inline]
fn without_trailing_zeros(state: &[u8]) -> &[u8] {
    let mut end = state.len();
    while end > 0 && state[end - 1] == 0 {
        end -= 1;
    }
    &state[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEPT: [Compression; 3] = [Compression::Plain, Compression::Compact, Compression::Tree];

    fn state(n: u32, width: usize) -> Vec<u8> {
        let mut state = vec![0; width];
        state[..4].copy_from_slice(&n.to_le_bytes());
        state
    }

    #[test]
    fn each_state_once_with_dense_numbers() {
        for compression in KEPT {
            let mut budget = Budget::new(usize::MAX);
            let mut store = Store::new(6, compression);
            for n in 0..100_000 {
                assert_eq!(store.insert(&state(n, 6), &mut budget), Ok(Insert::New(StateId(n))));
            }
            for n in 0..100_000 {
                assert_eq!(store.insert(&state(n, 6), &mut budget), Ok(Insert::Old(StateId(n))));
                assert_eq!(store.get(StateId(n)), state(n, 6));
            }
            assert_eq!(store.len(), 100_000);
        }
    }

    #[test]
    fn a_state_is_the_same_with_zeros_appended() {
        for compression in KEPT {
            let mut budget = Budget::new(usize::MAX);
            let mut store = Store::new(4, compression);
            // Widths go up and down; every hundredth state makes the vector wider.
            for n in 0..1000 {
                let width = 4 + (n as usize / 100) * 30 * (n as usize % 2);
                assert_eq!(store.insert(&state(n, width), &mut budget), Ok(Insert::New(StateId(n))));
            }
            for n in 0..1000 {
                for width in [4, 9, 600] {
                    assert_eq!(store.insert(&state(n, width), &mut budget), Ok(Insert::Old(StateId(n))));
                    assert!(store.is(StateId(n), &state(n, width)));
                    assert!(!store.is(StateId(n), &state(n + 1, width)));
                }
            }
            assert_eq!(store.len(), 1000);
        }
    }

    #[test]
    fn long_states_become_trees_when_they_are_many() {
        let mut budget = Budget::new(usize::MAX);
        let mut store = Store::new(128, Compression::Auto);
        // Two processes count, each for itself, and everything in their halves changes with that.
        let state = |n: u32| {
            let half = |n: u32| (0..64u32).map(move |at| (n.wrapping_mul(2 * at + 1) >> (at % 8)) as u8);
            let mut state: Vec<u8> = half(n % 1024 + 1).chain(half(n / 1024 + 1)).collect();
            state[..2].copy_from_slice(&((n % 1024) as u16).to_le_bytes());
            state[64..66].copy_from_slice(&((n / 1024) as u16).to_le_bytes());
            state
        };
        for n in 0..MANY as u32 + 10 {
            assert_eq!(store.insert(&state(n), &mut budget), Ok(Insert::New(StateId(n))));
            store.compress(&mut budget).unwrap();
            assert_eq!(matches!(store.kept, Kept::Tree(_)), n as usize + 1 >= MANY);
        }
        for n in 0..MANY as u32 + 10 {
            assert_eq!(store.insert(&state(n), &mut budget), Ok(Insert::Old(StateId(n))));
        }
        let per_state = budget.used() as f64 / store.len() as f64;
        assert!(per_state < 24.0, "{per_state} bytes for a state of 128");
    }

    #[test]
    fn what_only_saves_time_is_given_up_when_memory_is_scarce() {
        let mut budget = Budget::new(20 << 20);
        let mut store = Store::new(8, Compression::Auto);
        let n_states = 13 * (MANY as u32 / 8);
        for n in 0..n_states {
            assert_eq!(store.insert(&state(n, 8), &mut budget), Ok(Insert::New(StateId(n))));
            store.compress(&mut budget).unwrap();
        }
        assert!(matches!(store.kept, Kept::Plain(Plain { places: None, .. })));
        for n in 0..n_states {
            assert_eq!(store.insert(&state(n, 8), &mut budget), Ok(Insert::Old(StateId(n))));
        }
        let Kept::Plain(plain) = &store.kept else { panic!("they are packed") };
        assert_eq!(budget.used(), store.table.bytes() + plain.bytes());
    }

    #[test]
    fn a_full_budget_refuses_and_keeps_what_is_there() {
        for compression in KEPT {
            let mut budget = Budget::new(1 << 20);
            let mut store = Store::new(8, compression);
            let refused = (0..).find(|&n| store.insert(&state(n, 8), &mut budget).is_err()).unwrap();
            assert!(refused > 10_000, "refused after {refused} states");
            assert!(budget.peak() <= 1 << 20);
            assert_eq!(store.len(), refused as usize);
            for n in 0..refused {
                assert_eq!(store.insert(&state(n, 8), &mut budget), Ok(Insert::Old(StateId(n))));
            }
            assert_eq!(store.insert(&state(refused, 8), &mut budget), Err(OutOfMemory));
        }
    }
}
