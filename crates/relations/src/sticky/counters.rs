//! Counters: slots that transitions change by known amounts.
//!
//! `x = x + c` changes `x` by `c` only if it does not wrap: `byte x; do :: x++ od` is a
//! cycle. So an amount is known only where guards leave room for it: those of the
//! statement itself, or of all that lead to it while nobody else can change the variable.
//! An assignment of a constant has a known amount where they leave one value.
//!
//! The sum of a local over processes comes back with every local, as long as processes
//! neither come nor go.
//!
//! Invariant: whenever a transition with a known amount is executed, the slot changes by
//! just that amount; every other write of a counter is listed as unknown.

use hashbrown::{HashMap, HashSet};
use stubborn_base::IndexVec;
use stubborn_ir::{
    BinaryOp, Effect, Expr, GuardId, Model, Place, ProcessTypeId, Region, Transition, TransitionId, UnaryOp,
};

use crate::constants::each_slot;
use crate::ranges::Ranges;
use crate::scope::flipped;

/// The counters of a model, numbered from 0. A local is one counter for all processes of
/// its type: their sum.
pub(super) struct Counters {
    pub(super) n_counters: usize,
    /// By transition: the counters it writes, with the amount, if that is known.
    pub(super) changes: IndexVec<TransitionId, Vec<(usize, Option<i64>)>>,
}

/// A slot, told by its type if it is local.
type Key = (Option<ProcessTypeId>, u32);

/// The least and the greatest value.
type Interval = (i32, i32);

impl Counters {
    pub(super) fn of(model: &Model, singletons: &IndexVec<ProcessTypeId, bool>) -> Self {
        let values = Values::of(model, singletons);
        let mut numbers: HashMap<Key, usize> = HashMap::new();
        let mut known = HashMap::new();
        for (id, t) in model.transitions.iter_enumerated() {
            for effect in &t.effects {
                let (place, amount) = match effect {
                    Effect::Assign(place, value) => (place, values.amount(t, place, value)),
                    Effect::Count { place, by, .. } => (place, Some(i64::from(*by))),
                    _ => continue,
                };
                if let Some(amount) = amount {
                    known.insert((id, key(t.process, place)), amount);
                    if amount != 0 {
                        let next = numbers.len();
                        numbers.entry(key(t.process, place)).or_insert(next);
                    }
                }
            }
        }
        let mut changes = IndexVec::new();
        for (id, t) in model.transitions.iter_enumerated() {
            let mut written = Vec::new();
            each_written(t, &mut |key| {
                if let Some(&counter) = numbers.get(&key) {
                    written.push((counter, known.get(&(id, key)).copied()));
                }
            });
            written.sort_unstable();
            written.dedup();
            changes.push(written);
        }
        Counters { n_counters: numbers.len(), changes }
    }
}

fn key(process: ProcessTypeId, place: &Place) -> Key {
    match place.region {
        Region::Global => (None, place.slot.offset),
        Region::Local => (Some(process), place.slot.offset),
    }
}

/// Calls `found` with every slot that a transition may write, as often as it may.
fn each_written(t: &Transition, found: &mut impl FnMut(Key)) {
    t.for_each_written(&mut |place| {
        each_slot(place, |slot| found(key(t.process, &Place::simple(place.region, slot))));
    });
}

/// What is known of the values of slots.
struct Values<'a> {
    model: &'a Model,
    singletons: &'a IndexVec<ProcessTypeId, bool>,
    /// Globals that processes of more than one type write.
    shared: HashSet<Key>,
    /// Transitions that enter a location.
    entering: HashMap<(ProcessTypeId, u16), Vec<TransitionId>>,
}

impl<'a> Values<'a> {
    fn of(model: &'a Model, singletons: &'a IndexVec<ProcessTypeId, bool>) -> Self {
        let mut writer = HashMap::new();
        let mut shared = HashSet::new();
        let mut entering: HashMap<_, Vec<_>> = HashMap::new();
        for (id, t) in model.transitions.iter_enumerated() {
            if let Some(to) = t.to {
                entering.entry((t.process, to.0)).or_default().push(id);
            }
            each_written(t, &mut |key| {
                if *writer.entry(key).or_insert(t.process) != t.process {
                    shared.insert(key);
                }
            });
        }
        Values { model, singletons, shared, entering }
    }

    /// By how much a transition changes a place to which it assigns a value.
    fn amount(&self, t: &Transition, place: &Place, value: &Expr) -> Option<i64> {
        let assigned = Assigned::of(t, place, value)?;
        let before = self.before(t, place)?;
        match assigned {
            Assigned::Plus(amount) => shifted(before, amount, place).map(|_| amount),
            Assigned::Constant(value) => {
                (before.0 == before.1).then(|| i64::from(value) - i64::from(before.0))
            }
        }
    }

