//! Expressions with names and types resolved.

use stubborn_nets::{PlaceId, Value, VariableId};

use crate::ast::Quantifier;
use crate::code::{Bound, FunctionId, Range};
use crate::types::TypeId;

/// Arithmetic operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Arith {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
}

/// Comparisons; those of order are of numbers, or of sets by inclusion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Compare {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// Operations on sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SetOp {
    Union,
    Intersection,
    Difference,
}

/// What can be asked of a list or a set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    Size,
    IsEmpty,
    First,
    Last,
    Prefix,
    Suffix,
}

/// An index of a vector: its value, and the first value and number of values of its type.
#[derive(Clone, Debug)]
pub(crate) struct Index {
    /// Which one.
    pub(crate) value: Node,
    /// The first of its type.
    pub(crate) low: i64,
    /// How many the type has.
    pub(crate) card: i64,
}

/// An expression.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    /// A value.
    Const(Value),
    /// A constant of the net.
    Constant(usize),
    /// A variable of the transition.
    Var(VariableId),
    /// A variable of the frame.
    Local(u32),
    /// The value if it is one of the type.
    Check(TypeId, Box<Node>),
    /// The value modulo some number.
    Modulo(i64, Box<Node>),
    /// Negation of a number.
    Neg(Box<Node>),
    /// The next in the circle of so many values from the first.
    Circle { delta: i64, low: i64, card: i64, of: Box<Node> },
    /// Numbers.
    Arith(Arith, Box<[Node; 2]>),
    /// Of anything.
    Compare(Compare, Box<[Node; 2]>),
    /// Boolean.
    Not(Box<Node>),
    /// The second is evaluated if the first is true.
    And(Box<[Node; 2]>),
    /// The second is evaluated if the first is false.
    Or(Box<[Node; 2]>),
    /// Condition, then, else.
    Conditional(Box<[Node; 3]>),
    /// A function.
    Call(FunctionId, Vec<Node>),
    /// A structure, a list or a token.
    Seq(Vec<Node>),
    /// A vector of some length; the last element is repeated.
    Vector(Vec<Node>, usize),
    /// A set of these.
    Set(Vec<Node>),
    /// A list or set of at most so many.
    Capacity(usize, Box<Node>),
    /// A component of a structure or a token.
    Field(Box<Node>, usize),
    /// An element of a vector.
    Element(Box<Node>, Vec<Index>),
    /// An element of a list whose first index is given.
    Item(Box<[Node; 2]>, i64),
    /// The structure with another component.
    WithField(Box<[Node; 2]>, usize),
    /// The vector with another element.
    WithElement(Box<[Node; 2]>, Vec<Index>),
    /// The list with another element: list, index, element.
    WithItem(Box<[Node; 3]>, i64),
    /// A part of a list: list, first, last.
    Slice(Box<[Node; 3]>, i64),
    /// Lists.
    Concat(Box<[Node; 2]>),
    /// Sets.
    SetOp(SetOp, Box<[Node; 2]>),
    /// Whether the first is an element of the second.
    Member(Box<[Node; 2]>),
    /// A part of a list or a set.
    Part(Part, Box<Node>),
    /// The sequence of numbers from the first to the second.
    Interval(Box<[Node; 2]>),
    /// `forall (…)` and the like.
    Iterate(Box<Iterate>),
    /// How many distinct tokens there are in a place.
    PlaceCard(PlaceId),
    /// How many tokens there are in a place.
    PlaceMult(PlaceId),
}

/// An iterator.
#[derive(Clone, Debug)]
pub(crate) struct Iterate {
    /// Which one.
    pub(crate) quantifier: Quantifier,
    /// Its variables.
    pub(crate) vars: Vec<Bound>,
    /// What must hold of them.
    pub(crate) condition: Option<Node>,
    /// What is said of them.
    pub(crate) body: Option<Node>,
    /// The bounds of its type: what `max` and `min` of nothing are.
    pub(crate) bounds: (i64, i64),
}

