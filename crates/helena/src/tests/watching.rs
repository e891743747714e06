//! Expressions that somebody types.

use std::path::Path;

use stubborn_ir::Interpreter;

use super::Nothing;
use crate::{expression, load};

const NET: &str = "n { type t: range 1 .. 3; type e: enum (a, b, c); constant e C := c;
    type l: list [nat] of t with capacity 2; constant l L := |1, 2|;
    place p { dom: t; init: 2 * <( 1 )> + <( 3 )>; } }";

fn value(text: &str) -> Result<i32, String> {
    let typed = expression(Path::new("n.lna"), NET, &Nothing, &[], text, None)
        .map_err(|bad| format!("`{}`: {}", &text[bad.at], bad.message))?;
    let model = load(Path::new("n.lna"), NET.into(), &Nothing, &[]).model.expect("no errors");
    let mut interpreter = Interpreter::new(&model);
    let initial = interpreter.initial().expect("it begins");
    Ok(interpreter.value_to_nobody(&initial, &typed.expr).expect("it has a value"))
}

#[test]
fn values_of_expressions() {
    assert_eq!(value("p'mult + 1"), Ok(4));
    assert_eq!(value("exists (x in p | x->1 = 2)"), Ok(0));
    assert_eq!(value("max (x in p : x->1)"), Ok(3));
    assert_eq!(value("C"), Ok(2));
    assert_eq!(value("p +"), Err("`+`: expected an expression, found the end of the text".to_owned()));
    assert_eq!(value("x"), Err("`x`: there is no variable or constant `x`".to_owned()));
    assert_eq!(value("L"), Err("`L`: only numbers, truth values and names can be looked at".to_owned()));
    assert_eq!(value("1 2"), Err("`2`: expected an operator, found `2`".to_owned()));
    assert!(value("").is_err());
}
