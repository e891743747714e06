//! What a reduced search did: the steps it took in each state, and the sets it chose.

use std::collections::{BTreeMap, HashMap};

use stubborn_ir::{Interpreter, Move, Pid, ProcessTypeId, TransitionId};
use stubborn_relations::{StatementId, bits};

use crate::audit::graph::{Edge, Graph, Label, Node, Target};
use crate::audit::translate::Translation;
use crate::reducer::Reducer;
use crate::situation::Situation;

/// Statements of the processes there are, and of those that may be created. A rendezvous
/// belongs to it if either half does.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub(crate) struct Statements {
    /// Process number and transition, in order.
    existing: Vec<(Pid, TransitionId)>,
    /// Types of processes that do not exist yet.
    created: Vec<ProcessTypeId>,
}

/// A set that was chosen, with the statements that were declared visible there.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub(crate) struct StubbornSet {
    pub(crate) statements: Statements,
    pub(crate) visible: Statements,
}

impl Statements {
    fn of(
        row: impl Iterator<Item = StatementId>,
        reducer: &Reducer<'_>,
        situation: &Situation,
        interpreter: &Interpreter<'_>,
    ) -> Self {
        let relations = reducer.relations();
        let mut statements = Statements::default();
        for statement in row {
            if let Some(process) = relations.created(statement) {
                statements.created.push(process);
                continue;
            }
            let (incarnation, transition) = relations.decode(statement);
            if situation.alive.iter().any(|process| process.incarnation == incarnation) {
                let instance = relations.incarnation(incarnation).instance;
                statements.existing.push((interpreter.layout().instance(instance).pid, transition));
            }
        }
        statements.existing.sort_unstable();
        statements
    }

    /// Whether a step belongs to it, where the processes numbered below `low` are still the
    /// same that there were when the set was chosen.
    pub(crate) fn contains(&self, graph: &Graph<'_>, label: Label, low: Pid) -> bool {
        let half = |pid: Pid, transition: TransitionId| {
            if pid < low {
                self.existing.binary_search(&(pid, transition)).is_ok()
            } else {
                self.created.contains(&graph.model().transitions[transition].process)
            }
        };
        let Move { pid, transition, partner } = *graph.step(label);
        half(pid, transition) || partner.is_some_and(|(pid, with)| half(pid, with))
    }
}

/// What a search did, in terms of the whole graph.
#[derive(Debug, Default)]
pub(crate) struct Record {
    /// By state that was expanded: the steps taken there, each once, in order.
    pub(crate) taken: BTreeMap<Node, Vec<Label>>,
    /// Where sets were chosen.
    pub(crate) choices: Vec<(Node, usize)>,
    /// The sets, each once.
    pub(crate) sets: Vec<StubbornSet>,
    by_set: HashMap<StubbornSet, usize>,
    /// States that are not in the graph.
    pub(crate) n_unknown: u64,
    n_expansions: u64,
}

impl Record {
    /// Takes back steps that were tried but not followed: that lead to a state which was not expanded.
    pub(crate) fn forget_unfollowed(&mut self, graph: &Graph<'_>) {
        let expanded: Vec<Node> = self.taken.keys().copied().collect();
        for (&node, taken) in &mut self.taken {
            let leads_on = |edge: &Edge| match edge.target {
                Target::State(target) => expanded.binary_search(&target).is_ok(),
                Target::Error(_) | Target::Endless => true,
            };
            taken.retain(|&label| graph.edges_of(node, label).is_none_or(|mut edges| edges.all(leads_on)));
        }
    }

    /// The sets that were chosen in a state.
    pub(crate) fn sets_of(&self, node: Node) -> impl Iterator<Item = &StubbornSet> {
        let choices = self.choices.iter().filter(move |(at, _)| *at == node);
        choices.map(|(_, set)| &self.sets[*set])
    }
}

/// Takes down what a search does.
#[derive(Debug)]
pub struct Recorder<'a, 'm> {
    graph: &'a Graph<'m>,
    record: Record,
}

impl<'a, 'm> Recorder<'a, 'm> {
    pub(crate) fn new(graph: &'a Graph<'m>) -> Self {
        Recorder { graph, record: Record::default() }
    }

    /// A state is about to be expanded by the steps that are prepared, which were chosen by
    /// somebody who keeps the set, or not.
    pub fn expanded(&mut self, state: &[u8], interpreter: &Interpreter<'_>, chosen_by: Option<&Reducer<'_>>) {
        let Recorder { graph, record } = self;
        record.n_expansions += 1;
        let (from, to) = (interpreter.layout(), graph.layout());
        let translated = Translation { model: graph.model(), from, to }.state(state);
        let Some(node) = translated.and_then(|state| graph.find(&state)) else {
            record.n_unknown += 1;
            return;
        };
        let taken = record.taken.entry(node).or_default();
        for (step, _) in interpreter.prepared() {
            taken.extend(graph.label(&from.move_of(step)));
        }
        taken.sort_unstable();
        taken.dedup();
        let Some(reducer) = chosen_by else { return };
        let Some((set, situation, visible)) = reducer.kept() else { return };
        let set = StubbornSet {
            statements: Statements::of(bits::iter(set), reducer, situation, interpreter),
            visible: Statements::of(visible.candidates(), reducer, situation, interpreter),
        };
        let n_sets = record.sets.len();
        let index = *record.by_set.entry(set.clone()).or_insert(n_sets);
        if index == n_sets {
            record.sets.push(set);
        }
        record.choices.push((node, index));
    }

    /// Expansions so far.
    pub fn n_expansions(&self) -> u64 {
        self.record.n_expansions
    }

    pub(crate) fn finish(self) -> Record {
        self.record
    }
}
