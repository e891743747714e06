//! Rankings: a search for potentials that a set of transitions raises.
//!
//! What is cheap comes first, as often as it ranks anything: a counter that only grows, or
//! only shrinks; the order of strongly connected locations. As transitions are ranked,
//! what they do no longer matters to the rest: once `i = 0` is ranked, `i` only grows. The
//! rest has a potential, unless it has a T-invariant.

use stubborn_ir::TransitionId;

use super::invariants::{self, Answer};
use super::potential::{Incidence, Potential};

/// What is known of a set of transitions.
pub(super) enum Ranked {
    /// All are ranked by this.
    All(Vec<Potential>),
    /// The transitions of a T-invariant.
    Invariant(Vec<TransitionId>),
    /// It was too much work to find out.
    Unknown,
}

/// What it costs to look at one row or column, in entries of a simplex tableau.
const COST: usize = 32;

/// Ranks a set of transitions. `work` is how much may still be done.
pub(super) fn rank(incidence: &Incidence, mut set: Vec<TransitionId>, work: &mut u64) -> Ranked {
    let cost = COST * (set.len() + incidence.n_rows);
    *work = match work.checked_sub(cost as u64) {
        Some(left) => left,
        None => return Ranked::Unknown,
    };
    let mut ranking = cheap_ranking(incidence, &mut set);
    let known = known_rows(incidence, &set);
    let mut potential = Potential(vec![0; incidence.n_rows]);
    for part in parts(incidence, &set, |row| known[row]) {
        match solve(incidence, &part, &known, work) {
            Solved::Potential(weights) => weights.into_iter().for_each(|(row, w)| potential.0[row] = w),
            Solved::Invariant(invariant) => return Ranked::Invariant(invariant),
            Solved::GaveUp => return Ranked::Unknown,
        }
    }
    ranking.push(potential);
    Ranked::All(ranking)
}

/// Ranks what can be ranked by one counter or by locations, and takes it out of the set.
pub(super) fn cheap_ranking(incidence: &Incidence, set: &mut Vec<TransitionId>) -> Vec<Potential> {
    let mut ranking = Vec::new();
    loop {
        let n_left = set.len();
        for potential in [monotonic_counters(incidence, set), order_of_locations(incidence, set)] {
            let n_before = set.len();
            set.retain(|&t| incidence.change(t, &potential).is_none_or(|change| change <= 0));
            if set.len() < n_before {
                ranking.push(potential);
            }
        }
        if set.len() == n_left {
            return ranking;
        }
    }
}

/// By row: whether no transition of the set changes it by an unknown amount.
fn known_rows(incidence: &Incidence, set: &[TransitionId]) -> Vec<bool> {
    let mut known = vec![true; incidence.n_rows];
    for &t in set {
        incidence.columns[t].unknown.iter().for_each(|&row| known[row] = false);
    }
    known
}

/// Weights the counters that only grow, and against it those that only shrink.
fn monotonic_counters(incidence: &Incidence, set: &[TransitionId]) -> Potential {
    let known = known_rows(incidence, set);
    let (mut grows, mut shrinks) = (vec![false; incidence.n_rows], vec![false; incidence.n_rows]);
    for &t in set {
        for &(row, amount) in &incidence.columns[t].changes {
            *(if amount > 0 { &mut grows[row] } else { &mut shrinks[row] }) = true;
        }
    }
    let mut weights = vec![0; incidence.n_rows];
    for row in incidence.n_locations..incidence.n_rows {
        weights[row] = match (known[row], grows[row], shrinks[row]) {
            (true, true, false) => 1,
            (true, false, true) => -1,
            _ => 0,
        };
    }
    Potential(weights)
}

