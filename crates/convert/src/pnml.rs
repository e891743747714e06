//! PNML: a place/transition net. Of a net with colours, every token that can ever be somewhere is a place, and every
//! firing a transition.

use std::collections::BTreeMap;
use std::fmt::Write;

use stubborn_ir::marking::{TokenIndex, TokenNeed, TokenRef};
use stubborn_ir::{Effect, Expr, Interpreter, Model, TransitionId};

use crate::Refused;

pub(crate) fn write(model: &Model) -> Result<String, Refused> {
    let net = model.net.as_ref().ok_or_else(|| Refused::new("it is no Petri net"))?;
    let initial = Interpreter::new(model)
        .initial()
        .map_err(|kind| Refused::new(format!("there is no initial marking: {kind}")))?;
    let index = TokenIndex::new(net);
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">\n\
         <net id=\"net\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\">\n<page id=\"page\">\n",
    );
    for (p, place) in net.places.iter().enumerate() {
        for (t, token) in place.tokens.iter().enumerate() {
            let (name, count) = (escaped(&place.token_name(t as u32)), token.kept.count(&initial));
            let _ = write!(text, "<place id=\"p{p}_{t}\"><name><text>{name}</text></name>");
            if count > 0 {
                let _ = write!(text, "<initialMarking><text>{count}</text></initialMarking>");
            }
            text.push_str("</place>\n");
        }
    }
    let mut arcs = String::new();
    let mut n_arcs = 0;
    for (id, t) in model.transitions.iter_enumerated() {
        let name = escaped(&t.origin.text);
        let _ = writeln!(text, "<transition id=\"t{}\"><name><text>{name}</text></name></transition>", id.0);
        let flow = flow(model, &index, id).map_err(|refused| refused.at(t.origin.span))?;
        for (token, (taken, put)) in flow {
            let place = format!("p{}_{}", token.place, token.token);
            for (weight, source, target) in
                [(taken, place.clone(), format!("t{}", id.0)), (put, format!("t{}", id.0), place)]
            {
                if weight > 0 {
                    n_arcs += 1;
                    let _ = writeln!(
                        arcs,
                        "<arc id=\"a{n_arcs}\" source=\"{source}\" target=\"{target}\">\
                         <inscription><text>{weight}</text></inscription></arc>"
                    );
                }
            }
        }
    }
    text.push_str(&arcs);
    text.push_str("</page>\n</net>\n</pnml>\n");
    Ok(text)
}

/// How many tokens a firing takes and puts.
fn flow(
    model: &Model,
    index: &TokenIndex<'_>,
    firing: TransitionId,
) -> Result<BTreeMap<TokenRef, (i32, i32)>, Refused> {
    let t = &model.transitions[firing];
    if !t.inhibitors.is_empty() {
        return Err(Refused::new("place/transition nets have no priorities"));
    }
    let mut flow: BTreeMap<TokenRef, (i32, i32)> = BTreeMap::new();
    let needs = index.needs(model, firing);
    if needs.len() != t.guards.len() {
        return Err(Refused::new("it asks for more than tokens"));
    }
    for need in &needs {
        match *need {
            // What is only looked at is put back.
            TokenNeed::AtLeast(token, count) => {
                let own = flow.entry(token).or_default();
                *own = (own.0 + count, own.1 + count);
            }
            TokenNeed::Fewer(..) => return Err(Refused::new("place/transition nets have no inhibitor arcs")),
        }
    }
    for effect in &t.effects {
        let changes = match effect {
            Effect::Count { place, by, most } => {
                if most.is_some_and(|most| most < place.slot.bounds().1) {
                    return Err(Refused::new("a place has room for only so many tokens"));
                }
                let token = index.find(place.slot.offset, 0);
                vec![(token, *by)]
            }
            Effect::Assign(place, Expr::Const(value)) => {
                let at = place.slot.offset;
                let mut chosen = needs.iter().map(|need| need.token());
                let before = chosen.find(|&token| index.is_kept_in(token, at));
                let after = (*value != 0).then(|| index.find(at, *value));
                let before = before.map(|token| (Some(token), -1));
                before.into_iter().chain(after.map(|token| (token, 1))).collect()
            }
            _ => return Err(Refused::new("it does more than to move tokens")),
        };
        for (token, by) in changes {
            let token = token.ok_or_else(|| Refused::new("it does more than to move tokens"))?;
            flow.entry(token).or_default().1 += by;
        }
    }
    match flow.values().all(|(_, put)| *put >= 0) {
        true => Ok(flow),
        false => Err(Refused::new("it takes tokens that it does not ask for")),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
