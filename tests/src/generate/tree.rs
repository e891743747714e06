//! A generated model as a tree that still knows its parts.
//!
//! The shrinker needs to delete a statement or hoist a subexpression without understanding Promela, so a
//! model is kept as nodes of a few sorts. A node may be replaced by a descendant of its own sort; an item
//! of a list may be removed. Whether the result is still a model worth looking at is for the oracle to
//! say.

use super::features::{Feature, Features};

/// What a node stands for: nodes of one sort can take each other's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// A declaration, type definition, macro or process at the top level.
    Item,
    /// A statement or a declaration inside a process.
    Statement,
    /// An option of a selection or repetition.
    Branch,
    /// An expression.
    Expression,
}

impl Sort {
    /// The least a node of this sort can be, or nothing where there is no such thing.
    pub fn minimal(self) -> &'static [&'static str] {
        match self {
            Sort::Statement => &["skip"],
            Sort::Expression => &["0", "1"],
            Sort::Item | Sort::Branch => &[],
        }
    }
}

/// How the items of a list are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// One per line, each closed by the given text.
    Lines(&'static str),
    /// On one line, separated by the given text.
    Inline(&'static str),
}

/// A piece of a node.
#[derive(Clone, Debug)]
pub enum Part {
    /// Text, verbatim.
    Text(String),
    /// A new line at the current indentation.
    Line,
    /// Indent what follows.
    Indent,
    /// Take the last `Indent` back.
    Dedent,
    /// A node that can be replaced but not removed.
    Node(Node),
    /// Nodes that can be removed, down to a minimum.
    List {
        /// The items, in order.
        items: Vec<Node>,
        /// Their layout.
        layout: Layout,
        /// How few of them still make sense.
        min: usize,
    },
}

/// One construct of a generated model.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it stands for.
    pub sort: Sort,
    /// The language feature it exercises, if it is a remarkable one.
    pub feature: Option<Feature>,
    /// What it is written as.
    pub parts: Vec<Part>,
}

impl Node {
    /// A node without parts yet.
    pub fn new(sort: Sort) -> Self {
        Node { sort, feature: None, parts: Vec::new() }
    }

    /// An expression of the given text.
    pub fn expr(text: impl Into<String>) -> Self {
        Node::new(Sort::Expression).text(text)
    }

    /// A statement of the given text.
    pub fn stmt(text: impl Into<String>) -> Self {
        Node::new(Sort::Statement).text(text)
    }

    /// Says which feature the node exercises.
    pub fn tagged(mut self, feature: Feature) -> Self {
        self.feature = Some(feature);
        self
    }

    /// Appends text.
    pub fn text(mut self, text: impl Into<String>) -> Self {
        self.parts.push(Part::Text(text.into()));
        self
    }

    /// Appends a child.
    pub fn child(mut self, node: Node) -> Self {
        self.parts.push(Part::Node(node));
        self
    }

    /// Appends a list on one line.
    pub fn inline(mut self, items: Vec<Node>, separator: &'static str, min: usize) -> Self {
        self.parts.push(Part::List { items, layout: Layout::Inline(separator), min });
        self
    }

    /// Appends an indented list, one item per line.
    pub fn lines(mut self, items: Vec<Node>, terminator: &'static str, min: usize) -> Self {
        self.parts.push(Part::Indent);
        self.parts.push(Part::List { items, layout: Layout::Lines(terminator), min });
        self.parts.push(Part::Dedent);
        self.parts.push(Part::Line);
        self
    }

    /// Appends a list, one item per line, at the current indentation.
    pub fn lines_flat(mut self, items: Vec<Node>) -> Self {
        self.parts.push(Part::List { items, layout: Layout::Lines(""), min: 1 });
        self.parts.push(Part::Line);
        self
    }

    /// The features of this node and everything below it.
    pub fn features(&self) -> Features {
        let own = self.feature.map_or(Features::NONE, Features::of);
        self.children().fold(own, |all, child| all | child.features())
    }

    /// The direct children, in order.
    pub fn children(&self) -> impl Iterator<Item = &Node> {
        self.parts.iter().flat_map(|part| match part {
            Part::Node(node) => std::slice::from_ref(node).iter(),
            Part::List { items, .. } => items.iter(),
            _ => [].iter(),
        })
    }

    /// How many nodes there are, this one included: the measure that shrinking makes smaller.
    pub fn size(&self) -> usize {
        1 + self.children().map(Node::size).sum::<usize>()
    }

    /// The model's text.
    pub fn render(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, &mut 0);
        out
    }

    fn write(&self, out: &mut String, indent: &mut usize) {
        for part in &self.parts {
            match part {
                Part::Text(text) => out.push_str(text),
                Part::Line => new_line(out, *indent),
                Part::Indent => *indent += 1,
                Part::Dedent => *indent -= 1,
                Part::Node(node) => node.write(out, indent),
                Part::List { items, layout: Layout::Inline(separator), .. } => {
                    for (idx, item) in items.iter().enumerate() {
                        if idx > 0 {
                            out.push_str(separator);
                        }
                        item.write(out, indent);
                    }
                }
                Part::List { items, layout: Layout::Lines(terminator), .. } => {
                    for item in items {
                        new_line(out, *indent);
                        item.write(out, indent);
                        out.push_str(terminator);
                    }
                }
            }
        }
    }
}

fn new_line(out: &mut String, indent: usize) {
    if !out.is_empty() {
        out.push('\n');
    }
    out.extend(std::iter::repeat_n("  ", indent));
}
