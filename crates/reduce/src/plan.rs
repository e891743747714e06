//! The names of reductions and provisos, as people write them.

use std::fmt;
use std::str::FromStr;

use stubborn_ir::Expr;
use stubborn_relations::Fault;

/// How states are left out because others stand for them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reduction {
    /// Nothing is left out.
    None,
    /// Stubborn sets (Laarman et al.).
    Stubborn(Stubborn),
    /// Ample sets of whole processes (Clarke et al.).
    Ample,
    /// Deterministic processes run first (Nalumasu and Gopalakrishnan).
    TwoPhase(TwoPhase),
    /// Sleep sets (Godefroid).
    Sleep,
}

/// A kind of stubborn sets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Stubborn {
    /// How they are found.
    pub search: SetSearch,
    /// Weak ones.
    pub weak: bool,
    /// With necessary disabling sets.
    pub disabling_sets: bool,
}

/// How stubborn sets are found.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SetSearch {
    /// The closure of one enabled transition.
    Closure,
    /// The best closure, found by beam search.
    Beam,
    /// What is left when as much as possible is deleted.
    Deletion,
}

/// A two-phase algorithm.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TwoPhase {
    /// The second phase takes all steps.
    Dfs2,
    /// The second phase takes the steps of processes that are not deterministic.
    Dfs3,
}

impl Stubborn {
    /// Strong stubborn sets by beam search, with disabling sets.
    pub const BEAM: Stubborn = Stubborn { search: SetSearch::Beam, weak: false, disabling_sets: true };
    /// The first strong stubborn set that is closed, with disabling sets.
    pub const CLOSURE: Stubborn = Stubborn { search: SetSearch::Closure, ..Stubborn::BEAM };
    /// Strong stubborn sets by deletion, with disabling sets.
    pub const DELETION: Stubborn = Stubborn { search: SetSearch::Deletion, ..Stubborn::BEAM };
}

impl Reduction {
    /// All there are but none.
    pub fn all() -> Vec<Reduction> {
        let mut all = vec![Reduction::Ample, Reduction::Sleep];
        all.extend([TwoPhase::Dfs2, TwoPhase::Dfs3].map(Reduction::TwoPhase));
        for search in [SetSearch::Closure, SetSearch::Beam, SetSearch::Deletion] {
            for weak in [false, true] {
                for disabling_sets in [true, false] {
                    all.push(Reduction::Stubborn(Stubborn { search, weak, disabling_sets }));
                }
            }
        }
        all
    }
}

/// What keeps steps from being put off for ever.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Proviso {
    /// Nothing.
    None,
    /// C2^S_s: some successor is not on the stack.
    Stack,
    /// C2^S_e: some successor is new or safe.
    SafeFlags,
    /// Valmari's: nothing is ignored in a terminal strongly connected component.
    Scc,
    /// C2^S_q: some successor is new or still to be expanded.
    Queue,
    /// C3^-_duplicate: some successor is new.
    Duplicate,
    /// C3_static: a sticky step is taken only with all others.
    Sticky,
    /// C2^L_s: no successor is on the stack.
    LiveStack,
    /// C2^L_c: colours.
    Colour,
    /// C2^L_c*: colours that anticipate the way back.
    ColourStar,
    /// The same, with how far back a red state leads.
    ColourReach,
    /// C2^L_q: all successors are new or still to be expanded.
    LiveQueue,
    /// C3': where a cycle is closed, all visible steps are in the set.
    C3Prime,
}

/// All provisos, in the order they are listed.
pub const PROVISOS: [Proviso; 13] = [
    Proviso::None,
    Proviso::Stack,
    Proviso::SafeFlags,
    Proviso::Scc,
    Proviso::Queue,
    Proviso::Duplicate,
    Proviso::Sticky,
    Proviso::LiveStack,
    Proviso::Colour,
    Proviso::ColourStar,
    Proviso::ColourReach,
    Proviso::LiveQueue,
    Proviso::C3Prime,
];

/// How what a property looks at is kept from changing in another order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Visibility {
    /// V: if a visible step is in the set, all visible statements are.
    V,
    /// V, and I: if an invisible step is enabled, one is in the set.
    VAndI,
    /// C2: no visible step is in the set, unless all steps are.
    C2,
}

/// What a reduction has to preserve.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Purpose {
    /// The states where nothing can move.
    Deadlocks,
    /// Also whatever a step can do: failed assertions, errors, and the propositions that become true.
    Safety,
    /// Also the order in which propositions change on finite runs: all that a safety formula can see.
    Prefixes,
    /// Also the infinite runs, up to stuttering.
    Liveness,
}

/// A reduction in all detail.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// How steps are chosen.
    pub reduction: Reduction,
    /// What keeps steps from being put off for ever.
    pub proviso: Proviso,
    /// What the property looks at.
    pub propositions: Vec<Expr>,
    /// How that is kept in order.
    pub visibility: Visibility,
    /// The only thing to be preserved is a way to a state where this holds; see [`Goal`](stubborn_relations::Goal).
    pub goal: Option<Expr>,
    /// Left out on purpose, by tests of the tests.
    pub fault: Option<Fault>,
}

