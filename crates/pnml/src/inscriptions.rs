//! What arcs carry, and numbers of dots.
//!
//! Reference: ISO/IEC 15909-2: `<inscription>` of place/transition nets, `<hlinscription>` of symmetric nets; and
//! `<type value="inhibitor"/>`, an extension that several tools share. Invariant: an arc of a place/transition net carries
//! at least one token.

use crate::bag::Bag;
use crate::build::{Builder, MAX_COUNT, structure};
use crate::multisets::natural;
use crate::skeleton::Arc;
use crate::sort::{Kind, Sort};
use crate::terms::Scope;
use crate::xml::{Located, Node};

/// What an arc does with tokens.
pub(crate) enum ArcKind {
    /// Takes or puts them.
    Normal,
    /// Wants them not to be there.
    Inhibitor,
}

impl<'a> Builder<'a, '_, '_> {
    /// A number of dots, as place/transition nets have it.
    pub(crate) fn number(&mut self, label: Node<'a>, sort: &Sort) -> Option<Bag> {
        let text = label.label().unwrap_or(Located { text: "", span: label.tag() });
        if !matches!(sort.whole().kind(), Kind::Dot) {
            let message = format!("tokens of the sort {sort} are expected here, not a number");
            return self.report.error("type", text.span, message);
        }
        match natural(text.text) {
            Some(n) if n <= MAX_COUNT => Bag::unit().times(n).ok(),
            Some(_) => self.too_large(text.span),
            None => self.report.error("syntax", text.span, format!("`{}` is no number of tokens", text.text)),
        }
    }

    /// What an arc carries.
    pub(crate) fn inscription(&mut self, arc: &Arc<'a>, scope: &mut Scope) -> Option<(ArcKind, Bag)> {
        let sort = self.sorts[arc.place.0 as usize].clone()?;
        let mut kind = ArcKind::Normal;
        let mut bag = None;
        for label in arc.node.children() {
            match label.name() {
                "inscription" => {
                    let number = self.number(label, &sort)?;
                    if number == Bag::default() {
                        let span = label.label().map_or(label.tag(), |text| text.span);
                        return self.report.error("syntax", span, "an arc carries at least one token");
                    }
                    bag = Some(number);
                }
                "hlinscription" => {
                    let Some(term) = structure(label) else {
                        return self.report.error(
                            "syntax",
                            label.tag(),
                            "an inscription has a `<structure>`",
                        );
                    };
                    bag = Some(self.terms(Some(scope)).multiset(term, &sort)?.on(&sort));
                }
                "type" => kind = self.arc_kind(label, arc)?,
                "name" | "graphics" | "toolspecific" => {}
                _ => {
                    self.report.unsupported::<()>(label, "in an arc");
                }
            }
        }
        let is_dot = matches!(sort.whole().kind(), Kind::Dot);
        match bag.or_else(|| is_dot.then(Bag::unit)) {
            Some(bag) => Some((kind, bag)),
            None => {
                let place = self.skeleton.places[arc.place.0 as usize];
                let place = place.attribute("id").map_or("", |id| id.text);
                let message =
                    format!("an inscription is expected: the tokens of `{place}` are of the sort {sort}");
                self.report.error("syntax", arc.node.tag(), message)
            }
        }
    }

    /// An extension that several tools share: `<type value="inhibitor"/>`.
    fn arc_kind(&mut self, label: Node<'a>, arc: &Arc<'a>) -> Option<ArcKind> {
        let value = label.attribute("value").or_else(|| label.label()).unwrap_or(label.text());
        match value.text {
            "normal" => Some(ArcKind::Normal),
            "inhibitor" if arc.is_input => Some(ArcKind::Inhibitor),
            other => {
                let message = format!("arcs of the type `{other}` are not supported here");
                self.report.error("unsupported", value.span, message)
            }
        }
    }
}
