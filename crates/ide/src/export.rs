//! A trail in the formats of `stubborn trail`, for who wants it outside the editor.

use stubborn_check::{Explanation, Picture, PropertyResult, Subject, Trail, chart, explain, page, spin};

use crate::root::Root;
use crate::trails::document;

/// A format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Lines with places.
    Text,
    /// A message sequence chart.
    Svg,
    /// A page to step through.
    Html,
    /// For `spin -t`.
    Spin,
}

impl std::str::FromStr for Format {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "text" => Ok(Format::Text),
            "svg" => Ok(Format::Svg),
            "html" => Ok(Format::Html),
            "spin" => Ok(Format::Spin),
            _ => Err(format!("`{name}` is no format: text, svg, html and spin are")),
        }
    }
}

/// The trail of a property that is violated, in a format.
pub fn export(root: &Root, result: &PropertyResult, trail: &Trail, format: Format) -> Result<String, String> {
    let model = root.analysis.model.as_ref().ok_or("the model has errors")?;
    let sources = &root.analysis.sources;
    let title = format!("{}: {}", result.property.name, result.reason.as_deref().unwrap_or_default());
    let subject = |explanation| Subject { sources, title: &title, trail, explanation };
    match format {
        Format::Text => Ok(document(root, result)),
        Format::Spin if root.analysis.language.name != "promela" => {
            Err("SPIN's trails are of Promela models, and this is none".to_owned())
        }
        Format::Spin => Ok(spin::export(model, trail)),
        Format::Svg => Ok(chart(subject(&reasons(root, result, trail)?))),
        Format::Html => {
            page(model, subject(&reasons(root, result, trail)?)).map_err(|error| error.to_string())
        }
    }
}

/// The net as a picture in SVG: at the step that is selected, or as it begins.
pub fn net_picture(root: &Root, step: Option<(&str, usize)>) -> Result<String, String> {
    let model = root.analysis.model.as_ref().ok_or("the model has errors")?;
    let selected = root.selected.as_ref().map(|selected| (selected.property.as_str(), selected.step));
    let step = step.or(selected);
    let trail =
        step.and_then(|(property, step)| Some((root.verdicts.result(property)?.trail.as_ref()?, step)));
    let picture = match trail {
        Some((trail, step)) => Picture::after(model, trail, (step + 1).min(trail.steps.len())),
        None => Picture::initial(model),
    };
    picture.map(|picture| picture.svg().text).ok_or_else(|| "the model is no Petri net".to_owned())
}

/// Why the steps of a trail happen.
pub fn reasons(root: &Root, result: &PropertyResult, trail: &Trail) -> Result<Explanation, String> {
    let model = root.analysis.model.as_ref().ok_or("the model has errors")?;
    explain(model, &result.property, trail).map_err(|error| error.to_string())
}
