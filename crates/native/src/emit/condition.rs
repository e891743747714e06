//! Conditions: expressions of which it only matters whether they are 0.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use stubborn_ir::{BinaryOp, ChanTest, Expr, Place, UnaryOp};

use super::expr::comparison;
use super::{Emit, Emitter};
use crate::channels::constant_slot;

/// Operands with more parts than this are not evaluated unless they must be.
const SMALL: usize = 12;

impl Emitter<'_, '_> {
    /// A condition as the value 0 or 1.
    pub(super) fn truth(&mut self, expr: &Expr) -> Emit<Value> {
        let flag = self.flag(expr)?;
        Ok(self.b.ins().uextend(types::I32, flag))
    }

    /// A condition as a flag: 8 bits, 0 or 1.
    pub(super) fn flag(&mut self, expr: &Expr) -> Emit<Value> {
        match expr {
            Expr::Unary(UnaryOp::Not, operand) => {
                let flag = self.flag(operand)?;
                let one = self.b.ins().iconst(types::I8, 1);
                Ok(self.b.ins().bxor(flag, one))
            }
            Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), operands) if is_cheap(&operands[1]) => {
                let (l, r) = (self.flag(&operands[0])?, self.flag(&operands[1])?);
                Ok(if *op == BinaryOp::And { self.b.ins().band(l, r) } else { self.b.ins().bor(l, r) })
            }
            Expr::Binary(BinaryOp::And | BinaryOp::Or, _) => {
                let (yes, no, done) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
                let result = self.variable(types::I8);
                self.branch(expr, yes, no)?;
                for (block, value) in [(yes, 1), (no, 0)] {
                    self.b.switch_to_block(block);
                    let value = self.b.ins().iconst(types::I8, value);
                    self.b.def_var(result, value);
                    self.b.ins().jump(done, &[]);
                }
                self.b.switch_to_block(done);
                Ok(self.b.use_var(result))
            }
            Expr::Binary(op, operands) if comparison(*op).is_some() => {
                let cc = comparison(*op).expect("it is one");
                let (l, r) = (self.eval(&operands[0])?, self.eval(&operands[1])?);
                Ok(self.compare(cc, l, r))
            }
            Expr::Chan(test, chan) if *test != ChanTest::Len => self.channel_test(*test, chan),
            Expr::Poll(poll) => self.poll(poll),
            Expr::At(remote, location) => self.is_at(remote, *location),
            _ => {
                let value = self.eval(expr)?;
                Ok(self.compare_with(IntCC::NotEqual, value, 0))
            }
        }
    }

    /// Goes to one of two blocks. The second operand of `And` and `Or` is looked at only if it decides.
    pub(super) fn branch(&mut self, expr: &Expr, yes: Block, no: Block) -> Emit<()> {
        match expr {
            Expr::Unary(UnaryOp::Not, operand) => self.branch(operand, no, yes),
            Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), operands) if !is_cheap(&operands[1]) => {
                let more = self.b.create_block();
                if *op == BinaryOp::And {
                    self.branch(&operands[0], more, no)?;
                } else {
                    self.branch(&operands[0], yes, more)?;
                }
                self.b.switch_to_block(more);
                self.branch(&operands[1], yes, no)
            }
            _ => {
                let flag = self.flag(expr)?;
                self.b.ins().brif(flag, yes, &[], no, &[]);
                Ok(())
            }
        }
    }

    /// Goes on here if a condition holds.
    pub(super) fn require(&mut self, expr: &Expr, otherwise: Block) -> Emit<()> {
        let next = self.b.create_block();
        self.branch(expr, next, otherwise)?;
        self.b.switch_to_block(next);
        Ok(())
    }
}

/// Whether it costs less to evaluate an expression than to decide whether to, and it has a value in any state.
pub(super) fn is_cheap(expr: &Expr) -> bool {
    size(expr).is_some_and(|size| size <= SMALL)
}

/// How much there is to evaluate; none if evaluation can fail, or branches.
fn size(expr: &Expr) -> Option<usize> {
    match expr {
        Expr::Const(_) | Expr::Pid | Expr::NumProcesses | Expr::LastPid | Expr::Timeout => Some(1),
        Expr::Load(place) => is_fixed(place).then_some(1),
        Expr::Unary(_, operand) => Some(size(operand)? + 1),
        Expr::Binary(BinaryOp::Div | BinaryOp::Rem, _) => None,
        Expr::Binary(_, operands) => Some(size(&operands[0])? + size(&operands[1])? + 1),
        _ => None,
    }
}

fn is_fixed(place: &Place) -> bool {
    constant_slot(place).is_some()
}
