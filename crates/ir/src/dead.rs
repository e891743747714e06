//! Locals that nobody reads any more.
//!
//! A local is *live* at a location if some way from there reads it before it is set again (live variables, as compilers
//! find them; `spin` does the same by default). What it holds elsewhere decides nothing: models that differ only there
//! are bisimilar, and one that sets it to 0 as soon as it is dead has fewer states.
//!
//! Invariants: a local that others look at, or that is part of something indexed, is live everywhere. A value that is
//! computed only for a local that is dead afterwards counts as read only as far as its computation may fail. A local that is
//! never set stays as it is: reduction rests on what is constant in a process.

use std::collections::HashSet;

use stubborn_base::IndexVec;

use crate::expr::{Expr, Pattern, Place, Region};
use crate::model::{
    Comm, Effect, GuardId, LocationId, Model, Piece, ProcessTypeId, Transition, TransitionId,
};
use crate::slot::Slot;

/// Of more locals times locations nothing is forgotten: to find out would take longer than it is worth.
const MOST: usize = 1 << 20;

/// Sets locals to 0 where they die, and notes at locations which are dead; whether there was anything to do.
pub(crate) fn forget_dead(model: &mut Model) -> bool {
    let candidates = candidates(model);
    let mut has_changed = false;
    for (id, slots) in candidates.iter_enumerated() {
        if slots.is_empty() || slots.len() * model.processes[id].locations.len() > MOST {
            continue;
        }
        let live = Live::of(model, id, slots);
        has_changed |= live.apply(model, id);
    }
    has_changed
}

/// By process type, in order: locals that are set, and that only its own processes look at, always as a whole.
fn candidates(model: &Model) -> IndexVec<ProcessTypeId, Vec<Slot>> {
    let mut seen: IndexVec<ProcessTypeId, Seen> =
        model.processes.iter().map(|ty| Seen::new(ty.frame_size)).collect();
    for transition in model.transitions.iter() {
        let process = transition.process;
        let mut look = |expr: &Expr| {
            match expr {
                Expr::Load(place) => seen[process].add(place),
                Expr::Remote(remote, place) => seen[remote.process].exclude(place),
                _ => {}
            }
            false
        };
        transition.guards.iter().for_each(|&guard| _ = model.guards[guard].any(&mut look));
        transition.any_expr(&mut look);
        transition.for_each_written(&mut |place| seen[process].set(place));
    }
    seen.iter().map(Seen::whole).collect()
}

/// Places of a process type's frame.
struct Seen {
    known: HashSet<Slot>,
    /// Those that are set.
    set: HashSet<Slot>,
    /// In the order they were seen.
    slots: Vec<Slot>,
    /// By byte: how many places it belongs to; what is no candidate counts twice.
    owners: Vec<u8>,
}

impl Seen {
    fn new(frame_size: u32) -> Self {
        let owners = vec![0; frame_size as usize];
        Seen { known: HashSet::new(), set: HashSet::new(), slots: Vec::new(), owners }
    }

    fn add(&mut self, place: &Place) {
        match place.region {
            Region::Global => {}
            Region::Local if !place.indices.is_empty() => self.exclude(place),
            Region::Local => {
                if self.known.insert(place.slot) {
                    self.slots.push(place.slot);
                    self.own(place, 1);
                }
            }
        }
    }

    fn set(&mut self, place: &Place) {
        self.add(place);
        if place.region == Region::Local {
            self.set.insert(place.slot);
        }
    }

    fn exclude(&mut self, place: &Place) {
        self.own(place, 2);
    }

    fn own(&mut self, place: &Place, by: u8) {
        for byte in &mut self.owners[place.extent()] {
            *byte = byte.saturating_add(by);
        }
    }

    /// Those that are set, and overlap nothing else.
    fn whole(&self) -> Vec<Slot> {
        let is_whole =
            |slot: &&Slot| self.set.contains(*slot) && self.owners[slot.bytes()].iter().all(|&n| n == 1);
        self.slots.iter().filter(is_whole).copied().collect()
    }
}

/// Which candidates are live where.
struct Live<'a> {
    slots: &'a [Slot],
    /// By location, by candidate.
    at: Vec<Vec<bool>>,
}

impl<'a> Live<'a> {
    /// The least fixed point, from the ends backwards.
    fn of(model: &Model, id: ProcessTypeId, slots: &'a [Slot]) -> Self {
        let process = &model.processes[id];
        let mut sources: Vec<Vec<TransitionId>> = vec![Vec::new(); process.locations.len()];
        for location in &process.locations {
            for transition in location.transition_ids() {
                if let Some(to) = model.transitions[transition].to {
                    sources[to.0 as usize].push(transition);
                }
            }
        }
        let mut live = Live { slots, at: vec![vec![false; slots.len()]; process.locations.len()] };
        // What is live at a location because of its own transitions, then because of where they lead.
        for location in &process.locations {
            for transition in location.transition_ids() {
                live.grow(model, &model.transitions[transition]);
            }
        }
        let mut waiting: Vec<usize> = (0..process.locations.len()).collect();
        let mut waits = vec![true; process.locations.len()];
        while let Some(at) = waiting.pop() {
            waits[at] = false;
            for &transition in &sources[at] {
                let transition = &model.transitions[transition];
                let from = transition.from.0 as usize;
                if live.grow(model, transition) && !waits[from] {
                    waits[from] = true;
                    waiting.push(from);
                }
            }
        }
        live
    }

