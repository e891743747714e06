//! What stands beside the lifelines.

use super::Subject;
use super::text::cut;
use crate::trail::{Participant, TrailStep};

/// All texts, cut to what a column can take.
pub(super) struct Labels {
    /// By life: its name.
    pub(super) heads: Vec<String>,
    /// By step: the statement, with what it sends.
    pub(super) steps: Vec<String>,
    /// By step: all that is known of it, for who points at it.
    pub(super) tips: Vec<String>,
    /// By life: what it waits for at the end.
    pub(super) ends: Vec<Vec<String>>,
}

/// Letters of all columns together, if there are few; a column has at least, and at most, so many.
const ALL_COLUMNS: usize = 260;
const MIN_COLUMN: usize = 18;
const MAX_COLUMN: usize = 44;
/// A process waits for no more than this many things at once.
const MAX_ENDS: usize = 4;

impl Labels {
    pub(super) fn of(subject: Subject<'_>) -> Self {
        let Subject { trail, explanation, .. } = subject;
        let max = (ALL_COLUMNS / explanation.lives.len().max(1)).clamp(MIN_COLUMN, MAX_COLUMN);
        let steps = 0..trail.steps.len();
        let mut ends = vec![Vec::new(); explanation.lives.len()];
        for standing in explanation.standing.iter().filter(|s| !s.can_move && !s.is_end && !s.goes_on) {
            let mut texts: Vec<String> = Vec::new();
            for obstacle in &standing.obstacles {
                let what = match obstacle.fires.as_ref().filter(|_| trail.is_of_net()) {
                    // In the column of its transition the binding says all.
                    Some(name) => obstacle.text.strip_prefix(&**name).unwrap_or(&obstacle.text),
                    None => &obstacle.text,
                };
                let text = match what.is_empty() {
                    true => cut(&obstacle.why, max),
                    false => cut(&format!("{}: {}", cut(what, max / 3), obstacle.why), max),
                };
                if !texts.contains(&text) {
                    texts.push(text);
                }
            }
            let more = texts.len().saturating_sub(MAX_ENDS);
            ends[standing.life] = texts.into_iter().take(MAX_ENDS).collect();
            if more > 0 {
                ends[standing.life].push(format!("and {more} more"));
            }
        }
        Labels {
            heads: explanation.lives.iter().map(|life| cut(&life.to_string(), max)).collect(),
            steps: steps.clone().map(|step| label(subject, step, max)).collect(),
            tips: steps.map(|step| tip(subject, step)).collect(),
            ends,
        }
    }
}

/// The statement, and what it sends, which is cut off last.
fn label(subject: Subject<'_>, step: usize, max: usize) -> String {
    let reason = &subject.explanation.steps[step];
    let text = &subject.trail.steps[step].mover.text;
    // In the column of a transition its binding says all.
    let column = &subject.explanation.lives[reason.life];
    let text =
        text.strip_prefix(&*column.process).filter(|rest| column.is_net && !rest.is_empty()).unwrap_or(text);
    let sends = if column.is_net { &[][..] } else { &reason.sends };
    let sent = sends.iter().map(|&message| format!(" ⟨{}⟩", subject.explanation.messages[message].text));
    let sent = cut(&sent.collect::<String>(), max / 2);
    cut(text, max - sent.chars().count()) + &sent
}

fn tip(subject: Subject<'_>, step: usize) -> String {
    let TrailStep { mover, partner, changes, .. } = &subject.trail.steps[step];
    let place = |p: &Participant| {
        let line = subject.sources.position(p.span.file, p.span.start).line;
        let file = subject.sources.file(p.span.file).path();
        let file = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        match p.who() {
            Some(who) => format!("{who}, {file} line {line}: {}", p.text),
            None => format!("{}, {file} line {line}", p.text),
        }
    };
    let mut tip = format!("step {}: {}", step + 1, place(mover));
    if let Some(partner) = partner {
        tip += &format!("\nwith {}", place(partner));
    }
    for change in changes {
        tip += &format!("\n{change}");
    }
    tip
}
