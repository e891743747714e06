//! Expressions: names get their places, types are checked.

use stubborn_base::{Diagnostic, Span, suggest};
use stubborn_ir::{self as ir, Pattern, Place, Slot, SlotType, expr::Remote};

use super::names::{Here, Meaning, Names, SymbolId, Type, Var};
use super::process::Processes;
use crate::ast::{self, BinaryOp, ExprKind, Probe, RecvArg, RecvArgKind, UnaryOp, VarRef};

/// Gives meaning to the expressions of one process, or of the globals.
pub(crate) struct Lower<'c> {
    pub(crate) names: &'c Names,
    pub(crate) processes: &'c Processes<'c>,
    pub(crate) diagnostics: &'c mut Vec<Diagnostic>,
    pub(crate) used: &'c mut Used,
    /// Whether there is a process to speak of, with a `_pid`.
    pub(crate) in_process: bool,
    /// Whether it is a claim or a formula, which sees more of the model than a process.
    pub(crate) observes: bool,
    /// The process created by the value of the assignment being lowered, where one may be.
    pub(crate) created: Option<Vec<ir::Effect>>,
}

/// What the model uses that costs something.
#[derive(Clone, Debug, Default)]
pub(crate) struct Used {
    pub(crate) timeout: bool,
    pub(crate) last_pid: bool,
    pub(crate) priorities: bool,
    /// Hidden variables whose value matters.
    pub(crate) hidden_read: Vec<SymbolId>,
    /// Hidden variables that are only ever set: they are left out.
    pub(crate) dropped: Vec<SymbolId>,
}

/// What a reference means.
pub(crate) enum Target {
    /// A scalar.
    Place(Place, SlotType),
    /// A variable that is not kept, such as `_`.
    Nowhere,
    /// A symbolic constant.
    Constant(i32),
    /// Something that was reported.
    Broken,
}

