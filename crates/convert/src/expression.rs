//! Expressions and places as one language writes them. Everything is put into parentheses: precedences differ.

use stubborn_ir::{BinaryOp, ChanTest, Expr, LocationId, Place, Region, SlotType, UnaryOp};

use crate::Refused;
use crate::names::Named;
use crate::system::System;

/// What differs between languages.
pub(crate) trait Dialect {
    fn and(&self) -> &'static str;
    fn or(&self) -> &'static str;
    fn not(&self) -> &'static str;
    /// A variable of a process, seen from some process or from nowhere.
    fn local(&self, owner: usize, seen_from: Option<usize>, name: &str) -> String;
    /// Whether a process is at a location.
    fn at(&self, process: usize, location: LocationId) -> String;
    fn conditional(&self, condition: &str, parts: [&str; 2]) -> Result<String, Refused>;
    fn channel(&self, test: ChanTest, channel: usize) -> Result<String, Refused>;
}

/// Writes expressions of one process.
#[derive(Clone, Copy)]
pub(crate) struct Writer<'a, 'm> {
    pub(crate) system: &'a System<'m>,
    pub(crate) dialect: &'a dyn Dialect,
    pub(crate) process: usize,
}

impl Writer<'_, '_> {
    pub(crate) fn expr(&self, expr: &Expr) -> Result<String, Refused> {
        Ok(match expr {
            Expr::Const(value) if *value < 0 => format!("({value})"),
            Expr::Const(value) => value.to_string(),
            Expr::Pid => self.process.to_string(),
            Expr::Load(place) => self.place(place)?,
            Expr::Unary(op, operand) => {
                let operand = self.expr(operand)?;
                match op {
                    UnaryOp::Neg => format!("(-{operand})"),
                    UnaryOp::Not => format!("({}{operand})", self.dialect.not()),
                    UnaryOp::BitNot => format!("(~{operand})"),
                }
            }
            Expr::Binary(op, operands) => {
                let [left, right] = &**operands;
                format!("({} {} {})", self.expr(left)?, self.operator(*op), self.expr(right)?)
            }
            Expr::Conditional(parts) => {
                let [condition, yes, no] = &**parts;
                self.dialect.conditional(&self.expr(condition)?, [&self.expr(yes)?, &self.expr(no)?])?
            }
            Expr::Chan(test, chan) => self.dialect.channel(*test, self.system.channel(chan)?)?,
            Expr::At(remote, location) => self.dialect.at(self.system.other(remote)?, *location),
            Expr::Remote(remote, place) => {
                let owner = self.system.other(remote)?;
                self.element(Some(owner), place)?
            }
            Expr::RemotePid(remote) => self.system.other(remote)?.to_string(),
            Expr::Poll(_) => return Err(Refused::new("it asks what the next message is")),
            Expr::NumProcesses => return Err(Refused::new("it asks how many processes there are")),
            Expr::LastPid
            | Expr::Timeout
            | Expr::NonProgress
            | Expr::Accepting
            | Expr::Created
            | Expr::Enabled(_)
            | Expr::LocationOf(_)
            | Expr::PriorityOf(_) => {
                return Err(Refused::new("it asks something about processes that cannot be asked there"));
            }
        })
    }

    fn operator(&self, op: BinaryOp) -> &'static str {
        match op {
            BinaryOp::And => self.dialect.and(),
            BinaryOp::Or => self.dialect.or(),
            _ => op.symbol(),
        }
    }

    /// A place of the process or of the system.
    pub(crate) fn place(&self, place: &Place) -> Result<String, Refused> {
        self.element(self.owner(place), place)
    }

    fn owner(&self, place: &Place) -> Option<usize> {
        (place.region == Region::Local).then_some(self.process)
    }

    fn named(&self, owner: Option<usize>, place: &Place) -> Result<(&Named, usize), Refused> {
        let names = match owner {
            Some(process) => &self.system.processes[process].locals,
            None => &self.system.globals,
        };
        names.find(place.slot.offset).ok_or_else(|| Refused::new("something is read that is no variable"))
    }

    /// The type of a place.
    pub(crate) fn ty(&self, place: &Place) -> Result<SlotType, Refused> {
        Ok(self.named(self.owner(place), place)?.0.ty.clone())
    }

    fn element(&self, owner: Option<usize>, place: &Place) -> Result<String, Refused> {
        let (named, element) = self.named(owner, place)?;
        let name = match owner {
            Some(owner) => self.dialect.local(owner, Some(self.process), &named.name),
            None => named.name.clone(),
        };
        Ok(match &*place.indices {
            [index] => format!("{name}[{}]", self.expr(&index.value)?),
            _ if named.is_array => format!("{name}[{element}]"),
            _ => name,
        })
    }
}

/// The least and the greatest value of a type.
pub(crate) fn bounds(ty: &SlotType) -> (i32, i32) {
    stubborn_ir::Slot::new(0, ty).bounds()
}
