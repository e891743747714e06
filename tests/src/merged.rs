//! How long a trail is for SPIN, which takes statements in a row for one where nobody can tell the difference.
//!
//! Which statements it merges is read off the transitions that its verifier lists: each says in which state the
//! process is afterwards, and what the process does on the way there is not counted. Both parties of a rendezvous
//! count, and so does a claim, which moves before every step that is not inside an atomic sequence.
//!
//! SPIN 6.5.2 begins a step after each `run`. That SPIN once did not is inferred: with it, the published lengths for
//! the leader election are those that are found, for each number of processes.

use std::collections::BTreeMap;
use std::time::Duration;

use stubborn_ir::{Effect, Model, Pid, Transition, TransitionId};
use stubborn_trail::Trail;

use crate::shallowest::said;

/// Where a process is after a statement and what is merged into it, by the statement's number.
pub struct Merging(BTreeMap<u32, i32>);

/// A number of steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Merged {
    /// As SPIN 6.5.2 merges statements.
    pub now: usize,
    /// With what comes after a `run` merged into it.
    pub once: usize,
}

impl Merging {
    /// Asks SPIN about a model; none if it does not answer in time.
    pub fn of(text: &str, limit: Duration) -> Option<Merging> {
        let listed = said(text, &[], &["-O0"], &["-d"], limit)?;
        // `state A -(tr N)-> state B  [id I tp ...`
        let read = |line: &str| {
            let (_, rest) = line.split_once(")-> state ")?;
            let mut words = rest.split_whitespace();
            let to = words.next()?.parse().ok()?;
            let statement = words.find(|word| !matches!(*word, "[id" | "["))?.parse().ok()?;
            Some((statement, to))
        };
        Some(Merging(listed.lines().filter_map(read).collect()))
    }

    /// How many steps a trail is, a claim's included if there is one; what does not fit otherwise.
    pub fn length(&self, model: &Model, trail: &Trail, has_claim: bool) -> Result<Merged, String> {
        let mut merged = Merged { now: 0, once: 0 };
        let mut on_the_way: BTreeMap<Pid, Way> = BTreeMap::new();
        let mut is_atomic = false;
        for step in &trail.steps {
            let parties = [Some((step.made.pid, step.made.transition)), step.made.partner];
            for (i, (pid, id)) in parties.into_iter().flatten().enumerate() {
                let way = on_the_way.remove(&pid).unwrap_or_default();
                let (counts, next) = self.follow(model, way, id)?;
                merged.now += usize::from(counts != Counts::Never);
                merged.once += usize::from(counts == Counts::Always);
                if has_claim && i == 0 && counts == Counts::Always && !is_atomic {
                    merged.now += 1;
                    merged.once += 1;
                }
                on_the_way.insert(pid, next);
                is_atomic = model.transitions[id].atomic;
            }
        }
        Ok(merged)
    }

    fn follow(&self, model: &Model, way: Way, id: TransitionId) -> Result<(Counts, Way), String> {
        let transition = &model.transitions[id];
        let location = model.source_of(id);
        let is_alone = location.transitions.len() == 1;
        if way.to.is_some_and(|to| to != location.number) {
            let why =
                || format!("`{}` is said to be merged, but it has alternatives", transition.origin.text);
            return if is_alone { Ok((Counts::Never, way)) } else { Err(why()) };
        }
        let unknown = || format!("SPIN knows nothing of `{}`", transition.origin.text);
        let to = *self.0.get(&transition.number).ok_or_else(unknown)?;
        let has_run = transition.atomic && transition.any_effect(|effect| matches!(effect, Effect::Run(_)));
        let counts = match way.has_run && is_alone && never_waits(transition) {
            true => Counts::Now,
            false => Counts::Always,
        };
        Ok((counts, Way { to: Some(to), has_run }))
    }
}

/// What a process is about.
#[derive(Clone, Copy, Default)]
struct Way {
    /// Where it will be after what is merged.
    to: Option<i32>,
    /// It has created a process in an atomic sequence.
    has_run: bool,
}

/// When a statement counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Counts {
    Never,
    /// Unless it comes after `run`.
    Now,
    Always,
}

fn never_waits(transition: &Transition) -> bool {
    let sets = |effect: &Effect| matches!(effect, Effect::Assign(..) | Effect::Print(_));
    transition.guards.is_empty()
        && transition.comm.is_none()
        && transition.inhibitors.is_empty()
        && !transition.effects.is_empty()
        && transition.effects.iter().all(sets)
}
