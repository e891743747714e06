//! The product of a model and a claim automaton, found while it is searched.
//!
//! A *node* is a state of the model behind the number of a state of the automaton, in one piece of bytes: so nodes are
//! stored, exchanged and traced just as states are. The automaton moves first, by what holds in the model's state; a run
//! that ends stays in its last state for ever, where that is how runs are meant.
//!
//! Invariant: all nodes with one state of the model have the same steps (Siegel, "What's wrong with on-the-fly partial order
//! reduction": otherwise counterexamples are lost). All of them have one owner, which the model's part names. What its
//! reducer chooses is a function of the state and of which processes it knows; where these grow meanwhile, the
//! [choice](Choices) is kept with the state. The proviso looks at no order of states: a cycle contains a sticky step, and a
//! state with a sticky step chosen is expanded fully.

use std::ops::ControlFlow;

use hashbrown::HashMap;
use stubborn_base::Idx;
use stubborn_ir::{ClaimAutomaton, Interpreter, Prepared, RuntimeErrorKind, Step, Violation};
use stubborn_relations::Fault;
use stubborn_search::{Budget, Compression, OutOfMemory, Part, Seen, StateId, Store, keep_least};

use crate::expansion::{Source, Stage, owner};
use crate::graph::{Elder, Graph};
use crate::searcher::{Going, Searcher};

/// What a worker knows of the product.
pub(crate) struct Product<'c> {
    automaton: &'c ClaimAutomaton,
    extends_finite_runs: bool,
    has_final: bool,
    /// Bytes of the number of a state of the automaton.
    width: usize,
    letters: HashMap<Box<[bool]>, u32>,
    /// By letter and state of the automaton: where it goes.
    claim_moves: Vec<Box<[u32]>>,
    holds: Vec<bool>,
    choices: Option<Choices>,
    /// The arcs, if cycles matter.
    pub(crate) graph: Option<Graph>,
    /// The model's part of the node that is expanded.
    pub(crate) state: Vec<u8>,
    targets: Targets,
}

impl<'c> Product<'c> {
    /// Nothing is known yet. With `keeps_choices`, choices are kept with their states.
    pub(crate) fn new(
        automaton: &'c ClaimAutomaton,
        extends_finite_runs: bool,
        keeps_choices: bool,
        fault: Option<Fault>,
        budget: &Budget,
    ) -> Self {
        let heeds_elders = fault != Some(Fault::ForgetElders);
        let has_cycles = automaton.states.iter().any(|state| state.accepting);
        Product {
            automaton,
            extends_finite_runs,
            has_final: automaton.states.iter().any(|state| state.is_final),
            width: width(automaton),
            letters: HashMap::new(),
            claim_moves: Vec::new(),
            holds: Vec::new(),
            choices: keeps_choices.then(|| Choices::new(budget)),
            graph: has_cycles.then(|| Graph::new(heeds_elders, budget)),
            state: Vec::new(),
            targets: Targets::default(),
        }
    }

    /// The node that every run begins in.
    pub(crate) fn initial(&self, state: &[u8]) -> Vec<u8> {
        let mut node = Vec::new();
        self.push_claim_state(&mut node, self.automaton.initial);
        node.extend_from_slice(state);
        node
    }

    fn push_claim_state(&self, bytes: &mut Vec<u8>, claim_state: u32) {
        bytes.extend_from_slice(&claim_state.to_le_bytes()[..self.width]);
    }

    fn claim_state(&self, node: &[u8]) -> u32 {
        let mut bytes = [0; 4];
        bytes[..self.width].copy_from_slice(&node[..self.width]);
        u32::from_le_bytes(bytes)
    }

    pub(crate) fn is_accepting(&self, node: &[u8]) -> bool {
        self.automaton.states[self.claim_state(node) as usize].accepting
    }

    /// The model's part of a node.
    pub(crate) fn model_part<'n>(&self, node: &'n [u8]) -> &'n [u8] {
        &node[self.width..]
    }

    /// Where the automaton goes from one of its states, by what holds in the state that is expanded.
    fn claim_moves(
        &mut self,
        interpreter: &Interpreter<'_>,
        prepared: Prepared,
        claim_state: u32,
    ) -> Result<&[u32], RuntimeErrorKind> {
        let Product { automaton, letters, claim_moves, holds, state, .. } = self;
        let nothing_else = prepared != Prepared::Steps;
        holds.clear();
        for proposition in &automaton.propositions {
            holds.push(interpreter.holds_at(state, proposition, nothing_else)?);
        }
        let n_claim_states = automaton.states.len() as u32;
        let letter = match letters.get(&**holds) {
            Some(&letter) => letter,
            None => {
                let letter = letters.len() as u32;
                letters.insert(holds.as_slice().into(), letter);
                for from in 0..n_claim_states {
                    claim_moves.push(automaton.successors(from, |p| holds[p as usize]).into());
                }
                letter
            }
        };
        Ok(&claim_moves[(letter * n_claim_states + claim_state) as usize])
    }
}

/// Bytes before the model's part of a node.
fn width(automaton: &ClaimAutomaton) -> usize {
    if automaton.states.len() <= 1 << 8 { 1 } else { 4 }
}

impl Searcher<'_, '_> {
    /// The worker that owns a state, or a node.
    pub(crate) fn owner_of(&self, bytes: &[u8]) -> usize {
        let state = self.product.as_ref().map_or(bytes, |product| product.model_part(bytes));
        owner(state, self.n_workers)
    }

