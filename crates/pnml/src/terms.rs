//! Terms and conditions: XML to [`Term`]s.
//!
//! Reference: ISO/IEC 15909-2, symmetric nets. Terms are read for the sort that is asked for, and checked against it.
//! `successor` and `predecessor` go round on every simple sort, as the tools of the contest have it. Invariant: `None`
//! comes with a diagnostic, here or at the declaration that is to blame.

use hashbrown::HashMap;
use smol_str::{SmolStr, format_smolstr};
use stubborn_base::{IndexVec, Span};
use stubborn_nets::{Value, VariableId};

use crate::declarations::{Declarations, attribute, number};
use crate::report::Report;
use crate::sort::{Kind, Sort};
use crate::term::{Comparison, Term};
use crate::xml::Node;

/// The variables of a transition: those that it mentions, in the order it does.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    /// Their names and sorts; a variable of a product is one variable for each component.
    pub(crate) variables: IndexVec<VariableId, (SmolStr, Sort)>,
    /// By id, and which component of which component.
    known: HashMap<SmolStr, VariableId>,
}

impl Scope {
    fn variable(&mut self, key: SmolStr, name: &SmolStr, sort: &Sort) -> Term {
        match sort.whole().kind() {
            Kind::Dot => Term::Constant(Value::Int(0)),
            Kind::Product(parts) => {
                let part = |(at, part): (usize, &Sort)| {
                    let at = at + 1;
                    self.variable(format_smolstr!("{key}.{at}"), &format_smolstr!("{name}.{at}"), part)
                };
                Term::Tuple(parts.iter().enumerate().map(part).collect()).folded()
            }
            _ => {
                let variables = &mut self.variables;
                let new = || variables.push((name.clone(), sort.clone()));
                Term::Variable(*self.known.entry(key).or_insert_with(new))
            }
        }
    }
}

/// Reads terms.
#[derive(Debug)]
pub(crate) struct Terms<'a, 'r> {
    /// What they mention.
    pub(crate) declarations: &'r mut Declarations<'a>,
    /// What is wrong with them.
    pub(crate) report: &'r mut Report,
    /// Where their variables are; none where there must not be any.
    pub(crate) scope: Option<&'r mut Scope>,
}

