//! What properties of nets speak of, by chance: how many tokens are in places, and whether a transition can fire.

use stubborn_ir::{BinaryOp, Expr, Model, Net, TransitionId, balanced};

use crate::generate::Random;

/// A proposition about the markings of a net, which is that of the model.
pub fn proposition(model: &Model, net: &Net, random: &mut Random) -> Expr {
    let guards = |firing: TransitionId| -> Vec<Expr> {
        model.transitions[firing].guards.iter().map(|&guard| model.guards[guard].clone()).collect()
    };
    let place = |random: &mut Random| net.places[random.below(net.places.len())].amount();
    let compared = |op: BinaryOp, left: Expr, right: Expr| Expr::binary(op, left, right);
    match random.below(4) {
        0 if !net.transitions.is_empty() => {
            let t = &net.transitions[random.below(net.transitions.len())];
            let all = |&firing: &u32| {
                balanced(BinaryOp::And, guards(TransitionId(firing))).unwrap_or(Expr::Const(1))
            };
            balanced(BinaryOp::Or, t.firings.iter().map(all).collect()).unwrap_or(Expr::Const(0))
        }
        1 => {
            let (left, right) = (place(random), place(random));
            compared(BinaryOp::Le, left, right)
        }
        2 => {
            let (left, right) = (place(random), place(random));
            let sum = compared(BinaryOp::Add, left, right);
            compared(BinaryOp::Ge, sum, Expr::Const(1 + random.below(3) as i32))
        }
        _ => {
            let op = [BinaryOp::Eq, BinaryOp::Ge, BinaryOp::Lt, BinaryOp::Le][random.below(4)];
            let left = place(random);
            compared(op, left, Expr::Const(random.below(3) as i32))
        }
    }
}
