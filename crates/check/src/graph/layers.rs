//! A layered drawing of a graph (Sugiyama, Tagawa and Toda, 1981), small and simple.
//!
//! Layers are the distances from the first node, so that an arc leads one layer down, stays in its layer, or goes
//! up. Between two layers there is a row for labels: a label is a node of the drawing, on the way of its arc, and
//! so never lies on another. Rows are sorted by the mean places of their neighbours, as long as that removes
//! crossings; then everything is moved as near to its neighbours as the order of the row allows.
//!
//! Only additions, multiplications and divisions in a fixed order: the same picture everywhere.

/// A place, or a size: across, then down.
pub type Point = (f64, f64);

/// An arc to be drawn.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    /// The node it leaves.
    pub from: usize,
    /// The node it enters.
    pub to: usize,
    /// The size of its label.
    pub label: Point,
}

/// Where everything is. Places are those of centres.
#[derive(Clone, Debug)]
pub struct Drawing {
    /// The size of it all.
    pub size: Point,
    /// Of each node.
    pub nodes: Vec<Point>,
    /// Of the label of each arc.
    pub labels: Vec<Point>,
    /// By which points each arc leads, its nodes included. An arc from a node to itself has its label to the
    /// right of the node, and these two points only.
    pub ways: Vec<Vec<Point>>,
}

/// Space between things in a row.
const GAP: f64 = 14.0;
/// Space between rows: more where lines have far to go, so that they do not lie flat.
const ROW_GAP: (f64, f64) = (16.0, 44.0);
/// Of the width of the drawing.
const ROW_GAP_PART: f64 = 0.02;
/// Space for an arc from a node to itself.
const LOOP: f64 = 34.0;
/// Rounds of sorting, and of moving.
const ROUNDS: usize = 12;

/// Draws nodes of the given sizes, all of which can be reached from the first.
pub fn layered(sizes: &[Point], lines: &[Line]) -> Drawing {
    let extent = |&(width, height): &Point| Extent { left: width / 2.0, right: width / 2.0, height };
    let extents: Vec<Extent> = sizes.iter().map(extent).collect();
    layered_in(&extents, lines, &distances(sizes.len(), lines))
}

/// The room that a node takes, to the left and to the right of its place.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// To the left.
    pub left: f64,
    /// To the right.
    pub right: f64,
    /// Half above, half below.
    pub height: f64,
}

/// Draws nodes in the layers given.
pub fn layered_in(nodes: &[Extent], lines: &[Line], layers: &[usize]) -> Drawing {
    let mut rows = Rows::new(nodes, lines, layers);
    rows.sort();
    rows.place();
    rows.drawing(nodes.len(), lines)
}

/// A node, a label, or a bend of an arc.
struct Item {
    row: usize,
    /// Space to the left and to the right of its place.
    sides: Point,
    height: f64,
    /// Neighbours in the row before and in the row after.
    before: Vec<usize>,
    after: Vec<usize>,
    x: f64,
}

struct Rows {
    items: Vec<Item>,
    /// From left to right.
    rows: Vec<Vec<usize>>,
    /// The items on the way of each arc, and which of them is the label; none for an arc to the same node.
    ways: Vec<Option<(Vec<usize>, usize)>>,
}

impl Rows {
    fn new(nodes: &[Extent], lines: &[Line], layers: &[usize]) -> Rows {
        let n_rows = layers.iter().max().map_or(0, |last| 2 * last + 2);
        let mut all = Rows { items: Vec::new(), rows: vec![Vec::new(); n_rows], ways: Vec::new() };
        for (extent, layer) in nodes.iter().zip(layers) {
            all.add(2 * layer, (extent.left, extent.right), extent.height);
        }
        for line in lines {
            let (from, to) = (2 * layers[line.from], 2 * layers[line.to]);
            let (width, height) = line.label;
            if line.from == line.to {
                let item = &mut all.items[line.from];
                item.sides.1 += LOOP + width;
                item.height = item.height.max(height);
                all.ways.push(None);
                continue;
            }
            let between: Vec<usize> = match from <= to {
                true => (from + 1..to.max(from + 2)).collect(),
                false => (to + 1..from).rev().collect(),
            };
            // The middle one of the rows for labels.
            let labelled = between.len() / 4 * 2;
            let mut way = vec![line.from];
            for (i, &row) in between.iter().enumerate() {
                let (width, height) = if i == labelled { (width, height) } else { (4.0, 0.0) };
                way.push(all.add(row, (width / 2.0, width / 2.0), height));
            }
            way.push(line.to);
            for pair in way.windows(2) {
                all.connect(pair[0], pair[1]);
            }
            all.ways.push(Some((way, labelled + 1)));
        }
        all.pack();
        all
    }

    fn add(&mut self, row: usize, sides: Point, height: f64) -> usize {
        let item = self.items.len();
        self.items.push(Item { row, sides, height, before: Vec::new(), after: Vec::new(), x: 0.0 });
        self.rows[row].push(item);
        item
    }

