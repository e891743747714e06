//! What a model is, apart from where and how it is written: the same after a comment or a line break is added.
//!
//! Two models with the same fingerprint have the same states, transition by transition; two claims with the same
//! fingerprint over such models have the same verdict.

use std::fmt::{self, Write};
use std::hash::{DefaultHasher, Hasher};

use smol_str::SmolStr;
use stubborn_base::{FileId, Span};

use crate::claim::Claim;
use crate::model::{Effect, Model, Origin};

/// Tells models apart, or claims.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Fingerprint(u64);

const NOWHERE: Span = Span { file: FileId(0), start: 0, end: 0 };

impl Model {
    /// Of all but the claims.
    pub fn fingerprint(&self) -> Fingerprint {
        let mut bare = self.clone();
        bare.claims.clear();
        for ty in bare.processes.iter_mut() {
            ty.span = NOWHERE;
            for location in &mut ty.locations {
                location.span = NOWHERE;
                location.calls.clear();
            }
        }
        for place in bare.net.iter_mut().flat_map(|net| &mut net.places) {
            place.span = NOWHERE;
        }
        for transition in bare.net.iter_mut().flat_map(|net| &mut net.transitions) {
            transition.span = NOWHERE;
        }
        for t in bare.transitions.iter_mut() {
            erase(&mut t.origin);
            t.effects.iter_mut().for_each(erase_inside);
        }
        Fingerprint::of(&bare)
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

fn erase(origin: &mut Origin) {
    *origin = Origin { span: NOWHERE, text: SmolStr::default(), calls: Vec::new() };
}

fn erase_inside(effect: &mut Effect) {
    if let Effect::DStep(dstep) = effect {
        for alternative in dstep.nodes.iter_mut().flatten() {
            erase(&mut alternative.origin);
            alternative.effects.iter_mut().for_each(erase_inside);
        }
    }
}
