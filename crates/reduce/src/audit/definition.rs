//! D1, D2 and V of a set that was chosen in a state, from their definitions.
//!
//! Definition 7 of Laarman et al., checked as in their §7.9: along all paths of steps that
//! are not in the set. Steps may have several outcomes, so D1 reads: if `t1 … tn`, none of
//! them in the set, and then `t` of the set lead from `s` to `s'`, then so do `t` and then
//! `t1 … tn`. All paths are covered by visiting the pairs of a state they lead to and the
//! set of what `t` and then they lead to. An error of `t` is an outcome as a state is; and
//! where errors count, an error or failed assertion on the path must still happen after `t`.

use std::collections::HashMap;
use stubborn_ir::Pid;

use crate::audit::graph::{Edge, Graph, Label, Node, Target};
use crate::audit::record::StubbornSet;
use crate::audit::report::{Condition, Tally};

/// What a set has to satisfy.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Demands {
    /// Every enabled step of the set stays enabled, not only one.
    pub(crate) strong: bool,
    /// Errors and failed assertions must not be lost.
    pub(crate) errors: bool,
    /// A visible step is taken only with all others (condition C2), not only with all
    /// visible ones.
    pub(crate) no_visible: bool,
    /// An invisible step is taken if there is one (condition I).
    pub(crate) invisible: bool,
}

/// The work that may be done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Work {
    /// States visited for one set.
    pub(crate) per_set: u64,
    /// In all.
    pub(crate) total: u64,
}

/// What was found about the sets.
#[derive(Debug)]
pub(crate) struct Tallies {
    pub(crate) d1: Tally,
    pub(crate) d2: Tally,
    pub(crate) v: Tally,
    pub(crate) i: Tally,
}

impl Tallies {
    pub(crate) fn new() -> Self {
        let conditions = [Condition::D1, Condition::D2, Condition::V, Condition::I];
        let [d1, d2, v, i] = conditions.map(Tally::new);
        Tallies { d1, d2, v, i }
    }

    /// Nothing wrong, nothing left out.
    pub(crate) fn is_clean(&self) -> bool {
        self.d1.is_clean() && self.d2.is_clean() && self.v.is_clean() && self.i.is_clean()
    }

    /// Adds what was found about other sets.
    pub(crate) fn add(&mut self, other: Tallies) {
        self.d1.add(other.d1);
        self.d2.add(other.d2);
        self.v.add(other.v);
        self.i.add(other.i);
    }

    fn cut(&mut self, why: &str) {
        self.d1.cut(why);
        self.d2.cut(why);
        self.v.cut(why);
        self.i.cut(why);
    }
}

/// A set in a state.
pub(crate) struct Inquiry<'a, 'm> {
    pub(crate) graph: &'a Graph<'m>,
    pub(crate) node: Node,
    pub(crate) set: &'a StubbornSet,
    pub(crate) demands: Demands,
    /// By proposition and state: its value.
    pub(crate) values: &'a [Vec<bool>],
}

/// A state reached by steps that are not in the set.
#[derive(Clone, Copy, Debug)]
struct Reached {
    node: Node,
    /// Processes numbered below are the same as at the start.
    low: Pid,
    /// The one before, and the step from there.
    from: Option<(usize, Label)>,
}

/// What `t` and then a path lead to: outcomes in order, each with the assertions that `t` failed.
type Outcomes = Vec<(u32, Target)>;

/// Too much work, or beyond the part of the graph that is known.
struct CutShort;

const BEYOND: &str = "the state graph is not known as far as some paths lead";
const TOO_MUCH: &str = "there are too many paths to follow all of them";

impl Inquiry<'_, '_> {
    /// Checks everything, within what may still be done.
    pub(crate) fn check(&self, work: &mut Work, tallies: &mut Tallies) {
        let (Some(enabled), before) = (self.graph.enabled(self.node), work.total) else {
            return tallies.cut(BEYOND);
        };
        tallies.d1.n_checked += 1;
        tallies.d2.n_checked += 1;
        let low = self.graph.n_processes(self.node);
        let mut left = work.per_set.min(work.total);
        let budget = left;
        let chosen: Vec<Label> =
            enabled.iter().copied().filter(|&l| self.set.statements.contains(self.graph, l, low)).collect();
        if chosen.is_empty() && !enabled.is_empty() {
            tallies.d2.violated(|| self.violation(None, "no step was chosen".to_owned()));
        }
        let result = self.follow(&chosen, &enabled, low, &mut left, tallies);
        work.total = before - (budget - left);
        if result.is_err() {
            tallies.cut(if left == 0 { TOO_MUCH } else { BEYOND });
        }
    }

