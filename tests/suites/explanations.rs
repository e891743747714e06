//! What a trail rests on: small models whose causes are known, and random ones, where each step must be possible
//! after only those that it is said to rest on.
//!
//! `STUBBORN_EXPLAIN_SEEDS` says how many models, `STUBBORN_EXPLAIN_START` the first.

mod known;

use std::ops::AddAssign;
use std::path::Path;
use std::sync::Arc;

use stubborn_check::{
    Choice, Config, Explanation, Job, Life, Order, Property, Reduction, Standing, Trail, check, explain,
    properties, standing_after,
};
use stubborn_ir::{Model, Move, Violation};
use stubborn_promela::load;
use stubborn_tests::campaign::Campaign;
use stubborn_tests::reductions::NoFiles;
use stubborn_tests::say;
use stubborn_tests::suite::Suite;
use stubborn_trail::{ReplayError, replay};

/// So many steps of a trail are made alone.
const MAX_STEPS: usize = 60;
/// Larger models are left alone.
const MEMORY: usize = 4 << 20;

pub(crate) fn suite() -> Suite {
    let campaign = Campaign { name: "EXPLAIN", seeds: 240, decide, decide_own, report };
    campaign.suite_with(known::trials())
}

/// What a run came to.
#[derive(Clone, Copy, Default)]
struct Tally {
    trails: u64,
    messages: u64,
    /// Steps that were made after only those they rest on, and how many that left out of how many.
    sliced: u64,
    dropped: u64,
    steps: u64,
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
fn report(tally: &Tally) -> bool {
    let Tally { trails, sliced, dropped, steps, messages } = *tally;
    say::note(&format!(
        "explanations: {trails} trails with {messages} messages; {sliced} steps made after what they rest on \
         alone, without {dropped} of {steps} steps"
    ));
    if sliced < trails || dropped * 10 < steps || messages * 4 < trails {
        say::note(
            "explanations: a slice for each trail, a tenth left out, and a message in every fourth are asked for",
        );
        return false;
    }
    true
}

fn decide_own(text: &str) -> Result<(), String> {
    decide(text, 0).map(drop)
}

/// As it is, and without atomic sequences, so that what matters can be made alone.
fn decide(text: &str, seed: u64) -> Result<Tally, String> {
    let mut tally = decide_text(text, seed)?;
    if text.contains("atomic") {
        tally += decide_text(&text.replace("atomic", ""), seed)?;
    }
    Ok(tally)
}

fn decide_text(text: &str, seed: u64) -> Result<Tally, String> {
    let mut tally = Tally::default();
    let Some(model) = load(Path::new("model.pml"), text.into(), &NoFiles, &[]).model else {
        return Ok(tally);
    };
    for property in properties(&model) {
        // Depth first and as found: with a lot that does not matter.
        let order = if seed.is_multiple_of(4) { Order::BreadthFirst } else { Order::DepthFirst };
        let config = Config {
            order: Some(order),
            reduction: Choice::Named(Reduction::None),
            memory: MEMORY,
            ..Config::default()
        };
        let Some(trail) = violation(&model, &property, &config) else { continue };
        let explanation = explain(&model, &property, &trail).map_err(|error| error.to_string())?;
        is_consistent(&trail, &explanation).map_err(|why| format!("{}: {why}", property.name))?;
        ends_the_same(&model, &trail, &explanation).map_err(|why| format!("{}: {why}", property.name))?;
        tally.trails += 1;
        tally.messages += explanation.messages.len() as u64;
        if can_be_sliced(&model) {
            tally +=
                slices(&model, &trail, &explanation).map_err(|why| format!("{}: {why}", property.name))?;
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

/// Where everybody is at the end is told without reasons for what led there as it is with them.
fn ends_the_same(model: &Model, trail: &Trail, explanation: &Explanation) -> Result<(), String> {
    let (alone, lives) = standing_after(model, &trail.steps).map_err(|error| error.to_string())?;
    let told = |standing: &[Standing], lives: &[Life]| -> Vec<(String, Standing)> {
        let named =
            |s: &Standing| (lives[s.life].to_string(), Standing { life: 0, goes_on: false, ..s.clone() });
        standing.iter().map(named).collect()
    };
    let (alone, with_reasons) = (told(&alone, &lives), told(&explanation.standing, &explanation.lives));
    if alone == with_reasons { Ok(()) } else { Err(format!("{alone:?} stand there, not {with_reasons:?}")) }
}

/// Not if who moved last can be asked, or if somebody who does not matter may hold on to control.
fn can_be_sliced(model: &Model) -> bool {
    model.last_pid.is_none() && !model.transitions.iter().any(|transition| transition.atomic)
}

/// Makes each step after only those it rests on, and what matters to a failure without anything else.
fn slices(model: &Model, trail: &Trail, explanation: &Explanation) -> Result<Tally, String> {
    let mut tally = Tally::default();
    for last in 1..trail.steps.len().min(MAX_STEPS) {
        let needed = needed_by(explanation, last);
        let n_needed = needed.iter().filter(|&&needed| needed).count();
        tally.sliced += 1;
        tally.steps += last as u64 + 1;
        tally.dropped += (last + 1 - n_needed) as u64;
        match replay(model, &made(trail, &needed), Violation::InvalidEnd) {
            Ok(_) | Err(ReplayError::NoViolation { .. }) => {}
            // A step that fails where it stands does so here.
            Err(ReplayError::Fails { .. }) if last + 1 == trail.steps.len() => {}
            Err(error) => return Err(told(trail, &needed, &error)),
        }
    }
    if matches!(trail.violation, Violation::FailedAssertion(_) | Violation::Error(_)) {
        let matters: Vec<bool> = explanation.steps.iter().map(|reason| reason.matters).collect();
        let result = replay(model, &made(trail, &matters), trail.violation);
        result.map_err(|error| told(trail, &matters, &error))?;
    }
    Ok(tally)
}

/// A step and all that it rests on.
fn needed_by(explanation: &Explanation, last: usize) -> Vec<bool> {
    let mut needed = vec![false; last + 1];
    needed[last] = true;
    for step in (0..=last).rev() {
        if needed[step] {
            let causes = explanation.steps[step].causes.iter().filter(|cause| !cause.in_round_before);
            causes.for_each(|cause| needed[cause.step] = true);
        }
    }
    needed
}

fn made(trail: &Trail, needed: &[bool]) -> Vec<Move> {
    trail.steps.iter().zip(needed).filter(|(_, needed)| **needed).map(|(step, _)| step.made).collect()
}

fn told(trail: &Trail, needed: &[bool], error: &ReplayError) -> String {
    let steps = trail.steps.iter().zip(needed).map(|(step, needed)| {
        let mark = if *needed { ' ' } else { '·' };
        format!("{mark} {}({}) {}", step.mover.process, step.mover.pid, step.mover.text)
    });
    let steps: Vec<String> = steps.collect();
    format!("what is needed does not replay: {error}\n{}", steps.join("\n"))
}
