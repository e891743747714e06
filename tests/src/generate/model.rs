//! Whole models: declarations, processes, and how processes come to be.

use super::features::{Feature, Features};
use super::names::{
    Channel, Current, Field, Generator, Parameter, Process, Scope, Segment, Structure, Type, Variable,
};
use super::random::Random;
use super::statement::Place;
use super::tree::{Node, Sort};

/// The model that the seed names, using no features but the given ones.
///
/// Each model gets a random part of them (swarm testing: Groce et al. 2012), since features that are
/// always on together hide each other's effects.
pub fn generate(seed: u64, allowed: Features) -> Node {
    let mut random = Random::new(seed);
    let on = allowed & swarm(&mut random);
    let mut generator = Generator {
        random,
        on,
        scopes: vec![Scope::default()],
        signatures: Vec::new(),
        mtypes: Vec::new(),
        has_structure: false,
        inlines: Vec::new(),
        macros: Vec::new(),
        processes: Vec::new(),
        current: Current::default(),
        unless_depth: 0,
        no_offers: false,
    };
    generator.model()
}

fn swarm(random: &mut Random) -> Features {
    let mut on = Features::NONE;
    for &feature in Feature::ALL {
        let chance = match feature {
            Feature::Enabled | Feature::Last => 3,
            Feature::Priority => 7,
            Feature::Provided | Feature::Remote | Feature::RunLate | Feature::Timeout => 25,
            Feature::Assert => 45,
            Feature::BufferedChannel | Feature::Rendezvous | Feature::Atomic | Feature::Else => 60,
            _ => 45,
        };
        if random.percent(chance) {
            on = on | Features::of(feature);
        }
    }
    // SPIN refuses both of these next to rendezvous channels.
    let lonely = on.has(Feature::Enabled) || on.has(Feature::Priority);
    if lonely { on - Features::of(Feature::Rendezvous) } else { on }
}

impl Generator {
    fn model(&mut self) -> Node {
        let mut items = self.definitions();
        items.extend(self.globals());
        items.extend(self.channel_declarations());
        items.extend(self.inline_definitions());
        self.plan_processes();
        let n = self.processes.len();
        for rank in 0..n {
            items.push(self.process(rank));
        }
        if self.processes.iter().any(|p| p.active == 0) {
            items.push(self.init());
        }
        Node::new(Sort::Item).lines_flat(items)
    }

    fn definitions(&mut self) -> Vec<Node> {
        let mut items = Vec::new();
        if self.has(Feature::Macro) {
            items.push(Node::new(Sort::Item).text("#define LIMIT 2").tagged(Feature::Macro));
            items.push(
                Node::new(Sort::Item)
                    .text("#define NEXT(x) (((x) + 1) % \\\n  (LIMIT + 1))")
                    .tagged(Feature::Macro),
            );
            self.macros.push("NEXT".into());
        }
        if self.has(Feature::Mtype) {
            let names: Vec<String> = ["red", "green", "blue"].map(String::from).into();
            let list = names.iter().map(|name| Node::expr(name.clone())).collect();
            items.push(
                Node::new(Sort::Item)
                    .text("mtype = { ")
                    .inline(list, ", ", 1)
                    .text(" }")
                    .tagged(Feature::Mtype),
            );
            self.mtypes.push((None, names));
            if self.random.percent(30) {
                items.push(Node::new(Sort::Item).text("mtype:kind = { ack, nak }").tagged(Feature::Mtype));
                self.mtypes.push((Some("kind"), vec!["ack".into(), "nak".into()]));
            }
        }
        if self.has(Feature::Typedef) {
            self.has_structure = true;
            let fields = vec![Node::stmt("byte a"), Node::stmt("bit b")];
            items.push(
                Node::new(Sort::Item)
                    .text("typedef Pair { ")
                    .inline(fields, "; ", 1)
                    .text(" }")
                    .tagged(Feature::Typedef),
            );
            let fields = vec![Node::stmt("Pair one"), Node::stmt("Pair many[2]"), Node::stmt("short n")];
            items.push(
                Node::new(Sort::Item)
                    .text("typedef Nest { ")
                    .inline(fields, "; ", 1)
                    .text(" }")
                    .tagged(Feature::Typedef),
            );
        }
        items
    }

