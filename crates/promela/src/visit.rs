//! Walks over the syntax tree.

use stubborn_base::Span;

use crate::ast::{
    Block, Expr, ExprKind, ForOver, Init, Item, Program, RecvArg, RecvArgKind, Select, Step, Stmt, StmtKind,
    VarDecl, VarRef,
};

/// A node of the tree.
#[derive(Clone, Copy)]
pub(crate) enum Node<'a> {
    Expr(&'a Expr),
    Var(&'a VarRef),
    Stmt(&'a Stmt),
    Block(&'a Block),
    Decl(&'a VarDecl),
}

impl Node<'_> {
    pub(crate) fn span(self) -> Span {
        match self {
            Node::Expr(expr) => expr.span,
            Node::Var(var) => var.span,
            Node::Stmt(stmt) => stmt.span,
            Node::Block(block) => block.span,
            Node::Decl(decl) => decl.span,
        }
    }
}

/// Calls `found` with every expression of a program, outer ones first.
pub(crate) fn each_expr<'a>(program: &'a Program, found: &mut impl FnMut(&'a Expr)) {
    each_node(program, &mut |node| {
        if let Node::Expr(expr) = node {
            found(expr);
        }
    });
}

/// Calls `found` with every expression in an expression, outer ones first.
pub(crate) fn each_expr_in<'a>(expr: &'a Expr, found: &mut impl FnMut(&'a Expr)) {
    in_expr(expr, &mut |node| {
        if let Node::Expr(expr) = node {
            found(expr);
        }
    });
}

/// Calls `found` with every node of a program, outer ones first.
pub(crate) fn each_node<'a>(program: &'a Program, found: &mut impl FnMut(Node<'a>)) {
    for item in &program.items {
        match item {
            Item::Decl(decl) => in_decl(decl, found),
            Item::Typedef(typedef) => typedef.fields.iter().for_each(|d| in_decl(d, found)),
            Item::Proctype(p) => {
                p.provided.iter().for_each(|e| in_expr(e, found));
                in_block(&p.body, found);
            }
            Item::Never(never) => in_block(&never.body, found),
            Item::Trace(trace) => in_block(&trace.body, found),
            Item::Ltl(ltl) => in_expr(&ltl.formula, found),
            Item::Mtype(_) | Item::Inline(_) => {}
        }
    }
}

fn in_decl<'a>(decl: &'a VarDecl, found: &mut impl FnMut(Node<'a>)) {
    found(Node::Decl(decl));
    for declarator in &decl.vars {
        declarator.array.iter().for_each(|e| in_expr(e, found));
        match declarator.init.as_deref() {
            Some(Init::Expr(e)) => in_expr(e, found),
            Some(Init::List(list)) => list.iter().for_each(|e| in_expr(e, found)),
            Some(Init::Chan(chan)) => in_expr(&chan.capacity, found),
            None => {}
        }
    }
}

fn in_block<'a>(block: &'a Block, found: &mut impl FnMut(Node<'a>)) {
    found(Node::Block(block));
    for step in &block.steps {
        match step {
            Step::Decl(decl) => in_decl(decl, found),
            Step::Exclusive(exclusive) => exclusive.chans.iter().for_each(|c| in_var(c, found)),
            Step::Stmt(stmt) => in_stmt(stmt, found),
        }
    }
}

fn in_stmt<'a>(stmt: &'a Stmt, found: &mut impl FnMut(Node<'a>)) {
    found(Node::Stmt(stmt));
    match &stmt.kind {
        StmtKind::Labelled(_, inner) => inner.iter().for_each(|s| in_stmt(s, found)),
        StmtKind::Expr(e) | StmtKind::Assert(e) | StmtKind::Printm(e) | StmtKind::Return(e) => {
            in_expr(e, found)
        }
        StmtKind::Assign(var, value) => {
            in_var(var, found);
            in_expr(value, found);
        }
        StmtKind::Increment(var) | StmtKind::Decrement(var) => in_var(var, found),
        StmtKind::Send(send) => {
            in_var(&send.chan, found);
            send.args.iter().for_each(|e| in_expr(e, found));
        }
        StmtKind::Receive(receive) => {
            in_var(&receive.chan, found);
            receive.args.iter().for_each(|a| in_recv(a, found));
        }
        StmtKind::If(options) | StmtKind::Do(options) => options.iter().for_each(|o| in_block(o, found)),
        StmtKind::For(f) => {
            in_var(&f.var, found);
            match &f.over {
                ForOver::Range(from, to) => {
                    in_expr(from, found);
                    in_expr(to, found);
                }
                ForOver::In(var) => in_var(var, found),
            }
            in_block(&f.body, found);
        }
        StmtKind::Select(select) => {
            let Select { var, from, to, .. } = &**select;
            in_var(var, found);
            in_expr(from, found);
            in_expr(to, found);
        }
        StmtKind::Atomic(block) | StmtKind::DStep(block) | StmtKind::Block(block) => in_block(block, found),
        StmtKind::Unless(body, escape) => {
            in_stmt(body, found);
            in_stmt(escape, found);
        }
        StmtKind::Printf(printf) => printf.args.iter().for_each(|e| in_expr(e, found)),
        StmtKind::SetPriority(pid, priority) => {
            in_expr(pid, found);
            in_expr(priority, found);
        }
        StmtKind::InlineCall(call) => {
            call.result.iter().for_each(|r| in_var(r, found));
            in_block(&call.body, found);
        }
        StmtKind::Goto(_) | StmtKind::Break | StmtKind::Else | StmtKind::Error => {}
    }
}

fn in_recv<'a>(arg: &'a RecvArg, found: &mut impl FnMut(Node<'a>)) {
    match &arg.kind {
        RecvArgKind::Var(var) => in_var(var, found),
        RecvArgKind::Eval(e) => in_expr(e, found),
        RecvArgKind::Const(_) => {}
    }
}

fn in_var<'a>(var: &'a VarRef, found: &mut impl FnMut(Node<'a>)) {
    found(Node::Var(var));
    var.index.iter().for_each(|e| in_expr(e, found));
    var.field.iter().for_each(|f| in_var(f, found));
}

fn in_expr<'a>(expr: &'a Expr, found: &mut impl FnMut(Node<'a>)) {
    found(Node::Expr(expr));
    match &expr.kind {
        ExprKind::Var(var) | ExprKind::Len(var) | ExprKind::Probe(_, var) => in_var(var, found),
        ExprKind::Unary(_, e)
        | ExprKind::Enabled(e)
        | ExprKind::GetPriority(e)
        | ExprKind::PcValue(e)
        | ExprKind::Temporal1(_, e) => in_expr(e, found),
        ExprKind::Binary(_, l, r) | ExprKind::Temporal2(_, l, r) => {
            in_expr(l, found);
            in_expr(r, found);
        }
        ExprKind::Conditional(c, a, b) => {
            in_expr(c, found);
            in_expr(a, found);
            in_expr(b, found);
        }
        ExprKind::Run(run) => run.args.iter().for_each(|e| in_expr(e, found)),
        ExprKind::Poll(poll) => {
            in_var(&poll.chan, found);
            poll.args.iter().for_each(|a| in_recv(a, found));
        }
        ExprKind::RemoteLabel(remote) => remote.pid.iter().for_each(|e| in_expr(e, found)),
        ExprKind::RemoteVar(remote) => {
            remote.pid.iter().for_each(|e| in_expr(e, found));
            in_var(&remote.var, found);
        }
        ExprKind::Const(_) | ExprKind::Timeout | ExprKind::NonProgress | ExprKind::Error => {}
    }
}
