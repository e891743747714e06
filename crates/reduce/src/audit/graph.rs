//! The whole state graph of a small model, by the reference semantics alone.
//!
//! What a transition is to the theory is an edge here: a step, or the atomic run that it
//! begins, under the label of its first step. Labels name processes by their numbers, so
//! they mean the same in every search. Runs have choices to make, so one label may lead to
//! several outcomes; failed assertions and errors are part of an outcome.

use std::collections::HashMap;
use std::ops::{ControlFlow, Range};

use stubborn_ir::Pid;
use stubborn_ir::{
    Effect, Expr, Interpreter, Layout, Model, Move, Outcome, RuntimeError, RuntimeErrorKind, Step,
    TransitionId,
};

/// A state of the graph.
pub(crate) type Node = u32;

/// A first step, interned.
pub(crate) type Label = u32;

/// Where an edge leads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Target {
    /// To a state.
    State(Node),
    /// To an error, interned.
    Error(u32),
    /// Nowhere.
    Endless,
}

/// An edge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) label: Label,
    pub(crate) target: Target,
    /// Assertions that fail on the way, interned; 0 is none.
    pub(crate) failed: u32,
    /// The fewest processes there are on the way: those with higher numbers are gone.
    pub(crate) low: Pid,
}

/// Why the graph is not the whole one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cut {
    /// More states than the limit.
    Limit,
    /// An atomic run or a `d_step` was too long.
    Run,
}

/// A state graph.
#[derive(Debug)]
pub(crate) struct Graph<'m> {
    interpreter: Interpreter<'m>,
    /// Without trailing zeros.
    states: Vec<Box<[u8]>>,
    known: HashMap<Box<[u8]>, Node>,
    edges: Vec<Edge>,
    /// By state: its edges, if all of them are known.
    ranges: Vec<Option<Range<usize>>>,
    /// By state: where it was found first, and by which edge.
    parents: Vec<(Node, usize)>,
    labels: Vec<Move>,
    by_move: HashMap<Move, Label>,
    errors: Vec<RuntimeError>,
    failures: Vec<Vec<TransitionId>>,
    cut: Option<Cut>,
}

/// An edge as it is found, before it is interned.
struct Raw {
    step: Step,
    target: Result<Vec<u8>, Option<RuntimeError>>,
    failed: Vec<TransitionId>,
    low: Pid,
}

impl<'m> Graph<'m> {
    /// The graph of a model, as far as `limit` states go.
    pub(crate) fn build(model: &'m Model, limit: usize) -> Result<Self, RuntimeErrorKind> {
        let mut interpreter = Interpreter::new(model);
        let initial = trimmed(&interpreter.initial()?);
        let mut graph = Graph {
            interpreter,
            states: vec![initial.clone()],
            known: HashMap::from([(initial, 0)]),
            edges: Vec::new(),
            ranges: Vec::new(),
            parents: vec![(0, 0)],
            labels: Vec::new(),
            by_move: HashMap::new(),
            errors: Vec::new(),
            failures: vec![Vec::new()],
            cut: None,
        };
        while graph.ranges.len() < graph.states.len() {
            if graph.states.len() > limit {
                graph.cut = Some(Cut::Limit);
                graph.ranges.resize(graph.states.len(), None);
                break;
            }
            graph.expand();
        }
        Ok(graph)
    }

    fn expand(&mut self) {
        let node = self.ranges.len() as Node;
        let state = self.bytes(node);
        let model = self.interpreter.model();
        let n_processes = Model::num_processes_slot().read(&state);
        let mut found = Vec::new();
        let mut cut_off = false;
        self.interpreter.successors(&state, |edge| {
            let target = match edge.outcome {
                Outcome::State(target) => Ok(target.to_vec()),
                Outcome::Error(error) => Err(Some(*error)),
                Outcome::Endless => Err(None),
                Outcome::CutOff => {
                    cut_off = true;
                    return ControlFlow::Continue(());
                }
            };
            let mut failed: Vec<TransitionId> = edge.failed.iter().map(|f| f.transition).collect();
            failed.sort_unstable();
            let low = fewest_processes(model, edge.steps, n_processes);
            found.push(Raw { step: edge.steps[0], target, failed, low });
            ControlFlow::Continue(())
        });
        let start = self.edges.len();
        for raw in found {
            let label = self.intern_move(self.interpreter.layout().move_of(&raw.step));
            let target = match raw.target {
                Ok(state) => Target::State(self.intern_state(node, &state)),
                Err(None) => Target::Endless,
                Err(Some(error)) => Target::Error(intern(&mut self.errors, error)),
            };
            let failed = intern(&mut self.failures, raw.failed);
            self.edges.push(Edge { label, target, failed, low: raw.low });
        }
        if cut_off {
            self.cut = Some(Cut::Run);
        }
        self.ranges.push((!cut_off).then_some(start..self.edges.len()));
    }

    fn intern_move(&mut self, step: Move) -> Label {
        let labels = &mut self.labels;
        *self.by_move.entry(step).or_insert_with(|| {
            labels.push(step);
            labels.len() as Label - 1
        })
    }