    fn connect(&mut self, a: usize, b: usize) {
        let (upper, lower) = if self.items[a].row < self.items[b].row { (a, b) } else { (b, a) };
        self.items[upper].after.push(lower);
        self.items[lower].before.push(upper);
    }

    /// Puts each row side by side, as it is ordered.
    fn pack(&mut self) {
        (0..self.rows.len()).for_each(|row| self.pack_row(row));
    }

    fn pack_row(&mut self, row: usize) {
        let mut x = 0.0;
        for &item in &self.rows[row] {
            let item = &mut self.items[item];
            item.x = x + item.sides.0;
            x = item.x + item.sides.1 + GAP;
        }
    }

    /// The mean place of the neighbours on one side, or its own if there are none.
    fn mean(&self, item: usize, downwards: bool) -> f64 {
        let item = &self.items[item];
        let neighbours = if downwards { &item.before } else { &item.after };
        match neighbours.len() {
            0 => item.x,
            n => neighbours.iter().map(|&other| self.items[other].x).sum::<f64>() / n as f64,
        }
    }

    /// Sorts the rows by turns downwards and upwards; the best order is kept.
    fn sort(&mut self) {
        let mut best = (self.crossings(), self.rows.clone());
        for round in 0..ROUNDS {
            let downwards = round % 2 == 0;
            let mut order: Vec<usize> = (0..self.rows.len()).collect();
            if !downwards {
                order.reverse();
            }
            for row in order {
                let mut sorted: Vec<(f64, usize)> =
                    self.rows[row].iter().map(|&item| (self.mean(item, downwards), item)).collect();
                sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
                self.rows[row] = sorted.into_iter().map(|(_, item)| item).collect();
                self.pack_row(row);
            }
            let crossings = self.crossings();
            if crossings < best.0 {
                best = (crossings, self.rows.clone());
            }
        }
        self.rows = best.1;
        self.pack();
    }

    /// How often arcs cross between neighbouring rows.
    fn crossings(&self) -> usize {
        let mut crossings = 0;
        for row in &self.rows {
            let mut arcs: Vec<(f64, f64)> = row
                .iter()
                .flat_map(|&a| self.items[a].after.iter().map(move |&b| (a, b)))
                .map(|(a, b)| (self.items[a].x, self.items[b].x))
                .collect();
            arcs.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
            let mut ends: Vec<f64> = arcs.into_iter().map(|(_, end)| end).collect();
            crossings += inversions(&mut ends);
        }
        crossings
    }

    /// Moves everything towards its neighbours, by turns those above and those below.
    fn place(&mut self) {
        for round in 0..ROUNDS {
            let downwards = round % 2 == 0;
            for at in 0..self.rows.len() {
                let at = if downwards { at } else { self.rows.len() - 1 - at };
                let row = self.rows[at].clone();
                let wanted: Vec<f64> = row.iter().map(|&item| self.mean(item, downwards)).collect();
                for (&item, x) in row.iter().zip(self.nearest(&row, &wanted)) {
                    self.items[item].x = x;
                }
            }
        }
    }

    /// The places nearest to those wanted that leave enough space: least squares, by pooling neighbours that
    /// want to overlap.
    fn nearest(&self, row: &[usize], wanted: &[f64]) -> Vec<f64> {
        let mut offsets = Vec::with_capacity(row.len());
        let mut offset = 0.0;
        for (i, &item) in row.iter().enumerate() {
            if i > 0 {
                offset += self.items[row[i - 1]].sides.1 + GAP + self.items[item].sides.0;
            }
            offsets.push(offset);
        }
        let mut pools: Vec<(f64, usize)> = Vec::new();
        for (x, offset) in wanted.iter().zip(&offsets) {
            let mut pool = (x - offset, 1);
            while let Some(&(mean, n)) = pools.last()
                && mean > pool.0
            {
                let together = n + pool.1;
                pool = ((mean * n as f64 + pool.0 * pool.1 as f64) / together as f64, together);
                pools.pop();
            }
            pools.push(pool);
        }
        let places = pools.iter().flat_map(|&(mean, n)| std::iter::repeat_n(mean, n));
        places.zip(&offsets).map(|(mean, offset)| mean + offset).collect()
    }

