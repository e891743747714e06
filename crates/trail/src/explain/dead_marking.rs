//! What a marking lacks in which no transition can fire.

use stubborn_ir::{Model, Net, NetTransition, TokenIndex, TokenNeed, TransitionId};

use super::Obstacle;

/// The transitions nearest to firing are told of.
const MAX_TOLD: usize = 12;

/// For the transitions that lack least, nearest first: the binding that does, and what it lacks.
pub(super) fn obstacles(model: &Model, net: &Net, state: &[u8]) -> Vec<Obstacle> {
    let tokens = TokenIndex::new(net);
    let nearest = |t: &NetTransition| {
        let lacking = t.firings.iter().map(|&firing| TransitionId(firing));
        let lacking = lacking.map(|firing| (tokens.lacking(model, firing, state), firing));
        lacking.min_by_key(|(lacking, firing)| (lacking.len(), *firing))
    };
    let mut all: Vec<(Vec<TokenNeed>, TransitionId)> =
        net.transitions.iter().filter_map(nearest).filter(|(lacking, _)| !lacking.is_empty()).collect();
    all.sort_by_key(|(lacking, firing)| (lacking.len(), model.transitions[*firing].number));
    all.truncate(MAX_TOLD);
    let tell = |(lacking, firing): (Vec<TokenNeed>, TransitionId)| {
        let (origin, number) = (&model.transitions[firing].origin, model.transitions[firing].number);
        let fires = net.transitions.get(number as usize).map(|t| t.name.clone());
        let why: Vec<String> = lacking.into_iter().map(|need| tokens.tell(need)).collect();
        Obstacle { span: origin.span, text: origin.text.clone(), why: why.join(", "), fires }
    };
    all.into_iter().map(tell).collect()
}
