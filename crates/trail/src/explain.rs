//! Why a trail happens: what each step rests on, and which steps the violation rests on.
//!
//! Invariant: all of it is found by making the moves again through the reference semantics. A step rests on the
//! steps that gave what it looks at its present value: the process's own step before it, the last change of each
//! variable that a guard or an effect reads, the send of a message that is received. A write that changes nothing
//! is no cause. Where it cannot be told what is read, as inside a `d_step`, more is taken to be read, never less.
//!
//! Reading order: `reads` says what a step looks at, `messages` follows messages through channels, `causes`
//! knows who wrote what, `origins` does so for tokens of nets, `matters` goes backwards from the violation, `standing` tells where everybody is at the end.

mod by_transition;
mod causes;
mod dead_marking;
mod lives;
mod matters;
mod messages;
mod origins;
mod reads;
mod standing;

use std::fmt;

use smol_str::SmolStr;
use stubborn_base::Span;
use stubborn_ir::{Claim, Model, Pid, Violation};

use crate::machine::Machine;
use crate::replay::ReplayError;
use crate::trail::{Trail, TrailStep};
use causes::Causes;
use lives::Lives;

/// Why a trail happens. Steps are told by their index.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Explanation {
    /// One for each step.
    pub steps: Vec<StepReason>,
    /// All messages, in the order they are sent.
    pub messages: Vec<Message>,
    /// All processes: those that exist from the start, then the others as they are created.
    pub lives: Vec<Life>,
    /// Where the processes are at the end, in order of their numbers.
    pub standing: Vec<Standing>,
}

/// What a step rests on, and what rests on it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StepReason {
    /// Index of the mover's life.
    pub life: usize,
    /// Index of the partner's life, in a rendezvous.
    pub partner: Option<usize>,
    /// The steps it rests on, in order; more than once if they do several things for it.
    pub causes: Vec<Cause>,
    /// The violation rests on it.
    pub matters: bool,
    /// Messages it sends, as indices.
    pub sends: Vec<usize>,
    /// Messages it receives, as indices.
    pub receives: Vec<usize>,
}

/// A step that another one rests on.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Cause {
    /// The step.
    pub step: usize,
    /// It is meant as it happened one round of the cycle earlier.
    pub in_round_before: bool,
    /// What it does for the other.
    pub link: Link,
}

/// What one step does for another.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Link {
    /// It is the process's step before.
    Order,
    /// It creates the process.
    Creation,
    /// It sends the message that is received or looked at.
    Sending,
    /// It takes the message before that one.
    Uncovering,
    /// It takes a message, so that there is room for another.
    Room,
    /// It gives a variable, or a channel, its present value.
    Value(SmolStr),
    /// It brings a process to where it is.
    Place(SmolStr),
    /// It creates or ends a process, so that there are as many as there are.
    Number,
    /// It puts a token, or as many as there are.
    Putting(SmolStr),
    /// It takes a token, so that there are no more.
    Taking(SmolStr),
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Link::Order => f.write_str("the step before"),
            Link::Creation => f.write_str("creates the process"),
            Link::Sending => f.write_str("sends the message"),
            Link::Uncovering => f.write_str("takes the message before it"),
            Link::Room => f.write_str("makes room"),
            Link::Value(name) => write!(f, "sets {name}"),
            Link::Place(process) => write!(f, "moves {process}"),
            Link::Number => f.write_str("changes the number of processes"),
            Link::Putting(token) => write!(f, "puts {token}"),
            Link::Taking(token) => write!(f, "takes {token}"),
        }
    }
}

/// A message that is sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// Name of the channel.
    pub channel: SmolStr,
    /// Its fields.
    pub text: SmolStr,
    /// The step that sends it.
    pub sent: usize,
    /// The step that receives it; the same in a rendezvous, none if it is not received.
    pub received: Option<usize>,
    /// The step of the cycle that receives it in a later round, if it is not received before.
    pub received_later: Option<usize>,
}

/// A process from its creation to its end. A number can be used again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Life {
    /// Name of the process type.
    pub process: SmolStr,
    /// Number of the process.
    pub pid: Pid,
    /// The step that creates it; none if it exists from the start.
    pub born: Option<usize>,
    /// The step that ends it.
    pub died: Option<usize>,
    /// It is a net, and there is nothing else.
    pub is_net: bool,
}

