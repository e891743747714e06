//! Functions and statements as written: sections 2.6 and 2.7 of the language reference.

use stubborn_base::Span;

use crate::ast::{Expr, Field, Ident, IterVar, VarDecl};

/// A function, or its prototype.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    /// Its name.
    pub name: Ident,
    /// Its parameters.
    pub params: Vec<Field>,
    /// The type of its result.
    pub ty: Ident,
    /// What it does.
    pub body: Body,
    /// All of it.
    pub span: Span,
}

/// What there is of a function.
#[derive(Clone, PartialEq, Debug)]
pub enum Body {
    /// Only its prototype.
    Prototype,
    /// A function of C.
    Import,
    /// A statement.
    Stmt(Stmt),
}

/// A statement.
#[derive(Clone, PartialEq, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// All of it.
    pub span: Span,
}

/// What a statement is.
#[derive(Clone, PartialEq, Debug)]
pub enum StmtKind {
    /// `x := e;`
    Assign(Expr, Expr),
    /// `if (c) s else t`
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    /// `case (e) { … }`
    Case(Expr, Vec<Alternative>),
    /// `while (c) s`
    While(Expr, Box<Stmt>),
    /// `for (x in t) s`
    For(Vec<IterVar>, Box<Stmt>),
    /// `return e;`
    Return(Expr),
    /// `assert: e;`
    Assert(Expr),
    /// `{ … }`
    Block(Vec<BlockItem>),
    /// Text that was reported.
    Error,
}

/// An alternative of `case`.
#[derive(Clone, PartialEq, Debug)]
pub struct Alternative {
    /// The value; none for `default`.
    pub value: Option<Expr>,
    /// What is done.
    pub body: Stmt,
}

/// A part of a block.
#[derive(Clone, PartialEq, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum BlockItem {
    Decl(VarDecl),
    Stmt(Stmt),
}
