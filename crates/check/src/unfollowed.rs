//! Values that a search for deadlocks and failures does not follow, since nobody reads them.
//!
//! Invariant: what is found is replayed on the whole model.

use stubborn_ir::{Model, Unread};
use stubborn_reduce::Reduction;
use stubborn_search::Coverage;

use crate::config::Config;
use crate::property::{Property, PropertyKind};
use crate::strategy::{Choice, Strategy};

/// How many variables are named.
const MOST_NAMED: usize = 5;

/// Which values are not followed, and the model without them; none if all are.
pub(crate) struct Unfollowed(Option<(Unread, Model)>);

impl Unfollowed {
    /// Finds out, if it is of use: all states are asked for where there is to be no reduction, and those of nets are
    /// no variables.
    pub(crate) fn of(model: &Model, config: &Config, properties: &[Property]) -> Self {
        let is_safety = |p: &Property| matches!(p.kind, PropertyKind::Deadlock | PropertyKind::Assertion);
        let is_of_use = model.net.is_none()
            && config.reduction != Choice::Named(Reduction::None)
            && properties.iter().any(is_safety);
        let left_out = || {
            let unread = Unread::of(model);
            let rest = unread.left_out_of(model)?;
            Some((unread, rest))
        };
        Unfollowed(is_of_use.then(left_out).flatten())
    }

    /// The model to search.
    pub(crate) fn searched<'m>(&'m self, model: &'m Model) -> &'m Model {
        self.0.as_ref().map_or(model, |(_, rest)| rest)
    }

    /// Says so where it is said how states are left out.
    pub(crate) fn tell(&self, model: &Model, strategy: &mut Strategy) {
        let Some((unread, rest)) = &self.0 else { return };
        let globals = model.globals.iter().filter(|v| unread.contains(None, v.slot)).map(|v| &v.name);
        let locals = model.processes.iter_enumerated().flat_map(|(id, ty)| {
            ty.locals.iter().filter(move |v| unread.contains(Some(id), v.slot)).map(|v| &v.name)
        });
        let mut names: Vec<&str> =
            globals.chain(locals).map(|name| name.split(['[', '.']).next().unwrap_or(name)).collect();
        names.sort_unstable();
        names.dedup();
        let more = if names.len() > MOST_NAMED { " and others" } else { "" };
        names.truncate(MOST_NAMED);
        if !names.is_empty() {
            strategy.why +=
                &format!("; nothing reads {}{more}: those values are not followed", names.join(", "));
        }
        if rest.processes.iter().any(|ty| ty.locations.iter().any(|location| !location.dead.is_empty())) {
            strategy.why += "; what locals hold is forgotten once nothing reads it any more";
        }
    }

    /// What a search saw, without what it did not follow.
    pub(crate) fn seen(&self, model: &Model, mut coverage: Coverage) -> Coverage {
        let Some((unread, _)) = &self.0 else { return coverage };
        for (variable, range) in model.globals.iter().zip(&mut coverage.globals) {
            range.take_if(|_| unread.contains(None, variable.slot));
        }
        for ((id, ty), ranges) in model.processes.iter_enumerated().zip(coverage.locals.iter_mut()) {
            for (variable, range) in ty.locals.iter().zip(ranges) {
                range.take_if(|_| unread.contains(Some(id), variable.slot));
            }
        }
        coverage
    }
}
