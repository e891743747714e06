//! A naive explorer of high-level nets: multisets, and every binding there could be, straight from the definitions.
//!
//! Deliberately shares nothing with the engine but the description of a net: no grounding, no slots, no index. It tells
//! how many markings, firings and dead markings there are, for small nets.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::Path;

use crate::reductions::NoFiles;
use stubborn_base::IndexVec;
use stubborn_nets::{
    Addend, Arc, Domain, Expression, Net, PlaceId, TransId, Transition, Undefined, Value, VariableId,
};

/// How many of each token of each place.
pub type Marking = BTreeMap<(PlaceId, Value), u32>;

/// What an exploration counts.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Sizes {
    /// Markings.
    pub states: usize,
    /// Firings in all markings, each with its binding.
    pub edges: usize,
    /// Markings in which nothing can fire.
    pub dead: usize,
    /// Firings without a result.
    pub errors: usize,
    /// The most of one token in a place.
    pub in_place: u32,
    /// The most tokens in a marking.
    pub in_marking: u32,
}

/// Visits all markings of the net in a file; none if there are more than `max_states`.
pub fn explore_file(
    path: &Path,
    parameters: &[(String, String)],
    max_states: usize,
) -> Result<Option<Sizes>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let lacking = || format!("{} has errors", path.display());
    if path.extension().is_some_and(|extension| extension == "pnml") {
        let net = stubborn_pnml::read(path, text.into(), &NoFiles, parameters).net.ok_or_else(lacking)?;
        Ok(explore(&net, max_states))
    } else {
        let net = stubborn_helena::read(path, text.into(), &NoFiles, parameters).net.ok_or_else(lacking)?;
        Ok(explore(&net, max_states))
    }
}

/// Visits all markings; none if there are more than `max_states`.
pub fn explore<E: Expression>(net: &Net<E>, max_states: usize) -> Option<Sizes> {
    let mut initial = Marking::new();
    for (place, declared) in net.places.iter_enumerated() {
        for (token, count) in declared.initial.iter().filter(|(_, count)| *count > 0) {
            *initial.entry((place, token.clone())).or_default() += count;
        }
    }
    let mut sizes = Sizes::default();
    let mut seen = BTreeSet::from([initial.clone()]);
    let mut work = VecDeque::from([initial]);
    while let Some(marking) = work.pop_front() {
        sizes.in_place = sizes.in_place.max(marking.values().copied().max().unwrap_or(0));
        sizes.in_marking = sizes.in_marking.max(marking.values().sum());
        let successors = successors(net, &marking);
        sizes.dead += usize::from(successors.is_empty());
        for next in successors {
            match next {
                Ok(next) => {
                    sizes.edges += 1;
                    if seen.insert(next.clone()) {
                        work.push_back(next);
                    }
                }
                Err(_) => sizes.errors += 1,
            }
        }
        if seen.len() > max_states {
            return None;
        }
    }
    sizes.states = seen.len();
    Some(sizes)
}

/// The markings that firings lead to, one for each firing.
pub fn successors<E: Expression>(net: &Net<E>, marking: &Marking) -> Vec<Result<Marking, Undefined>> {
    let mut found = Vec::new();
    for (id, t) in net.transitions.iter_enumerated() {
        for binding in bindings(net, id, marking) {
            if let Some(fired) = fire(net, t, &binding, marking) {
                let priority = t.priority.as_ref().and_then(|e| e.eval(&binding).ok()?.as_int()).unwrap_or(0);
                found.push((priority, fired));
            }
        }
    }
    let highest = found.iter().map(|(priority, _)| *priority).max();
    found.into_iter().filter(|(priority, _)| Some(*priority) == highest).map(|(_, next)| next).collect()
}

/// What a firing leads to; none if it is not possible.
fn fire<E: Expression>(
    net: &Net<E>,
    t: &Transition<E>,
    binding: &[Value],
    marking: &Marking,
) -> Option<Result<Marking, Undefined>> {
    let taken = sum(&t.inputs, binding).ok()?;
    if taken.iter().any(|(token, count)| marking.get(token).copied().unwrap_or(0) < *count) {
        return None;
    }
    for guard in &t.guards {
        match guard.eval(binding) {
            Ok(Value::Int(0)) => return None,
            Ok(_) => {}
            Err(why) => return Some(Err(why)),
        }
    }
    let result = (|| {
        let inhibitors = sum(&t.inhibitors, binding)?;
        if inhibitors.iter().any(|(token, count)| marking.get(token).copied().unwrap_or(0) >= *count) {
            return Ok(None);
        }
        let mut next = marking.clone();
        for (token, count) in taken {
            *next.get_mut(&token).expect("it is there") -= count;
        }
        for (token, count) in sum(&t.outputs, binding)? {
            *next.entry(token).or_default() += count;
        }
        next.retain(|_, count| *count > 0);
        let fits = |((place, _), count): (&(PlaceId, Value), &u32)| {
            net.places[*place].capacity.is_none_or(|capacity| *count <= capacity)
        };
        if next.iter().all(fits) { Ok(Some(next)) } else { Err(Undefined("too many tokens".to_owned())) }
    })();
    result.transpose()
}

