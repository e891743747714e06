//! A global slot compared with a constant: what the guards of a net are made of.

use crate::expr::{BinaryOp, Expr, Place, Region};
use crate::slot::Slot;

/// How a slot is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compared {
    /// It has that value.
    Equal,
    /// It has another one.
    Differs,
    /// It has that value or a greater one.
    AtLeast,
    /// It has a smaller one.
    Below,
}

/// A slot compared with a constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Comparison {
    /// The slot.
    pub slot: Slot,
    /// How it is compared.
    pub how: Compared,
    /// What it is compared with.
    pub value: i32,
}

impl Comparison {
    /// A guard, if it is one.
    pub fn of(guard: &Expr) -> Option<Self> {
        let Expr::Binary(op, operands) = guard else { return None };
        let [Expr::Load(Place { region: Region::Global, slot, indices }), Expr::Const(value)] = &**operands
        else {
            return None;
        };
        let how = match op {
            BinaryOp::Eq => Compared::Equal,
            BinaryOp::Ne => Compared::Differs,
            BinaryOp::Ge => Compared::AtLeast,
            BinaryOp::Lt => Compared::Below,
            _ => return None,
        };
        indices.is_empty().then_some(Comparison { slot: *slot, how, value: *value })
    }

    /// Whether it holds in a state.
    #[inline]
    pub fn holds(self, state: &[u8]) -> bool {
        let value = self.slot.read(state);
        match self.how {
            Compared::Equal => value == self.value,
            Compared::Differs => value != self.value,
            Compared::AtLeast => value >= self.value,
            Compared::Below => value < self.value,
        }
    }
}
