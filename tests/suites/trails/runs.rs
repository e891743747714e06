//! Runs that violate random formulas are shortened: they violate them still, and are never longer. Invariants have the
//! same verdict by directed search.

use std::sync::Arc;
use std::time::Duration;

use stubborn_check::{
    Choice, Config, Cycles, GUIDES, HEURISTICS, HeuristicName, Job, PropertyResult, Reduction, Verdict,
    check, properties,
};
use stubborn_ir::{Model, TemporalClaim};
use stubborn_ltl::Formula;
use stubborn_tests::follow::violates;
use stubborn_tests::graph::Graph;
use stubborn_tests::runs::{random_claims, with_claim};

/// Larger state graphs are left alone.
const MAX_STATES: usize = 200;
const BUDGET: Duration = Duration::from_millis(500);

/// What a run came to.
#[derive(Clone, Copy, Default)]
pub(crate) struct Tally {
    pub(crate) cycles: u64,
    pub(crate) prefixes: u64,
    pub(crate) shortened: u64,
    pub(crate) invariants: u64,
}

/// Shortens what violates formulas about a model, fair and not.
pub(crate) fn compare(model: &Model, seed: u64) -> Result<Tally, String> {
    let mut tally = Tally::default();
    let Some(graph) = Graph::build(model, MAX_STATES) else { return Ok(tally) };
    let claims = random_claims(model, &graph, seed);
    for (i, claim) in claims.iter().enumerate() {
        tally.invariants += directed(model, claim, seed + i as u64)?;
        let model = with_claim(model, claim);
        let is_fair = (seed + i as u64).is_multiple_of(3);
        let reduction = [Choice::Auto, Choice::Named(Reduction::None)][i % 2];
        let cycles = [Cycles::Components, Cycles::Nested][seed as usize % 2];
        let config = Config { is_fair, reduction, cycles, ..Config::default() };
        let found = run(&model, &config)?;
        let shortened = run(&model, &Config { shorten: Some(BUDGET), ..config })?;
        judge(&model, claim, &found, &shortened, &mut tally)
            .map_err(|why| format!("{why}: {:?} over {:?}", claim.formula, claim.propositions))?;
    }
    Ok(tally)
}

/// That what a claim looks at first always holds, or never, decided with a direction and without one. Whether it was.
fn directed(model: &Model, claim: &TemporalClaim, seed: u64) -> Result<u64, String> {
    if claim.propositions.is_empty() {
        return Ok(0);
    }
    let first = if seed.is_multiple_of(2) { Formula::atom(0) } else { Formula::atom(0).negated() };
    let invariant = TemporalClaim { formula: Formula::Always(Box::new(first)), ..claim.clone() };
    let model = with_claim(model, &invariant);
    let plain = run(&model, &Config { reduction: Choice::Named(Reduction::None), ..Config::default() })?;
    let guide = GUIDES[seed as usize % GUIDES.len()];
    let heuristics = HEURISTICS.iter().filter(|&&name| name != HeuristicName::ActiveProcesses);
    let heuristic = heuristics.copied().nth(seed as usize / 5 % (HEURISTICS.len() - 1));
    let heuristic = heuristic.filter(|_| guide.is_informed());
    for reduction in [Choice::Auto, Choice::Named(Reduction::None)] {
        let config = Config { guide: Some(guide), heuristic, reduction, ..Config::default() };
        let Ok(result) = run(&model, &config) else { return Ok(0) };
        let told = || format!("{guide}, {heuristic:?}, {reduction:?}: {:?}", invariant.propositions[0]);
        if result.verdict != plain.verdict {
            return Err(format!("{}, but {} with a direction; {}", plain.verdict, result.verdict, told()));
        }
        let Some(trail) = &result.trail else { continue };
        if !violates(&model, &invariant.formula, &invariant.propositions, trail)? {
            return Err(format!("what is found does not violate it; {}", told()));
        }
    }
    Ok(1)
}

fn judge(
    model: &Model,
    claim: &TemporalClaim,
    found: &PropertyResult,
    shortened: &PropertyResult,
    tally: &mut Tally,
) -> Result<(), String> {
    if found.verdict != shortened.verdict {
        return Err(format!("{} without shortening, {} with it", found.verdict, shortened.verdict));
    }
    let (Some(before), Some(after)) = (&found.trail, &shortened.trail) else {
        return match found.verdict {
            Verdict::Violated => Err("a violation without a trail".to_owned()),
            _ => Ok(()),
        };
    };
    if before.violation != after.violation {
        return Err(format!("{} before, {} after", before.violation, after.violation));
    }
    if after.steps.len() > before.steps.len() {
        return Err(format!("{} steps become {}", before.steps.len(), after.steps.len()));
    }
    for (trail, when) in [(before, "before"), (after, "after")] {
        if !violates(model, &claim.formula, &claim.propositions, trail)? {
            return Err(format!("{when} it is shortened, it does not violate the formula"));
        }
    }
    tally.cycles += u64::from(after.cycle > 0);
    tally.prefixes += u64::from(after.cycle == 0);
    tally.shortened += u64::from(after.steps.len() < before.steps.len());
    Ok(())
}

fn run(model: &Model, config: &Config) -> Result<PropertyResult, String> {
    let claim: Vec<_> = properties(model).into_iter().filter(|property| property.claim.is_some()).collect();
    let job = Job { cancel: Arc::default(), progress: &mut |_| {} };
    Ok(check(model, &claim, config, job).map_err(|refused| refused.to_string())?.remove(0))
}