impl Plan {
    /// Nothing is left out.
    pub fn none() -> Self {
        Plan::new(Reduction::None, Proviso::None)
    }

    /// For a search that is to lead to a state where this holds.
    pub fn toward(goal: Expr) -> Self {
        Plan { goal: Some(goal), ..Plan::new(Reduction::Stubborn(Stubborn::BEAM), Proviso::None) }
    }

    /// For properties that look at no proposition.
    pub fn new(reduction: Reduction, proviso: Proviso) -> Self {
        Plan {
            reduction,
            proviso,
            propositions: Vec::new(),
            visibility: Visibility::V,
            goal: None,
            fault: None,
        }
    }
}

impl fmt::Display for Reduction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reduction::None => f.write_str("none"),
            Reduction::Stubborn(stubborn) => {
                f.write_str(match stubborn.search {
                    SetSearch::Closure => "stubborn:closure",
                    SetSearch::Beam => "stubborn:beam",
                    SetSearch::Deletion => "stubborn:deletion",
                })?;
                f.write_str(if stubborn.weak { "+weak" } else { "" })?;
                f.write_str(if stubborn.disabling_sets { "" } else { "-nds" })
            }
            Reduction::Ample => f.write_str("ample"),
            Reduction::TwoPhase(TwoPhase::Dfs2) => f.write_str("two-phase:dfs2"),
            Reduction::TwoPhase(TwoPhase::Dfs3) => f.write_str("two-phase:dfs3"),
            Reduction::Sleep => f.write_str("sleep"),
        }
    }
}

/// A name that is not a reduction's or a proviso's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownName(String);

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UnknownName {}

/// How reductions are written.
pub const REDUCTION_SYNTAX: &str =
    "none, stubborn[:closure|:beam|:deletion][+weak][-nds], ample, two-phase[:dfs2|:dfs3] or sleep";

impl FromStr for Reduction {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let unknown = || UnknownName(format!("`{text}` is not a reduction; it is {REDUCTION_SYNTAX}"));
        Ok(match text {
            "none" => Reduction::None,
            "ample" => Reduction::Ample,
            "sleep" => Reduction::Sleep,
            "two-phase" | "two-phase:dfs2" => Reduction::TwoPhase(TwoPhase::Dfs2),
            "two-phase:dfs3" => Reduction::TwoPhase(TwoPhase::Dfs3),
            _ => {
                let rest = text.strip_prefix("stubborn").ok_or_else(unknown)?;
                let (rest, disabling_sets) = match rest.strip_suffix("-nds") {
                    Some(rest) => (rest, false),
                    None => (rest, true),
                };
                let (rest, weak) = match rest.strip_suffix("+weak") {
                    Some(rest) => (rest, true),
                    None => (rest, false),
                };
                let search = match rest {
                    "" | ":beam" => SetSearch::Beam,
                    ":closure" => SetSearch::Closure,
                    ":deletion" => SetSearch::Deletion,
                    _ => return Err(unknown()),
                };
                Reduction::Stubborn(Stubborn { search, weak, disabling_sets })
            }
        })
    }
}

impl fmt::Display for Proviso {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Proviso::None => "none",
            Proviso::Stack => "stack",
            Proviso::SafeFlags => "safe-flags",
            Proviso::Scc => "scc",
            Proviso::Queue => "queue",
            Proviso::Duplicate => "duplicate",
            Proviso::Sticky => "sticky",
            Proviso::LiveStack => "live-stack",
            Proviso::Colour => "colour",
            Proviso::ColourStar => "colour-star",
            Proviso::ColourReach => "colour-reach",
            Proviso::LiveQueue => "live-queue",
            Proviso::C3Prime => "c3-prime",
        })
    }
}

impl FromStr for Proviso {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        PROVISOS.into_iter().find(|proviso| proviso.to_string() == text).ok_or_else(|| {
            let names = PROVISOS.map(|proviso| proviso.to_string()).join(", ");
            UnknownName(format!("`{text}` is not a proviso; it is one of {names}"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        let all = [Reduction::None].into_iter().chain(Reduction::all());
        for reduction in all {
            assert_eq!(reduction.to_string().parse(), Ok(reduction));
        }
        for proviso in PROVISOS {
            assert_eq!(proviso.to_string().parse(), Ok(proviso));
        }
        assert_eq!("stubborn".parse(), Ok(Reduction::Stubborn(Stubborn::BEAM)));
        assert_eq!("two-phase".parse(), Ok(Reduction::TwoPhase(TwoPhase::Dfs2)));
        assert!("stubborn:best".parse::<Reduction>().is_err());
        assert!("stubborn-nds+weak".parse::<Reduction>().is_err());
        assert!("cycle".parse::<Proviso>().is_err());
    }
}
