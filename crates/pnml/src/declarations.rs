//! Declarations of sorts, constants, partitions and variables.
//!
//! Reference: ISO/IEC 15909-2, symmetric nets. Declarations may stand in any order and after their uses, so sorts are
//! read when they are first asked for. Invariant: what is wrong with a declaration is told once; what names it
//! afterwards is silently nothing.

use std::collections::BTreeMap;
use std::sync::Arc;

use hashbrown::HashMap;
use smol_str::SmolStr;

use crate::report::Report;
use crate::sort::{Kind, MAX_PARTS, Sort};
use crate::xml::{Located, Node};

/// All that is declared.
#[derive(Debug, Default)]
pub(crate) struct Declarations<'a> {
    sorts: HashMap<&'a str, State<'a>>,
    constants: HashMap<&'a str, (Sort, i64)>,
    variables: HashMap<&'a str, Variable>,
    n_sorts: usize,
}

/// A declared sort.
#[derive(Debug)]
enum State<'a> {
    Unread(Node<'a>),
    /// An element of the partition with that id.
    Element(Node<'a>, Located<'a>),
    /// On the way to itself.
    Open,
    /// None if something is wrong with it.
    Read(Option<Sort>),
}

/// A declared variable.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    /// What people call it.
    pub(crate) name: SmolStr,
    /// None if something is wrong with it.
    pub(crate) sort: Option<Sort>,
}

