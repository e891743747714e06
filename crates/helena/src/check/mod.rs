//! Names and types: from the tree to definitions whose expressions can be evaluated.
//!
//! Follows section 2 of the language reference. Definitions are read in the order of the text: a name can be used after
//! its definition. Types, constants, functions, places, transitions and propositions have name spaces of their own; in
//! an expression a variable hides a constant, and both hide values of enumerations. Whatever is wrong is reported, and
//! the rest is checked all the same; a name whose definition could not be read is not reported again.

mod access;
mod arc;
mod binary;
mod declare;
mod defs;
mod draft;
mod fix;
mod function;
mod iterate;
mod literal;
mod lookup;
mod place;
mod property;
mod stmt;
mod transition;
mod types;

use hashbrown::{HashMap, HashSet};
use smol_str::SmolStr;
use stubborn_base::{Diagnostic, IndexVec, Span};
use stubborn_nets::{PlaceId, TransId, Value};

use crate::ast::{Expr, Ident, Item, Program};
use crate::code::{Context, Node};
use crate::eval::Machine;
use crate::types::{TypeId, Types};

pub(crate) use declare::unknown_parameter;
pub(crate) use defs::{
    ArcDef, Checked, PlaceDef, PriorityDef, PropositionDef, Source, TransitionDef, TupleDef, VariableDef,
};
pub(crate) use property::{Condition, LtlDef, StateDef};

/// Checks a net, and an expression that is read after it. Values in `parameters` replace defaults.
pub(crate) fn check(
    program: &Program,
    extra: Option<&Expr>,
    parameters: &[(String, String)],
    lost: &HashSet<SmolStr>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Checked> {
    let head = program.head.as_ref()?;
    let mut checker = Checker::new(lost, program);
    checker.parameters(&head.params, parameters);
    for item in &program.items {
        match item {
            Item::Type(def) => checker.type_def(def),
            Item::Constant(def) => checker.constant(def),
            Item::Function(def) => checker.function(def),
            Item::Place(def) => checker.place(def),
            Item::Transition(def) => checker.transition(def),
            Item::Proposition(def) => checker.proposition(def),
            Item::StateProperty(_) | Item::LtlProperty(_) => {}
        }
    }
    checker.properties(program);
    let extra = extra.and_then(|expr| checker.extra(expr));
    checker.finish();
    diagnostics.append(&mut checker.diagnostics);
    Some(Checked {
        name: head.name.clone(),
        context: checker.context,
        places: checker.places,
        transitions: checker.transitions,
        propositions: checker.propositions,
        states: checker.states,
        formulas: checker.formulas,
        extra,
    })
}

/// A variable that can be named.
#[derive(Clone, Debug)]
struct Local {
    name: SmolStr,
    ty: TypeId,
    node: Node,
    /// Whether it can be set.
    is_variable: bool,
}

/// A constant of the net.
#[derive(Debug)]
struct ConstantDef {
    ty: TypeId,
    span: Span,
    /// What is computed when all functions are known; none if it is a value already, or wrong.
    pending: Option<Node>,
}

/// What is known of a function besides its code.
#[derive(Debug)]
struct FunctionDef {
    name: Ident,
    is_defined: bool,
}

/// Kinds of names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Space {
    Type,
    Constant,
    Function,
    Place,
    Transition,
    Proposition,
}

struct Checker<'a> {
    context: Context,
    names: HashMap<(Space, SmolStr), (u32, Option<Span>)>,
    /// Where names are defined that are not yet known.
    later: HashMap<(Space, SmolStr), Span>,
    /// Types of enumerations by the names of their values.
    enum_values: HashMap<SmolStr, Vec<TypeId>>,
    constants: Vec<ConstantDef>,
    functions: Vec<FunctionDef>,
    places: IndexVec<PlaceId, PlaceDef>,
    transitions: IndexVec<TransId, TransitionDef>,
    propositions: Vec<PropositionDef>,
    states: Vec<StateDef>,
    formulas: Vec<LtlDef>,
    diagnostics: Vec<Diagnostic>,
    lost: &'a HashSet<SmolStr>,
    /// Variables in scope, innermost last.
    scope: Vec<Local>,
    /// Variables of the frame at hand.
    n_locals: u32,
    /// Whether iterators and places can be used.
    is_complex: bool,
    /// Whether a function or a variable was met: the expression at hand is not static.
    is_dynamic: bool,
}

impl<'a> Checker<'a> {
    fn new(lost: &'a HashSet<SmolStr>, program: &Program) -> Self {
        let types = Types::new();
        let mut checker = Checker {
            context: Context { types, constants: Vec::new(), functions: Vec::new() },
            names: HashMap::new(),
            later: HashMap::new(),
            enum_values: HashMap::new(),
            constants: Vec::new(),
            functions: Vec::new(),
            places: IndexVec::new(),
            transitions: IndexVec::new(),
            propositions: Vec::new(),
            states: Vec::new(),
            formulas: Vec::new(),
            diagnostics: Vec::new(),
            lost,
            scope: Vec::new(),
            n_locals: 0,
            is_complex: false,
            is_dynamic: false,
        };
        checker.predefine();
        for item in &program.items {
            let (space, name) = match item {
                Item::Type(def) => (Space::Type, &def.name),
                Item::Constant(def) => (Space::Constant, &def.name),
                Item::Function(def) => (Space::Function, &def.name),
                Item::Place(def) => (Space::Place, &def.name),
                Item::Transition(def) => (Space::Transition, &def.name),
                Item::Proposition(def) => (Space::Proposition, &def.name),
                Item::StateProperty(_) | Item::LtlProperty(_) => continue,
            };
            checker.later.entry((space, name.name.clone())).or_insert(name.span);
        }
        checker
    }

    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(code, span, message));
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    fn types(&self) -> &Types {
        &self.context.types
    }

    /// The value of an expression without variables.
    fn evaluate(&self, node: &Node) -> crate::eval::Result {
        Machine::new(&self.context, &[]).eval(node, &mut Vec::new())
    }

    /// Computes constants that had to wait, and looks for functions without bodies.
    fn finish(&mut self) {
        for i in 0..self.constants.len() {
            let Some(node) = self.constants[i].pending.take() else { continue };
            match self.evaluate(&node) {
                Ok(value) => self.context.constants[i] = Some(value),
                Err(_) if self.functions.iter().any(|f| !f.is_defined) || !self.diagnostics.is_empty() => {}
                Err(undefined) => self.error(
                    "undefined",
                    self.constants[i].span,
                    format!("this constant has no value: {undefined}"),
                ),
            }
        }
        for function in std::mem::take(&mut self.functions) {
            if !function.is_defined && !self.lost.contains(&function.name.name) {
                let message = format!("the function `{}` has no body", function.name.name);
                self.error("missing-body", function.name.span, message);
            }
        }
    }

    /// Forgets a variable's value, since a mistake was reported.
    fn poison(&self, ty: TypeId) -> Value {
        self.types().first(ty)
    }
}
