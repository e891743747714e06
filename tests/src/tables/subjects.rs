//! The models, and what is to be reached on them.

use std::fmt;

use stubborn_ide::lenses::grouped;
use stubborn_search::Order;

/// A model of the corpus.
#[derive(Debug)]
pub(crate) struct Subject {
    pub(crate) name: &'static str,
    /// Its file, among the Promela models of the corpus.
    pub(crate) path: &'static str,
    /// The number of its states; unknown is none.
    pub(crate) states: Option<u64>,
    /// Why that is not what the paper says, if so.
    pub(crate) differs: Option<&'static str>,
    /// With deadlocks preserved; for those of [`EXAMPLES`], with assertions preserved.
    pub(crate) target: Target,
    /// How it is searched without reduction: depth-first, unless that takes too much memory.
    pub(crate) order: Order,
    /// Less than half a million states.
    pub(crate) is_small: bool,
}

/// How much may be left.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Target {
    /// Of a hundred states, rounded as the paper does.
    Percent(u64),
    /// States.
    States(u64),
}

use Target::{Percent, States};

impl Target {
    /// Whether so many states of so many are few enough.
    pub(crate) fn is_reached(self, states: u64, of: Option<u64>) -> Option<bool> {
        match (self, of) {
            (Percent(target), Some(of)) => Some((100.0 * states as f64 / of as f64).round() <= target as f64),
            (Percent(_), None) => None,
            (States(target), _) => Some(states <= target),
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Percent(percent) => write!(f, "{percent}%"),
            States(states) => write!(f, "{} states", grouped(*states)),
        }
    }
}

/// As the paper has it.
const fn same(name: &'static str, path: &'static str, states: u64, target: Target) -> Subject {
    let is_small = states < 500_000;
    Subject { name, path, states: Some(states), differs: None, target, order: Order::DepthFirst, is_small }
}

const fn other(
    name: &'static str,
    path: &'static str,
    states: Option<u64>,
    target: Target,
    why: &'static str,
) -> Subject {
    let is_small = matches!(states, Some(..500_000));
    Subject { name, path, states, differs: Some(why), target, order: Order::DepthFirst, is_small }
}

/// The models of table 6. The target is the better of its guard-based column and table 2's deletion.
pub(crate) const SUBJECTS: &[Subject] = &[
    Subject {
        order: Order::BreadthFirst,
        ..other(
            "garp",
            "twente/garp/garp-a/garp",
            Some(116_494_567),
            Percent(4),
            "SPIN 6.5.2 without reduction stores more than the paper says, too",
        )
    },
    same("i-protocol2", "twente/i-protocol/code/spin/i2", 14_309_427, Percent(16)),
    same("peterson4", "twente/Tests/peterson4", 12_645_068, Percent(3)),
    same("i-protocol0", "twente/i-protocol/code/spin/i0", 9_798_465, Percent(6)),
    same("brp", "twente/brp/brp.prm", 3_280_269, Percent(28)),
    same("philo", "twente/phils/philo.pml", 1_640_881, Percent(5)),
    same("sort", "twente/Tests/sort", 659_683, States(182)),
    same("i-protocol3", "twente/i-protocol/code/spin/i3", 388_929, Percent(14)),
    same("i-protocol4", "twente/i-protocol/code/spin/i4", 95_756, Percent(27)),
    other(
        "snoopy",
        "twente/Tests/snoopy",
        Some(91_920),
        Percent(9),
        "SPIN 6.5.2 stores as many states as we do",
    ),
    same("peterson3", "twente/Tests/peterson3", 45_915, Percent(8)),
    same("SMALL1", "twente/relay/SMALL1", 36_970, Percent(18)),
    same("SMALL2", "twente/relay/SMALL2", 7_496, Percent(19)),
    other(
        "X.509",
        "twente/x509/X.509.prm",
        Some(9_760),
        Percent(8),
        "SPIN 6.5.2 stores as many states as we do, and the paper's number with its optimisations",
    ),
    same("dbm", "twente/dbm/dbm.prm", 5_112, Percent(100)),
    same("smcs", "twente/smcs/smcs.promela", 5_066, Percent(7)),
];

/// Models of the paper that the corpus lacks.
pub(crate) const MISSING: &[&str] = &["p117"];

/// Models with assertions. The target is what `pan` stores with reduction after `spin -o1 -o2 -o3 -a`.
pub(crate) const EXAMPLES: &[Subject] = &[
    same("leader0", "spin-examples/leader0.pml", 41_692, States(108)),
    same("snoopy.pml", "spin-examples/snoopy.pml", 91_920, States(15_295)),
    other("pftp", "spin-examples/LTL/pftp.pml", None, States(95_241), "not a model of the paper"),
    other("sort.pml", "spin-examples/sort.pml", None, States(182), "not a model of the paper"),
];
