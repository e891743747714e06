//! Products of two automata over the same classes of letters, and whether they accept a common word.

use hashbrown::HashMap;

use crate::Error;
use crate::automaton::Automaton;
use crate::budget::Budget;
use crate::graph::{Arc, Components};

/// Whether no word is accepted by both.
pub(crate) fn are_disjoint(a: &Automaton, b: &Automaton, budget: &Budget) -> Result<bool, Error> {
    let product = Product::new(a, b, &[(a.initial, b.initial)], budget)?;
    Ok(!product.accepting().contains(&true))
}

/// The pairs of states that can be reached from some pairs.
pub(crate) struct Product {
    /// The pairs; those it was started from come first.
    pub(crate) pairs: Vec<(usize, usize)>,
    pub(crate) rows: Vec<Vec<ProductEdge>>,
    full: u128,
}

pub(crate) struct ProductEdge {
    target: usize,
    marks: u128,
}

impl Arc for ProductEdge {
    fn target(&self) -> usize {
        self.target
    }

    fn marks(&self) -> u128 {
        self.marks
    }
}

impl Product {
    pub(crate) fn new(
        a: &Automaton,
        b: &Automaton,
        start: &[(usize, usize)],
        budget: &Budget,
    ) -> Result<Self, Error> {
        let mut numbers = Numbers::new(a.n_states(), b.n_states());
        let mut pairs = Vec::new();
        for &pair in start {
            numbers.number(pair, &mut pairs);
        }
        let mut rows = Vec::new();
        while rows.len() < pairs.len() {
            let (p, q) = pairs[rows.len()];
            let weight = a.rows[p].first().map_or(1, |edge| edge.letters.weight());
            budget.spend((1 + a.rows[p].len() * b.rows[q].len()) as u64 * weight)?;
            let mut row = Vec::new();
            for left in &a.rows[p] {
                for right in b.rows[q].iter().filter(|right| left.letters.meets(&right.letters)) {
                    let target = numbers.number((left.target, right.target), &mut pairs);
                    let marks = u128::from(left.marks) | u128::from(right.marks) << 64;
                    row.push(ProductEdge { target, marks });
                }
            }
            rows.push(row);
        }
        let full = u128::from(a.full()) | u128::from(b.full()) << 64;
        Ok(Product { pairs, rows, full })
    }

    /// Whether each component has an accepting cycle.
    fn accepting(&self) -> Vec<bool> {
        Components::new(&self.rows).accepting(&self.rows, self.full)
    }

    /// Whether a common word is accepted from each pair.
    pub(crate) fn live(&self) -> Vec<bool> {
        let components = Components::new(&self.rows);
        let live = components.live(&self.rows, self.full);
        components.of.iter().map(|&component| live[component]).collect()
    }
}

/// Numbers of pairs: a table if it is small, a map otherwise.
enum Numbers {
    Table(Vec<u32>, usize),
    Map(HashMap<(usize, usize), usize>),
}

const MAX_TABLE: usize = 1 << 16;

impl Numbers {
    fn new(n_left: usize, n_right: usize) -> Self {
        if n_left * n_right <= MAX_TABLE {
            Numbers::Table(vec![u32::MAX; n_left * n_right], n_right)
        } else {
            Numbers::Map(HashMap::new())
        }
    }

    fn number(&mut self, pair: (usize, usize), pairs: &mut Vec<(usize, usize)>) -> usize {
        let next = pairs.len();
        let number = match self {
            Numbers::Table(table, width) => {
                let cell = &mut table[pair.0 * *width + pair.1];
                if *cell == u32::MAX {
                    *cell = next as u32;
                }
                *cell as usize
            }
            Numbers::Map(map) => *map.entry(pair).or_insert(next),
        };
        if number == next {
            pairs.push(pair);
        }
        number
    }
}
