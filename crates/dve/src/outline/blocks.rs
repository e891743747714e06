//! What can be folded, and nodes of syntax to grow a selection by.
//!
//! Invariant: of two nodes, one lies in the other or they have nothing in common.

use std::cmp::Reverse;

use stubborn_base::outline::{Fold, FoldKind};
use stubborn_base::{FileId, Span};

use crate::ast::{Declaration, Expr, Init, Process, Program};
use crate::token::{Kind, Lexeme};

/// Brackets with what closes them, by the numbers of their lexemes.
fn pairs(lexemes: &[Lexeme]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    let mut open: Vec<(Kind, usize)> = Vec::new();
    for (at, lexeme) in lexemes.iter().enumerate() {
        let opener = match lexeme.kind {
            Kind::LParen | Kind::LBracket | Kind::LBrace => {
                open.push((lexeme.kind, at));
                continue;
            }
            Kind::RParen => Kind::LParen,
            Kind::RBracket => Kind::LBracket,
            Kind::RBrace => Kind::LBrace,
            _ => continue,
        };
        // What is still open inside was forgotten; a parenthesis does not reach over a brace.
        let reach = open.iter().rposition(|&(kind, _)| kind == opener || kind == Kind::LBrace);
        if let Some(reach) = reach
            && open[reach].0 == opener
        {
            pairs.push((open[reach].1, at));
            open.truncate(reach);
        }
    }
    pairs
}

/// Blocks and comments of several lines.
pub(super) fn folds(file: FileId, text: &str, lexemes: &[Lexeme]) -> Vec<Fold> {
    let mut folds = Vec::new();
    let mut push = |start: usize, end: usize, kind: FoldKind| {
        if text[start..end].contains('\n') {
            folds.push(Fold { span: Span::new(file, start, end), kind });
        }
    };
    for (open, close) in pairs(lexemes) {
        push(lexemes[open].start, lexemes[close].end, FoldKind::Block);
    }
    let mut run: Option<(usize, usize)> = None;
    for (at, lexeme) in lexemes.iter().enumerate() {
        let gap = at.checked_sub(1).map_or("\n", |before| &text[lexemes[before].end..lexeme.start]);
        let is_alone = at == 0 || gap.contains('\n');
        let goes_on = gap.matches('\n').count() == 1;
        let is_line = lexeme.kind == Kind::LineComment && is_alone;
        if let Some((start, end)) = run.take_if(|_| !(is_line && goes_on)) {
            push(start, end, FoldKind::Comment);
        }
        if is_line {
            run = Some((run.map_or(lexeme.start, |(start, _)| start), lexeme.end));
        } else if lexeme.kind == Kind::Comment {
            push(lexeme.start, lexeme.end, FoldKind::Comment);
        }
    }
    if let Some((start, end)) = run {
        push(start, end, FoldKind::Comment);
    }
    folds.sort_by_key(|fold| (fold.span.start, Reverse(fold.span.end)));
    folds
}

/// Words, what the tree knows, brackets with and without what is between.
pub(super) fn nodes(program: &Program, file: FileId, text: &str, lexemes: &[Lexeme]) -> Vec<Span> {
    let mut nodes = vec![Span::new(file, 0, text.len())];
    nodes.extend(lexemes.iter().map(|lexeme| Span::new(file, lexeme.start, lexeme.end)));
    for (open, close) in pairs(lexemes) {
        let (open, close) = (lexemes[open], lexemes[close]);
        nodes.push(Span::new(file, open.start, close.end));
        let inner = &text[open.end..close.start];
        let start = open.end + inner.len() - inner.trim_start().len();
        nodes.push(Span::new(file, start, start + inner.trim().len()));
    }
    program.declarations.iter().for_each(|declaration| of_declaration(declaration, &mut nodes));
    program.processes.iter().for_each(|process| of_process(process, &mut nodes));
    nodes.extend(program.system.as_ref().map(|system| system.span));
    nested(nodes)
}

fn of_declaration(declaration: &Declaration, nodes: &mut Vec<Span>) {
    match declaration {
        Declaration::Variables(variables) => {
            nodes.push(variables.span);
            for variable in &variables.variables {
                nodes.push(variable.span);
                variable.size.iter().for_each(|size| of_expr(size, nodes));
                match &variable.init {
                    Some(Init::Scalar(value)) => of_expr(value, nodes),
                    Some(Init::List(list, _)) => list.iter().for_each(|value| of_expr(value, nodes)),
                    None => {}
                }
            }
        }
        Declaration::Channels(channels) => {
            nodes.push(channels.span);
            nodes.extend(channels.channels.iter().map(|channel| channel.span));
        }
    }
}

fn of_process(process: &Process, nodes: &mut Vec<Span>) {
    nodes.push(process.span);
    process.declarations.iter().for_each(|declaration| of_declaration(declaration, nodes));
    for assertion in &process.assertions {
        nodes.push(assertion.span);
        of_expr(&assertion.condition, nodes);
    }
    for transition in &process.transitions {
        nodes.push(transition.span);
        transition.guards.iter().for_each(|guard| of_expr(guard, nodes));
        if let Some(sync) = &transition.sync {
            nodes.push(sync.span);
            sync.values.iter().for_each(|value| of_expr(value, nodes));
        }
        for effect in &transition.effects {
            nodes.push(effect.span);
            of_expr(&effect.target, nodes);
            of_expr(&effect.value, nodes);
        }
    }
}

fn of_expr(expr: &Expr, nodes: &mut Vec<Span>) {
    nodes.push(expr.span);
    expr.operands().iter().for_each(|operand| of_expr(operand, nodes));
}

/// In order, each once, without those that overlap an earlier one.
fn nested(mut nodes: Vec<Span>) -> Vec<Span> {
    nodes.retain(|node| node.start < node.end);
    nodes.sort_unstable_by_key(|node| (node.start, Reverse(node.end)));
    nodes.dedup();
    let mut open: Vec<u32> = Vec::new();
    nodes.retain(|node| {
        while open.last().is_some_and(|&end| end <= node.start) {
            open.pop();
        }
        let fits = open.last().is_none_or(|&end| node.end <= end);
        if fits {
            open.push(node.end);
        }
        fits
    });
    nodes
}