    fn globals(&mut self) -> Vec<Node> {
        let mut items = Vec::new();
        for idx in 0..1 + self.random.below(3) {
            let ty = self.scalar_type();
            items.push(self.global_variable(format!("v{idx}"), ty));
        }
        if self.has(Feature::Typedef) {
            let (name, array) = if self.random.percent(40) { ("ns", "[2]") } else { ("ns", "") };
            items.push(Node::new(Sort::Item).text(format!("Nest {name}{array}")).tagged(Feature::Typedef));
            self.declare_nest(name, !array.is_empty());
            items.push(Node::new(Sort::Item).text("Pair pr").tagged(Feature::Typedef));
            self.declare_pair("pr");
        }
        items
    }

    fn global_variable(&mut self, name: String, ty: Type) -> Node {
        let is_array = !matches!(ty, Type::Narrow(_)) && self.chance(Feature::Array, 40);
        let length = 2 + self.random.below(2);
        let mut node = Node::new(Sort::Item);
        if is_array {
            node = node.text(self.declarator(ty, &format!("{name}[{length}]"))).tagged(Feature::Array);
        } else {
            node = node.text(self.declarator(ty, &name));
        }
        if self.random.percent(50) {
            let value = match ty {
                Type::Mtype(set) => self.mtypes[set].1[0].clone(),
                Type::Short if self.has(Feature::Wrap) => "32767".into(),
                Type::Byte if self.chance(Feature::Wrap, 50) => "255".into(),
                _ => self.random.range(0, 1).to_string(),
            };
            node = node.text(format!(" = {value}"));
        }
        let path = if is_array {
            vec![Segment::Text(format!("{name}[")), Segment::Index(length), Segment::Text("]".into())]
        } else {
            vec![Segment::Text(name.clone())]
        };
        self.scope().variables.push(Variable { base: name, path, ty, writable: true });
        node
    }

    fn declare_pair(&mut self, name: &str) {
        for (field, ty) in [("a", Type::Byte), ("b", Type::Bit)] {
            let path = vec![Segment::Text(format!("{name}.{field}"))];
            self.scope().variables.push(Variable { base: name.into(), path, ty, writable: true });
        }
        self.scope().structures.push(Structure { base: name.into() });
    }

    fn declare_nest(&mut self, name: &str, is_array: bool) {
        let text = |text: &str| Segment::Text(text.into());
        let root = if is_array {
            vec![text(name), text("["), Segment::Index(2), text("]")]
        } else {
            vec![text(name)]
        };
        let tails: [(Vec<Segment>, Type); 4] = [
            (vec![text(".one.a")], Type::Byte),
            (vec![text(".one.b")], Type::Bit),
            (vec![text(".many["), Segment::Index(2), text("].a")], Type::Byte),
            (vec![text(".n")], Type::Short),
        ];
        for (tail, ty) in tails {
            let path = root.iter().cloned().chain(tail).collect();
            self.scope().variables.push(Variable { base: name.into(), path, ty, writable: true });
        }
    }

    /// A random type for a scalar.
    pub(super) fn scalar_type(&mut self) -> Type {
        let n_mtypes = self.mtypes.len();
        match self.random.below(12) {
            0 => Type::Bit,
            1 => Type::Bool,
            2 => Type::Short,
            3 => Type::Int,
            4 => Type::Pid,
            5..=6 if self.has(Feature::Narrow) => Type::Narrow(self.random.range(1, 3) as u8),
            7..=8 if n_mtypes > 0 => Type::Mtype(self.random.below(n_mtypes)),
            _ => Type::Byte,
        }
    }

    /// The type, and the name where the syntax wants it.
    pub(super) fn declarator(&self, ty: Type, name: &str) -> String {
        match ty {
            Type::Narrow(bits) => format!("unsigned {name} : {bits}"),
            _ => format!("{} {name}", self.type_name(ty)),
        }
    }

    fn type_name(&self, ty: Type) -> String {
        match ty {
            Type::Bit => "bit".into(),
            Type::Bool => "bool".into(),
            Type::Byte | Type::Narrow(_) => "byte".into(),
            Type::Short => "short".into(),
            Type::Int => "int".into(),
            Type::Pid => "pid".into(),
            Type::Mtype(set) => self.mtypes[set].0.map_or("mtype".into(), |name| format!("mtype:{name}")),
        }
    }

