//! Once it is time to stop, nothing is left out: what statements have to do with each other is not known to its end.

use stubborn_ir::fixture::{Fixture, compare, constant};
use stubborn_ir::{BinaryOp, Expr, Interpreter, Interrupt, Model, SlotType};

use super::*;
use crate::plan::{PROVISOS, TwoPhase};

/// Two processes with so many ways to set variables of their own that to compare them all takes a while.
fn model() -> (Model, Expr) {
    let mut model = Fixture::new();
    let goal = model.global("y", SlotType::Byte);
    for name in ["x", "y"] {
        let own = if name == "y" { goal.clone() } else { model.global(name, SlotType::Byte) };
        let mut p = model.process(name);
        for value in 0..300 {
            p.edge(0, 1, "set")
                .guard(compare(&own, BinaryOp::Lt, value + 1))
                .assign(&own, constant(value % 250));
        }
        let p = p.finish();
        model.activate(p);
    }
    (model.finish(), compare(&goal, BinaryOp::Eq, 249))
}

/// Whether something is left out in the initial state, and whether it was time to stop, if it always is or never.
fn leaves_out(model: &Model, plan: Plan, is_due: bool) -> (bool, bool) {
    let mut interpreter = Interpreter::new(model);
    let state = interpreter.initial().unwrap();
    interpreter.heed(Interrupt::new(move |_| is_due));
    let mut reducer = Reducer::new(model, &state, plan);
    let prepared = interpreter.prepare(&state);
    let is_part = reducer.choose(&interpreter, &state, prepared, Wish::Nothing).is_some();
    let has_only = (0..2).any(|index| reducer.only_step(&interpreter, &state, prepared, index).is_some());
    let are_independent = reducer.are_independent(0, 599);
    (is_part || has_only || are_independent, reducer.is_over())
}

#[test]
fn nothing_is_left_out_once_it_is_time_to_stop() {
    let (model, goal) = model();
    let reductions = [Reduction::Stubborn(Stubborn::BEAM), Reduction::Stubborn(Stubborn::DELETION)];
    let others = [Reduction::Ample, Reduction::TwoPhase(TwoPhase::Dfs2)];
    let mut plans: Vec<Plan> = reductions
        .into_iter()
        .chain(others)
        .flat_map(|reduction| PROVISOS.map(|proviso| Plan::new(reduction, proviso)))
        .collect();
    plans.push(Plan::toward(goal));
    for plan in plans {
        let name = format!("{plan:?}");
        assert_eq!(leaves_out(&model, plan.clone(), true), (false, true), "{name}");
        assert_eq!(leaves_out(&model, plan, false), (true, false), "{name}");
    }
}
