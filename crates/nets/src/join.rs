//! The bindings of a transition for which all patterns of its input arcs find a token.
//!
//! For each transition and each of its patterns there is a plan that begins with a token for that pattern, and goes on
//! with the pattern of which most components are known, by an index over these components. Guards, `let` variables
//! and domains come in as soon as what they need is known.
//!
//! Invariant: asked about the facts one after the other, each combination of facts is found once: with its last one.

use hashbrown::HashMap;
use stubborn_base::{Idx, IndexVec};

use crate::ground::{Binding, Fact, FactId};
use crate::net::{Addend, Domain, Expression, Net, PlaceId, TransId, VariableId};
use crate::value::Value;

/// The facts found so far.
pub(crate) struct Known {
    pub(crate) facts: IndexVec<FactId, Fact>,
    ids: IndexVec<PlaceId, HashMap<Value, FactId>>,
}

impl Known {
    pub(crate) fn new(n_places: usize) -> Self {
        Known { facts: IndexVec::new(), ids: (0..n_places).map(|_| HashMap::new()).collect() }
    }

    /// The fact, new or not.
    pub(crate) fn fact(&mut self, place: PlaceId, token: &Value) -> FactId {
        if let Some(&id) = self.ids[place].get(token) {
            return id;
        }
        let id = self.facts.push(Fact { place, token: token.clone() });
        self.ids[place].insert(token.clone(), id);
        id
    }

    pub(crate) fn find(&self, fact: &Fact) -> Option<FactId> {
        self.ids[fact.place].get(&fact.token).copied()
    }
}

/// Tokens of a place by the values of some components.
struct Index {
    place: PlaceId,
    components: Vec<usize>,
    facts: HashMap<Vec<Value>, Vec<FactId>>,
}

/// One thing to do on the way to a binding.
enum Step {
    /// Take a token for a pattern: the one there is to begin with, or each that an index has.
    Match {
        pattern: usize,
        index: Option<usize>,
        /// Components that give a variable its value.
        binds: Vec<(usize, VariableId)>,
        /// Components that are known only then.
        checks: Vec<usize>,
    },
    /// Compare a component of the token taken for a pattern.
    Compare {
        pattern: usize,
        component: usize,
    },
    /// The guard with that number must hold.
    Guard(usize),
    Let(VariableId),
    Enumerate(VariableId),
}

struct PatternRef<'n, E> {
    place: PlaceId,
    components: &'n [E],
}

struct Plans<'n, E> {
    patterns: Vec<PatternRef<'n, E>>,
    /// By pattern that a token is given for; the last one is for none.
    plans: Vec<Vec<Step>>,
}

/// How the bindings of all transitions are found.
pub(crate) struct Joins<'n, E> {
    net: &'n Net<E>,
    transitions: IndexVec<TransId, Plans<'n, E>>,
    by_place: IndexVec<PlaceId, Vec<(TransId, usize)>>,
    indexes: Vec<Index>,
    /// Combinations looked at.
    pub(crate) work: u64,
}

impl<'n, E: Expression> Joins<'n, E> {
    pub(crate) fn new(net: &'n Net<E>) -> Self {
        let mut joins = Joins {
            net,
            transitions: IndexVec::new(),
            by_place: net.places.iter().map(|_| Vec::new()).collect(),
            indexes: Vec::new(),
            work: 0,
        };
        for (id, transition) in net.transitions.iter_enumerated() {
            let mut patterns = Vec::new();
            for arc in &transition.inputs {
                for addend in &arc.addends {
                    if let Addend::Pattern(pattern) = addend {
                        joins.by_place[arc.place].push((id, patterns.len()));
                        patterns.push(PatternRef { place: arc.place, components: &pattern.components });
                    }
                }
            }
            let plans = (0..=patterns.len()).map(|first| joins.plan(id, &patterns, first)).collect();
            joins.transitions.push(Plans { patterns, plans });
        }
        joins
    }

    /// The patterns that a token of a place may be for.
    pub(crate) fn of_place(&self, place: PlaceId) -> &[(TransId, usize)] {
        &self.by_place[place]
    }

    /// Enters a fact into the indexes.
    pub(crate) fn index(&mut self, known: &Known, fact: FactId) {
        let Fact { place, token } = &known.facts[fact];
        let token = token.as_seq().unwrap_or_default();
        for index in self.indexes.iter_mut().filter(|index| index.place == *place) {
            let key = index.components.iter().map(|&i| token[i].clone()).collect();
            index.facts.entry(key).or_default().push(fact);
        }
    }