impl<'a> Declarations<'a> {
    /// Reads `<declaration>` elements.
    pub(crate) fn read(nodes: &[Node<'a>], report: &mut Report) -> Self {
        let mut all = Declarations::default();
        let lists = nodes.iter().filter_map(|node| node.child("structure")?.child("declarations"));
        let declared: Vec<Node<'a>> = lists.flat_map(Node::children).collect();
        for &node in &declared {
            match node.name() {
                "namedsort" | "partition" => {
                    let Some(id) = id_of(node, report) else { continue };
                    all.declare_sort(id, State::Unread(node), report);
                    for element in elements_of(node) {
                        let Some(element_id) = id_of(element, report) else { continue };
                        all.declare_sort(element_id, State::Element(element, id), report);
                    }
                }
                "variabledecl" => {}
                _ => {
                    report.unsupported::<()>(node, "as a declaration");
                }
            }
        }
        for node in &declared {
            match (node.name(), node.attribute("id")) {
                ("namedsort" | "partition", Some(id)) => {
                    all.sort_named(id, report);
                    // The elements of partitions are sorts as well.
                    for element in elements_of(*node).filter_map(|n| n.attribute("id")) {
                        all.sort_named(element, report);
                    }
                }
                ("variabledecl", _) => all.declare_variable(*node, report),
                _ => {}
            }
        }
        all
    }

    fn declare_sort(&mut self, id: Located<'a>, state: State<'a>, report: &mut Report) {
        if self.sorts.insert(id.text, state).is_some() {
            report.error::<()>("duplicate", id.span, format!("another sort has the id `{}`", id.text));
        }
    }

    fn declare_variable(&mut self, node: Node<'a>, report: &mut Report) {
        let Some(id) = id_of(node, report) else { return };
        let sort = match node.children().next() {
            Some(sort) => self.sort(sort, report),
            None => report.error("syntax", node.tag(), "a variable has a sort"),
        };
        let variable = Variable { name: name_of(node, id), sort };
        if self.variables.insert(id.text, variable).is_some() {
            report.error::<()>("duplicate", id.span, format!("another variable has the id `{}`", id.text));
        }
    }

    /// A variable by its id.
    pub(crate) fn variable(&self, id: &str) -> Option<&Variable> {
        self.variables.get(id)
    }

    /// A constant of an enumeration, or an element of a partition, by its id.
    pub(crate) fn constant(&self, id: &str) -> Option<&(Sort, i64)> {
        self.constants.get(id)
    }

    /// A declared sort by its id.
    pub(crate) fn sort_named(&mut self, id: Located<'a>, report: &mut Report) -> Option<Sort> {
        let (node, partition) = match self.sorts.get(id.text) {
            Some(State::Read(sort)) => return sort.clone(),
            Some(State::Open) => {
                return report.error("type", id.span, format!("`{}` contains itself", id.text));
            }
            Some(State::Unread(node)) => (*node, None),
            Some(State::Element(element, partition)) => (*element, Some(*partition)),
            None => return report.undeclared(id.span, "sort", id.text),
        };
        self.sorts.insert(id.text, State::Open);
        let sort = match (partition, node.name(), node.children().next()) {
            (Some(partition), ..) => self.sort_named(partition, report).and_then(|_| self.subset(id)),
            (None, "partition", _) => self.partition(node, report),
            (None, _, Some(sort)) => self.sort(sort, report),
            (None, _, None) => report.error("syntax", node.tag(), "a declaration of a sort says what it is"),
        };
        self.sorts.insert(id.text, State::Read(sort.clone()));
        sort
    }

    /// A sort where one is written out or named.
    pub(crate) fn sort(&mut self, node: Node<'a>, report: &mut Report) -> Option<Sort> {
        let kind = match node.name() {
            "usersort" => {
                let id = attribute(node, "declaration", report)?;
                return self.sort_named(id, report);
            }
            "dot" => Kind::Dot,
            "bool" => Kind::Bool,
            "cyclicenumeration" | "finiteenumeration" => return self.enumeration(node, report),
            "finiteintrange" => {
                let (first, last) = (number(node, "start", report)?, number(node, "end", report)?);
                if first > last {
                    return report.error("type", node.tag(), "a range begins before it ends");
                }
                Kind::Range(first, last)
            }
            "productsort" => {
                let parts: Vec<Option<Sort>> = node.children().map(|part| self.sort(part, report)).collect();
                Kind::Product(parts.into_iter().collect::<Option<Vec<Sort>>>()?)
            }
            _ => return report.unsupported(node, "as a sort"),
        };
        let sort = Sort::new(kind);
        if sort.is_too_large() {
            let message = format!("this sort is made of more than {MAX_PARTS} others");
            return report.error("too-large", node.tag(), message);
        }
        Some(sort)
    }

    fn enumeration(&mut self, node: Node<'a>, report: &mut Report) -> Option<Sort> {
        let mut constants: Vec<Located<'a>> = Vec::new();
        let mut names = Vec::new();
        for constant in node.children() {
            if constant.name() != "feconstant" {
                report.unsupported::<()>(constant, "in an enumeration");
                continue;
            }
            let Some(id) = id_of(constant, report) else { continue };
            constants.push(id);
            names.push(name_of(constant, id));
        }
        if names.is_empty() {
            return report.error("type", node.tag(), "an enumeration has values");
        }
        let sort = Sort::new(Kind::Enumeration { number: self.next_number(), names });
        for (position, id) in constants.into_iter().enumerate() {
            self.declare_constant(id, sort.clone(), position, report);
        }
        Some(sort)
    }

    fn declare_constant(&mut self, id: Located<'a>, sort: Sort, position: usize, report: &mut Report) {
        if self.constants.insert(id.text, (sort, position as i64)).is_some() {
            report.error::<()>("duplicate", id.span, format!("another constant has the id `{}`", id.text));
        }
    }

    fn next_number(&mut self) -> usize {
        self.n_sorts += 1;
        self.n_sorts
    }

    /// A partition: a sort whose values are its elements.
    fn partition(&mut self, node: Node<'a>, report: &mut Report) -> Option<Sort> {
        let Some(of) = node.children().find(|child| child.name() != "partitionelement") else {
            return report.error("syntax", node.tag(), "a partition says what it is a partition of");
        };
        let of = self.sort(of, report)?;
        let mut element_of = BTreeMap::new();
        let (mut names, mut ids) = (Vec::new(), Vec::new());
        for (position, element) in elements_of(node).enumerate() {
            // Without one, that was told.
            let id = element.attribute("id")?;
            names.push(name_of(element, id));
            ids.push(id);
            for (value, place) in self.members(element, &of, report) {
                if element_of.insert(value, position as i64).is_some() {
                    report.error::<()>("duplicate", place.span, "this is in the partition twice");
                }
            }
        }
        let number = self.next_number();
        let sort = Sort::new(Kind::Partition { number, of, names, element_of: Arc::new(element_of) });
        for (position, id) in ids.into_iter().enumerate() {
            self.declare_constant(id, sort.clone(), position, report);
        }
        Some(sort)
    }

    /// An element of a partition as a sort.
    fn subset(&self, id: Located<'a>) -> Option<Sort> {
        let (partition, position) = self.constants.get(id.text)?.clone();
        let Kind::Partition { of, element_of, .. } = partition.kind() else { return None };
        let values = element_of.iter().filter(|(_, at)| **at == position).map(|(value, _)| *value).collect();
        Some(Sort::new(Kind::Subset { of: of.clone(), values }))
    }

    /// The values that an element of a partition of `of` lists, and where.
    fn members(&self, element: Node<'a>, of: &Sort, report: &mut Report) -> Vec<(i64, Located<'a>)> {
        let mut members = Vec::new();
        for member in element.children() {
            let (place, value) = match member.name() {
                "useroperator" => {
                    let Some(id) = attribute(member, "declaration", report) else { continue };
                    let constant = self.constants.get(id.text).filter(|(sort, _)| sort.fits(of));
                    (id, constant.map(|(_, value)| *value))
                }
                "finiteintrangeconstant" => {
                    let Some(value) = attribute(member, "value", report) else { continue };
                    (value, value.text.parse().ok().filter(|value| of.contains(*value)))
                }
                _ => {
                    report.unsupported::<()>(member, "in an element of a partition");
                    continue;
                }
            };
            match value {
                Some(value) => members.push((value, place)),
                None => {
                    report.error::<()>(
                        "type",
                        place.span,
                        format!("`{}` is not of the sort {of}", place.text),
                    );
                }
            }
        }
        members
    }
}

/// The elements of a partition; of other declarations, nothing.
fn elements_of<'a>(node: Node<'a>) -> impl Iterator<Item = Node<'a>> {
    node.children().filter(|child| child.name() == "partitionelement")
}

