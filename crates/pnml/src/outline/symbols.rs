//! Symbols and where they are mentioned.
//!
//! Places and variables are variables, transitions are processes: what acts. An arc changes the number of tokens of its
//! place. Reference: ISO/IEC 15909-2, ids and references to them. Invariant: a container stands before what it contains;
//! each place in the text is one mention at most.

use hashbrown::HashMap;
use stubborn_base::Span;
use stubborn_base::outline::{Mention, Outline, Role, Symbol, SymbolKind};

use crate::properties::{id_of, short_name};
use crate::read::Files;
use crate::xml::{Content, Document, Located, Node};

/// Fills in symbols and mentions.
pub(super) fn collect(files: &Files, outline: &mut Outline) {
    let mut collector = Collector { outline, ids: HashMap::new() };
    collector.net(&files.net, files.sources.file(files.net.file).text());
    let net = files.net.root().and_then(|root| root.child("net")?.attribute("id"));
    for (stem, document) in &files.properties {
        let text = files.sources.file(document.file).text();
        collector.properties(document, text, stem, net.map_or("", |id| id.text));
    }
    let mentions = &mut collector.outline.mentions;
    mentions.sort_by_key(|mention| mention.span);
    mentions.dedup_by_key(|mention| mention.span);
}

/// What kind of name an id is: ids of one kind do not hide those of another.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Space {
    Node,
    Sort,
    Constant,
    Variable,
}

struct Collector<'a, 'o> {
    outline: &'o mut Outline,
    ids: HashMap<(Space, &'a str), usize>,
}

impl<'a> Collector<'a, '_> {
    fn net(&mut self, document: &'a Document, text: &str) {
        let comments = comments(document, text);
        let mut sort = None;
        for node in document.nodes() {
            let (space, kind, container) = match node.name() {
                "place" | "referencePlace" => (Space::Node, SymbolKind::Variable, None),
                "transition" | "referenceTransition" => (Space::Node, SymbolKind::Process, None),
                "namedsort" | "partition" => (Space::Sort, SymbolKind::Type, None),
                "feconstant" | "partitionelement" => (Space::Constant, SymbolKind::Constant, sort),
                "variabledecl" => (Space::Variable, SymbolKind::Variable, None),
                _ => continue,
            };
            let Some(id) = node.attribute("id") else { continue };
            let symbol = self.symbol(node, id, kind, container);
            self.outline.symbols[symbol].comment = comments.get(&node.tag()).cloned();
            self.ids.entry((space, id.text)).or_insert(symbol);
            if kind == SymbolKind::Type {
                sort = Some(symbol);
            }
        }
        for node in document.nodes() {
            self.mentions_in(node);
        }
    }

    fn symbol(
        &mut self,
        node: Node<'a>,
        id: Located<'a>,
        kind: SymbolKind,
        container: Option<usize>,
    ) -> usize {
        let symbol = self.outline.symbols.len();
        self.outline.symbols.push(Symbol {
            name: id.text.to_owned(),
            kind,
            span: node.element().span,
            name_span: id.span,
            detail: detail(node, id.text),
            comment: None,
            container,
            parameters: Vec::new(),
            scope: None,
        });
        self.outline.mentions.push(Mention { span: id.span, symbol, role: Role::Declaration });
        symbol
    }

    fn mentions_in(&mut self, node: Node<'a>) {
        let attributes: &[(&str, &[Space], Role)] = match node.name() {
            "arc" => {
                &[("source", &[Space::Node], Role::ReadWrite), ("target", &[Space::Node], Role::ReadWrite)]
            }
            "referencePlace" | "referenceTransition" => &[("ref", &[Space::Node], Role::Use)],
            // An element of a partition is a sort as well.
            "usersort" => &[("declaration", &[Space::Sort, Space::Constant], Role::Use)],
            "useroperator" => &[("declaration", &[Space::Constant], Role::Read)],
            "variable" => &[("refvariable", &[Space::Variable], Role::Read)],
            "partitionelementof" => &[("refpartition", &[Space::Sort], Role::Use)],
            _ => &[],
        };
        for (name, spaces, role) in attributes {
            if let Some(id) = node.attribute(name) {
                self.mention(id, spaces, *role);
            }
        }
    }

