//! The names of a text as a tree, and the names of all texts that fit a query.

use stubborn_base::FileId;
use stubborn_base::outline::{Symbol, SymbolKind};

use crate::analysis::Analysis;

/// A name with what it contains.
#[derive(Clone, Debug)]
pub struct Tree<'a> {
    /// The name.
    pub symbol: &'a Symbol,
    /// What it contains.
    pub children: Vec<Tree<'a>>,
}

/// The names of one file.
pub fn tree(analysis: &Analysis, file: FileId) -> Vec<Tree<'_>> {
    let symbols = &analysis.outline.symbols;
    let mut nodes: Vec<Option<Tree<'_>>> =
        symbols.iter().map(|symbol| Some(Tree { symbol, children: Vec::new() })).collect();
    let mut roots = Vec::new();
    // What is contained stands after what contains it.
    for (i, symbol) in symbols.iter().enumerate().rev() {
        let Some(mut node) = nodes[i].take().filter(|_| symbol.span.file == file) else { continue };
        node.children.reverse();
        let container = symbol.container.filter(|&c| c < i && symbols[c].span.file == file);
        match container.and_then(|c| nodes[c].as_mut()) {
            Some(container) => container.children.push(node),
            None => roots.push(node),
        }
    }
    roots.reverse();
    roots
}

/// The names that contain the letters of a query, in its order.
pub fn matching<'a>(analysis: &'a Analysis, query: &str) -> Vec<&'a Symbol> {
    let fits = |symbol: &&Symbol| {
        let mut letters = symbol.name.chars().flat_map(char::to_lowercase);
        query.chars().flat_map(char::to_lowercase).all(|wanted| letters.any(|c| c == wanted))
    };
    let is_shown = |symbol: &&Symbol| !matches!(symbol.kind, SymbolKind::Field | SymbolKind::Parameter);
    analysis.outline.symbols.iter().filter(is_shown).filter(fits).collect()
}