    /// Finds the arcs of a node.
    pub(crate) fn stage_node(&mut self, stage: &mut Stage, id: StateId) -> Going {
        let Searcher { product: Some(product), shard, state: node, .. } = self else {
            return self.garbled();
        };
        shard.read(id, node);
        product.state.clear();
        product.state.extend_from_slice(&node[product.width..]);
        if !self.is_known(id) {
            return ControlFlow::Continue(());
        }
        let Searcher { product: Some(product), expander, findings, common, .. } = self else {
            return self.garbled();
        };
        let mut number = None;
        if let Some(choices) = &mut product.choices {
            number = Some(common.stored(choices.number(&product.state))?);
        }
        let part = match (number, &product.choices) {
            (Some(number), Some(choices)) => choices.part(number),
            _ => Part::Chosen,
        };
        let (before, mut chosen) = (findings.counts, Vec::new());
        product.targets.clear();
        let taken =
            expander.expand(&product.state, part, &mut chosen, &mut findings.counts, &mut product.targets);
        if !self.is_expanded(id, &taken, before)? {
            return ControlFlow::Continue(());
        }
        let Searcher { product: Some(product), common, .. } = self else {
            return self.garbled();
        };
        if let (Some(number), Some(choices)) = (number, &mut product.choices) {
            common.stored(choices.keep(number, taken.is_part.then_some(chosen)))?;
        }
        if !taken.prepared.is_alive() && product.extends_finite_runs {
            product.targets.push(&product.state);
        }
        self.stage_arcs(stage, id, taken.prepared)
    }

    /// What was found in a node's state, with where the automaton goes, is what is found in the node.
    fn stage_arcs(&mut self, stage: &mut Stage, id: StateId, prepared: Prepared) -> Going {
        let Searcher { product: Some(product), state: node, expander, findings, common, .. } = self else {
            return self.garbled();
        };
        findings.counts.states += 1;
        findings.counts.transitions -= product.targets.n_steps;
        let from = product.claim_state(node);
        let to = match product.claim_moves(&expander.interpreter, prepared, from) {
            Ok(to) => to.to_vec(),
            Err(_) => {
                findings.without_value = Some((id, product.state.clone()));
                return ControlFlow::Continue(());
            }
        };
        let is_final = |state: u32| product.automaton.states[state as usize].is_final;
        if product.has_final && (is_final(from) || to.iter().any(|&to| is_final(to))) {
            let (violation, steps) = (Violation::BadPrefix, Vec::new());
            keep_least(&mut findings.found, Seen { violation, id, state: node.clone(), steps });
        }
        let n_arcs = to.len() * product.targets.ends.len();
        findings.counts.transitions += n_arcs as u64;
        let is_accepting = product.is_accepting(node);
        let elder = match &mut product.graph {
            Some(graph) => common.stored(graph.expand(id, node, is_accepting, n_arcs))?,
            None => Elder::NONE,
        };
        let source = stage.begin(Source { id, part: None, is_settled: false, elder });
        for claim_state in to {
            for target in product.targets.iter() {
                stage.add(source, |bytes| {
                    product.push_claim_state(bytes, claim_state);
                    bytes.extend_from_slice(target);
                });
            }
        }
        ControlFlow::Continue(())
    }
}

/// Successors of a state of the model.
#[derive(Debug, Default)]
struct Targets {
    bytes: Vec<u8>,
    ends: Vec<usize>,
    /// Those that were counted as transitions.
    n_steps: u64,
}

impl Targets {
    fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
        self.n_steps = 0;
    }

    fn push(&mut self, target: &[u8]) {
        self.bytes.extend_from_slice(target);
        self.ends.push(self.bytes.len());
    }

    fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.bytes[start..end])
    }
}

impl stubborn_search::Sink for Targets {
    fn state(&mut self, target: &[u8]) {
        self.push(target);
        self.n_steps += 1;
    }

    /// A claim is about runs: what else is wrong is no violation of it.
    fn violation(&mut self, _: Violation, _: &[Step]) {}
}

/// What was chosen in states of the model.
struct Choices {
    states: Store,
    /// By state.
    chosen: Vec<Choice>,
    budget: Budget,
}

enum Choice {
    /// Nothing was, so far.
    Open,
    All,
    Part(Box<[bool]>),
}

impl Choices {
    fn new(budget: &Budget) -> Self {
        let states = Store::new(0, Compression::Plain);
        Choices { states, chosen: Vec::new(), budget: budget.clone() }
    }

    /// The number of a state here.
    fn number(&mut self, state: &[u8]) -> Result<StateId, OutOfMemory> {
        let id = self.states.insert(state, &mut self.budget)?.id();
        if id.index() == self.chosen.len() {
            self.budget.push(&mut self.chosen, Choice::Open)?;
        }
        Ok(id)
    }

    fn part(&self, id: StateId) -> Part<'_> {
        match &self.chosen[id.index()] {
            Choice::Open => Part::Chosen,
            Choice::All => Part::All,
            Choice::Part(chosen) => Part::Only(chosen),
        }
    }

    /// Keeps what was chosen, if nothing was before; none of it if nothing was left out.
    fn keep(&mut self, id: StateId, chosen: Option<Vec<bool>>) -> Result<(), OutOfMemory> {
        let Choices { chosen: all, budget, .. } = self;
        if matches!(all[id.index()], Choice::Open) {
            budget.replace(0, chosen.as_ref().map_or(0, Vec::len))?;
            all[id.index()] = chosen.map_or(Choice::All, |chosen| Choice::Part(chosen.into()));
        }
        Ok(())
    }
}
