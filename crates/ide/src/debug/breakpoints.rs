//! Breakpoints: lines before whose statements a run stops, or says something.
//!
//! A breakpoint is hit at a place on a run if the step that comes next there executes a statement on its line, and
//! its condition holds for the process that executes it. How often it has been hit is counted along the run from its
//! beginning, so that a run stops in the same places in both directions.

use std::collections::BTreeMap;

use stubborn_base::FileId;
use stubborn_ir::{Move, Pid, TransitionId, Typed};

use super::expressions::Expressions;
use super::{Program, Run};

/// Tells breakpoints apart.
pub type BreakpointId = u32;

/// A breakpoint as it is asked for.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Asked {
    /// Its line, from 1.
    pub line: u32,
    /// Holds for the process that is about to move.
    pub condition: Option<String>,
    /// Which of the hits count: `3`, `>= 3`, `% 2` and the like.
    pub hits: Option<String>,
    /// Said instead of stopping; `{…}` is an expression.
    pub message: Option<String>,
}

/// Where a breakpoint came to be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Placed {
    /// Its number.
    pub id: BreakpointId,
    /// Its line, from 1.
    pub line: u32,
    /// Why it will not stop anything, if it will not.
    pub problem: Option<String>,
}

/// All breakpoints.
#[derive(Debug, Default)]
pub(super) struct Breakpoints {
    all: Vec<Breakpoint>,
    next: BreakpointId,
}

/// A breakpoint that can be hit.
#[derive(Debug)]
struct Breakpoint {
    id: BreakpointId,
    file: FileId,
    condition: Option<Compiled>,
    hits: Option<(Comparison, usize)>,
    message: Option<Vec<Piece>>,
    /// The statements on its line.
    transitions: Vec<TransitionId>,
    /// Places where it is hit, of the first `looked_at`.
    hit_at: Vec<usize>,
    looked_at: usize,
}

/// An expression as each of the statements understands it.
type Compiled = BTreeMap<TransitionId, Typed>;

#[derive(Debug)]
enum Piece {
    Text(String),
    Value(Compiled),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Comparison {
    Equal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Multiple,
}

/// What breakpoints have to say about a place.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Reached {
    /// They stop the run.
    pub(super) stops: Vec<BreakpointId>,
    /// The process that is about to move.
    pub(super) pid: Option<Pid>,
    /// What they say.
    pub(super) messages: Vec<(TransitionId, String)>,
}

impl Breakpoints {
    /// Replaces those of a file.
    pub(super) fn set(
        &mut self,
        program: &Program,
        expressions: &mut Expressions,
        file: FileId,
        asked: &[Asked],
    ) -> Vec<Placed> {
        self.all.retain(|breakpoint| breakpoint.file != file);
        let mut placed = Vec::new();
        for asked in asked {
            self.next += 1;
            let id = self.next;
            let Some(line) = program.line_for(file, asked.line) else {
                let problem = match program.model.net {
                    Some(_) => "no transition is declared on this line or after it",
                    None => "no statement begins on this line or after it",
                };
                let problem = Some(problem.to_owned());
                placed.push(Placed { id, line: asked.line, problem });
                continue;
            };
            let made = Breakpoint::new(program, expressions, id, (file, line), asked);
            let problem = made.map(|breakpoint| self.all.push(breakpoint)).err();
            placed.push(Placed { id, line, problem });
        }
        placed
    }

    /// The run is another one from there on.
    pub(super) fn forget_from(&mut self, position: usize) {
        for breakpoint in &mut self.all {
            breakpoint.looked_at = breakpoint.looked_at.min(position);
            breakpoint.hit_at.retain(|&at| at < position);
        }
    }

    /// What they have to say about the place where a run is.
    pub(super) fn reach(&mut self, program: &Program, run: &mut Run<'_>) -> Reached {
        let mut reached = Reached::default();
        let position = run.position();
        for breakpoint in &mut self.all {
            breakpoint.look(run, position);
            let nth = breakpoint.hit_at.partition_point(|&at| at <= position);
            if breakpoint.hit_at.get(nth.wrapping_sub(1)) != Some(&position) {
                continue;
            }
            if breakpoint.hits.is_some_and(|(comparison, n)| !comparison.holds(nth, n)) {
                continue;
            }
            let executed = run.upcoming().and_then(|made| breakpoint.executed(made));
            let Some((pid, transition)) = executed else { continue };
            if let Err(error) = breakpoint.condition_at(run, position, pid, transition) {
                let message = format!("the condition of the breakpoint cannot be evaluated: {error}");
                reached.messages.push((transition, message));
            }
            match &breakpoint.message {
                Some(pieces) => {
                    reached.messages.push((transition, say(program, run, pieces, pid, transition)));
                }
                None => {
                    reached.stops.push(breakpoint.id);
                    reached.pid.get_or_insert(pid);
                }
            }
        }
        reached
    }
}

impl Breakpoint {
    fn new(
        program: &Program,
        expressions: &mut Expressions,
        id: BreakpointId,
        place: (FileId, u32),
        asked: &Asked,
    ) -> Result<Self, String> {
        let all = program.model.transitions.indices();
        let transitions: Vec<TransitionId> = all.filter(|&t| program.line_of(t) == place).collect();
        let mut compile = |text: &str| -> Result<Compiled, String> {
            let each = transitions.iter().map(|&id| {
                let t = &program.model.transitions[id];
                Ok((id, expressions.read(program, text, Some((t.process, t.from)))?))
            });
            each.collect()
        };
        let written = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
        let condition = written(&asked.condition).map(|text| compile(&text)).transpose()?;
        let hits = written(&asked.hits).map(|text| parse_hits(&text)).transpose()?;
        let message = written(&asked.message).map(|text| pieces(&text, &mut compile)).transpose()?;
        let (hit_at, looked_at) = (Vec::new(), 0);
        Ok(Breakpoint { id, file: place.0, condition, hits, message, transitions, hit_at, looked_at })
    }

