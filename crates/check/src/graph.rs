//! A small state space as a graph: its states, the edges between them, and what a reduction leaves out.
//!
//! First the model is searched with the reduction, and the steps taken in each state are noted. Then all states
//! are visited, nearest first: what the search did not take or visit is there, but marked. An atomic run is one
//! edge, for the states inside it are no states of the system.
//!
//! Invariant: what the search visited is all there. Of the rest, and of everything if nothing is left out, there
//! are no more states than were asked for.

mod layers;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use stubborn_ir::{
    Edge, Interpreter, Model, Move, Outcome, RuntimeErrorKind, Step, TransitionId, Value, Valued,
};
use stubborn_reduce::{Plan, Purpose, Reduction};
use stubborn_search::{End, Expanded, Found, Incomplete, Observer, Progress, search};
use stubborn_trail::{Waiting, waiting};

pub use layers::{Drawing, Extent, Line, Point, layered, layered_in};

use crate::config::{Config, Job};
use crate::strategy::{Refused, Strategy};

/// States and edges; the first state is the initial one.
#[derive(Clone, Debug)]
pub struct Graph {
    /// States, nearest first.
    pub states: Vec<GraphState>,
    /// Edges, by the state they leave.
    pub edges: Vec<GraphEdge>,
    /// How states were left out.
    pub strategy: Strategy,
}

impl Graph {
    /// Whether some states are not there, because they are too many.
    pub fn is_cut(&self) -> bool {
        self.states.iter().any(|state| state.is_cut)
    }
}

/// A state of a graph.
#[derive(Clone, Debug)]
pub struct GraphState {
    /// How it goes on.
    pub kind: StateKind,
    /// The search visits it.
    pub is_visited: bool,
    /// The search takes all its steps.
    pub is_full: bool,
    /// Some states it leads to are not there.
    pub is_cut: bool,
    /// Where the processes are, by number.
    pub processes: Vec<Waiting>,
    /// The values of its variables, in order of declaration.
    pub values: Vec<Valued>,
}

/// How a state goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StateKind {
    /// Something can move.
    Alive,
    /// Nothing can, and nothing has to.
    End,
    /// Nothing can, but something should.
    Deadlock,
}

/// An edge of a graph.
#[derive(Clone, Debug)]
pub struct GraphEdge {
    /// The state it leaves.
    pub from: usize,
    /// Where it leads.
    pub to: GraphTarget,
    /// Its steps: one, or those of an atomic run.
    pub steps: Vec<String>,
    /// An assertion fails on the way.
    pub fails: bool,
    /// The search takes it.
    pub is_taken: bool,
}

/// Where an edge leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GraphTarget {
    /// To a state.
    State(usize),
    /// Its last step fails.
    Error(RuntimeErrorKind),
    /// Nowhere: the run repeats itself for ever.
    Endless,
}

/// Why there is no graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoGraph {
    /// The reduction would not be sound.
    Refused(Refused),
    /// There is no initial state.
    NoInitialState(RuntimeErrorKind),
    /// There are too many states.
    TooMany(usize),
    /// It was not finished.
    Incomplete(Incomplete),
}

impl fmt::Display for NoGraph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoGraph::Refused(why) => why.fmt(f),
            NoGraph::NoInitialState(kind) => write!(f, "there is no initial state: {kind}"),
            NoGraph::TooMany(max) => {
                write!(f, "more than {max} states are visited; allow more with --max")
            }
            NoGraph::Incomplete(why) => write!(f, "incomplete: {why}"),
        }
    }
}

impl std::error::Error for NoGraph {}