    fn violation(&self, step: Option<Label>, what: String) -> crate::audit::report::Violation {
        self.graph.violation(self.node, step, what)
    }

    fn is_stubborn(&self, label: Label, low: Pid) -> bool {
        self.set.statements.contains(self.graph, label, low)
    }

    fn follow(
        &self,
        chosen: &[Label],
        enabled: &[Label],
        low: Pid,
        left: &mut u64,
        tallies: &mut Tallies,
    ) -> Result<(), CutShort> {
        let reached = self.reach(low, left)?;
        if self.nothing_gets_enabled(&reached, enabled, tallies) {
            return Ok(());
        }
        if !self.values.is_empty() {
            tallies.v.n_checked += 1;
            self.check_visibility(&reached, chosen, tallies);
            if self.demands.invisible {
                tallies.i.n_checked += 1;
                self.check_invisibility(chosen, enabled, low, tallies);
            }
        }
        let mut n_keys = 0;
        let mut prevented = None;
        for &step in chosen {
            match self.check_step(step, low, left, tallies)? {
                Ok(()) => n_keys += 1,
                Err(path) => {
                    prevented.get_or_insert((step, path));
                }
            }
        }
        if let Some((step, path)) = prevented
            && (self.demands.strong || n_keys == 0)
        {
            let step_text = self.graph.tell(step);
            let path = self.graph.tell_all(&path);
            tallies.d2.violated(|| {
                let what = if self.demands.strong {
                    format!("{step_text} was chosen, but is not possible after {path}, which was not chosen")
                } else {
                    format!(
                        "everything that was chosen can be prevented by what was not: {step_text} is not \
                         possible after {path}"
                    )
                };
                self.violation(Some(step), what)
            });
        }
        Ok(())
    }

    /// All states that are reached by steps not in the set.
    fn reach(&self, low: Pid, left: &mut u64) -> Result<Vec<Reached>, CutShort> {
        let mut reached = vec![Reached { node: self.node, low, from: None }];
        let mut known = HashMap::from([((self.node, low), 0)]);
        let mut next = 0;
        while next < reached.len() {
            spend(left)?;
            let Reached { node, low, .. } = reached[next];
            for edge in self.graph.edges(node).ok_or(CutShort)? {
                let Target::State(target) = edge.target else { continue };
                if self.is_stubborn(edge.label, low) {
                    continue;
                }
                let low = low.min(edge.low);
                known.entry((target, low)).or_insert_with(|| {
                    reached.push(Reached { node: target, low, from: Some((next, edge.label)) });
                    reached.len() - 1
                });
            }
            next += 1;
        }
        Ok(reached)
    }

    /// D1 for steps of the set that are not enabled: they must not become so. Whether one does.
    fn nothing_gets_enabled(&self, reached: &[Reached], enabled: &[Label], tallies: &mut Tallies) -> bool {
        for (i, &Reached { node, low, .. }) in reached.iter().enumerate() {
            for label in self.graph.enabled(node).unwrap_or_default() {
                if !enabled.contains(&label) && self.is_stubborn(label, low) {
                    tallies.d1.violated(|| {
                        let what = format!(
                            "{} is in the set, but becomes possible by {}, which is not",
                            self.graph.tell(label),
                            self.graph.tell_all(&path_to(reached, i))
                        );
                        self.violation(Some(label), what)
                    });
                    return true;
                }
            }
        }
        false
    }

