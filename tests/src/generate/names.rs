//! What a generated model declares, and what is visible where.

use super::features::{Feature, Features};
use super::random::Random;
use super::tree::Node;

/// The type of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Bit,
    Bool,
    Byte,
    Short,
    Int,
    Pid,
    /// `unsigned` of so many bits.
    Narrow(u8),
    /// Position in `Generator::mtypes`.
    Mtype(usize),
}

impl Type {
    /// Whether a value can never be negative, so that it can index an array after `%`.
    pub(super) fn natural(self) -> bool {
        !matches!(self, Type::Short | Type::Int | Type::Mtype(_))
    }

    /// How many bits a value takes.
    fn width(self) -> u8 {
        match self {
            Type::Bit | Type::Bool => 1,
            Type::Narrow(bits) => bits,
            Type::Byte | Type::Pid | Type::Mtype(_) => 8,
            Type::Short => 16,
            Type::Int => 32,
        }
    }

    /// Whether a variable of this type can hold every value of a message field of the other.
    pub(super) fn holds(self, field: Type) -> bool {
        match (self, field) {
            (Type::Mtype(_), _) | (_, Type::Mtype(_)) => self == field,
            // SPIN gives a message of one bit a whole byte.
            _ => self.width() >= field.width().max(8) && (field.natural() || !self.natural()),
        }
    }

    /// Whether the type itself keeps its values few.
    pub(super) fn tiny(self) -> bool {
        matches!(self, Type::Bit | Type::Bool | Type::Narrow(_))
    }
}

/// A step on the way to a scalar inside arrays and structures.
#[derive(Clone, Debug)]
pub(super) enum Segment {
    Text(String),
    /// An index below the length.
    Index(usize),
}

/// A variable, or a scalar inside one.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    /// The declared name, by which it hides others and by which a receive must not name it twice.
    pub(super) base: String,
    pub(super) path: Vec<Segment>,
    pub(super) ty: Type,
    pub(super) writable: bool,
}

impl Variable {
    /// Whether it is a variable of its own, neither an element nor a field.
    pub(super) fn is_simple(&self) -> bool {
        matches!(&self.path[..], [Segment::Text(text)] if *text == self.base)
    }
}

/// What a message carries at one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Scalar(Type),
    /// A channel of the signature at that position.
    Channel(usize),
    /// The message structure of the model.
    Structure,
}

/// A channel, or an element of an array of them.
#[derive(Clone, Debug)]
pub(super) struct Channel {
    pub(super) base: String,
    pub(super) path: Vec<Segment>,
    /// Position in `Generator::signatures`.
    pub(super) signature: usize,
    /// Whether it may be a rendezvous channel at run time.
    pub(super) rendezvous: bool,
    /// Whether it is a variable that a receive may change, and not a channel's own name.
    pub(super) variable: bool,
}

/// A structure variable of the message type.
#[derive(Clone, Debug)]
pub(super) struct Structure {
    pub(super) base: String,
}

/// The names one block declares.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    pub(super) variables: Vec<Variable>,
    pub(super) channels: Vec<Channel>,
    pub(super) structures: Vec<Structure>,
}

impl Scope {
    fn declares(&self, name: &str) -> bool {
        self.variables.iter().any(|v| v.base == name)
            || self.channels.iter().any(|c| c.base == name)
            || self.structures.iter().any(|s| s.base == name)
    }
}

/// A parameter of a process.
#[derive(Clone, Copy, Debug)]
pub(super) enum Parameter {
    Scalar(Type),
    /// A channel of the signature at that position.
    Channel(usize),
}

/// What other processes may know about a process.
#[derive(Clone, Debug)]
pub(super) struct Process {
    pub(super) name: String,
    pub(super) parameters: Vec<Parameter>,
    /// How many instances exist from the start.
    pub(super) active: usize,
    /// The first instance's process number, if it has any from the start.
    pub(super) first_pid: usize,
    /// Labels and variables that a remote reference can name.
    pub(super) labels: Vec<String>,
    pub(super) variables: Vec<String>,
}

