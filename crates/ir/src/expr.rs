//! Side-effect-free expressions over a state, as seen by one process.
//!
//! Values are 32-bit and wrap. An expression may fail at run time
//! ([`RuntimeError`](crate::RuntimeError)): a division by zero, an index out of bounds.

use std::ops::Range;

use crate::model::{LocationId, ProcessTypeId};
use crate::slot::{Slot, SlotType};

/// Which part of the state vector an offset is relative to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Region {
    /// The start of the vector: globals.
    Global,
    /// The frame of the process that evaluates: its locals.
    Local,
}

/// A variable, an array element or a field: something that can be read and set.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// What the offset is relative to.
    pub region: Region,
    /// The slot when every index is 0.
    pub slot: Slot,
    /// One entry per array on the way, outermost first.
    pub indices: Box<[Index]>,
}

/// One index of a [`Place`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Index {
    /// The index.
    pub value: Expr,
    /// Number of elements.
    pub bound: u32,
    /// Bytes from one element to the next.
    pub stride: u32,
}

impl Place {
    /// A place without indices.
    pub fn simple(region: Region, slot: Slot) -> Self {
        Place { region, slot, indices: Box::new([]) }
    }

    /// The bytes of its region that it can be, by any indices that are in bounds.
    pub fn extent(&self) -> Range<usize> {
        let reach: u32 = self.indices.iter().map(|index| index.bound.saturating_sub(1) * index.stride).sum();
        let Range { start, end } = self.slot.bytes();
        start..end + reach as usize
    }
}

/// Unary operators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// Arithmetic negation.
    Neg,
    /// 1 if zero, else 0.
    Not,
    /// Bitwise complement.
    BitNot,
}

/// Binary operators; comparisons give 0 or 1. `And` and `Or` evaluate their
/// second operand only when the first does not decide.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "named as in C")]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Shr,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
    And,
    Or,
}

impl UnaryOp {
    /// What it makes of a value.
    #[inline]
    pub fn apply(self, value: i32) -> i32 {
        match self {
            UnaryOp::Neg => value.wrapping_neg(),
            UnaryOp::Not => i32::from(value == 0),
            UnaryOp::BitNot => !value,
        }
    }
}

impl BinaryOp {
    /// What it makes of two values, as C on the machines that SPIN runs on; none where a division fails.
    #[inline]
    pub fn apply(self, l: i32, r: i32) -> Option<i32> {
        Some(match self {
            BinaryOp::Add => l.wrapping_add(r),
            BinaryOp::Sub => l.wrapping_sub(r),
            BinaryOp::Mul => l.wrapping_mul(r),
            BinaryOp::Div => l.checked_div(r)?,
            BinaryOp::Rem => l.checked_rem(r)?,
            BinaryOp::BitAnd => l & r,
            BinaryOp::BitOr => l | r,
            BinaryOp::BitXor => l ^ r,
            BinaryOp::Shl => l.wrapping_shl(r as u32),
            BinaryOp::Shr => l.wrapping_shr(r as u32),
            BinaryOp::Lt => i32::from(l < r),
            BinaryOp::Le => i32::from(l <= r),
            BinaryOp::Gt => i32::from(l > r),
            BinaryOp::Ge => i32::from(l >= r),
            BinaryOp::Eq => i32::from(l == r),
            BinaryOp::Ne => i32::from(l != r),
            BinaryOp::And => i32::from(l != 0 && r != 0),
            BinaryOp::Or => i32::from(l != 0 || r != 0),
        })
    }

    /// As it is written in C.
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Rem => "%",
            BinaryOp::BitAnd => "&",
            BinaryOp::BitOr => "|",
            BinaryOp::BitXor => "^",
            BinaryOp::Shl => "<<",
            BinaryOp::Shr => ">>",
            BinaryOp::Lt => "<",
            BinaryOp::Le => "<=",
            BinaryOp::Gt => ">",
            BinaryOp::Ge => ">=",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::And => "&&",
            BinaryOp::Or => "||",
        }
    }

    /// Whether it gives 0 or 1, and nothing else.
    pub fn is_truth_value(self) -> bool {
        use BinaryOp::{And, Eq, Ge, Gt, Le, Lt, Ne, Or};
        matches!(self, Lt | Le | Gt | Ge | Eq | Ne | And | Or)
    }
}

