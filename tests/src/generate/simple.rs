//! Statements without statements inside.

use super::channel::Wanted;
use super::features::Feature;
use super::names::{Channel, Generator, Segment, Type, Variable};
use super::statement::Place;
use super::tree::{Node, Sort};

impl Generator {
    /// An assignment that never blocks. `skip` if there is nothing to assign to.
    pub(super) fn assignment(&mut self, _place: Place) -> Node {
        let mut variables = self.variables();
        variables.retain(|v| v.writable);
        if self.chance(Feature::ChannelMessage, 6)
            && let Some(node) = self.channel_assignment()
        {
            return node;
        }
        let Some(variable) = self.random.pick(&variables).cloned() else { return Node::stmt("skip") };
        let target = self.place(&variable.base, &variable.path);
        let value = match variable.ty {
            Type::Mtype(_) => self.value(variable.ty),
            _ if self.random.percent(45) => {
                let step = *self.random.pick(&["+ 1", "+ 1", "+ 2", "- 1"]).expect("not empty");
                Node::expr("(").child(target.clone()).text(format!(" {step}) % {}", self.random.range(2, 4)))
            }
            _ => self.value(variable.ty),
        };
        Node::new(Sort::Statement).child(target).text(" = ").child(value)
    }

    fn channel_assignment(&mut self) -> Option<Node> {
        let mut variables = self.channels();
        variables.retain(|c| c.variable);
        let target = self.random.pick(&variables)?.clone();
        let mut sources = self.channels();
        sources.retain(|c| c.signature == target.signature && c.base.starts_with('g'));
        let source = self.random.pick(&sources)?.clone();
        let source = self.place(&source.base, &source.path);
        Some(Node::stmt(format!("{} = ", target.base)).child(source).tagged(Feature::ChannelMessage))
    }

    pub(super) fn count(&mut self, place: Place) -> Option<Node> {
        let operator = if self.random.percent(70) { "++" } else { "--" };
        let repeated = place.repeated || self.has(Feature::Goto);
        let variable = self.write(|v| v.ty.tiny() || (!repeated && !matches!(v.ty, Type::Mtype(_))))?;
        Some(Node::new(Sort::Statement).child(variable).text(operator))
    }

    pub(super) fn write(&mut self, suits: impl Fn(&Variable) -> bool) -> Option<Node> {
        let mut variables = self.variables();
        variables.retain(|v| v.writable && suits(v));
        let variable = self.random.pick(&variables)?.clone();
        Some(self.place(&variable.base, &variable.path))
    }

    /// A condition as a statement.
    pub(super) fn guard(&mut self, place: Place) -> Node {
        let probe = if self.chance(Feature::Probe, 20) { self.probe() } else { None };
        match probe {
            Some(probe) if self.random.percent(60) => Node::new(Sort::Statement).child(probe),
            Some(probe) => {
                let condition = self.condition(1);
                let operator = if self.random.percent(50) { "&&" } else { "||" };
                Node::stmt("(").child(probe).text(format!(" {operator} ")).child(condition).text(")")
            }
            None => {
                let condition = self.condition(place.depth.min(2));
                Node::new(Sort::Statement).child(condition)
            }
        }
    }

    pub(super) fn assertion(&mut self) -> Node {
        let condition = self.condition(1);
        Node::stmt("assert(").child(condition).text(")").tagged(Feature::Assert)
    }

    /// In a `d_step`, a transfer that looks first.
    pub(super) fn guarded_transfer(&mut self, send: bool) -> Option<Node> {
        let channel = self.channel(Wanted::Buffered)?;
        let channel = Channel { path: constant_path(&channel.path), ..channel };
        let probe = self.place(&channel.base, &channel.path);
        let transfer = if send { self.send_to(&channel)? } else { self.receive_from(&channel, true)? };
        let test = Node::expr(if send { "nfull(" } else { "nempty(" }).child(probe).text(")");
        Some(
            Node::stmt("if")
                .text(" :: ")
                .child(test)
                .text(" -> ")
                .child(transfer)
                .text(" :: else fi")
                .tagged(Feature::Step),
        )
    }

    pub(super) fn jump(&mut self, place: Place) -> Option<Node> {
        if place.atomic && !self.has(Feature::GotoAtomic) {
            return None;
        }
        let known = self.current.labels.clone();
        let label = if known.len() >= 3 || (!known.is_empty() && self.random.percent(50)) {
            self.random.pick(&known)?.clone()
        } else {
            let label = self.fresh("L");
            self.current.labels.push(label.clone());
            self.current.owed.push(label.clone());
            label
        };
        let feature = if place.atomic { Feature::GotoAtomic } else { Feature::Goto };
        Some(Node::stmt(format!("goto {label}")).tagged(feature))
    }

    pub(super) fn call(&mut self) -> Option<Node> {
        let name = self.random.pick(&self.inlines)?.clone();
        let target = self.write(|v| v.is_simple() && !matches!(v.ty, Type::Mtype(_)))?;
        let value = if self.random.percent(50) {
            Node::expr(self.random.range(0, 3).to_string())
        } else {
            self.read(|v| v.is_simple() && !matches!(v.ty, Type::Mtype(_)))?
        };
        Some(
            Node::stmt(format!("{name}("))
                .child(target)
                .text(", ")
                .child(value)
                .text(")")
                .tagged(Feature::Inline),
        )
    }
}

fn constant_path(path: &[Segment]) -> Vec<Segment> {
    let fix = |segment: &Segment| match segment {
        Segment::Index(_) => Segment::Text("0".into()),
        Segment::Text(text) => Segment::Text(text.clone()),
    };
    path.iter().map(fix).collect()
}