    /// Finds the places up to this one where it is hit.
    fn look(&mut self, run: &mut Run<'_>, position: usize) {
        for at in self.looked_at..=position {
            if let Some(made) = run.move_at(at)
                && let Some((pid, transition)) = self.executed(made)
                && self.holds(run, at, pid, transition)
            {
                self.hit_at.push(at);
            }
        }
        self.looked_at = self.looked_at.max(position + 1);
    }

    /// The process that executes a statement on the line.
    fn executed(&self, made: Move) -> Option<(Pid, TransitionId)> {
        let parties = [Some((made.pid, made.transition)), made.partner];
        parties.into_iter().flatten().find(|(_, transition)| self.transitions.contains(transition))
    }

    /// Whether the condition holds. One that cannot be evaluated stops the run: somebody should look at it.
    fn holds(&self, run: &mut Run<'_>, at: usize, pid: Pid, transition: TransitionId) -> bool {
        self.condition_at(run, at, pid, transition).unwrap_or(true)
    }

    fn condition_at(
        &self,
        run: &mut Run<'_>,
        at: usize,
        pid: Pid,
        transition: TransitionId,
    ) -> Result<bool, String> {
        match self.condition.as_ref().and_then(|condition| condition.get(&transition)) {
            Some(typed) => Ok(value(run, at, pid, typed)? != 0),
            None => Ok(true),
        }
    }
}

/// The value of an expression at a place on a run.
fn value(run: &mut Run<'_>, at: usize, pid: Pid, typed: &Typed) -> Result<i32, String> {
    let run = run.simulation();
    let process = run.layout().alive(run.state_before(at), pid);
    run.value(at, process, &typed.expr).map_err(|kind| kind.to_string())
}

fn say(program: &Program, run: &mut Run<'_>, pieces: &[Piece], pid: Pid, transition: TransitionId) -> String {
    let position = run.position();
    let mut text = String::new();
    for piece in pieces {
        match piece {
            Piece::Text(piece) => text.push_str(piece),
            Piece::Value(compiled) => {
                let Some(typed) = compiled.get(&transition) else { continue };
                match (value(run, position, pid, typed), &typed.ty) {
                    (Ok(value), Some(ty)) => {
                        let shown = run.simulation().layout().show(&program.model, value, ty);
                        text.push_str(&shown.to_string());
                    }
                    (Ok(value), None) => text.push_str(&value.to_string()),
                    (Err(error), _) => text.push_str(&format!("<{error}>")),
                }
            }
        }
    }
    text
}

/// Splits a message at its expressions.
fn pieces(
    text: &str,
    compile: &mut impl FnMut(&str) -> Result<Compiled, String>,
) -> Result<Vec<Piece>, String> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(open) = rest.find('{') {
        let close = rest[open..].find('}').ok_or("a `{` without its `}`")? + open;
        pieces.push(Piece::Text(rest[..open].to_owned()));
        pieces.push(Piece::Value(compile(&rest[open + 1..close])?));
        rest = &rest[close + 1..];
    }
    pieces.push(Piece::Text(rest.to_owned()));
    Ok(pieces)
}

fn parse_hits(text: &str) -> Result<(Comparison, usize), String> {
    let text = text.trim();
    let comparisons = [
        ("==", Comparison::Equal),
        ("<=", Comparison::LessOrEqual),
        (">=", Comparison::GreaterOrEqual),
        ("<", Comparison::Less),
        (">", Comparison::Greater),
        ("%", Comparison::Multiple),
        ("", Comparison::Equal),
    ];
    let parsed =
        comparisons.iter().find_map(|(sign, comparison)| Some((text.strip_prefix(sign)?, *comparison)));
    let parsed = parsed.and_then(|(number, comparison)| Some((comparison, number.trim().parse().ok()?)));
    match parsed {
        Some((Comparison::Multiple, 0)) | None => {
            Err(format!("`{text}` is no number of hits: write `3`, `>= 3`, `% 2` or the like"))
        }
        Some(parsed) => Ok(parsed),
    }
}

impl Comparison {
    fn holds(self, hits: usize, n: usize) -> bool {
        match self {
            Comparison::Equal => hits == n,
            Comparison::Less => hits < n,
            Comparison::LessOrEqual => hits <= n,
            Comparison::Greater => hits > n,
            Comparison::GreaterOrEqual => hits >= n,
            Comparison::Multiple => hits.is_multiple_of(n),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_hits() {
        let holds = |text: &str| {
            let (comparison, n) = parse_hits(text).unwrap();
            (1..=5).filter(|&hits| comparison.holds(hits, n)).collect::<Vec<usize>>()
        };
        assert_eq!(holds("3"), [3]);
        assert_eq!(holds(" == 3"), [3]);
        assert_eq!(holds(">= 4"), [4, 5]);
        assert_eq!(holds("> 4"), [5]);
        assert_eq!(holds("<2"), [1]);
        assert_eq!(holds("<= 2"), [1, 2]);
        assert_eq!(holds("% 2"), [2, 4]);
        for wrong in ["", "x", "% 0", "> -1", "3 4"] {
            assert!(parse_hits(wrong).is_err(), "{wrong}");
        }
    }
}