    /// Values that a place may have where a transition is executed; none if it never is.
    fn before(&self, t: &Transition, place: &Place) -> Option<Interval> {
        let is_start = self.model.processes[t.process].start == t.from;
        let entering = self.entering.get(&(t.process, t.from.0));
        let interval = match entering {
            // Nobody else can change it between the statements.
            Some(entering) if !is_start && self.is_private(t.process, place) => {
                let after = entering.iter().filter_map(|&e| self.after(&self.model.transitions[e], place));
                after.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))?
            }
            _ => place.slot.bounds(),
        };
        self.narrowed(interval, &t.guards, place)
    }

    /// Values after a transition, by what it asks and does alone; none if it is never executed.
    fn after(&self, t: &Transition, place: &Place) -> Option<Interval> {
        let asked = self.narrowed(place.slot.bounds(), &t.guards, place)?;
        let mut n_writes = 0;
        each_written(t, &mut |written| n_writes += usize::from(written == key(t.process, place)));
        if n_writes == 0 {
            return Some(asked);
        }
        let assigned = t.effects.iter().find_map(|effect| match effect {
            Effect::Assign(written, value) if written == place => Assigned::of(t, place, value),
            _ => None,
        });
        let after = match assigned {
            Some(Assigned::Plus(amount)) => shifted(asked, amount, place),
            Some(Assigned::Constant(value)) => Some((value, value)),
            None => None,
        };
        Some(after.unwrap_or(place.slot.bounds()))
    }

    /// Whether only one process writes a place that a process of this type sees.
    fn is_private(&self, process: ProcessTypeId, place: &Place) -> bool {
        place.region == Region::Local
            || self.singletons[process] && !self.shared.contains(&key(process, place))
    }

    fn narrowed(&self, interval: Interval, guards: &[GuardId], place: &Place) -> Option<Interval> {
        guards
            .iter()
            .try_fold(interval, |interval, &guard| narrow(interval, &self.model.guards[guard], place))
    }
}

/// What an assignment sets a place to.
enum Assigned {
    /// Its value plus a constant.
    Plus(i64),
    /// A constant, as the place keeps it.
    Constant(i32),
}

impl Assigned {
    /// By the only write of a place in a transition. In a rendezvous the other process
    /// may write it too, after guards were asked; so none where there is a message.
    fn of(t: &Transition, place: &Place, value: &Expr) -> Option<Self> {
        let mut n_writes = 0;
        each_written(t, &mut |written| n_writes += usize::from(written == key(t.process, place)));
        if !place.indices.is_empty() || t.comm.is_some() || n_writes != 1 {
            return None;
        }
        let is_own = |expr: &Expr| matches!(expr, Expr::Load(own) if own == place);
        match value {
            Expr::Const(value) => Some(Assigned::Constant(place.slot.wrap(*value))),
            Expr::Binary(op, operands) => {
                let [left, right] = &**operands;
                match (op, left.as_const(), right.as_const()) {
                    (BinaryOp::Add, None, Some(c)) if is_own(left) => Some(Assigned::Plus(c.into())),
                    (BinaryOp::Add, Some(c), None) if is_own(right) => Some(Assigned::Plus(c.into())),
                    (BinaryOp::Sub, None, Some(c)) if is_own(left) => Some(Assigned::Plus(-i64::from(c))),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// An interval moved by an amount; none if a value would wrap.
fn shifted((least, greatest): Interval, amount: i64, place: &Place) -> Option<Interval> {
    let (min, max) = place.slot.bounds();
    let moved = |value: i32| i32::try_from(i64::from(value) + amount).ok();
    let (least, greatest) = (moved(least)?, moved(greatest)?);
    (min <= least && greatest <= max).then_some((least, greatest))
}

/// The part of an interval for which a guard may be true; none if it cannot be.
fn narrow(interval: Interval, guard: &Expr, place: &Place) -> Option<Interval> {
    if let Expr::Binary(BinaryOp::And, operands) = guard {
        let [left, right] = &**operands;
        return narrow(narrow(interval, left, place)?, right, place);
    }
    match allowed(guard, place) {
        Some(ranges) => ranges.within(interval),
        None => Some(interval),
    }
}

/// The values of a place for which a guard is true, if it asks for nothing else.
fn allowed(guard: &Expr, place: &Place) -> Option<Ranges> {
    let is_own = |expr: &Expr| matches!(expr, Expr::Load(own) if own == place);
    match guard {
        _ if is_own(guard) => Ranges::comparison(BinaryOp::Ne, 0),
        Expr::Unary(UnaryOp::Not, inner) => Some(allowed(inner, place)?.complement()),
        Expr::Binary(op, operands) => {
            let [left, right] = &**operands;
            match (left.as_const(), right.as_const()) {
                (None, Some(bound)) if is_own(left) => Ranges::comparison(*op, bound),
                (Some(bound), None) if is_own(right) => Ranges::comparison(flipped(*op), bound),
                _ => None,
            }
        }
        _ => None,
    }
}
