//! Whether some run of a model is accepted by a claim automaton.

use std::ops::ControlFlow;
use std::time::Duration;

use stubborn_ir::{ClaimAutomaton, Model, RuntimeErrorKind};
use stubborn_reduce::{Guardian, Plan, Proviso};

use crate::components::{Components, MAX_FAIR};
use crate::exploration::Exploration;
use crate::lasso::{Run, around, to_final};
use crate::limits::{Incomplete, Limits};
use crate::nested::Nested;
use crate::observer::{Counts, Observer};
use crate::product::{Factors, Node, Product};
use crate::walk::{Emptiness, Seen, Stop, Walk};
use crate::{End, Order, layers};

/// How cycles are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Cycles {
    /// By strongly connected components.
    #[default]
    Components,
    /// By nested depth-first search.
    Nested,
}

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// Accepts the runs that are looked for.
    pub automaton: &'a ClaimAutomaton,
    /// A run that ends stays in its last state for ever; otherwise it is no run.
    pub extends_finite_runs: bool,
    /// Only runs count in which every process that could always move does move. Asks for components, and
    /// for no reduction.
    pub is_fair: bool,
    /// How cycles are looked for.
    pub cycles: Cycles,
}

impl<'a> Question<'a> {
    /// What the product is made of.
    pub(crate) fn factors(&self) -> Factors<'a> {
        Factors { automaton: self.automaton, extends_finite_runs: self.extends_finite_runs }
    }
}

/// The answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// How the search ended; stopped if a run was found.
    pub end: End,
    /// A run that is accepted.
    pub run: Option<Run>,
    /// States of the product, and what else was visited.
    pub counts: Counts,
    /// Some atomic sequence never ends: a run that is not among those of the product.
    pub has_endless: bool,
    /// Time it took.
    pub time: Duration,
}

/// Looks for an accepted run, leaving out what the plan leaves out; whether it is sound is the caller's
/// affair. Fails if there is no initial state.
pub fn search_claim(
    model: &Model,
    question: &Question<'_>,
    order: Order,
    plan: &Plan,
    limits: &Limits,
    observer: &mut dyn Observer,
) -> Result<Answer, RuntimeErrorKind> {
    let exploration = Exploration::new(model, limits, plan)?;
    let mut product = Product::new(exploration, question.factors(), observer);
    let mut seen = Seen::default();
    let (stopped, mut run) = look(&mut product, question, order, plan, &mut seen);
    let flow = match stopped {
        ControlFlow::Break(Stop::Halt(halt)) => ControlFlow::Break(halt),
        _ => ControlFlow::Continue(()),
    };
    let mut end = product.exploration.finish(flow);
    if question.is_fair && usize::from(product.n_processes()) > MAX_FAIR {
        end = End::Incomplete(Incomplete::Fairness { limit: MAX_FAIR });
        run = None;
    } else if run.is_some() {
        end = End::Stopped;
    }
    let counts = Counts {
        states: seen.nodes,
        transitions: seen.arcs,
        depth: seen.depth,
        ..*product.exploration.counts()
    };
    let has_endless = product.exploration.has_endless();
    Ok(Answer { end, run, counts, has_endless, time: product.exploration.elapsed() })
}

fn look(
    product: &mut Product<'_, '_>,
    question: &Question<'_>,
    order: Order,
    plan: &Plan,
    seen: &mut Seen,
) -> (ControlFlow<Stop>, Option<Run>) {
    let initial = match product.start() {
        ControlFlow::Continue(initial) => initial,
        ControlFlow::Break(halt) => return (ControlFlow::Break(Stop::Halt(halt)), None),
    };
    let mut proviso = plan.proviso;
    if order == Order::BreadthFirst {
        let guardian = Guardian::new(proviso, plan.fault);
        let visited = layers::visit(product, initial, &guardian, seen);
        if visited.is_break() {
            return told(visited, product, initial, question, &|_| true);
        }
        // All that is left are cycles, among nodes whose steps are settled.
        proviso = Proviso::None;
        if !question.automaton.states.iter().any(|state| state.accepting) {
            return (visited, None);
        }
    }
    let mut components = Components::new(question.is_fair);
    let mut nested = Nested::default();
    let emptiness: &mut dyn Emptiness = match question.cycles {
        Cycles::Nested if !question.is_fair => &mut nested,
        _ => &mut components,
    };
    let mut walk = Walk::new(emptiness);
    let walked = walk.run(product, initial, || Guardian::new(proviso, plan.fault));
    if order == Order::DepthFirst {
        *seen = walk.seen();
    }
    told(walked, product, initial, question, &|node| walk.is_near(node))
}

/// The run behind the end of a walk, if there is one.
fn told(
    walked: ControlFlow<Stop>,
    product: &mut Product<'_, '_>,
    initial: Node,
    question: &Question<'_>,
    is_near: &dyn Fn(Node) -> bool,
) -> (ControlFlow<Stop>, Option<Run>) {
    // A run that was found can still be told when time is over.
    product.exploration.interpreter.set_interrupt(|| false);
    let run = match walked {
        ControlFlow::Break(Stop::Final(node)) => Some(to_final(product, initial, node)),
        ControlFlow::Break(Stop::Cycle(node)) => {
            Some(around(product, initial, node, is_near, question.is_fair))
        }
        ControlFlow::Break(Stop::Halt(_)) | ControlFlow::Continue(()) => None,
    };
    (walked, run)
}