/// `P(1)`; a net has no number.
impl fmt::Display for Life {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.process)?;
        if self.is_net { Ok(()) } else { write!(f, "({})", self.pid) }
    }
}

/// Where a process is at the end of a trail, and what it waits for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Standing {
    /// Index of its life.
    pub life: usize,
    /// The statement that would come next.
    pub span: Span,
    /// Whether it may stay there for ever.
    pub is_end: bool,
    /// Whether it can move.
    pub can_move: bool,
    /// Whether it moves in the cycle.
    pub goes_on: bool,
    /// What it could do but for something.
    pub obstacles: Vec<Obstacle>,
}

/// A statement that is not possible, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Obstacle {
    /// The statement.
    pub span: Span,
    /// The statement in one line.
    pub text: SmolStr,
    /// What is in its way, such as `q is empty` or `x = 1`.
    pub why: String,
    /// The transition of a net that it is a firing of.
    pub fires: Option<SmolStr>,
}

/// A message that is not received in so many rounds of the cycle is taken not to be received.
const MAX_ROUNDS: usize = 16;

/// The same for a run that nothing is said about: no step matters.
pub fn explain_run(model: &Model, steps: &[TrailStep]) -> Result<Explanation, ReplayError> {
    let trail = Trail {
        prefix: steps.len(),
        cycle: 0,
        steps: steps.to_vec(),
        is_shortest: false,
        violation: Violation::InvalidEnd,
        waiting: Vec::new(),
    };
    let mut explanation = explain(model, None, &trail)?;
    explanation.steps.iter_mut().for_each(|step| step.matters = false);
    Ok(explanation)
}

/// Where everybody is after some steps, and who that is: the end of a run, without reasons for what led there.
pub fn standing_after(model: &Model, steps: &[TrailStep]) -> Result<(Vec<Standing>, Vec<Life>), ReplayError> {
    let mut machine = Machine::start(model).map_err(ReplayError::NoInitialState)?;
    for (i, step) in steps.iter().enumerate() {
        let found = machine.find(step.made).ok_or(ReplayError::NotEnabled { step: i, made: step.made })?;
        machine.take(found);
    }
    let lives = Lives::start(&machine.interpreter, &machine.at.state);
    let standing = standing::standing(&mut machine, &lives);
    Ok((standing, lives.finish(steps.len())))
}

/// Makes the moves of a trail again and tells what each rests on. The claim is what the trail violates, if it is
/// one of the model's.
pub fn explain(model: &Model, claim: Option<&Claim>, trail: &Trail) -> Result<Explanation, ReplayError> {
    let machine = match Machine::start(model) {
        Ok(machine) => machine,
        Err(_) if trail.steps.is_empty() => return Ok(Explanation::default()),
        Err(kind) => return Err(ReplayError::NoInitialState(kind)),
    };
    let mut causes = Causes::start(machine, claim);
    for (i, step) in trail.steps.iter().enumerate() {
        causes.make(i, step.made)?;
    }
    let standing = causes.standing();
    let stuck = causes.behind_standing(&standing);
    let n_steps = trail.steps.len();
    let n_before = n_steps - trail.cycle;
    // Once more round the cycle: what its steps rest on may have happened in the round before. And again, for
    // messages on their way.
    let mut next = n_steps;
    for round in 0..if trail.cycle > 0 { MAX_ROUNDS } else { 0 } {
        if round > 0 && !causes.has_message_on_its_way(n_steps, next - trail.cycle) {
            break;
        }
        for step in &trail.steps[n_before..] {
            causes.make(next, step.made)?;
            next += 1;
        }
    }
    let seeds = causes.watch().seeds(trail, stuck);
    let (mut steps, messages, lives) = causes.finish(n_steps, trail.cycle);
    for (i, again) in steps.split_off(n_steps).into_iter().take(trail.cycle).enumerate() {
        let before = again.causes.into_iter().filter(|cause| (n_before..n_steps).contains(&cause.step));
        let before = before.map(|cause| Cause { in_round_before: true, ..cause });
        steps[n_before + i].causes.extend(before);
    }
    matters::mark(&mut steps, seeds);
    let goes_on = |life: usize| {
        let mut cycle = steps[n_before..].iter();
        cycle.any(|step| step.life == life || step.partner == Some(life))
    };
    let tell = |standing: Standing| Standing { goes_on: goes_on(standing.life), ..standing };
    let standing = standing.into_iter().map(tell).collect();
    Ok(Explanation { steps, messages, lives, standing })
}
