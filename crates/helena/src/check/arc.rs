//! Arcs and initial markings: sums of tuples.

use stubborn_nets::PlaceId;

use crate::ast::{Label, Tuple};
use crate::check::iterate::Allowed;
use crate::check::literal::count;
use crate::check::{Checker, TupleDef};
use crate::code::Node;

impl Checker<'_> {
    /// The tuples of a label, over the variables in scope.
    pub(super) fn tuples(&mut self, place: PlaceId, label: &Label) -> Vec<TupleDef> {
        label.tuples.iter().filter_map(|tuple| self.tuple(place, tuple)).collect()
    }

    fn tuple(&mut self, place: PlaceId, tuple: &Tuple) -> Option<TupleDef> {
        let in_scope = self.scope.len();
        self.n_locals = 0;
        let vars = self.bounds(&tuple.vars, Allowed::Types);
        let guard = tuple.guard.as_ref().map(|guard| self.condition(guard));
        let factor = match &tuple.factor {
            Some(factor) => self.static_number(factor).and_then(|value| {
                let factor = u32::try_from(value).ok();
                if factor.is_none() {
                    let message = format!("a number of tokens is not negative, as {value} is");
                    self.error("out-of-range", tuple.span, message);
                }
                factor
            }),
            None => Some(1),
        };
        let components = self.components(place, tuple);
        self.scope.truncate(in_scope);
        let guard = match guard {
            Some(guard) => Some(guard?),
            None => None,
        };
        let components = components?;
        Some(TupleDef { vars: vars?, guard, factor: factor?, components, span: tuple.span })
    }

    fn components(&mut self, place: PlaceId, tuple: &Tuple) -> Option<Vec<Node>> {
        let domain = self.places[place].domain.clone();
        if domain.len() != tuple.components.len() {
            let message = format!(
                "tokens of `{}` have {}, not {}",
                self.places[place].name.name,
                count(domain.len(), "component"),
                tuple.components.len()
            );
            let mut diagnostic = stubborn_base::Diagnostic::error("wrong-arity", tuple.span, message);
            if domain.is_empty() {
                diagnostic = diagnostic.help("write `epsilon`");
            }
            let place = self.places[place].name.span;
            self.report(diagnostic.label(place, "the place"));
            return None;
        }
        let nodes: Vec<Option<Node>> =
            tuple.components.iter().zip(domain).map(|(expr, ty)| self.expr(expr, ty)).collect();
        nodes.into_iter().collect()
    }
}