    fn channel_declarations(&mut self) -> Vec<Node> {
        if !self.has(Feature::BufferedChannel) && !self.has(Feature::Rendezvous) {
            return Vec::new();
        }
        self.plan_signatures();
        let mut items = Vec::new();
        let n = self.signatures.len() + self.random.below(2);
        for idx in 0..n {
            let signature = idx % self.signatures.len();
            let name = format!("gc{idx}");
            let capacity = self.capacity();
            let is_array = self.chance(Feature::ChannelArray, 35);
            let suffix = if is_array { "[2]" } else { "" };
            let node = Node::new(Sort::Item)
                .text(format!("chan {name}{suffix} = {}", self.buffer(capacity, signature)));
            items.push(match (is_array, capacity) {
                (true, _) => node.tagged(Feature::ChannelArray),
                (_, 0) => node.tagged(Feature::Rendezvous),
                _ => node.tagged(Feature::BufferedChannel),
            });
            let path = if is_array {
                vec![Segment::Text(format!("{name}[")), Segment::Index(2), Segment::Text("]".into())]
            } else {
                vec![Segment::Text(name.clone())]
            };
            let rendezvous = capacity == 0;
            self.scope().channels.push(Channel { base: name, path, signature, rendezvous, variable: false });
        }
        items
    }

    fn plan_signatures(&mut self) {
        let first: Vec<Field> = (0..1 + self.random.below(2)).map(|_| self.scalar_field()).collect();
        self.signatures.push(first);
        if self.has(Feature::ChannelMessage) {
            let mut fields = vec![Field::Channel(0)];
            if self.random.percent(40) {
                fields.insert(self.random.below(2), Field::Scalar(Type::Bit));
            }
            self.signatures.push(fields);
        } else if self.has(Feature::Typedef) && self.random.percent(50) {
            self.signatures.push(vec![Field::Structure]);
        } else if self.random.percent(40) {
            let second: Vec<Field> = (0..1 + self.random.below(3)).map(|_| self.scalar_field()).collect();
            self.signatures.push(second);
        }
    }

    fn scalar_field(&mut self) -> Field {
        let ty = self.scalar_type();
        Field::Scalar(if matches!(ty, Type::Narrow(_)) { Type::Byte } else { ty })
    }

    fn capacity(&mut self) -> usize {
        let rendezvous = match (self.has(Feature::BufferedChannel), self.has(Feature::Rendezvous)) {
            (true, true) => self.random.percent(50),
            (buffered, _) => !buffered,
        };
        if rendezvous { 0 } else { 1 + self.random.below(2) }
    }

    fn buffer(&self, capacity: usize, signature: usize) -> String {
        let fields: Vec<String> = self.signatures[signature]
            .iter()
            .map(|field| match field {
                Field::Scalar(ty) => self.type_name(*ty),
                Field::Channel(_) => "chan".into(),
                Field::Structure => "Pair".into(),
            })
            .collect();
        format!("[{capacity}] of {{ {} }}", fields.join(", "))
    }

    fn inline_definitions(&mut self) -> Vec<Node> {
        if !self.has(Feature::Inline) {
            return Vec::new();
        }
        self.current = Current { budget: 4, ..Current::default() };
        let place = Place { inline: true, repeated: true, depth: 2, ..Place::BODY };
        let items = self.scoped(|g| {
            for (name, writable) in [("fst", true), ("snd", false)] {
                let path = vec![Segment::Text(name.into())];
                g.scope().variables.push(Variable { base: name.into(), path, ty: Type::Int, writable });
            }
            let value = Node::stmt("fst = (snd + 1) % 3");
            let mut items = if g.random.percent(50) { vec![value] } else { Vec::new() };
            let n = 1 + g.random.below(3);
            items.extend(g.block_of(place, n));
            items
        });
        self.inlines.push("change".into());
        vec![
            Node::new(Sort::Item)
                .text("inline change(fst, snd) {")
                .lines(items, ";", 1)
                .text("}")
                .tagged(Feature::Inline),
        ]
    }

    fn plan_processes(&mut self) {
        let n = self.random.weighted(&[(8, 1), (57, 2), (35, 3)]);
        let all_run = self.chance(Feature::Run, 45);
        let mut pid = 0;
        for rank in 0..n {
            let is_run = self.has(Feature::Run) && (all_run || self.random.percent(30));
            let active = match is_run {
                true => 0,
                false if self.random.percent(15) => 2,
                false => 1,
            };
            let parameters = if is_run { self.parameters() } else { Vec::new() };
            let name = format!("P{rank}");
            let first_pid = pid;
            pid += active;
            let (labels, variables) = (Vec::new(), Vec::new());
            self.processes.push(Process { name, parameters, active, first_pid, labels, variables });
        }
    }

