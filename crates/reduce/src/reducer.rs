//! The steps of a state that a plan keeps.

use std::cell::RefCell;

use stubborn_ir::{InstanceId, Interpreter, Model, Prepared};
use stubborn_relations::bits::{self, Row};
use stubborn_relations::{Fault, Goal, Over, Relations, StatementId};

use crate::ample::Ample;
use crate::closure::Closure;
use crate::deletion::Deletion;
use crate::look::{Asked, Look};
use crate::plan::{Plan, Proviso, Reduction, SetSearch, Stubborn, Visibility};
use crate::question::{Question, Rules};
use crate::recall::{Recall, Recalled};
use crate::situation::{Reducible, Situation, unknown};
use crate::worth::{Effort, Worth};

/// Chooses among the steps of states.
#[derive(Debug)]
pub struct Reducer<'m> {
    relations: Relations<'m>,
    plan: Plan,
    situation: Situation,
    closure: Closure,
    deletion: Deletion,
    ample: Ample,
    /// Statements that change a proposition, among those of `n_incarnations`.
    visible: Over<Row>,
    forbidden: Over<Row>,
    nothing: Over<Row>,
    /// Where the search is to lead, if it is to lead anywhere.
    goal: Option<Goal>,
    worth: Worth,
    /// What is chosen may be a matter of what was chosen before.
    may_rest: bool,
    recall: Recall<'m>,
    /// What the search for a set that is going on has asked.
    asked: RefCell<Vec<Asked<'m>>>,
    n_incarnations: usize,
    chosen: Vec<bool>,
    /// The set chosen last, if somebody wants to look at it.
    kept: Option<Vec<u64>>,
}

/// What else a choice must satisfy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wish {
    /// Nothing.
    Nothing,
    /// It contains all visible steps, and what they bring with them.
    Visible,
    /// It contains the step with that index, and what it brings with it.
    Step(usize),
}

impl<'m> Reducer<'m> {
    /// For a model with that initial state.
    pub fn new(model: &'m Model, initial: &[u8], plan: Plan) -> Self {
        let recall = if plan.fault.is_some() { Recall::at_once() } else { Recall::default() };
        Reducer {
            relations: Relations::new(model, initial, plan.fault),
            plan,
            situation: Situation::default(),
            closure: Closure::default(),
            deletion: Deletion::default(),
            ample: Ample::default(),
            visible: Over::default(),
            forbidden: Over::default(),
            nothing: Over::default(),
            goal: None,
            worth: Worth::default(),
            may_rest: false,
            recall,
            asked: RefCell::default(),
            n_incarnations: 0,
            chosen: Vec::new(),
            kept: None,
        }
    }

    /// Where next to nothing is left out for a while, nothing is for a longer while, if that is sound: the order of states
    /// then has a say in how many there are. So it is not for searches of several, whose order is a matter of timing.
    pub fn rest_in_vain(&mut self) {
        self.may_rest = self.plan.proviso == Proviso::None && self.plan.propositions.is_empty();
    }

    /// Keeps each set until the next one, for who looks at it.
    pub fn keep_sets(&mut self) {
        self.kept = Some(Vec::new());
    }

    /// The set behind the choice made last, with the state it was made in and what is visible
    /// there; none unless sets are kept.
    pub(crate) fn kept(&self) -> Option<(&[u64], &Situation, &Over<Row>)> {
        self.kept.as_ref().map(|set| (&**set, &self.situation, &self.visible))
    }

