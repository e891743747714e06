//! An expression that is not part of the model, as a process sees it at one of its locations.
//!
//! Invariant: it is given the layout of the model as it is lowered, so its places are those of the model's states.
//! What the model does not keep for want of use has no value here either, and is an error.

use hashbrown::HashSet;
use smol_str::SmolStr;
use stubborn_base::{Diagnostic, Sources};
use stubborn_ir::{LocationId, ProcessTypeId, SlotType, Typed};

use super::Declared;
use super::expr::{Lower, Target, Used};
use super::names::{GLOBAL, Here, Meaning};
use crate::ast::{self, ExprKind, Program};

/// Gives meaning to an expression: outside of all processes, or at a location of one.
pub(crate) fn lower_expression(
    program: &Program,
    sources: &Sources,
    tree: &ast::Expr,
    at: Option<(ProcessTypeId, LocationId)>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Typed> {
    let nothing_lost: HashSet<SmolStr> = HashSet::new();
    let mut used = Used::of(program);
    let mut ignored = Vec::new();
    Declared::new(program, &nothing_lost, &used, &mut ignored).lower(sources, &mut used, &mut ignored);
    let kept = used.settled();
    let declared = Declared::new(program, &nothing_lost, &kept, &mut ignored);
    let here = match at {
        Some((process, location)) => declared.processes.here_at(process, location)?,
        None => declared.names.here(GLOBAL),
    };
    let mut used = kept.clone();
    let mut lower = Lower {
        names: &declared.names,
        processes: &declared.processes,
        diagnostics,
        used: &mut used,
        in_process: at.is_some(),
        observes: true,
        created: None,
    };
    let expr = lower.expr(tree, here);
    let ty = lower.type_of(tree, here);
    lower.report_unkept(tree, &kept);
    Some(Typed { expr, ty })
}

impl Lower<'_> {
    /// What the value is shown as, where one variable or constant is meant.
    fn type_of(&mut self, tree: &ast::Expr, here: Here) -> Option<SlotType> {
        let (var, symbol) = match &tree.kind {
            ExprKind::Var(var) => (var, self.names.lookup(here, &var.name.name)?),
            ExprKind::RemoteVar(remote) => {
                let process = self.processes.find(&remote.proctype.name)?;
                (&remote.var, self.processes.local(self.names, process, &remote.var.name.name)?)
            }
            _ => return None,
        };
        match &self.names.symbol(symbol).meaning {
            Meaning::Constant(_, set) => Some(SlotType::Symbol(*set as u16)),
            Meaning::Var(v) => match self.place(&v.clone(), var, here) {
                Target::Place(_, ty) => Some(ty),
                _ => None,
            },
            Meaning::Broken => None,
        }
    }

    /// Reports what is asked for and not part of the model's states.
    fn report_unkept(&mut self, tree: &ast::Expr, kept: &Used) {
        for &symbol in &kept.dropped {
            if self.used.hidden_read.contains(&symbol) {
                let name = &self.names.symbol(symbol).name;
                let message =
                    format!("`{name}` is hidden and the model never reads it: its value is not kept");
                self.error("not-kept", tree.span, message);
            }
        }
        if self.used.priorities && !kept.priorities {
            self.error("not-kept", tree.span, "the model does not use priorities");
        }
        let mut unkept = Vec::new();
        crate::visit::each_expr_in(tree, &mut |expr| match &expr.kind {
            ExprKind::Var(var) if var.name.name == "_last" && !kept.last_pid => {
                unkept.push((expr.span, "the model does not mention `_last`, so it is not kept".to_owned()));
            }
            ExprKind::RemoteLabel(remote) => {
                let process = self.processes.find(&remote.proctype.name);
                let label = &remote.label.name;
                if let Some(process) = process
                    && self.processes.has_label(process, label)
                    && self.processes.location_of_label(process, label).is_none()
                {
                    unkept.push((expr.span, format!("`{label}` marks no location of its own")));
                }
            }
            ExprKind::Temporal1(..) | ExprKind::Temporal2(..) => {
                unkept.push((expr.span, "a formula about runs has no value in a state".to_owned()));
            }
            _ => {}
        });
        for (span, message) in unkept {
            self.error("not-kept", span, message);
        }
    }
}
