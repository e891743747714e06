//! The steps of a state that a plan keeps.

use stubborn_ir::{Interpreter, Model, Prepared};
use stubborn_relations::bits::{self, Row};
use stubborn_relations::{Fault, Goal, Over, Relations, StatementId};

use crate::ample::Ample;
use crate::closure::Closure;
use crate::deletion::Deletion;
use crate::plan::{Plan, Proviso, Reduction, SetSearch, Stubborn, Visibility};
use crate::question::{Question, Rules};
use crate::situation::{Reducible, Situation};

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
    n_incarnations: usize,
    chosen: Vec<bool>,
    /// The set chosen last, if somebody wants to look at it.
    kept: Option<Vec<u64>>,
}

/// Whether sets that lead to a goal are worth the time they take: all steps of a state lead there, too. Where next to none
/// is left out for a while, none is for a longer while.
#[derive(Debug, Default)]
struct Worth {
    n_states: u32,
    n_steps: u32,
    n_chosen: u32,
    n_resting: u32,
}

impl Worth {
    /// So many states tell.
    const TRIED: u32 = 256;
    /// For so many states then, all steps are taken.
    const RESTS: u32 = 4096;

    fn is_resting(&mut self) -> bool {
        let rests = self.n_resting > 0;
        self.n_resting -= u32::from(rests);
        rests
    }

    fn note(&mut self, chosen: &[bool]) {
        self.n_states += 1;
        self.n_steps += chosen.len() as u32;
        self.n_chosen += chosen.iter().filter(|chosen| **chosen).count() as u32;
        if self.n_states >= Self::TRIED {
            let n_resting = if self.n_chosen > self.n_steps / 20 * 19 { Self::RESTS } else { 0 };
            *self = Worth { n_resting, ..Worth::default() };
        }
    }
}

/// What else a choice must satisfy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wish {
    /// Nothing.
    Nothing,
    /// It contains all visible steps, and what they bring with them.
    Visible,
}

impl<'m> Reducer<'m> {
    /// For a model with that initial state.
    pub fn new(model: &'m Model, initial: &[u8], plan: Plan) -> Self {
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
            n_incarnations: 0,
            chosen: Vec::new(),
            kept: None,
        }
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
        // Ample sets have no visible steps: to have all of them is to have everything.
        let is_all = wish == Wish::Visible && self.plan.reduction == Reduction::Ample;
        if is_all || !self.observe(interpreter, state, prepared) {
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
            ..
        } = self;
        let mut question = question(relations, interpreter, state, situation, [visible, forbidden, nothing]);
        if wish == Wish::Visible {
            question.demanded = visible;
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
        if self.worth.is_resting() || !self.observe_any(interpreter, state, prepared) {
            return None;
        }
        let Reducer { relations, situation, closure, nothing, chosen, kept, goal, worth, .. } = self;
        let goal = goal.as_ref()?;
        let question = question(relations, interpreter, state, situation, [nothing, nothing, nothing]);
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
        if let Some(kept) = kept {
            set.clone_into(kept);
        }
        chosen.clear();
        chosen.extend(situation.steps.iter().map(|&(first, _)| bits::contains(set, first)));
        worth.note(chosen);
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
        let question = question(relations, interpreter, state, situation, [visible, visible, nothing]);
        let step = ample.only_step(&question, index);
        if let Some(kept) = kept {
            ample.tried().clone_into(kept);
        }
        step
    }

    /// Whether the steps of a state can be told to be independent at all.
    pub fn observe(&mut self, interpreter: &Interpreter<'m>, state: &[u8], prepared: Prepared) -> bool {
        interpreter.prepared().len() > 1 && self.observe_any(interpreter, state, prepared)
    }

    fn observe_any(&mut self, interpreter: &Interpreter<'m>, state: &[u8], prepared: Prepared) -> bool {
        let timeout = self.plan.fault == Some(Fault::TimeoutReads);
        let Reducer { relations, situation, .. } = self;
        if situation.observe(relations, interpreter, state, prepared, timeout) == Reducible::No {
            return false;
        }
        if self.n_incarnations != self.relations.n_incarnations() {
            self.n_incarnations = self.relations.n_incarnations();
            self.find_visible(interpreter);
        }
        true
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
        !conflicts(first) && !partner.is_some_and(conflicts)
    }

    fn same_process(&self, a: StatementId, b: StatementId) -> bool {
        !self.relations.is_stationary(a) && self.relations.decode(a).0 == self.relations.decode(b).0
    }
}

fn question<'a, 'm>(
    relations: &'a Relations<'m>,
    interpreter: &'a Interpreter<'m>,
    state: &'a [u8],
    situation: &'a Situation,
    [visible, forbidden, demanded]: [&'a Over<Row>; 3],
) -> Question<'a, 'm> {
    let rules = Rules { weak: false, disabling_sets: true, heuristic: true };
    let needs_invisible = false;
    Question {
        relations,
        interpreter,
        state,
        situation,
        visible,
        forbidden,
        demanded,
        needs_invisible,
        rules,
    }
}
