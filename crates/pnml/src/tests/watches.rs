//! Expressions over markings.

use stubborn_base::BadExpression;
use stubborn_ir::Interpreter;

use super::coloured::{arc, coloured, of, place, times};
use super::{Beside, plain};

fn value(text: &str, expression: &str) -> Result<i32, BadExpression> {
    let path = std::path::Path::new("model.pnml");
    let beside = Beside(Vec::new());
    let typed = crate::expression(path, text, &beside, &[], expression, None)?;
    let model = crate::load(path, text.into(), &beside, &[]).model.expect("there are no errors");
    let mut interpreter = Interpreter::new(&model);
    let state = interpreter.initial().expect("there is an initial marking");
    Ok(interpreter.holds(&state, &typed.expr).map(i32::from).unwrap_or_else(|why| panic!("{why}")))
}

#[test]
fn of_dots() {
    let text = plain(
        r#"<place id="a-b"><initialMarking><text>3</text></initialMarking></place><place id="a"/>
        <transition id="t.1"/><arc id="x" source="a" target="t.1"/><transition id="u"/><arc id="y" source="a-b" target="u"/>"#,
    );
    let holds = |expression: &str| value(&text, expression).map(|value| value != 0);
    for expression in ["a-b == 3", "a - a-b == -3", "!a", "u && !t.1", "2*(a-b+1) >= 8 || a", "! deadlock"] {
        assert_eq!(holds(expression), Ok(true), "{expression}");
    }
    for expression in ["a", "t.1 && u", "deadlock", "a-b != 3"] {
        assert_eq!(holds(expression), Ok(false), "{expression}");
    }
    let at = |expression: &str| holds(expression).map_err(|bad| bad.at);
    assert_eq!(at("a == c"), Err(5..6));
    assert_eq!(at("a =="), Err(4..4));
    assert_eq!(at("(a"), Err(2..2));
    assert_eq!(at("a a"), Err(2..3));
    assert_eq!(at("a(1)"), Ok(false), "no token ever comes there");
    assert_eq!(at("a-b(1)"), Err(3..6));
    assert!(at(&"(".repeat(100_000)).is_err());
    assert!(at(&"a+".repeat(100_000)).is_err());
}

#[test]
fn of_colours() {
    let red = r#"<useroperator declaration="c1"/>"#;
    let pairs = of("tuple", &[red, r#"<all><usersort declaration="R"/></all>"#]);
    let x = r#"<variable refvariable="x"/>"#;
    let text = coloured(
        &[
            place("c", "C", &times(2, red)),
            place("p", "CR", &pairs),
            "<transition id=\"t\"/>".to_owned(),
            arc("c", "t", x),
        ]
        .concat(),
    );
    for expression in
        ["c == 2", "c(red) == 2", "c(blue) == 0", "p == 3", "p( red,_ ) == 3", "p(_, 2) == 1", "t(red)"]
    {
        assert_eq!(value(&text, expression), Ok(1), "{expression}");
    }
    assert_eq!(value(&text, "t(blue)"), Ok(0));
    assert!(value(&text, "p(red)").is_err());
}
