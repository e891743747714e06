//! Expressions: numbers of limited size, conditions, and indices that stay in bounds.

use super::features::Feature;
use super::names::{Generator, Process, Type, Variable};
use super::tree::Node;

const EDGES: [(Type, &str); 6] = [
    (Type::Byte, "254"),
    (Type::Byte, "255"),
    (Type::Short, "32766"),
    (Type::Short, "32767"),
    (Type::Short, "-32767"),
    (Type::Int, "-1"),
];

impl Generator {
    /// A value for a variable or field of the type: such that repeating the assignment cannot go on to
    /// new values for long.
    pub(super) fn value(&mut self, ty: Type) -> Node {
        if let Type::Mtype(set) = ty {
            return self.mtype_value(set);
        }
        if ty.tiny() && self.random.percent(50) {
            return self.number(1);
        }
        match self.random.below(10) {
            0..=3 => Node::expr(self.random.range(0, 3).to_string()),
            4..=6 => {
                let number = self.number(1);
                Node::expr("(").child(number).text(format!(") % {}", self.random.range(2, 4)))
            }
            7 => self.condition(1),
            8 if self.has(Feature::Wrap) => {
                let edges: Vec<&str> = EDGES.iter().filter(|edge| edge.0 == ty).map(|edge| edge.1).collect();
                let edge = self.random.pick(&edges).map_or("2", |edge| edge).to_string();
                let tiny = |v: &Variable| v.ty.tiny();
                match self.read(tiny) {
                    Some(variable) => Node::expr(format!("{edge} + ")).child(variable).tagged(Feature::Wrap),
                    None => Node::expr(edge).tagged(Feature::Wrap),
                }
            }
            _ => self
                .read(|v| v.ty.tiny() || v.ty == ty)
                .unwrap_or_else(|| Node::expr(self.random.range(0, 2).to_string())),
        }
    }

    /// Any number, its absolute value far below what an `int` can hold.
    pub(super) fn number(&mut self, depth: usize) -> Node {
        if depth == 0 || self.random.percent(35) {
            return self.atom();
        }
        let d = depth - 1;
        match self.random.below(16) {
            0..=2 => {
                let operator = *self.random.pick(&["+", "-", "+", "-", "&", "|", "^"]).expect("not empty");
                let (left, right) = (self.number(d), self.number(d));
                Node::expr("(").child(left).text(format!(" {operator} ")).child(right).text(")")
            }
            3..=4 => {
                let operator = *self.random.pick(&["*", "/", "%", "%", ">>"]).expect("not empty");
                let left = self.number(d);
                Node::expr("(").child(left).text(format!(" {operator} {})", self.random.range(2, 4)))
            }
            5 => match self.read(|v| v.ty.natural()) {
                Some(divisor) => {
                    let left = self.number(d);
                    Node::expr("(").child(left).text(" / (1 + ").child(divisor).text(" % 3))")
                }
                None => self.atom(),
            },
            6 => {
                let operand = self.number(d);
                let operator = if self.random.percent(70) { "-" } else { "~" };
                Node::expr(format!("({operator}(")).child(operand).text("))")
            }
            7 => {
                let operand = self.number(d);
                Node::expr("((").child(operand).text(format!(" & 3) << {})", self.random.below(3)))
            }
            8..=9 if self.has(Feature::Conditional) => {
                let (test, yes, no) = (self.condition(d), self.number(d), self.number(d));
                Node::expr("(")
                    .child(test)
                    .text(" -> ")
                    .child(yes)
                    .text(" : ")
                    .child(no)
                    .text(")")
                    .tagged(Feature::Conditional)
            }
            10 => {
                let condition = self.condition(d);
                Node::expr("(").child(condition).text(")")
            }
            11 if !self.macros.is_empty() => {
                let name = self.random.pick(&self.macros).expect("not empty").clone();
                let operand = self.number(d);
                Node::expr(format!("{name}(")).child(operand).text(")").tagged(Feature::Macro)
            }
            _ => self.atom(),
        }
    }

    fn atom(&mut self) -> Node {
        match self.random.below(12) {
            0..=2 => Node::expr(self.random.range(0, 3).to_string()),
            3 if self.has(Feature::ProcessCount) => {
                Node::expr(if self.random.percent(50) { "_pid" } else { "_nr_pr" })
                    .tagged(Feature::ProcessCount)
            }
            4 if self.has(Feature::Probe) => self.length().unwrap_or_else(|| Node::expr("1")),
            5 if self.has(Feature::Remote) => self.remote_variable().unwrap_or_else(|| Node::expr("2")),
            6 if self.has(Feature::Last) => Node::expr("_last").tagged(Feature::Last),
            7 if self.has(Feature::Macro) => Node::expr("LIMIT").tagged(Feature::Macro),
            _ => self
                .read(|v| !matches!(v.ty, Type::Mtype(_)))
                .unwrap_or_else(|| Node::expr(self.random.range(0, 2).to_string())),
        }
    }

