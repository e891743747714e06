//! Strongly connected components (Tarjan 1972, without recursion) and accepting lassos of a graph whose
//! edges carry marks.

use std::collections::VecDeque;

/// An edge of a graph.
pub(crate) trait Arc {
    fn target(&self) -> usize;
    /// The acceptance sets it belongs to.
    fn marks(&self) -> u128;
}

/// The components of a graph.
pub(crate) struct Components {
    /// The component of each vertex. A component's successors have smaller numbers.
    pub(crate) of: Vec<usize>,
    pub(crate) n_components: usize,
}

const UNSEEN: usize = usize::MAX;

impl Components {
    pub(crate) fn new<E: Arc>(rows: &[Vec<E>]) -> Self {
        let n = rows.len();
        let (mut index, mut low, mut of) = (vec![UNSEEN; n], vec![0; n], vec![UNSEEN; n]);
        let (mut n_seen, mut n_components) = (0, 0);
        let mut members = Vec::new();
        let mut calls: Vec<(usize, usize)> = Vec::new();
        for root in 0..n {
            if index[root] != UNSEEN {
                continue;
            }
            calls.push((root, 0));
            while let Some(&mut (vertex, ref mut next)) = calls.last_mut() {
                if *next == 0 {
                    (index[vertex], low[vertex]) = (n_seen, n_seen);
                    n_seen += 1;
                    members.push(vertex);
                }
                if let Some(edge) = rows[vertex].get(*next) {
                    *next += 1;
                    let target = edge.target();
                    if index[target] == UNSEEN {
                        calls.push((target, 0));
                    } else if of[target] == UNSEEN {
                        low[vertex] = low[vertex].min(index[target]);
                    }
                    continue;
                }
                calls.pop();
                if let Some(&(caller, _)) = calls.last() {
                    low[caller] = low[caller].min(low[vertex]);
                }
                if low[vertex] == index[vertex] {
                    while let Some(member) = members.pop() {
                        of[member] = n_components;
                        if member == vertex {
                            break;
                        }
                    }
                    n_components += 1;
                }
            }
        }
        Components { of, n_components }
    }

    /// The marks on the edges inside each component; none for a component without edges inside.
    pub(crate) fn marks<E: Arc>(&self, rows: &[Vec<E>]) -> Vec<Option<u128>> {
        let mut marks = vec![None; self.n_components];
        for (vertex, row) in rows.iter().enumerate() {
            for edge in row {
                if self.of[vertex] == self.of[edge.target()] {
                    *marks[self.of[vertex]].get_or_insert(0) |= edge.marks();
                }
            }
        }
        marks
    }

    /// Whether each component has a cycle through all the marks.
    pub(crate) fn accepting<E: Arc>(&self, rows: &[Vec<E>], full: u128) -> Vec<bool> {
        self.marks(rows).into_iter().map(|marks| marks.is_some_and(|marks| marks & full == full)).collect()
    }

    /// Whether an accepting cycle can be reached from each component.
    pub(crate) fn live<E: Arc>(&self, rows: &[Vec<E>], full: u128) -> Vec<bool> {
        let mut live = self.accepting(rows, full);
        let mut by_component = vec![Vec::new(); self.n_components];
        for (vertex, &component) in self.of.iter().enumerate() {
            by_component[component].push(vertex);
        }
        // Successors have smaller numbers, so they are settled first.
        for component in 0..self.n_components {
            let mut edges = by_component[component].iter().flat_map(|&vertex| &rows[vertex]);
            live[component] = live[component] || edges.any(|edge| live[self.of[edge.target()]]);
        }
        live
    }
}

/// A path as its vertices and the numbers of the edges taken there.
pub(crate) type Path = Vec<(usize, usize)>;

