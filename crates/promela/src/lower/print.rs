//! `printf` and `printm`: from a format to pieces of text and values, as SPIN's simulator reads it.

use smol_str::SmolStr;
use stubborn_ir::{Expr, Notation, Piece, SlotType};

use super::expr::Lower;
use super::names::{Here, Meaning, Type, Var};
use crate::ast::{self, ExprKind, Printf};

impl Lower<'_> {
    pub(crate) fn printf(&mut self, printf: &Printf, here: Here) -> Vec<Piece> {
        let mut args = printf.args.iter();
        let mut pieces = Vec::new();
        let mut text = String::new();
        let mut chars = printf.format.chars();
        while let Some(c) = chars.next() {
            match c {
                '"' => {}
                '\\' => text.extend(chars.next().map(unescaped)),
                '%' => match chars.next() {
                    Some('%') => text.push('%'),
                    conversion => {
                        let Some(arg) = args.next() else { continue };
                        if !text.is_empty() {
                            pieces.push(Piece::Text(SmolStr::from(std::mem::take(&mut text))));
                        }
                        pieces.push(match conversion {
                            Some('e') => self.symbolic(arg, here),
                            conversion => converted(conversion, self.expr(arg, here)),
                        });
                    }
                },
                c => text.push(c),
            }
        }
        if !text.is_empty() {
            pieces.push(Piece::Text(text.into()));
        }
        pieces.extend(args.map(|arg| Piece::Unshown(self.expr(arg, here))));
        pieces
    }

    /// A value by the name of the symbolic constant that it is.
    pub(crate) fn symbolic(&mut self, arg: &ast::Expr, here: Here) -> Piece {
        let set = self.set_of(arg, here);
        Piece::Value(self.expr(arg, here), Notation::Symbol(set))
    }

    /// The set of symbolic constants that a value belongs to; what is not known to belong to another is one
    /// of the first.
    fn set_of(&self, arg: &ast::Expr, here: Here) -> u16 {
        let ExprKind::Var(var) = &arg.kind else { return 0 };
        let symbol = self.names.lookup(here, &var.name.name);
        match symbol.map(|symbol| &self.names.symbol(symbol).meaning) {
            Some(Meaning::Var(Var { ty: Type::Scalar(SlotType::Symbol(set)), .. })) => *set,
            Some(&Meaning::Constant(_, set)) => set as u16,
            _ => 0,
        }
    }
}

fn unescaped(c: char) -> char {
    match c {
        't' => '\t',
        'n' => '\n',
        other => other,
    }
}

fn converted(conversion: Option<char>, value: Expr) -> Piece {
    let notation = match conversion {
        Some('d') => Notation::Decimal,
        Some('u') => Notation::Unsigned,
        Some('x') => Notation::Hexadecimal,
        Some('o') => Notation::Octal,
        Some('c') => Notation::Character,
        // SPIN says that it does not know this one, and shows nothing.
        _ => return Piece::Unshown(value),
    };
    Piece::Value(value, notation)
}
