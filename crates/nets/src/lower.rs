//! From a grounded net to a model, and propositions about its markings.
//!
//! Tokens that exclude each other ([`groups`]) share a slot whose value says which one is there, and every other token
//! has a slot of its own that counts it. So a firing asks for values of slots, and sets slots or adds to them. Firings
//! that would need two tokens that exclude each other are left out.

use std::sync::Arc;

use hashbrown::HashMap;
use smol_str::{SmolStr, format_smolstr};
use stubborn_base::{Idx, IndexVec};
use stubborn_ir::{
    Activation, BinaryOp, Effect, Expr, GuardId, Kept, Location, LocationId, Model, NetPlace, NetTransition,
    Origin, ProcessType, ProcessTypeId, Region, Slot, SlotType, Token, Transition, TransitionId, Variable,
    amount, balanced,
};

use crate::ground::{FactId, Firing, Grounded};
use crate::groups::{Group, groups};
use crate::net::{Net, PlaceId, TransId};
use crate::value::Value;

/// A model, and what is needed to speak of its markings.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The model, without claims.
    pub model: Model,
    kept: IndexVec<FactId, Kept>,
    tokens: IndexVec<PlaceId, Vec<(Value, FactId)>>,
    /// By transition: its firings that are in the model.
    firings: IndexVec<TransId, Vec<(crate::ground::Binding, TransitionId)>>,
}

/// The most tokens of one kind that a number can be proved to stay below without being kept in four bytes.
const MOST_IN_SHORT: u32 = u16::MAX as u32;

/// Makes a model of a grounded net.
pub fn lower<E>(net: &Net<E>, grounded: &Grounded) -> Lowered {
    let mut lowering = Lowering {
        net,
        grounded,
        model: Model { max_processes: 1, ..Model::default() },
        offset: Model::num_processes_slot().size(),
        kept: grounded.facts.iter().map(|_| Kept::Number(Slot::new(0, &SlotType::Int))).collect(),
        bounds: grounded.facts.iter().map(|_| None).collect(),
        group_of: grounded.facts.iter().map(|_| None).collect(),
        guards: HashMap::new(),
    };
    lowering.place_tokens();
    let firings = lowering.fire_all();
    lowering.finish(firings)
}

struct Lowering<'n, E> {
    net: &'n Net<E>,
    grounded: &'n Grounded,
    model: Model,
    /// Where the next slot goes.
    offset: u32,
    kept: IndexVec<FactId, Kept>,
    /// So many at most, where that is proved.
    bounds: IndexVec<FactId, Option<u32>>,
    /// The number of the group it is in.
    group_of: IndexVec<FactId, Option<usize>>,
    guards: HashMap<(u32, BinaryOpKey, i32), GuardId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum BinaryOpKey {
    Eq,
    Ne,
    Ge,
    Lt,
}

