//! The nodes and arcs of a net, wherever they stand: pages are flattened and references resolved.
//!
//! Reference: ISO/IEC 15909-2, the core model. Only the shape is looked at here; labels are left to [`crate::build`].
//! Invariant: places, transitions and arcs are in the order of the text; every arc joins a place and a transition.

use hashbrown::HashMap;
use stubborn_base::{Diagnostic, Span};
use stubborn_nets::{PlaceId, TransId};

use crate::declarations::{attribute, id_of};
use crate::report::Report;
use crate::xml::{Document, Located, Node};

/// A net without its labels.
#[derive(Debug)]
pub(crate) struct Skeleton<'a> {
    /// The element of the net.
    pub(crate) net: Node<'a>,
    /// Places.
    pub(crate) places: Vec<Node<'a>>,
    /// Transitions.
    pub(crate) transitions: Vec<Node<'a>>,
    /// Arcs.
    pub(crate) arcs: Vec<Arc<'a>>,
    /// Declarations, of the net and of pages.
    pub(crate) declarations: Vec<Node<'a>>,
    ids: HashMap<&'a str, Known<'a>>,
    /// Where references lead, and whether to places.
    references: Vec<(Located<'a>, bool)>,
}

/// An arc.
#[derive(Debug)]
pub(crate) struct Arc<'a> {
    /// The element.
    pub(crate) node: Node<'a>,
    /// The place it joins.
    pub(crate) place: PlaceId,
    /// The transition it joins.
    pub(crate) transition: TransId,
    /// It leads from the place to the transition.
    pub(crate) is_input: bool,
}

/// What an id stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Target {
    /// A place.
    Place(PlaceId),
    /// A transition.
    Transition(TransId),
}

#[derive(Clone, Copy, Debug)]
struct Known<'a> {
    span: Span,
    meaning: Meaning<'a>,
}

#[derive(Clone, Copy, Debug)]
enum Meaning<'a> {
    Target(Target),
    Reference(Located<'a>),
}

impl<'a> Skeleton<'a> {
    /// Reads the net of a document; none if it has none.
    pub(crate) fn read(document: &'a Document, report: &mut Report) -> Option<Self> {
        let root = document.root()?;
        if root.name() == "property-set" {
            let message = "these are properties, and there is no net in this file";
            let help = "they are read with the net beside them: check its `.pnml` file";
            return report.add(Diagnostic::error("missing-net", root.tag(), message).help(help));
        }
        if root.name() != "pnml" {
            let message = format!("`<pnml>` is expected, not `<{}>`", root.name());
            return report.error("syntax", root.tag(), message);
        }
        let mut nets = root.children().filter(|child| child.name() == "net");
        let Some(net) = nets.next() else {
            return report.error("syntax", root.tag(), "there is no `<net>`");
        };
        for further in nets {
            report.error::<()>("unsupported", further.tag(), "more than one net in a file is not supported");
        }
        check_type(net, report);
        let mut skeleton = Skeleton {
            net,
            places: Vec::new(),
            transitions: Vec::new(),
            arcs: Vec::new(),
            declarations: Vec::new(),
            ids: HashMap::new(),
            references: Vec::new(),
        };
        let mut arcs = Vec::new();
        skeleton.page(net, &mut arcs, report);
        skeleton.check_references(report);
        for arc in arcs {
            skeleton.arcs.extend(skeleton.arc(arc, report));
        }
        Some(skeleton)
    }

    /// What an id stands for: a node, or what a reference leads to.
    pub(crate) fn target(&self, id: &str) -> Option<Target> {
        let mut id = id;
        // Each step leads to another id, unless references lead in a circle.
        for _ in 0..=self.ids.len() {
            match self.ids.get(id)?.meaning {
                Meaning::Target(target) => return Some(target),
                Meaning::Reference(to) => id = to.text,
            }
        }
        None
    }

    /// Reads what a net or a page contains.
    fn page(&mut self, page: Node<'a>, arcs: &mut Vec<Node<'a>>, report: &mut Report) {
        for node in page.children() {
            match node.name() {
                "page" => self.page(node, arcs, report),
                "place" => {
                    let target = Target::Place(PlaceId(self.places.len() as u32));
                    self.declare(node, Meaning::Target(target), report);
                    self.places.push(node);
                }
                "transition" => {
                    let target = Target::Transition(TransId(self.transitions.len() as u32));
                    self.declare(node, Meaning::Target(target), report);
                    self.transitions.push(node);
                }
                "referencePlace" | "referenceTransition" => {
                    if let Some(to) = attribute(node, "ref", report) {
                        self.references.push((to, node.name() == "referencePlace"));
                        self.declare(node, Meaning::Reference(to), report);
                    }
                }
                "arc" => arcs.push(node),
                "declaration" => self.declarations.push(node),
                "name" | "graphics" | "toolspecific" => {}
                _ => {
                    report.unsupported::<()>(node, "in a net");
                }
            }
        }
    }

    fn declare(&mut self, node: Node<'a>, meaning: Meaning<'a>, report: &mut Report) {
        let Some(id) = id_of(node, report) else { return };
        if let Some(first) = self.ids.get(id.text) {
            let message = format!("another node has the id `{}`", id.text);
            let diagnostic = Diagnostic::error("duplicate", id.span, message);
            report.add::<()>(diagnostic.label(first.span, "here"));
            return;
        }
        self.ids.insert(id.text, Known { span: id.span, meaning });
    }

    /// References lead to nodes of their kind.
    fn check_references(&self, report: &mut Report) {
        for &(to, is_place) in &self.references {
            let kind = if is_place { "place" } else { "transition" };
            match self.target(to.text) {
                Some(target) if matches!(target, Target::Place(_)) == is_place => {}
                Some(_) => {
                    report.error::<()>("type", to.span, format!("`{}` is no {kind}", to.text));
                }
                None => {
                    report.undeclared::<()>(to.span, kind, to.text);
                }
            }
        }
    }

    fn arc(&self, node: Node<'a>, report: &mut Report) -> Option<Arc<'a>> {
        let [source, target] = ["source", "target"].map(|name| {
            let end = attribute(node, name, report)?;
            match self.target(end.text) {
                Some(target) => Some(target),
                None => report.undeclared(end.span, "place or transition", end.text),
            }
        });
        let (place, transition, is_input) = match (source?, target?) {
            (Target::Place(place), Target::Transition(transition)) => (place, transition, true),
            (Target::Transition(transition), Target::Place(place)) => (place, transition, false),
            _ => {
                let message = "an arc joins a place and a transition";
                return report.error("type", node.tag(), message);
            }
        };
        Some(Arc { node, place, transition, is_input })
    }
}

/// The type of the net is one that is known here.
fn check_type(net: Node<'_>, report: &mut Report) {
    const KNOWN: [&str; 4] = ["ptnet", "symmetricnet", "highlevelnet", "pt-hlpng"];
    let Some(ty) = attribute(net, "type", report) else { return };
    let last = ty.text.trim().rsplit(['/', '#', '.']).next().unwrap_or_default();
    if !KNOWN.contains(&last) {
        let diagnostic = Diagnostic::error("unsupported", ty.span, format!("nets of the type `{}`", ty.text));
        let diagnostic =
            Diagnostic { message: format!("{} are not supported", diagnostic.message), ..diagnostic };
        let known = "http://www.pnml.org/version-2009/grammar/ptnet or …/symmetricnet";
        report.add::<()>(diagnostic.help(format!("known types are {known}")));
    }
}
