//! Which combinations are sound, and why the others are not.

use stubborn_ir::{Expr, Model};

use crate::plan::{Plan, Proviso, Purpose, Reduction, Stubborn};

/// How a search decides which state is next, as far as provisos are concerned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Discipline {
    /// Depth-first, one state after the other.
    Stack,
    /// States wait in an open list.
    OpenList,
}

/// The most that a plan preserves; none if it must not be used at all.
pub fn most_preserved(plan: &Plan, discipline: Discipline) -> Option<Purpose> {
    let purposes = [Purpose::Liveness, Purpose::Safety, Purpose::Deadlocks];
    purposes.into_iter().find(|&purpose| refusal(plan, discipline, purpose).is_none())
}

/// The reason why a plan must not be used, if there is one.
pub fn refusal(plan: &Plan, discipline: Discipline, purpose: Purpose) -> Option<String> {
    let Plan { reduction, proviso, .. } = plan;
    if *reduction == Reduction::None {
        return None;
    }
    if let Some(reason) = of_search(*reduction, *proviso, discipline) {
        return Some(reason);
    }
    match reduction {
        Reduction::Sleep if *proviso != Proviso::None => {
            return Some("sleep sets leave out no state, so no proviso goes with them".to_owned());
        }
        Reduction::Sleep if purpose >= Purpose::Prefixes => {
            return Some("sleep sets do not go with LTL: they leave out steps that close cycles".to_owned());
        }
        Reduction::Sleep => return None,
        Reduction::TwoPhase(_) if *proviso != Proviso::None => {
            return Some("the two-phase algorithms do without a proviso".to_owned());
        }
        Reduction::TwoPhase(_) if purpose >= Purpose::Prefixes => {
            return Some("the two-phase algorithms are searches of their own, not used for LTL".to_owned());
        }
        Reduction::TwoPhase(_) => return None,
        Reduction::Stubborn(Stubborn { weak: true, .. }) if purpose != Purpose::Deadlocks => {
            return Some("weak stubborn sets preserve deadlocks only".to_owned());
        }
        _ => {}
    }
    match purpose {
        Purpose::Deadlocks => None,
        _ if *proviso == Proviso::None => Some(
            "without a proviso, steps that matter can be put off for ever; only deadlocks are preserved"
                .to_owned(),
        ),
        Purpose::Safety if *proviso == Proviso::C3Prime => {
            Some("c3-prime lets steps that no proposition sees be put off for ever; it is for LTL".to_owned())
        }
        Purpose::Safety | Purpose::Prefixes => None,
        Purpose::Liveness if is_for_safety_only(*proviso) => {
            Some(format!("the proviso {proviso} preserves safety properties only"))
        }
        Purpose::Liveness => None,
    }
}

fn of_search(reduction: Reduction, proviso: Proviso, discipline: Discipline) -> Option<String> {
    let needs_stack = matches!(reduction, Reduction::TwoPhase(_) | Reduction::Sleep);
    let on_stack = matches!(
        proviso,
        Proviso::Stack
            | Proviso::SafeFlags
            | Proviso::Scc
            | Proviso::LiveStack
            | Proviso::Colour
            | Proviso::ColourStar
            | Proviso::C3Prime
    );
    let on_queue = matches!(proviso, Proviso::Queue | Proviso::LiveQueue);
    match discipline {
        Discipline::OpenList if needs_stack => {
            Some(format!("the reduction {reduction} is a depth-first search of its own; use --search dfs"))
        }
        Discipline::OpenList if on_stack => Some(format!(
            "the proviso {proviso} looks at the stack of a depth-first search; use --search dfs"
        )),
        Discipline::Stack if on_queue => Some(format!(
            "the proviso {proviso} looks at the queue of a breadth-first search; use --search bfs"
        )),
        _ => None,
    }
}

fn is_for_safety_only(proviso: Proviso) -> bool {
    matches!(
        proviso,
        Proviso::Stack | Proviso::SafeFlags | Proviso::Scc | Proviso::Queue | Proviso::Duplicate
    )
}

/// Why no reduction can be used on a model, if so.
pub fn obstacle(model: &Model) -> Option<&'static str> {
    if model.uses_priorities {
        return Some("processes have priorities, so every step depends on all others");
    }
    if model.last_pid.is_some() {
        return Some("the model reads _last, which every step writes");
    }
    let mut found = None;
    for expr in model.guards.iter() {
        found = found.or_else(|| in_expr(expr));
    }
    for t in model.transitions.iter() {
        in_effects(&t.effects, &mut found);
    }
    found
}

/// Why no reduction can be used where a property looks at these propositions, if so.
pub fn in_propositions(propositions: &[Expr]) -> Option<&'static str> {
    // Labels are looked at as a whole.
    let is_label = |expr: &&Expr| matches!(expr, Expr::NonProgress | Expr::Accepting);
    let mut others = propositions.iter().filter(|expr| !is_label(expr));
    if propositions.iter().any(asks_timeout) {
        return Some("the property asks timeout, which depends on every step");
    }
    others.find_map(in_expr)
}

fn asks_timeout(expr: &Expr) -> bool {
    match expr {
        Expr::Timeout => true,
        Expr::Unary(_, operand) => asks_timeout(operand),
        Expr::Binary(_, operands) => operands.iter().any(asks_timeout),
        Expr::Conditional(parts) => parts.iter().any(asks_timeout),
        _ => false,
    }
}

fn in_effects(effects: &[stubborn_ir::Effect], found: &mut Option<&'static str>) {
    use stubborn_ir::Effect;
    for effect in effects {
        match effect {
            Effect::Assign(_, expr) | Effect::Evaluate(expr) | Effect::Assert(expr) => {
                *found = found.or_else(|| in_expr(expr));
            }
            Effect::Print(args) => args.iter().for_each(|arg| *found = found.or_else(|| in_expr(arg))),
            Effect::Run(run) => run.args.iter().for_each(|arg| *found = found.or_else(|| in_expr(arg))),
            Effect::DStep(dstep) => {
                for alternative in dstep.nodes.iter().flatten() {
                    alternative.guards.iter().for_each(|guard| *found = found.or_else(|| in_expr(guard)));
                    in_effects(&alternative.effects, found);
                }
            }
            Effect::SetPriority(..) | Effect::End => {}
        }
    }
}

fn in_expr(expr: &Expr) -> Option<&'static str> {
    match expr {
        Expr::Enabled(_) => {
            Some("the model asks enabled(), which depends on everything its process looks at")
        }
        Expr::LocationOf(_) => Some("the model asks pc_value(), which depends on every step"),
        Expr::PriorityOf(_) => Some("the model asks for priorities"),
        Expr::NonProgress | Expr::Accepting => Some("the model asks np_, which depends on every step"),
        Expr::Unary(_, operand) => in_expr(operand),
        Expr::Binary(_, operands) => operands.iter().find_map(in_expr),
        Expr::Conditional(parts) => parts.iter().find_map(in_expr),
        Expr::Load(place) | Expr::Remote(_, place) => place.indices.iter().find_map(|i| in_expr(&i.value)),
        _ => None,
    }
}
