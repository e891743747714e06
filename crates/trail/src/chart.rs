//! A trail as a message sequence chart in SVG: processes are lifelines, time goes down, one row for each step. Of a net,
//! transitions are lifelines and tokens are messages.
//!
//! The plan is made first: where columns and rows are, as wide and high as what stands in them. Then it is drawn.
//! Invariant: labels stand to the right of the lifeline of who moves, above an arrow that leaves it, and a column
//! ends where its longest label does; so no label reaches another one.

mod draw;
mod labels;
mod plan;
mod text;

use stubborn_base::Sources;

use crate::explain::Explanation;
use crate::trail::Trail;

pub(crate) use text::escaped;

/// What a chart shows.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// Where the model was read from.
    pub sources: &'a Sources,
    /// What is violated, and how: a line.
    pub title: &'a str,
    /// The steps.
    pub trail: &'a Trail,
    /// Why they happen.
    pub explanation: &'a Explanation,
}

/// The chart as an SVG document.
pub fn chart(subject: Subject<'_>) -> String {
    let by_transition = subject.explanation.by_transition(subject.trail);
    let explanation = by_transition.as_ref().unwrap_or(subject.explanation);
    let subject = Subject { explanation, ..subject };
    let labels = labels::Labels::of(subject);
    let plan = plan::Plan::new(subject, &labels);
    draw::draw(subject, &labels, &plan)
}
