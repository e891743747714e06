//! The whole state graph of a small model, built by the reference semantics alone: what reduced searches
//! are compared with.

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;

use stubborn_ir::{Expr, Interpreter, Model, Outcome, RuntimeErrorKind, TransitionId};

/// A state graph.
pub struct Graph<'m> {
    interpreter: Interpreter<'m>,
    /// States, without trailing zeros.
    pub states: Vec<Vec<u8>>,
    /// By state: where its edges lead.
    pub edges: Vec<Vec<usize>>,
    /// By state: whether nothing can move.
    pub is_dead: Vec<bool>,
    /// States where nothing can move that are not valid ends.
    pub deadlocks: BTreeSet<Vec<u8>>,
    /// How many there are.
    pub n_deadlocks: usize,
    /// Transitions whose assertion fails.
    pub failed: BTreeSet<TransitionId>,
    /// Some run ends in an error.
    pub has_errors: bool,
    /// Some atomic sequence never ends.
    pub has_endless: bool,
}

/// A state without what depends on the order of the search: frames by process number, whatever their
/// offsets. The numbers of channels that processes create are left out with the types that have some.
pub fn canonical(interpreter: &Interpreter<'_>, state: &[u8]) -> Vec<u8> {
    let model = interpreter.model();
    let mut wide = state.to_vec();
    wide.resize(interpreter.layout().size(), 0);
    let has_channels = model.processes.iter().any(|ty| !ty.channels.is_empty());
    let mut parts = vec![
        wide[..if has_channels {
            Model::num_processes_slot().size() as usize
        } else {
            model.global_size as usize
        }]
            .to_vec(),
    ];
    let mut frames = Vec::new();
    for (id, instance) in interpreter.layout().instances() {
        if interpreter.layout().is_alive(&wide, id) {
            let ty = &model.processes[instance.process];
            let base = instance.base as usize;
            let end = base + if has_channels { 2 } else { ty.frame_size as usize };
            let mut frame = instance.pid.to_be_bytes().to_vec();
            frame.extend(instance.process.0.to_le_bytes());
            frame.extend_from_slice(&wide[base..end]);
            frames.push(frame);
        }
    }
    frames.sort();
    parts.extend(frames);
    parts.concat()
}

/// Without the zeros that a state may end in.
pub fn trimmed(state: &[u8]) -> Vec<u8> {
    let end = state.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    state[..end].to_vec()
}

impl<'m> Graph<'m> {
    /// The graph of a model, unless it has more states than `limit` or no initial one.
    pub fn build(model: &'m Model, limit: usize) -> Option<Self> {
        let mut interpreter = Interpreter::new(model);
        let initial = trimmed(&interpreter.initial().ok()?);
        let mut known = HashMap::from([(initial.clone(), 0)]);
        let mut graph = Graph {
            interpreter,
            states: vec![initial],
            edges: Vec::new(),
            is_dead: Vec::new(),
            deadlocks: BTreeSet::new(),
            n_deadlocks: 0,
            failed: BTreeSet::new(),
            has_errors: false,
            has_endless: false,
        };
        let mut next = 0;
        while next < graph.states.len() {
            if graph.states.len() > limit {
                return None;
            }
            let mut state = graph.states[next].clone();
            state.resize(graph.interpreter.layout().size(), 0);
            let mut edges = Vec::new();
            let (mut cut_off, mut is_endless) = (false, false);
            let (states, failed, has_errors) = (&mut graph.states, &mut graph.failed, &mut graph.has_errors);
            let expansion = graph.interpreter.successors(&state, |edge| {
                failed.extend(edge.failed.iter().map(|f| f.transition));
                match edge.outcome {
                    Outcome::State(target) => {
                        let target = trimmed(target);
                        let id = *known.entry(target.clone()).or_insert_with(|| {
                            states.push(target);
                            states.len() - 1
                        });
                        edges.push(id);
                    }
                    Outcome::Error(_) => *has_errors = true,
                    Outcome::Endless => is_endless = true,
                    Outcome::CutOff => cut_off = true,
                }
                ControlFlow::Continue(())
            });
            if cut_off || edges.len() > limit {
                return None;
            }
            state.resize(graph.interpreter.layout().size(), 0);
            if !expansion.alive && !graph.interpreter.is_valid_end(&state) {
                graph.deadlocks.insert(canonical(&graph.interpreter, &state));
                graph.n_deadlocks += 1;
            }
            graph.edges.push(edges);
            graph.has_endless |= is_endless;
            graph.is_dead.push(!expansion.alive);
            next += 1;
        }
        Some(graph)
    }

    /// Whether some state can be reached from itself.
    pub fn has_cycle(&self) -> bool {
        // Depth-first; 1 is on the way, 2 is done.
        let mut mark = vec![0u8; self.states.len()];
        let mut stack = vec![(0, 0)];
        mark[0] = 1;
        while let Some((state, next)) = stack.last_mut() {
            match self.edges[*state].get(*next) {
                None => {
                    mark[*state] = 2;
                    stack.pop();
                }
                Some(&target) => {
                    *next += 1;
                    match mark[target] {
                        0 => {
                            mark[target] = 1;
                            stack.push((target, 0));
                        }
                        1 => return true,
                        _ => {}
                    }
                }
            }
        }
        false
    }

    /// Whether a proposition holds in some state; an error if it cannot be told in one.
    pub fn reaches(&self, proposition: &Expr) -> Result<bool, RuntimeErrorKind> {
        Ok(self.holds(proposition)?.contains(&true))
    }

    /// By state, whether a proposition holds; an error if it cannot be told in one.
    pub fn holds(&self, proposition: &Expr) -> Result<Vec<bool>, RuntimeErrorKind> {
        let holds = |state: &Vec<u8>| {
            let mut state = state.clone();
            state.resize(self.interpreter.layout().size(), 0);
            self.interpreter.holds(&state, proposition)
        };
        self.states.iter().map(holds).collect()
    }

    /// The values a global has, each once, in order.
    pub fn values(&self, slot: stubborn_ir::Slot) -> BTreeSet<i32> {
        let size = self.interpreter.layout().size();
        let wide = |state: &Vec<u8>| {
            let mut state = state.clone();
            state.resize(size, 0);
            state
        };
        self.states.iter().map(|state| slot.read(&wide(state))).collect()
    }
}
