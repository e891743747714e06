//! What a model is, apart from where and how it is written: the same after a comment or a line break is added.
//!
//! Two models with the same fingerprint have the same states, transition by transition; two claims with the same
//! fingerprint over such models have the same verdict.

use std::fmt::{self, Write};
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::claim::Claim;
use crate::model::{Location, Model, Origin, ProcessType};

/// Tells models apart, or claims.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Fingerprint(u64);

impl Model {
    /// Of all but the claims.
    pub fn fingerprint(&self) -> Fingerprint {
        // Whoever adds a field has to say here whether it counts.
        let Model {
            processes,
            transitions,
            guards,
            global_size,
            globals,
            channels,
            global_init,
            max_processes,
            initial,
            symbols,
            last_pid,
            claims: _,
            no_dead_state: _,
            uses_priorities,
            uses_timeout,
            receiver_first,
            overflow_fails,
            // What it says is in slots, names of variables and transitions.
            net: _,
        } = self;
        let mut hasher = DefaultHasher::new();
        processes.len().hash(&mut hasher);
        processes.iter().for_each(|ty| hash_process(ty, &mut hasher));
        transitions.len().hash(&mut hasher);
        transitions.iter().for_each(|t| t.hash(&mut hasher));
        guards.len().hash(&mut hasher);
        guards.iter().for_each(|guard| guard.hash(&mut hasher));
        (global_size, globals, channels, global_init).hash(&mut hasher);
        (max_processes, initial, symbols, last_pid, uses_priorities, uses_timeout).hash(&mut hasher);
        (receiver_first, overflow_fails).hash(&mut hasher);
        Fingerprint(hasher.finish())
    }
}

/// Where something is written is no part of what it is.
impl Hash for Origin {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

fn hash_process(ty: &ProcessType, hasher: &mut DefaultHasher) {
    let ProcessType {
        name,
        span: _,
        frame_size,
        params,
        locals,
        channels,
        init,
        n_provided,
        priority,
        locations,
        start,
        is_stationary,
    } = ty;
    (name, frame_size, params, locals, channels, init, n_provided, priority, start, is_stationary)
        .hash(hasher);
    locations.len().hash(hasher);
    for location in locations {
        let Location { transitions, is_end, is_accept, is_progress, labels, number, span: _, calls: _, dead } =
            location;
        (transitions, is_end, is_accept, is_progress, labels, number, dead).hash(hasher);
    }
}

impl Claim {
    /// Of what it says, not of its name.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(&(self.kind, &self.body))
    }
}

impl Fingerprint {
    fn of(what: &dyn fmt::Debug) -> Self {
        let mut digest = Digest(DefaultHasher::new());
        write!(digest, "{what:?}").expect("a hasher takes everything");
        Fingerprint(digest.0.finish())
    }
}

/// A hasher of text.
struct Digest(DefaultHasher);

impl Write for Digest {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.write(text.as_bytes());
        Ok(())
    }
}
