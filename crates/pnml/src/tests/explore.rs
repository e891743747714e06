//! Real nets have as many markings as is known, and properties the verdicts that are known.
//!
//! All markings are visited with the reference interpreter. Verdicts are found from the definitions: reachability by
//! looking at each marking, formulas by a product with the automaton of the contrary that has no accepting cycle.

use std::ops::ControlFlow;
use std::path::Path;

use hashbrown::HashMap;
use stubborn_ir::{Claim, ClaimBody, ClaimKind, Expr, Interpreter, Model, Outcome, TemporalClaim};
use stubborn_ltl::{Buchi, translate};

use crate::corpus::{Disk, corpus};

/// More markings than this are not counted here.
const MAX_MARKINGS: usize = 6000;

#[test]
fn markings_and_verdicts_are_those_of_the_contest() {
    let nets = corpus();
    let Some(folder) = nets.first().and_then(|(path, _)| path.parent()?.parent()) else { return };
    let table = |name: &str| std::fs::read_to_string(folder.join(name)).expect("it is beside the nets");
    let (sizes, verdicts) = (table("expected-statespace.tsv"), table("expected-verdicts.tsv"));
    let known: HashMap<(&str, &str), &str> = (verdicts.lines())
        .filter_map(|row| row.split_once('\t').and_then(|(net, row)| Some((net, row.split_once('\t')?))))
        .map(|(net, (property, verdict))| ((net, property), verdict))
        .collect();
    let mut n_checked = 0;
    for (path, text) in &nets {
        let name = path.parent().and_then(Path::file_name).and_then(|n| n.to_str()).unwrap_or_default();
        let row = sizes.lines().find_map(|row| row.strip_prefix(name)?.strip_prefix('\t'));
        let size = row.and_then(|row| row.split('\t').next()?.parse::<usize>().ok());
        let Some(size) = size.filter(|size| *size <= MAX_MARKINGS) else { continue };
        let loaded = crate::load(path, text.clone(), &Disk, &[]);
        assert_eq!(loaded.diagnostics, [], "{name}");
        let model = loaded.model.expect("there are no errors");
        let graph = Graph::explore(&model);
        assert_eq!(graph.states.len(), size, "{name}");
        for claim in &model.claims {
            let verdict = graph.verdict(&model, claim).to_string();
            let expected = known.get(&(name, &*claim.name)).copied();
            assert_eq!(Some(&*verdict), expected, "{name} {}", claim.name);
            n_checked += 1;
        }
    }
    assert!(n_checked >= 64 * 10, "{n_checked} verdicts");
}

/// All markings, and where each leads; one that leads nowhere leads to itself.
struct Graph {
    states: Vec<Vec<u8>>,
    successors: Vec<Vec<usize>>,
}

impl Graph {
    fn explore(model: &Model) -> Graph {
        let mut interpreter = Interpreter::new(model);
        let first = interpreter.initial().expect("there is an initial marking");
        let mut ids: HashMap<Vec<u8>, usize> = HashMap::from([(first.clone(), 0)]);
        let mut graph = Graph { states: vec![first], successors: Vec::new() };
        while let Some(state) = graph.states.get(graph.successors.len()).cloned() {
            let mut targets = Vec::new();
            interpreter.successors(&state, |edge| {
                let Outcome::State(target) = edge.outcome else { panic!("{:?}", edge.outcome) };
                let states = &mut graph.states;
                targets.push(*ids.entry(target.to_vec()).or_insert_with_key(|target| {
                    states.push(target.clone());
                    states.len() - 1
                }));
                ControlFlow::Continue(())
            });
            if targets.is_empty() {
                targets.push(graph.successors.len());
            }
            graph.successors.push(targets);
        }
        graph
    }

    fn verdict(&self, model: &Model, claim: &Claim) -> bool {
        let ClaimBody::Formula(body) = &claim.body else { panic!("{claim:?}") };
        let interpreter = Interpreter::new(model);
        let holds = |state: &Vec<u8>, proposition: &Expr| {
            interpreter.holds(state, proposition).expect("propositions have values")
        };
        match (claim.kind, &*body.propositions) {
            (ClaimKind::Reachability, [goal]) => self.states.iter().any(|state| holds(state, goal)),
            _ => {
                let letter = |state: &Vec<u8>| {
                    let bits = body.propositions.iter().enumerate();
                    bits.fold(0, |letter, (at, proposition)| {
                        letter | u64::from(holds(state, proposition)) << at
                    })
                };
                self.satisfies(body, &self.states.iter().map(letter).collect::<Vec<u64>>())
            }
        }
    }

    /// Whether no run is accepted by the automaton of the contrary.
    fn satisfies(&self, claim: &TemporalClaim, letters: &[u64]) -> bool {
        let contrary = translate(&claim.formula.clone().negated(), &|| false).expect("formulas are small");
        let product = Product { graph: self, buchi: &contrary, letters };
        let first = contrary.initial;
        // Nodes in the order they are left in: the outer search of the nested search.
        let mut seen = vec![false; product.n_nodes()];
        let mut inner = vec![false; product.n_nodes()];
        let mut left = Vec::new();
        product.visit(first, &mut seen, &mut |node| {
            left.push(node);
            false
        });
        !left.into_iter().any(|node| {
            let is_accepting = contrary.states[node % contrary.states.len()].accepting;
            is_accepting && product.returns(node, &mut inner)
        })
    }
}

struct Product<'a> {
    graph: &'a Graph,
    buchi: &'a Buchi,
    letters: &'a [u64],
}

impl Product<'_> {
    fn n_nodes(&self) -> usize {
        self.graph.states.len() * self.buchi.states.len()
    }

    fn successors(&self, node: usize) -> Vec<usize> {
        let n = self.buchi.states.len();
        let (state, at) = (node / n, node % n);
        let moves: Vec<usize> = self.buchi.successors(at, self.letters[state]).collect();
        let targets = self.graph.successors[state].iter();
        targets.flat_map(|target| moves.iter().map(move |to| target * n + to)).collect()
    }

    /// Visits what can be reached and was not seen, and calls `leave` with each node after its successors, until that
    /// is true.
    fn visit(&self, first: usize, seen: &mut [bool], leave: &mut dyn FnMut(usize) -> bool) {
        seen[first] = true;
        let mut stack = vec![(first, self.successors(first))];
        while let Some((node, rest)) = stack.last_mut() {
            match rest.pop() {
                Some(next) if !seen[next] => {
                    seen[next] = true;
                    stack.push((next, self.successors(next)));
                }
                Some(_) => {}
                None => {
                    if leave(*node) {
                        return;
                    }
                    stack.pop();
                }
            }
        }
    }

    /// Whether a node can be reached from itself, by nodes that no earlier call has met.
    fn returns(&self, node: usize, seen: &mut [bool]) -> bool {
        let mut open = self.successors(node);
        while let Some(next) = open.pop() {
            if next == node {
                return true;
            }
            if !std::mem::replace(&mut seen[next], true) {
                open.extend(self.successors(next));
            }
        }
        false
    }
}
