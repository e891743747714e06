//! Every expression inside an expression, a transition or an effect.
//!
//! For questions of the kind "is this asked anywhere", which are unsound if a place is forgotten. Invariant: no
//! match here has a wildcard, so a new kind of expression or effect does not compile until it is visited.

use crate::expr::{BinaryOp, Expr, Pattern, Place, Remote};
use crate::model::{Comm, Effect, Piece, Transition};

impl Expr {
    /// Whether this expression, or one inside it, is `wanted`.
    pub fn any(&self, wanted: &mut dyn FnMut(&Expr) -> bool) -> bool {
        wanted(self)
            || match self {
                Expr::Const(_)
                | Expr::Pid
                | Expr::NumProcesses
                | Expr::LastPid
                | Expr::Timeout
                | Expr::NonProgress
                | Expr::Accepting
                | Expr::Created => false,
                Expr::Load(place) => in_place(place, wanted),
                Expr::Unary(_, operand) => operand.any(wanted),
                Expr::Binary(_, operands) => operands.iter().any(|operand| operand.any(wanted)),
                Expr::Conditional(parts) => parts.iter().any(|part| part.any(wanted)),
                Expr::Chan(_, chan) => chan.any(wanted),
                Expr::Poll(poll) => poll.chan.any(wanted) || in_pattern(&poll.pattern, wanted),
                Expr::Enabled(pid) | Expr::LocationOf(pid) | Expr::PriorityOf(pid) => pid.any(wanted),
                Expr::At(remote, _) | Expr::RemotePid(remote) => in_remote(remote, wanted),
                Expr::Remote(remote, place) => in_remote(remote, wanted) || in_place(place, wanted),
            }
    }
}

impl Expr {
    /// Calls `f` with what has to be known to say whether the computation fails.
    pub(crate) fn for_each_needed_to_fail(&self, f: &mut dyn FnMut(&Expr)) {
        match self {
            Expr::Load(place) => place.indices.iter().for_each(|index| f(&index.value)),
            Expr::Unary(_, operand) => operand.for_each_needed_to_fail(f),
            Expr::Binary(BinaryOp::Div | BinaryOp::Rem, _) => f(self),
            // The second operand is not always computed.
            Expr::Binary(BinaryOp::And | BinaryOp::Or, operands) if operands[1].can_fail() => {
                f(&operands[0]);
                operands[1].for_each_needed_to_fail(f);
            }
            Expr::Binary(_, operands) => {
                operands.iter().for_each(|operand| operand.for_each_needed_to_fail(f))
            }
            _ if self.can_fail() => f(self),
            _ => {}
        }
    }
}

impl Effect {
    /// Whether an expression of it is `wanted`.
    pub(crate) fn any_expr(&self, wanted: &mut dyn FnMut(&Expr) -> bool) -> bool {
        in_effects(std::slice::from_ref(self), wanted)
    }
}

impl Transition {
    /// Whether an expression of what it does is `wanted`; its guards are the model's.
    pub fn any_expr(&self, wanted: &mut dyn FnMut(&Expr) -> bool) -> bool {
        self.comm.as_ref().is_some_and(|comm| in_comm(comm, wanted)) || in_effects(&self.effects, wanted)
    }

    /// Calls `f` with every place that it writes, globals and its own locals. Arguments of a process that it creates are
    /// not among them.
    pub fn for_each_written<'t>(&'t self, f: &mut dyn FnMut(&'t Place)) {
        written_by_comm(self.comm.as_ref(), f);
        written_by(&self.effects, f);
    }

    /// Whether an effect, or one inside a `d_step`, is `wanted`.
    pub fn any_effect(&self, wanted: impl Fn(&Effect) -> bool) -> bool {
        any_effect(&self.effects, &wanted)
    }
}

fn written_by_comm<'t>(comm: Option<&'t Comm>, f: &mut dyn FnMut(&'t Place)) {
    if let Some(Comm::Receive(receive)) = comm {
        for field in &receive.pattern {
            if let Pattern::Bind(place) = field {
                f(place);
            }
        }
    }
}

fn written_by<'t>(effects: &'t [Effect], f: &mut dyn FnMut(&'t Place)) {
    for effect in effects {
        match effect {
            Effect::Assign(place, _) | Effect::Count { place, .. } => f(place),
            Effect::DStep(dstep) => {
                for alternative in dstep.nodes.iter().flatten() {
                    written_by_comm(alternative.comm.as_ref(), f);
                    written_by(&alternative.effects, f);
                }
            }
            Effect::Evaluate(_)
            | Effect::Run(_)
            | Effect::Assert(_)
            | Effect::Print(_)
            | Effect::SetPriority(..)
            | Effect::Undefined(_)
            | Effect::End => {}
        }
    }
}

fn any_effect(effects: &[Effect], wanted: &impl Fn(&Effect) -> bool) -> bool {
    effects.iter().any(|effect| match effect {
        Effect::DStep(dstep) => dstep.nodes.iter().flatten().any(|inner| any_effect(&inner.effects, wanted)),
        _ => wanted(effect),
    })
}

fn in_place(place: &Place, wanted: &mut dyn FnMut(&Expr) -> bool) -> bool {
    place.indices.iter().any(|index| index.value.any(wanted))
}

fn in_remote(remote: &Remote, wanted: &mut dyn FnMut(&Expr) -> bool) -> bool {
    remote.pid.as_ref().is_some_and(|pid| pid.any(wanted))
}

fn in_pattern(pattern: &[Pattern], wanted: &mut dyn FnMut(&Expr) -> bool) -> bool {
    pattern.iter().any(|field| match field {
        Pattern::Match(expr) => expr.any(wanted),
        Pattern::Bind(place) => in_place(place, wanted),
        Pattern::Any => false,
    })
}

fn in_comm(comm: &Comm, wanted: &mut dyn FnMut(&Expr) -> bool) -> bool {
    match comm {
        Comm::Send(send) => send.chan.any(wanted) || send.args.iter().any(|arg| arg.any(wanted)),
        Comm::Receive(receive) => receive.chan.any(wanted) || in_pattern(&receive.pattern, wanted),
    }
}

fn in_effects(effects: &[Effect], wanted: &mut dyn FnMut(&Expr) -> bool) -> bool {
    effects.iter().any(|effect| match effect {
        Effect::Assign(place, expr) => in_place(place, wanted) || expr.any(wanted),
        Effect::Evaluate(expr) | Effect::Assert(expr) => expr.any(wanted),
        Effect::Print(pieces) => pieces.iter().filter_map(Piece::value).any(|value| value.any(wanted)),
        Effect::Run(run) => run.args.iter().any(|arg| arg.any(wanted)),
        Effect::SetPriority(pid, priority) => pid.any(wanted) || priority.any(wanted),
        Effect::Count { .. } | Effect::Undefined(_) | Effect::End => false,
        Effect::DStep(dstep) => dstep.nodes.iter().flatten().any(|alternative| {
            alternative.guards.iter().any(|guard| guard.any(wanted))
                || alternative.comm.as_ref().is_some_and(|comm| in_comm(comm, wanted))
                || in_effects(&alternative.effects, wanted)
        }),
    })
}
