//! What is known of the statements of a model without exploring it.

use std::fmt;

use stubborn_base::{FileId, Span};
use stubborn_ir::{Interpreter, Model, RuntimeErrorKind, TransitionId};
pub use stubborn_reduce::obstacle;

pub use stubborn_relations::{describe, expression};

use describe::{Description, StatementRef, Survey};

/// What is known of some statements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RelationsReport {
    /// Why no reduction can be used on the model, whatever is known of its statements.
    pub no_reduction: Option<&'static str>,
    /// The statements.
    pub statements: Vec<Description>,
}

/// There is no statement at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoStatement {
    /// The nearest one in the same file.
    pub nearest: Option<StatementRef>,
}

impl RelationsReport {
    /// Of these statements. Fails if the model has no initial state.
    pub fn of(model: &Model, statements: &[TransitionId]) -> Result<Self, NoInitialState> {
        let survey = survey(model)?;
        let statements = statements.iter().map(|&t| survey.describe(t)).collect();
        Ok(RelationsReport { no_reduction: obstacle(model), statements })
    }
}

/// What is known of a model, to be asked about many statements. Fails if the model has no initial state.
pub fn survey(model: &Model) -> Result<Survey<'_>, NoInitialState> {
    let mut interpreter = Interpreter::new(model);
    let initial = interpreter.initial().map_err(NoInitialState)?;
    Ok(Survey::new(model, interpreter.layout(), &initial))
}

/// The initial values of a model cannot be computed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoInitialState(RuntimeErrorKind);

impl fmt::Display for NoInitialState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the model has no initial state: {}", self.0)
    }
}

impl std::error::Error for NoInitialState {}

/// All statements of a model, in the order of its text.
pub fn statements(model: &Model) -> Vec<StatementRef> {
    let mut all: Vec<StatementRef> =
        model.transitions.indices().map(|t| StatementRef::new(model, t)).collect();
    all.sort_by_key(|statement| (statement.span, statement.transition));
    all
}

/// The statements at a place: the innermost, and all transitions it became.
pub fn statements_at(model: &Model, file: FileId, offset: u32) -> Result<Vec<TransitionId>, NoStatement> {
    let of_file = || model.transitions.iter_enumerated().filter(|(_, t)| t.origin.span.file == file);
    let length = |span: Span| span.end - span.start;
    let covers = |span: Span| span.start <= offset && offset < span.end.max(span.start + 1);
    let innermost =
        of_file().map(|(_, t)| t.origin.span).filter(|&span| covers(span)).min_by_key(|&s| length(s));
    match innermost {
        Some(span) => Ok(of_file().filter(|(_, t)| t.origin.span == span).map(|(id, _)| id).collect()),
        None => {
            let distance =
                |span: Span| span.start.saturating_sub(offset).max((offset + 1).saturating_sub(span.end));
            let nearest = of_file().min_by_key(|(_, t)| distance(t.origin.span));
            Err(NoStatement { nearest: nearest.map(|(id, _)| StatementRef::new(model, id)) })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stubborn_ir::SlotType;
    use stubborn_ir::fixture::{Fixture, add};

    #[test]
    fn the_innermost_statement_and_the_nearest() {
        let mut fixture = Fixture::new();
        let x = fixture.global("x", SlotType::Byte);
        let mut p = fixture.process("P");
        p.edge(0, 1, "outer").assign(&x, add(&x, 1));
        p.edge(1, 2, "inner").assign(&x, add(&x, 1));
        p.edge(2, 3, "inner too").assign(&x, add(&x, 1));
        let p = p.finish();
        fixture.activate(p);
        let mut model = fixture.finish();
        let spans = [(10, 30), (15, 20), (15, 20)];
        for (t, (start, end)) in model.transitions.iter_mut().zip(spans) {
            t.origin.span = Span::new(FileId(0), start, end);
        }
        let at = |offset| statements_at(&model, FileId(0), offset);
        assert_eq!(at(12), Ok(vec![TransitionId(0)]));
        assert_eq!(at(15), Ok(vec![TransitionId(1), TransitionId(2)]));
        assert_eq!(at(20), Ok(vec![TransitionId(0)]));
        assert_eq!(at(40).unwrap_err().nearest.unwrap().text, "outer");
        assert_eq!(statements_at(&model, FileId(1), 12).unwrap_err().nearest, None);
    }

    #[test]
    fn a_report_tells_why_there_is_no_reduction() {
        let mut fixture = Fixture::new();
        let mut p = fixture.process("P");
        p.edge(0, 0, "skip");
        let p = p.finish();
        fixture.activate(p);
        let mut model = fixture.finish();
        let report = RelationsReport::of(&model, &[TransitionId(0)]).unwrap();
        assert_eq!((report.no_reduction, report.statements.len()), (None, 1));
        model.uses_priorities = true;
        assert!(RelationsReport::of(&model, &[]).unwrap().no_reduction.unwrap().contains("priorities"));
    }
}