    fn plan(&mut self, id: TransId, patterns: &[PatternRef<'n, E>], first: usize) -> Vec<Step> {
        let t = &self.net.transitions[id];
        let mut planner = Planner {
            bound: vec![false; t.variables.len()],
            steps: Vec::new(),
            pending: Vec::new(),
            guards: (0..t.guards.len()).collect(),
            lets: t
                .variables
                .indices()
                .filter(|&v| matches!(t.variables[v].domain, Domain::Let(_)))
                .collect(),
        };
        let mut left: Vec<usize> = (0..patterns.len()).collect();
        if first < patterns.len() {
            planner.take(patterns, first, None);
            left.retain(|&p| p != first);
        } else if !patterns.is_empty() {
            // Found with their tokens.
            return Vec::new();
        }
        planner.settle(self.net, id, patterns);
        while !left.is_empty() {
            let n_known = |&&p: &&usize| {
                let known = planner.known(patterns[p].components);
                (known.len() == patterns[p].components.len(), known.len())
            };
            let best = *left.iter().rev().max_by_key(n_known).expect("not empty");
            left.retain(|&p| p != best);
            let components = planner.known(patterns[best].components);
            let index = self.index_of(patterns[best].place, components);
            planner.take(patterns, best, Some(index));
            planner.settle(self.net, id, patterns);
        }
        // Domains that depend on other variables come after these.
        while let Some(variable) = t.variables.indices().find(|&v| planner.can_enumerate(self.net, id, v)) {
            planner.bound[variable.index()] = true;
            planner.steps.push(Step::Enumerate(variable));
            planner.settle(self.net, id, patterns);
        }
        planner.steps
    }

    fn index_of(&mut self, place: PlaceId, components: Vec<usize>) -> usize {
        let is_it = |index: &Index| index.place == place && index.components == components;
        if let Some(found) = self.indexes.iter().position(is_it) {
            return found;
        }
        self.indexes.push(Index { place, components, facts: HashMap::new() });
        self.indexes.len() - 1
    }

    /// Calls `found` with the bindings for which a fact is taken for a pattern, and facts before it, or also itself for
    /// later patterns, for the others; without one, with the bindings of a transition without patterns.
    pub(crate) fn bindings(
        &mut self,
        known: &Known,
        transition: TransId,
        with: Option<(usize, FactId)>,
        found: &mut dyn FnMut(Binding),
    ) {
        let plans = &self.transitions[transition];
        if with.is_none() && !plans.patterns.is_empty() {
            return;
        }
        let plan = with.map_or(plans.patterns.len(), |(pattern, _)| pattern);
        let mut search = Search {
            joins: self,
            known,
            transition,
            steps: &plans.plans[plan],
            given: with,
            taken: vec![FactId(0); plans.patterns.len()],
            values: vec![Value::Int(0); self.net.transitions[transition].variables.len()],
            lacks_value: false,
            work: 0,
        };
        search.run(0, found);
        let work = search.work;
        self.work += work;
    }
}

struct Planner {
    bound: Vec<bool>,
    steps: Vec<Step>,
    /// Components of patterns that are taken which could not be compared yet.
    pending: Vec<(usize, usize)>,
    guards: Vec<usize>,
    lets: Vec<VariableId>,
}

impl Planner {
    fn is_known<E: Expression>(&self, expr: &E) -> bool {
        let mut known = true;
        expr.variables(&mut |v| known &= self.bound[v.index()]);
        known
    }

    fn known<E: Expression>(&self, components: &[E]) -> Vec<usize> {
        (0..components.len()).filter(|&i| self.is_known(&components[i])).collect()
    }