    fn parameters(&mut self) -> Vec<Parameter> {
        let n = self.random.below(3);
        let mut parameters = Vec::new();
        for _ in 0..n {
            if !self.signatures.is_empty() && self.chance(Feature::ChannelParameter, 60) {
                let channels: Vec<usize> = self.channels().iter().map(|c| c.signature).collect();
                parameters.push(Parameter::Channel(
                    *self.random.pick(&channels).expect("signatures have channels"),
                ));
            } else {
                let ty = self.scalar_type();
                parameters.push(Parameter::Scalar(if matches!(ty, Type::Narrow(_)) {
                    Type::Byte
                } else {
                    ty
                }));
            }
        }
        parameters
    }

    fn process(&mut self, rank: usize) -> Node {
        let budget = 8 + self.random.below(10);
        self.current = Current { rank, budget, ..Current::default() };
        let process = self.processes[rank].clone();
        let header = match process.active {
            0 => format!("proctype {}(", process.name),
            1 => format!("active proctype {}(", process.name),
            n => format!("active [{n}] proctype {}(", process.name),
        };
        let mut node = Node::new(Sort::Item).text(header);
        self.scopes.push(Scope::default());
        let parameters = self.parameter_list(&process.parameters);
        let n_parameters = parameters.len();
        node = node.inline(parameters, "; ", n_parameters).text(")");
        if self.chance(Feature::Priority, 60) {
            node = node.text(format!(" priority {}", self.random.range(1, 3))).tagged(Feature::Priority);
        }
        if self.chance(Feature::Provided, 50) {
            let before = self.on;
            self.on = self.on - (Features::of(Feature::Remote) | Features::of(Feature::Enabled));
            let condition = self.globally(|g| g.condition(1));
            self.on = before;
            node = node.text(" provided (").child(condition).text(")").tagged(Feature::Provided);
        }
        let body = self.body();
        self.scopes.pop();
        self.processes[rank].labels = self.current.labels.clone();
        node.text(" {").lines(body, ";", 1).text("}")
    }

    fn parameter_list(&mut self, parameters: &[Parameter]) -> Vec<Node> {
        let mut list = Vec::new();
        for (idx, parameter) in parameters.iter().enumerate() {
            let name = format!("p{idx}");
            let path = vec![Segment::Text(name.clone())];
            match *parameter {
                Parameter::Scalar(ty) => {
                    list.push(Node::stmt(self.declarator(ty, &name)));
                    self.scope().variables.push(Variable { base: name, path, ty, writable: true });
                }
                Parameter::Channel(signature) => {
                    list.push(Node::stmt(format!("chan {name}")).tagged(Feature::ChannelParameter));
                    let channels = self.scopes[0].channels.iter();
                    let rendezvous = channels.clone().any(|c| c.signature == signature && c.rendezvous)
                        || self.has(Feature::LocalChannel);
                    self.scope().channels.push(Channel {
                        base: name,
                        path,
                        signature,
                        rendezvous,
                        variable: true,
                    });
                }
            }
        }
        list
    }

    /// Declarations, then statements, then whatever labels are still owed.
    fn body(&mut self) -> Vec<Node> {
        let mut declarations = Vec::new();
        for _ in 0..self.random.below(3) {
            let name = self.fresh("l");
            declarations.push(self.declare(name.clone()));
            if !matches!(self.scope().variables.last().map(|v| v.ty), Some(Type::Narrow(_) | Type::Mtype(_)))
            {
                let rank = self.current.rank;
                if let Some(process) = self.processes.get_mut(rank) {
                    process.variables.push(name);
                }
            }
        }
        declarations.extend(self.local_channels());
        if self.has(Feature::Typedef) && self.random.percent(30) {
            declarations.push(Node::stmt("Pair lp").tagged(Feature::Typedef));
            self.declare_pair("lp");
        }
        let n = 3 + self.random.below(4);
        let mut statements = Vec::new();
        if self.random.percent(60) {
            let start = self.random.below(2);
            if start > 0 {
                statements.extend(self.sequence(Place::BODY, 1));
            }
            statements.push(self.main_loop());
        } else {
            statements.extend(self.sequence(Place::BODY, n));
        }
        for label in std::mem::take(&mut self.current.owed) {
            statements.push(Node::stmt(format!("{label}: skip")).tagged(Feature::Goto));
        }
        let counters = self.current.counters.clone();
        declarations.extend(counters.into_iter().map(|(name, ty)| Node::stmt(format!("{ty} {name}"))));
        declarations.into_iter().chain(statements).collect()
    }

