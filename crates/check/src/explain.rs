//! Why a property is violated.

use stubborn_ir::{Interpreter, Marking, Model};
use stubborn_trail::{Explanation, ReplayError, Trail};

use crate::property::Property;

/// The marking that a net begins with.
pub fn initial_marking(model: &Model) -> Option<Marking> {
    let initial = Interpreter::new(model).initial().ok()?;
    Some(model.net.as_ref()?.marking(&initial))
}

/// What each step of a trail rests on, and which of them the violation of the property rests on.
pub fn explain(model: &Model, property: &Property, trail: &Trail) -> Result<Explanation, ReplayError> {
    let claim = property.claim.map(|claim| &model.claims[claim]);
    stubborn_trail::explain(model, claim, trail)
}
