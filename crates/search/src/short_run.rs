//! The shortest run that a claim automaton accepts, as far as it can be found in time.
//!
//! Edelkamp, Leue and Lluch Lafuente, section 3.3, shorten a run in two phases: a shorter way to an equivalent seed,
//! then a shorter cycle through it. Here every node of the product is a seed: first the shortest ways to all nodes
//! are found, then, nearest seed first, the shortest cycle with an accepting node through it, as long as both
//! together are shorter than what is known. Only nodes of components with an accepting node are seeds.
//!
//! Nothing is left out, and ways are measured in steps. When half of the time is over, cycles are looked for among
//! the nodes found by then, if there are any to look for.

mod round;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::Duration;

use stubborn_ir::{Model, Pid, RuntimeErrorKind};
use stubborn_reduce::Plan;

use self::round::MAX_PIDS;
use crate::End;
use crate::claim::Question;
use crate::exploration::{Exploration, Flow, Halt};
use crate::lasso::{Path, Run, moves};
use crate::limits::{Incomplete, Limits};
use crate::observer::{Counts, Observer};
use crate::product::{Arc, Extent, NOBODY, Node, Product};

/// What was found.
#[derive(Clone, PartialEq, Debug)]
pub struct ShortRun {
    /// A run that is shorter than the bound.
    pub run: Option<Run>,
    /// No run of the product is shorter: than this one, or than the bound if there is none.
    pub is_shortest: bool,
    /// What was visited.
    pub counts: Counts,
}

/// Looks for a run with fewer steps than `bound`, prefix and cycle together. Fails if there is no initial state.
pub fn search_short_run(
    model: &Model,
    question: &Question<'_>,
    bound: u32,
    limits: &Limits,
    observer: &mut dyn Observer,
) -> Result<ShortRun, RuntimeErrorKind> {
    let exploration = Exploration::new(model, limits, &Plan::none())?;
    let mut product = Product::new(exploration, question.factors(), observer);
    product.measure();
    // Where getting somewhere is enough, no time is kept for cycles.
    let has_cycles = question.automaton.states.iter().any(|state| state.accepting);
    let half = limits.time.map(|time| if has_cycles { time / 2 } else { time });
    let is_fair = question.is_fair;
    let mut search =
        Search { product, ways: Ways::default(), is_fair, bound, half, best: None, n_looked_at: 0 };
    let flow = search.run();
    let Search { mut product, ways, best, .. } = search;
    let end = product.exploration.finish(flow);
    let run = best.map(|Best { seed, cycle }| {
        let prefix = ways.to(seed);
        // Where getting there is enough, the run goes on for ever only if it stays where it ends.
        let is_infinite = cycle.is_some() || prefix.iter().any(|(_, arc)| arc.mover == NOBODY);
        let cycle = moves(&mut product, &cycle.unwrap_or_default());
        Run { prefix: moves(&mut product, &prefix), cycle, is_infinite }
    });
    Ok(ShortRun { run, is_shortest: end == End::Exhausted, counts: *product.exploration.counts() })
}

/// The shortest run found so far.
struct Best {
    seed: Node,
    /// None if getting there is enough.
    cycle: Option<Path>,
}

struct Search<'m, 'a> {
    product: Product<'m, 'a>,
    ways: Ways,
    /// Every process that could always move has to.
    is_fair: bool,
    /// Only what is shorter counts.
    bound: u32,
    /// The time to look for ways.
    half: Option<Duration>,
    best: Option<Best>,
    /// Nodes looked at since the last look at the clock.
    n_looked_at: usize,
}

/// Nodes between two looks at the clock.
const INTERVAL: usize = 1024;

/// The way to a node that no way leads to yet.
const FAR: u32 = u32::MAX;

/// No component.
const NONE: u32 = u32::MAX;

/// The shortest ways from the initial node.
#[derive(Default)]
struct Ways {
    /// By node.
    cost: Vec<u32>,
    before: Vec<(Node, Pid)>,
    /// Nodes whose arcs are known, nearest first.
    settled: Vec<Node>,
}

impl Ways {
    /// With the components, and what is open.
    const BYTES_PER_NODE: usize = 24 * size_of::<u32>();

    /// The arcs from the initial node to another one.
    fn to(&self, node: Node) -> Path {
        let mut path = Path::new();
        let mut at = node;
        while self.before[at as usize].0 != at {
            let (before, mover) = self.before[at as usize];
            path.push((before, Arc { to: at, mover }));
            at = before;
        }
        path.reverse();
        path
    }
}

impl Search<'_, '_> {
    fn run(&mut self) -> Flow {
        let initial = self.product.start()?;
        let found = self.find_ways(initial);
        if let ControlFlow::Break(Halt::Incomplete(Incomplete::Cancelled)) = found {
            return found;
        }
        if self.is_fair && self.product.n_processes() > MAX_PIDS {
            let limit = usize::from(MAX_PIDS);
            return ControlFlow::Break(Halt::Incomplete(Incomplete::Fairness { limit }));
        }
        let components = self.components();
        self.find_cycles(&components)?;
        found
    }

    /// Looks at the clock now and then.
    fn tick(&mut self) -> Flow {
        self.n_looked_at += 1;
        if self.n_looked_at < INTERVAL {
            return ControlFlow::Continue(());
        }
        self.n_looked_at = 0;
        self.product.check_clock()
    }