/// The graph of a model, with about `max` states.
pub fn graph(model: &Model, config: &Config, max: usize, job: Job<'_>) -> Result<Graph, NoGraph> {
    let strategy = config.strategy(model, Purpose::Deadlocks).map_err(NoGraph::Refused)?;
    let cancel = job.cancel.clone();
    let (mut interpreter, taken) = match strategy.plan.reduction {
        Reduction::None => (Interpreter::new(model), None),
        _ => {
            let (interpreter, taken) = reduced(model, config, &strategy.plan, max, job)?;
            (interpreter, Some(taken))
        }
    };
    interpreter.set_interrupt(move || cancel.load(Ordering::Relaxed));
    let initial = interpreter.initial().map_err(NoGraph::NoInitialState)?;
    let mut build = Build { interpreter, taken, max, numbers: BTreeMap::new(), found: VecDeque::new() };
    build.number(&initial);
    let mut graph = Graph { states: Vec::new(), edges: Vec::new(), strategy };
    while let Some(state) = build.found.pop_front() {
        build.expand(&state, &mut graph)?;
    }
    Ok(graph)
}

/// The steps taken in each state that was visited.
type Taken = BTreeMap<Vec<u8>, BTreeSet<Step>>;

/// Searches with the reduction.
fn reduced<'m>(
    model: &'m Model,
    config: &Config,
    plan: &Plan,
    max: usize,
    job: Job<'_>,
) -> Result<(Interpreter<'m>, Taken), NoGraph> {
    let mut watch = Watch { taken: Taken::new(), max, progress: &mut *job.progress };
    let order = config.order_for(Purpose::Deadlocks);
    let found = search(model, order, plan, &config.limits(&job.cancel), &mut watch);
    let (exploration, end) = found.map_err(NoGraph::NoInitialState)?;
    match end {
        End::Exhausted => {
            // A state whose steps are all asleep is visited too.
            exploration.for_each_state(|state| {
                watch.taken.entry(trimmed(state).to_vec()).or_default();
            });
            Ok((exploration.into_interpreter(), watch.taken))
        }
        End::Stopped => Err(NoGraph::TooMany(max)),
        End::Incomplete(why) => Err(NoGraph::Incomplete(why)),
    }
}

/// Notes which steps a search takes.
struct Watch<'a> {
    taken: Taken,
    max: usize,
    progress: &'a mut dyn FnMut(&Progress),
}