    fn take<E: Expression>(&mut self, patterns: &[PatternRef<'_, E>], pattern: usize, index: Option<usize>) {
        let components = patterns[pattern].components;
        let known = self.known(components);
        let mut binds = Vec::new();
        let mut rest = Vec::new();
        for (i, component) in components.iter().enumerate() {
            // Without an index, what is known is compared.
            if index.is_some() && known.contains(&i) {
                continue;
            }
            match component.as_variable() {
                Some(v) if !self.bound[v.index()] => {
                    self.bound[v.index()] = true;
                    binds.push((i, v));
                }
                _ => rest.push(i),
            }
        }
        let (checks, later): (Vec<usize>, Vec<usize>) =
            rest.into_iter().partition(|&i| self.is_known(&components[i]));
        self.pending.extend(later.into_iter().map(|i| (pattern, i)));
        self.steps.push(Step::Match { pattern, index, binds, checks });
    }

    /// Whatever can be done with what is known.
    fn settle<E: Expression>(&mut self, net: &Net<E>, id: TransId, patterns: &[PatternRef<'_, E>]) {
        let t = &net.transitions[id];
        loop {
            let is_ready = |&(p, c): &(usize, usize)| self.is_known(&patterns[p].components[c]);
            if let Some(at) = self.pending.iter().position(is_ready) {
                let (pattern, component) = self.pending.remove(at);
                self.steps.push(Step::Compare { pattern, component });
            } else if let Some(at) = self.guards.iter().position(|&g| self.is_known(&t.guards[g])) {
                self.steps.push(Step::Guard(self.guards.remove(at)));
            } else if let Some(at) = self.lets.iter().position(|&v| match &t.variables[v].domain {
                Domain::Let(expr) => self.is_known(expr),
                _ => false,
            }) {
                let variable = self.lets.remove(at);
                self.bound[variable.index()] = true;
                self.steps.push(Step::Let(variable));
            } else {
                return;
            }
        }
    }

    fn can_enumerate<E: Expression>(&self, net: &Net<E>, id: TransId, variable: VariableId) -> bool {
        !self.bound[variable.index()]
            && match &net.transitions[id].variables[variable].domain {
                Domain::Values(_) => true,
                Domain::Each(expr) => self.is_known(expr),
                Domain::Pattern | Domain::Let(_) => false,
            }
    }
}

struct Search<'a, 'n, E> {
    joins: &'a Joins<'n, E>,
    known: &'a Known,
    transition: TransId,
    steps: &'a [Step],
    given: Option<(usize, FactId)>,
    /// By pattern: the fact taken for it.
    taken: Vec<FactId>,
    values: Vec<Value>,
    /// A `let` variable has no value: what is found is looked at again when everything is known.
    lacks_value: bool,
    work: u64,
}

impl<E: Expression> Search<'_, '_, E> {
    fn run(&mut self, at: usize, found: &mut dyn FnMut(Binding)) {
        self.work += 1;
        let t = &self.joins.net.transitions[self.transition];
        let Some(step) = self.steps.get(at) else {
            found(self.values.as_slice().into());
            return;
        };
        match step {
            Step::Match { pattern, index, binds, checks } => {
                let Some(index) = index else {
                    let (_, fact) = self.given.expect("the first pattern has its fact");
                    self.take(at, *pattern, fact, binds, checks, found);
                    return;
                };
                let joins = self.joins;
                let index = &joins.indexes[*index];
                let components = joins.transitions[self.transition].patterns[*pattern].components;
                let key: Result<Vec<Value>, _> =
                    index.components.iter().map(|&i| components[i].eval(&self.values)).collect();
                // An input without a value matches nothing.
                let Ok(key) = key else { return };
                let Some(facts) = index.facts.get(&key) else { return };
                for &fact in facts {
                    let is_new = match self.given {
                        Some((given, last)) => {
                            if *pattern < given {
                                fact < last
                            } else {
                                fact <= last
                            }
                        }
                        None => true,
                    };
                    if is_new {
                        self.take(at, *pattern, fact, binds, checks, found);
                    }
                }
            }
            Step::Compare { pattern, component } => {
                if self.fits(*pattern, *component) {
                    self.run(at + 1, found);
                }
            }
            Step::Guard(guard) => {
                // What has no value is looked at again, in order, when everything is known.
                if self.lacks_value || t.guards[*guard].eval(&self.values) != Ok(Value::Int(0)) {
                    self.run(at + 1, found);
                }
            }
            Step::Let(variable) => {
                let Domain::Let(expr) = &t.variables[*variable].domain else { return };
                let value = expr.eval(&self.values);
                let before = self.lacks_value;
                self.lacks_value |= value.is_err();
                self.values[variable.index()] = value.unwrap_or(Value::Int(0));
                self.run(at + 1, found);
                self.lacks_value = before;
            }
            Step::Enumerate(variable) => {
                let computed;
                let values: &[Value] = match &t.variables[*variable].domain {
                    Domain::Values(values) => values,
                    Domain::Each(expr) => match expr.eval(&self.values) {
                        Ok(value) => {
                            computed = value;
                            computed.as_seq().unwrap_or_default()
                        }
                        Err(_) => return,
                    },
                    Domain::Pattern | Domain::Let(_) => return,
                };
                for value in values {
                    self.values[variable.index()] = value.clone();
                    self.run(at + 1, found);
                }
            }
        }
    }

    fn take(
        &mut self,
        at: usize,
        pattern: usize,
        fact: FactId,
        binds: &[(usize, VariableId)],
        checks: &[usize],
        found: &mut dyn FnMut(Binding),
    ) {
        let known = self.known;
        let token = known.facts[fact].token.as_seq().unwrap_or_default();
        self.taken[pattern] = fact;
        for &(component, variable) in binds {
            self.values[variable.index()] = token[component].clone();
        }
        if checks.iter().all(|&component| self.fits(pattern, component)) {
            self.run(at + 1, found);
        }
    }

    fn fits(&self, pattern: usize, component: usize) -> bool {
        let token = self.known.facts[self.taken[pattern]].token.as_seq().unwrap_or_default();
        let components = self.joins.transitions[self.transition].patterns[pattern].components;
        components[component].eval(&self.values).is_ok_and(|value| value == token[component])
    }
}
