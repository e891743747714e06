//! Grounding: the tokens and firings that can ever matter, by relaxed reachability.
//!
//! As planners ground actions (Helmert, "Concise finite-domain representations for PDDL planning tasks", §6): a token
//! that was once there is taken to stay, so a firing is possible as soon as each of its tokens was there at some time.
//! What is found is a superset of what happens. Firings are found by joining tokens with patterns, each combination
//! once: when its last token is found (semi-naive evaluation).
//!
//! Invariant: every firing that is possible in a reachable marking is among [`Grounded::firings`], and every token of
//! such a marking among [`Grounded::facts`].

use std::fmt;

use hashbrown::HashMap;
use stubborn_base::{Idx, IndexVec, define_index};

use crate::join::{Joins, Known};
use crate::net::{Addend, Arc, Domain, Expression, Net, PlaceId, TransId, Undefined};
use crate::value::Value;

define_index! {
    /// A token of a place that may be there at some time.
    pub struct FactId;
}

/// Values of the variables of a transition, in their order.
pub type Binding = std::sync::Arc<[Value]>;

/// A token that may be in a place at some time.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Fact {
    /// The place.
    pub place: PlaceId,
    /// The token.
    pub token: Value,
}

/// A transition with values of its variables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Firing {
    /// The transition.
    pub transition: TransId,
    /// The values of its variables.
    pub binding: Binding,
    /// What it takes; each fact once, in order.
    pub inputs: Vec<(FactId, u32)>,
    /// What it puts; each fact once, in order.
    pub outputs: Vec<(FactId, u32)>,
    /// So many must not be there.
    pub inhibitors: Vec<(FactId, u32)>,
    /// Firings of a higher priority go first.
    pub priority: i64,
    /// Why it has no result, if so.
    pub undefined: Option<Undefined>,
}

/// A net without variables.
#[derive(Clone, Debug, Default)]
pub struct Grounded {
    /// Tokens, in the order they were found.
    pub facts: IndexVec<FactId, Fact>,
    /// By place: its tokens, in ascending order of values.
    pub by_place: IndexVec<PlaceId, Vec<FactId>>,
    /// The initial marking.
    pub initial: Vec<(FactId, u32)>,
    /// Firings, by transition and binding in ascending order.
    pub firings: Vec<Firing>,
}

/// More than this is not grounded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Tokens.
    pub facts: usize,
    /// Firings.
    pub firings: usize,
    /// Combinations of tokens and values that are looked at.
    pub work: u64,
}

impl Default for Bounds {
    /// What takes a few seconds.
    fn default() -> Self {
        Bounds { facts: 1 << 18, firings: 1 << 18, work: 1 << 24 }
    }
}

/// Why a net was not grounded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// Too many tokens; most are in this place.
    Tokens(PlaceId),
    /// Too many firings; most are of this transition.
    Firings(TransId),
    /// Too many combinations to look at, for this transition.
    Work(TransId),
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Limit::Tokens(_) => "too many different tokens could come here",
            Limit::Firings(_) => "this transition could fire in too many ways",
            Limit::Work(_) => "it takes too long to find the ways in which this transition could fire",
        })
    }
}

/// Finds the tokens and firings of a net.
pub fn ground<E: Expression>(net: &Net<E>, bounds: &Bounds) -> Result<Grounded, Limit> {
    let mut grounding = Grounding {
        net,
        bounds,
        known: Known::new(net.places.len()),
        firings: Vec::new(),
        found: HashMap::new(),
        waiting: HashMap::new(),
        next: 0,
    };
    let mut initial = Vec::new();
    for (place, declared) in net.places.iter_enumerated() {
        for (token, count) in &declared.initial {
            initial.push((grounding.fact(place, token)?, *count));
        }
    }
    let mut joins = Joins::new(net);
    for transition in net.transitions.indices() {
        grounding.join(&mut joins, transition, None)?;
    }
    while grounding.next < grounding.known.facts.len() {
        let fact = FactId::new(grounding.next);
        grounding.next += 1;
        joins.index(&grounding.known, fact);
        let place = grounding.known.facts[fact].place;
        for i in 0..joins.of_place(place).len() {
            let (transition, pattern) = joins.of_place(place)[i];
            grounding.join(&mut joins, transition, Some((pattern, fact)))?;
        }
        let key = grounding.known.facts[fact].clone();
        for (transition, binding) in grounding.waiting.remove(&key).unwrap_or_default() {
            grounding.fire(transition, binding)?;
        }
    }
    Ok(grounding.finish(initial))
}

struct Grounding<'n, E> {
    net: &'n Net<E>,
    bounds: &'n Bounds,
    known: Known,
    /// With what inhibits each: what cannot come there does not, and whether it can is known at the end.
    firings: Vec<(Firing, Vec<(Fact, u32)>)>,
    /// How many firings there are of each transition.
    found: HashMap<TransId, usize>,
    /// Bindings that lack a token which was not found yet.
    waiting: HashMap<Fact, Vec<(TransId, Binding)>>,
    /// The first fact that was not joined yet.
    next: usize,
}

