//! BEEM's properties of small systems, decided by looking at everything: goals are reached or not, on paths as short
//! as BEEM says, and properties hold or not. BEEM's length of a path to a goal is the number of its states.
//!
//! An accepted run is a path to a cycle of the product of system and property through an accepting state. In a state
//! without successors the property goes on alone.

#![allow(clippy::print_stderr)]

use std::ops::ControlFlow;
use std::path::Path;

use hashbrown::HashMap;
use stubborn_ir::{ClaimAutomaton, ClaimBody, Expr, Interpreter, Model, Outcome};

use super::{Nothing, folder, limit};

/// A row of the table of properties.
struct Row {
    name: String,
    id: String,
    number: String,
    is_goal: bool,
    /// Whether the goal is reached, or the property holds.
    answer: bool,
    length: usize,
    goal: String,
}

/// Rows about systems that are small enough, and have an answer.
fn rows(folder: &Path) -> Vec<Row> {
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("the corpus has tables");
    let instances = read("expected-instances.tsv");
    let is_small = |name: &str, id: &str| {
        instances.lines().any(|row| {
            let cells: Vec<&str> = row.split('\t').collect();
            let states = cells.get(3).and_then(|states| states.parse::<usize>().ok());
            cells[..3] == [name, id, "yes"] && states.is_some_and(|states| states <= limit())
        })
    };
    let mut rows = Vec::new();
    for row in read("expected-properties.tsv").lines().skip(1) {
        let cells: Vec<&str> = row.split('\t').collect();
        let [name, id, number, kind, answer, length, _, goal, ..] = cells.as_slice() else { panic!("{row}") };
        if *answer != "unknown" && is_small(name, id) {
            rows.push(Row {
                name: (*name).to_owned(),
                id: (*id).to_owned(),
                number: (*number).to_owned(),
                is_goal: kind.starts_with("reachability"),
                answer: *answer == "yes",
                length: length.parse().unwrap_or(0),
                goal: (*goal).to_owned(),
            });
        }
    }
    rows
}

/// All states of a system, in breadth-first order, with their successors and depths.
struct Graph {
    states: Vec<Vec<u8>>,
    successors: Vec<Vec<usize>>,
    depths: Vec<usize>,
}

fn explore(model: &Model) -> Graph {
    let mut interpreter = Interpreter::new(model);
    let initial = interpreter.initial().expect("initial values are constant");
    let mut numbers: HashMap<Vec<u8>, usize> = HashMap::from_iter([(initial.clone(), 0)]);
    let mut graph = Graph { states: vec![initial], successors: Vec::new(), depths: vec![0] };
    while graph.successors.len() < graph.states.len() {
        let at = graph.successors.len();
        let (state, depth) = (graph.states[at].clone(), graph.depths[at] + 1);
        let mut own = Vec::new();
        interpreter.successors(&state, |edge| {
            if let Outcome::State(next) = edge.outcome {
                let number = numbers.get(next).copied().unwrap_or_else(|| {
                    numbers.insert(next.to_vec(), graph.states.len());
                    graph.states.push(next.to_vec());
                    graph.depths.push(depth);
                    graph.states.len() - 1
                });
                own.push(number);
            }
            ControlFlow::Continue(())
        });
        graph.successors.push(own);
    }
    graph
}

/// Which states an expression holds in.
fn holds_in(model: &Model, graph: &Graph, expr: &Expr) -> Vec<bool> {
    let mut interpreter = Interpreter::new(model);
    interpreter.initial().expect("initial values are constant");
    graph.states.iter().map(|state| interpreter.holds(state, expr).expect("it has a value")).collect()
}

/// Whether some run is accepted.
fn is_accepted(model: &Model, automaton: &ClaimAutomaton) -> bool {
    let graph = explore(model);
    let holds: Vec<Vec<bool>> =
        automaton.propositions.iter().map(|proposition| holds_in(model, &graph, proposition)).collect();
    let next = |(state, at): (usize, u32)| -> Vec<(usize, u32)> {
        let moves = automaton.successors(at, |proposition| holds[proposition as usize][state]);
        let alone = [state];
        let states = match graph.successors[state].as_slice() {
            [] => &alone[..],
            states => states,
        };
        states.iter().flat_map(|&state| moves.iter().map(move |&at| (state, at))).collect()
    };
    has_accepting_cycle((0, automaton.initial), next, |(_, at)| automaton.states[at as usize].accepting)
}

type Node = (usize, u32);

/// Tarjan's components: one with a cycle and an accepting node is what is looked for.
fn has_accepting_cycle(
    initial: Node,
    next: impl Fn(Node) -> Vec<Node>,
    accepts: impl Fn(Node) -> bool,
) -> bool {
    let mut numbers: HashMap<Node, usize> = HashMap::from_iter([(initial, 0)]);
    let (mut lows, mut is_closed) = (vec![0], vec![false]);
    let mut open = vec![initial];
    let mut path = vec![(initial, next(initial))];
    while let Some((node, rest)) = path.last_mut() {
        let node = *node;
        let own = numbers[&node];
        if let Some(successor) = rest.pop() {
            match numbers.get(&successor) {
                Some(&number) if is_closed[number] => {}
                Some(&number) => lows[own] = lows[own].min(number),
                None => {
                    numbers.insert(successor, lows.len());
                    lows.push(lows.len());
                    is_closed.push(false);
                    open.push(successor);
                    path.push((successor, next(successor)));
                }
            }
            continue;
        }
        path.pop();
        if let Some((parent, _)) = path.last() {
            let parent = numbers[parent];
            lows[parent] = lows[parent].min(lows[own]);
        }
        if lows[own] == own {
            let from = open.iter().rposition(|&other| other == node).expect("it is still open");
            let component = open.split_off(from);
            component.iter().for_each(|other| is_closed[numbers[other]] = true);
            let is_cycle = component.len() > 1 || next(node).contains(&node);
            if is_cycle && component.iter().any(|&node| accepts(node)) {
                return true;
            }
        }
    }
    false
}

#[test]
fn small_systems_have_the_verdicts_that_beem_says() {
    let Some(folder) = folder() else { return };
    let mut wrong = Vec::new();
    let (mut n_goals, mut n_properties) = (0, 0);
    for row in rows(&folder) {
        let Row { name, id, number, .. } = &row;
        let suffix = if row.is_goal { String::new() } else { format!(".prop{number}") };
        let path = folder.join(name).join(format!("{name}.{id}{suffix}.dve"));
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let model = crate::load(&path, text.as_str().into(), &Nothing, &[]).model.expect("it is right");
        let found = if row.is_goal {
            n_goals += 1;
            let goal = crate::expression(&path, &text, &Nothing, &[], &row.goal, None);
            let goal = goal.unwrap_or_else(|bad| panic!("{name}.{id}: {}: {bad:?}", row.goal)).expr;
            let graph = explore(&model);
            let first = holds_in(&model, &graph, &goal).iter().position(|&holds| holds);
            (first.is_some(), first.map_or(0, |first| graph.depths[first] + 1))
        } else {
            n_properties += 1;
            let ClaimBody::Automaton(automaton) = &model.claims[0].body else { panic!("{}", path.display()) };
            (!is_accepted(&model, automaton), row.length)
        };
        if found != (row.answer, row.length) {
            let expected = (row.answer, row.length);
            wrong.push(format!("{name}.{id} {number}: {found:?}, expected {expected:?}"));
        }
    }
    eprintln!("{n_goals} goals, {n_properties} properties");
    assert!(wrong.is_empty(), "{wrong:#?}");
}
