//! A trail in the terminal: a column for each process, time downwards; one for all firings of a net.
//!
//! Columns are as wide as their statements, and become narrower where the terminal asks for it. Where even that
//! does not help, the process stands in front of its statement instead.

use std::fmt::Write;

use stubborn_base::Sources;
use stubborn_check::{Explanation, PropertyResult, Trail, TrailStep};
use stubborn_ir::{Change, Violation};

use crate::human::{length, place, stand, verdict};
use crate::model::Source;
use crate::output::{BAD, BOLD, DIM};

/// Narrower columns than this cannot be read.
const MIN_COLUMN: usize = 9;
/// Room for what changes.
const MIN_CHANGES: usize = 20;
/// Between columns.
const GAP: usize = 2;

/// What `stubborn trail` writes about a violation.
pub(super) fn trail(
    source: &Source,
    result: &PropertyResult,
    explanation: &Explanation,
    terminal: usize,
    explain: bool,
) -> String {
    let Some(trail) = &result.trail else { return String::new() };
    let mut text = verdict(result, 0, explain);
    let sheet = Sheet::new(&source.sources, trail, explanation, terminal);
    sheet.head(&mut text);
    for (i, step) in trail.steps.iter().enumerate() {
        if trail.cycle > 0 && i == trail.prefix {
            let steps = if trail.cycle == 1 { "this step repeats" } else { "these steps repeat" };
            let _ = writeln!(text, "  {DIM}{steps} for ever:{DIM:#}");
        }
        sheet.row(i, step, &mut text);
    }
    text += &remark(trail, explanation);
    for standing in &explanation.standing {
        stand(&source.sources, trail, standing, &explanation.lives, &mut text);
    }
    text
}

/// How long the trail is, and how much of it matters.
fn remark(trail: &Trail, explanation: &Explanation) -> String {
    let mut text = format!("  {DIM}{}", length(trail));
    let n_idle = explanation.steps.iter().filter(|step| !step.matters).count();
    if n_idle > 0 {
        let _ =
            write!(text, "; {n_idle} of them, dimmed or marked with a dot, do not matter to the violation");
    }
    format!("{text}{DIM:#}\n")
}

/// Where things stand on a line.
struct Sheet<'a> {
    sources: &'a Sources,
    trail: &'a Trail,
    explanation: &'a Explanation,
    terminal: usize,
    /// Width of a step's number, and of its line.
    number: usize,
    place: usize,
    /// Widths of the columns of lives; none if there is no room for them.
    columns: Option<Vec<usize>>,
    /// Width of statements with their processes, where there are no columns.
    flat: usize,
}

impl<'a> Sheet<'a> {
    fn new(sources: &'a Sources, trail: &'a Trail, explanation: &'a Explanation, terminal: usize) -> Self {
        let number = trail.steps.len().to_string().len();
        let places = trail.steps.iter().map(|step| place(sources, step.mover.span).chars().count());
        let place = places.max().unwrap_or(0);
        let mut sheet =
            Sheet { sources, trail, explanation, terminal, number, place, columns: None, flat: 0 };
        let room = terminal.saturating_sub(sheet.left() + MIN_CHANGES);
        sheet.columns = if trail.is_of_net() { None } else { fit(sheet.natural(), room) };
        if sheet.columns.is_none() {
            let widths = (0..trail.steps.len()).map(|step| sheet.in_a_row(step).chars().count());
            sheet.flat = widths.max().unwrap_or(0).min(room);
        }
        sheet
    }

    /// How wide columns would like to be.
    fn natural(&self) -> Vec<usize> {
        let mut widths: Vec<usize> =
            self.explanation.lives.iter().map(|life| life.to_string().chars().count()).collect();
        for (step, reason) in self.trail.steps.iter().zip(&self.explanation.steps) {
            let partner = step.partner.as_ref().and_then(|p| Some((reason.partner?, &p.text)));
            for (life, text) in [Some((reason.life, &step.mover.text)), partner].into_iter().flatten() {
                widths[life] = widths[life].max(text.chars().count());
            }
        }
        widths
    }

    /// Everything before the columns.
    fn left(&self) -> usize {
        2 + self.number + GAP + self.place + GAP
    }

    fn head(&self, text: &mut String) {
        let Some(columns) = &self.columns else { return };
        let names = self.explanation.lives.iter().zip(columns);
        let names: Vec<String> = names.map(|(life, &w)| cell(&life.to_string(), w)).collect();
        let line = format!("{:left$}{}", "", names.join("  "), left = self.left());
        let _ = writeln!(text, "{BOLD}{}{BOLD:#}", line.trim_end());
    }