/// Weights locations so that a transition between two that are not strongly connected raises
/// it, and no other changes it: Tarjan's algorithm.
fn order_of_locations(incidence: &Incidence, set: &[TransitionId]) -> Potential {
    const NEW: usize = usize::MAX;
    let n = incidence.n_locations;
    // Locations entered from each location, which are next to each other.
    let mut first = vec![0; n + 1];
    set.iter().for_each(|&t| first[incidence.columns[t].from + 1] += 1);
    (0..n).for_each(|location| first[location + 1] += first[location]);
    let mut entered = vec![None; set.len()];
    let mut filled = first.clone();
    for &t in set {
        let column = &incidence.columns[t];
        entered[filled[column.from]] = column.to;
        filled[column.from] += 1;
    }
    let mut weights = vec![0; incidence.n_rows];
    let (mut number, mut low, mut is_open) = (vec![NEW; n], vec![0; n], vec![false; n]);
    let (mut open, mut path, mut n_numbered, mut n_components) = (Vec::new(), Vec::new(), 0, 0);
    for root in 0..n {
        if number[root] != NEW || first[root] == first[root + 1] {
            continue;
        }
        path.push((root, first[root]));
        while let Some((location, next)) = path.last_mut() {
            let here = *location;
            if number[here] == NEW {
                number[here] = n_numbered;
                low[here] = n_numbered;
                n_numbered += 1;
                is_open[here] = true;
                open.push(here);
            }
            if *next < first[here + 1] {
                *next += 1;
                match entered[*next - 1] {
                    Some(to) if number[to] == NEW => path.push((to, first[to])),
                    Some(to) if is_open[to] => low[here] = low[here].min(number[to]),
                    _ => {}
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                low[parent] = low[parent].min(low[here]);
            }
            if low[here] == number[here] {
                // Components are found from the last to the first.
                n_components -= 1;
                while let Some(member) = open.pop() {
                    is_open[member] = false;
                    weights[member] = n_components;
                    if member == here {
                        break;
                    }
                }
            }
        }
    }
    Potential(weights)
}

/// Splits a set into parts that have no row in common, of those that are asked for.
pub(super) fn parts(
    incidence: &Incidence,
    set: &[TransitionId],
    is_asked: impl Fn(usize) -> bool,
) -> Vec<Vec<TransitionId>> {
    let mut leader: Vec<usize> = (0..incidence.n_rows).collect();
    fn find(leader: &mut [usize], mut row: usize) -> usize {
        while leader[row] != row {
            leader[row] = leader[leader[row]];
            row = leader[row];
        }
        row
    }
    for &t in set {
        let column = &incidence.columns[t];
        let counters = column.changes.iter().map(|&(row, _)| row).chain(column.unknown.iter().copied());
        for row in counters.filter(|&row| is_asked(row)) {
            let (a, b) = (find(&mut leader, column.from), find(&mut leader, row));
            leader[a.max(b)] = a.min(b);
        }
    }
    let mut part_of = vec![None; incidence.n_rows];
    let mut parts: Vec<Vec<TransitionId>> = Vec::new();
    for &t in set {
        let leader = find(&mut leader, incidence.columns[t].from);
        let part = *part_of[leader].get_or_insert_with(|| {
            parts.push(Vec::new());
            parts.len() - 1
        });
        parts[part].push(t);
    }
    parts
}

/// What is known of a part that shares no row with others.
enum Solved {
    /// Weights of its rows.
    Potential(Vec<(usize, i64)>),
    Invariant(Vec<TransitionId>),
    GaveUp,
}

/// A potential or a T-invariant of transitions between strongly connected locations.
fn solve(incidence: &Incidence, part: &[TransitionId], known: &[bool], work: &mut u64) -> Solved {
    let mut number = vec![None; incidence.n_rows];
    let mut rows = Vec::new();
    let mut has_counters = false;
    let mut columns = Vec::new();
    for &t in part {
        let changes = incidence.columns[t].changes.iter().filter(|&&(row, _)| known[row]);
        let column = changes.map(|&(row, amount)| {
            has_counters |= row >= incidence.n_locations;
            let dense = *number[row].get_or_insert_with(|| {
                rows.push(row);
                rows.len() - 1
            });
            (dense, amount)
        });
        columns.push(column.collect::<Vec<_>>());
    }
    if !has_counters {
        return Solved::Invariant(local_cycle(incidence, part));
    }
    match invariants::solve(&columns, rows.len(), work) {
        Answer::Invariant(support) => Solved::Invariant(support.into_iter().map(|j| part[j]).collect()),
        Answer::Potential(weights) => Solved::Potential(rows.into_iter().zip(weights).collect()),
        Answer::GaveUp => Solved::GaveUp,
    }
}

/// A cycle of transitions, every one of which another follows.
fn local_cycle(incidence: &Incidence, part: &[TransitionId]) -> Vec<TransitionId> {
    let mut next = vec![None; incidence.n_locations];
    for &t in part {
        next[incidence.columns[t].from].get_or_insert(t);
    }
    let mut seen_at = vec![None; incidence.n_locations];
    let mut path = Vec::new();
    let mut location = incidence.columns[part[0]].from;
    while seen_at[location].is_none() {
        seen_at[location] = Some(path.len());
        let t = next[location].expect("a strongly connected location is left");
        path.push(t);
        location = incidence.columns[t].to.expect("what ends a process is ranked");
    }
    path.split_off(seen_at[location].expect("the loop ended"))
}
