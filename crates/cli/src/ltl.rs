//! `stubborn ltl`

mod human;
mod json;

use stubborn_base::{Diagnostic, Sources, Span};
use stubborn_ltl::{
    Buchi, Class, Formula, Language, Parsed, StutterInvariance, Trivial, dot, hoa, never_claim, parse,
};

use crate::args::{LtlArgs, LtlFormat};
use crate::diagnostics;
use crate::exit::Status;
use crate::output;

/// What there is to tell.
struct Report {
    /// In SPIN's syntax; negated if that was asked for.
    formula: String,
    propositions: Vec<String>,
    automaton: Buchi,
    trivial: Option<Trivial>,
    stutter_invariance: StutterInvariance,
    /// None if it is too much work to find out.
    class: Option<Class>,
}

pub(crate) fn run(args: &LtlArgs) -> Result<Status, String> {
    let Parsed { formula, propositions, .. } = read(&args.formula)?;
    let formula = if args.negate { formula.negated() } else { formula };
    let report = report(&formula, propositions.iter().map(|text| text.to_string()).collect())?;
    let Report { formula, propositions, automaton, .. } = &report;
    let text = match args.format {
        LtlFormat::Human => human::report(&report),
        LtlFormat::Hoa => hoa(automaton, formula, propositions),
        LtlFormat::Spin => never_claim(automaton, formula, propositions),
        LtlFormat::Dot => dot(automaton, formula, propositions),
        LtlFormat::Json => json::report(&report),
    };
    output::results(&text);
    Ok(Status::Success)
}

/// Reads the formula, showing what is wrong with it. Fails with one line if anything is.
fn read(text: &str) -> Result<Parsed, String> {
    let parsed = parse(text);
    let mut sources = Sources::new();
    let file = sources.add("formula", text);
    let diagnostic = |error: &stubborn_ltl::ParseError| {
        let span = Span::new(file, error.range.start, error.range.end);
        Diagnostic::error("ltl-syntax", span, error.message.as_str()).help(error.help.as_str())
    };
    diagnostics::show(&sources, &parsed.errors.iter().map(diagnostic).collect::<Vec<_>>());
    match parsed.errors.len() {
        0 => Ok(parsed),
        1 => Err("the formula has an error".to_owned()),
        n => Err(format!("the formula has {n} errors")),
    }
}

fn report(formula: &Formula, propositions: Vec<String>) -> Result<Report, String> {
    let mut language = Language::of(formula, &|| false).map_err(|error| error.to_string())?;
    let automaton = language.buchi().map_err(|error| error.to_string())?;
    Ok(Report {
        formula: formula.to_text(&propositions),
        automaton,
        trivial: language.trivial(),
        stutter_invariance: language.stutter_invariance(),
        class: language.class().ok(),
        propositions,
    })
}

impl Report {
    fn class_name(&self) -> Option<&'static str> {
        self.class.map(|class| match class {
            Class::Safety => "safety",
            Class::Guarantee => "guarantee",
            Class::Obligation => "obligation",
            Class::Other => "general",
        })
    }

    fn trivial_name(&self) -> Option<&'static str> {
        self.trivial.map(|trivial| match trivial {
            Trivial::Valid => "valid",
            Trivial::Unsatisfiable => "unsatisfiable",
        })
    }
}