/// The tokens of a sum of arcs.
fn sum<E: Expression>(arcs: &[Arc<E>], binding: &[Value]) -> Result<Marking, Undefined> {
    let mut tokens = Marking::new();
    for arc in arcs {
        for addend in &arc.addends {
            match addend {
                Addend::Pattern(pattern) => {
                    let components: Result<Vec<Value>, Undefined> =
                        pattern.components.iter().map(|e| e.eval(binding)).collect();
                    *tokens.entry((arc.place, Value::seq(components?))).or_default() += pattern.count;
                }
                Addend::Multiset(expr) => {
                    for pair in expr.eval(binding)?.as_seq().expect("a multiset is a sequence") {
                        let [token, count] = pair.as_seq().expect("of pairs") else { panic!("of pairs") };
                        let count = count.as_int().expect("of a token and a number");
                        if count > 0 {
                            *tokens.entry((arc.place, token.clone())).or_default() += count as u32;
                        }
                    }
                }
            }
        }
    }
    Ok(tokens)
}

/// Every combination of values that variables can have in a marking.
fn bindings<E: Expression>(net: &Net<E>, id: TransId, marking: &Marking) -> Vec<Vec<Value>> {
    let t = &net.transitions[id];
    let mut partial: Vec<IndexVec<VariableId, Option<Value>>> =
        vec![t.variables.iter().map(|_| None).collect()];
    for variable in order(t) {
        let mut next = Vec::new();
        for bound in partial {
            for value in candidates(t, variable, &bound, marking) {
                let mut bound = bound.clone();
                bound[variable] = Some(value);
                next.push(bound);
            }
        }
        partial = next;
    }
    let complete = |bound: IndexVec<VariableId, Option<Value>>| -> Vec<Value> {
        bound.iter().map(|value| value.clone().expect("all variables are bound")).collect()
    };
    partial.into_iter().map(complete).collect()
}

/// Variables in an order in which each is known from those before it.
fn order<E: Expression>(t: &Transition<E>) -> Vec<VariableId> {
    let mut order: Vec<VariableId> = Vec::new();
    while order.len() < t.variables.len() {
        let is_ready = |v: VariableId| match &t.variables[v].domain {
            Domain::Pattern | Domain::Values(_) => true,
            Domain::Each(expr) | Domain::Let(expr) => {
                let mut ready = true;
                expr.variables(&mut |used| ready &= order.contains(&used));
                ready
            }
        };
        let next = t.variables.indices().find(|v| !order.contains(v) && is_ready(*v));
        order.push(next.expect("variables do not depend on each other in circles"));
    }
    order
}

fn candidates<E: Expression>(
    t: &Transition<E>,
    variable: VariableId,
    bound: &IndexVec<VariableId, Option<Value>>,
    marking: &Marking,
) -> Vec<Value> {
    let values: Vec<Value> = bound.iter().map(|value| value.clone().unwrap_or(Value::Int(0))).collect();
    match &t.variables[variable].domain {
        Domain::Values(values) => values.to_vec(),
        Domain::Let(expr) => expr.eval(&values).into_iter().collect(),
        Domain::Each(expr) => {
            expr.eval(&values).map(|each| each.as_seq().unwrap_or_default().to_vec()).unwrap_or_default()
        }
        Domain::Pattern => {
            let mut found = BTreeSet::new();
            for arc in &t.inputs {
                for addend in &arc.addends {
                    let Addend::Pattern(pattern) = addend else { continue };
                    let is_it = |e: &E| e.as_variable() == Some(variable);
                    let Some(at) = pattern.components.iter().position(is_it) else { continue };
                    let tokens = marking.keys().filter(|(place, _)| *place == arc.place);
                    found.extend(tokens.map(|(_, token)| token.as_seq().expect("a tuple")[at].clone()));
                }
            }
            found.into_iter().collect()
        }
    }
}
