//! A Petri net as a picture: places as circles with their tokens, transitions as boxes, arcs.
//!
//! Where everything stands depends on the net alone, so that a picture does not jump from step to step; only of a net
//! that is too large a part is shown, around what is looked at. Invariants: the same net and marking give the same text
//! everywhere; names are cut, not left out; an arc that takes and puts alike is one line with two heads.
//!
//! Reading order: `part` chooses what is shown, `plan` gives it places, `svg` and `dot` write it down.

mod dot;
mod part;
mod plan;
mod svg;

use stubborn_ir::{Change, Interpreter, Marking, Model, Net, TokenIndex, TransitionId, Value};
use stubborn_trail::{Trail, end_of};

/// What is drawn.
#[derive(Clone, Debug)]
pub struct Picture<'m> {
    model: &'m Model,
    net: &'m Net,
    /// What it is called.
    title: String,
    state: Vec<u8>,
    tokens: TokenIndex<'m>,
    /// What has just fired, and what it changed.
    fired: Option<(TransitionId, Vec<Change>)>,
    /// What is said above it.
    caption: String,
}

/// A picture, and how much of the net it shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Drawn {
    /// As a document.
    pub text: String,
    /// Places and transitions that are shown.
    pub n_shown: usize,
    /// All of them.
    pub n_all: usize,
}

impl<'m> Picture<'m> {
    /// The net as it begins; none if the model is no net.
    pub fn initial(model: &'m Model) -> Option<Self> {
        let net = model.net.as_ref()?;
        let state = Interpreter::new(model).initial().ok()?;
        let title = model.processes.iter().next().map_or_else(String::new, |net| net.name.to_string());
        let tokens = TokenIndex::new(net);
        Some(Picture { model, net, title, state, tokens, fired: None, caption: String::new() })
    }

    /// The net after so many steps of a trail, with what has just fired; none if the model is no net, or the trail is
    /// none of it or has fewer steps.
    pub fn after(model: &'m Model, trail: &Trail, n_steps: usize) -> Option<Self> {
        let picture = Picture::initial(model)?;
        let moves: Vec<_> = trail.steps.get(..n_steps)?.iter().map(|step| step.made).collect();
        let (_, state) = end_of(model, &moves)?;
        let n = trail.steps.len();
        let (fired, caption) = match trail.steps[..n_steps].last() {
            Some(step) => {
                let changes = Change::in_a_row(&step.changes);
                let caption = format!("step {n_steps} of {n}: {}   {changes}", step.mover.text);
                (Some((step.made.transition, step.changes.clone())), caption)
            }
            None => (None, format!("before the first of {n} steps")),
        };
        Some(Picture { state, fired, caption, ..picture })
    }

    /// As an SVG document.
    pub fn svg(&self) -> Drawn {
        let part = part::Part::of(self);
        self.drawn(svg::text(self, &part, &plan::plan(self, &part)), &part)
    }

    /// In Graphviz' language.
    pub fn dot(&self) -> Drawn {
        let part = part::Part::whole(self);
        self.drawn(dot::text(self, &part), &part)
    }

    fn drawn(&self, text: String, part: &part::Part) -> Drawn {
        let n_all = self.net.places.len() + self.net.transitions.len();
        Drawn { text, n_shown: part.nodes.len(), n_all }
    }

    fn marking(&self) -> Marking {
        self.net.marking(&self.state)
    }

    /// By transition: whether one of its firings finds its tokens.
    fn enabled(&self) -> Vec<bool> {
        let can_fire =
            |firing: &u32| self.tokens.lacking(self.model, TransitionId(*firing), &self.state).is_empty();
        self.net.transitions.iter().map(|t| t.firings.iter().any(can_fire)).collect()
    }

    /// The transition that has just fired.
    fn fired_transition(&self) -> Option<u32> {
        self.fired.as_ref().map(|(firing, _)| self.model.transitions[*firing].number)
    }

    /// By how many tokens a place has just changed.
    fn changed_by(&self, place: u32) -> i64 {
        let declared = &self.net.places[place as usize];
        let Some((_, changes)) = &self.fired else { return 0 };
        let is_of = |change: &&Change| match change.name.strip_prefix(&*declared.name) {
            Some("") => true,
            Some(colour) => declared.tokens.iter().any(|token| token.colour == colour),
            None => false,
        };
        let by = |change: &Change| match (&change.from, &change.to) {
            (Value::Number(from), Value::Number(to)) => i64::from(*to) - i64::from(*from),
            _ => 0,
        };
        changes.iter().filter(is_of).map(by).sum()
    }
}

/// The beginning of a text.
fn cut(text: &str, max: usize) -> String {
    if text.chars().count() <= max {
        return text.to_owned();
    }
    text.chars().take(max - 1).chain(['…']).collect()
}
