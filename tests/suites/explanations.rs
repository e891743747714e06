//! What a trail rests on: small models whose causes are known, and random ones, where the steps that matter must
//! lead to the violation by themselves.
//!
//! `STUBBORN_EXPLAIN_SEEDS` says how many models, `STUBBORN_EXPLAIN_START` the first.

#[path = "explanations/known.rs"]
mod known;

use std::ops::AddAssign;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use stubborn_check::{
    Choice, Config, Explanation, Job, Order, Property, PropertyKind, Reduction, Trail, check, explain,
    properties,
};
use stubborn_ir::{Model, Move, Violation};
use stubborn_promela::load;
use stubborn_tests::campaign::Campaign;
use stubborn_tests::reductions::NoFiles;
use stubborn_tests::say;
use stubborn_trail::replay;

/// Larger models are left alone.
const MEMORY: usize = 4 << 20;

fn main() -> ExitCode {
    let campaign = Campaign { name: "EXPLAIN", seeds: 240, decide, decide_own, report };
    campaign.run_with(known::trials())
}

/// What a run came to.
#[derive(Clone, Copy, Default)]
struct Tally {
    trails: u64,
    /// Of which the part that matters was made alone, and how many steps that left out of how many.
    sliced: u64,
    dropped: u64,
    steps: u64,
    messages: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.trails += other.trails;
        self.sliced += other.sliced;
        self.dropped += other.dropped;
        self.steps += other.steps;
        self.messages += other.messages;
    }
}

/// The run must have had something to leave out.
fn report(tally: &Tally) -> ExitCode {
    let Tally { trails, sliced, dropped, steps, messages } = *tally;
    say::note(&format!(
        "explanations: {trails} trails with {messages} messages; {sliced} made by what matters alone, without \
         {dropped} of {steps} steps"
    ));
    if sliced * 5 < trails || dropped * 20 < steps || messages * 4 < trails {
        say::note(
            "explanations: a fifth to be sliced, 5% of their steps left out, and a message in every fourth trail are asked for",
        );
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

fn decide_own(text: &str) -> Result<(), String> {
    decide(text, 0).map(drop)
}

fn decide(text: &str, seed: u64) -> Result<Tally, String> {
    let mut tally = Tally::default();
    let Some(model) = load(Path::new("model.pml"), text.into(), &NoFiles, &[]).model else {
        return Ok(tally);
    };
    for property in properties(&model) {
        // Depth first and as found: with a lot that does not matter.
        let order = if seed % 4 == 0 { Order::BreadthFirst } else { Order::DepthFirst };
        let config = Config {
            order: Some(order),
            reduction: Choice::Named(Reduction::None),
            memory: MEMORY,
            ..Config::default()
        };
        let Some(trail) = violation(&model, &property, &config) else { continue };
        let explanation = explain(&model, &property, &trail).map_err(|error| error.to_string())?;
        is_consistent(&trail, &explanation).map_err(|why| format!("{}: {why}", property.name))?;
        tally.trails += 1;
        tally.messages += explanation.messages.len() as u64;
        if property.kind == PropertyKind::Assertion && can_be_sliced(&model) && trail.steps.len() > 1 {
            tally.sliced += 1;
            tally.steps += trail.steps.len() as u64;
            tally.dropped += slice(&model, &trail, &explanation)? as u64;
        }
    }
    Ok(tally)
}

fn violation(model: &Model, property: &Property, config: &Config) -> Option<Trail> {
    let job = Job { cancel: Arc::default(), progress: &mut |_| {} };
    let mut results = check(model, std::slice::from_ref(property), config, job).ok()?;
    results.pop()?.trail
}

/// Everything is told of something that is there, causes before what they cause.
fn is_consistent(trail: &Trail, explanation: &Explanation) -> Result<(), String> {
    if explanation.steps.len() != trail.steps.len() {
        return Err(format!("{} of {} steps are explained", explanation.steps.len(), trail.steps.len()));
    }
    for (i, (reason, step)) in explanation.steps.iter().zip(&trail.steps).enumerate() {
        let life = explanation.lives.get(reason.life).ok_or("a step of nobody")?;
        let is_alive = life.born.is_none_or(|born| born < i) && life.died.is_none_or(|died| died >= i);
        if life.pid != step.mover.pid || life.process != step.mover.process || !is_alive {
            return Err(format!("step {i} is told to be of {life:?}"));
        }
        for cause in &reason.causes {
            let in_cycle = trail.prefix..trail.steps.len();
            let is_right = match cause.in_round_before {
                true => cause.step >= i && in_cycle.contains(&cause.step) && in_cycle.contains(&i),
                false => cause.step < i,
            };
            if !is_right {
                return Err(format!("step {i} rests on {cause:?}"));
            }
            if reason.matters && !explanation.steps[cause.step].matters {
                return Err(format!("step {i} matters, but not {cause:?}"));
            }
        }
    }
    for (i, message) in explanation.messages.iter().enumerate() {
        let is_sent = explanation.steps[message.sent].sends.contains(&i);
        let is_received = message
            .received
            .is_none_or(|step| step >= message.sent && explanation.steps[step].receives.contains(&i));
        if !is_sent || !is_received {
            return Err(format!("nobody knows of {message:?}"));
        }
    }
    Ok(())
}

/// Not if who moved last can be asked, or if somebody who does not matter may hold on to control.
fn can_be_sliced(model: &Model) -> bool {
    model.last_pid.is_none() && !model.transitions.iter().any(|transition| transition.atomic)
}

/// Makes only the steps that matter. Returns how many do not.
fn slice(model: &Model, trail: &Trail, explanation: &Explanation) -> Result<usize, String> {
    if !matches!(trail.violation, Violation::FailedAssertion(_) | Violation::Error(_)) {
        return Ok(0);
    }
    let steps = trail.steps.iter().zip(&explanation.steps);
    let kept: Vec<Move> = steps.filter(|(_, reason)| reason.matters).map(|(step, _)| step.made).collect();
    match replay(model, &kept, trail.violation) {
        Ok(_) => Ok(trail.steps.len() - kept.len()),
        Err(error) => {
            let told = trail.steps.iter().zip(&explanation.steps).map(|(step, reason)| {
                let mark = if reason.matters { ' ' } else { '·' };
                format!("{mark} {}({}) {}", step.mover.process, step.mover.pid, step.mover.text)
            });
            let told: Vec<String> = told.collect();
            Err(format!("what matters does not replay: {error}\n{}", told.join("\n")))
        }
    }
}
