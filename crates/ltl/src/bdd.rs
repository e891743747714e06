//! Binary decision diagrams (Bryant 1986), reduced and ordered: the canonical form of the Boolean
//! functions that the tableau and the guards are made of.
//!
//! Invariant: two functions are equal iff their [`Bdd`]s are. After as many steps as were allowed the manager
//! does no more and says so: results are then meaningless, and are not remembered.

use hashbrown::HashMap;

use crate::{Cube, Error};

/// A Boolean function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Bdd(u32);

impl Bdd {
    pub(crate) const FALSE: Bdd = Bdd(0);
    pub(crate) const TRUE: Bdd = Bdd(1);
}

/// A function that is the sum of more products than this is too large to be written down.
const MAX_CUBES: usize = 2000;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Operation {
    And,
    Or,
    Without,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    variable: u32,
    low: Bdd,
    high: Bdd,
}

/// The manager of diagrams.
pub(crate) struct Bdds {
    nodes: Vec<Node>,
    unique: HashMap<Node, Bdd>,
    cache: HashMap<(Operation, Bdd, Bdd), Bdd>,
    allowed: u64,
    unpaid: u64,
    is_full: bool,
}

impl Bdds {
    pub(crate) fn new() -> Self {
        let leaf = Node { variable: u32::MAX, low: Bdd::FALSE, high: Bdd::FALSE };
        Bdds {
            nodes: vec![leaf, leaf],
            unique: HashMap::new(),
            cache: HashMap::new(),
            allowed: u64::MAX,
            unpaid: 0,
            is_full: false,
        }
    }

    /// Begins a new stage of the work, which may take so many steps. That limits time and memory: a step
    /// makes at most one node.
    pub(crate) fn allow(&mut self, steps: u64) {
        (self.allowed, self.is_full) = (steps, false);
    }

    /// Whether there were too many steps, so that results are meaningless.
    pub(crate) fn is_full(&self) -> bool {
        self.is_full
    }

    /// The work done since this was asked last.
    pub(crate) fn take_steps(&mut self) -> u64 {
        std::mem::take(&mut self.unpaid)
    }

    pub(crate) fn variable(&mut self, variable: u32) -> Bdd {
        self.node(variable, Bdd::FALSE, Bdd::TRUE)
    }

    pub(crate) fn and(&mut self, a: Bdd, b: Bdd) -> Bdd {
        self.apply(Operation::And, a, b)
    }

    pub(crate) fn or(&mut self, a: Bdd, b: Bdd) -> Bdd {
        self.apply(Operation::Or, a, b)
    }

    /// `a && !b`
    pub(crate) fn without(&mut self, a: Bdd, b: Bdd) -> Bdd {
        self.apply(Operation::Without, a, b)
    }

    pub(crate) fn not(&mut self, a: Bdd) -> Bdd {
        self.without(Bdd::TRUE, a)
    }

    /// The variable a function looks at first; the largest number for constants.
    pub(crate) fn top(&self, a: Bdd) -> u32 {
        self.nodes[a.0 as usize].variable
    }

    /// What a function is if its first variable is false, and if it is true.
    pub(crate) fn branches(&self, a: Bdd) -> (Bdd, Bdd) {
        let node = self.nodes[a.0 as usize];
        (node.low, node.high)
    }

    pub(crate) fn node(&mut self, variable: u32, low: Bdd, high: Bdd) -> Bdd {
        if low == high {
            return low;
        }
        let node = Node { variable, low, high };
        if let Some(&known) = self.unique.get(&node) {
            return known;
        }
        let bdd = Bdd(self.nodes.len() as u32);
        self.nodes.push(node);
        self.unique.insert(node, bdd);
        bdd
    }

    fn apply(&mut self, operation: Operation, a: Bdd, b: Bdd) -> Bdd {
        match (operation, a, b) {
            (Operation::And, Bdd::FALSE, _) | (Operation::And, _, Bdd::FALSE) => return Bdd::FALSE,
            (Operation::And, Bdd::TRUE, other) | (Operation::And, other, Bdd::TRUE) => return other,
            (Operation::Or, Bdd::TRUE, _) | (Operation::Or, _, Bdd::TRUE) => return Bdd::TRUE,
            (Operation::Or, Bdd::FALSE, other) | (Operation::Or, other, Bdd::FALSE) => return other,
            (Operation::Without, Bdd::FALSE, _) | (Operation::Without, _, Bdd::TRUE) => return Bdd::FALSE,
            (Operation::Without, other, Bdd::FALSE) => return other,
            _ => {}
        }
        if a == b {
            return if operation == Operation::Without { Bdd::FALSE } else { a };
        }
        let key = match operation {
            Operation::Without => (operation, a, b),
            _ => (operation, a.min(b), a.max(b)),
        };
        if let Some(&known) = self.cache.get(&key) {
            return known;
        }
        if self.is_full {
            return Bdd::FALSE;
        }
        self.unpaid += 1;
        self.allowed = self.allowed.saturating_sub(1);
        self.is_full = self.allowed == 0;
        let variable = self.top(a).min(self.top(b));
        let (a_low, a_high) = if self.top(a) == variable { self.branches(a) } else { (a, a) };
        let (b_low, b_high) = if self.top(b) == variable { self.branches(b) } else { (b, b) };
        let low = self.apply(operation, a_low, b_low);
        let high = self.apply(operation, a_high, b_high);
        let result = self.node(variable, low, high);
        if !self.is_full {
            self.cache.insert(key, result);
        }
        result
    }