    fn main_loop(&mut self) -> Node {
        let place = Place { breakable: true, repeated: true, ..Place::BODY };
        let n_branches = self.random.weighted(&[(50, 1), (35, 2), (15, 3)]);
        let mut branches = Vec::new();
        for _ in 0..n_branches {
            let n = 1 + self.random.below(6 / n_branches);
            let mut items = self.scoped(|g| g.block_of(place, n));
            // `pan` refuses a loop that consists of doing nothing.
            items.retain(|item| item.render() != "skip");
            if items.is_empty() {
                items.push(self.assignment(place));
            }
            branches.push(Node::new(Sort::Branch).text(":: ").inline(items, "; ", 1));
        }
        Node::stmt("do").lines(branches, "", 1).text("od")
    }

    fn local_channels(&mut self) -> Vec<Node> {
        let mut declarations = Vec::new();
        if self.signatures.is_empty() {
            return declarations;
        }
        if self.chance(Feature::LocalChannel, 50) {
            let capacity = self.capacity();
            declarations.push(
                Node::stmt(format!("chan lq = {}", self.buffer(capacity, 0))).tagged(Feature::LocalChannel),
            );
            let path = vec![Segment::Text("lq".into())];
            let (rendezvous, variable) = (capacity == 0, false);
            self.scope().channels.push(Channel {
                base: "lq".into(),
                path,
                signature: 0,
                rendezvous,
                variable,
            });
        }
        if self.chance(Feature::ChannelMessage, 60) {
            let channels: Vec<Channel> =
                self.scopes[0].channels.iter().filter(|c| c.signature == 0).cloned().collect();
            let source = self.random.pick(&channels).expect("every signature has a channel").clone();
            let rendezvous = channels.iter().any(|c| c.rendezvous);
            let place = self.place(&source.base, &source.path);
            declarations.push(Node::stmt("chan lv = ").child(place).tagged(Feature::ChannelMessage));
            let path = vec![Segment::Text("lv".into())];
            self.scope().channels.push(Channel {
                base: "lv".into(),
                path,
                signature: 0,
                rendezvous,
                variable: true,
            });
        }
        declarations
    }

    fn init(&mut self) -> Node {
        let rank = self.processes.len();
        self.current = Current { rank, budget: 4, ..Current::default() };
        self.scopes.push(Scope::default());
        let mut declarations = Vec::new();
        if self.random.percent(40) {
            declarations.push(self.declare("l0".into()));
        }
        let idle: Vec<usize> = (0..self.processes.len()).filter(|&p| self.processes[p].active == 0).collect();
        let mut runs = Vec::new();
        for &target in &idle {
            for _ in 0..1 + usize::from(self.random.percent(20)) {
                runs.extend(self.run(target));
            }
        }
        // A process that cannot get its arguments would leave nothing to run.
        runs.push(Node::stmt("skip"));
        let mut statements = declarations;
        if self.random.percent(50) {
            statements.push(Node::stmt("atomic {").lines(runs, ";", 1).text("}").tagged(Feature::Run));
        } else {
            statements.extend(runs);
        }
        if self.random.percent(50) {
            let n = 1 + self.random.below(2);
            statements.extend(self.sequence(Place::BODY, n));
        }
        for label in std::mem::take(&mut self.current.owed) {
            statements.push(Node::stmt(format!("{label}: skip")).tagged(Feature::Goto));
        }
        let counters = self.current.counters.clone();
        let counters: Vec<Node> =
            counters.into_iter().map(|(name, ty)| Node::stmt(format!("{ty} {name}"))).collect();
        self.scopes.pop();
        Node::new(Sort::Item)
            .text("init {")
            .lines(counters.into_iter().chain(statements).collect(), ";", 1)
            .text("}")
    }
}
