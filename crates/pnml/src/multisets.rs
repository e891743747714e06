//! Multisets in inscriptions and markings: XML to [`Bag`]s.
//!
//! Reference: ISO/IEC 15909-2, multiset terms of symmetric nets. A multiset in a component of a tuple means all tuples
//! with its members there; a single value where a multiset is expected, that value once. Invariant: every token of a bag
//! that is read has one component, a value of the sort that was asked for.

use stubborn_base::Span;

use crate::bag::{Bag, TooLarge};
use crate::declarations::attribute;
use crate::sort::{Kind, MAX_VALUES, Sort};
use crate::term::Term;
use crate::terms::Terms;
use crate::xml::Node;

impl<'a> Terms<'a, '_> {
    /// A multiset over a sort.
    pub(crate) fn multiset(&mut self, node: Node<'a>, sort: &Sort) -> Option<Bag> {
        match node.name() {
            "add" => {
                let mut sum = Bag::default();
                for bag in self.multisets(node, sort)? {
                    let added = sum.add(bag);
                    self.bounded(node.tag(), added)?;
                }
                Some(sum)
            }
            "subtract" => {
                let mut bags = self.multisets(node, sort)?;
                if bags.is_empty() {
                    return self.report.error("syntax", node.tag(), "a difference has operands");
                }
                let from = bags.remove(0);
                let difference = from.minus(bags);
                if difference.is_none() {
                    let message = "more is taken away than there is";
                    self.report.error::<()>("type", node.tag(), message);
                }
                difference
            }
            "numberof" => {
                let operands = self.operands(node, Some(2))?;
                let n = self.natural(operands[0])?;
                let product = self.multiset(operands[1], sort)?.times(n);
                self.bounded(node.tag(), product)
            }
            "empty" => Some(Bag::default()),
            "all" => {
                let of = match node.children().next() {
                    Some(of) => self.declarations.sort(of, self.report)?,
                    None => sort.clone(),
                };
                if !of.fits(sort) {
                    return self.mismatch(node.tag(), sort);
                }
                let values = self.bounded(node.tag(), of.values().ok_or(TooLarge))?;
                Some(Bag::of(values))
            }
            "tuple" => {
                let operands = self.operands(node, None)?;
                match sort.kind() {
                    Kind::Product(parts) if parts.len() == operands.len() => {
                        let mut product = Bag::unit();
                        for (operand, part) in operands.into_iter().zip(parts) {
                            let crossed = product.cross(&self.multiset(operand, part)?);
                            product = self.bounded(node.tag(), crossed)?;
                        }
                        Some(product.map(&|row| vec![Term::Tuple(row).folded()]))
                    }
                    // Says what is wrong.
                    _ => self.term(node, sort).map(Bag::one),
                }
            }
            _ => self.term(node, sort).map(Bag::one),
        }
    }

    fn multisets(&mut self, node: Node<'a>, sort: &Sort) -> Option<Vec<Bag>> {
        let operands = self.operands(node, None)?;
        let bags: Vec<Option<Bag>> =
            operands.into_iter().map(|operand| self.multiset(operand, sort)).collect();
        bags.into_iter().collect()
    }

    /// A constant of the natural numbers.
    fn natural(&mut self, node: Node<'a>) -> Option<u64> {
        if node.name() != "numberconstant" {
            return self.report.unsupported(node, "as a number of tokens");
        }
        let value = attribute(node, "value", self.report)?;
        natural(value.text).or_else(|| {
            let message = format!("`{}` is no number of tokens", value.text);
            self.report.error("syntax", value.span, message)
        })
    }

    fn bounded<T>(&mut self, span: Span, result: Result<T, TooLarge>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(TooLarge) => {
                let message = format!("this is more than {MAX_VALUES} different tokens, or too many of one");
                self.report.error("too-large", span, message)
            }
        }
    }
}

/// A natural number; the greatest there is for greater ones.
pub(crate) fn natural(text: &str) -> Option<u64> {
    let digits = text.trim();
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().unwrap_or(u64::MAX))
}
