//! Expressions as a person would write them, for guards that are only part of a statement, and for propositions.

use std::fmt::Write;

use stubborn_ir::{
    ChanTest, Expr, Model, Pattern, Place, ProcessTypeId, Region, Remote, SlotType, UnaryOp, Variable,
};

/// The text of an expression of a process type, or of none.
pub fn expression(model: &Model, process: Option<ProcessTypeId>, expr: &Expr) -> String {
    let mut render = Render { model, process, text: String::new() };
    render.expr(expr, false);
    render.text
}

struct Render<'m> {
    model: &'m Model,
    process: Option<ProcessTypeId>,
    text: String,
}

impl Render<'_> {
    fn expr(&mut self, expr: &Expr, nested: bool) {
        if let Some((token, is_there)) = self.model.asked_token(expr) {
            let text = format!("{token} == {}", u8::from(is_there));
            return self.parenthesised(nested, |render| render.text.push_str(&text));
        }
        match expr {
            Expr::Const(value) => self.write(format_args!("{value}")),
            Expr::Load(place) => self.place(place, self.process),
            Expr::Unary(op, operand) => {
                self.text.push_str(match op {
                    UnaryOp::Neg => "-",
                    UnaryOp::Not => "!",
                    UnaryOp::BitNot => "~",
                });
                self.expr(operand, true);
            }
            Expr::Binary(op, operands) => self.parenthesised(nested, |render| {
                let [left, right] = &**operands;
                render.operand(left, right);
                render.write(format_args!(" {} ", op.symbol()));
                render.operand(right, left);
            }),
            Expr::Conditional(parts) => {
                let [condition, yes, no] = &**parts;
                self.text.push('(');
                self.expr(condition, true);
                self.text.push_str(" -> ");
                self.expr(yes, true);
                self.text.push_str(" : ");
                self.expr(no, true);
                self.text.push(')');
            }
            Expr::Chan(test, chan) => {
                self.text.push_str(match test {
                    ChanTest::Len => "len",
                    ChanTest::Full => "full",
                    ChanTest::Empty => "empty",
                    ChanTest::NotFull => "nfull",
                    ChanTest::NotEmpty => "nempty",
                });
                self.call(chan);
            }
            Expr::Poll(poll) => {
                self.expr(&poll.chan, true);
                self.text.push_str(if poll.random { "??[" } else { "?[" });
                for (i, field) in poll.pattern.iter().enumerate() {
                    self.text.push_str(if i == 0 { "" } else { ", " });
                    match field {
                        Pattern::Match(expr) => self.expr(expr, false),
                        Pattern::Bind(place) => self.place(place, self.process),
                        Pattern::Any => self.text.push('_'),
                    }
                }
                self.text.push(']');
            }
            Expr::Pid => self.text.push_str("_pid"),
            Expr::NumProcesses => self.text.push_str("_nr_pr"),
            Expr::LastPid => self.text.push_str("_last"),
            Expr::Timeout => self.text.push_str("timeout"),
            Expr::NonProgress => self.text.push_str("np_"),
            Expr::Accepting => self.text.push_str("some process is at an accept label"),
            Expr::Created => self.text.push_str("run"),
            Expr::Enabled(pid) => self.function("enabled", pid),
            Expr::LocationOf(pid) => self.function("pc_value", pid),
            Expr::PriorityOf(pid) => self.function("get_priority", pid),
            Expr::At(remote, location) => {
                self.remote(remote);
                let location = self.model.processes[remote.process].location(*location);
                match location.labels.first() {
                    Some(label) => self.write(format_args!("@{label}")),
                    None => self.write(format_args!("@{}", location.number)),
                }
            }
            Expr::Remote(remote, place) => {
                self.remote(remote);
                self.text.push(':');
                self.place(place, Some(remote.process));
            }
            Expr::RemotePid(remote) => {
                self.remote(remote);
                self.text.push_str(":_pid");
            }
        }
    }

    fn write(&mut self, text: std::fmt::Arguments<'_>) {
        self.text.write_fmt(text).expect("a string takes any text");
    }

    fn function(&mut self, name: &str, argument: &Expr) {
        self.text.push_str(name);
        self.call(argument);
    }

    fn call(&mut self, argument: &Expr) {
        self.text.push('(');
        self.expr(argument, false);
        self.text.push(')');
    }

    fn parenthesised(&mut self, nested: bool, inner: impl FnOnce(&mut Self)) {
        self.text.push_str(if nested { "(" } else { "" });
        inner(self);
        self.text.push_str(if nested { ")" } else { "" });
    }

    /// An operand; a symbolic constant by its name, if the other is a variable of such.
    fn operand(&mut self, operand: &Expr, other: &Expr) {
        if let (Expr::Const(value), Expr::Load(place)) = (operand, other)
            && let Some(Variable { ty: SlotType::Symbol(set), .. }) = self.variable(place, self.process)
            && let Some(names) = self.model.symbols.get(usize::from(*set))
            && let Some(name) =
                usize::try_from(*value).ok().and_then(|value| names.get(value.wrapping_sub(1)))
        {
            return self.text.push_str(&name.clone());
        }
        self.expr(operand, true);
    }

    fn remote(&mut self, remote: &Remote) {
        self.write(format_args!("{}", self.model.processes[remote.process].name));
        if let Some(pid) = &remote.pid {
            self.text.push('[');
            self.expr(pid, false);
            self.text.push(']');
        }
    }

    fn variable(&self, place: &Place, process: Option<ProcessTypeId>) -> Option<&Variable> {
        let variables = match place.region {
            Region::Global => &self.model.globals,
            Region::Local => &self.model.processes[process?].locals,
        };
        variables.iter().find(|variable| variable.slot.offset == place.slot.offset)
    }

    /// The first element's name, with the indices in the place of its zeros.
    fn place(&mut self, place: &Place, process: Option<ProcessTypeId>) {
        let channels = match (place.region, process) {
            (Region::Global, _) => &*self.model.channels,
            (Region::Local, Some(process)) => &self.model.processes[process].channels,
            (Region::Local, None) => &[],
        };
        let variable = self.variable(place, process).map(|variable| variable.name.clone());
        let channel =
            || channels.iter().find(|c| c.variable.offset == place.slot.offset).map(|c| c.name.clone());
        let name = variable.or_else(channel).unwrap_or_else(|| "?".into());
        let mut parts = name.split("[0]");
        self.text.push_str(parts.next().unwrap_or_default());
        let mut indices = place.indices.iter();
        for part in parts {
            self.text.push('[');
            match indices.next() {
                Some(index) => self.expr(&index.value, false),
                None => self.text.push('0'),
            }
            self.text.push(']');
            self.text.push_str(part);
        }
    }
}
