//! Where everything stands in a chart.

use super::Subject;
use super::labels::Labels;
use super::text::{FONT, width};

/// Height of a row.
const ROW: f64 = 22.0;
/// Of one whose label stands above or below its dot.
const TALL_ROW: f64 = 36.0;
/// From a dot to the middle of a label above or below it.
const ASIDE: f64 = 13.0;
/// Height of the box with a process's name.
pub(super) const HEAD: f64 = 24.0;
/// Names are repeated after so many steps.
const AGAIN: usize = 25;
/// Left of the first lifeline: the numbers of the steps, and the bracket of the cycle.
const MARGIN: f64 = 16.0;
const BRACKET: f64 = 30.0;
/// From a lifeline to its labels.
pub(super) const TO_LABEL: f64 = 9.0;
/// A message that is not received goes so far to the left.
pub(super) const STUB: f64 = 20.0;
/// Between two columns.
const GAP: f64 = 16.0;

/// Where the label of a step stands: to the right of its dot, and out of the way of an arrow there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    Beside,
    Above,
    Below,
}

impl Side {
    /// From the dot down to the middle of the label.
    pub(super) fn offset(self) -> f64 {
        match self {
            Side::Beside => 0.0,
            Side::Above => -ASIDE,
            Side::Below => ASIDE,
        }
    }
}

/// The places.
pub(super) struct Plan {
    pub(super) width: f64,
    pub(super) height: f64,
    /// By life: its lifeline.
    pub(super) columns: Vec<f64>,
    /// By step.
    pub(super) rows: Vec<f64>,
    pub(super) sides: Vec<Side>,
    /// Where names are repeated.
    pub(super) again: Vec<f64>,
    /// The right end of the steps' numbers.
    pub(super) numbers: f64,
    /// The bracket of the cycle.
    pub(super) bracket: f64,
    /// The boxes with the names of those who are there from the start.
    pub(super) heads: f64,
    /// Where lifelines end that go on.
    pub(super) bottom: f64,
    /// The first line of what processes wait for.
    pub(super) ends: f64,
    /// What is violated.
    pub(super) verdict: f64,
}

impl Plan {
    pub(super) fn new(subject: Subject<'_>, labels: &Labels) -> Self {
        let Subject { trail, explanation, .. } = subject;
        let numbers = MARGIN + width(&trail.steps.len().to_string());
        let bracket = numbers + 12.0;
        let columns = columns(subject, labels, bracket + BRACKET);
        let right_end = right(subject, labels, columns.len().wrapping_sub(1));
        let heads = MARGIN + HEAD / 2.0;
        let mut y = heads + HEAD / 2.0 + 6.0;
        let (mut rows, mut sides, mut again) = (Vec::new(), Vec::new(), Vec::new());
        for step in 0..trail.steps.len() {
            if step > 0 && step % AGAIN == 0 {
                again.push(y + ROW / 2.0);
                y += ROW;
            }
            let side = side(subject, step);
            let height = if side == Side::Beside { ROW } else { TALL_ROW };
            let foot = if side == Side::Below { height } else { ROW };
            rows.push(y + height - foot + ROW / 2.0);
            sides.push(side);
            y += height;
        }
        let bottom = y + 6.0;
        let n_ends = labels.ends.iter().map(Vec::len).max().unwrap_or(0);
        let ends = bottom + 12.0;
        let verdict = ends + n_ends as f64 * (FONT + 5.0) + 12.0;
        let content = columns.last().map_or(bracket, |x| x + right_end);
        let width = (content + MARGIN).max(MARGIN * 2.0 + width(subject.title) + 20.0);
        debug_assert_eq!(rows.len(), explanation.steps.len());
        let height = verdict + FONT + MARGIN;
        Plan { width, height, columns, rows, sides, again, numbers, bracket, heads, bottom, ends, verdict }
    }
}

/// Arrows leave downwards, so a label stands above one that leaves to the right, and below one that comes from there.
fn side(subject: Subject<'_>, step: usize) -> Side {
    let explanation = subject.explanation;
    let reason = &explanation.steps[step];
    let life_of = |step: usize| explanation.steps[step].life;
    let is_level = reason.partner.is_some() || explanation.lives.iter().any(|life| life.born == Some(step));
    let goes_right = |&message: &usize| {
        let received = explanation.messages[message].received;
        received.is_some_and(|step| life_of(step) > reason.life)
    };
    let comes_from_right = |&message: &usize| life_of(explanation.messages[message].sent) > reason.life;
    if is_level || reason.sends.iter().any(goes_right) {
        Side::Above
    } else if reason.receives.iter().any(comes_from_right) {
        Side::Below
    } else {
        Side::Beside
    }
}

fn columns(subject: Subject<'_>, labels: &Labels, left: f64) -> Vec<f64> {
    let mut columns: Vec<f64> = Vec::new();
    for life in 0..labels.heads.len() {
        let before = match columns.last() {
            Some(x) => x + right(subject, labels, life - 1) + GAP,
            None => left,
        };
        columns.push(before + half_head(labels, life).max(STUB));
    }
    columns
}

/// How far a column reaches to the right of its lifeline.
fn right(subject: Subject<'_>, labels: &Labels, life: usize) -> f64 {
    let Some(ends) = labels.ends.get(life) else { return 0.0 };
    let steps = subject.explanation.steps.iter().zip(&labels.steps);
    let own = steps.filter(|(reason, _)| reason.life == life).map(|(_, label)| label);
    let longest = own.chain(ends).map(|label| width(label)).fold(0.0, f64::max);
    half_head(labels, life).max(TO_LABEL + longest)
}

/// Half the width of the box with a name.
pub(super) fn half_head(labels: &Labels, life: usize) -> f64 {
    width(&labels.heads[life]) / 2.0 + 9.0
}
