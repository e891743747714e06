//! Planted faults: each must be found by the random models, or the tests are not worth much.
//!
//! For every fault, random models, and random nets where it is about nets, too, are searched, or audited where it is about infinite runs, until one shows it.
//! `STUBBORN_FAULT_SEEDS` says how many models a fault may survive; `STUBBORN_FAULT_CAMPAIGN=1` looks at all of
//! them, and tells how many show it.

use std::path::Path;
use std::sync::Arc;

use libtest_mimic::{Failed, Trial};
use stubborn_check::{AuditConfig, Cycles, Visibility, audit};
use stubborn_ir::{Interpreter, Model};
use stubborn_nets::{Bounds, ground, lower};
use stubborn_promela::load;
use stubborn_reduce::{Proviso, Purpose, Reduction, Stubborn, obstacle};
use stubborn_relations::Fault;
use stubborn_relations::siphons::has_no_dead_marking;
use stubborn_tests::environment::variable;
use stubborn_tests::generate::{Feature, Features, generate, tangle, tangle_of_timeouts};
use stubborn_tests::graph::Graph;
use stubborn_tests::nets::random::RandomNet;
use stubborn_tests::nets::reachability;
use stubborn_tests::reductions::{Case, NoFiles, compare_model, features};
use stubborn_tests::runs::Way;
use stubborn_tests::suite::Suite;
use stubborn_tests::{runs, say, workspace};

/// In models of processes.
const FAULTS: [Fault; 15] = [
    Fault::DropEnabling,
    Fault::DropConflict,
    Fault::DropProviso,
    Fault::DropVisibility,
    Fault::SafetyForLiveness,
    Fault::SkipRecolouring,
    Fault::ElseReads,
    Fault::TimeoutReads,
    Fault::UnlessReads,
    Fault::ForgetSleepSets,
    Fault::DropInvisibility,
    Fault::InnerSets,
    Fault::SetsPerNode,
    Fault::WeakForLtl,
    Fault::ForgetAnswers,
];

/// In nets.
const NET_FAULTS: [Fault; 13] = [
    Fault::DropEnabling,
    Fault::DropLeaving,
    Fault::DropConflict,
    Fault::DropProviso,
    Fault::DropVisibility,
    Fault::SumsWithoutPut,
    Fault::UnmarkedTraps,
    Fault::UpSetsWithoutTaken,
    Fault::DropInvisibility,
    Fault::SafetyForLiveness,
    Fault::SkipRecolouring,
    Fault::ForgetReach,
    Fault::WeakForLtl,
];

/// Models with more states are not audited.
const MAX_AUDITED: usize = 300;

pub(crate) fn suite() -> Suite {
    let seeds = variable("STUBBORN_FAULT_SEEDS").unwrap_or(400);
    let is_campaign = variable::<u8>("STUBBORN_FAULT_CAMPAIGN") == Some(1);
    let mut trials = Vec::new();
    for fault in FAULTS {
        let made = move |seed| of_processes(fault, seed);
        trials
            .push(Trial::test(format!("{fault:?} is found"), move || hunt(fault, seeds, is_campaign, made)));
    }
    for fault in NET_FAULTS {
        trials.push(Trial::test(format!("{fault:?} is found in nets"), move || {
            hunt(fault, seeds, is_campaign, of_net)
        }));
    }
    Suite::of(trials)
}

/// A random model of processes; none if it cannot be used.
fn of_processes(fault: Fault, seed: u64) -> Result<Option<Model>, Failed> {
    // Every other model is all cycles and conflicts.
    let text = match seed % 2 {
        0 if fault == Fault::TimeoutReads => tangle_of_timeouts(seed),
        // Cycles of random models are too short for a search inside a search to be needed.
        0 if seed == 0 && fault == Fault::InnerSets => {
            let path = workspace::model("figures/inner_search.pml");
            std::fs::read_to_string(path).map_err(|error| error.to_string())?
        }
        0 => tangle(seed),
        _ => generate(seed, made_of(fault)).render(),
    };
    Ok(load(Path::new("model.pml"), text.into(), &NoFiles, &[]).model)
}

/// A random net.
fn of_net(seed: u64) -> Result<Option<Model>, Failed> {
    let Some(random) = RandomNet::with_markings(seed, 6..=MAX_AUDITED) else { return Ok(None) };
    let net = random.net();
    let grounded = ground(&net, &Bounds::default()).map_err(|limit| limit.to_string())?;
    Ok(Some(lower(&net, &grounded).model))
}