    fn mention(&mut self, id: Located<'a>, spaces: &[Space], role: Role) {
        if let Some(&symbol) = spaces.iter().find_map(|space| self.ids.get(&(*space, id.text))) {
            self.outline.mentions.push(Mention { span: id.span, symbol, role });
        }
    }

    fn properties(&mut self, document: &'a Document, text: &str, stem: &str, net: &str) {
        for node in document.nodes() {
            match node.name() {
                "property" => {
                    let id = id_of(node);
                    let name = short_name(id.text, stem, net);
                    // An id with references or with other elements in it is all of it the name's place.
                    let written = text.get(id.span.range()).and_then(|written| written.strip_suffix(name));
                    let start = id.span.start + written.map_or(0, |before| before.len() as u32);
                    let name = Located { text: name, span: Span { start, ..id.span } };
                    self.symbol(node, name, SymbolKind::Property, None);
                }
                "place" | "transition" => self.mention(node.text(), &[Space::Node], Role::Read),
                _ => {}
            }
        }
    }
}

/// A declaration in one line, in words.
fn detail(node: Node<'_>, id: &str) -> String {
    let label = |name: &str| node.child(name).and_then(Node::label).map(|label| one_line(label.text));
    let of_sort = || {
        let sort = node.children().find_map(|sort| sort.attribute("declaration"));
        sort.map_or(String::new(), |sort| format!(" : {}", sort.text))
    };
    match node.name() {
        "place" => {
            let sort = label("type").map_or(String::new(), |sort| format!(" : {sort}"));
            let marking = label("initialMarking").or_else(|| label("hlinitialMarking"));
            format!("place {id}{sort}{}", marking.map_or(String::new(), |marking| format!(" = {marking}")))
        }
        "transition" => {
            let condition = label("condition").filter(|condition| !condition.is_empty());
            format!(
                "transition {id}{}",
                condition.map_or(String::new(), |condition| format!(" [{condition}]"))
            )
        }
        "namedsort" => format!("sort {id}{}", node.children().next().map_or(String::new(), sort_detail)),
        "variabledecl" => format!("variable {id}{}", of_sort()),
        "feconstant" => format!("constant {}", node.attribute("name").map_or(id, |name| name.text)),
        "property" => format!("property {id}"),
        "referencePlace" | "referenceTransition" => {
            let target = node.attribute("ref").map_or("", |target| target.text);
            format!("reference {id} to {target}")
        }
        other => format!("{other} {id}"),
    }
}

fn sort_detail(sort: Node<'_>) -> String {
    let names = |name: &str| {
        let names: Vec<&str> =
            sort.children().filter_map(|child| child.attribute(name)).map(|name| name.text).collect();
        names
    };
    match sort.name() {
        "productsort" => format!(" = {}", names("declaration").join(" × ")),
        "cyclicenumeration" | "finiteenumeration" => {
            format!(" = {{{}}}", one_line(&names("name").join(", ")))
        }
        "finiteintrange" => {
            let [start, end] =
                ["start", "end"].map(|name| sort.attribute(name).map_or("", |value| value.text));
            format!(" = {start}..{end}")
        }
        other => format!(" = {other}"),
    }
}

/// A text in one line, not too long.
fn one_line(text: &str) -> String {
    const MAX: usize = 80;
    let line = text.split_whitespace().collect::<Vec<&str>>().join(" ");
    match line.char_indices().nth(MAX) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// Comments that stand just before elements, by the opening tags of these.
fn comments(document: &Document, text: &str) -> HashMap<Span, String> {
    let mut found = HashMap::new();
    for element in document.elements.iter() {
        let mut last: Option<&str> = None;
        for content in &element.content {
            match content {
                Content::Comment(span) => last = text.get(span.range()),
                Content::Element(id) => {
                    if let Some(comment) = last.take() {
                        let inner = comment.trim_start_matches("<!--").trim_end_matches("-->");
                        found.insert(document.elements[*id].open, inner.trim().to_owned());
                    }
                }
                Content::Text(_) | Content::Other(_) => {}
            }
        }
    }
    found
}