impl<E: Expression> Grounding<'_, E> {
    /// The fact, new or not.
    fn fact(&mut self, place: PlaceId, token: &Value) -> Result<FactId, Limit> {
        let id = self.known.fact(place, token);
        if self.known.facts.len() > self.bounds.facts {
            let n_tokens = |&place: &PlaceId| self.known.facts.iter().filter(|f| f.place == place).count();
            return Err(Limit::Tokens(self.net.places.indices().max_by_key(n_tokens).unwrap_or(place)));
        }
        Ok(id)
    }

    fn join(
        &mut self,
        joins: &mut Joins<'_, E>,
        transition: TransId,
        with: Option<(usize, FactId)>,
    ) -> Result<(), Limit> {
        let mut bindings = Vec::new();
        joins.bindings(&self.known, transition, with, &mut |binding| bindings.push(binding));
        if joins.work > self.bounds.work {
            return Err(Limit::Work(transition));
        }
        bindings.into_iter().try_for_each(|binding| self.fire(transition, binding))
    }

    /// Adds a firing, unless one of its tokens was not found yet.
    fn fire(&mut self, transition: TransId, binding: Binding) -> Result<(), Limit> {
        let t = &self.net.transitions[transition];
        let lets = t.variables.iter().filter_map(|v| match &v.domain {
            Domain::Let(expr) => expr.eval(&binding).err(),
            _ => None,
        });
        let mut undefined = lets.into_iter().next();
        for guard in t.guards.iter().take_while(|_| undefined.is_none()) {
            match guard.eval(&binding) {
                Ok(Value::Int(0)) => return Ok(()),
                Ok(_) => {}
                Err(why) => {
                    undefined = Some(why);
                    break;
                }
            }
        }
        let Ok(wanted) = multiset(&t.inputs, &binding) else { return Ok(()) };
        let missing =
            wanted.iter().find(|(fact, _)| self.known.find(fact).is_none_or(|id| id.index() >= self.next));
        if let Some((missing, _)) = missing {
            self.waiting.entry(missing.clone()).or_default().push((transition, binding));
            return Ok(());
        }
        let inputs = self.facts(wanted)?;
        let mut outputs = Vec::new();
        let mut inhibited = Vec::new();
        let mut priority = 0;
        if undefined.is_none() {
            let result = (|| {
                inhibited = multiset(&t.inhibitors, &binding)?;
                if let Some(expr) = &t.priority {
                    priority = expr.eval(&binding)?.as_int().unwrap_or(0);
                }
                multiset(&t.outputs, &binding)
            })();
            match result {
                Ok(put) => outputs = self.facts(put)?,
                Err(why) => undefined = Some(why),
            }
        }
        let inhibitors = Vec::new();
        let firing = Firing { transition, binding, inputs, outputs, inhibitors, priority, undefined };
        self.firings.push((firing, inhibited));
        *self.found.entry(transition).or_default() += 1;
        if self.firings.len() > self.bounds.firings {
            let n_firings = |t: &TransId| self.found.get(t).copied().unwrap_or(0);
            return Err(Limit::Firings(
                self.net.transitions.indices().max_by_key(n_firings).unwrap_or(transition),
            ));
        }
        Ok(())
    }

    fn facts(&mut self, tokens: Vec<(Fact, u32)>) -> Result<Vec<(FactId, u32)>, Limit> {
        tokens.into_iter().map(|(fact, count)| Ok((self.fact(fact.place, &fact.token)?, count))).collect()
    }

    fn finish(mut self, initial: Vec<(FactId, u32)>) -> Grounded {
        self.firings.sort_by(|(a, _), (b, _)| (a.transition, &a.binding).cmp(&(b.transition, &b.binding)));
        let mut firings = Vec::with_capacity(self.firings.len());
        for (mut firing, inhibited) in self.firings {
            let known = inhibited.iter().filter_map(|(fact, count)| Some((self.known.find(fact)?, *count)));
            firing.inhibitors = known.collect();
            firings.push(firing);
        }
        let facts = self.known.facts;
        let mut by_place: IndexVec<PlaceId, Vec<FactId>> =
            self.net.places.iter().map(|_| Vec::new()).collect();
        for (id, fact) in facts.iter_enumerated() {
            by_place[fact.place].push(id);
        }
        for tokens in by_place.iter_mut() {
            tokens.sort_by(|&a, &b| facts[a].token.cmp(&facts[b].token));
        }
        Grounded { facts, by_place, initial, firings }
    }
}

/// The tokens that arcs speak of; each once, in order.
fn multiset<E: Expression>(arcs: &[Arc<E>], binding: &[Value]) -> Result<Vec<(Fact, u32)>, Undefined> {
    let mut tokens: Vec<(Fact, u32)> = Vec::new();
    for arc in arcs {
        for addend in &arc.addends {
            match addend {
                Addend::Pattern(pattern) => {
                    let components: Result<Vec<Value>, Undefined> =
                        pattern.components.iter().map(|e| e.eval(binding)).collect();
                    let token = Value::seq(components?);
                    tokens.push((Fact { place: arc.place, token }, pattern.count));
                }
                Addend::Multiset(expr) => {
                    let pairs = expr.eval(binding)?;
                    for pair in pairs.as_seq().unwrap_or_default() {
                        let [token, Value::Int(count)] = pair.as_seq().unwrap_or_default() else { continue };
                        let count =
                            u32::try_from(*count).map_err(|_| Undefined("too many tokens".to_owned()))?;
                        if count > 0 {
                            tokens.push((Fact { place: arc.place, token: token.clone() }, count));
                        }
                    }
                }
            }
        }
    }
    tokens.sort_by(|a, b| (a.0.place, &a.0.token).cmp(&(b.0.place, &b.0.token)));
    let mut merged: Vec<(Fact, u32)> = Vec::with_capacity(tokens.len());
    for (fact, count) in tokens {
        match merged.last_mut() {
            Some((last, total)) if *last == fact => {
                *total = total.checked_add(count).ok_or_else(|| Undefined("too many tokens".to_owned()))?;
            }
            _ => merged.push((fact, count)),
        }
    }
    Ok(merged)
}