    fn drawing(self, n_nodes: usize, lines: &[Line]) -> Drawing {
        let left = self.items.iter().map(|item| item.x - item.sides.0).fold(f64::INFINITY, f64::min);
        let right = self.items.iter().map(|item| item.x + item.sides.1).fold(0.0, f64::max);
        let gap = ((right - left) * ROW_GAP_PART).clamp(ROW_GAP.0, ROW_GAP.1);
        let mut middle = Vec::with_capacity(self.rows.len());
        let mut y = 0.0;
        for row in &self.rows {
            let height = row.iter().map(|&item| self.items[item].height).fold(0.0, f64::max);
            middle.push(y + height / 2.0);
            y += height + gap;
        }
        let point = |item: usize| (self.items[item].x - left, middle[self.items[item].row]);
        let mut drawing = Drawing {
            size: (right - left, y - gap),
            nodes: (0..n_nodes).map(point).collect(),
            labels: Vec::new(),
            ways: Vec::new(),
        };
        // Several arcs from a node to itself share its right side.
        let mut used = vec![0.0; n_nodes];
        for (line, way) in lines.iter().zip(&self.ways) {
            match way {
                Some((way, label)) => {
                    drawing.ways.push(way.iter().map(|&item| point(item)).collect());
                    drawing.labels.push(point(way[*label]));
                }
                None => {
                    let (x, y) = point(line.from);
                    let start = x + self.items[line.from].sides.0 + used[line.from] + LOOP;
                    used[line.from] += LOOP + line.label.0;
                    drawing.ways.push(vec![(x, y), (x, y)]);
                    drawing.labels.push((start + line.label.0 / 2.0, y));
                }
            }
        }
        drawing
    }
}

/// How many pairs are in the wrong order; sorts them, by merging.
fn inversions(numbers: &mut [f64]) -> usize {
    let n = numbers.len();
    if n < 2 {
        return 0;
    }
    let (left, right) = numbers.split_at_mut(n / 2);
    let mut count = inversions(left) + inversions(right);
    let mut merged = Vec::with_capacity(n);
    let (mut i, mut j) = (0, 0);
    while i < left.len() && j < right.len() {
        if left[i] <= right[j] {
            merged.push(left[i]);
            i += 1;
        } else {
            count += left.len() - i;
            merged.push(right[j]);
            j += 1;
        }
    }
    merged.extend_from_slice(&left[i..]);
    merged.extend_from_slice(&right[j..]);
    numbers.copy_from_slice(&merged);
    count
}

/// How far each node is from the first, in arcs.
fn distances(n: usize, lines: &[Line]) -> Vec<usize> {
    let mut distances = vec![usize::MAX; n];
    let mut at: Vec<usize> = (0..n.min(1)).collect();
    let mut distance = 0;
    while !at.is_empty() {
        at.iter().for_each(|&node| distances[node] = distance);
        distance += 1;
        let mut next: Vec<usize> = Vec::new();
        for line in lines {
            if at.contains(&line.from) && distances[line.to] == usize::MAX && !next.contains(&line.to) {
                next.push(line.to);
            }
        }
        at = next;
    }
    // What cannot be reached is put at the top.
    distances.into_iter().map(|distance| if distance == usize::MAX { 0 } else { distance }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(from: usize, to: usize) -> Line {
        Line { from, to, label: (40.0, 12.0) }
    }

    /// Two boxes with their centres at `a` and `b`.
    fn overlap(a: Point, b: Point, width: f64, height: f64) -> bool {
        (a.0 - b.0).abs() < width && (a.1 - b.1).abs() < height
    }

    #[test]
    fn nothing_lies_on_anything_else() {
        let lines: Vec<Line> =
            (0..40).map(|i| line(i / 2, i + 1)).chain((1..20).map(|i| line(2 * i, i / 3))).collect();
        let drawing = layered(&[(30.0, 30.0); 41], &lines);
        for (i, a) in drawing.nodes.iter().enumerate() {
            assert!(drawing.nodes[i + 1..].iter().all(|b| !overlap(*a, *b, 30.0, 30.0)), "node {i}");
            assert!(drawing.labels.iter().all(|b| !overlap(*a, *b, 35.0, 21.0)), "node {i} and a label");
        }
        for (i, a) in drawing.labels.iter().enumerate() {
            assert!(drawing.labels[i + 1..].iter().all(|b| !overlap(*a, *b, 40.0, 12.0)), "label {i}");
        }
    }

    #[test]
    fn a_tree_has_no_crossings_and_parents_above() {
        let lines = [line(0, 2), line(0, 1), line(1, 4), line(2, 3), line(1, 5)];
        let drawing = layered(&[(30.0, 30.0); 6], &lines);
        let (x, y) = (|i: usize| drawing.nodes[i].0, |i: usize| drawing.nodes[i].1);
        assert!(lines.iter().all(|line| y(line.from) < y(line.to)));
        assert_eq!(x(1) < x(2), x(4) < x(3), "the children of the left one are on the left");
        assert_eq!(x(1) < x(2), x(5) < x(3));
    }

    #[test]
    fn arcs_to_the_same_node_have_their_labels_beside_it() {
        let drawing = layered(&[(30.0, 30.0); 2], &[line(0, 0), line(0, 0), line(0, 1)]);
        let right = drawing.nodes[0].0 + 15.0;
        assert!(drawing.labels[0].0 - 20.0 > right);
        assert!(drawing.labels[1].0 - 20.0 > drawing.labels[0].0 + 20.0);
        assert!(drawing.labels[1].0 + 20.0 <= drawing.size.0);
    }
}
