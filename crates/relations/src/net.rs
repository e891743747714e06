//! What is known of a transition of a net, over all its bindings.
//!
//! Relations are between firings. Of a transition with many of them some are looked at, evenly apart, and what is told
//! says of how many. Transitions and places are told by their number in the net.

use std::collections::{BTreeMap, BTreeSet};

use smol_str::SmolStr;
use stubborn_base::Span;
use stubborn_ir::{Model, Net, TokenIndex, TokenNeed, TransitionId};

use crate::query::Query;
use crate::relations::{Need, StatementId};
use crate::statement::can_fail_at;
use crate::survey::Survey;

pub use crate::place::{PlaceDescription, describe_place};

/// So many firings of a transition are looked at.
const MAX_FIRINGS: usize = 64;
/// So many pairs of firings are looked at to tell through which places two transitions do not accord.
const MAX_PAIRS: usize = 8;
/// So many bindings, or tokens, are shown.
pub(crate) const MAX_EXAMPLES: usize = 6;

/// All that is known of a transition of a net.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetDescription {
    /// Its number.
    pub transition: u32,
    /// Its name.
    pub name: SmolStr,
    /// Where it is declared.
    pub span: Span,
    /// How many firings there are, which is to say bindings that can matter.
    pub n_firings: usize,
    /// How many of them were looked at.
    pub n_told: usize,
    /// The first of them.
    pub examples: Vec<SmolStr>,
    /// What it takes from, then what inhibits it.
    pub inputs: Vec<NetInput>,
    /// The places it puts to.
    pub outputs: Vec<u32>,
    /// Transitions it may not accord with, itself with another binding among them.
    pub does_not_accord: Vec<NetConflict>,
    /// Some firings of other transitions go first, by their priority.
    pub yields_to: Vec<u32>,
    /// Which are in the set that meets every cycle of markings.
    pub sticky: Share,
    /// The claims whose propositions it may change.
    pub seen_by: Vec<(SmolStr, Share)>,
    /// Which can fail.
    pub can_fail: Share,
}

/// Some of the firings that were looked at.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Share {
    /// How many.
    pub n: usize,
    /// Of how many.
    pub of: usize,
    /// The binding of the first, as `x=1, y=2`; empty without variables.
    pub example: SmolStr,
}

/// A place that tells whether a transition can fire.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetInput {
    /// The place.
    pub place: u32,
    /// Tokens there are in the way.
    pub inhibits: bool,
    /// The transitions one of which fires before there is what is needed.
    pub enabled_by: Vec<u32>,
    /// The transitions one of which fires before it is gone.
    pub disabled_by: Vec<u32>,
}

/// A transition that may not accord.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetConflict {
    /// The transition.
    pub with: u32,
    /// Because of tokens in these places.
    pub places: Vec<u32>,
    /// Of which of the firings that are told of.
    pub share: Share,
}

/// The values of the variables of a firing: `x=1, y=2`.
pub fn binding<'t>(name: &str, firing: &'t str) -> &'t str {
    let rest = firing.strip_prefix(name).unwrap_or(firing);
    rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(rest)
}

impl Survey<'_> {
    /// Whether a firing of a net is in the set that meets every cycle of markings.
    pub fn is_sticky_firing(&self, firing: TransitionId) -> bool {
        self.relations().is_sticky_transition(firing)
    }

    /// What is known of a transition of the model's net, by its number.
    pub fn describe_net(&self, transition: u32) -> Option<NetDescription> {
        let model = self.relations().model();
        let net = model.net.as_ref()?;
        let declared = net.transitions.get(transition as usize)?;
        let n = declared.firings.len();
        let n_told = n.min(MAX_FIRINGS);
        let told: Vec<TransitionId> =
            (0..n_told).map(|i| TransitionId(declared.firings[i * n / n_told])).collect();
        let query = self.query();
        let describe =
            Describe { survey: self, model, net, query: &query, tokens: TokenIndex::new(net), told: &told };
        let text = |firing: &u32| model.transitions[TransitionId(*firing)].origin.text.clone();
        Some(NetDescription {
            transition,
            name: declared.name.clone(),
            span: declared.span,
            n_firings: n,
            n_told,
            examples: declared.firings.iter().take(MAX_EXAMPLES).map(text).collect(),
            inputs: describe.inputs(&declared.arcs),
            outputs: declared.arcs[1].clone(),
            does_not_accord: describe.conflicts(),
            yields_to: describe.yields_to(),
            sticky: describe.share(|&firing| self.is_sticky_firing(firing)),
            seen_by: describe.seen_by(),
            can_fail: describe.share(|&firing| can_fail_at(model, &model.transitions[firing])),
        })
    }
}

struct Describe<'a, 'm> {
    survey: &'a Survey<'m>,
    model: &'m Model,
    net: &'m Net,
    query: &'a Query<'a, 'm>,
    tokens: TokenIndex<'m>,
    /// The firings that are looked at.
    told: &'a [TransitionId],
}

impl Describe<'_, '_> {
    fn id(&self, firing: TransitionId) -> Option<StatementId> {
        self.survey.statements(firing).first().copied()
    }