/// A path from `root` to a cycle through all the marks, and the cycle; none if there is none.
pub(crate) fn accepting_lasso<E: Arc>(rows: &[Vec<E>], root: usize, full: u128) -> Option<(Path, Path)> {
    let components = Components::new(rows);
    let accepting = components.accepting(rows, full);
    let (prefix, start) = shortest(rows, root, |_| true, |vertex| accepting[components.of[vertex]])?;
    let component = components.of[start];
    let inside = |edge: &E| components.of[edge.target()] == component;
    let mut cycle = Path::new();
    let (mut at, mut missing) = (start, full);
    while missing != 0 {
        let (path, end) = shortest_by_edge(rows, at, inside, |edge| edge.marks() & missing != 0)?;
        missing = path.iter().fold(missing, |missing, &(vertex, edge)| missing & !rows[vertex][edge].marks());
        cycle.extend(path);
        at = end;
    }
    if at != start || cycle.is_empty() {
        let (path, _) = shortest_by_edge(rows, at, inside, |edge| edge.target() == start)?;
        cycle.extend(path);
    }
    Some((prefix, cycle))
}

/// The shortest path to a vertex that satisfies `found`, and that vertex.
fn shortest<E: Arc>(
    rows: &[Vec<E>],
    from: usize,
    allowed: impl Fn(&E) -> bool,
    found: impl Fn(usize) -> bool,
) -> Option<(Path, usize)> {
    if found(from) {
        return Some((Path::new(), from));
    }
    shortest_by_edge(rows, from, allowed, |edge| found(edge.target()))
}

/// The shortest path whose last edge satisfies `found`, and where it ends.
pub(crate) fn shortest_by_edge<E: Arc>(
    rows: &[Vec<E>],
    from: usize,
    allowed: impl Fn(&E) -> bool,
    found: impl Fn(&E) -> bool,
) -> Option<(Path, usize)> {
    let mut came: Vec<Option<(usize, usize)>> = vec![None; rows.len()];
    let mut open = VecDeque::from([from]);
    let mut is_seen = vec![false; rows.len()];
    is_seen[from] = true;
    while let Some(vertex) = open.pop_front() {
        for (i, edge) in rows[vertex].iter().enumerate().filter(|(_, edge)| allowed(edge)) {
            if found(edge) {
                let mut path = vec![(vertex, i)];
                let mut at = vertex;
                while let Some(step) = came[at] {
                    path.push(step);
                    at = step.0;
                }
                path.reverse();
                return Some((path, edge.target()));
            }
            if !std::mem::replace(&mut is_seen[edge.target()], true) {
                came[edge.target()] = Some((vertex, i));
                open.push_back(edge.target());
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Arc for (usize, u128) {
        fn target(&self) -> usize {
            self.0
        }
        fn marks(&self) -> u128 {
            self.1
        }
    }

    #[test]
    fn components_are_numbered_from_the_end() {
        let rows = vec![vec![(1, 0)], vec![(2, 0), (3, 0)], vec![(1, 1)], vec![(3, 0)], vec![]];
        let components = Components::new(&rows);
        assert_eq!(components.n_components, 4);
        assert_eq!(components.of[1], components.of[2]);
        assert!(components.of[3] < components.of[1] && components.of[1] < components.of[0]);
        assert_eq!(components.marks(&rows)[components.of[0]], None);
        let live = components.live(&rows, 1);
        assert!(live[components.of[0]] && !live[components.of[3]]);
    }

    #[test]
    fn a_lasso_meets_all_marks() {
        let rows = vec![vec![(1, 0)], vec![(2, 1), (1, 0)], vec![(1, 0), (3, 0)], vec![(2, 2)]];
        let (prefix, cycle) = accepting_lasso(&rows, 0, 3).expect("there is one");
        assert_eq!(prefix, [(0, 0)]);
        let marks = cycle.iter().fold(0, |marks, &(vertex, edge)| marks | rows[vertex][edge].1);
        assert_eq!(marks, 3);
        let (last, edge) = cycle[cycle.len() - 1];
        assert_eq!((rows[last][edge].0, cycle[0].0), (1, 1));
        assert!(accepting_lasso(&rows, 0, 7).is_none());
    }
}
