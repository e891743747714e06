//! Nodes of syntax, to grow a selection by: words, what the tree knows, brackets with and without what is between.
//!
//! Invariant: of two nodes, one lies in the other or they have nothing in common.

use std::cmp::Reverse;

use stubborn_base::{FileId, Sources, Span};

use super::folds::blocks;
use crate::ast::{Item, Program};
use crate::lexemes::Lexeme;
use crate::token::Kind;
use crate::visit::each_node;

/// Of all files.
pub(super) fn nodes(program: &Program, sources: &Sources, files: &[Vec<Lexeme>]) -> Vec<Span> {
    let mut nodes: Vec<Span> = Vec::new();
    for ((file, source), lexemes) in sources.iter().zip(files) {
        let span = |start: u32, end: u32| Span { file, start, end };
        nodes.push(span(0, source.text().len() as u32));
        nodes.extend(lexemes.iter().filter(|l| !l.is(Kind::Newline)).map(|l| Span {
            file,
            start: l.start,
            end: l.end,
        }));
        for (open, close) in blocks(source.text(), lexemes) {
            let (open, close) = (lexemes[open], lexemes[close]);
            nodes.push(span(open.start, close.end));
            let inner = &source.text()[open.end as usize..close.start as usize];
            let start = open.end + (inner.len() - inner.trim_start().len()) as u32;
            if !inner.trim().is_empty() {
                nodes.push(span(start, start + inner.trim().len() as u32));
            }
        }
    }
    nodes.extend(program.items.iter().map(item_span));
    each_node(program, &mut |node| nodes.push(node.span()));
    nested(nodes)
}

fn item_span(item: &Item) -> Span {
    match item {
        Item::Decl(decl) => decl.span,
        Item::Mtype(decl) => decl.span,
        Item::Typedef(typedef) => typedef.span,
        Item::Proctype(process) => process.span,
        Item::Never(never) => never.span,
        Item::Ltl(ltl) => ltl.span,
        Item::Trace(trace) => trace.span,
        Item::Inline(inline) => inline.span,
    }
}

/// In order, each once, without those that overlap an earlier one.
fn nested(mut nodes: Vec<Span>) -> Vec<Span> {
    nodes.retain(|node| node.start < node.end);
    nodes.sort_unstable_by_key(|node| (node.file, node.start, Reverse(node.end)));
    nodes.dedup();
    let mut open: Vec<(FileId, u32)> = Vec::new();
    nodes.retain(|node| {
        while open.last().is_some_and(|&(file, end)| file != node.file || end <= node.start) {
            open.pop();
        }
        let fits = open.last().is_none_or(|&(_, end)| node.end <= end);
        if fits {
            open.push((node.file, node.end));
        }
        fits
    });
    nodes
}
