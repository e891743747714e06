//! Which combinations are sound, and why the others are not.

use stubborn_ir::{Expr, LocationId, Model};

use crate::plan::{Plan, Proviso, Purpose, Reduction, Stubborn};

/// How a search decides which state is next, as far as provisos are concerned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Discipline {
    /// Depth-first, one state after the other.
    Stack,
    /// Depth-first by several threads, each with a stack of its own.
    Stacks,
    /// Breadth-first through the states of a model, which are gone through again in the end.
    Queue,
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
            | Proviso::ColourReach
            | Proviso::C3Prime
    );
    let on_queue = matches!(proviso, Proviso::Queue | Proviso::LiveQueue);
    match discipline {
        Discipline::Stacks if needs_stack => {
            Some(format!("the reduction {reduction} is a search for one thread"))
        }
        // What another thread has on its stack, or will have visited in the end, is not known.
        Discipline::Stacks if on_stack || on_queue => Some(format!(
            "the proviso {proviso} is for one thread; with several, depth-first, duplicate and sticky are there"
        )),
        Discipline::Queue | Discipline::OpenList if needs_stack => {
            Some(format!("the reduction {reduction} is a depth-first search of its own; use --search dfs"))
        }
        // Components are looked at when no state is left.
        Discipline::Queue if proviso == Proviso::Scc => None,
        Discipline::Queue | Discipline::OpenList if on_stack => Some(format!(
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
    let mut asks = |expr: &Expr| {
        found = found.or(of_expr(expr));
        found.is_some()
    };
    let _ = model.guards.iter().any(|guard| guard.any(&mut asks))
        || model.transitions.iter().any(|t| t.any_expr(&mut asks));
    found.or_else(|| has_long_runs(model).then_some(LONG_RUNS))
}

const LONG_RUNS: &str =
    "atomic sequences are so long that it would take too long to find out what each of them does";

/// Pairs of statements that can be executed in one run: in a second, so many are found.
const MOST_PAIRS: u64 = 1 << 22;

/// Whether there are more pairs of statements of one process that can be executed in one run than are looked for.
fn has_long_runs(model: &Model) -> bool {
    let mut n_pairs = 0;
    for (id, ty) in model.processes.iter_enumerated() {
        let n_instances = model.initial.iter().filter(|activation| activation.process == id).count() as u64;
        // By location: another one of the same runs, or itself.
        let mut same: Vec<usize> = (0..ty.locations.len()).collect();
        let own = || model.transitions.iter().filter(|t| t.process == id && t.atomic);
        for t in own() {
            if let Some(to) = t.to {
                let (from, to) = (find(&mut same, t.from), find(&mut same, to));
                same[from] = to;
            }
        }
        let mut n_statements = vec![0; same.len()];
        for t in own() {
            n_statements[find(&mut same, t.from)] += 1;
        }
        n_pairs += n_instances.max(1) * n_statements.iter().map(|n: &u64| n * n).sum::<u64>();
    }
    n_pairs > MOST_PAIRS
}

/// The location that stands for those of the same runs.
fn find(same: &mut [usize], location: LocationId) -> usize {
    let mut at = usize::from(location.0);
    while same[at] != at {
        same[at] = same[same[at]];
        at = same[at];
    }
    at
}

/// Why no reduction can be used where a property looks at these propositions, if so.
pub fn in_propositions(propositions: &[Expr]) -> Option<&'static str> {
    let mut found = None;
    // Labels are looked at as a whole.
    let others = propositions.iter().filter(|expr| !matches!(expr, Expr::NonProgress | Expr::Accepting));
    for proposition in others {
        proposition.any(&mut |expr| {
            found = found.or(match expr {
                Expr::Timeout => Some("the property asks timeout, which depends on every step"),
                _ => of_expr(expr),
            });
            found.is_some()
        });
    }
    found
}

/// Why no reduction can be used where this is asked, whatever is inside it.
fn of_expr(expr: &Expr) -> Option<&'static str> {
    match expr {
        Expr::Enabled(_) => {
            Some("the model asks enabled(), which depends on everything its process looks at")
        }
        Expr::LocationOf(_) => Some("the model asks pc_value(), which depends on every step"),
        Expr::PriorityOf(_) => Some("the model asks for priorities"),
        Expr::NonProgress | Expr::Accepting => Some("the model asks np_, which depends on every step"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stubborn_ir::expr::Remote;
    use stubborn_ir::fixture::{Fixture, constant, load};
    use stubborn_ir::{ChanTest, Index, Pattern, Place, ProcessTypeId, SlotType};

    /// What each of its parts may be a run of is not looked for in a run of thousands of statements.
    #[test]
    fn long_runs_are_not_followed() {
        let obstacle_of = |n_statements: u16| {
            let mut model = Fixture::new();
            let mut p = model.process("P");
            (0..n_statements).for_each(|i| {
                p.edge(i, i + 1, "it").atomic();
            });
            let p = p.finish();
            model.activate(p);
            obstacle(&model.finish())
        };
        assert_eq!([2000, 2100].map(obstacle_of), [None, Some(LONG_RUNS)]);
    }

    /// Wherever `enabled()` stands, no reduction can be used.
    #[test]
    fn what_depends_on_everything_is_found_everywhere() {
        let asked = || Expr::Enabled(Box::new(Expr::Const(1)));
        for place in 0..10 {
            let mut model = Fixture::new();
            let x = model.global("x", SlotType::Byte);
            let q = model.channel("q", 1, &[SlotType::Byte]);
            let index = Index { value: asked(), bound: 1, stride: 1 };
            let element = Place { indices: [index].into(), ..x.clone() };
            let mut p = model.process("P");
            let mut edge = p.edge(0, 1, "it");
            match place {
                0 => edge.assign(&x, constant(1)),
                1 => edge.guard(Expr::Chan(ChanTest::Len, Box::new(asked()))),
                2 => edge.assign(&x, asked()),
                3 => edge.assign(&element, constant(1)),
                4 => edge.send(&q, vec![asked()]),
                5 => edge.receive(&q, vec![Pattern::Match(asked())]),
                6 => edge.receive(&q, vec![Pattern::Bind(element)]),
                7 => edge.assign(&x, load(&element)),
                8 => {
                    let remote = Remote { process: ProcessTypeId(0), pid: Some(asked()) };
                    edge.guard(Expr::RemotePid(Box::new(remote)))
                }
                _ => edge.guard(Expr::Unary(stubborn_ir::UnaryOp::Not, Box::new(asked()))),
            };
            let p = p.finish();
            model.activate(p);
            assert_eq!(obstacle(&model.finish()).is_some(), place != 0, "{place}");
        }
        assert!(in_propositions(&[Expr::NonProgress]).is_none());
        assert!(in_propositions(&[Expr::not(Expr::NonProgress)]).is_some());
        assert!(in_propositions(&[Expr::not(Expr::Timeout)]).is_some());
    }
}