    /// D1 and D2 for an enabled step of the set. D2 does not hold if a path is returned, after
    /// which it is not enabled.
    fn check_step(
        &self,
        step: Label,
        low: Pid,
        left: &mut u64,
        tallies: &mut Tallies,
    ) -> Result<Result<(), Vec<Label>>, CutShort> {
        let first: Outcomes = self.outcomes(self.node, step)?;
        let mut sets: Vec<Outcomes> = vec![first.clone()];
        let mut by_set = HashMap::from([(first, 0)]);
        let mut reached = vec![(Reached { node: self.node, low, from: None }, 0)];
        let mut known = HashMap::from([((self.node, low, 0), 0)]);
        let mut prevented = None;
        let mut next = 0;
        while next < reached.len() {
            spend(left)?;
            let (Reached { node, low, .. }, set) = reached[next];
            let path = || path_to(&reached.iter().map(|(r, _)| *r).collect::<Vec<_>>(), next);
            let outcomes = self.outcomes(node, step)?;
            if outcomes.is_empty() && prevented.is_none() {
                prevented = Some(path());
                if self.demands.strong {
                    break;
                }
            }
            // Which of two steps that leave no room for each other fails is a matter of order; that one does is not.
            let fails = |(_, target): &(u32, Target)| matches!(target, Target::Error(_));
            let is_kept = |outcome: &(u32, Target)| {
                sets[set].contains(outcome) || (fails(outcome) && sets[set].iter().any(fails))
            };
            if let Some(lost) = outcomes.iter().find(|outcome| !is_kept(outcome)) {
                tallies.d1.violated(|| {
                    let what = self.tell_difference(step, &path(), lost.1, &sets[0]);
                    self.violation(Some(step), what)
                });
                break;
            }
            let edges = self.graph.edges(node).ok_or(CutShort)?;
            if self.demands.errors
                && let Some(lost) = self.lost_error(edges, low, &sets[set])?
            {
                tallies.d1.violated(|| {
                    let what = format!(
                        "{} fails after {}, but no more if {} goes first, which was chosen",
                        self.graph.tell(lost.label),
                        self.graph.tell_all(&path()),
                        self.graph.tell(step)
                    );
                    self.violation(Some(step), what)
                });
                break;
            }
            for edge in edges {
                let Target::State(target) = edge.target else { continue };
                if self.is_stubborn(edge.label, low) {
                    continue;
                }
                let after = self.outcomes_after(&sets[set], edge.label)?;
                let set = *by_set.entry(after.clone()).or_insert_with(|| {
                    sets.push(after);
                    sets.len() - 1
                });
                let low = low.min(edge.low);
                known.entry((target, low, set)).or_insert_with(|| {
                    reached.push((Reached { node: target, low, from: Some((next, edge.label)) }, set));
                    reached.len() - 1
                });
            }
            next += 1;
        }
        Ok(prevented.map_or(Ok(()), Err))
    }

    /// What a step leads to.
    fn outcomes(&self, node: Node, step: Label) -> Result<Outcomes, CutShort> {
        let edges = self.graph.edges_of(node, step).ok_or(CutShort)?;
        let mut outcomes: Outcomes = edges.map(|edge| (edge.failed, edge.target)).collect();
        outcomes.sort_unstable();
        outcomes.dedup();
        Ok(outcomes)
    }

    /// What outcomes become by one more step, which may fail. Nothing comes after an error.
    fn outcomes_after(&self, outcomes: &Outcomes, label: Label) -> Result<Outcomes, CutShort> {
        let mut after = Vec::new();
        for &(failed, target) in outcomes {
            match target {
                Target::State(node) => {
                    let edges = self.graph.edges_of(node, label).ok_or(CutShort)?;
                    let goes_on = edges.filter(|edge| !matches!(edge.target, Target::Endless));
                    after.extend(goes_on.map(|edge| (failed, edge.target)));
                }
                Target::Error(_) | Target::Endless => after.push((failed, target)),
            }
        }
        after.sort_unstable();
        after.dedup();
        Ok(after)
    }

