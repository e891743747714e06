//! What a transition does, one thing after the other: a deterministic run without choices is that, too.

use stubborn_ir::{BinaryOp, Comm, DStep, Effect, Expr, Model, Place, Transition};

use crate::Refused;

/// One thing that is done.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Action<'m> {
    /// It is an error if this does not hold.
    Hold(&'m Expr),
    Assign(&'m Place, &'m Expr),
    /// Adds to a number of tokens; more than `most` is an error.
    Count {
        place: &'m Place,
        by: i32,
        most: Option<i32>,
    },
    /// It is an error.
    Fail,
}

/// A transition in pieces.
#[derive(Clone, Debug)]
pub(crate) struct Body<'m> {
    /// All must hold for it to be possible.
    pub(crate) guards: Vec<&'m Expr>,
    /// Must be possible, and is done first.
    pub(crate) comm: Option<&'m Comm>,
    pub(crate) actions: Vec<Action<'m>>,
    /// The process is gone.
    pub(crate) ends: bool,
}

impl<'m> Body<'m> {
    pub(crate) fn of(model: &'m Model, t: &'m Transition) -> Result<Self, Refused> {
        let guards = t.guards.iter().map(|&guard| &model.guards[guard]).collect();
        let mut body = Body { guards, comm: t.comm.as_ref(), actions: Vec::new(), ends: false };
        body.add(&t.effects)?;
        if body.ends {
            // The one created last goes first: how that is said is up to the language.
            body.guards.retain(|guard| !guard.any(&mut |inner| matches!(inner, Expr::NumProcesses)));
        }
        Ok(body)
    }

    fn add(&mut self, effects: &'m [Effect]) -> Result<(), Refused> {
        for effect in effects {
            match effect {
                Effect::Assign(place, value) => self.actions.push(Action::Assign(place, value)),
                Effect::Count { place, by, most } => {
                    self.actions.push(Action::Count { place, by: *by, most: *most });
                }
                Effect::Undefined(_) => self.actions.push(Action::Fail),
                // What is shown is no part of a state.
                Effect::Print(_) => {}
                Effect::Evaluate(expr) if !may_fail(expr) => {}
                Effect::End => self.ends = true,
                Effect::DStep(dstep) => self.follow(dstep)?,
                Effect::Evaluate(_) => {
                    return Err(Refused::new("a value is computed only to see whether it fails"));
                }
                Effect::Assert(_) => {
                    return Err(Refused::new("an assertion of a step cannot be carried over"));
                }
                Effect::Run(_) | Effect::SetPriority(..) => unreachable!("refused with the model"),
            }
        }
        Ok(())
    }

    /// A deterministic run whose nodes have one alternative each.
    fn follow(&mut self, dstep: &'m DStep) -> Result<(), Refused> {
        let mut at = Some(0);
        for _ in 0..=dstep.nodes.len() {
            let Some(node) = at else { return Ok(()) };
            let [only] = &*dstep.nodes[node as usize] else {
                return Err(Refused::new("a deterministic run has a choice"));
            };
            self.actions.extend(only.guards.iter().map(Action::Hold));
            if let Some(comm) = &only.comm {
                let is_first = self.comm.is_none() && self.actions.is_empty();
                if !is_first {
                    return Err(Refused::new(
                        "a message is not the first thing that a deterministic run is about",
                    ));
                }
                self.comm = Some(comm);
            }
            self.add(&only.effects)?;
            at = only.to;
        }
        Err(Refused::new("a deterministic run has a loop"))
    }
}

fn may_fail(expr: &Expr) -> bool {
    expr.any(&mut |inner| match inner {
        Expr::Const(_) | Expr::Unary(..) | Expr::Pid => false,
        Expr::Load(place) => !place.indices.is_empty(),
        Expr::Binary(op, _) => matches!(op, BinaryOp::Div | BinaryOp::Rem),
        _ => true,
    })
}