    fn row(&self, i: usize, step: &TrailStep, text: &mut String) {
        let reason = &self.explanation.steps[i];
        let is_last = i + 1 == self.trail.steps.len();
        let fails = matches!(self.trail.violation, Violation::FailedAssertion(_) | Violation::Error(_));
        let gutter = match (i.checked_sub(self.trail.prefix), self.trail.cycle) {
            (_, 0) | (None, _) if !reason.matters => "·",
            (_, 0) | (None, _) => " ",
            (Some(0), 1) => "↻",
            (Some(0), _) => "╭",
            (Some(at), n) if at + 1 == n => "╰",
            _ => "│",
        };
        let number = format!("{:>1$}", i + 1, self.number);
        let place = format!("{:1$}", place(self.sources, step.mover.span), self.place);
        let (middle, used) = self.middle(i, step);
        let style = if !reason.matters { Some(DIM) } else { (is_last && fails).then_some(BAD) };
        let notes = self.notes(i, step);
        let middle = if notes.is_empty() { middle.trim_end().to_owned() } else { middle };
        let middle = match style {
            Some(style) => format!("{style}{middle}{style:#}"),
            None => middle,
        };
        let mut line = format!("{gutter} {DIM}{number}  {place}{DIM:#}  {middle}");
        if !notes.is_empty() {
            let room = self.terminal.saturating_sub(self.left() + used + GAP);
            if notes.chars().count() <= room {
                line += &format!("  {notes}");
            } else {
                // What does not fit stands below.
                line = format!("{}\n{:left$}{notes}", line.trim_end(), "", left = self.left() + 2);
            }
        }
        let _ = writeln!(text, "{}", line.trim_end());
    }

    /// The statements, and how wide they are.
    fn middle(&self, i: usize, step: &TrailStep) -> (String, usize) {
        let reason = &self.explanation.steps[i];
        let Some(columns) = &self.columns else {
            let text = self.in_a_row(i);
            let used = text.chars().count().max(self.flat);
            return (format!("{text:used$}"), used);
        };
        let start = |life: usize| columns[..life].iter().map(|width| width + GAP).sum::<usize>();
        let total = start(columns.len()).saturating_sub(GAP);
        let mut line: Vec<char> = vec![' '; total];
        let put = |line: &mut Vec<char>, life: usize, text: &str| {
            let text = cell(text, columns[life]);
            line.splice(start(life)..start(life) + columns[life], text.chars());
            start(life)..start(life) + text.trim_end().chars().count()
        };
        let from = put(&mut line, reason.life, &step.mover.text);
        if let (Some(life), Some(partner)) = (reason.partner, &step.partner) {
            let to = put(&mut line, life, &partner.text);
            let (between, head) = match from.start < to.start {
                true => (from.end..to.start, '▶'),
                false => (to.end..from.start, '◀'),
            };
            let n_between = between.len();
            for (at, place) in between.enumerate() {
                let is_edge = at == 0 || at + 1 == n_between;
                line[place] = if is_edge && n_between > 2 { ' ' } else { '─' };
                let is_head = if head == '▶' { at + 2 == n_between } else { at == 1 };
                if n_between > 2 && is_head || n_between <= 2 && at == 0 {
                    line[place] = head;
                }
            }
        }
        (line.into_iter().collect(), total)
    }

    /// The statements of a step, each with its process.
    fn in_a_row(&self, i: usize) -> String {
        let (step, reason) = (&self.trail.steps[i], &self.explanation.steps[i]);
        let of = |life: usize, text: &str| format!("{}: {text}", self.explanation.lives[life]);
        let mut text = match &step.mover.fires {
            Some(_) => step.mover.text.to_string(),
            None => of(reason.life, &step.mover.text),
        };
        if let (Some(life), Some(partner)) = (reason.partner, &step.partner) {
            text += &format!(" → {}", of(life, &partner.text));
        }
        text
    }

    /// What changes, and whose message is received.
    fn notes(&self, i: usize, step: &TrailStep) -> String {
        let messages = &self.explanation.messages;
        let received = self.explanation.steps[i].receives.iter().map(|&message| &messages[message]);
        let received = received.filter(|message| message.sent != i);
        let received = received.map(|message| format!("sent in step {}", message.sent + 1));
        let changes = Change::in_a_row(&step.changes);
        let changes = Some(changes).filter(|changes| !changes.is_empty());
        changes.into_iter().chain(received).collect::<Vec<_>>().join(", ")
    }
}

/// A text in a column, cut off where it does not fit.
fn cell(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return format!("{text:width$}");
    }
    let kept: String = text.chars().take(width.saturating_sub(1)).collect();
    kept + "…"
}

/// Widths that fit: the widest columns give way first. None if they cannot.
fn fit(mut widths: Vec<usize>, room: usize) -> Option<Vec<usize>> {
    let total = |widths: &[usize]| widths.iter().map(|width| width + GAP).sum::<usize>();
    while total(&widths) > room {
        let widest = widths.iter_mut().max().filter(|width| **width > MIN_COLUMN)?;
        *widest -= 1;
    }
    Some(widths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_widest_columns_give_way() {
        assert_eq!(fit(vec![10, 30, 12], 60), Some(vec![10, 30, 12]));
        assert_eq!(fit(vec![10, 30, 12], 48), Some(vec![10, 20, 12]));
        assert_eq!(fit(vec![10, 30, 12], 36), Some(vec![10, 10, 10]));
        assert_eq!(fit(vec![10, 30, 12], 32), None);
        // Short columns do not become wider.
        assert_eq!(fit(vec![3, 30], 17), Some(vec![3, 10]));
    }

    #[test]
    fn cells_have_their_width() {
        assert_eq!(cell("x = 1", 7), "x = 1  ");
        assert_eq!(cell("counter = 1", 7), "counte…");
    }
}