/// The state of the process being generated.
#[derive(Clone, Debug, Default)]
pub(super) struct Current {
    /// Its position in `Generator::processes`; processes create only those behind them.
    pub(super) rank: usize,
    pub(super) labels: Vec<String>,
    /// Labels promised by a `goto` and not placed yet.
    pub(super) owed: Vec<String>,
    /// Loop counters, declared when the body is complete.
    pub(super) counters: Vec<(String, &'static str)>,
    /// How many more statements it should get.
    pub(super) budget: usize,
    pub(super) n_names: usize,
}

/// Everything known while a model is written.
pub(super) struct Generator {
    pub(super) random: Random,
    pub(super) on: Features,
    pub(super) scopes: Vec<Scope>,
    pub(super) signatures: Vec<Vec<Field>>,
    /// The names of each `mtype` set, and the set's own name if it has one.
    pub(super) mtypes: Vec<(Option<&'static str>, Vec<String>)>,
    pub(super) has_structure: bool,
    pub(super) inlines: Vec<String>,
    pub(super) macros: Vec<String>,
    pub(super) processes: Vec<Process>,
    pub(super) current: Current,
    /// Number of `unless`es around.
    pub(super) unless_depth: usize,
    /// No rendezvous is offered: see `Generator::escape`.
    pub(super) no_offers: bool,
}

impl Generator {
    pub(super) fn has(&self, feature: Feature) -> bool {
        self.on.has(feature)
    }

    /// The feature is on, and in so many of a hundred cases.
    pub(super) fn chance(&mut self, feature: Feature, percent: usize) -> bool {
        self.has(feature) && self.random.percent(percent)
    }

    /// A weight that counts only if the feature is on.
    pub(super) fn weight(&self, feature: Feature, weight: usize) -> usize {
        if self.has(feature) { weight } else { 0 }
    }

    pub(super) fn scope(&mut self) -> &mut Scope {
        self.scopes.last_mut().expect("the global scope is never left")
    }

    /// Generates inside a scope of its own.
    pub(super) fn scoped<T>(&mut self, generate: impl FnOnce(&mut Self) -> T) -> T {
        self.scopes.push(Scope::default());
        let result = generate(self);
        self.scopes.pop();
        result
    }

    /// Generates with only the global names visible.
    pub(super) fn globally<T>(&mut self, generate: impl FnOnce(&mut Self) -> T) -> T {
        let locals = self.scopes.split_off(1);
        let result = generate(self);
        self.scopes.extend(locals);
        result
    }

    pub(super) fn variables(&self) -> Vec<Variable> {
        self.visible(|scope| &scope.variables, |variable| &variable.base)
    }

    pub(super) fn channels(&self) -> Vec<Channel> {
        self.visible(|scope| &scope.channels, |channel| &channel.base)
    }

    pub(super) fn structures(&self) -> Vec<Structure> {
        self.visible(|scope| &scope.structures, |structure| &structure.base)
    }

    fn visible<T: Clone>(&self, of: impl Fn(&Scope) -> &Vec<T>, base: impl Fn(&T) -> &str) -> Vec<T> {
        let hidden =
            |level: usize, name: &str| self.scopes[level + 1..].iter().any(|scope| scope.declares(name));
        let levels = self.scopes.iter().enumerate();
        levels
            .flat_map(|(level, scope)| of(scope).iter().map(move |item| (level, item)))
            .filter(|(level, item)| !hidden(*level, base(item)))
            .map(|(_, item)| item.clone())
            .collect()
    }

    pub(super) fn fresh(&mut self, prefix: &str) -> String {
        self.current.n_names += 1;
        format!("{prefix}{}", self.current.n_names)
    }

    /// Fills in the indices of a path.
    pub(super) fn place(&mut self, base: &str, path: &[Segment]) -> Node {
        let mut node = Node::expr("");
        for segment in path {
            node = match segment {
                Segment::Text(text) => node.text(text.clone()),
                Segment::Index(length) => node.child(self.index(base, *length)),
            };
        }
        node
    }
}