    /// An irredundant sum of products (Minato, Morreale) of a function of propositions.
    pub(crate) fn cubes(&mut self, a: Bdd) -> Result<Vec<Cube>, Error> {
        let mut left = MAX_CUBES;
        let (cubes, _) = self.irredundant(a, a, &mut left)?;
        if self.is_full { Err(Error::TooLarge) } else { Ok(cubes) }
    }

    /// Cubes whose union, the second part of the result, lies between the two functions.
    fn irredundant(&mut self, lower: Bdd, upper: Bdd, left: &mut usize) -> Result<(Vec<Cube>, Bdd), Error> {
        if lower == Bdd::FALSE {
            return Ok((Vec::new(), Bdd::FALSE));
        }
        if upper == Bdd::TRUE {
            *left = left.checked_sub(1).ok_or(Error::TooLarge)?;
            return Ok((vec![Cube::default()], Bdd::TRUE));
        }
        if self.is_full {
            return Err(Error::TooLarge);
        }
        let variable = self.top(lower).min(self.top(upper));
        let (lower_low, lower_high) =
            if self.top(lower) == variable { self.branches(lower) } else { (lower, lower) };
        let (upper_low, upper_high) =
            if self.top(upper) == variable { self.branches(upper) } else { (upper, upper) };
        let only_low = self.without(lower_low, upper_high);
        let only_high = self.without(lower_high, upper_low);
        let (mut low_cubes, low) = self.irredundant(only_low, upper_low, left)?;
        let (mut high_cubes, high) = self.irredundant(only_high, upper_high, left)?;
        let (left_low, left_high) = (self.without(lower_low, low), self.without(lower_high, high));
        let rest = self.or(left_low, left_high);
        let both = self.and(upper_low, upper_high);
        let (cubes, free) = self.irredundant(rest, both, left)?;
        low_cubes.iter_mut().for_each(|cube| cube.negative |= 1 << variable);
        high_cubes.iter_mut().for_each(|cube| cube.positive |= 1 << variable);
        let (low, high) = (self.or(low, free), self.or(high, free));
        let union = self.node(variable, low, high);
        Ok((high_cubes.into_iter().chain(low_cubes).chain(cubes).collect(), union))
    }

    /// Whether a letter satisfies a function of propositions.
    pub(crate) fn holds(&self, mut a: Bdd, letter: u64) -> bool {
        while a != Bdd::TRUE && a != Bdd::FALSE {
            let (low, high) = self.branches(a);
            a = if letter >> self.top(a) & 1 == 1 { high } else { low };
        }
        a == Bdd::TRUE
    }

    /// Some letter that satisfies a function of propositions, which must not be false.
    pub(crate) fn some_letter(&self, mut a: Bdd) -> u64 {
        let mut letter = 0;
        while a != Bdd::TRUE {
            let (low, high) = self.branches(a);
            if low == Bdd::FALSE {
                letter |= 1 << self.top(a);
                a = high;
            } else {
                a = low;
            }
        }
        letter
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_functions_are_the_same_diagram() {
        let mut bdds = Bdds::new();
        let [a, b, c] = [0, 1, 2].map(|variable| bdds.variable(variable));
        let ab = bdds.and(a, b);
        let ac = bdds.and(a, c);
        let left = bdds.or(ab, ac);
        let bc = bdds.or(c, b);
        let right = bdds.and(bc, a);
        assert_eq!(left, right);
        let not_left = bdds.not(left);
        assert_eq!(bdds.and(not_left, right), Bdd::FALSE);
        assert_eq!(bdds.or(not_left, right), Bdd::TRUE);
    }

    #[test]
    fn cubes_cover_exactly_the_function() {
        let mut bdds = Bdds::new();
        let [a, b, c] = [0, 1, 2].map(|variable| bdds.variable(variable));
        for table in 0..256u32 {
            let mut function = Bdd::FALSE;
            for letter in (0..8).filter(|letter| table >> letter & 1 == 1) {
                let mut minterm = Bdd::TRUE;
                for (bit, variable) in [a, b, c].into_iter().enumerate() {
                    let literal = if letter >> bit & 1 == 1 { variable } else { bdds.not(variable) };
                    minterm = bdds.and(minterm, literal);
                }
                function = bdds.or(function, minterm);
            }
            let cubes = bdds.cubes(function).expect("it is small");
            for letter in 0..8 {
                let covered = cubes.iter().any(|cube| cube.holds(letter));
                assert_eq!(covered, table >> letter & 1 == 1, "{table:b} {letter:b}");
                assert_eq!(covered, bdds.holds(function, letter));
            }
            if function != Bdd::FALSE {
                assert_eq!(table >> bdds.some_letter(function) & 1, 1);
            }
        }
    }
}