/// The value of an attribute that has to be there.
pub(crate) fn attribute<'a>(node: Node<'a>, name: &str, report: &mut Report) -> Option<Located<'a>> {
    let value = node.attribute(name);
    if value.is_none() {
        let message = format!("`<{}>` has no attribute `{name}`", node.name());
        report.error::<()>("syntax", node.tag(), message);
    }
    value
}

/// The id of an element.
pub(crate) fn id_of<'a>(node: Node<'a>, report: &mut Report) -> Option<Located<'a>> {
    attribute(node, "id", report)
}

/// A number in an attribute.
pub(crate) fn number(node: Node<'_>, name: &str, report: &mut Report) -> Option<i64> {
    let value = attribute(node, name, report)?;
    match value.text.trim().parse() {
        Ok(number) if (-(1i64 << 31)..1 << 31).contains(&number) => Some(number),
        Ok(_) => report.error("too-large", value.span, format!("{} is too large", value.text)),
        Err(_) => report.error("syntax", value.span, format!("`{}` is no number", value.text)),
    }
}

/// What people call something: its attribute `name`, or else its id.
fn name_of(node: Node<'_>, id: Located<'_>) -> SmolStr {
    let name = node.attribute("name").map(|name| name.text.trim()).filter(|name| !name.is_empty());
    name.unwrap_or(id.text).into()
}
