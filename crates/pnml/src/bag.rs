//! Multisets of tokens, as inscriptions write them: sums of patterns, and differences of such sums.
//!
//! Reference: ISO/IEC 15909-2, multiset terms; ISO/IEC 15909-1: a difference is there only where no token is taken away
//! more often than it is there. Invariant: constants are expanded (`all`, tuples of it), and a difference of constants
//! is no difference any more.

use std::collections::BTreeMap;

use hashbrown::HashMap;
use stubborn_nets::{Addend, Expression, Pattern, Undefined, Value};

use crate::sort::{MAX_VALUES, Sort};
use crate::term::Term;

/// A multiset: the sum of its parts.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Bag {
    /// So many tokens with these components.
    pub patterns: Vec<(u64, Vec<Term>)>,
    /// Differences.
    pub differences: Vec<Difference>,
}

/// A multiset with others taken away, some times over.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Difference {
    /// How many times.
    pub count: u64,
    /// From this.
    pub from: Bag,
    /// These are taken away.
    pub minus: Vec<Bag>,
}

/// Too many tokens or patterns.
#[derive(Debug)]
pub(crate) struct TooLarge;

impl Bag {
    /// One token of one component.
    pub(crate) fn one(term: Term) -> Bag {
        Bag { patterns: vec![(1, vec![term])], differences: Vec::new() }
    }

    /// The token without components.
    pub(crate) fn unit() -> Bag {
        Bag { patterns: vec![(1, Vec::new())], differences: Vec::new() }
    }

    /// One of each.
    pub(crate) fn of(values: Vec<Value>) -> Bag {
        let patterns = values.into_iter().map(|value| (1, vec![Term::Constant(value)])).collect();
        Bag { patterns, differences: Vec::new() }
    }

    /// Adds another one to it.
    pub(crate) fn add(&mut self, other: Bag) -> Result<(), TooLarge> {
        self.patterns.extend(other.patterns);
        self.differences.extend(other.differences);
        if self.patterns.len() > MAX_VALUES { Err(TooLarge) } else { Ok(()) }
    }

    /// It, so many times.
    pub(crate) fn times(mut self, n: u64) -> Result<Bag, TooLarge> {
        if n == 0 {
            return Ok(Bag::default());
        }
        let patterns = self.patterns.iter_mut().map(|(count, _)| count);
        for count in patterns.chain(self.differences.iter_mut().map(|d| &mut d.count)) {
            *count = count.checked_mul(n).ok_or(TooLarge)?;
        }
        Ok(self)
    }

    /// It with others taken away; none if that cannot be.
    pub(crate) fn minus(self, others: Vec<Bag>) -> Option<Bag> {
        let is_constant = self.is_constant() && others.iter().all(Bag::is_constant);
        let difference = Bag {
            patterns: Vec::new(),
            differences: vec![Difference { count: 1, from: self, minus: others }],
        };
        if !is_constant {
            return Some(difference);
        }
        let tokens = difference.tokens(&[]).ok()?;
        let row = |token: Value| match token {
            Value::Seq(values) => values.iter().cloned().map(Term::Constant).collect(),
            single => vec![Term::Constant(single)],
        };
        let patterns = tokens.into_iter().map(|(token, count)| (count, row(token))).collect();
        Some(Bag { patterns, differences: Vec::new() })
    }

    /// Every token of it followed by every token of another: `(P + D) × (Q + E) = P×Q + D×(Q+E) + P×E`.
    pub(crate) fn cross(&self, other: &Bag) -> Result<Bag, TooLarge> {
        if self.patterns.len().saturating_mul(other.patterns.len()) > MAX_VALUES {
            return Err(TooLarge);
        }
        let mut product = Bag::default();
        for (count, row) in &self.patterns {
            for (other_count, other_row) in &other.patterns {
                let count = count.checked_mul(*other_count).ok_or(TooLarge)?;
                product.patterns.push((count, [&row[..], other_row].concat()));
            }
        }
        for Difference { count, from, minus } in &self.differences {
            let minus: Result<Vec<Bag>, TooLarge> = minus.iter().map(|bag| bag.cross(other)).collect();
            product.differences.push(Difference { count: *count, from: from.cross(other)?, minus: minus? });
        }
        let patterns = Bag { patterns: self.patterns.clone(), differences: Vec::new() };
        for Difference { count, from, minus } in
            other.differences.iter().filter(|_| !patterns.patterns.is_empty())
        {
            let minus: Result<Vec<Bag>, TooLarge> = minus.iter().map(|bag| patterns.cross(bag)).collect();
            product.differences.push(Difference {
                count: *count,
                from: patterns.cross(from)?,
                minus: minus?,
            });
        }
        Ok(product)
    }

