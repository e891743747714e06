//! What is known of a place of a net: its proved bound, its tokens, and the transitions around it.

use smol_str::SmolStr;
use stubborn_base::Span;
use stubborn_ir::Net;

use crate::net::MAX_EXAMPLES;

/// All that is known of a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlaceDescription {
    /// Its number.
    pub place: u32,
    /// Its name.
    pub name: SmolStr,
    /// Where it is declared.
    pub span: Span,
    /// It never has more tokens; none if that is not proved.
    pub most: Option<u64>,
    /// Its tokens are all alike.
    pub is_plain: bool,
    /// How many different tokens can be there.
    pub n_tokens: usize,
    /// The first of them.
    pub examples: Vec<SmolStr>,
    /// The transitions that put tokens there, take them, and are inhibited by them.
    pub arcs: [Vec<u32>; 3],
}

/// What is known of a place.
pub fn describe_place(net: &Net, place: u32) -> PlaceDescription {
    let declared = &net.places[place as usize];
    let with = |which: usize| -> Vec<u32> {
        let all = net.transitions.iter().enumerate();
        all.filter(|(_, t)| t.arcs[which].binary_search(&place).is_ok()).map(|(i, _)| i as u32).collect()
    };
    let n_tokens = declared.tokens.len();
    let examples = (0..n_tokens.min(MAX_EXAMPLES)).map(|token| declared.token_name(token as u32));
    PlaceDescription {
        place,
        name: declared.name.clone(),
        span: declared.span,
        most: declared.most,
        is_plain: declared.is_plain(),
        n_tokens,
        examples: examples.collect(),
        arcs: [with(1), with(0), with(2)],
    }
}
