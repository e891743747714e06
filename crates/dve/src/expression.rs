//! Expressions that somebody types while looking at a state: read with the model's names.

use std::path::Path;

use stubborn_base::{BadExpression, Diagnostic, FileId, Loader};
use stubborn_ir::{LocationId, ProcessTypeId, Typed};

use crate::lower::lower_expression;
use crate::parser::{parse, parse_expression};

/// Reads an expression as it would stand outside of all processes, or at a location of one. The model must be one
/// that was read without errors.
pub fn expression(
    _path: &Path,
    model: &str,
    _loader: &dyn Loader,
    _defines: &[(String, String)],
    text: &str,
    at: Option<(ProcessTypeId, LocationId)>,
) -> Result<Typed, BadExpression> {
    let bad = |error: Diagnostic| {
        let at = error.span.range();
        let end = at.end.min(text.len());
        BadExpression { message: error.message, at: at.start.min(end)..end, help: error.help }
    };
    let tree = parse_expression(text, FileId(1)).map_err(|error| bad(*error))?;
    let parsed = parse(model, FileId(0));
    let mut diagnostics = Vec::new();
    let typed = lower_expression(&parsed.program, &tree, at, &mut diagnostics);
    match (diagnostics.into_iter().find(Diagnostic::is_error), typed) {
        (None, Some(typed)) => Ok(typed),
        (Some(error), _) => Err(bad(error)),
        (None, None) => {
            let message = "there is no such place in the model".to_owned();
            Err(BadExpression { message, at: 0..text.len(), help: None })
        }
    }
}

#[cfg(test)]
mod tests {
    use stubborn_ir::SlotType;

    use super::*;
    use crate::corpus::Nothing;

    const MODEL: &str = "byte x; int a[2]; const int two = 2; channel c;\n\
        process P { byte y; state s, t; init s; trans s -> t { sync c!x; }; }\n\
        process LTL { state q; init q; accept q; trans q -> q {}; }\n\
        process Q { int y; state u; init u; trans u -> u { sync c?y; }; }\n\
        system async property LTL;";

    fn read(text: &str, at: Option<u32>) -> Result<Typed, BadExpression> {
        let at = at.map(|process| (ProcessTypeId(process), LocationId(0)));
        expression(Path::new("m.dve"), MODEL, &Nothing, &[], text, at)
    }

    #[test]
    fn names_mean_what_they_mean_where_the_process_is() {
        assert_eq!(read("x", None).unwrap().ty, Some(SlotType::Byte));
        assert_eq!(read("a[x + two - two]", None).unwrap().ty, Some(SlotType::Short));
        assert_eq!(read("y", Some(0)).unwrap().ty, Some(SlotType::Byte));
        assert_eq!(read("y", Some(1)).unwrap().ty, Some(SlotType::Short));
        assert!(read("P.s and Q->y == P->y imply not Q.u", None).is_ok());
        assert_eq!(read("y", None).unwrap_err().message, "variable `y` is not declared");
        assert!(read("x", Some(7)).is_err());
    }

    #[test]
    fn errors_have_their_place() {
        assert_eq!(read("x + + unknown", None).unwrap_err().at, 4..5);
        assert_eq!(read("x + unknown", None).unwrap_err().at, 4..11);
        assert_eq!(read("x = 1", None).unwrap_err().at, 2..3);
        assert_eq!(read("P.nowhere", None).unwrap_err().at, 2..9);
        for text in ["", "x)", "(x", "x; y", "/* open", "LTL.q", "c", "a", "x[0]", "a[2]", "99999999999", "é"]
        {
            let bad = read(text, None).unwrap_err();
            assert!(bad.at.end <= text.len() && bad.at.start <= bad.at.end, "{text}: {bad:?}");
        }
    }
}