/// Both walks over the parts of an expression.
macro_rules! children {
    ($(#[$meta:meta])* fn $name:ident(& $($mut:ident)?, $iter:ident)) => {
        $(#[$meta])*
        pub(crate) fn $name<'a>(&'a $($mut)? self, f: &mut dyn FnMut(&'a $($mut)? Node)) {
            match self {
                Node::Const(_)
                | Node::Constant(_)
                | Node::Var(_)
                | Node::Local(_)
                | Node::PlaceCard(_)
                | Node::PlaceMult(_) => {}
                Node::Check(_, x)
                | Node::Modulo(_, x)
                | Node::Neg(x)
                | Node::Circle { of: x, .. }
                | Node::Not(x)
                | Node::Capacity(_, x)
                | Node::Field(x, _)
                | Node::Part(_, x) => f(x),
                Node::Arith(_, xs)
                | Node::Compare(_, xs)
                | Node::And(xs)
                | Node::Or(xs)
                | Node::Item(xs, _)
                | Node::WithField(xs, _)
                | Node::Concat(xs)
                | Node::SetOp(_, xs)
                | Node::Member(xs)
                | Node::Interval(xs) => xs.$iter().for_each(f),
                Node::Conditional(xs) | Node::WithItem(xs, _) | Node::Slice(xs, _) => xs.$iter().for_each(f),
                Node::Call(_, xs) | Node::Seq(xs) | Node::Vector(xs, _) | Node::Set(xs) => {
                    xs.$iter().for_each(f);
                }
                Node::Element(x, indices) => {
                    f(x);
                    for index in indices {
                        f(& $($mut)? index.value);
                    }
                }
                Node::WithElement(xs, indices) => {
                    xs.$iter().for_each(&mut *f);
                    for index in indices {
                        f(& $($mut)? index.value);
                    }
                }
                Node::Iterate(iterate) => {
                    let Iterate { vars, condition, body, .. } = & $($mut)? **iterate;
                    for var in vars {
                        if let Range::Each(node) = & $($mut)? var.domain {
                            f(node);
                        }
                    }
                    condition.$iter().for_each(&mut *f);
                    body.$iter().for_each(f);
                }
            }
        }
    };
}

impl Node {
    /// True or false.
    pub(crate) fn bool(value: bool) -> Node {
        Node::Const(Value::Int(i64::from(value)))
    }

    children! {
        /// Calls `f` with all expressions that this one consists of.
        fn children(&, iter)
    }

    children! {
        /// The same, to change them.
        fn children_mut(&mut, iter_mut)
    }

    /// Whether `f` holds of this or of something in it.
    pub(crate) fn any(&self, f: &dyn Fn(&Node) -> bool) -> bool {
        let mut found = f(self);
        self.children(&mut |child| found = found || child.any(f));
        found
    }

    /// The expression with variables of the frame replaced by values that are given.
    pub(crate) fn with_locals(mut self, frame: &[Option<Value>]) -> Node {
        fn replace(node: &mut Node, frame: &[Option<Value>]) {
            if let Node::Local(local) = node
                && let Some(Some(value)) = frame.get(*local as usize)
            {
                *node = Node::Const(value.clone());
            }
            node.children_mut(&mut |child| replace(child, frame));
        }
        replace(&mut self, frame);
        self
    }

    /// The expression with the variables of a transition replaced by their values.
    pub(crate) fn with_variables(mut self, values: &[Value]) -> Node {
        fn replace(node: &mut Node, values: &[Value]) {
            if let Node::Var(variable) = node {
                *node = Node::Const(values[variable.0 as usize].clone());
            }
            node.children_mut(&mut |child| replace(child, values));
        }
        replace(&mut self, values);
        self
    }

    /// Whether it mentions no variable and no place.
    pub(crate) fn is_closed(&self) -> bool {
        use Node::{Local, PlaceCard, PlaceMult, Var};
        !self.any(&|node| match node {
            Var(_) | Local(_) | PlaceCard(_) | PlaceMult(_) => true,
            Node::Iterate(iterate) => iterate.vars.iter().any(|v| matches!(v.domain, Range::Place(_))),
            _ => false,
        })
    }

    /// Whether it has a value in every state and for all variables.
    pub(crate) fn is_total(&self) -> bool {
        !self.any(&|node| {
            matches!(
                node,
                Node::Check(..)
                    | Node::Arith(Arith::Div | Arith::Rem, _)
                    | Node::Call(..)
                    | Node::Capacity(..)
                    | Node::Element(..)
                    | Node::Item(..)
                    | Node::WithElement(..)
                    | Node::WithItem(..)
                    | Node::Slice(..)
                    | Node::Part(Part::First | Part::Last | Part::Prefix | Part::Suffix, _)
                    | Node::Constant(_)
                    | Node::Iterate(_)
            )
        })
    }
}
