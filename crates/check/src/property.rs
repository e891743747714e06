//! What can be asked of a model.

use std::fmt;

use smol_str::SmolStr;
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

/// All properties of a model: those that every model has, then those it states.
pub fn properties(model: &Model) -> Vec<Property> {
    let common = [("deadlock", PropertyKind::Deadlock), ("assertions", PropertyKind::Assertion)];
    let common = common.into_iter().map(|(name, kind)| Property { name: name.into(), kind, claim: None });
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

/// The properties with these names, or all if there are none, in the model's order.
pub fn select(model: &Model, names: &[String]) -> Result<Vec<Property>, UnknownProperty> {
    let mut all = properties(model);
    if let Some(name) = names.iter().find(|&name| all.iter().all(|p| p.name != *name)) {
        return Err(UnknownProperty { name: name.clone(), known: all.into_iter().map(|p| p.name).collect() });
    }
    all.retain(|p| names.is_empty() || names.iter().any(|name| p.name == *name));
    Ok(all)
}
