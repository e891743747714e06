//! Letters, and the guards on the edges of automata.

/// The set of propositions that hold in a position of a word: bit `n` for proposition `n`.
pub type Letter = u64;

/// A conjunction of propositions and negated propositions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Cube {
    /// Those that must hold.
    pub positive: u64,
    /// Those that must not hold.
    pub negative: u64,
}

impl Cube {
    /// Satisfied by this letter alone, as far as the first propositions go.
    pub fn of(letter: Letter, n_propositions: usize) -> Self {
        let mask = 1u64.checked_shl(n_propositions as u32).map_or(u64::MAX, |bit| bit - 1);
        Cube { positive: letter & mask, negative: !letter & mask }
    }

    /// Whether the letter satisfies it.
    pub fn holds(self, letter: Letter) -> bool {
        letter & self.positive == self.positive && letter & self.negative == 0
    }

    /// The propositions it mentions, in order, and whether each must hold.
    pub fn literals(self) -> impl Iterator<Item = (usize, bool)> {
        (0..64)
            .filter(move |bit| (self.positive | self.negative) >> bit & 1 == 1)
            .map(move |bit| (bit, self.positive >> bit & 1 == 1))
    }
}

/// A disjunction of cubes; no cube means that no letter satisfies it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Guard {
    /// None of them is implied by the others.
    pub cubes: Vec<Cube>,
}

impl Guard {
    /// Whether the letter satisfies it.
    pub fn holds(&self, letter: Letter) -> bool {
        self.cubes.iter().any(|cube| cube.holds(letter))
    }

    /// Whether every letter satisfies it.
    pub fn is_true(&self) -> bool {
        self.cubes.contains(&Cube::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guard_holds_where_a_cube_does() {
        let cube = Cube { positive: 0b01, negative: 0b10 };
        assert!(cube.holds(0b101) && !cube.holds(0b111) && !cube.holds(0));
        assert_eq!(cube.literals().collect::<Vec<_>>(), [(0, true), (1, false)]);
        let guard = Guard { cubes: vec![cube, Cube { positive: 0b10, negative: 0b01 }] };
        assert!(guard.holds(0b10) && !guard.holds(0b11));
        assert!(!guard.is_true() && Guard { cubes: vec![Cube::default()] }.is_true());
    }
}