    fn intern_state(&mut self, parent: Node, state: &[u8]) -> Node {
        let state = trimmed(state);
        if let Some(&node) = self.known.get(&state) {
            return node;
        }
        let node = self.states.len() as Node;
        self.known.insert(state.clone(), node);
        self.states.push(state);
        self.parents.push((parent, self.edges.len()));
        node
    }

    /// The model.
    pub(crate) fn model(&self) -> &'m Model {
        self.interpreter.model()
    }

    /// Where things lie in its states.
    pub(crate) fn layout(&self) -> &Layout {
        self.interpreter.layout()
    }

    /// The semantics it was made with.
    pub(crate) fn interpreter(&mut self) -> &mut Interpreter<'m> {
        &mut self.interpreter
    }

    /// Its states, each expanded or not.
    pub(crate) fn n_states(&self) -> usize {
        self.states.len()
    }

    /// Number of labels.
    pub(crate) fn n_labels(&self) -> usize {
        self.labels.len()
    }

    /// Why it is not the whole graph, if so.
    pub(crate) fn cut(&self) -> Option<Cut> {
        self.cut
    }

    /// The bytes of a state.
    pub(crate) fn bytes(&self, node: Node) -> Vec<u8> {
        let mut state = self.states[node as usize].to_vec();
        state.resize(self.layout().size(), 0);
        state
    }

    /// The state with these bytes.
    pub(crate) fn find(&self, state: &[u8]) -> Option<Node> {
        self.known.get(&trimmed(state)).copied()
    }

    /// The edges of a state, those of one label together; none if they are not all known.
    pub(crate) fn edges(&self, node: Node) -> Option<&[Edge]> {
        self.ranges[node as usize].clone().map(|range| &self.edges[range])
    }

    /// The edges of a state with that label; none if they are not all known.
    pub(crate) fn edges_of(&self, node: Node, label: Label) -> Option<impl Iterator<Item = &Edge>> {
        self.edges(node).map(|edges| edges.iter().filter(move |edge| edge.label == label))
    }

    /// The steps that are enabled in a state, each once; none if they are not all known.
    pub(crate) fn enabled(&self, node: Node) -> Option<Vec<Label>> {
        let mut labels: Vec<Label> = self.edges(node)?.iter().map(|edge| edge.label).collect();
        labels.dedup();
        Some(labels)
    }

    /// The step a label stands for.
    pub(crate) fn step(&self, label: Label) -> &Move {
        &self.labels[label as usize]
    }

    /// The label of a step, if it is ever enabled.
    pub(crate) fn label(&self, step: &Move) -> Option<Label> {
        self.by_move.get(step).copied()
    }

    /// An error that edges lead to.
    pub(crate) fn error(&self, error: u32) -> &RuntimeError {
        &self.errors[error as usize]
    }

    /// Number of processes in a state.
    pub(crate) fn n_processes(&self, node: Node) -> Pid {
        Model::num_processes_slot().read(&self.bytes(node)) as Pid
    }

    /// The first steps of a shortest way to a state.
    pub(crate) fn way_to(&self, node: Node) -> Vec<Move> {
        let mut way = Vec::new();
        let mut node = node;
        while node != 0 {
            let (parent, edge) = self.parents[node as usize];
            way.push(*self.step(self.edges[edge].label));
            node = parent;
        }
        way.reverse();
        way
    }

    /// By state: whether a proposition holds; an error if it cannot be told somewhere.
    pub(crate) fn values(&self, proposition: &Expr) -> Result<Vec<bool>, RuntimeErrorKind> {
        let nodes = 0..self.states.len() as Node;
        nodes.map(|node| self.interpreter.holds(&self.bytes(node), proposition)).collect()
    }
}

/// Without the zeros that a state may end in.
fn trimmed(state: &[u8]) -> Box<[u8]> {
    let end = state.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    state[..end].into()
}

fn intern<T: PartialEq>(all: &mut Vec<T>, value: T) -> u32 {
    let found = all.iter().position(|known| *known == value);
    found.unwrap_or_else(|| {
        all.push(value);
        all.len() - 1
    }) as u32
}

/// The fewest processes there are while steps are taken: the last created dies first.
fn fewest_processes(model: &Model, steps: &[Step], n_processes: i32) -> Pid {
    let (mut now, mut fewest) = (n_processes, n_processes);
    for step in steps {
        for transition in [Some(step.transition), step.partner.map(|(_, with)| with)].into_iter().flatten() {
            count_processes(&model.transitions[transition].effects, &mut now);
            fewest = fewest.min(now);
        }
    }
    fewest.max(0) as Pid
}

fn count_processes(effects: &[Effect], now: &mut i32) {
    for effect in effects {
        match effect {
            Effect::Run(_) => *now += 1,
            Effect::End => *now -= 1,
            Effect::DStep(dstep) => {
                dstep.nodes.iter().flatten().for_each(|a| count_processes(&a.effects, now));
            }
            _ => {}
        }
    }
}
