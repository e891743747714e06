//! Sequences of statements, and which statement comes next.

use super::channel::Wanted;
use super::features::Feature;
use super::names::Generator;
use super::tree::Node;

/// What the surroundings of a statement allow.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) depth: usize,
    pub(super) atomic: bool,
    /// Inside a `d_step`, where nothing may block except the first statement.
    pub(super) step: bool,
    /// Inside a loop that may be left from here.
    pub(super) breakable: bool,
    /// Inside the body of an `inline`: no labels, no counters, no names of any one process.
    pub(super) inline: bool,
    /// Inside any loop, where creating processes would not end by itself.
    pub(super) repeated: bool,
}

impl Place {
    pub(super) const BODY: Place =
        Place { depth: 3, atomic: false, step: false, breakable: false, inline: false, repeated: false };

    pub(super) fn inner(self) -> Place {
        Place { depth: self.depth.saturating_sub(1), ..self }
    }
}

#[derive(Clone, Copy)]
enum Kind {
    Assign,
    Count,
    Guard,
    Send,
    Receive,
    If,
    Do,
    Atomic,
    Step,
    Unless,
    Goto,
    Break,
    Assert,
    Print,
    Skip,
    Block,
    For,
    Select,
    Run,
    Declare,
    Inline,
    Timeout,
}

impl Generator {
    /// What a nested block consists of: its first statement has no label, which SPIN would refuse.
    pub(super) fn block_of(&mut self, place: Place, n: usize) -> Vec<Node> {
        self.current.budget = self.current.budget.saturating_sub(1);
        let mut nodes = vec![self.statement(place)];
        if n > 1 && self.current.budget > 0 {
            nodes.extend(self.sequence(place, n - 1));
        }
        nodes
    }

    /// A sequence of about so many statements, some of them labelled.
    pub(super) fn sequence(&mut self, place: Place, n: usize) -> Vec<Node> {
        let mut nodes = Vec::new();
        for _ in 0..n.max(1) {
            if self.current.budget == 0 && !nodes.is_empty() {
                break;
            }
            self.current.budget = self.current.budget.saturating_sub(1);
            let node = self.statement(place);
            if node.feature == Some(Feature::Step) && nodes.last().is_some_and(leaves_a_loop) {
                nodes.push(Node::stmt("skip"));
            }
            nodes.push(self.maybe_labelled(node, place));
        }
        nodes
    }

    fn maybe_labelled(&mut self, node: Node, place: Place) -> Node {
        // SPIN refuses labels before declarations and `unless`, jumps to a `d_step`, and a jump that
        // leads to itself.
        let is_refused = matches!(
            node.feature,
            Some(
                Feature::MidDeclaration
                    | Feature::Unless
                    | Feature::Goto
                    | Feature::GotoAtomic
                    | Feature::Step
            )
        );
        if place.step || place.inline || is_refused {
            return node;
        }
        if !self.current.owed.is_empty() && self.random.percent(25) {
            if place.atomic && !self.has(Feature::GotoAtomic) {
                return node;
            }
            let at = self.random.below(self.current.owed.len());
            let label = self.current.owed.remove(at);
            let feature = if place.atomic { Feature::GotoAtomic } else { Feature::Goto };
            return labelled(&label, node).tagged(feature);
        }
        if self.chance(Feature::EndLabel, 8) {
            let label = self.fresh("end");
            self.current.labels.push(label.clone());
            return labelled(&label, node).tagged(Feature::EndLabel);
        }
        node
    }

    /// One statement.
    pub(super) fn statement(&mut self, place: Place) -> Node {
        let block = usize::from(!place.step);
        let nest = usize::from(place.depth > 0);
        let label = usize::from(!place.inline && !place.step);
        let weights = [
            (22, Kind::Assign),
            (7, Kind::Count),
            (6 * block, Kind::Guard),
            (14, Kind::Send),
            (15, Kind::Receive),
            (12 * nest, Kind::If),
            (6 * nest, Kind::Do),
            (self.weight(Feature::Atomic, 16) * nest * block, Kind::Atomic),
            (self.weight(Feature::Step, 12) * nest * block, Kind::Step),
            (self.weight(Feature::Unless, 16) * nest * block, Kind::Unless),
            (self.weight(Feature::Goto, 12) * label, Kind::Goto),
            (if place.breakable { 4 } else { 0 }, Kind::Break),
            (self.weight(Feature::Assert, 8), Kind::Assert),
            (2, Kind::Print),
            (2, Kind::Skip),
            (self.weight(Feature::Shadow, 8) * nest, Kind::Block),
            (self.weight(Feature::For, 8) * nest * usize::from(!place.inline), Kind::For),
            (self.weight(Feature::Select, 8) * block, Kind::Select),
            (self.weight(Feature::RunLate, 14) * block * usize::from(!place.inline), Kind::Run),
            (self.weight(Feature::MidDeclaration, 8), Kind::Declare),
            (if self.inlines.is_empty() || place.inline || place.step { 0 } else { 5 }, Kind::Inline),
            (self.weight(Feature::Timeout, 4) * block, Kind::Timeout),
        ];
        let kind = self.random.weighted(&weights);
        self.build(kind, place).unwrap_or_else(|| self.assignment(place))
    }

    fn build(&mut self, kind: Kind, place: Place) -> Option<Node> {
        Some(match kind {
            Kind::Assign => self.assignment(place),
            Kind::Count => self.count(place)?,
            Kind::Guard => self.guard(place),
            Kind::Send if place.step => self.guarded_transfer(true)?,
            Kind::Receive if place.step => self.guarded_transfer(false)?,
            Kind::Send => self.send(Wanted::Any)?,
            Kind::Receive => self.receive(Wanted::Any, false)?,
            Kind::If => self.selection(place),
            Kind::Do => self.repetition(place)?,
            Kind::Atomic => self.atomic(place),
            Kind::Step => self.step(place),
            Kind::Unless => self.unless(place),
            Kind::Goto => self.jump(place)?,
            Kind::Break => Node::stmt("break"),
            Kind::Assert => self.assertion(),
            Kind::Print => {
                let number = self.number(1);
                Node::stmt("printf(\"%d\\n\", ").child(number).text(")")
            }
            Kind::Skip => Node::stmt("skip"),
            Kind::Block => self.block(place),
            Kind::For => self.count_loop(place),
            Kind::Select => {
                let variable = self.write(|v| v.is_simple() && !v.ty.tiny())?;
                let low = self.random.range(0, 1);
                let high = low + self.random.range(1, 2);
                Node::stmt("select (")
                    .child(variable)
                    .text(format!(" : {low} .. {high})"))
                    .tagged(Feature::Select)
            }
            Kind::Run => self.late_run(place)?,
            Kind::Declare => self.declaration(place),
            Kind::Inline => self.call()?,
            Kind::Timeout => Node::stmt("timeout").tagged(Feature::Timeout),
        })
    }
}

/// Whether control may come out of the statement by a jump. SPIN refuses jumps to a `d_step`, also its own.
fn leaves_a_loop(node: &Node) -> bool {
    let text = node.render();
    ["select (", "for (", "do\n", "change("].iter().any(|sign| text.contains(sign))
}

fn labelled(label: &str, node: Node) -> Node {
    Node::stmt(format!("{label}: ")).child(node)
}