    /// The transition of the net that a statement is a firing of, and the firing.
    fn decode(&self, statement: StatementId) -> Option<(u32, TransitionId)> {
        if self.survey.relations().created(statement).is_some() {
            return None;
        }
        let (_, firing) = self.survey.relations().decode(statement);
        Some((self.model.transitions[firing].number, firing))
    }

    fn share(&self, is_so: impl Fn(&TransitionId) -> bool) -> Share {
        self.share_of(self.told.iter().filter(|&firing| is_so(firing)).copied())
    }

    fn share_of(&self, mut those: impl Iterator<Item = TransitionId>) -> Share {
        let first = those.next();
        let example = first.map_or_else(SmolStr::default, |firing| {
            let t = &self.model.transitions[firing];
            binding(&self.net.transitions[t.number as usize].name, &t.origin.text).into()
        });
        Share { n: usize::from(first.is_some()) + those.count(), of: self.told.len(), example }
    }

    fn inputs(&self, arcs: &[Vec<u32>; 3]) -> Vec<NetInput> {
        let mut found: BTreeMap<(bool, u32), [BTreeSet<u32>; 2]> = BTreeMap::new();
        for (places, inhibits) in [(&arcs[0], false), (&arcs[2], true)] {
            places.iter().for_each(|&place| drop(found.insert((inhibits, place), Default::default())));
        }
        for &firing in self.told {
            let Some(id) = self.id(firing) else { continue };
            let guards = &self.model.transitions[firing].guards;
            for need in self.query.needs(id) {
                let Need::Guard(at) = need else { continue };
                let Some(asked) = self.tokens.need(self.model, guards[at]) else { continue };
                let key = (matches!(asked, TokenNeed::Fewer(..)), asked.token().place);
                let rows = [
                    self.query.necessary_enabling_set(id, need),
                    self.query.necessary_disabling_set(id, need),
                ];
                // Tokens come to a place and leave it by arcs only.
                let arcs = if key.0 { [0, 1] } else { [1, 0] };
                let changed_by = found.entry(key).or_default();
                for ((changed_by, row), arc) in changed_by.iter_mut().zip(rows).zip(arcs) {
                    let others = row.candidates().filter_map(|id| Some(self.decode(id)?.0));
                    let is_there = |t: &u32| self.net.transitions[*t as usize].arcs[arc].contains(&key.1);
                    changed_by.extend(others.filter(is_there));
                }
            }
        }
        let input = |((inhibits, place), [enabled, disabled]): (_, [BTreeSet<u32>; 2])| NetInput {
            place,
            inhibits,
            enabled_by: enabled.into_iter().collect(),
            disabled_by: disabled.into_iter().collect(),
        };
        found.into_iter().map(input).collect()
    }

    fn conflicts(&self) -> Vec<NetConflict> {
        // By transition: the firings told of that do not accord with it, and pairs to look at.
        type Found = (BTreeSet<TransitionId>, Vec<(TransitionId, TransitionId)>);
        let mut found: BTreeMap<u32, Found> = BTreeMap::new();
        for &firing in self.told {
            let Some(id) = self.id(firing) else { continue };
            for (with, other) in self.query.do_not_accord(id).candidates().filter_map(|id| self.decode(id)) {
                let (firings, pairs) = found.entry(with).or_default();
                firings.insert(firing);
                if pairs.len() < MAX_PAIRS {
                    pairs.push((firing, other));
                }
            }
        }
        let conflict = |(with, (firings, pairs)): (u32, Found)| NetConflict {
            with,
            places: pairs
                .iter()
                .flat_map(|&(a, b)| self.shared(a, b))
                .collect::<BTreeSet<u32>>()
                .into_iter()
                .collect(),
            share: self.share_of(firings.into_iter()),
        };
        found.into_iter().map(conflict).collect()
    }

    /// The places of the tokens that two firings are about, at least one of which needs them.
    fn shared(&self, a: TransitionId, b: TransitionId) -> BTreeSet<u32> {
        let needs = |firing| -> BTreeSet<_> {
            self.tokens.needs(self.model, firing).into_iter().map(TokenNeed::token).collect()
        };
        let puts = |firing| self.tokens.puts(self.model, firing).into_iter().collect::<BTreeSet<_>>();
        let (of_a, of_b) = (needs(a), needs(b));
        let mut both: BTreeSet<u32> = of_a.intersection(&of_b).map(|token| token.place).collect();
        if both.is_empty() {
            both.extend(of_a.intersection(&puts(b)).map(|token| token.place));
            both.extend(of_b.intersection(&puts(a)).map(|token| token.place));
        }
        both
    }

    fn yields_to(&self) -> Vec<u32> {
        let inhibitors = self.told.iter().flat_map(|&firing| &self.model.transitions[firing].inhibitors);
        let first: BTreeSet<u32> = inhibitors.map(|&t| self.model.transitions[t].number).collect();
        first.into_iter().collect()
    }

    fn seen_by(&self) -> Vec<(SmolStr, Share)> {
        let mut all = Vec::new();
        for claim in &self.model.claims {
            let rows: Vec<_> = claim.propositions().iter().map(|p| self.query.visible_to(p)).collect();
            let sees = |firing: &TransitionId| {
                self.id(*firing).is_some_and(|id| rows.iter().any(|row| row.may_contain(id)))
            };
            let share = self.share(sees);
            if share.n > 0 {
                all.push((claim.name.clone(), share));
            }
        }
        all
    }
}
