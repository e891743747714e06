//! A trail for programs. Steps, messages and processes are told by their index, from 0.

use serde::Serialize;
use stubborn_base::{Sources, Span};
use stubborn_check::{
    Cause, Explanation, Life, Obstacle, Participant, Standing, StepReason, Trail, TrailStep,
};
use stubborn_ir::Value;

use super::file;

#[derive(Serialize)]
pub(crate) struct TrailJson {
    prefix: usize,
    cycle: usize,
    /// No counterexample has fewer steps.
    shortest: bool,
    steps: Vec<Step>,
    /// In the order they are sent.
    messages: Vec<Message>,
    /// In the order they are created.
    processes: Vec<Process>,
    /// Where the processes are at the end.
    end: Vec<AtEnd>,
}

#[derive(Serialize)]
struct Step {
    #[serde(flatten)]
    mover: Statement,
    changes: Vec<Change>,
    /// The transition of the net that fires, without its binding.
    transition: Option<String>,
    /// The tokens it takes and puts.
    tokens: Vec<Tokens>,
    /// The receiver of a rendezvous.
    partner: Option<Statement>,
    /// The violation rests on it.
    matters: bool,
    /// What it rests on.
    causes: Vec<CauseJson>,
    /// Messages.
    sends: Vec<usize>,
    receives: Vec<usize>,
}

#[derive(Serialize)]
struct Statement {
    process: String,
    pid: u16,
    #[serde(flatten)]
    place: Place,
    text: String,
}

#[derive(Serialize)]
struct Place {
    file: String,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
}

#[derive(Serialize)]
struct Change {
    name: String,
    from: serde_json::Value,
    to: serde_json::Value,
}

/// So many of a token more, or less.
#[derive(Serialize)]
struct Tokens {
    token: String,
    by: i64,
}

#[derive(Serialize)]
struct CauseJson {
    step: usize,
    /// As it happened one round of the cycle earlier.
    in_round_before: bool,
    why: String,
}

#[derive(Serialize)]
struct Message {
    channel: String,
    text: String,
    sent: usize,
    received: Option<usize>,
    /// The step of the cycle that receives it in a later round.
    received_later: Option<usize>,
}

#[derive(Serialize)]
struct Process {
    process: String,
    pid: u16,
    /// The steps that create and end it.
    created: Option<usize>,
    ended: Option<usize>,
}

#[derive(Serialize)]
struct AtEnd {
    process: String,
    pid: u16,
    #[serde(flatten)]
    place: Place,
    /// It may stay there for ever.
    valid_end: bool,
    can_move: bool,
    /// It moves in the cycle.
    goes_on: bool,
    waits_for: Vec<Wait>,
}

#[derive(Serialize)]
struct Wait {
    #[serde(flatten)]
    place: Place,
    text: String,
    why: String,
}

/// A trail with its explanation.
pub(super) fn of(sources: &Sources, trail: &Trail, explanation: &Explanation) -> TrailJson {
    let Trail { prefix, cycle, is_shortest: shortest, .. } = *trail;
    TrailJson { prefix, cycle, shortest, ..run(sources, &trail.steps, explanation) }
}

/// A run that is no counterexample.
pub(crate) fn run(sources: &Sources, steps: &[TrailStep], explanation: &Explanation) -> TrailJson {
    let message = |message: &stubborn_check::Message| Message {
        channel: message.channel.to_string(),
        text: message.text.to_string(),
        sent: message.sent,
        received: message.received,
        received_later: message.received_later,
    };
    let at_end = |standing| at_end(sources, standing, &explanation.lives);
    TrailJson {
        prefix: steps.len(),
        cycle: 0,
        shortest: false,
        steps: steps
            .iter()
            .zip(&explanation.steps)
            .map(|(made, reason)| step(sources, made, reason))
            .collect(),
        messages: explanation.messages.iter().map(message).collect(),
        processes: explanation.lives.iter().map(process).collect(),
        end: explanation.standing.iter().map(at_end).collect(),
    }
}

fn step(sources: &Sources, step: &TrailStep, reason: &StepReason) -> Step {
    let change =
        |c: &stubborn_ir::Change| Change { name: c.name.to_string(), from: value(&c.from), to: value(&c.to) };
    Step {
        transition: step.mover.fires.as_ref().map(|fires| fires.name.to_string()),
        tokens: step.changes.iter().filter_map(tokens).collect(),
        mover: statement(sources, &step.mover),
        changes: step.changes.iter().map(change).collect(),
        partner: step.partner.as_ref().map(|partner| statement(sources, partner)),
        matters: reason.matters,
        causes: reason.causes.iter().map(cause).collect(),
        sends: reason.sends.clone(),
        receives: reason.receives.clone(),
    }
}

fn statement(sources: &Sources, participant: &Participant) -> Statement {
    Statement {
        process: participant.process.to_string(),
        pid: participant.pid,
        place: place(sources, participant.span),
        text: participant.text.to_string(),
    }
}

fn place(sources: &Sources, span: Span) -> Place {
    let (start, end) = sources.positions(span);
    Place {
        file: file(sources, span),
        line: start.line,
        column: start.column,
        end_line: end.line,
        end_column: end.column,
    }
}

fn tokens(change: &stubborn_ir::Change) -> Option<Tokens> {
    match (change.is_token, &change.from, &change.to) {
        (true, Value::Number(from), Value::Number(to)) => {
            Some(Tokens { token: change.name.to_string(), by: i64::from(*to) - i64::from(*from) })
        }
        _ => None,
    }
}

fn cause(cause: &Cause) -> CauseJson {
    CauseJson { step: cause.step, in_round_before: cause.in_round_before, why: cause.link.to_string() }
}

fn process(life: &Life) -> Process {
    Process { process: life.process.to_string(), pid: life.pid, created: life.born, ended: life.died }
}

fn at_end(sources: &Sources, standing: &Standing, lives: &[Life]) -> AtEnd {
    let life = &lives[standing.life];
    let wait = |obstacle: &Obstacle| Wait {
        place: place(sources, obstacle.span),
        text: obstacle.text.to_string(),
        why: obstacle.why.clone(),
    };
    AtEnd {
        process: life.process.to_string(),
        pid: life.pid,
        place: place(sources, standing.span),
        valid_end: standing.is_end,
        can_move: standing.can_move,
        goes_on: standing.goes_on,
        waits_for: standing.obstacles.iter().map(wait).collect(),
    }
}

fn value(value: &Value) -> serde_json::Value {
    match value {
        Value::Number(number) => (*number).into(),
        Value::Text(text) => text.as_str().into(),
    }
}