    /// The plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The relations, as far as they were needed.
    pub fn relations(&self) -> &Relations<'m> {
        &self.relations
    }

    /// Whether it was time to stop while relations were computed: they are coarse from then on, what rests on them is
    /// not to be used, and a search that went on to its end is not complete.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.relations.is_over()
    }

    /// Chooses among the steps that are prepared for `state`. By index; none if all are chosen.
    pub fn choose(
        &mut self,
        interpreter: &Interpreter<'m>,
        state: &[u8],
        prepared: Prepared,
        wish: Wish,
    ) -> Option<&[bool]> {
        if self.plan.goal.is_some() {
            return self.choose_toward_goal(interpreter, state, prepared);
        }
        // Ample sets have no visible steps, and those of one process: to have more is to have everything.
        let is_all = wish != Wish::Nothing && self.plan.reduction == Reduction::Ample;
        let steps = interpreter.prepared();
        let n_steps = steps.len();
        if is_all || n_steps < 2 || (self.may_rest && self.worth.is_resting()) {
            return None;
        }
        let is_told_again = wish == Wish::Nothing
            && prepared == Prepared::Steps
            && n_steps <= Recall::MOST_STEPS
            && self.relations.firings().is_none()
            && steps.iter().all(|(_, error)| error.is_none());
        let recalled = match is_told_again {
            true => self.recall.find(&self.relations, interpreter, state),
            false => Recalled::Resting,
        };
        if let Recalled::Chosen(bits) = recalled
            && self.kept.is_none()
        {
            debug_assert!(
                self.is_right(bits, interpreter, state, prepared),
                "what is recalled is what is chosen"
            );
            return self.take_recalled(bits, n_steps);
        }
        let is_noted = matches!(recalled, Recalled::Nothing(_));
        let is_part = self.choose_anew(interpreter, state, prepared, wish, is_noted).is_some();
        if let Recalled::Nothing(vacancy) = recalled {
            if self.plan.fault == Some(Fault::ForgetAnswers) {
                self.asked.get_mut().clear();
            }
            let bits = if is_part { bits_of(&self.chosen) } else { u64::MAX };
            // A choice may have made the relations grow.
            self.recall.keep(vacancy, &self.relations, self.asked.get_mut(), bits);
        }
        if self.may_rest {
            let n_chosen = if is_part { count(&self.chosen) } else { n_steps };
            self.worth.note(Effort { n_steps, n_chosen, n_closed: 0 });
        }
        is_part.then_some(&*self.chosen)
    }

    /// Puts what was chosen before into `chosen`.
    #[inline]
    fn take_recalled(&mut self, bits: u64, n_steps: usize) -> Option<&[bool]> {
        if bits == u64::MAX {
            return None;
        }
        self.chosen.clear();
        self.chosen.extend((0..n_steps).map(|step| bits >> step & 1 == 1));
        Some(&self.chosen)
    }

    /// Whether a choice that was recalled would be made again; now and then, for that takes its time.
    fn is_right(
        &mut self,
        bits: u64,
        interpreter: &Interpreter<'m>,
        state: &[u8],
        prepared: Prepared,
    ) -> bool {
        if self.plan.fault.is_some() || !self.recall.is_doubted() {
            return true;
        }
        let is_part = self.choose_anew(interpreter, state, prepared, Wish::Nothing, false).is_some();
        bits == if is_part { bits_of(&self.chosen) } else { u64::MAX }
    }

    /// Chooses by a search for a set.
    fn choose_anew(
        &mut self,
        interpreter: &Interpreter<'m>,
        state: &[u8],
        prepared: Prepared,
        wish: Wish,
        is_noted: bool,
    ) -> Option<&[bool]> {
        self.asked.get_mut().clear();
        if !self.observe_any(interpreter, state, prepared) {
            return None;
        }
        let Reducer {
            relations,
            plan,
            situation,
            closure,
            deletion,
            ample,
            visible,
            forbidden,
            nothing,
            chosen,
            kept,
            asked,
            ..
        } = self;
        let look = Look::at(interpreter, state).noting(is_noted.then_some(asked));
        let mut question = question(relations, look, situation, [visible, forbidden, nothing]);
        let step;
        match wish {
            Wish::Nothing => {}
            Wish::Visible => question.demanded = visible,
            Wish::Step(index) => {
                step = Over::of_statement(situation.steps[index].0);
                question.demanded = &step;
            }
        }
        question.needs_invisible = plan.visibility == Visibility::VAndI
            && !visible.is_empty()
            && plan.fault != Some(Fault::DropInvisibility)
            && situation.steps.iter().any(|&step| question.is_invisible(step));
        if plan.visibility == Visibility::C2 {
            // A set with a visible step is not used at all.
            question.visible = nothing;
        }
        let set = match plan.reduction {
            Reduction::Stubborn(Stubborn { search, weak, disabling_sets }) => {
                let heuristic = search != SetSearch::Closure;
                let weak = weak || plan.fault == Some(Fault::WeakForLtl);
                question.rules = Rules { weak, disabling_sets, heuristic };
                match search {
                    SetSearch::Closure => closure.first(&question),
                    SetSearch::Beam => closure.beam(&question),
                    SetSearch::Deletion => deletion.minimal(&question),
                }
            }
            Reduction::Ample => ample.smallest(&question)?,
            Reduction::None | Reduction::TwoPhase(_) | Reduction::Sleep => return None,
        };
        if relations.is_over() {
            return None;
        }
        if let Some(kept) = kept {
            set.clone_into(kept);
        }
        let contains = |s: StatementId| bits::contains(set, s);
        let is_forbidden = |s: StatementId| forbidden.may_contain(s);
        chosen.clear();
        for &(first, partner) in &situation.steps {
            let wanted = contains(first) || partner.is_some_and(contains);
            if wanted && (is_forbidden(first) || partner.is_some_and(is_forbidden)) {
                return None;
            }
            chosen.push(wanted);
        }
        chosen.contains(&false).then_some(&**chosen)
    }

    /// Chooses what can lead to the goal; that may be nothing.
    fn choose_toward_goal(
        &mut self,
        interpreter: &Interpreter<'m>,
        state: &[u8],
        prepared: Prepared,
    ) -> Option<&[bool]> {
        let rests = self.may_rest && self.worth.is_resting();
        if rests || !self.observe_any(interpreter, state, prepared) {
            return None;
        }
        let Reducer { relations, situation, closure, nothing, chosen, kept, goal, .. } = self;
        let goal = goal.as_ref()?;
        let question =
            question(relations, Look::at(interpreter, state), situation, [nothing, nothing, nothing]);
        // What is enabled is worth more than what is not, as in the heuristic of closures.
        let cost = |row: &Over<Row>| {
            let worth = |&(at, word): &(u32, u64)| {
                let enabled = word & situation.enabled[at as usize];
                u64::from(word.count_ones()) + 1024 * u64::from(enabled.count_ones())
            };
            row.sparse().iter().map(worth).sum()
        };
        // What has no value may have one later: the search says so, and is not complete.
        let sets = goal.up_sets(state, |expr| interpreter.holds(state, expr).unwrap_or(false), cost);
        if sets.is_empty() {
            return None;
        }
        let set = closure.of_sets(&question, &sets);
        if relations.is_over() {
            return None;
        }
        if let Some(kept) = kept {
            set.clone_into(kept);
        }
        chosen.clear();
        chosen.extend(situation.steps.iter().map(|&(first, _)| bits::contains(set, first)));
        if self.may_rest {
            let (n_steps, n_chosen) = (chosen.len(), count(chosen));
            self.worth.note(Effort { n_steps, n_chosen, n_closed: closure.n_closed });
        }
        chosen.contains(&false).then_some(&**chosen)
    }

    /// The only step that a process and those that belong to it can take, if there is exactly one
    /// and nothing else has to do with it: what two-phase algorithms call deterministic. By index
    /// among the prepared steps; of the `index`-th process that exists.
    pub fn only_step(
        &mut self,
        interpreter: &Interpreter<'m>,
        state: &[u8],
        prepared: Prepared,
        index: usize,
    ) -> Option<usize> {
        if !self.observe_any(interpreter, state, prepared) || index >= self.situation.alive.len() {
            return None;
        }
        let Reducer { relations, situation, ample, visible, nothing, kept, .. } = self;
        let question =
            question(relations, Look::at(interpreter, state), situation, [visible, visible, nothing]);
        let step = ample.only_step(&question, index).filter(|_| !relations.is_over());
        if let Some(kept) = kept {
            ample.tried().clone_into(kept);
        }
        step
    }

    /// The processes of a state that were in none before, with the values that tell them apart. What is chosen may rest
    /// on which are known, so those who are to choose alike have to learn of them alike.
    pub fn unknown(&self, interpreter: &Interpreter<'m>, state: &[u8]) -> Vec<(InstanceId, Vec<i32>)> {
        unknown(&self.relations, interpreter.layout(), state)
    }

    /// Knows of a process from now on.
    pub fn learn(&mut self, interpreter: &Interpreter<'m>, instance: InstanceId, values: &[i32]) {
        self.relations.incarnate(interpreter.layout(), instance, values);
    }

    /// Whether the steps of a state can be told to be independent at all.
    pub fn observe(&mut self, interpreter: &Interpreter<'m>, state: &[u8], prepared: Prepared) -> bool {
        interpreter.prepared().len() > 1 && self.observe_any(interpreter, state, prepared)
    }

    fn observe_any(&mut self, interpreter: &Interpreter<'m>, state: &[u8], prepared: Prepared) -> bool {
        self.relations.heed(interpreter.interrupt());
        let timeout = self.plan.fault == Some(Fault::TimeoutReads);
        let Reducer { relations, situation, .. } = self;
        if situation.observe(relations, interpreter, state, prepared, timeout) == Reducible::No {
            return false;
        }
        if self.n_incarnations != self.relations.n_incarnations() {
            self.n_incarnations = self.relations.n_incarnations();
            self.find_visible(interpreter);
        }
        // Then nothing is left out, and the search stops.
        !self.relations.is_over()
    }

    fn find_visible(&mut self, interpreter: &Interpreter<'m>) {
        self.visible = Over::default();
        self.goal = self.plan.goal.as_ref().and_then(|goal| self.relations.goal(goal));
        let n_words = self.relations.n_words();
        let mut forbidden = Vec::new();
        if !self.plan.propositions.is_empty() && self.plan.fault != Some(Fault::DropVisibility) {
            let propositions = self.plan.propositions.iter();
            let rows = propositions.map(|p| self.relations.visible(interpreter.layout(), p));
            self.visible = Over::union(n_words, rows);
        }
        if self.plan.proviso == Proviso::Sticky && self.plan.fault != Some(Fault::DropProviso) {
            forbidden.push(self.relations.sticky());
        }
        if self.plan.reduction == Reduction::Ample || self.plan.visibility == Visibility::C2 {
            // Condition C2: a visible step is taken only with all others.
            forbidden.push(self.visible.clone());
        }
        self.forbidden = Over::union(n_words, forbidden);
    }

    /// Whether two of the steps observed last accord.
    pub fn are_independent(&self, a: usize, b: usize) -> bool {
        let (first, partner) = self.situation.steps[a];
        let others = self.situation.steps[b];
        let conflicts = |s: StatementId| {
            let row = self.relations.conflicts(s);
            let has =
                |other: StatementId| other == s || row.may_contain(other) || self.same_process(s, other);
            has(others.0) || others.1.is_some_and(has)
        };
        !conflicts(first) && !partner.is_some_and(conflicts) && !self.is_over()
    }

    fn same_process(&self, a: StatementId, b: StatementId) -> bool {
        !self.relations.is_stationary(a) && self.relations.decode(a).0 == self.relations.decode(b).0
    }
}

fn count(chosen: &[bool]) -> usize {
    chosen.iter().filter(|chosen| **chosen).count()
}

/// A choice of at most 64 steps; that of all of them is something else.
fn bits_of(chosen: &[bool]) -> u64 {
    chosen.iter().rev().fold(0, |bits, &chosen| bits << 1 | u64::from(chosen))
}

fn question<'a, 'm>(
    relations: &'a Relations<'m>,
    look: Look<'a, 'm>,
    situation: &'a Situation,
    [visible, forbidden, demanded]: [&'a Over<Row>; 3],
) -> Question<'a, 'm> {
    let rules = Rules { weak: false, disabling_sets: true, heuristic: true };
    let needs_invisible = false;
    Question { relations, look, situation, visible, forbidden, demanded, needs_invisible, rules }
}

#[cfg(test)]
mod tests;