impl<E> Lowering<'_, E> {
    fn name(&self, fact: FactId) -> SmolStr {
        let fact = &self.grounded.facts[fact];
        let place = &self.net.places[fact.place];
        format_smolstr!("{}{}", place.name, (place.notation.0)(&fact.token))
    }

    fn slot(&mut self, ty: &SlotType) -> Slot {
        let slot = Slot::new(self.offset, ty);
        self.offset += ty.size();
        slot
    }

    fn place_tokens(&mut self) {
        let mut all = groups(self.grounded);
        all.sort_by_key(|group| group.facts.iter().map(|&fact| self.order(fact)).min());
        for (group, Group { mut facts, most }) in all.into_iter().enumerate() {
            facts.sort_by_key(|&fact| self.order(fact));
            facts.iter().for_each(|&fact| self.bounds[fact] = Some(most));
            facts.iter().for_each(|&fact| self.group_of[fact] = Some(group));
            if most <= 1 && facts.len() > 1 && self.model.symbols.len() < usize::from(u16::MAX) {
                self.share(&facts);
            }
        }
        let alone = |kept: &Kept| matches!(kept, Kept::Number(slot) if slot.offset == 0);
        for fact in self.grounded.facts.indices().filter(|&fact| alone(&self.kept[fact])).collect::<Vec<_>>()
        {
            let ty = match self.bounds[fact] {
                Some(0..=1) => SlotType::Bit,
                Some(2..=255) => SlotType::Byte,
                Some(256..=MOST_IN_SHORT) => SlotType::Unsigned(16),
                _ => SlotType::Int,
            };
            let slot = self.slot(&ty);
            self.kept[fact] = Kept::Number(slot);
            let name = self.name(fact);
            self.model.globals.push(Variable { name, ty, slot });
        }
    }

    /// So many tokens of all these together at most, where that is proved: of a group no more than its bound.
    fn most_of(&self, facts: &[FactId]) -> Option<u64> {
        let mut groups: Vec<(usize, u32)> =
            facts.iter().map(|&fact| self.group_of[fact].zip(self.bounds[fact])).collect::<Option<_>>()?;
        groups.sort_unstable();
        groups.dedup();
        Some(groups.iter().map(|&(_, most)| u64::from(most)).sum())
    }

    /// Where a fact comes in the order of the text.
    fn order(&self, fact: FactId) -> (PlaceId, &Value) {
        let fact = &self.grounded.facts[fact];
        (fact.place, &fact.token)
    }

    /// One slot for facts that exclude each other.
    fn share(&mut self, facts: &[FactId]) {
        if facts.len() > usize::from(u16::MAX) {
            return;
        }
        let set = self.model.symbols.len() as u16;
        let names: Vec<SmolStr> = facts.iter().map(|&fact| self.name(fact)).collect();
        let ty = SlotType::Token { set, wide: facts.len() > 255 };
        let slot = self.slot(&ty);
        for (i, &fact) in facts.iter().enumerate() {
            self.kept[fact] = Kept::Choice(slot, i as i32 + 1);
        }
        let name = match &*names {
            [first, second] => format_smolstr!("{first}|{second}"),
            [first, .., last] => format_smolstr!("{first}|…|{last}"),
            _ => SmolStr::default(),
        };
        self.model.symbols.push(names);
        self.model.globals.push(Variable { name, ty, slot });
    }

    /// The firings that can happen, those of a higher priority first.
    fn fire_all(&mut self) -> Vec<(usize, TransitionId)> {
        let grounded = self.grounded;
        let mut order: Vec<usize> = (0..grounded.firings.len()).collect();
        order.sort_by_key(|&i| std::cmp::Reverse(grounded.firings[i].priority));
        let mut fired = Vec::new();
        let mut n_higher = 0;
        let mut priority = None;
        for i in order {
            let firing = &grounded.firings[i];
            if priority != Some(firing.priority) {
                priority = Some(firing.priority);
                n_higher = self.model.transitions.len();
            }
            let Some(guards) = self.guards_of(firing) else { continue };
            let effects = self.effects_of(firing);
            let t = &self.net.transitions[firing.transition];
            let inhibitors = (0..n_higher).map(TransitionId::new).collect();
            let id = self.model.transitions.push(Transition {
                process: ProcessTypeId(0),
                from: LocationId(0),
                to: Some(LocationId(0)),
                guards,
                comm: None,
                effects,
                inhibitors,
                atomic: false,
                origin: Origin { span: t.span, text: self.firing_text(firing), calls: Arc::default() },
                number: firing.transition.index() as u32,
            });
            fired.push((i, id));
        }
        fired
    }

    /// `name(x=1, y=2)`
    fn firing_text(&self, firing: &Firing) -> SmolStr {
        let t = &self.net.transitions[firing.transition];
        let values = t.variables.iter().zip(firing.binding.iter());
        let shown: Vec<String> =
            values.map(|(v, value)| format!("{}={}", v.name, (v.notation.0)(value))).collect();
        if shown.is_empty() { t.name.clone() } else { format_smolstr!("{}({})", t.name, shown.join(", ")) }
    }

    fn guard(&mut self, slot: Slot, op: BinaryOpKey, value: i32) -> GuardId {
        let model = &mut self.model;
        *self.guards.entry((slot.offset, op, value)).or_insert_with(|| {
            let op = match op {
                BinaryOpKey::Eq => BinaryOp::Eq,
                BinaryOpKey::Ne => BinaryOp::Ne,
                BinaryOpKey::Ge => BinaryOp::Ge,
                BinaryOpKey::Lt => BinaryOp::Lt,
            };
            model.guards.push(compare(slot, op, value))
        })
    }

    /// What a firing asks for; none if it never happens.
    fn guards_of(&mut self, firing: &Firing) -> Option<Vec<GuardId>> {
        let mut guards = Vec::new();
        let mut chosen: Vec<(u32, i32)> = Vec::new();
        for &(fact, count) in &firing.inputs {
            if self.bounds[fact].is_some_and(|most| most < count) {
                return None;
            }
            let count = i32::try_from(count).ok()?;
            match self.kept[fact] {
                Kept::Number(slot) => guards.push(self.guard(slot, BinaryOpKey::Ge, count)),
                Kept::Choice(slot, value) => {
                    if chosen.iter().any(|&(other, _)| other == slot.offset) {
                        return None;
                    }
                    chosen.push((slot.offset, value));
                    guards.push(self.guard(slot, BinaryOpKey::Eq, value));
                }
            }
        }
        for &(fact, count) in &firing.inhibitors {
            match (self.kept[fact], i32::try_from(count)) {
                (Kept::Number(slot), Ok(count)) => guards.push(self.guard(slot, BinaryOpKey::Lt, count)),
                (Kept::Choice(slot, value), Ok(1)) => {
                    match chosen.iter().find(|(other, _)| *other == slot.offset) {
                        Some(&(_, asked)) if asked == value => return None,
                        Some(_) => {}
                        None => guards.push(self.guard(slot, BinaryOpKey::Ne, value)),
                    }
                }
                // There are never so many.
                _ => {}
            }
        }
        Some(guards)
    }

    fn effects_of(&self, firing: &Firing) -> Vec<Effect> {
        if let Some(why) = &firing.undefined {
            return vec![Effect::Undefined(why.0.as_str().into())];
        }
        let mut changes: Vec<(FactId, i64)> = Vec::new();
        changes.extend(firing.inputs.iter().map(|&(fact, count)| (fact, -i64::from(count))));
        changes.extend(firing.outputs.iter().map(|&(fact, count)| (fact, i64::from(count))));
        changes.sort_by_key(|&(fact, _)| fact);
        let mut effects = Vec::new();
        let mut chosen: Vec<(Slot, i32)> = Vec::new();
        for same in changes.chunk_by(|a, b| a.0 == b.0) {
            let fact = same[0].0;
            let by: i64 = same.iter().map(|&(_, by)| by).sum();
            if by == 0 {
                continue;
            }
            match self.kept[fact] {
                Kept::Number(slot) => {
                    let capacity = self.net.places[self.grounded.facts[fact].place].capacity;
                    let is_proved = self.bounds[fact].is_some_and(|most| capacity.is_none_or(|c| most <= c));
                    let greatest = slot.bounds().1;
                    let most =
                        capacity.and_then(|c| i32::try_from(c).ok()).map_or(greatest, |c| c.min(greatest));
                    let by = by.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32;
                    let most = (!is_proved).then_some(most);
                    effects.push(Effect::Count { place: place(slot), by, most });
                }
                // What is put decides; what is taken leaves nothing if nothing is put.
                Kept::Choice(slot, value) => {
                    let new = if by > 0 { value } else { 0 };
                    match chosen.iter_mut().find(|(other, _)| *other == slot) {
                        Some((_, chosen)) => *chosen = (*chosen).max(new),
                        None => chosen.push((slot, new)),
                    }
                }
            }
        }
        effects
            .extend(chosen.into_iter().map(|(slot, value)| Effect::Assign(place(slot), Expr::Const(value))));
        effects
    }

    fn finish(mut self, fired: Vec<(usize, TransitionId)>) -> Lowered {
        let Lowering { net, grounded, .. } = self;
        for &(fact, count) in &grounded.initial {
            let (slot, value) = match self.kept[fact] {
                Kept::Number(slot) => (slot, count as i32),
                Kept::Choice(slot, value) => (slot, value),
            };
            if count > 0 {
                self.model.global_init.push((place(slot), Expr::Const(value)));
            }
        }
        let mut firings: IndexVec<TransId, Vec<_>> = net.transitions.iter().map(|_| Vec::new()).collect();
        for (i, id) in fired {
            let firing = &grounded.firings[i];
            firings[firing.transition].push((firing.binding.clone(), id));
        }
        let tokens: IndexVec<PlaceId, Vec<(Value, FactId)>> = grounded
            .by_place
            .iter()
            .map(|facts| facts.iter().map(|&fact| (grounded.facts[fact].token.clone(), fact)).collect())
            .collect();
        self.model.net = Some(stubborn_ir::Net {
            places: net
                .places
                .iter_enumerated()
                .map(|(id, declared)| NetPlace {
                    name: declared.name.clone(),
                    span: declared.span,
                    most: self.most_of(&grounded.by_place[id]),
                    tokens: tokens[id]
                        .iter()
                        .map(|(value, fact)| Token {
                            colour: (declared.notation.0)(value).into(),
                            kept: self.kept[*fact],
                        })
                        .collect(),
                })
                .collect(),
            transitions: net
                .transitions
                .iter_enumerated()
                .map(|(id, t)| {
                    let places = |arcs: &[crate::net::Arc<E>]| {
                        let mut places: Vec<u32> = arcs.iter().map(|arc| arc.place.0).collect();
                        places.sort_unstable();
                        places.dedup();
                        places
                    };
                    let mut ids: Vec<u32> = firings[id].iter().map(|(_, firing)| firing.0).collect();
                    ids.sort_unstable();
                    NetTransition {
                        name: t.name.clone(),
                        span: t.span,
                        firings: ids,
                        arcs: [places(&t.inputs), places(&t.outputs), places(&t.inhibitors)],
                    }
                })
                .collect(),
        });
        let location = Location {
            transitions: 0..self.model.transitions.len() as u32,
            is_end: false,
            is_accept: false,
            is_progress: false,
            labels: Vec::new(),
            number: 0,
            span: net.span,
            calls: Arc::default(),
            dead: Vec::new(),
        };
        self.model.processes.push(ProcessType {
            name: net.name.clone(),
            span: net.span,
            frame_size: ProcessType::location_slot().size(),
            params: Vec::new(),
            locals: Vec::new(),
            channels: Vec::new(),
            init: Vec::new(),
            n_provided: 0,
            priority: None,
            locations: vec![location],
            start: LocationId(0),
            is_stationary: true,
        });
        self.model.initial.push(Activation { process: ProcessTypeId(0), priority: 1 });
        self.model.global_size = self.offset;
        Lowered { model: self.model, kept: self.kept, tokens, firings }
    }
}

