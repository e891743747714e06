//! Text in, model out: reading, grounding and lowering together.
//!
//! Invariant: there is a model if and only if there is no error; its claims are in the order of the property files.

use std::path::Path;
use std::sync::Arc;

use stubborn_base::outline::Outline;
use stubborn_base::{Diagnostic, Loader};
use stubborn_ir::{Loaded, Model};
use stubborn_nets::{Bounds, Limit, Net, ground, lower};

use crate::claims::{Atoms, claims};
use crate::formula::Property;
use crate::outline::outline;
use crate::read::{Files, Read, understand};
use crate::term::Term;

/// Reads a net and the properties beside it. Nothing can be defined beforehand.
pub fn load(path: &Path, text: Arc<str>, loader: &dyn Loader, _defines: &[(String, String)]) -> Loaded {
    model(understand(&mut Files::read(path, text, loader)))
}

/// Reads a net, and what an editor wants to know of its text and of the properties beside it.
pub fn load_with_outline(
    path: &Path,
    text: Arc<str>,
    loader: &dyn Loader,
    _defines: &[(String, String)],
) -> (Loaded, Outline) {
    let mut files = Files::read(path, text, loader);
    let outline = outline(&files);
    (model(understand(&mut files)), outline)
}

fn model(read: Read) -> Loaded {
    let Read { sources, mut diagnostics, net, properties } = read;
    let is_whole = !diagnostics.iter().any(Diagnostic::is_error);
    let model = net.filter(|_| is_whole).and_then(|net| {
        let lowered = lowered(&net, &properties);
        lowered.map_err(|limit| diagnostics.push(too_large(&net, limit))).ok()
    });
    Loaded { sources, diagnostics, model }
}

fn lowered(net: &Net<Term>, properties: &[Property]) -> Result<Model, Limit> {
    let lowered = lower(net, &ground(net, &Bounds::default())?);
    let mut atoms = Atoms {
        count: &mut |place| lowered.count(place, |_| true),
        fireable: &mut |transition| lowered.is_enabled(transition, |_| true),
        n_transitions: net.transitions.len(),
    };
    let claims = claims(properties, &mut atoms).into_claims();
    Ok(Model { claims, ..lowered.model })
}

fn too_large(net: &Net<Term>, limit: Limit) -> Diagnostic {
    let span = match limit {
        Limit::Tokens(place) => net.places[place].span,
        Limit::Firings(transition) | Limit::Work(transition) => net.transitions[transition].span,
    };
    Diagnostic::error("too-large", span, limit.to_string())
}
