//! Planted faults: each must be found by the random models, or the tests are not worth much.
//!
//! For every fault, random models are searched, or audited where it is about infinite runs, until one shows it.
//! `STUBBORN_FAULT_SEEDS` says how many models a fault may survive; `STUBBORN_FAULT_CAMPAIGN=1` looks at all of
//! them, and tells how many show it.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Arguments, Failed, Trial};
use stubborn_check::{AuditConfig, Cycles, Visibility, audit};
use stubborn_promela::load;
use stubborn_reduce::{Proviso, Purpose, Reduction, Stubborn, obstacle};
use stubborn_relations::Fault;
use stubborn_tests::environment::variable;
use stubborn_tests::generate::{Feature, Features, generate, tangle, tangle_of_timeouts};
use stubborn_tests::graph::Graph;
use stubborn_tests::reductions::{Case, NoFiles, compare, features};
use stubborn_tests::runs::Way;
use stubborn_tests::{runs, say, workspace};

const FAULTS: [Fault; 14] = [
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
];

/// Models with more states are not audited.
const MAX_AUDITED: usize = 300;

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    arguments.test_threads = Some(arguments.test_threads.unwrap_or(2));
    let seeds = variable("STUBBORN_FAULT_SEEDS").unwrap_or(400);
    let is_campaign = variable::<u8>("STUBBORN_FAULT_CAMPAIGN") == Some(1);
    let trials = FAULTS
        .map(|fault| Trial::test(format!("{fault:?} is found"), move || hunt(fault, seeds, is_campaign)));
    libtest_mimic::run(&arguments, trials.into()).exit_code()
}

fn hunt(fault: Fault, seeds: u64, is_campaign: bool) -> Result<(), Failed> {
    let mut shown = Vec::new();
    for seed in 0..seeds {
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
        if let Some(how) = finds(fault, &text, seed) {
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
fn finds(fault: Fault, text: &str, seed: u64) -> Option<String> {
    match fault {
        Fault::SafetyForLiveness => audited(fault, text, &[Proviso::LiveStack, Proviso::LiveQueue]),
        Fault::SkipRecolouring => audited(fault, text, &[Proviso::Colour, Proviso::ColourStar]),
        Fault::WeakForLtl => audited(fault, text, &[Proviso::LiveStack, Proviso::Sticky]),
        Fault::DropInvisibility | Fault::InnerSets | Fault::SetsPerNode => decided(fault, text, seed),
        _ => compare(text, seed, Some(fault), |_, case| suits(fault, case)).err(),
    }
}

/// The searches in which a fault can show.
fn suits(fault: Fault, case: &Case) -> bool {
    let beam = case.plan.reduction == Reduction::Stubborn(Stubborn::BEAM);
    match fault {
        Fault::DropProviso | Fault::DropVisibility => {
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
fn decided(fault: Fault, text: &str, seed: u64) -> Option<String> {
    let loaded = load(Path::new("model.pml"), text.into(), &NoFiles, &[]);
    let model = loaded.model.as_ref().filter(|model| obstacle(model).is_none())?;
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

fn audited(fault: Fault, text: &str, provisos: &[Proviso]) -> Option<String> {
    let loaded = load(Path::new("model.pml"), text.into(), &NoFiles, &[]);
    let model = loaded.model.as_ref().filter(|model| obstacle(model).is_none())?;
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