fn place(slot: Slot) -> stubborn_ir::Place {
    stubborn_ir::Place::simple(Region::Global, slot)
}

fn compare(slot: Slot, op: BinaryOp, value: i32) -> Expr {
    Expr::binary(op, Expr::Load(place(slot)), Expr::Const(value))
}

impl Lowered {
    /// The tokens that may be in a place at some time, in ascending order, each with how many there are.
    pub fn tokens(&self, place: PlaceId) -> impl Iterator<Item = (&Value, Expr)> {
        self.tokens[place].iter().map(|(value, fact)| (value, amount([self.kept[*fact]])))
    }

    /// How many of the tokens of a place that are wanted there are.
    pub fn count(&self, place: PlaceId, mut wanted: impl FnMut(&Value) -> bool) -> Expr {
        let facts = self.tokens[place].iter().filter(|(value, _)| wanted(value));
        amount(facts.map(|(_, fact)| self.kept[*fact]))
    }

    /// The firings of a transition, each with its binding.
    pub fn firings(&self, transition: TransId) -> impl Iterator<Item = (&[Value], TransitionId)> {
        self.firings[transition].iter().map(|(binding, id)| (&**binding, *id))
    }

    /// Whether a firing is possible, priorities apart.
    pub fn is_possible(&self, firing: TransitionId) -> Expr {
        let guards = self.model.transitions[firing].guards.iter();
        let guards = guards.map(|&guard| self.model.guards[guard].clone());
        balanced(BinaryOp::And, guards.collect()).unwrap_or(Expr::Const(1))
    }

    /// Whether one of the firings of a transition that are wanted is possible, priorities apart.
    pub fn is_enabled(&self, transition: TransId, mut wanted: impl FnMut(&[Value]) -> bool) -> Expr {
        let mut firings = Vec::new();
        for (_, id) in self.firings[transition].iter().filter(|(binding, _)| wanted(binding)) {
            firings.push(self.is_possible(*id));
        }
        balanced(BinaryOp::Or, firings).unwrap_or(Expr::Const(0))
    }
}
