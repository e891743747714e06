//! What may stand in for the reference semantics where it is faster: compiled code.
//!
//! An [`Engine`] finds and takes steps as [`View`](crate::eval) and [`Executor`](crate::step) do, or declines, and is
//! then done without. Invariant: it never has anything to say but what the reference semantics says; whatever is
//! unusual, every error above all, it declines.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;

use crate::eval::RuntimeErrorKind;
use crate::layout::{InstanceId, Layout};
use crate::model::Model;
use crate::step::Step;

/// Steps found, each with its error if its evaluation failed.
pub type Steps = Vec<(Step, Option<RuntimeErrorKind>)>;

/// Finds and takes steps of one model.
pub trait Engine: fmt::Debug + Send {
    /// Instances have been added to the layout since the last time, if there was one.
    fn follow(&mut self, model: &Model, layout: &Layout);

    /// The same for another thread.
    fn fork(&self) -> Box<dyn Engine>;

    /// Appends the steps of the processes with numbers below `below`, last first, up to a process that it declines,
    /// which it returns. Then `below` is that one's number, else 0. The state is as wide as the layout.
    fn find(
        &mut self,
        state: &[u8],
        below: &mut usize,
        timeout: bool,
        found: &mut Steps,
    ) -> Option<InstanceId>;

    /// Appends the steps of one process that exists, unless it declines: then it is false and nothing is appended.
    fn find_of(&mut self, state: &[u8], process: InstanceId, timeout: bool, found: &mut Steps) -> bool;

    /// Takes an enabled step in place, all but that the process which moved last is kept. The state is as wide as
    /// the layout.
    fn take(&mut self, state: &mut [u8], step: &Step) -> Taken;
}

/// What became of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Taken {
    /// It was taken, and no assertion failed.
    Done,
    /// It was not taken, and the state is as it was.
    Declined,
    /// It was not taken, and the state is of no more use.
    Abandoned,
}

/// Makes an engine for a model, as long as it is wanted.
pub type Make = fn(&Model, is_wanted: &dyn Fn() -> bool) -> Option<Box<dyn Engine>>;

/// How an engine is made, and when that pays.
#[derive(Clone, Copy, Debug)]
pub struct Tier {
    /// States whose steps are found without it first...
    pub after: u32,
    /// ... and so many more for each transition of the model, for it takes the longer to make.
    pub per_transition: u32,
    /// The search goes on while it is made, by a thread of its own.
    pub in_background: bool,
    /// Makes it; none if it could do nothing for this model, or on this machine, or if it is said not to be wanted
    /// any more.
    pub make: Make,
}

/// Where those who search a model get their engines.
#[derive(Clone, Debug)]
pub struct Engines {
    tier: Tier,
    shared: Option<(Arc<Model>, Arc<Workshop>)>,
}

impl From<Tier> for Engines {
    /// Every search has its own made.
    fn from(tier: Tier) -> Self {
        Engines { tier, shared: None }
    }
}

impl Engines {
    /// Made once for all searches of this very model; those of another one have their own.
    pub fn shared(tier: Tier, model: Arc<Model>) -> Self {
        Engines { tier, shared: Some((model, Arc::default())) }
    }

    /// For a search that begins.
    pub(crate) fn stage(&self, model: &Model) -> Stage {
        let Tier { after, per_transition, .. } = self.tier;
        let after = after.saturating_add(per_transition.saturating_mul(model.transitions.len() as u32));
        let shared = self.shared.as_ref().filter(|(of, _)| std::ptr::eq(&raw const **of, model));
        let workshop = shared.map(|(_, workshop)| workshop.clone()).unwrap_or_default();
        Stage::Waiting(Tier { after, ..self.tier }, workshop)
    }
}

/// An engine once it is made, and how long until then.
#[derive(Debug, Default)]
pub(crate) enum Stage {
    /// There will be none.
    #[default]
    Never,
    /// After that many states more, at the earliest.
    Waiting(Tier, Arc<Workshop>),
    /// At work; the size of the layout that it follows.
    Working(Box<dyn Engine>, usize),
}

/// Where an engine is made, once for all threads of a search, and for all searches that share it.
#[derive(Debug, Default)]
pub(crate) struct Workshop {
    is_begun: AtomicBool,
    /// What was made, if it could be: forked for everybody.
    made: OnceLock<Option<Mutex<Box<dyn Engine>>>>,
}

impl Workshop {
    /// So many states are looked at before somebody asks again whether the engine is there.
    const PATIENCE: u32 = 32;

    /// Begins, unless somebody has.
    fn begin(self: &Arc<Self>, tier: Tier, model: &Model) {
        if self.is_begun.swap(true, Ordering::Relaxed) {
            return;
        }
        if !tier.in_background {
            self.made.get_or_init(|| (tier.make)(model, &|| true).map(Mutex::new));
            return;
        }
        // Searches that are over, or cancelled, have dropped the workshop.
        let (workshop, model) = (Arc::downgrade(self), model.clone());
        let make = move || {
            let engine = (tier.make)(&model, &|| workshop.strong_count() > 0);
            if let Some(workshop) = workshop.upgrade() {
                workshop.made.get_or_init(|| engine.map(Mutex::new));
            }
        };
        // Where there can be no more threads, the search goes on as it did.
        let _ = thread::Builder::new().name("compile".to_owned()).spawn(make);
    }
}

impl Stage {
    /// One more state is looked at.
    #[inline]
    pub(crate) fn tick(&mut self, model: &Model) {
        if let Stage::Waiting(tier, _) = self {
            match tier.after.checked_sub(1) {
                Some(after) => tier.after = after,
                None => self.look(model),
            }
        }
    }

    #[cold]
    fn look(&mut self, model: &Model) {
        let Stage::Waiting(tier, workshop) = self else { return };
        workshop.begin(*tier, model);
        match workshop.made.get() {
            None => tier.after = Workshop::PATIENCE,
            Some(None) => *self = Stage::Never,
            Some(Some(engine)) => {
                let engine = engine.lock().unwrap_or_else(PoisonError::into_inner).fork();
                *self = Stage::Working(engine, 0);
            }
        }
    }

    /// The same for another thread.
    pub(crate) fn fork(&self) -> Self {
        match self {
            Stage::Never => Stage::Never,
            Stage::Waiting(tier, workshop) => Stage::Waiting(*tier, workshop.clone()),
            Stage::Working(engine, _) => Stage::Working(engine.fork(), 0),
        }
    }

    /// The engine, if it is at work on states as wide as this one.
    #[inline]
    pub(crate) fn at_work(
        &mut self,
        model: &Model,
        layout: &Layout,
        width: usize,
    ) -> Option<&mut dyn Engine> {
        let Stage::Working(engine, size) = self else { return None };
        if *size != layout.size() {
            engine.follow(model, layout);
            *size = layout.size();
        }
        (width >= *size).then_some(&mut **engine)
    }
}