/// What can be asked of a channel's fill level.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ChanTest {
    /// Number of messages in it.
    Len,
    /// No room left.
    Full,
    /// No message in it.
    Empty,
    /// Room left.
    NotFull,
    /// A message in it.
    NotEmpty,
}

/// How one field of a message is treated by a receive.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Pattern {
    /// Must equal the expression.
    Match(Expr),
    /// Is stored there.
    Bind(Place),
    /// Is ignored.
    Any,
}

/// Whether a receive would be possible, without doing it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Poll {
    /// The channel's number.
    pub chan: Expr,
    /// Any message that matches, not just the first.
    pub random: bool,
    /// The fields; `Bind` matches anything.
    pub pattern: Vec<Pattern>,
}

/// An expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Expr {
    /// A constant.
    Const(i32),
    /// The value of a place.
    Load(Place),
    /// An operator with one operand.
    Unary(UnaryOp, Box<Expr>),
    /// An operator with two operands.
    Binary(BinaryOp, Box<[Expr; 2]>),
    /// `[0] ? [1] : [2]`
    Conditional(Box<[Expr; 3]>),
    /// Of the channel with that number.
    Chan(ChanTest, Box<Expr>),
    /// Whether a receive would be possible.
    Poll(Box<Poll>),
    /// The number of the process that evaluates.
    Pid,
    /// The number of processes there are.
    NumProcesses,
    /// The number of the process that moved last.
    LastPid,
    /// Whether no other transition of the system is enabled.
    Timeout,
    /// Whether no process is at a progress location.
    NonProgress,
    /// Whether some process is at an accept location.
    Accepting,
    /// The number of the process that the preceding [`Effect::Run`](crate::Effect::Run) created.
    Created,
    /// Whether the process with that number has an enabled transition.
    Enabled(Box<Expr>),
    /// The number of the location of the process with that number.
    LocationOf(Box<Expr>),
    /// The priority of the process with that number.
    PriorityOf(Box<Expr>),
    /// Whether a process is at a location.
    At(Box<Remote>, LocationId),
    /// A local of another process.
    Remote(Box<Remote>, Place),
    /// The number of another process.
    RemotePid(Box<Remote>),
}

/// An expression, and what its value is shown as.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Typed {
    /// The expression.
    pub expr: Expr,
    /// The type of the variable or constant that it is; none if it is put together.
    pub ty: Option<SlotType>,
}

/// Another process, named by type and, unless there is only one, by number.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Remote {
    /// Its type.
    pub process: ProcessTypeId,
    /// Its number; if absent, the only process of its type.
    pub pid: Option<Expr>,
}

impl Expr {
    /// `!self`
    #[expect(clippy::should_implement_trait, reason = "a constructor, as `binary` is")]
    pub fn not(self) -> Expr {
        Expr::Unary(UnaryOp::Not, Box::new(self))
    }

    /// `left op right`
    pub fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
        Expr::Binary(op, Box::new([left, right]))
    }

    /// Whether its computation can fail.
    pub fn can_fail(&self) -> bool {
        match self {
            Expr::Const(_)
            | Expr::Pid
            | Expr::NumProcesses
            | Expr::LastPid
            | Expr::Created
            | Expr::Timeout => false,
            Expr::Load(place) => !place.indices.is_empty(),
            Expr::Unary(_, operand) => operand.can_fail(),
            Expr::Binary(op, operands) => {
                matches!(op, BinaryOp::Div | BinaryOp::Rem) || operands.iter().any(Expr::can_fail)
            }
            Expr::Conditional(parts) => parts.iter().any(Expr::can_fail),
            _ => true,
        }
    }

    /// The value, if it does not depend on the state.
    pub fn as_const(&self) -> Option<i32> {
        match self {
            Expr::Const(value) => Some(*value),
            _ => None,
        }
    }
}
