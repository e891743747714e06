//! Values that are known before anything has moved: of constants, sizes and initialisers.
//!
//! As in DiVinE an initialiser may use what is declared before it: a constant, or the initial value of a variable.

use stubborn_base::Diagnostic;
use stubborn_ir::{self as ir, Index, Model, Place, Region};

use super::names::{Meaning, Names};
use crate::ast::{BinaryOp, Expr, ExprKind};

/// The value of an expression; reports if it has none.
pub(crate) fn constant(
    names: &Names<'_>,
    process: Option<usize>,
    expr: &Expr,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<i32> {
    let mut value = |operand: &Expr| constant(names, process, operand, diagnostics);
    match &expr.kind {
        ExprKind::Number(Some(number)) => Some(*number),
        ExprKind::Number(None) => {
            diagnostics.push(too_large(expr));
            None
        }
        ExprKind::Variable(name, index) => {
            let index = index.as_deref().map(&mut value);
            let Some(symbol) = names.find(process, &name.name) else {
                names.undeclared(name, "constant", names.values(process), diagnostics);
                return None;
            };
            let (values, is_array) = match &symbol.meaning {
                Meaning::Constant { values, is_array } => (values, *is_array),
                Meaning::Variable(variable) => (&variable.initial, variable.size.is_some()),
                other => {
                    let message = format!("`{}` is {}, not a constant", name.name, other.word());
                    diagnostics.push(Diagnostic::error("not-constant", expr.span, message));
                    return None;
                }
            };
            match index {
                None if !is_array => values.first().copied(),
                Some(index) if is_array => {
                    let index = index?;
                    let found = usize::try_from(index).ok().and_then(|index| values.get(index)).copied();
                    if found.is_none() {
                        let message = format!("`{}` has no element {index}", name.name);
                        diagnostics.push(Diagnostic::error("index-out-of-bounds", expr.span, message));
                    }
                    found
                }
                _ => {
                    diagnostics.push(wrong_index(name, is_array, expr));
                    None
                }
            }
        }
        ExprKind::State(..) | ExprKind::Remote(..) => {
            let message = "this is not constant";
            let diagnostic = Diagnostic::error("not-constant", expr.span, message);
            diagnostics.push(diagnostic.help("where a process is, is known only while the system runs"));
            None
        }
        ExprKind::Unary(op, operand) => value(operand).map(|value| op.apply(value)),
        ExprKind::Imply(operands) => {
            let (left, right) = (value(&operands[0]), value(&operands[1]));
            Some(i32::from(left? == 0 || right? != 0))
        }
        ExprKind::Binary(op, operands) => {
            let (left, right) = (value(&operands[0]), value(&operands[1]));
            let result = op.apply(left?, right?);
            if result.is_none() {
                diagnostics.push(Diagnostic::error("division-by-zero", expr.span, "this divides by zero"));
            }
            result
        }
    }
}

/// A number that no variable can hold.
pub(crate) fn too_large(expr: &Expr) -> Diagnostic {
    Diagnostic::error("number-too-large", expr.span, "this number is too large")
        .help("the greatest number is 2147483647")
}

/// An array without an index, or an index without an array.
pub(crate) fn wrong_index(name: &crate::ast::Ident, is_array: bool, expr: &Expr) -> Diagnostic {
    if is_array {
        let message = format!("`{}` is an array", name.name);
        Diagnostic::error("array-without-index", expr.span, message)
            .help(format!("say which element: `{}[0]`", name.name))
    } else {
        let message = format!("`{}` is not an array", name.name);
        Diagnostic::error("not-an-array", expr.span, message).help("leave the index out")
    }
}

/// An element of a constant array: a search in halves for the index, which fails as that of a variable would.
pub(crate) fn element(values: &[i32], index: ir::Expr) -> ir::Expr {
    if let Some(at) = index.as_const() {
        return ir::Expr::Const(values[at as usize]);
    }
    let slot = Model::num_processes_slot();
    let outside = Index { value: index.clone(), bound: values.len() as u32, stride: 0 };
    let fails = Place { region: Region::Global, slot, indices: Box::new([outside]) };
    let compare = |op, bound: usize| ir::Expr::binary(op, index.clone(), ir::Expr::Const(bound as i32));
    let is_inside =
        ir::Expr::binary(BinaryOp::And, compare(BinaryOp::Ge, 0), compare(BinaryOp::Lt, values.len()));
    fn halves(values: &[i32], first: usize, less: &dyn Fn(usize) -> ir::Expr) -> ir::Expr {
        match values {
            [value] => ir::Expr::Const(*value),
            _ => {
                let middle = values.len() / 2;
                let low = halves(&values[..middle], first, less);
                let high = halves(&values[middle..], first + middle, less);
                ir::Expr::Conditional(Box::new([less(first + middle), low, high]))
            }
        }
    }
    let found = halves(values, 0, &|bound| compare(BinaryOp::Lt, bound));
    ir::Expr::Conditional(Box::new([is_inside, found, ir::Expr::Load(fails)]))
}