impl Lower<'_> {
    pub(crate) fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(code, span, message));
    }

    /// Reports something once, and not without end.
    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        const ENOUGH: usize = 200;
        let alike = self.diagnostics.iter().filter(|d| d.severity == diagnostic.severity).count();
        if alike < ENOUGH && !self.diagnostics.contains(&diagnostic) {
            self.diagnostics.push(diagnostic);
        }
    }

    pub(crate) fn expr(&mut self, expr: &ast::Expr, here: Here) -> ir::Expr {
        match &expr.kind {
            ExprKind::Const(value) => ir::Expr::Const(*value),
            ExprKind::Var(var) => self.variable(var, here),
            ExprKind::Unary(op, operand) => {
                if *op == UnaryOp::Not && matches!(operand.kind, ExprKind::Probe(..)) {
                    let message = "a test of a channel cannot be negated";
                    let help = "use the opposite test: full and nfull, empty and nempty";
                    self.report(Diagnostic::error("negated-probe", expr.span, message).help(help));
                }
                fold(ir::Expr::Unary(*op, Box::new(self.expr(operand, here))))
            }
            ExprKind::Binary(op, left, right) => {
                let (l, r) = (self.expr(left, here), self.expr(right, here));
                fold(ir::Expr::binary(*op, l, r))
            }
            ExprKind::Conditional(c, a, b) => {
                let parts = [self.expr(c, here), self.expr(a, here), self.expr(b, here)];
                ir::Expr::Conditional(Box::new(parts))
            }
            ExprKind::Run(run) => {
                if self.created.as_ref().is_none_or(|created| !created.is_empty()) {
                    let message = format!("`run {}` cannot be part of this expression", run.proctype.name);
                    let help = "make it a statement of its own, or the value of an assignment";
                    self.report(Diagnostic::error("misplaced-run", expr.span, message).help(help));
                    return ir::Expr::Const(0);
                }
                self.created = None;
                self.created = Some(self.run(run, here));
                ir::Expr::Created
            }
            ExprKind::Len(chan) => self.chan_test(ir::ChanTest::Len, chan, here),
            ExprKind::Probe(probe, chan) => {
                let test = match probe {
                    Probe::Full => ir::ChanTest::Full,
                    Probe::Empty => ir::ChanTest::Empty,
                    Probe::NotFull => ir::ChanTest::NotFull,
                    Probe::NotEmpty => ir::ChanTest::NotEmpty,
                };
                self.chan_test(test, chan, here)
            }
            ExprKind::Enabled(pid) => ir::Expr::Enabled(Box::new(self.expr(pid, here))),
            ExprKind::PcValue(pid) => ir::Expr::LocationOf(Box::new(self.expr(pid, here))),
            ExprKind::GetPriority(pid) => {
                self.used.priorities = true;
                ir::Expr::PriorityOf(Box::new(self.expr(pid, here)))
            }
            ExprKind::Poll(poll) => {
                let chan = self.channel(&poll.chan, here);
                let pattern = self.pattern(&poll.args, here);
                ir::Expr::Poll(Box::new(ir::Poll { chan, random: poll.random, pattern }))
            }
            ExprKind::Timeout => {
                self.used.timeout = true;
                ir::Expr::Timeout
            }
            ExprKind::NonProgress => {
                if !self.observes {
                    self.error("misplaced-np", expr.span, "`np_` can only stand in a never claim");
                }
                ir::Expr::NonProgress
            }
            ExprKind::RemoteLabel(remote) => self.remote_label(remote, here),
            ExprKind::RemoteVar(remote) => self.remote_var(remote, here),
            ExprKind::Temporal1(_, f) => {
                self.expr(f, here);
                ir::Expr::Const(0)
            }
            ExprKind::Temporal2(_, f, g) => {
                self.expr(f, here);
                self.expr(g, here);
                ir::Expr::Const(0)
            }
            ExprKind::Error => ir::Expr::Const(0),
        }
    }

    fn variable(&mut self, var: &VarRef, here: Here) -> ir::Expr {
        match var.name.name.as_str() {
            "_pid" if self.in_process => return ir::Expr::Pid,
            "_nr_pr" => return ir::Expr::NumProcesses,
            "_last" => return ir::Expr::LastPid,
            "_priority" if self.in_process => {
                self.used.priorities = true;
                return ir::Expr::PriorityOf(Box::new(ir::Expr::Pid));
            }
            "_" => {
                self.error("read-of-underscore", var.span, "`_` can be set but not read");
                return ir::Expr::Const(0);
            }
            _ => {}
        }
        match self.target(var, here, true) {
            Target::Place(place, _) => ir::Expr::Load(place),
            Target::Constant(value) => ir::Expr::Const(value),
            Target::Nowhere | Target::Broken => ir::Expr::Const(0),
        }
    }

    /// The scalar a reference means. `read` tells whether its value is asked for.
    pub(crate) fn target(&mut self, var: &VarRef, here: Here, read: bool) -> Target {
        if var.name.name == "_" {
            return Target::Nowhere;
        }
        let Some(symbol) = self.names.lookup(here, &var.name.name) else {
            self.undeclared(&var.name, here);
            return Target::Broken;
        };
        match &self.names.symbol(symbol).meaning {
            Meaning::Constant(value, _) => Target::Constant(*value),
            Meaning::Broken => Target::Broken,
            Meaning::Var(v) => {
                if !self.is_kept(symbol, read) {
                    return Target::Nowhere;
                }
                let v = v.clone();
                self.place(&v, var, here)
            }
        }
    }

    /// Whether a variable is part of the state; notes hidden ones whose value is asked for.
    fn is_kept(&mut self, symbol: SymbolId, read: bool) -> bool {
        if !self.names.symbol(symbol).hidden {
            return true;
        }
        if read && !self.used.hidden_read.contains(&symbol) {
            self.used.hidden_read.push(symbol);
        }
        read || !self.used.dropped.contains(&symbol)
    }

    fn undeclared(&mut self, name: &ast::Ident, here: Here) {
        if let Some(diagnostic) = self.names.undeclared(here, name, false) {
            self.report(diagnostic);
        }
    }

    pub(crate) fn place(&mut self, var: &Var, reference: &VarRef, here: Here) -> Target {
        match self.resolve(var, reference, here) {
            Some((Type::Scalar(ty), offset, indices)) => {
                let slot = Slot::new(offset, &ty);
                Target::Place(Place { region: var.region, slot, indices: indices.into() }, ty)
            }
            Some((Type::Struct(id), ..)) => {
                let structure = &self.names.structs[id].name;
                let message = format!("`{}` is a {structure}, a value is needed here", reference.name.name);
                let diagnostic = Diagnostic::error("structure-as-value", reference.span, message);
                self.report(diagnostic.help("name a field"));
                Target::Broken
            }
            None => Target::Broken,
        }
    }

    /// Type, offset and indices of what a reference names, structure or not.
    fn resolve(&mut self, var: &Var, reference: &VarRef, here: Here) -> Option<(Type, u32, Vec<ir::Index>)> {
        let (mut var, mut reference) = (var.clone(), reference);
        let mut offset = var.offset;
        let mut indices = Vec::new();
        loop {
            let name = &reference.name.name;
            match (&reference.index, var.array) {
                (Some(index), Some(bound)) => {
                    let value = self.expr(index, here);
                    let stride = self.names.size(&var.ty);
                    match value.as_const() {
                        Some(v) if v >= 0 && (v as u32) < bound => offset += v as u32 * stride,
                        other => {
                            if let Some(v) = other {
                                let message = format!("index {v} of `{name}`, which has {bound} elements");
                                self.report(Diagnostic::warning("index-out-of-bounds", index.span, message));
                            }
                            indices.push(ir::Index { value, bound, stride });
                        }
                    }
                }
                (None, Some(_)) => {
                    self.error("missing-index", reference.span, format!("array `{name}` needs an index"));
                    return None;
                }
                (Some(index), None) => {
                    if self.expr(index, here).as_const() != Some(0) {
                        self.error("not-an-array", reference.span, format!("`{name}` is not an array"));
                        return None;
                    }
                }
                (None, None) => {}
            }
            let Some(field) = &reference.field else { return Some((var.stored(), offset, indices)) };
            let Type::Struct(id) = var.ty else {
                self.error("no-such-field", field.span, format!("`{name}` has no fields"));
                return None;
            };
            let structure = &self.names.structs[id];
            let Some(found) = structure.fields.iter().find(|f| f.name == field.name.name) else {
                let name = &field.name;
                if self.names.is_lost(&name.name) {
                    return None;
                }
                let message = format!("{} has no field `{}`", structure.name, name.name);
                let diagnostic = Diagnostic::error("no-such-field", field.span, message);
                let fields = structure.fields.iter().map(|f| f.name.as_str());
                self.report(suggest(diagnostic, name.span, &name.name, fields));
                return None;
            };
            var = found.var.clone();
            offset += var.offset;
            reference = field;
        }
    }

    /// The number of the channel a reference means.
    pub(crate) fn channel(&mut self, var: &VarRef, here: Here) -> ir::Expr {
        match self.target(var, here, true) {
            Target::Place(place, ty) => {
                if ty != SlotType::Chan {
                    let message = format!("`{}` is not a channel", var.name.name);
                    self.report(Diagnostic::warning("not-a-channel", var.span, message));
                }
                ir::Expr::Load(place)
            }
            Target::Constant(_) => {
                self.error("not-a-channel", var.span, format!("`{}` is not a channel", var.name.name));
                ir::Expr::Const(0)
            }
            Target::Nowhere | Target::Broken => ir::Expr::Const(0),
        }
    }

    fn chan_test(&mut self, test: ir::ChanTest, chan: &VarRef, here: Here) -> ir::Expr {
        ir::Expr::Chan(test, Box::new(self.channel(chan, here)))
    }

    /// Values of a message or of parameters: a structure stands for all its scalars.
    pub(crate) fn arguments(&mut self, args: &[ast::Expr], here: Here) -> Vec<ir::Expr> {
        let mut values = Vec::new();
        for arg in args {
            let places = match &arg.kind {
                // In a trace, whatever is no constant stands for any value.
                ExprKind::Var(var) if self.observes && var.name.name == "_" => {
                    values.push(ir::Expr::NumProcesses);
                    continue;
                }
                ExprKind::Var(var) => self.scalars(var, here, true),
                _ => None,
            };
            match places {
                Some(places) => values.extend(places.into_iter().map(ir::Expr::Load)),
                None => values.push(self.expr(arg, here)),
            }
        }
        values
    }

    /// The fields of a receive: a structure stands for all its scalars.
    pub(crate) fn pattern(&mut self, args: &[RecvArg], here: Here) -> Vec<Pattern> {
        let mut pattern = Vec::new();
        let mut bound: Vec<SymbolId> = Vec::new();
        for arg in args {
            match &arg.kind {
                RecvArgKind::Const(value) => pattern.push(Pattern::Match(ir::Expr::Const(*value))),
                RecvArgKind::Eval(expr) => {
                    let value = self.expr(expr, here);
                    pattern.push(Pattern::Match(value));
                }
                RecvArgKind::Var(var) => {
                    if let Some(places) = self.scalars(var, here, false) {
                        pattern.extend(places.into_iter().map(Pattern::Bind));
                        continue;
                    }
                    pattern.push(match self.target(var, here, false) {
                        Target::Place(place, _) => {
                            self.check_bound_once(var, here, &mut bound);
                            Pattern::Bind(place)
                        }
                        Target::Constant(value) => Pattern::Match(ir::Expr::Const(value)),
                        Target::Nowhere | Target::Broken => Pattern::Any,
                    });
                }
            }
        }
        pattern
    }

    fn check_bound_once(&mut self, var: &VarRef, here: Here, bound: &mut Vec<SymbolId>) {
        let Some(symbol) = self.names.lookup(here, &var.name.name) else { return };
        if var.index.is_some() || var.field.is_some() {
            return;
        }
        if bound.contains(&symbol) {
            let message = format!("`{}` takes two fields of one message", var.name.name);
            let help = "receive the field you do not need into `_`";
            self.report(Diagnostic::error("received-twice", var.span, message).help(help));
        }
        bound.push(symbol);
    }

    /// The scalars of a reference to a structure; none if it is not one.
    fn scalars(&mut self, var: &VarRef, here: Here, read: bool) -> Option<Vec<Place>> {
        let symbol = self.names.lookup(here, &var.name.name)?;
        let Meaning::Var(v) = self.names.symbol(symbol).meaning.clone() else { return None };
        if !matches!(v.ty, Type::Struct(_)) {
            return None;
        }
        let (ty, offset, indices) = self.resolve(&v, var, here)?;
        if !matches!(ty, Type::Struct(_)) {
            return None;
        }
        // A structure is kept as a whole, even if it is hidden and only set.
        self.is_kept(symbol, read || self.names.symbol(symbol).hidden);
        let mut places = Vec::new();
        let all = Var { ty, array: None, region: v.region, offset };
        collect_scalars(self.names, &all, offset, &mut |slot, _| {
            places.push(Place { region: v.region, slot, indices: indices.clone().into() });
        });
        Some(places)
    }

    fn remote_label(&mut self, remote: &ast::RemoteLabel, here: Here) -> ir::Expr {
        let pid = remote.pid.as_ref().map(|pid| self.expr(pid, here));
        let Some(process) = self.processes.find(&remote.proctype.name) else {
            self.no_such_process(&remote.proctype);
            return ir::Expr::Const(0);
        };
        if !self.processes.has_label(process, &remote.label.name) {
            let label = &remote.label;
            let message = format!("{} has no label `{}`", remote.proctype.name, label.name);
            let diagnostic = Diagnostic::error("undefined-label", label.span, message);
            let labels = self.processes.labels(process);
            self.report(suggest(diagnostic, label.span, &label.name, labels));
            return ir::Expr::Const(0);
        }
        match self.processes.location_of_label(process, &remote.label.name) {
            Some(location) => ir::Expr::At(Box::new(Remote { process, pid }), location),
            None => ir::Expr::Const(0),
        }
    }

    fn remote_var(&mut self, remote: &ast::RemoteVar, here: Here) -> ir::Expr {
        let pid = remote.pid.as_ref().map(|pid| self.expr(pid, here));
        let Some(process) = self.processes.find(&remote.proctype.name) else {
            self.no_such_process(&remote.proctype);
            return ir::Expr::Const(0);
        };
        if remote.var.name.name == "_pid" {
            return ir::Expr::RemotePid(Box::new(Remote { process, pid }));
        }
        let Some(symbol) = self.processes.local(self.names, process, &remote.var.name.name) else {
            let message = format!("{} has no variable `{}`", remote.proctype.name, remote.var.name.name);
            if !self.names.is_lost(&remote.var.name.name) {
                self.error("undeclared", remote.var.span, message);
            }
            return ir::Expr::Const(0);
        };
        let Meaning::Var(var) = self.names.symbol(symbol).meaning.clone() else { return ir::Expr::Const(0) };
        match self.place(&var, &remote.var, here) {
            Target::Place(place, _) => ir::Expr::Remote(Box::new(Remote { process, pid }), place),
            _ => ir::Expr::Const(0),
        }
    }

    pub(crate) fn no_such_process(&mut self, name: &ast::Ident) {
        if self.names.is_lost(&name.name) {
            return;
        }
        let diagnostic = Diagnostic::error("undeclared", name.span, format!("no proctype `{}`", name.name));
        let names = self.processes.all.iter().map(|p| p.name.name.as_str());
        self.report(suggest(diagnostic, name.span, &name.name, names));
    }
}

/// Calls `found` with every scalar of a variable, in order.
pub(crate) fn collect_scalars(
    names: &Names,
    var: &Var,
    offset: u32,
    found: &mut impl FnMut(Slot, &SlotType),
) {
    let size = names.size(&var.ty);
    for i in 0..var.array.unwrap_or(1) {
        let offset = offset + i * size;
        match &var.stored() {
            Type::Scalar(ty) => found(Slot::new(offset, ty), ty),
            Type::Struct(id) => {
                for field in &names.structs[*id].fields {
                    collect_scalars(names, &field.var, offset + field.var.offset, found);
                }
            }
        }
    }
}

/// Computes what does not depend on the state and cannot fail.
fn fold(expr: ir::Expr) -> ir::Expr {
    let value = match &expr {
        ir::Expr::Unary(op, operand) => operand.as_const().map(|value| op.apply(value)),
        ir::Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul), operands) => {
            match (operands[0].as_const(), operands[1].as_const()) {
                (Some(l), Some(r)) => op.apply(l, r),
                _ => None,
            }
        }
        _ => None,
    };
    value.map_or(expr, ir::Expr::Const)
}
