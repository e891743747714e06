//! Statements: guards, channel operations and effects of one element.

use stubborn_base::{Diagnostic, Span};
use stubborn_ir::{self as ir, BinaryOp, Comm, Effect, Expr, Place, SlotType};

use super::declare::constant;
use super::expr::{Lower, Target, collect_scalars};
use super::flow::{El, Element, Flow, Kind};
use super::names::{Here, Meaning, StructId, SymbolId, Type, Var};
use crate::ast::{self, ExprKind, Init, StmtKind, VarRef};

/// What an element does in one step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Action {
    pub(crate) guards: Vec<Expr>,
    pub(crate) comm: Option<Comm>,
    pub(crate) effects: Vec<Effect>,
}

impl Action {
    fn effect(effect: Effect) -> Self {
        Action { effects: vec![effect], ..Action::default() }
    }

    fn comm(comm: Comm) -> Self {
        Action { comm: Some(comm), ..Action::default() }
    }
}

impl Lower<'_> {
    /// What an element that is one step does. `else` and jumps do nothing by themselves.
    pub(crate) fn action(&mut self, flow: &Flow<'_>, element: El) -> Action {
        let Element { kind, here, .. } = &flow.elements[element];
        match kind {
            Kind::Stmt(stmt) => self.statement(stmt, *here),
            Kind::Declare(symbol, init) => self.declare(*symbol, *init, *here),
            Kind::End => {
                let next = Expr::binary(BinaryOp::Add, Expr::Pid, Expr::Const(1));
                let last = Expr::binary(BinaryOp::Eq, next, Expr::NumProcesses);
                Action { guards: vec![last], effects: vec![Effect::End], comm: None }
            }
            _ => Action::default(),
        }
    }

    fn statement(&mut self, stmt: &ast::Stmt, here: Here) -> Action {
        match &stmt.kind {
            StmtKind::Expr(ast::Expr { kind: ExprKind::Run(run), .. }) => {
                Action { effects: self.run(run, here), ..Action::default() }
            }
            StmtKind::Expr(condition) => {
                let mut guards = Vec::new();
                conjuncts(self.expr(condition, here), &mut guards);
                Action { guards, ..Action::default() }
            }
            StmtKind::Assign(var, value) => self.assign(var, value, here),
            StmtKind::Increment(var) => self.count(var, BinaryOp::Add, here),
            StmtKind::Decrement(var) => self.count(var, BinaryOp::Sub, here),
            StmtKind::Send(send) => {
                let chan = self.channel(&send.chan, here);
                let args = self.arguments(&send.args, here);
                if args.len() > self.names.longest_message() {
                    let longest = self.names.longest_message();
                    let message =
                        format!("a message of {} fields, no channel has more than {longest}", args.len());
                    self.error("message-too-long", stmt.span, message);
                }
                Action::comm(Comm::Send(ir::Send { chan, args, sorted: send.sorted }))
            }
            StmtKind::Receive(receive) => {
                let chan = self.channel(&receive.chan, here);
                let pattern = self.pattern(&receive.args, here);
                let (random, peek) = (receive.random, receive.peek);
                Action::comm(Comm::Receive(ir::Receive { chan, pattern, random, peek }))
            }
            StmtKind::Assert(condition) => Action::effect(Effect::Assert(self.expr(condition, here))),
            StmtKind::Printf(printf) => Action::effect(Effect::Print(self.printf(printf, here))),
            StmtKind::Printm(value) => Action::effect(Effect::Print(vec![self.symbolic(value, here)])),
            StmtKind::SetPriority(pid, priority) => {
                self.used.priorities = true;
                let (pid, priority) = (self.expr(pid, here), self.expr(priority, here));
                Action::effect(Effect::SetPriority(pid, priority))
            }
            // What did not parse was reported; all others were taken apart when the flow was built.
            _ => Action::default(),
        }
    }

    /// The effects of creating a process.
    pub(crate) fn run(&mut self, run: &ast::Run, here: Here) -> Vec<Effect> {
        let args = self.arguments(&run.args, here);
        let Some(process) = self.processes.find(&run.proctype.name) else {
            self.no_such_process(&run.proctype);
            return Vec::new();
        };
        let expected = self.processes.parameters(process);
        if args.len() != expected && !self.names.is_lost(&run.proctype.name) {
            let message =
                format!("{} takes {expected} parameters, {} are given", run.proctype.name, args.len());
            self.error("wrong-number-of-parameters", run.proctype.span, message);
        }
        let mut value = 1;
        if let Some(priority) = &run.priority {
            self.used.priorities = true;
            value = constant(self.names, here, priority, self.diagnostics).unwrap_or(1);
            if !(0..=255).contains(&value) {
                self.error("bad-priority", priority.span, "a priority is between 1 and 255");
            }
        }
        vec![Effect::Run(ir::Run { process, args, priority: value.clamp(1, 255) as u8 })]
    }

    fn assign(&mut self, var: &VarRef, value: &ast::Expr, here: Here) -> Action {
        self.check_assigned(var, value, here);
        self.created = Some(Vec::new());
        let lowered = self.expr(value, here);
        let mut effects = self.created.take().unwrap_or_default();
        effects.push(self.set(var, lowered, value.span, here));
        Action { effects, ..Action::default() }
    }

    /// Reports a constant that is no value of the variable's type.
    fn check_assigned(&mut self, var: &VarRef, value: &ast::Expr, here: Here) {
        let meaning = |name: &str| self.names.lookup(here, name).map(|s| &self.names.symbol(s).meaning);
        let Some(Meaning::Var(Var { ty: Type::Scalar(ty), .. })) = meaning(&var.name.name) else { return };
        let message = match (ty, &value.kind) {
            (SlotType::Chan, ExprKind::Const(_)) => "a number is not a channel".to_owned(),
            (SlotType::Symbol(set), ExprKind::Var(constant)) if *set > 0 => {
                match meaning(&constant.name.name) {
                    Some(Meaning::Constant(_, other)) if other != &usize::from(*set) => {
                        let subtype = &self.names.mtypes[usize::from(*set)].0;
                        format!("`{}` is not one of mtype:{subtype}", constant.name.name)
                    }
                    _ => return,
                }
            }
            _ => return,
        };
        self.error("type-mismatch", value.span, message);
    }

    fn set(&mut self, var: &VarRef, value: Expr, value_span: Span, here: Here) -> Effect {
        let name = var.name.name.as_str();
        if name == "_priority" {
            self.used.priorities = true;
            return Effect::SetPriority(Expr::Pid, value);
        }
        if matches!(name, "_pid" | "_nr_pr" | "_last") {
            self.error("read-only", var.span, format!("`{name}` cannot be set"));
            return Effect::Evaluate(value);
        }
        match self.target(var, here, false) {
            Target::Place(place, ty) => {
                self.check_range(&value, &ty, value_span);
                Effect::Assign(place, value)
            }
            Target::Constant(_) => {
                self.error("read-only", var.span, format!("`{name}` is an mtype constant and cannot be set"));
                Effect::Evaluate(value)
            }
            Target::Nowhere | Target::Broken => Effect::Evaluate(value),
        }
    }

    /// Warns of a constant that does not fit.
    fn check_range(&mut self, value: &Expr, ty: &SlotType, span: Span) {
        if let Some(value) = value.as_const()
            && ty.wrap(value) != value
        {
            let message = format!("{value} does not fit a {}: it becomes {}", ty.name(), ty.wrap(value));
            self.report(Diagnostic::warning("constant-out-of-range", span, message));
        }
    }

    fn count(&mut self, var: &VarRef, op: BinaryOp, here: Here) -> Action {
        match self.target(var, here, true) {
            Target::Place(_, SlotType::Chan) => {
                self.error("arithmetic-on-channel", var.span, "arithmetic on a channel");
                Action::default()
            }
            Target::Place(place, _) => {
                let value = Expr::binary(op, Expr::Load(place.clone()), Expr::Const(1));
                Action::effect(Effect::Assign(place, value))
            }
            Target::Constant(_) => {
                let message = format!("`{}` is an mtype constant and cannot be set", var.name.name);
                self.error("read-only", var.span, message);
                Action::default()
            }
            Target::Nowhere | Target::Broken => Action::default(),
        }
    }

    /// A declaration after the first statement sets its variable: of an array, as in
    /// SPIN, only the first element, and of a structure nothing.
    fn declare(&mut self, symbol: SymbolId, init: Option<&Init>, here: Here) -> Action {
        let Meaning::Var(var) = self.names.symbol(symbol).meaning.clone() else { return Action::default() };
        let Type::Scalar(ty) = &var.stored() else { return Action::default() };
        let place = Place::simple(var.region, ir::Slot::new(var.offset, ty));
        let value = match init {
            Some(Init::Expr(value)) => {
                let lowered = self.expr(value, here);
                self.check_range(&lowered, ty, value.span);
                lowered
            }
            Some(Init::List(values)) => {
                if let Some(value) = values.first() {
                    let message = "an array can be set to a list only at the start of a process";
                    self.error("late-array-list", value.span, message);
                }
                Expr::Const(0)
            }
            None | Some(Init::Chan(_)) => Expr::Const(0),
        };
        Action::effect(Effect::Assign(place, value))
    }

    /// The initial values a declaration at the start gives.
    pub(crate) fn initial_values(
        &mut self,
        symbol: SymbolId,
        init: Option<&Init>,
        here: Here,
        values: &mut Vec<(Place, Expr)>,
    ) {
        let Meaning::Var(var) = self.names.symbol(symbol).meaning.clone() else { return };
        if let (Type::Struct(_), Some(Init::Expr(value))) = (&var.ty, init) {
            self.error("structure-as-value", value.span, "a structure cannot be set as a whole");
        }
        self.initial_variable(&var, init, here, values);
    }

    fn initial_variable(
        &mut self,
        var: &Var,
        init: Option<&Init>,
        here: Here,
        values: &mut Vec<(Place, Expr)>,
    ) {
        match &var.stored() {
            Type::Scalar(ty) => self.initial_scalars(var, ty, init, here, values),
            // Fields have their own initial values, in every element.
            Type::Struct(id) => {
                let size = self.names.size(&var.ty);
                for i in 0..var.array.unwrap_or(1) {
                    self.initial_fields(
                        *id,
                        &Var { offset: var.offset + i * size, ..var.clone() },
                        here,
                        values,
                    );
                }
            }
        }
    }

    fn initial_fields(&mut self, id: StructId, of: &Var, here: Here, values: &mut Vec<(Place, Expr)>) {
        for field in self.names.structs[id].fields.clone() {
            let var = Var { region: of.region, offset: of.offset + field.var.offset, ..field.var };
            self.initial_variable(&var, field.init.as_ref(), here, values);
        }
    }

    fn initial_scalars(
        &mut self,
        var: &Var,
        ty: &SlotType,
        init: Option<&Init>,
        here: Here,
        values: &mut Vec<(Place, Expr)>,
    ) {
        let given: Vec<(Expr, Span)> = match init {
            None | Some(Init::Chan(_)) => return,
            Some(Init::Expr(value)) => vec![(self.expr(value, here), value.span)],
            Some(Init::List(list)) => list.iter().map(|v| (self.expr(v, here), v.span)).collect(),
        };
        let Some((last, span)) = given.last().cloned() else { return };
        if matches!(init, Some(Init::List(_))) && var.array.is_none() {
            self.error("not-an-array", span, "only an array can be set to a list");
        }
        for (value, span) in &given {
            self.check_range(value, ty, *span);
        }
        // One value is for all elements; a list that is too short repeats its last.
        let mut given = given.into_iter().map(|(value, _)| value);
        collect_scalars(self.names, var, var.offset, &mut |slot, _| {
            let value = given.next().unwrap_or_else(|| last.clone());
            values.push((Place::simple(var.region, slot), value));
        });
    }
}

/// Splits a conjunction: finer guards have smaller necessary enabling sets.
pub(crate) fn conjuncts(expr: Expr, guards: &mut Vec<Expr>) {
    match expr {
        Expr::Binary(BinaryOp::And, operands) => {
            let [left, right] = *operands;
            conjuncts(left, guards);
            conjuncts(right, guards);
        }
        Expr::Const(value) if value != 0 => {}
        other => guards.push(other),
    }
}
