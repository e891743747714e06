//! Packed states as trees of parts that many of them share.
//!
//! Tree compression after Laarman, van de Pol and Weber, "Parallel Recursive State Compression for Free" (2011), as in
//! LTSmin: a state is cut into leaves; equal leaves are one, and so are equal pairs of nodes. A state is then the pair
//! at its root, eight bytes, whatever its width; what changes seldom costs nothing again.
//!
//! The tree is complete, with room for a power of two of leaves, and a node of nothing but zeros has the number 0. So
//! a state is the same with zeros appended, and one more level on top makes room for wider states.
//!
//! The nodes of the state folded last are kept: the next one is mostly another successor of the same state, and only
//! what is different in it is looked up.

use crate::budget::{Budget, OutOfMemory};
use crate::prefetch::prefetch;
use crate::table::{Growth, Lookup, Numbered, Table, place};

/// Bytes of a leaf.
const LEAF: usize = 16;

type Leaf = [u8; LEAF];

/// Different things, by number: from 1 on, 0 is what is all zero.
#[derive(Debug)]
struct Shared<T> {
    table: Table,
    all: Vec<T>,
}

/// The nodes of all trees.
#[derive(Debug)]
pub(crate) struct Tree {
    leaves: Shared<Leaf>,
    pairs: Shared<u64>,
    /// Leaves of a tree, as a power of two.
    height: u32,
    /// The bytes folded last, a leaf at a time.
    last: Vec<Leaf>,
    /// Their nodes: those below node `n` are `2 * n` and `2 * n + 1`, and leaf `i` is node `last.len() + i`. Node 1 is
    /// the root and has no number.
    nodes: Vec<u32>,
    /// Nodes below which something is different.
    changed: Vec<usize>,
}

/// A well-distributed hash of a pair, or of the root of a state.
#[inline]
pub(crate) fn hash_pair(pair: u64) -> u64 {
    let product = u128::from(pair ^ 0x9E37_79B9_7F4A_7C15) * u128::from(0xD6E8_FEB8_6659_FD93u64);
    let mixed = (product >> 64) as u64 ^ product as u64;
    mixed.wrapping_mul(0xA076_1D64_78BD_642F) ^ (mixed >> 29)
}

/// Numbered from 0 on in the order of a list.
struct Listed<'a, T, F> {
    all: &'a [T],
    hash_of: F,
}

impl<T, F: Fn(&T) -> u64> Numbered for Listed<'_, T, F> {
    #[inline]
    fn place(&self, id: u32) -> u32 {
        place((self.hash_of)(&self.all[id as usize]))
    }

    #[inline]
    fn fetch(&self, id: u32) {
        prefetch(&self.all[id as usize]);
    }
}

fn hash_leaf(leaf: &Leaf) -> u64 {
    rapidhash::v3::rapidhash_v3(leaf)
}

impl<T: PartialEq + Copy> Shared<T> {
    fn new() -> Self {
        Shared { table: Table::new(Growth::Quarter), all: Vec::new() }
    }

    /// The number of something that is not all zero.
    fn number(
        &mut self,
        it: T,
        hash_of: impl Fn(&T) -> u64,
        budget: &mut Budget,
    ) -> Result<u32, OutOfMemory> {
        let hash = hash_of(&it);
        let Shared { table, all } = self;
        let free = match table.find(hash, |id| all[id as usize] == it) {
            Lookup::Found(id) => return Ok(id + 1),
            Lookup::Free(slot) => slot,
        };
        let mut slot = free;
        if table.reserve(hash, &Listed { all, hash_of: &hash_of }, budget)?
            && let Lookup::Free(new_slot) = table.find(hash, |_| false)
        {
            slot = new_slot;
        }
        budget.push(all, it)?;
        table.fill(slot, hash);
        Ok(all.len() as u32)
    }
}

impl Tree {
    /// No nodes; states will be about `width` bytes wide.
    pub(crate) fn new(width: usize) -> Self {
        let height = width.div_ceil(LEAF).next_power_of_two().ilog2().max(1);
        let n_leaves = 1 << height;
        Tree {
            leaves: Shared::new(),
            pairs: Shared::new(),
            height,
            last: vec![[0; LEAF]; n_leaves],
            nodes: vec![0; 2 * n_leaves],
            changed: Vec::new(),
        }
    }

    /// The widest states there is room for.
    pub(crate) fn width(&self) -> usize {
        LEAF << self.height
    }

    /// The root of a state that there is room for.
    pub(crate) fn fold(&mut self, state: &[u8], budget: &mut Budget) -> Result<u64, OutOfMemory> {
        let folded = self.fold_changes(state, budget);
        if folded.is_err() {
            self.forget_last();
        }
        folded
    }

    /// As if a state of zeros had been folded last.
    fn forget_last(&mut self) {
        self.last.fill([0; LEAF]);
        self.nodes.fill(0);
    }

    fn fold_changes(&mut self, state: &[u8], budget: &mut Budget) -> Result<u64, OutOfMemory> {
        let n_leaves = self.last.len();
        self.changed.clear();
        let (whole, rest) = state.as_chunks::<LEAF>();
        let mut end = [0; LEAF];
        end[..rest.len()].copy_from_slice(rest);
        let zeros = std::iter::repeat_n(&[0; LEAF], n_leaves - state.len().div_ceil(LEAF));
        let all = whole.iter().chain((!rest.is_empty()).then_some(&end)).chain(zeros);
        for (index, leaf) in all.enumerate() {
            if self.last[index] == *leaf {
                continue;
            }
            let number = if *leaf == [0; LEAF] { 0 } else { self.leaves.number(*leaf, hash_leaf, budget)? };
            self.last[index] = *leaf;
            self.nodes[n_leaves + index] = number;
            self.change_above(n_leaves + index);
        }
        // What is above comes after what is below: level by level.
        let mut next = 0;
        while next < self.changed.len() {
            let node = self.changed[next];
            next += 1;
            if node == 1 {
                continue;
            }
            let pair = self.pair(node);
            self.nodes[node] =
                if pair == 0 { 0 } else { self.pairs.number(pair, |pair| hash_pair(*pair), budget)? };
            self.change_above(node);
        }
        Ok(self.pair(1))
    }

