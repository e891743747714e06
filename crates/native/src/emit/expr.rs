//! Expressions: `View::eval`.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use stubborn_ir::{BinaryOp, ChanTest, Expr, Model, UnaryOp};

use super::{Declined, Emit, Emitter};

impl Emitter<'_, '_> {
    /// The value of an expression.
    pub(super) fn eval(&mut self, expr: &Expr) -> Emit<Value> {
        Ok(match expr {
            Expr::Const(value) => self.int(*value),
            Expr::Load(place) => {
                let at = self.address(place)?;
                self.load(at, place.slot.repr())
            }
            Expr::Unary(UnaryOp::Not, _) | Expr::At(..) | Expr::Poll(_) => self.truth(expr)?,
            Expr::Unary(op, operand) => {
                let value = self.eval(operand)?;
                match op {
                    UnaryOp::Neg => self.b.ins().ineg(value),
                    UnaryOp::BitNot => self.b.ins().bnot(value),
                    UnaryOp::Not => unreachable!("a condition"),
                }
            }
            Expr::Binary(op, operands) => self.binary(expr, *op, &operands[0], &operands[1])?,
            Expr::Conditional(parts) => {
                let (yes, no, done) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
                let result = self.variable(types::I32);
                self.branch(&parts[0], yes, no)?;
                for (block, part) in [(yes, &parts[1]), (no, &parts[2])] {
                    self.b.switch_to_block(block);
                    let value = self.eval(part)?;
                    self.b.def_var(result, value);
                    self.b.ins().jump(done, &[]);
                }
                self.b.switch_to_block(done);
                self.b.use_var(result)
            }
            Expr::Chan(ChanTest::Len, chan) => {
                let chan = self.channel(chan)?;
                self.length(&chan)?
            }
            Expr::Chan(..) => self.truth(expr)?,
            Expr::Pid => self.pid,
            Expr::NumProcesses => {
                let at = self.global(Model::num_processes_slot())?;
                self.load(at, Model::num_processes_slot().repr())
            }
            Expr::LastPid => match self.unit.model.last_pid {
                Some(slot) => {
                    let at = self.global(slot)?;
                    self.load(at, slot.repr())
                }
                None => self.int(0),
            },
            Expr::Timeout => self.timeout.unwrap_or_else(|| self.int(0)),
            Expr::RemotePid(remote) => self.remote_pid(remote)?,
            Expr::Remote(remote, place) => self.remote_value(remote, place)?,
            Expr::NonProgress
            | Expr::Accepting
            | Expr::Created
            | Expr::Enabled(_)
            | Expr::LocationOf(_)
            | Expr::PriorityOf(_) => return Err(Declined),
        })
    }

    fn binary(&mut self, expr: &Expr, op: BinaryOp, left: &Expr, right: &Expr) -> Emit<Value> {
        if comparison(op).is_some() || matches!(op, BinaryOp::And | BinaryOp::Or) {
            return self.truth(expr);
        }
        let (l, r) = (self.eval(left)?, self.eval(right)?);
        Ok(match op {
            BinaryOp::Add => self.b.ins().iadd(l, r),
            BinaryOp::Sub => self.b.ins().isub(l, r),
            BinaryOp::Mul => self.b.ins().imul(l, r),
            BinaryOp::Div | BinaryOp::Rem => {
                self.check_divisor(l, r, right.as_const());
                if op == BinaryOp::Div { self.b.ins().sdiv(l, r) } else { self.b.ins().srem(l, r) }
            }
            BinaryOp::BitAnd => self.b.ins().band(l, r),
            BinaryOp::BitOr => self.b.ins().bor(l, r),
            BinaryOp::BitXor => self.b.ins().bxor(l, r),
            // The amount counts modulo the width, here and there.
            BinaryOp::Shl => self.b.ins().ishl(l, r),
            BinaryOp::Shr => self.b.ins().sshr(l, r),
            BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge
            | BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::And
            | BinaryOp::Or => unreachable!("conditions"),
        })
    }

    /// Asks where a division has no result.
    fn check_divisor(&mut self, dividend: Value, divisor: Value, known: Option<i32>) {
        if known.is_some_and(|value| value != 0 && value != -1) {
            return;
        }
        let is_zero = self.compare_with(IntCC::Equal, divisor, 0);
        self.ask_if(is_zero);
        let is_least = self.compare_with(IntCC::Equal, dividend, i32::MIN);
        let is_minus_one = self.compare_with(IntCC::Equal, divisor, -1);
        let overflows = self.b.ins().band(is_least, is_minus_one);
        self.ask_if(overflows);
    }
}

/// How an operator compares.
pub(super) fn comparison(op: BinaryOp) -> Option<IntCC> {
    Some(match op {
        BinaryOp::Lt => IntCC::SignedLessThan,
        BinaryOp::Le => IntCC::SignedLessThanOrEqual,
        BinaryOp::Gt => IntCC::SignedGreaterThan,
        BinaryOp::Ge => IntCC::SignedGreaterThanOrEqual,
        BinaryOp::Eq => IntCC::Equal,
        BinaryOp::Ne => IntCC::NotEqual,
        _ => return None,
    })
}
