//! Which reduction a question is answered with, and why.

use std::fmt;
use std::str::FromStr;

use stubborn_reduce::{Discipline, Plan, Proviso, Purpose, REDUCTION_SYNTAX, Reduction, Stubborn, refusal};

use crate::named::UnknownName;

/// The reduction that is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// Whatever suits the question.
    Auto,
    /// This one.
    Named(Reduction),
}

impl FromStr for Choice {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        match text {
            "auto" => Ok(Choice::Auto),
            _ => text
                .parse()
                .map(Choice::Named)
                .map_err(|unknown| UnknownName::new(format!("{unknown}; or auto"))),
        }
    }
}

/// How reductions are written.
pub fn choice_syntax() -> String {
    format!("auto, {REDUCTION_SYNTAX}")
}

/// A combination that would not be sound.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused(String);

impl Refused {
    pub(crate) fn new(why: String) -> Self {
        Refused(why)
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refused {}

/// A reduction and the reasons for it.
#[derive(Clone, PartialEq, Debug)]
pub struct Strategy {
    /// The reduction.
    pub plan: Plan,
    /// Why it was picked, or why there is none.
    pub why: String,
}

impl Strategy {
    /// Nothing is left out.
    pub(crate) fn none(why: &str) -> Self {
        Strategy { plan: Plan::none(), why: why.to_owned() }
    }
}

/// What is asked for.
pub(crate) struct Asked {
    pub(crate) choice: Choice,
    pub(crate) proviso: Option<Proviso>,
    pub(crate) discipline: Discipline,
    /// What has to be preserved.
    pub(crate) purpose: Purpose,
    /// Why a proviso that is not named must look at no order of states, if so.
    pub(crate) without_order: Option<&'static str>,
}

/// Settles how a question is answered.
pub(crate) fn settle(obstacle: Option<&str>, asked: &Asked) -> Result<Strategy, Refused> {
    let Asked { choice, proviso, discipline, purpose, without_order } = *asked;
    let (plan, mut why) = match (choice, obstacle) {
        (Choice::Named(Reduction::None), _) => {
            if proviso.is_some_and(|proviso| proviso != Proviso::None) {
                return Err(Refused("a proviso needs a reduction; use --reduction".to_owned()));
            }
            (Plan::none(), "it was asked for".to_owned())
        }
        (Choice::Named(reduction), Some(obstacle)) => {
            return Err(Refused(format!("the reduction {reduction} cannot be used: {obstacle}")));
        }
        (Choice::Auto, Some(obstacle)) => (Plan::none(), format!("no reduction can be used: {obstacle}")),
        (Choice::Auto, None) => automatic(discipline, purpose),
        (Choice::Named(reduction), None) => {
            let plan = Plan::new(reduction, default_proviso(reduction, discipline, purpose));
            (plan, "it was asked for".to_owned())
        }
    };
    let mut plan = plan;
    if let Some(proviso) = proviso
        && plan.reduction != Reduction::None
    {
        plan.proviso = proviso;
        why += "; the proviso was asked for";
    }
    if let (None, Some(reason)) = (proviso, without_order)
        && plan.proviso != Proviso::None
    {
        plan.proviso = Proviso::Sticky;
        why += &format!("; {reason}, so it is sticky steps that see to it, which look at no order");
    }
    match refusal(&plan, discipline, purpose) {
        Some(reason) => Err(Refused(reason)),
        None => Ok(Strategy { plan, why }),
    }
}

fn automatic(discipline: Discipline, purpose: Purpose) -> (Plan, String) {
    let reduction = Reduction::Stubborn(Stubborn::BEAM);
    let proviso = default_proviso(reduction, discipline, purpose);
    let why = match (purpose, discipline) {
        (Purpose::Deadlocks, _) => {
            "strong stubborn sets preserve deadlocks, and no proviso is needed for that".to_owned()
        }
        (Purpose::Safety, Discipline::Stack | Discipline::Queue) => {
            "assertions may be put off but not for ever; the terminal components of what was visited see to \
             it at the least cost"
                .to_owned()
        }
        (Purpose::Safety, Discipline::Stacks) => {
            "assertions may be put off but not for ever; each time one more state is found (C3⁻_duplicate), \
             nothing is put off for ever, whichever thread finds it"
                .to_owned()
        }
        (Purpose::Safety, Discipline::OpenList) => {
            "assertions may be put off but not for ever; where states wait in a list, the list (C2^S_q) sees \
             to it"
                .to_owned()
        }
        (Purpose::Prefixes, _) => {
            "it is a safety property: strong stubborn sets that keep visible steps in order preserve its bad \
             prefixes, with a proviso for safety"
                .to_owned()
        }
        (Purpose::Liveness, Discipline::Stack | Discipline::Stacks) => {
            "it cannot tell how often a state is repeated: strong stubborn sets that keep visible steps in \
             order preserve infinite runs; of the provisos for liveness, colours (C2^L_c*) that know how far \
             back a state leads left the fewest states of published models"
                .to_owned()
        }
        (Purpose::Liveness, Discipline::Queue | Discipline::OpenList) => {
            "it cannot tell how often a state is repeated: strong stubborn sets that keep visible steps in \
             order preserve infinite runs; in a breadth-first search the queue (C2^L_q) sees to it that \
             nothing is put off for ever"
                .to_owned()
        }
    };
    (Plan::new(reduction, proviso), why)
}

/// The proviso that suits a reduction where none is named.
fn default_proviso(reduction: Reduction, discipline: Discipline, purpose: Purpose) -> Proviso {
    match (reduction, purpose, discipline) {
        (Reduction::None | Reduction::TwoPhase(_) | Reduction::Sleep, ..) => Proviso::None,
        (_, Purpose::Deadlocks, _) => Proviso::None,
        (_, Purpose::Safety | Purpose::Prefixes, Discipline::Stack | Discipline::Queue) => Proviso::Scc,
        (_, Purpose::Safety | Purpose::Prefixes, Discipline::Stacks) => Proviso::Duplicate,
        (_, Purpose::Safety | Purpose::Prefixes, Discipline::OpenList) => Proviso::Queue,
        (_, Purpose::Liveness, Discipline::Stack) => Proviso::ColourReach,
        (_, Purpose::Liveness, Discipline::Stacks) => Proviso::Sticky,
        (_, Purpose::Liveness, Discipline::Queue | Discipline::OpenList) => Proviso::LiveQueue,
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "reduction {}, proviso {}: {}", self.plan.reduction, self.plan.proviso, self.why)
    }
}
