//! The provisos for liveness on random graphs: whatever the sets are, each cycle that is left has a full expansion.

use super::*;

/// A graph whose nodes have a set of successors that may be enough, and all of them.
struct Graph {
    part: Vec<Vec<u32>>,
    all: Vec<Vec<u32>>,
}

/// The walk of a depth-first search under a proviso.
struct Walk<'g> {
    graph: &'g Graph,
    guardian: Guardian,
    entered: Vec<bool>,
    is_full: Vec<bool>,
}

struct NobodyAsks;

impl Open for NobodyAsks {
    fn is_new(&self, _: u32) -> bool {
        unreachable!("stacks and colours are all that counts")
    }

    fn is_open(&self, _: u32) -> bool {
        unreachable!("stacks and colours are all that counts")
    }
}

impl Graph {
    /// Two successors or so, all of them or not.
    fn random(seed: u64) -> Self {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut below = |n: u64| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state % n
        };
        let n = 3 + below(12);
        let mut graph = Graph { part: Vec::new(), all: Vec::new() };
        for _ in 0..n {
            let all: Vec<u32> = (0..1 + below(3)).map(|_| below(n) as u32).collect();
            let n_part = 1 + below(all.len() as u64) as usize;
            graph.part.push(all[..n_part].to_vec());
            graph.all.push(all);
        }
        graph
    }

    fn walk(&self, proviso: Proviso, fault: Option<Fault>) -> Walk<'_> {
        let n = self.all.len();
        let guardian = Guardian::new(proviso, fault);
        let mut walk = Walk { graph: self, guardian, entered: vec![false; n], is_full: vec![false; n] };
        walk.visit(0);
        walk
    }
}

impl Walk<'_> {
    fn targets(&self, node: u32) -> &[u32] {
        let Graph { part, all } = self.graph;
        if self.is_full[node as usize] { &all[node as usize] } else { &part[node as usize] }
    }

    fn visit(&mut self, node: u32) {
        let at = node as usize;
        self.entered[at] = true;
        self.guardian.enter(node);
        self.is_full[at] = self.graph.part[at].len() == self.graph.all[at].len()
            || self.guardian.judge(&self.graph.part[at], &NobodyAsks) != Demand::Nothing;
        self.guardian.expanded(self.is_full[at]);
        let mut next = 0;
        while let Some(&target) = self.targets(node).get(next) {
            next += 1;
            if next == self.targets(node).len() {
                self.guardian.last_successor();
            }
            if !self.entered[target as usize] {
                self.visit(target);
            } else if self.guardian.meets(target) == Demand::Everything {
                self.is_full[at] = true;
                self.guardian.expanded(true);
                next = 0;
            }
        }
        let targets = self.targets(node).to_vec();
        assert_eq!(self.guardian.leave(&targets, |_| true), Demand::Nothing);
    }

    /// Whether there is a cycle of nodes none of which is fully expanded.
    fn has_bad_cycle(&self) -> bool {
        // Nodes that lead nowhere are taken away until none is left, or all of them lead on.
        let mut left: Vec<u32> = (0..self.entered.len() as u32)
            .filter(|&node| self.entered[node as usize] && !self.is_full[node as usize])
            .collect();
        loop {
            let n_before = left.len();
            let rest = left.clone();
            left.retain(|&node| self.targets(node).iter().any(|target| rest.contains(target)));
            if left.len() == n_before {
                return n_before > 0;
            }
        }
    }

    fn n_full(&self) -> usize {
        self.is_full.iter().filter(|is_full| **is_full).count()
    }
}

const SEEDS: u64 = 20_000;

#[test]
fn each_cycle_has_a_full_expansion() {
    for proviso in [Proviso::LiveStack, Proviso::Colour, Proviso::ColourStar, Proviso::ColourReach] {
        for seed in 0..SEEDS {
            assert!(!Graph::random(seed).walk(proviso, None).has_bad_cycle(), "{proviso}, seed {seed}");
        }
    }
}

#[test]
fn what_is_left_out_on_purpose_shows() {
    for (proviso, fault) in [
        (Proviso::Colour, Fault::DropProviso),
        (Proviso::Colour, Fault::SkipRecolouring),
        (Proviso::ColourStar, Fault::SafetyForLiveness),
        (Proviso::ColourReach, Fault::SkipRecolouring),
        (Proviso::ColourReach, Fault::ForgetReach),
    ] {
        let mut graphs = (0..SEEDS).map(Graph::random);
        assert!(graphs.any(|graph| graph.walk(proviso, Some(fault)).has_bad_cycle()), "{proviso}, {fault:?}");
    }
}

#[test]
fn to_know_how_far_back_a_state_leads_saves_full_expansions() {
    let n_full =
        |proviso| (0..SEEDS).map(|seed| Graph::random(seed).walk(proviso, None).n_full()).sum::<usize>();
    assert!(n_full(Proviso::ColourReach) < n_full(Proviso::ColourStar));
    assert!(n_full(Proviso::ColourStar) < n_full(Proviso::Colour));
}
