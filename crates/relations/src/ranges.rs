//! Sets of values of one variable: what a guard that looks at nothing else allows.
//!
//! Exact, never approximate: a guard whose values cannot be told is not given one.

use stubborn_ir::BinaryOp;

/// A set of 32-bit values as disjoint, ordered, inclusive ranges.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ranges(Vec<(i32, i32)>);

impl Ranges {
    /// One value.
    pub fn one(value: i32) -> Self {
        Ranges(vec![(value, value)])
    }

    /// The values `v` with `v op bound`; none for an operator that does not compare.
    pub fn comparison(op: BinaryOp, bound: i32) -> Option<Self> {
        let below = |end: Option<i32>| end.map(|end| (i32::MIN, end));
        let above = |start: Option<i32>| start.map(|start| (start, i32::MAX));
        let ranges = match op {
            BinaryOp::Eq => vec![Some((bound, bound))],
            BinaryOp::Ne => vec![below(bound.checked_sub(1)), above(bound.checked_add(1))],
            BinaryOp::Lt => vec![below(bound.checked_sub(1))],
            BinaryOp::Le => vec![below(Some(bound))],
            BinaryOp::Gt => vec![above(bound.checked_add(1))],
            BinaryOp::Ge => vec![above(Some(bound))],
            _ => return None,
        };
        Some(Ranges(ranges.into_iter().flatten().collect()))
    }

    /// The values of `0..n` that `allowed` holds for.
    pub fn of_small(n: i32, allowed: impl Fn(i32) -> Option<bool>) -> Option<Self> {
        let mut ranges: Vec<(i32, i32)> = Vec::new();
        for value in 0..n {
            if !allowed(value)? {
                continue;
            }
            match ranges.last_mut() {
                Some((_, end)) if *end == value - 1 => *end = value,
                _ => ranges.push((value, value)),
            }
        }
        Some(Ranges(ranges))
    }

    /// Whether a value is in the set.
    pub fn contains(&self, value: i32) -> bool {
        self.0.iter().any(|&(start, end)| (start..=end).contains(&value))
    }

    /// Whether with each value all greater ones are in the set, if `direction` is positive, or all smaller ones.
    pub fn has_all_beyond(&self, direction: i32) -> bool {
        match &*self.0 {
            [] => true,
            [(start, end)] => {
                if direction > 0 {
                    *end == i32::MAX
                } else {
                    *start == i32::MIN
                }
            }
            _ => false,
        }
    }

    /// The value, if it is just one.
    pub fn only(&self) -> Option<i32> {
        match &*self.0 {
            [(start, end)] if start == end => Some(*start),
            _ => None,
        }
    }

    /// Whether no value is in both.
    pub fn is_disjoint(&self, other: &Ranges) -> bool {
        self.0.iter().all(|&(start, end)| other.0.iter().all(|&(s, e)| end < s || e < start))
    }

    /// All values that are not in the set.
    pub fn complement(&self) -> Ranges {
        let mut rest = Vec::new();
        let mut next = Some(i32::MIN);
        for &(start, end) in &self.0 {
            if let Some(from) = next
                && from < start
            {
                rest.push((from, start - 1));
            }
            next = end.checked_add(1);
        }
        if let Some(from) = next {
            rest.push((from, i32::MAX));
        }
        Ranges(rest)
    }

    /// All values that are in both.
    pub fn intersection(&self, other: &Ranges) -> Ranges {
        let mut common = Vec::new();
        for &(start, end) in &self.0 {
            let cut = |&(s, e): &(i32, i32)| (start.max(s), end.min(e));
            common.extend(other.0.iter().map(cut).filter(|(start, end)| start <= end));
        }
        Ranges(common)
    }

    /// All values that are in one of the two.
    pub fn union(&self, other: &Ranges) -> Ranges {
        self.complement().intersection(&other.complement()).complement()
    }

    /// The least and the greatest value that is in `least..=greatest` too, if there is one.
    pub fn within(&self, (least, greatest): (i32, i32)) -> Option<(i32, i32)> {
        let cut = |&(start, end): &(i32, i32)| (start.max(least), end.min(greatest));
        let mut parts = self.0.iter().map(cut).filter(|(start, end)| start <= end);
        let (start, end) = parts.next()?;
        Some((start, parts.next_back().map_or(end, |(_, end)| end)))
    }

    /// The greatest value, if there is one.
    pub fn max(&self) -> Option<i32> {
        self.0.last().map(|&(_, end)| end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_agree_with_the_operators() {
        type Holds = fn(i32, i32) -> bool;
        let ops: [(BinaryOp, Holds); 6] = [
            (BinaryOp::Eq, |a, b| a == b),
            (BinaryOp::Ne, |a, b| a != b),
            (BinaryOp::Lt, |a, b| a < b),
            (BinaryOp::Le, |a, b| a <= b),
            (BinaryOp::Gt, |a, b| a > b),
            (BinaryOp::Ge, |a, b| a >= b),
        ];
        let values = [i32::MIN, i32::MIN + 1, -1, 0, 1, 7, i32::MAX - 1, i32::MAX];
        for (op, holds) in ops {
            for bound in values {
                let ranges = Ranges::comparison(op, bound).unwrap();
                for value in values {
                    assert_eq!(ranges.contains(value), holds(value, bound), "{value} {op:?} {bound}");
                    assert_ne!(ranges.complement().contains(value), ranges.contains(value));
                }
                assert!(ranges.is_disjoint(&ranges.complement()));
            }
        }
        assert_eq!(Ranges::comparison(BinaryOp::Add, 1), None);
    }

    #[test]
    fn within_an_interval() {
        let not = |bound| Ranges::comparison(BinaryOp::Ne, bound).unwrap();
        assert_eq!(not(0).within((0, 255)), Some((1, 255)));
        assert_eq!(not(255).within((0, 255)), Some((0, 254)));
        assert_eq!(not(7).within((0, 255)), Some((0, 255)));
        assert_eq!(not(7).within((7, 7)), None);
        assert_eq!(Ranges::one(7).within((0, 6)), None);
    }

    #[test]
    fn sets_of_two() {
        let [low, high] =
            [(BinaryOp::Lt, 4), (BinaryOp::Gt, 9)].map(|(op, n)| Ranges::comparison(op, n).unwrap());
        let middle = low.union(&high).complement();
        assert_eq!(middle, Ranges::of_small(256, |v| Some((4..=9).contains(&v))).unwrap());
        assert_eq!(middle.union(&low), high.complement());
        assert_eq!(middle.intersection(&low.complement()), middle);
        assert!(low.intersection(&high).intersection(&middle).max().is_none());
        let [three, five] = [3, 5].map(Ranges::one);
        assert_eq!(three.union(&five), Ranges::of_small(256, |v| Some(v == 3 || v == 5)).unwrap());
    }

    #[test]
    fn small_sets() {
        let odd = Ranges::of_small(256, |v| Some(v % 2 == 1)).unwrap();
        assert!(odd.contains(255) && !odd.contains(256) && odd.max() == Some(255));
        assert_eq!(Ranges::of_small(256, |v| (v < 9).then_some(true)), None);
    }
}