fn hunt(
    fault: Fault,
    seeds: u64,
    is_campaign: bool,
    made: impl Fn(u64) -> Result<Option<Model>, Failed>,
) -> Result<(), Failed> {
    let mut shown = Vec::new();
    for seed in 0..seeds {
        let Some(model) = made(seed)?.filter(|model| obstacle(model).is_none()) else { continue };
        if let Some(how) = finds(fault, &model, seed) {
            shown.push((seed, how));
            if !is_campaign {
                break;
            }
        }
    }
    match shown.first() {
        Some((seed, how)) if is_campaign => {
            say::note(&format!("{fault:?}: shown by {} of {seeds}, first by {seed}: {how}", shown.len()));
            Ok(())
        }
        Some((seed, how)) => {
            say::note(&format!("{fault:?}: found with seed {seed}: {how}"));
            Ok(())
        }
        None => Err(format!("{fault:?} survives {seeds} models").into()),
    }
}

/// What random models are made of: where a fault is about one statement, mostly that.
fn made_of(fault: Fault) -> Features {
    let of = |features: &[Feature]| features.iter().fold(Features::NONE, |all, &f| all | Features::of(f));
    match fault {
        Fault::UnlessReads => of(&[Feature::Unless, Feature::BufferedChannel, Feature::Assert]),
        Fault::TimeoutReads => of(&[Feature::Timeout, Feature::BufferedChannel, Feature::Assert]),
        Fault::DropEnabling => of(&[Feature::BufferedChannel, Feature::Rendezvous, Feature::Else]),
        _ => features(),
    }
}

/// How a model shows a fault, if it does.
fn finds(fault: Fault, model: &Model, seed: u64) -> Option<String> {
    match fault {
        Fault::SafetyForLiveness => audited(fault, model, &[Proviso::LiveStack, Proviso::LiveQueue]),
        Fault::SkipRecolouring => audited(fault, model, &[Proviso::Colour, Proviso::ColourStar]),
        Fault::ForgetReach => audited(fault, model, &[Proviso::ColourReach]),
        Fault::WeakForLtl => audited(fault, model, &[Proviso::LiveStack, Proviso::Sticky]),
        Fault::DropInvisibility | Fault::InnerSets | Fault::SetsPerNode => decided(fault, model, seed),
        Fault::UnmarkedTraps => claims_no_dead_marking(fault, model),
        Fault::UpSetsWithoutTaken => reachability::compare(model, seed, Some(fault), MAX_AUDITED).err(),
        _ => compare_model(model, seed, Some(fault), |_, case| suits(fault, case)).err(),
    }
}

/// The searches in which a fault can show.
fn suits(fault: Fault, case: &Case) -> bool {
    let beam = case.plan.reduction == Reduction::Stubborn(Stubborn::BEAM);
    match fault {
        Fault::DropProviso | Fault::DropVisibility | Fault::SumsWithoutPut => {
            case.purpose != Purpose::Deadlocks && case.plan.proviso != Proviso::None
        }
        Fault::ForgetSleepSets => case.plan.reduction == Reduction::Sleep,
        _ => case.plan.proviso == Proviso::None || (beam && case.plan.proviso == Proviso::SafeFlags),
    }
}

/// Sets of steps grow while a search goes on.
fn grows(way: &Way) -> bool {
    let by_beam = way.reduction == Reduction::Stubborn(Stubborn::BEAM) && way.visibility == Visibility::VAndI;
    by_beam && matches!(way.proviso, Proviso::LiveStack | Proviso::Colour)
}

/// How formulas about a model show a fault.
fn decided(fault: Fault, model: &Model, seed: u64) -> Option<String> {
    let suits = |_: usize, way: &Way| match fault {
        Fault::InnerSets => way.cycles == Cycles::Nested && grows(way),
        Fault::SetsPerNode => grows(way),
        Fault::DropInvisibility => way.visibility == Visibility::VAndI,
        _ => true,
    };
    match runs::compare_own(model, Some(fault), MAX_AUDITED, suits) {
        Err(why) => Some(why),
        Ok(_) => runs::compare(model, seed, Some(fault), MAX_AUDITED, suits).err(),
    }
}

/// How the structure of a net shows a fault: there is no dead marking by it, and there is one.
fn claims_no_dead_marking(fault: Fault, model: &Model) -> Option<String> {
    let graph = Graph::build(model, MAX_AUDITED)?;
    let initial = Interpreter::new(model).initial().ok()?;
    (has_no_dead_marking(model, &initial, Some(fault)) && graph.n_deadlocks > 0)
        .then(|| format!("no dead marking by its structure, and {} there are", graph.n_deadlocks))
}

fn audited(fault: Fault, model: &Model, provisos: &[Proviso]) -> Option<String> {
    Graph::build(model, MAX_AUDITED)?;
    for &proviso in provisos {
        let config = AuditConfig {
            reduction: Some(Reduction::Stubborn(Stubborn::BEAM)),
            proviso: Some(proviso),
            fault: Some(fault),
            ..AuditConfig::default()
        };
        let report = audit(model, &config, &Arc::default()).ok()?;
        for audited in &report.audited {
            for tally in &audited.tallies {
                if let Some(violation) = tally.violations.first() {
                    return Some(format!(
                        "{} with proviso {proviso}: {}",
                        audited.combination.plan.reduction, violation.what
                    ));
                }
            }
        }
    }
    None
}
