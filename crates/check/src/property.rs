//! What can be asked of a model.

use std::fmt;

use smol_str::SmolStr;
use stubborn_base::Span;
use stubborn_ir::{ClaimKind, Model};

/// Something that holds of a model or not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    /// Its name.
    pub name: SmolStr,
    /// What kind of property it is.
    pub kind: PropertyKind,
    /// Which of the model's claims it is, if it is one.
    pub claim: Option<usize>,
}

/// Kinds of [`Property`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PropertyKind {
    /// Every dead state is a valid end state.
    Deadlock,
    /// No assertion fails and nothing undefined is done.
    Assertion,
    /// A temporal formula.
    Ltl,
    /// A never claim.
    Never,
    /// No run passes an accept location again and again.
    Acceptance,
    /// No run stays away from progress locations for ever.
    NonProgress,
    /// The order of events on channels.
    Trace,
    /// Some state can be reached.
    Reachability,
}

impl fmt::Display for PropertyKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PropertyKind::Deadlock => "deadlock",
            PropertyKind::Assertion => "assertion",
            PropertyKind::Ltl => "ltl",
            PropertyKind::Never => "never",
            PropertyKind::Acceptance => "acceptance",
            PropertyKind::NonProgress => "non-progress",
            PropertyKind::Trace => "trace",
            PropertyKind::Reachability => "reachability",
        })
    }
}

impl Property {
    /// Where it is stated in a model, if it is.
    pub fn span(&self, model: &Model) -> Option<Span> {
        match (self.claim, self.kind) {
            (Some(claim), _) => Some(model.claims[claim].span),
            (None, PropertyKind::Deadlock) => {
                model.no_dead_state.iter().find(|stated| stated.name == self.name).map(|stated| stated.span)
            }
            (None, _) => None,
        }
    }
}

/// What the property that no state is dead is called, unless the author has a name for it.
const DEADLOCK: &str = "deadlock";

/// All properties of a model: those that every model has, then those it states.
pub fn properties(model: &Model) -> Vec<Property> {
    let common = |name: SmolStr, kind| Property { name, kind, claim: None };
    let stated = model.no_dead_state.iter().map(|stated| stated.name.clone());
    let otherwise = model.no_dead_state.is_empty().then(|| DEADLOCK.into());
    let deadlock = stated.chain(otherwise).map(|name| common(name, PropertyKind::Deadlock));
    let common = deadlock.chain([common("assertions".into(), PropertyKind::Assertion)]);
    let stated = model.claims.iter().enumerate().map(|(i, claim)| Property {
        name: claim.name.clone(),
        kind: kind(claim.kind),
        claim: Some(i),
    });
    common.chain(stated).collect()
}

fn kind(claim: ClaimKind) -> PropertyKind {
    match claim {
        ClaimKind::Ltl => PropertyKind::Ltl,
        ClaimKind::Never => PropertyKind::Never,
        ClaimKind::Acceptance => PropertyKind::Acceptance,
        ClaimKind::NonProgress => PropertyKind::NonProgress,
        ClaimKind::Trace => PropertyKind::Trace,
        ClaimKind::Reachability => PropertyKind::Reachability,
    }
}

/// A name that no property of the model has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownProperty {
    /// The name.
    pub name: String,
    /// The names there are.
    pub known: Vec<SmolStr>,
}

impl fmt::Display for UnknownProperty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the model has no property `{}`, it has: {}", self.name, self.known.join(", "))
    }
}

impl std::error::Error for UnknownProperty {}

/// The properties with these names, or all if there are none, in the model's order. `deadlock` is always known.
pub fn select(model: &Model, names: &[String]) -> Result<Vec<Property>, UnknownProperty> {
    let mut all = properties(model);
    let is_called = |p: &Property, name: &String| {
        p.name == *name || (p.kind == PropertyKind::Deadlock && name == DEADLOCK)
    };
    if let Some(name) = names.iter().find(|&name| !all.iter().any(|p| is_called(p, name))) {
        return Err(UnknownProperty { name: name.clone(), known: all.into_iter().map(|p| p.name).collect() });
    }
    all.retain(|p| names.is_empty() || names.iter().any(|name| is_called(p, name)));
    Ok(all)
}