    /// Finds the shortest ways to all nodes within the bound.
    fn find_ways(&mut self, initial: Node) -> Flow {
        self.grow()?;
        self.ways.cost[initial as usize] = 0;
        self.ways.before[initial as usize] = (initial, NOBODY);
        let mut open = BTreeMap::from([(0, vec![initial])]);
        let mut arcs = Vec::new();
        while let Some((cost, node)) = pop(&mut open) {
            if cost >= self.bound {
                break;
            }
            if cost > self.ways.cost[node as usize] {
                continue;
            }
            self.tick()?;
            if let Some(half) = self.half.filter(|&half| self.product.exploration.elapsed() >= half) {
                return ControlFlow::Break(Halt::Incomplete(Incomplete::Time { limit: half }));
            }
            self.product.extend(self.product.state(node), Extent::Full)?;
            self.grow()?;
            self.ways.settled.push(node);
            if self.product.is_final(node) {
                (self.bound, self.best) = (cost, Some(Best { seed: node, cycle: None }));
                break;
            }
            arcs.clear();
            self.product.measured_arcs(node, &mut arcs);
            for &(arc, length) in &arcs {
                let cost = cost.saturating_add(length);
                if cost < self.ways.cost[arc.to as usize] {
                    self.ways.cost[arc.to as usize] = cost;
                    self.ways.before[arc.to as usize] = (node, arc.mover);
                    open.entry(cost).or_default().push(arc.to);
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Makes room for nodes that are new.
    fn grow(&mut self) -> Flow {
        let n_nodes = self.product.n_nodes();
        let n_new = n_nodes - self.ways.cost.len();
        let given = self.product.exploration.budget.replace(0, n_new * Ways::BYTES_PER_NODE);
        self.product.exploration.flow(given)?;
        self.ways.cost.resize(n_nodes, FAR);
        self.ways.before.resize(n_nodes, (0, NOBODY));
        ControlFlow::Continue(())
    }

    /// By node: its component, if that has a cycle and an accepting node. Tarjan's algorithm.
    fn components(&self) -> Vec<u32> {
        let n_nodes = self.ways.cost.len();
        let mut component = vec![NONE; n_nodes];
        let mut is_known = vec![false; n_nodes];
        self.ways.settled.iter().for_each(|&node| is_known[node as usize] = true);
        let mut order = vec![0u32; n_nodes];
        let mut low = vec![0u32; n_nodes];
        let mut n_entered = 0;
        let mut open: Vec<Node> = Vec::new();
        let mut stack: Vec<(Node, Vec<Node>)> = Vec::new();
        for &root in &self.ways.settled {
            if order[root as usize] != 0 {
                continue;
            }
            let mut next = Some(root);
            loop {
                if let Some(node) = next.take() {
                    n_entered += 1;
                    (order[node as usize], low[node as usize]) = (n_entered, n_entered);
                    open.push(node);
                    stack.push((node, self.known_targets(node, &is_known)));
                }
                let Some((node, targets)) = stack.last_mut() else { break };
                let node = *node;
                if let Some(target) = targets.pop() {
                    if order[target as usize] == 0 {
                        next = Some(target);
                    } else if order[target as usize] != FAR {
                        low[node as usize] = low[node as usize].min(order[target as usize]);
                    }
                    continue;
                }
                stack.pop();
                if let Some((parent, _)) = stack.last() {
                    low[*parent as usize] = low[*parent as usize].min(low[node as usize]);
                }
                if low[node as usize] == order[node as usize] {
                    let start = open.iter().rposition(|&member| member == node).unwrap_or(0);
                    let members = open.split_off(start);
                    let is_accepting = members.iter().any(|&member| self.product.is_accepting(member));
                    let has_cycle =
                        || members.len() > 1 || self.known_targets(node, &is_known).contains(&node);
                    let may_be_good = is_accepting && has_cycle();
                    for &member in &members {
                        order[member as usize] = FAR;
                        component[member as usize] = if may_be_good { node } else { NONE };
                    }
                    if may_be_good && !self.is_fair_to_all(&members, &component) {
                        members.iter().for_each(|&member| component[member as usize] = NONE);
                    }
                }
            }
        }
        component
    }

    fn known_targets(&self, node: Node, is_known: &[bool]) -> Vec<Node> {
        let mut arcs = Vec::new();
        self.product.append_arcs(node, &mut arcs);
        arcs.iter().map(|arc| arc.to).filter(|&to| is_known[to as usize]).collect()
    }

    /// Finds the shortest cycle through each seed, nearest first.
    fn find_cycles(&mut self, component: &[u32]) -> Flow {
        let settled = std::mem::take(&mut self.ways.settled);
        for seed in settled {
            let cost = self.ways.cost[seed as usize];
            if cost >= self.bound {
                break;
            }
            if component[seed as usize] == NONE {
                continue;
            }
            if let Some((length, cycle)) = self.cycle(seed, self.bound - cost, component)? {
                (self.bound, self.best) = (cost + length, Some(Best { seed, cycle: Some(cycle) }));
            }
        }
        ControlFlow::Continue(())
    }
}

/// Of what has the least key, what was put there last.
fn pop<T>(open: &mut BTreeMap<u32, Vec<T>>) -> Option<(u32, T)> {
    loop {
        let mut entry = open.first_entry()?;
        let key = *entry.key();
        match entry.get_mut().pop() {
            Some(value) => return Some((key, value)),
            None => drop(entry.remove()),
        }
    }
}