    /// A step not in the set that fails here, but not after the step of the set.
    fn lost_error<'e>(
        &self,
        edges: &'e [Edge],
        low: Pid,
        outcomes: &Outcomes,
    ) -> Result<Option<&'e Edge>, CutShort> {
        let states = || outcomes.iter().filter_map(|(_, target)| state_of(*target));
        if states().count() < outcomes.len() {
            // The step of the set fails itself.
            return Ok(None);
        }
        for edge in edges {
            let fails = edge.failed != 0 || matches!(edge.target, Target::Error(_));
            if !fails || self.is_stubborn(edge.label, low) {
                continue;
            }
            let mut kept = false;
            for node in states() {
                let same = |other: &Edge| match edge.target {
                    Target::Error(_) => other.target == edge.target,
                    Target::State(_) | Target::Endless => other.failed == edge.failed,
                };
                kept |= self.graph.edges_of(node, edge.label).ok_or(CutShort)?.any(same);
            }
            if !kept {
                return Ok(Some(edge));
            }
        }
        Ok(None)
    }

    fn tell_difference(&self, step: Label, path: &[Label], lost: Target, first: &Outcomes) -> String {
        let (step, path) = (self.graph.tell(step), self.graph.tell_all(path));
        let fails = |target: &Target| matches!(target, Target::Error(_));
        match lost {
            Target::Error(error) => {
                let kind = self.graph.error(error).kind;
                format!("{step} was chosen; after {path}, which was not, it fails ({kind}), but not before")
            }
            _ if first.iter().any(|(_, target)| fails(target)) => {
                format!("{step} was chosen; it fails, but not after {path}, which was not chosen")
            }
            _ => format!(
                "{step} was chosen, and {path} was not; but it makes a difference which of them goes first"
            ),
        }
    }

    /// I: an invisible step is chosen if one is enabled.
    fn check_invisibility(&self, chosen: &[Label], enabled: &[Label], low: Pid, tallies: &mut Tallies) {
        let is_invisible = |&&label: &&Label| !self.set.visible.contains(self.graph, label, low);
        if let Some(&step) = enabled.iter().find(is_invisible)
            && !chosen.iter().any(|label| is_invisible(&label))
        {
            let step_text = self.graph.tell(step);
            let what = format!("the property does not see {step_text}, and sees every step that was chosen");
            tallies.i.violated(|| self.violation(Some(step), what));
        }
    }

    /// V: only visible steps change the propositions, and all of them are in the set if an enabled
    /// one is.
    fn check_visibility(&self, reached: &[Reached], chosen: &[Label], tallies: &mut Tallies) {
        let sees = |label: Label, low: Pid| self.set.visible.contains(self.graph, label, low);
        let seen = chosen.iter().copied().find(|&label| sees(label, reached[0].low));
        if let Some(step) = seen.filter(|_| self.demands.no_visible) {
            let what = format!("{} was chosen, although the property sees it", self.graph.tell(step));
            tallies.v.violated(|| self.violation(Some(step), what));
            return;
        }
        for (i, &Reached { node, low, .. }) in reached.iter().enumerate() {
            for edge in self.graph.edges(node).unwrap_or_default() {
                let visible = sees(edge.label, low);
                let path = || self.graph.tell_all(&path_to(reached, i));
                let changes = state_of(edge.target).is_some_and(|target| self.changes(node, target));
                if changes && !visible {
                    tallies.v.violated(|| {
                        let step = self.graph.tell(edge.label);
                        let after = if i == 0 { String::new() } else { format!(", after {}", path()) };
                        let what =
                            format!("{step} is not declared visible, but changes a proposition{after}");
                        self.violation(Some(edge.label), what)
                    });
                    return;
                }
                if let Some(step) = seen.filter(|_| visible && !self.is_stubborn(edge.label, low)) {
                    tallies.v.violated(|| {
                        let what = format!(
                            "the property sees {}, which was chosen, and {}, which was not",
                            self.graph.tell(step),
                            self.graph.tell(edge.label)
                        );
                        self.violation(Some(step), what)
                    });
                    return;
                }
            }
        }
    }

    fn changes(&self, node: Node, target: Node) -> bool {
        self.values.iter().any(|values| values[node as usize] != values[target as usize])
    }
}

fn state_of(target: Target) -> Option<Node> {
    match target {
        Target::State(node) => Some(node),
        Target::Error(_) | Target::Endless => None,
    }
}

fn spend(left: &mut u64) -> Result<(), CutShort> {
    *left = left.checked_sub(1).ok_or(CutShort)?;
    Ok(())
}

/// The steps to something that was reached.
fn path_to(reached: &[Reached], index: usize) -> Vec<Label> {
    let mut path = Vec::new();
    let mut at = reached[index];
    while let Some((before, label)) = at.from {
        path.push(label);
        at = reached[before];
    }
    path.reverse();
    path
}