impl<'a> Terms<'a, '_> {
    /// A term of a sort.
    pub(crate) fn term(&mut self, node: Node<'a>, sort: &Sort) -> Option<Term> {
        let term = match node.name() {
            "tuple" => {
                let operands = self.operands(node, None)?;
                let Kind::Product(parts) = sort.kind() else { return self.mismatch(node.tag(), sort) };
                if parts.len() != operands.len() {
                    let message = format!("{} components are expected, as {sort} has", parts.len());
                    return self.report.error("type", node.tag(), message);
                }
                let terms = operands.iter().zip(parts).map(|(operand, part)| self.term(*operand, part));
                Term::Tuple(terms.collect::<Option<Vec<Term>>>()?)
            }
            "successor" | "predecessor" => {
                let Some((first, size)) = sort.interval() else { return self.mismatch(node.tag(), sort) };
                let operands = self.operands(node, Some(1))?;
                let by = if node.name() == "successor" { 1 } else { -1 };
                Term::Shift { term: Box::new(self.term(operands[0], sort)?), by, first, size }
            }
            "finiteintrangeconstant" | "numberconstant" => {
                let value = number(node, "value", self.report)?;
                if !matches!(sort.whole().kind(), Kind::Range(..)) || !sort.contains(value) {
                    return self.mismatch(node.tag(), sort);
                }
                Term::Constant(Value::Int(value))
            }
            "all" | "add" | "subtract" | "numberof" | "empty" => {
                let message = format!("`<{}>` is a multiset; one value is expected here", node.name());
                return self.report.error("type", node.tag(), message);
            }
            _ => {
                let is_leaf = matches!(node.name(), "variable" | "useroperator" | "dotconstant");
                if !is_leaf && matches!(sort.kind(), Kind::Bool) {
                    return self.condition(node);
                }
                let own = self.sort_of(node)?;
                if !own.fits(sort) {
                    return self.mismatch(node.tag(), sort);
                }
                self.leaf(node)?
            }
        };
        Some(term.folded())
    }

    /// A term whose sort does not depend on where it stands.
    fn leaf(&mut self, node: Node<'a>) -> Option<Term> {
        match node.name() {
            "dotconstant" => Some(Term::Constant(Value::Int(0))),
            "useroperator" => {
                let id = attribute(node, "declaration", self.report)?;
                let (_, value) = self.declarations.constant(id.text)?;
                Some(Term::Constant(Value::Int(*value)))
            }
            "variable" => {
                let id = attribute(node, "refvariable", self.report)?;
                let variable = self.declarations.variable(id.text)?.clone();
                let Some(scope) = self.scope.as_deref_mut() else {
                    return self.report.error("syntax", node.tag(), "there are no variables in a marking");
                };
                Some(scope.variable(id.text.into(), &variable.name, &variable.sort?))
            }
            "partitionelementof" => {
                let operands = self.operands(node, Some(1))?;
                let id = attribute(node, "refpartition", self.report)?;
                let partition = self.declarations.sort_named(id, self.report)?;
                let Kind::Partition { of, element_of, .. } = partition.kind() else {
                    return self.report.error("type", id.span, format!("`{}` is no partition", id.text));
                };
                Some(Term::ElementOf(Box::new(self.term(operands[0], of)?), element_of.clone()))
            }
            _ => self.report.unsupported(node, "as a term"),
        }
    }

    /// The sort of a term, where the term itself tells it.
    fn sort_of(&mut self, node: Node<'a>) -> Option<Sort> {
        match node.name() {
            "dotconstant" => Some(Sort::new(Kind::Dot)),
            "booleanconstant" => Some(Sort::new(Kind::Bool)),
            "useroperator" => {
                let id = attribute(node, "declaration", self.report)?;
                match self.declarations.constant(id.text) {
                    Some((sort, _)) => Some(sort.clone()),
                    None => self.report.undeclared(id.span, "constant", id.text),
                }
            }
            "variable" => {
                let id = attribute(node, "refvariable", self.report)?;
                match self.declarations.variable(id.text) {
                    Some(variable) => variable.sort.clone(),
                    None => self.report.undeclared(id.span, "variable", id.text),
                }
            }
            "successor" | "predecessor" => {
                let operands = self.operands(node, Some(1))?;
                self.sort_of(operands[0])
            }
            "partitionelementof" => {
                let id = attribute(node, "refpartition", self.report)?;
                self.declarations.sort_named(id, self.report)
            }
            "finiteintrangeconstant" => match node.children().next() {
                Some(sort) => self.declarations.sort(sort, self.report),
                None => self.report.error("syntax", node.tag(), "a number says of which range it is"),
            },
            "tuple" => {
                let operands = self.operands(node, None)?;
                let parts: Option<Vec<Sort>> =
                    operands.iter().map(|operand| self.sort_of(*operand)).collect();
                Some(Sort::new(Kind::Product(parts?)))
            }
            _ => self.report.unsupported(node, "as a term"),
        }
    }

    /// A condition: 0 or 1.
    pub(crate) fn condition(&mut self, node: Node<'a>) -> Option<Term> {
        let compare = |how| Some((how, false));
        let ordered = |how| Some((how, true));
        let comparison = match node.name() {
            "equality" => compare(Comparison::Equal),
            "inequality" => compare(Comparison::NotEqual),
            "lessthan" | "ltp" => ordered(Comparison::Less),
            "lessthanorequal" => ordered(Comparison::AtMost),
            "greaterthan" | "gtp" => ordered(Comparison::Greater),
            "greaterthanorequal" => ordered(Comparison::AtLeast),
            _ => None,
        };
        if let Some((how, is_ordered)) = comparison {
            return self.comparison(node, how, is_ordered);
        }
        let term = match node.name() {
            "and" => Term::And(self.conditions(node, None)?),
            "or" => Term::Or(self.conditions(node, None)?),
            "not" => Term::Not(Box::new(self.conditions(node, Some(1))?.remove(0))),
            "imply" => {
                let mut terms = self.conditions(node, Some(2))?;
                let conclusion = terms.remove(1);
                Term::Or(vec![Term::Not(Box::new(terms.remove(0))), conclusion])
            }
            "booleanconstant" => {
                let value = attribute(node, "value", self.report)?;
                match value.text {
                    "true" => Term::truth(true),
                    "false" => Term::truth(false),
                    _ => return self.report.error("syntax", value.span, "`true` or `false` is expected"),
                }
            }
            "variable" => self.term(node, &Sort::new(Kind::Bool))?,
            _ => return self.report.unsupported(node, "as a condition"),
        };
        Some(term.folded())
    }

    fn conditions(&mut self, node: Node<'a>, n_operands: Option<usize>) -> Option<Vec<Term>> {
        let operands = self.operands(node, n_operands)?;
        let terms: Vec<Option<Term>> = operands.into_iter().map(|operand| self.condition(operand)).collect();
        terms.into_iter().collect()
    }

    fn comparison(&mut self, node: Node<'a>, how: Comparison, is_ordered: bool) -> Option<Term> {
        let operands = self.operands(node, Some(2))?;
        // A number has the sort of what it is compared with.
        let typed =
            operands.iter().find(|o| !matches!(o.name(), "numberconstant" | "finiteintrangeconstant"));
        let sort = self.sort_of(*typed.unwrap_or(&operands[0]))?;
        if is_ordered && !sort.is_simple() {
            return self.report.error("type", node.tag(), format!("the sort {sort} has no order"));
        }
        let terms = [self.term(operands[0], &sort), self.term(operands[1], &sort)];
        let [Some(left), Some(right)] = terms else { return None };
        Some(Term::Compare(how, Box::new([left, right])).folded())
    }

    /// The operands of an operator, each usually in a `<subterm>` of its own; `n` of them if a number is given.
    pub(crate) fn operands(&mut self, node: Node<'a>, n: Option<usize>) -> Option<Vec<Node<'a>>> {
        let unwrap =
            |child: Node<'a>| if child.name() == "subterm" { child.children().next() } else { Some(child) };
        let Some(operands) = node.children().map(unwrap).collect::<Option<Vec<_>>>() else {
            return self.report.error(
                "syntax",
                node.tag(),
                format!("an operand of `<{}>` is empty", node.name()),
            );
        };
        match n {
            Some(n) if operands.len() != n => {
                let plural = if n == 1 { "" } else { "s" };
                let message = format!("`<{}>` has {n} operand{plural}, not {}", node.name(), operands.len());
                self.report.error("syntax", node.tag(), message)
            }
            _ => Some(operands),
        }
    }

    /// Something that is not of the sort that is asked for.
    pub(crate) fn mismatch<T>(&mut self, span: Span, sort: &Sort) -> Option<T> {
        self.report.error("type", span, format!("a value of the sort {sort} is expected here"))
    }
}
