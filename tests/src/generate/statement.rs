//! Statements and the blocks they form.

use super::channel::Wanted;
use super::features::{Feature, Features};
use super::names::{Generator, Parameter, Segment, Type, Variable};
use super::tree::{Node, Sort};

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

    fn inner(self) -> Place {
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

    fn count(&mut self, place: Place) -> Option<Node> {
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
    fn guard(&mut self, place: Place) -> Node {
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

    fn assertion(&mut self) -> Node {
        let condition = self.condition(1);
        Node::stmt("assert(").child(condition).text(")").tagged(Feature::Assert)
    }

    /// In a `d_step`, a transfer that looks first.
    fn guarded_transfer(&mut self, send: bool) -> Option<Node> {
        let channel = self.channel(Wanted::Buffered)?;
        let channel = super::names::Channel { path: constant_path(&channel.path), ..channel };
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

    fn selection(&mut self, place: Place) -> Node {
        let branches = self.branches(place, true);
        Node::stmt("if").lines(branches, "", 1).text("fi")
    }

    fn repetition(&mut self, place: Place) -> Option<Node> {
        if place.inline {
            return None;
        }
        if place.atomic || place.step {
            return Some(self.counted_do(place));
        }
        let inner = Place { breakable: true, repeated: true, ..place };
        let mut branches = self.branches(inner, false);
        if self.random.percent(55) {
            let condition = self.guard(inner.inner());
            let leave =
                Node::new(Sort::Branch).text(":: ").inline(vec![condition, Node::stmt("break")], "; ", 1);
            let at = self.random.below(branches.len() + 1);
            branches.insert(at, leave);
        }
        Some(Node::stmt("do").lines(branches, "", 1).text("od"))
    }

    /// Options of a selection or repetition.
    fn branches(&mut self, place: Place, is_selection: bool) -> Vec<Node> {
        let inner = place.inner();
        let n = 1 + self.random.below(3);
        let mut branches: Vec<Node> = (0..n).map(|_| self.branch(inner)).collect();
        // A selection inside a `d_step` must always have something to do.
        let inner_else = |b: &Node| b.features().has(Feature::NestedSelection) && b.render().contains("else");
        let wants_else = place.step
            || !branches.iter().any(inner_else)
                && self.chance(Feature::Else, if is_selection { 40 } else { 25 });
        let io = [Feature::BufferedChannel, Feature::Rendezvous, Feature::Poll];
        let io = io.iter().any(|&f| branches.iter().any(|b| b.features().has(f)));
        if wants_else && (!io || self.has(Feature::ElseIo) || place.step) {
            let rest = if self.random.percent(40) { Vec::new() } else { self.sequence(inner, 1) };
            let mut items = vec![Node::stmt("else").tagged(if io { Feature::ElseIo } else { Feature::Else })];
            items.extend(rest);
            let at =
                if self.random.percent(80) { branches.len() } else { self.random.below(branches.len() + 1) };
            branches.insert(at, Node::new(Sort::Branch).text(":: ").inline(items, "; ", 1));
        }
        branches
    }

    fn branch(&mut self, place: Place) -> Node {
        self.current.budget = self.current.budget.saturating_sub(1);
        let first = self.first(place);
        let n = self.random.below(4);
        let mut items = vec![first];
        if n > 0 {
            items.extend(self.scoped(|g| g.sequence(place, n)));
        }
        Node::new(Sort::Branch).text(":: ").inline(items, "; ", 1)
    }

    /// What an option or an escape begins with: mostly something that waits.
    fn first(&mut self, place: Place) -> Node {
        if place.step {
            return self.guard(place);
        }
        let nest = usize::from(place.depth > 0);
        let choice = self.random.weighted(&[
            (40, 0),
            (24, 1),
            (14, 2),
            (self.weight(Feature::Timeout, 6), 3),
            (self.weight(Feature::NestedSelection, 16) * nest, 4),
            (self.weight(Feature::Atomic, 10) * nest, 5),
            (self.weight(Feature::Step, 9) * nest, 6),
            (8, 7),
            (
                self.weight(Feature::NestedSelection, 6) * nest * usize::from(!place.atomic && !place.inline),
                8,
            ),
        ]);
        let node = match choice {
            1 => self.receive(Wanted::Any, false),
            2 => self.send(Wanted::Any),
            3 => Some(Node::stmt("timeout").tagged(Feature::Timeout)),
            4 => Some(self.selection(place).tagged(Feature::NestedSelection)),
            5 => Some(self.atomic(place)),
            6 => Some(self.step(place)),
            7 => Some(self.assignment(place)),
            8 => self.repetition(place).map(|node| node.tagged(Feature::NestedSelection)),
            _ => None,
        };
        node.unwrap_or_else(|| self.guard(place))
    }

    fn atomic(&mut self, place: Place) -> Node {
        let inner = Place { atomic: true, ..place.inner() };
        let n = 1 + self.random.below(4);
        let items = self.scoped(|g| {
            let first = if g.random.percent(40) { g.first(inner) } else { g.statement(inner) };
            let mut items = vec![first];
            items.extend(g.sequence(inner, n));
            items
        });
        Node::stmt("atomic {").lines(items, ";", 1).text("}").tagged(Feature::Atomic)
    }

    fn step(&mut self, place: Place) -> Node {
        let inner = Place { step: true, breakable: false, ..place.inner() };
        let n = 1 + self.random.below(3);
        let before = self.on;
        self.on = self.on - Features::of(Feature::Remote);
        let items = self.scoped(|g| {
            // `pan` lets a `d_step` that begins with `assert` or `printf` answer somebody else's rendezvous.
            let first = match g.random.below(12) {
                0..=3 => Some(g.guard(place)),
                4..=5 => g.receive(Wanted::Buffered, false),
                6 => g.send(Wanted::Buffered),
                7 if inner.depth > 0 => Some(g.selection(inner)),
                8 if inner.depth > 0 && !place.inline => Some(g.counted_do(inner)),
                _ => None,
            };
            let mut items = vec![first.unwrap_or_else(|| g.assignment(place))];
            items.extend(g.sequence(inner, n));
            items
        });
        self.on = before;
        Node::stmt("d_step {").lines(items, ";", 1).text("}").tagged(Feature::Step)
    }

    fn unless(&mut self, place: Place) -> Node {
        self.unless_depth += 1;
        let node = self.body_and_escape(place);
        self.unless_depth -= 1;
        node
    }

    /// What an escape begins with.
    ///
    /// When an escape has several transitions, of which one is executable and a later one offers a
    /// rendezvous that nobody takes, `pan` forgets that there was an escape (the failed attempt sets
    /// `trpt->e_state` to 0) and lets the body go on as well:
    ///
    /// ```promela
    /// chan c = [0] of { byte };
    /// active proctype P() { skip unless { if :: c!0 :: skip fi } }
    /// ```
    ///
    /// has three transitions there and two here, since an escape that can be taken pre-empts the body.
    /// So a rendezvous is offered only by an escape that has no other transitions.
    fn escape(&mut self, place: Place) -> Node {
        if self.unless_depth == 1 && self.random.percent(15) {
            return self.send(Wanted::Any).unwrap_or_else(|| self.guard(place));
        }
        let before = std::mem::replace(&mut self.no_offers, true);
        let node = self.first(place);
        self.no_offers = before;
        node
    }

    fn body_and_escape(&mut self, place: Place) -> Node {
        let inner = place.inner();
        let body = match self.random.below(6) {
            0 if self.has(Feature::Atomic) => self.atomic(inner),
            1 => self.selection(inner),
            2 if !place.inline && !place.atomic && !place.breakable => {
                self.repetition(inner).unwrap_or_else(|| self.selection(inner))
            }
            _ => {
                let n = 1 + self.random.below(3);
                let items = self.scoped(|g| g.block_of(inner, n));
                Node::stmt("{").lines(items, ";", 1).text("}")
            }
        };
        // SPIN merges the options of an escape into those of the body, and wants at most one `else` among
        // them.
        let before = self.on;
        self.on = self.on - Features::of(Feature::Else);
        let escape = self.scoped(|g| {
            let mut items = vec![g.escape(inner)];
            let n = g.random.below(2);
            if n > 0 {
                items.extend(g.block_of(inner, n));
            }
            items
        });
        self.on = before;
        Node::new(Sort::Statement)
            .child(body)
            .text(" unless {")
            .lines(escape, ";", 1)
            .text("}")
            .tagged(Feature::Unless)
    }

    fn jump(&mut self, place: Place) -> Option<Node> {
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

    fn counter(&mut self) -> String {
        let name = self.fresh("i");
        let ty = *self.random.pick(&["byte", "int", "short"]).expect("not empty");
        self.current.counters.push((name.clone(), ty));
        name
    }

    /// A loop that ends whatever its body does.
    fn counted_do(&mut self, place: Place) -> Node {
        let counter = self.counter();
        let inner = Place { breakable: false, repeated: true, ..place.inner() };
        let mut items = vec![
            Node::stmt(format!("({counter} < {})", self.random.range(1, 2))),
            Node::stmt(format!("{counter}++")),
        ];
        items.extend(self.scoped(|g| g.sequence(inner, 2)));
        let again = Node::new(Sort::Branch).text(":: ").inline(items, "; ", 2);
        let done = Node::new(Sort::Branch).text(":: else; break");
        Node::stmt(format!("{counter} = 0; do")).lines(vec![again, done], "", 2).text("od")
    }

    fn count_loop(&mut self, place: Place) -> Node {
        let counter = self.counter();
        let inner = Place { breakable: !place.step, repeated: true, ..place.inner() };
        let n = 1 + self.random.below(2);
        let items = self.scoped(|g| {
            let read_only = Variable {
                base: counter.clone(),
                path: vec![Segment::Text(counter.clone())],
                ty: Type::Byte,
                writable: false,
            };
            g.scope().variables.push(read_only);
            g.block_of(inner, n)
        });
        let mut arrays: Vec<String> =
            self.scopes[0].variables.iter().filter(|v| v.path.len() == 3).filter_map(array).collect();
        arrays.retain(|name| !self.scopes[1..].iter().any(|s| s.variables.iter().any(|v| v.base == *name)));
        let header = match self.random.pick(&arrays) {
            Some(array) if self.random.percent(30) => format!("for ({counter} in {array}) {{"),
            _ => format!("for ({counter} : {} .. {}) {{", self.random.range(0, 1), self.random.range(1, 2)),
        };
        Node::stmt(header).lines(items, ";", 1).text("}").tagged(Feature::For)
    }

    fn block(&mut self, place: Place) -> Node {
        let inner = place.inner();
        let items = self.scoped(|g| {
            // SPIN lets disjoint blocks use one name, but no block hide a name of an outer one.
            let visible: Vec<String> = g.variables().iter().map(|v| v.base.clone()).collect();
            let mut names: Vec<&str> = vec!["b1", "b2"];
            names.retain(|name| !visible.iter().any(|v| v == name));
            let name = match g.random.pick(&names) {
                Some(name) if !place.inline => name.to_string(),
                _ => g.fresh("b_"),
            };
            let mut items = vec![g.declare(name).tagged(Feature::MidDeclaration)];
            let n = 1 + g.random.below(2);
            items.extend(g.block_of(inner, n));
            items
        });
        Node::stmt("{").lines(items, ";", 1).text("}").tagged(Feature::Shadow)
    }

    fn declaration(&mut self, _place: Place) -> Node {
        let name = self.fresh("m");
        self.declare(name).tagged(Feature::MidDeclaration)
    }

    /// A declaration of a local scalar, with or without a value.
    pub(super) fn declare(&mut self, name: String) -> Node {
        let ty = self.scalar_type();
        let node = Node::stmt(self.declarator(ty, &name));
        let node = if self.random.percent(65) {
            let before = self.on;
            self.on = self.on - Features::of(Feature::Remote);
            // A constant that does not fit is an error in an initialiser, unlike in an assignment.
            let value = match ty.tiny() {
                true => Node::expr(self.random.below(2).to_string()),
                false => self.value(ty),
            };
            self.on = before;
            node.text(" = ").child(value)
        } else {
            node
        };
        let path = vec![Segment::Text(name.clone())];
        self.scope().variables.push(Variable { base: name, path, ty, writable: true });
        node
    }

    fn late_run(&mut self, place: Place) -> Option<Node> {
        let rank = self.current.rank;
        let later: Vec<usize> = (rank + 1..self.processes.len()).collect();
        let target = *self.random.pick(&later)?;
        let run = self.run(target)?.tagged(Feature::RunLate);
        if !place.repeated && !self.has(Feature::Goto) && self.random.percent(40) {
            return Some(run);
        }
        let limit = self.random.range(3, 4);
        let test = Node::stmt(format!("(_nr_pr < {limit})"));
        if self.random.percent(50) {
            let skip = Node::new(Sort::Branch).text(":: else");
            let branch = Node::new(Sort::Branch).text(":: ").inline(vec![test, run], "; ", 2);
            return Some(Node::stmt("atomic { if").lines(vec![branch, skip], "", 2).text("fi }"));
        }
        Some(Node::stmt("atomic { ").inline(vec![test, run], "; ", 2).text(" }"))
    }

    /// `run P(…)`, sometimes keeping the process number.
    pub(super) fn run(&mut self, target: usize) -> Option<Node> {
        let process = self.processes[target].clone();
        let mut arguments = Vec::new();
        for parameter in &process.parameters {
            arguments.push(match *parameter {
                // SPIN wants the name itself here, not a variable.
                Parameter::Scalar(Type::Mtype(set)) => Node::expr(self.mtypes[set].1[0].clone()),
                Parameter::Scalar(ty) => self.value(ty),
                Parameter::Channel(signature) => {
                    let mut channels = self.channels();
                    channels.retain(|c| c.signature == signature);
                    let channel = self.random.pick(&channels)?.clone();
                    self.place(&channel.base, &channel.path).tagged(Feature::ChannelParameter)
                }
            });
        }
        let n = arguments.len();
        let keep = if self.random.percent(15) {
            self.write(|v| v.ty == Type::Pid || v.ty == Type::Byte)
        } else {
            None
        };
        let node = match keep {
            Some(variable) => Node::new(Sort::Statement).child(variable).text(" = "),
            None => Node::new(Sort::Statement),
        };
        let mut node = node.text(format!("run {}(", process.name)).inline(arguments, ", ", n).text(")");
        if self.chance(Feature::Priority, 40) {
            node = node.text(format!(" priority {}", self.random.range(1, 3)));
        }
        Some(node.tagged(Feature::Run))
    }

    fn call(&mut self) -> Option<Node> {
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

/// Whether control may come out of the statement by a jump. SPIN refuses jumps to a `d_step`, also its own.
fn leaves_a_loop(node: &Node) -> bool {
    let text = node.render();
    ["select (", "for (", "do\n", "change("].iter().any(|sign| text.contains(sign))
}

fn labelled(label: &str, node: Node) -> Node {
    Node::stmt(format!("{label}: ")).child(node)
}

fn array(variable: &Variable) -> Option<String> {
    let [Segment::Text(_), Segment::Index(_), Segment::Text(close)] = &variable.path[..] else { return None };
    (close == "]").then(|| variable.base.clone())
}

fn constant_path(path: &[Segment]) -> Vec<Segment> {
    let fix = |segment: &Segment| match segment {
        Segment::Index(_) => Segment::Text("0".into()),
        Segment::Text(text) => Segment::Text(text.clone()),
    };
    path.iter().map(fix).collect()
}
