//! A trail as a page to step through: one file that needs nothing else.
//!
//! The page is complete without its script, which only moves the mark and shows what belongs to it. What the
//! script works on stands in the page as JSON. Invariant: nothing of the model is taken for markup; text is
//! escaped, and inside the JSON no `<` is left, so no end tag either.

mod data;
mod parts;

use stubborn_ir::{Model, Violation};

use crate::chart::{Subject, chart, escaped};
use crate::replay::ReplayError;
use crate::valuation::valuation;

/// A longer trail has no chart in its page.
const MAX_CHART: usize = 2_000;

/// The page as an HTML document.
pub fn page(model: &Model, subject: Subject<'_>) -> Result<String, ReplayError> {
    let by_transition = subject.explanation.by_transition(subject.trail);
    let explanation = by_transition.as_ref().unwrap_or(subject.explanation);
    let subject = Subject { explanation, ..subject };
    let valuation = valuation(model, subject.trail)?;
    let data = serde_json::to_string(&data::data(subject, &valuation)).expect("plain data can be written");
    let picture = match subject.trail.steps.len() {
        0..=MAX_CHART => chart(subject),
        n => format!("<p>A chart of {n} steps would be too long.</p>"),
    };
    let file = subject.sources.iter().next().map(|(_, file)| file.path().display().to_string());
    let title = format!("{}: {}", file.unwrap_or_default(), subject.title);
    let ends = match subject.trail.violation {
        Violation::InvalidEnd if model.net.is_some() => "No transition can fire",
        Violation::InvalidEnd => "Nothing can move",
        Violation::InfiniteRun if subject.trail.cycle > 0 => "Where the cycle begins",
        _ => "At the end",
    };
    let who = match model.net {
        Some(_) => ("Transitions", "transition", "Marking"),
        None => ("Processes", "process", "Variables"),
    };
    // Each part is put in once, so that nothing in one is taken for the place of another.
    let mut page = String::new();
    let mut rest = include_str!("page/page.html");
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").expect("every place in the page has a name and an end");
        page += before;
        page += &match name {
            "title" => escaped(&title),
            "style" => include_str!("page/page.css").to_owned(),
            "who" => who.0.to_owned(),
            "whose" => who.1.to_owned(),
            "what" => who.2.to_owned(),
            "verdict" => escaped(subject.title),
            "processes" => parts::processes(subject),
            "steps" => parts::steps(subject),
            "sources" => parts::sources(subject),
            "ends" => escaped(ends),
            "standing" => parts::standing(subject),
            "chart" => picture.clone(),
            "data" => data.replace('<', "\\u003c"),
            "script" => include_str!("page/page.js").to_owned(),
            _ => unreachable!("the page has no other places"),
        };
        rest = after;
    }
    Ok(page + rest)
}