    /// Notes that what is above a node has to be found again.
    fn change_above(&mut self, node: usize) {
        // Nodes of a level change from left to right, so that a node is noted at most once.
        if self.changed.last() != Some(&(node / 2)) {
            self.changed.push(node / 2);
        }
    }

    fn pair(&self, node: usize) -> u64 {
        u64::from(self.nodes[2 * node]) << 32 | u64::from(self.nodes[2 * node + 1])
    }

    /// Appends a state, given by its root, with zeros up to [`Tree::width`].
    pub(crate) fn unfold(&self, root: u64, state: &mut Vec<u8>) {
        self.unfold_below(root, self.height - 1, state);
    }

    /// What is below a pair whose halves are that far from the leaves.
    fn unfold_below(&self, pair: u64, height: u32, state: &mut Vec<u8>) {
        for number in [(pair >> 32) as u32, pair as u32] {
            match (number.checked_sub(1), height) {
                (None, _) => state.resize(state.len() + (LEAF << height), 0),
                (Some(leaf), 0) => state.extend_from_slice(&self.leaves.all[leaf as usize]),
                (Some(pair), _) => self.unfold_below(self.pairs.all[pair as usize], height - 1, state),
            }
        }
    }

    /// The root that a state will have when there is room for states twice as wide.
    pub(crate) fn raised(&mut self, root: u64, budget: &mut Budget) -> Result<u64, OutOfMemory> {
        let left = if root == 0 { 0 } else { self.pairs.number(root, |pair| hash_pair(*pair), budget)? };
        Ok(u64::from(left) << 32)
    }

    /// Makes room for states twice as wide, of all of which the roots were [raised](Tree::raised).
    pub(crate) fn heighten(&mut self) {
        self.height += 1;
        let n_leaves = 1 << self.height;
        self.last.resize(n_leaves, [0; LEAF]);
        self.nodes.resize(2 * n_leaves, 0);
        self.forget_last();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// States that are alike: a few bytes of the one before are changed.
    fn states(n: usize, width: usize) -> Vec<Vec<u8>> {
        let mut random = 1u64;
        let mut next = move |below: usize| {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (random >> 33) as usize % below
        };
        let mut state = vec![0; width];
        (0..n)
            .map(|_| {
                for _ in 0..1 + next(3) {
                    state[next(width)] = next(4) as u8;
                }
                state.clone()
            })
            .collect()
    }

    #[test]
    fn folding_and_unfolding_give_the_state_and_equal_states_have_equal_roots() {
        for width in [1, 16, 17, 40, 64, 200, 1000] {
            let mut budget = Budget::new(usize::MAX);
            let mut tree = Tree::new(width);
            let all = states(500, width);
            let roots: Vec<u64> = all.iter().map(|s| tree.fold(s, &mut budget).unwrap()).collect();
            for (state, root) in all.iter().zip(&roots) {
                let mut unfolded = Vec::new();
                tree.unfold(*root, &mut unfolded);
                assert_eq!(unfolded.len(), tree.width());
                assert_eq!(unfolded[..width], **state);
                assert!(unfolded[width..].iter().all(|&byte| byte == 0));
                assert_eq!(tree.fold(state, &mut budget), Ok(*root));
                let narrow = state.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
                assert_eq!(tree.fold(&state[..narrow], &mut budget), Ok(*root));
            }
            for (i, one) in all.iter().enumerate() {
                for (j, other) in all.iter().enumerate() {
                    assert_eq!(one == other, roots[i] == roots[j]);
                }
            }
        }
    }

    #[test]
    fn a_higher_tree_has_the_same_states() {
        let mut budget = Budget::new(usize::MAX);
        let mut tree = Tree::new(40);
        let all = states(200, 40);
        let mut roots: Vec<u64> = all.iter().map(|s| tree.fold(s, &mut budget).unwrap()).collect();
        let width = tree.width();
        roots.iter_mut().for_each(|root| *root = tree.raised(*root, &mut budget).unwrap());
        tree.heighten();
        assert_eq!(tree.width(), 2 * width);
        for (state, root) in all.iter().zip(&roots) {
            assert_eq!(tree.fold(state, &mut budget), Ok(*root));
            let mut unfolded = Vec::new();
            tree.unfold(*root, &mut unfolded);
            assert_eq!(unfolded[..40], **state);
        }
    }

    #[test]
    fn what_does_not_change_costs_nothing() {
        let mut budget = Budget::new(usize::MAX);
        let mut tree = Tree::new(1000);
        let mut state = vec![7; 1000];
        for n in 0..10_000u32 {
            state[500..504].copy_from_slice(&n.to_le_bytes());
            tree.fold(&state, &mut budget).unwrap();
        }
        // A leaf, and a pair on each of the five levels between it and the root, which levels may share.
        assert!((10_000..=50_100).contains(&tree.pairs.all.len()), "{} pairs", tree.pairs.all.len());
        assert_eq!(tree.leaves.all.len(), 10_002);
    }
}
