//! Makes a failing model small: removes list items, hoists descendants, replaces nodes by the least of
//! their sort.
//!
//! Every accepted step makes the tree smaller, so shrinking ends; the budget ends it earlier. The
//! predicate decides alone whether a candidate still shows the failure, and must refuse candidates that
//! fail for some other reason.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use super::tree::{Node, Part};

/// How much may be spent on one failure.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Calls of the predicate.
    pub attempts: usize,
    /// Time.
    pub time: Duration,
}

/// The smallest model found that still fails.
pub fn shrink(model: Node, budget: Budget, mut fails: impl FnMut(&str) -> bool) -> Node {
    let mut best = model;
    let mut left = budget.attempts;
    let start = Instant::now();
    let mut tried = HashSet::new();
    'again: loop {
        for candidate in candidates(&best) {
            let text = candidate.render();
            if !tried.insert(text.clone()) {
                continue;
            }
            if left == 0 || start.elapsed() > budget.time {
                return best;
            }
            left -= 1;
            if fails(&text) {
                best = candidate;
                continue 'again;
            }
        }
        return best;
    }
}

/// All trees that are one step smaller, the boldest steps first.
fn candidates(root: &Node) -> Vec<Node> {
    let mut found = Vec::new();
    visit(root, &mut |node| variants(node), &mut |tree| found.push(tree));
    found.sort_by_key(Node::size);
    found
}

/// Calls `emit` with copies of the tree in which one node is replaced by one of its variants.
fn visit(node: &Node, variants: &mut dyn FnMut(&Node) -> Vec<Node>, emit: &mut dyn FnMut(Node)) {
    for variant in variants(node) {
        emit(variant);
    }
    for (part_idx, part) in node.parts.iter().enumerate() {
        match part {
            Part::Node(child) => visit(child, variants, &mut |smaller| {
                let mut copy = node.clone();
                copy.parts[part_idx] = Part::Node(smaller);
                emit(copy);
            }),
            Part::List { items, .. } => {
                for (item_idx, item) in items.iter().enumerate() {
                    visit(item, variants, &mut |smaller| {
                        let mut copy = node.clone();
                        if let Part::List { items, .. } = &mut copy.parts[part_idx] {
                            items[item_idx] = smaller;
                        }
                        emit(copy);
                    });
                }
            }
            _ => {}
        }
    }
}

/// What one node can become.
fn variants(node: &Node) -> Vec<Node> {
    let mut found = Vec::new();
    for (part_idx, part) in node.parts.iter().enumerate() {
        let Part::List { items, min, .. } = part else { continue };
        let mut without = |from: usize, to: usize| {
            if items.len() - (to - from) >= *min && to > from {
                let mut copy = node.clone();
                if let Part::List { items, .. } = &mut copy.parts[part_idx] {
                    items.drain(from..to);
                }
                found.push(copy);
            }
        };
        if items.len() > 3 {
            without(0, items.len() / 2);
            without(items.len() / 2, items.len());
        }
        for idx in 0..items.len() {
            without(idx, idx + 1);
        }
    }
    let mut descendants = Vec::new();
    collect(node, node.sort, &mut descendants);
    found.extend(descendants);
    let is_minimal = node.children().next().is_none() && node.sort.minimal().contains(&node.render().trim());
    if !is_minimal {
        for text in node.sort.minimal() {
            let minimal = Node::new(node.sort).text(*text);
            if minimal.size() < node.size() || minimal.render().len() < node.render().len() {
                found.push(minimal);
            }
        }
    }
    found
}

/// The nearest descendants of the sort.
fn collect(node: &Node, sort: super::tree::Sort, found: &mut Vec<Node>) {
    for child in node.children() {
        if child.sort == sort {
            found.push(child.clone());
        } else {
            collect(child, sort, found);
        }
    }
}
