//! Which transitions of a location can be enabled at all, by one thing that each of them asks.
//!
//! A net has thousands of transitions at one location, of which few are enabled. Each is entered under one of its
//! guards that asks for a value of a slot, or for more than 0: only those whose slot has such a value are looked at.
//! Their guards are comparisons of slots with constants, so looking at them takes no evaluation of expressions.
//! Invariant: what is found enabled is enabled, and a transition that is enabled is found, or left to be looked at.

use hashbrown::HashMap;

use crate::comparison::{Compared, Comparison};
use crate::expr::Expr;
use crate::model::{Model, ProcessType};
use crate::slot::Slot;

/// A location with fewer transitions is not worth it.
const WORTHWHILE: usize = 16;

/// The transitions of one location by what they ask.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    slots: Vec<Watched>,
    /// Those that ask for nothing of this kind.
    others: Vec<u32>,
    /// The first transition of the location.
    first: u32,
    /// By transition of the location: its guards; none if it has others, or inhibitors.
    guards: Vec<Option<Box<[Comparison]>>>,
}

#[derive(Debug)]
struct Watched {
    slot: Slot,
    /// By value of the slot, as far as any is asked for.
    by_value: Vec<Vec<u32>>,
    /// Where the value is not 0.
    if_positive: Vec<u32>,
}

/// What a guard asks of a slot.
enum Asked {
    Value(i32),
    Positive,
}

impl Watch {
    /// Of the only location of a process that never moves; none of others, whose guards may fail, and if it has few
    /// transitions.
    pub(crate) fn new(model: &Model, process: &ProcessType) -> Option<Self> {
        let location = process.locations.first().filter(|_| process.is_stationary)?;
        if location.transitions.len() < WORTHWHILE {
            return None;
        }
        let asked: Vec<Vec<(Slot, Asked)>> = location
            .transition_ids()
            .map(|t| model.transitions[t].guards.iter().filter_map(|&g| asked(&model.guards[g])).collect())
            .collect();
        let key = |slot: Slot, asked: &Asked| match asked {
            Asked::Value(value) => (slot.offset, Some(*value)),
            Asked::Positive => (slot.offset, None),
        };
        // The rarer what is asked for, the better.
        let mut n_asking: HashMap<(u32, Option<i32>), u32> = HashMap::new();
        for (slot, asked) in asked.iter().flatten() {
            *n_asking.entry(key(*slot, asked)).or_default() += 1;
        }
        let mut watch = Watch { first: location.transitions.start, ..Watch::default() };
        for t in location.transition_ids().map(|t| &model.transitions[t]) {
            let guards = t.guards.iter().map(|&g| Comparison::of(&model.guards[g])).collect::<Option<_>>();
            watch.guards.push(guards.filter(|_| t.inhibitors.is_empty() && t.comm.is_none()));
        }
        for (id, asked) in location.transitions.clone().zip(&asked) {
            match asked.iter().min_by_key(|(slot, asked)| n_asking[&key(*slot, asked)]) {
                Some((slot, asked)) => watch.enter(*slot, asked, id),
                None => watch.others.push(id),
            }
        }
        Some(watch)
    }

    fn enter(&mut self, slot: Slot, asked: &Asked, id: u32) {
        let at = self.slots.iter().position(|w| w.slot == slot).unwrap_or_else(|| {
            self.slots.push(Watched { slot, by_value: Vec::new(), if_positive: Vec::new() });
            self.slots.len() - 1
        });
        let watched = &mut self.slots[at];
        match *asked {
            Asked::Value(value) => {
                let value = value as usize;
                if watched.by_value.len() <= value {
                    watched.by_value.resize_with(value + 1, Vec::new);
                }
                watched.by_value[value].push(id);
            }
            Asked::Positive => watched.if_positive.push(id),
        }
    }

    /// Whether a transition is enabled; none if that is to be looked at.
    #[inline]
    pub(crate) fn is_enabled(&self, state: &[u8], transition: u32) -> Option<bool> {
        let guards = self.guards[(transition - self.first) as usize].as_ref()?;
        Some(guards.iter().all(|guard| guard.holds(state)))
    }

    /// The transitions that may be enabled in `state`, in their order.
    pub(crate) fn candidates(&self, state: &[u8], found: &mut Vec<u32>) {
        found.clear();
        found.extend_from_slice(&self.others);
        for Watched { slot, by_value, if_positive } in &self.slots {
            let value = slot.read(state);
            if value > 0 {
                found.extend_from_slice(if_positive);
            }
            if let Some(these) = usize::try_from(value).ok().and_then(|value| by_value.get(value)) {
                found.extend_from_slice(these);
            }
        }
        found.sort_unstable();
    }
}

/// What a guard asks of a global slot, if it is of one of these forms.
fn asked(guard: &Expr) -> Option<(Slot, Asked)> {
    let Comparison { slot, how, value } = Comparison::of(guard)?;
    match how {
        Compared::Equal if (0..1 << 16).contains(&value) => Some((slot, Asked::Value(value))),
        Compared::AtLeast if value >= 1 => Some((slot, Asked::Positive)),
        _ => None,
    }
}