    /// The same with the components of each token changed.
    pub(crate) fn map(self, change: &dyn Fn(Vec<Term>) -> Vec<Term>) -> Bag {
        let patterns = self.patterns.into_iter().map(|(count, row)| (count, change(row))).collect();
        let differences = self.differences.into_iter().map(|difference| Difference {
            count: difference.count,
            from: difference.from.map(change),
            minus: difference.minus.into_iter().map(|bag| bag.map(change)).collect(),
        });
        Bag { patterns, differences: differences.collect() }
    }

    /// The same where tokens of one component are tokens of places of a sort.
    pub(crate) fn on(self, sort: &Sort) -> Bag {
        let n_components = sort.components().len();
        self.map(&|row| match (&row[..], n_components) {
            (_, 0) => Vec::new(),
            ([Term::Tuple(terms)], _) if !sort.is_simple() => terms.clone(),
            ([Term::Constant(Value::Seq(values))], _) if !sort.is_simple() => {
                values.iter().cloned().map(Term::Constant).collect()
            }
            _ => row,
        })
    }

    /// Calls `found` with all terms in it.
    pub(crate) fn for_each_term(&self, found: &mut dyn FnMut(&Term)) {
        self.patterns.iter().flat_map(|(_, row)| row).for_each(&mut *found);
        for difference in &self.differences {
            difference.from.for_each_term(found);
            difference.minus.iter().for_each(|bag| bag.for_each_term(found));
        }
    }

    fn is_constant(&self) -> bool {
        let mut is_constant = true;
        self.for_each_term(&mut |term| is_constant &= term.as_constant().is_some());
        is_constant
    }

    /// How many there are of each token.
    pub(crate) fn tokens(&self, variables: &[Value]) -> Result<BTreeMap<Value, u64>, Undefined> {
        let mut tokens: BTreeMap<Value, u64> = BTreeMap::new();
        let too_many = || Undefined("there are too many tokens".to_owned());
        let mut add = |token: Value, count: u64| {
            let sum = tokens.entry(token).or_default();
            *sum = sum.checked_add(count).ok_or_else(too_many)?;
            Ok::<(), Undefined>(())
        };
        for (count, row) in &self.patterns {
            let values: Result<Vec<Value>, Undefined> = row.iter().map(|term| term.eval(variables)).collect();
            add(Value::seq(values?), *count)?;
        }
        for difference in &self.differences {
            for (token, count) in difference.tokens(variables)? {
                add(token, count.checked_mul(difference.count).ok_or_else(too_many)?)?;
            }
        }
        Ok(tokens)
    }

    /// A sequence of pairs of a token and how many there are of it.
    pub(crate) fn value(&self, variables: &[Value]) -> Result<Value, Undefined> {
        let tokens = self.tokens(variables)?;
        let pairs = tokens.into_iter().map(|(token, count)| {
            let count =
                u32::try_from(count).map_err(|_| Undefined("there are too many tokens".to_owned()))?;
            Ok(Value::seq([token, Value::Int(i64::from(count))]))
        });
        Ok(Value::seq(pairs.collect::<Result<Vec<Value>, Undefined>>()?))
    }

    /// As parts of the sum of an arc; patterns with the same components are one. None if a number is greater than `max`.
    pub(crate) fn addends(self, max: u64) -> Option<Vec<Addend<Term>>> {
        let mut patterns: Vec<(u64, Vec<Term>)> = Vec::new();
        let mut known: HashMap<Vec<Term>, usize> = HashMap::new();
        for (count, row) in self.patterns {
            let at = *known.entry(row.clone()).or_insert(patterns.len());
            match patterns.get_mut(at) {
                Some((sum, _)) => *sum = sum.saturating_add(count),
                None => patterns.push((count, row)),
            }
        }
        let patterns = patterns.into_iter().map(|(count, components)| {
            let count = u32::try_from(count).ok().filter(|count| u64::from(*count) <= max)?;
            Some(Addend::Pattern(Pattern { count, components }))
        });
        let differences = self.differences.into_iter().map(|difference| {
            let bag = Bag { patterns: Vec::new(), differences: vec![difference] };
            Some(Addend::Multiset(Term::Multiset(Box::new(bag))))
        });
        patterns.chain(differences).collect()
    }
}

impl Difference {
    /// What is left, once.
    fn tokens(&self, variables: &[Value]) -> Result<BTreeMap<Value, u64>, Undefined> {
        let mut left = self.from.tokens(variables)?;
        for minus in &self.minus {
            for (token, count) in minus.tokens(variables)? {
                let rest = left.get_mut(&token).filter(|there| **there >= count);
                let rest = rest
                    .ok_or_else(|| Undefined(format!("there are not {count} of {token:?} to take away")))?;
                *rest -= count;
            }
        }
        left.retain(|_, count| *count > 0);
        Ok(left)
    }
}
