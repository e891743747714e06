//! The values of all variables along a trail.

use hashbrown::{HashMap, HashSet};
use smol_str::SmolStr;
use stubborn_ir::{Model, Value, Valued};

use crate::machine::Machine;
use crate::replay::ReplayError;
use crate::trail::Trail;

/// What all variables are at the start, and what becomes of them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Valuation {
    /// Before the first step, in order.
    pub initial: Vec<(SmolStr, Value)>,
    /// By step: variables that appear or change, with their new values, and those that go, with none.
    pub updates: Vec<Vec<(SmolStr, Option<Value>)>>,
}

/// Makes the moves of a trail again and takes down all values.
pub fn valuation(model: &Model, trail: &Trail) -> Result<Valuation, ReplayError> {
    let mut machine = match Machine::start(model) {
        Ok(machine) => machine,
        Err(_) if trail.steps.is_empty() => return Ok(Valuation::default()),
        Err(kind) => return Err(ReplayError::NoInitialState(kind)),
    };
    let mut now = values(&machine);
    let mut valuation = Valuation { initial: pairs(&now), updates: Vec::new() };
    for (at, step) in trail.steps.iter().enumerate() {
        let made = step.made;
        let found = machine.find(made).ok_or(ReplayError::NotEnabled { step: at, made })?;
        machine.take(found);
        let next = values(&machine);
        valuation.updates.push(updates(&now, &next));
        now = next;
    }
    Ok(valuation)
}

/// The values of a state; of a net, what is in each place.
fn values(machine: &Machine<'_>) -> Vec<Valued> {
    if let Some(net) = &machine.interpreter.model().net {
        let marking = net.marking(&machine.at.state);
        let places = net.places.iter().zip(&marking.0).enumerate();
        let valued = places.map(|(i, (place, tokens))| Valued {
            name: place.name.clone(),
            value: Value::Text(place.show(tokens).into()),
            bytes: i..i + 1,
        });
        return valued.collect();
    }
    machine.interpreter.layout().values(machine.interpreter.model(), &machine.at.state)
}

fn pairs(values: &[Valued]) -> Vec<(SmolStr, Value)> {
    values.iter().map(|valued| (valued.name.clone(), valued.value.clone())).collect()
}

fn updates(before: &[Valued], after: &[Valued]) -> Vec<(SmolStr, Option<Value>)> {
    let old: HashMap<usize, &Valued> = before.iter().map(|valued| (valued.bytes.start, valued)).collect();
    let new: HashSet<usize> = after.iter().map(|valued| valued.bytes.start).collect();
    let gone = before.iter().filter(|valued| !new.contains(&valued.bytes.start));
    let gone = gone.map(|valued| (valued.name.clone(), None));
    let is_new = |valued: &&Valued| old.get(&valued.bytes.start).is_none_or(|old| old.value != valued.value);
    let set = after.iter().filter(is_new).map(|valued| (valued.name.clone(), Some(valued.value.clone())));
    gone.chain(set).collect()
}