impl Observer for Watch<'_> {
    fn violation(&mut self, _: Found<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn progress(&mut self, progress: &Progress) {
        (self.progress)(progress);
    }

    fn watches_expansions(&self) -> bool {
        true
    }

    fn expanded(&mut self, expanded: &Expanded<'_, '_>) -> ControlFlow<()> {
        let steps = expanded.interpreter.prepared().iter().map(|(step, _)| *step);
        self.taken.entry(trimmed(expanded.bytes).to_vec()).or_default().extend(steps);
        if self.taken.len() > self.max { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

struct Build<'m> {
    interpreter: Interpreter<'m>,
    /// None if nothing is left out.
    taken: Option<Taken>,
    max: usize,
    numbers: BTreeMap<Vec<u8>, usize>,
    found: VecDeque<Vec<u8>>,
}

impl Build<'_> {
    /// The number of a state, a new one if it is new; none if there are enough.
    fn number(&mut self, state: &[u8]) -> Option<usize> {
        let state = trimmed(state);
        if let Some(&number) = self.numbers.get(state) {
            return Some(number);
        }
        let number = self.numbers.len();
        if number >= self.max && !self.is_visited(state) {
            return None;
        }
        self.numbers.insert(state.to_vec(), number);
        self.found.push_back(state.to_vec());
        Some(number)
    }

    /// Whether the reduced search visits a state; no state is told apart if nothing is left out.
    fn is_visited(&self, state: &[u8]) -> bool {
        self.taken.as_ref().is_some_and(|taken| taken.contains_key(state))
    }

    /// Adds a state, whose number is next, and what leaves it.
    fn expand(&mut self, state: &[u8], graph: &mut Graph) -> Result<(), NoGraph> {
        let from = graph.states.len();
        let mut padded = state.to_vec();
        padded.resize(self.interpreter.layout().size(), 0);
        let (edges, alive) = self.edges(&padded)?;
        let model = self.interpreter.model();
        let taken = self.taken.as_ref().map(|taken| taken.get(state));
        let is_taken = |step: &Step| taken.is_none_or(|steps| steps.is_some_and(|all| all.contains(step)));
        let kind = match alive {
            true => StateKind::Alive,
            false if self.interpreter.is_valid_end(&padded) => StateKind::End,
            false => StateKind::Deadlock,
        };
        let layout = self.interpreter.layout();
        let mut described = GraphState {
            kind,
            is_visited: taken.is_none_or(|steps| steps.is_some()),
            is_full: edges.iter().all(|edge| is_taken(&edge.steps[0])),
            is_cut: false,
            processes: if model.net.is_some() { Vec::new() } else { waiting(&self.interpreter, &padded) },
            values: values(model, layout, &padded),
        };
        let mut leaving: Vec<(GraphEdge, Option<Vec<u8>>)> = Vec::new();
        for edge in edges {
            let tell = |step: &Step| told(model, &layout.move_of(step));
            let edge_to = |to| GraphEdge {
                from,
                to,
                steps: edge.steps.iter().map(tell).collect(),
                fails: edge.fails,
                is_taken: is_taken(&edge.steps[0]),
            };
            leaving.push(match &edge.end {
                Ok(target) => (edge_to(GraphTarget::State(0)), Some(target.clone())),
                Err(target) => (edge_to(*target), None),
            });
        }
        for (mut edge, target) in leaving {
            if let Some(target) = target {
                let Some(number) = self.number(&target) else {
                    described.is_cut = true;
                    continue;
                };
                edge.to = GraphTarget::State(number);
            }
            graph.edges.push(edge);
        }
        graph.states.push(described);
        Ok(())
    }

    /// What leaves a state, and whether something could.
    fn edges(&mut self, state: &[u8]) -> Result<(Vec<Leaving>, bool), NoGraph> {
        let mut edges = Vec::new();
        let mut is_cut_off = false;
        let expansion = self.interpreter.successors(state, |edge: Edge<'_>| {
            let end = match edge.outcome {
                Outcome::State(target) => Ok(target.to_vec()),
                Outcome::Error(error) => Err(GraphTarget::Error(error.kind)),
                Outcome::Endless => Err(GraphTarget::Endless),
                Outcome::CutOff => {
                    is_cut_off = true;
                    return ControlFlow::Break(());
                }
            };
            edges.push(Leaving { steps: edge.steps.to_vec(), fails: !edge.failed.is_empty(), end });
            ControlFlow::Continue(())
        });
        match (is_cut_off, expansion.stopped) {
            (true, _) => Err(NoGraph::Incomplete(Incomplete::CutOff)),
            (_, true) => Err(NoGraph::Incomplete(Incomplete::Cancelled)),
            _ => Ok((edges, expansion.alive)),
        }
    }
}

/// The values of a state; of a net, what is in the places that are not empty.
fn values(model: &Model, layout: &stubborn_ir::Layout, state: &[u8]) -> Vec<Valued> {
    let Some(net) = &model.net else { return layout.values(model, state) };
    let marking = net.marking(state);
    let places = net.places.iter().zip(&marking.0).filter(|(_, tokens)| !tokens.is_empty());
    let valued = places.map(|(place, tokens)| Valued {
        name: place.name.clone(),
        value: Value::Text(place.show(tokens).into()),
        bytes: 0..0,
    });
    valued.collect()
}

/// An edge as it is found.
struct Leaving {
    steps: Vec<Step>,
    fails: bool,
    end: Result<Vec<u8>, GraphTarget>,
}

/// `P(1): x = 2`; of a rendezvous both halves; of a net the firing.
fn told(model: &Model, made: &Move) -> String {
    let name = |transition| &model.processes[model.transitions[transition].process].name;
    let text = |transition: TransitionId| &model.transitions[transition].origin.text;
    let Move { pid, transition: t, partner } = *made;
    match partner {
        Some((with, r)) => {
            format!("{}({pid}) → {}({with}): {} → {}", name(t), name(r), text(t), text(r))
        }
        None if model.net.is_some() => text(t).to_string(),
        None => format!("{}({pid}): {}", name(t), text(t)),
    }
}

/// A state without the zeros at its end, so that it does not tell how much room there was.
fn trimmed(state: &[u8]) -> &[u8] {
    &state[..state.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1)]
}