    /// A condition without side effects that may stand anywhere in an expression.
    pub(super) fn condition(&mut self, depth: usize) -> Node {
        let d = depth.saturating_sub(1);
        match self.random.below(20) {
            0..=8 => self.comparison(d),
            9 if depth > 0 => {
                let operand = self.condition(d);
                Node::expr("!(").child(operand).text(")")
            }
            10..=11 if depth > 0 => {
                let operator = if self.random.percent(50) { "&&" } else { "||" };
                let (left, right) = (self.condition(d), self.condition(d));
                Node::expr("(").child(left).text(format!(" {operator} ")).child(right).text(")")
            }
            12..=13 if self.has(Feature::Mtype) => self.mtype_comparison(),
            14 if self.has(Feature::Poll) => self.poll_condition().unwrap_or_else(|| self.comparison(d)),
            15 if self.has(Feature::Remote) => self.remote_label().unwrap_or_else(|| self.comparison(d)),
            16 if self.has(Feature::Enabled) => self.enabled().unwrap_or_else(|| self.comparison(d)),
            17 => self.read(|v| v.ty.tiny()).unwrap_or_else(|| self.comparison(d)),
            _ => self.comparison(d),
        }
    }

    fn comparison(&mut self, depth: usize) -> Node {
        let operator = *self.random.pick(&["==", "!=", "<", ">", "<=", ">=", "=="]).expect("not empty");
        let left =
            if self.random.percent(80) { self.read(|v| !matches!(v.ty, Type::Mtype(_))) } else { None };
        let left = left.unwrap_or_else(|| self.number(depth));
        let right = if self.random.percent(65) {
            Node::expr(self.random.range(0, 2).to_string())
        } else {
            self.number(depth)
        };
        Node::expr("(").child(left).text(format!(" {operator} ")).child(right).text(")")
    }

    fn mtype_comparison(&mut self) -> Node {
        let set = self.random.below(self.mtypes.len());
        let (left, right) = (self.mtype_value(set), self.mtype_value(set));
        let operator = if self.random.percent(60) { "==" } else { "!=" };
        Node::expr("(").child(left).text(format!(" {operator} ")).child(right).text(")")
    }

    fn mtype_value(&mut self, set: usize) -> Node {
        let variable = if self.random.percent(50) { self.read(|v| v.ty == Type::Mtype(set)) } else { None };
        variable
            .unwrap_or_else(|| {
                let names = self.mtypes[set].1.clone();
                Node::expr(self.random.pick(&names).expect("a set has names").clone())
            })
            .tagged(Feature::Mtype)
    }

    /// A variable to read, among those that suit.
    pub(super) fn read(&mut self, suits: impl Fn(&Variable) -> bool) -> Option<Node> {
        let candidates: Vec<Variable> = self.variables().into_iter().filter(|v| suits(v)).collect();
        let variable = self.random.pick(&candidates)?.clone();
        Some(self.place(&variable.base, &variable.path))
    }

    /// An index below the length. Not computed from the array itself, which SPIN refuses.
    pub(super) fn index(&mut self, array: &str, length: usize) -> Node {
        let plain = |v: &Variable| v.ty.natural() && v.is_simple() && v.base != array;
        let variable = if self.random.percent(40) { self.read(plain) } else { None };
        match variable {
            Some(variable) => Node::expr("").child(variable).text(format!(" % {length}")),
            None if self.has(Feature::ProcessCount) && self.random.percent(20) => {
                Node::expr(format!("_pid % {length}"))
            }
            None => Node::expr(self.random.below(length).to_string()),
        }
    }

    /// Some instance of an earlier process that exists as long as the current one does: processes die
    /// last-born first.
    fn elder(&mut self) -> Option<(usize, usize)> {
        let rank = self.current.rank;
        let elders: Vec<usize> =
            (0..rank.min(self.processes.len())).filter(|&p| self.processes[p].active > 0).collect();
        let process = *self.random.pick(&elders)?;
        let instance = self.random.below(self.processes[process].active);
        Some((process, self.processes[process].first_pid + instance))
    }

    fn remote_label(&mut self) -> Option<Node> {
        let (process, pid) = self.elder()?;
        let Process { name, labels, .. } = self.processes[process].clone();
        let label = self.random.pick(&labels)?.clone();
        Some(Node::expr(format!("{name}[{pid}]@{label}")).tagged(Feature::Remote))
    }

    fn remote_variable(&mut self) -> Option<Node> {
        let (process, pid) = self.elder()?;
        let Process { name, variables, .. } = self.processes[process].clone();
        let variable = self.random.pick(&variables)?.clone();
        Some(Node::expr(format!("{name}[{pid}]:{variable}")).tagged(Feature::Remote))
    }

    fn enabled(&mut self) -> Option<Node> {
        let (_, pid) = self.elder()?;
        Some(Node::expr(format!("enabled({pid})")).tagged(Feature::Enabled))
    }
}