    /// Adds to what is live where a transition begins; whether there was anything to add.
    fn grow(&mut self, model: &Model, transition: &Transition) -> bool {
        let after =
            transition.to.map_or_else(|| vec![false; self.slots.len()], |to| self.at_location(to).clone());
        let mut point = Point { slots: self.slots, live: after };
        point.before(&model.guards, transition);
        let known = &mut self.at[transition.from.0 as usize];
        let has_grown = known.iter().zip(&point.live).any(|(known, live)| live & !known);
        known.iter_mut().zip(point.live).for_each(|(known, live)| *known |= live);
        has_grown
    }

    fn at_location(&self, location: LocationId) -> &Vec<bool> {
        &self.at[location.0 as usize]
    }

    /// Sets what dies on a transition to 0; whether anything does.
    fn apply(&self, model: &mut Model, id: ProcessTypeId) -> bool {
        let mut has_changed = false;
        for (location, live) in model.processes[id].locations.iter_mut().zip(&self.at) {
            location.dead =
                self.slots.iter().zip(live).filter(|(_, live)| !**live).map(|(slot, _)| *slot).collect();
        }
        for transition in model.transitions.iter_mut().filter(|transition| transition.process == id) {
            let Some(to) = transition.to else { continue };
            let mut touched = self.at_location(transition.from).clone();
            transition.for_each_written(&mut |place| {
                if let Some(at) = candidate(self.slots, place) {
                    touched[at] = true;
                }
            });
            let live_after = self.at_location(to);
            for (at, &slot) in self.slots.iter().enumerate() {
                if live_after[at] || !touched[at] {
                    continue;
                }
                let place = Place::simple(Region::Local, slot);
                let set = Effect::Assign(place, Expr::Const(0));
                if transition.effects.last() != Some(&set) {
                    transition.effects.push(set);
                    has_changed = true;
                }
            }
        }
        has_changed
    }
}

/// Which candidate a place is.
fn candidate(slots: &[Slot], place: &Place) -> Option<usize> {
    let is_whole_local = place.region == Region::Local && place.indices.is_empty();
    slots.iter().position(|slot| is_whole_local && *slot == place.slot)
}

/// What is live at a point inside a transition.
struct Point<'a> {
    slots: &'a [Slot],
    live: Vec<bool>,
}

impl Point<'_> {
    /// From the end of a transition to its beginning.
    fn before(&mut self, guards: &IndexVec<GuardId, Expr>, transition: &Transition) {
        for effect in transition.effects.iter().rev() {
            self.before_effect(effect);
        }
        match &transition.comm {
            None => {}
            Some(Comm::Send(send)) => {
                self.read(&send.chan);
                send.args.iter().for_each(|arg| self.read(arg));
            }
            Some(Comm::Receive(receive)) => {
                let bound = receive.pattern.iter().filter_map(|field| match field {
                    Pattern::Bind(place) => Some(place),
                    Pattern::Match(_) | Pattern::Any => None,
                });
                bound.for_each(|place| self.set(place));
                self.read(&receive.chan);
                for field in &receive.pattern {
                    match field {
                        Pattern::Match(value) => self.read(value),
                        Pattern::Bind(place) => self.read_indices(place),
                        Pattern::Any => {}
                    }
                }
            }
        }
        transition.guards.iter().for_each(|&guard| self.read(&guards[guard]));
    }

    fn before_effect(&mut self, effect: &Effect) {
        match effect {
            Effect::Assign(place, value) => {
                let is_needed = candidate(self.slots, place).is_none_or(|at| self.live[at]);
                self.set(place);
                if is_needed {
                    self.read(value);
                } else {
                    self.read_to_fail(value);
                }
                self.read_indices(place);
            }
            Effect::Evaluate(value) => self.read_to_fail(value),
            Effect::Print(pieces) => {
                pieces.iter().filter_map(Piece::value).for_each(|value| self.read_to_fail(value));
            }
            Effect::Assert(value) => self.read(value),
            Effect::Run(run) => run.args.iter().for_each(|arg| self.read(arg)),
            Effect::SetPriority(pid, priority) => {
                self.read(pid);
                self.read(priority);
            }
            Effect::Count { place, .. } => self.read_indices(place),
            Effect::Undefined(_) | Effect::End => {}
            // A run has ways of its own: whatever it reads is live before it, and nothing is sure to be set.
            Effect::DStep(_) => {
                effect.any_expr(&mut |expr| {
                    self.load(expr);
                    false
                });
            }
        }
    }

    fn set(&mut self, place: &Place) {
        if let Some(at) = candidate(self.slots, place) {
            self.live[at] = false;
        }
    }

    fn load(&mut self, expr: &Expr) {
        if let Expr::Load(place) = expr
            && let Some(at) = candidate(self.slots, place)
        {
            self.live[at] = true;
        }
    }

    fn read(&mut self, value: &Expr) {
        value.any(&mut |part| {
            self.load(part);
            false
        });
    }

    fn read_to_fail(&mut self, value: &Expr) {
        value.for_each_needed_to_fail(&mut |part| self.read(part));
    }

    fn read_indices(&mut self, place: &Place) {
        place.indices.iter().for_each(|index| self.read(&index.value));
    }
}
