//! `stubborn relations`

mod human;
mod json;
mod net;

use stubborn_base::FileId;
use stubborn_check::{NoStatement, RelationsReport, statements, statements_at};

use crate::args::{At, Format, RelationsArgs};
use crate::exit::Status;
use crate::model::{self, Source};
use crate::output;

pub(crate) fn run(args: &RelationsArgs) -> Result<Status, String> {
    let source = model::read(&args.model)?;
    let text = match &args.at {
        None => list(&source, args.format),
        Some(at) => describe(&source, at, args.format)?,
    };
    output::results(&text);
    Ok(Status::Success)
}

fn list(source: &Source, format: Format) -> String {
    if let Some(net) = &source.model.net {
        return net::list(source, net, format);
    }
    let statements = statements(&source.model);
    match format {
        Format::Human => human::list(source, &statements),
        Format::Json => json::list(source, &statements),
    }
}

fn describe(source: &Source, at: &At, format: Format) -> Result<String, String> {
    let file = file(source, at)?;
    let name = source.sources.file(file).path().display();
    let place = format!("{name}:{}:{}", at.position.line, at.position.column);
    let Some(offset) = source.sources.offset(file, at.position) else {
        return Err(format!("{place} is outside the text"));
    };
    if let Some(net) = &source.model.net {
        let item = net::find(source, net, file, offset)
            .map_err(|nearest| format!("there is no transition and no place at {place}{nearest}"))?;
        let report = RelationsReport::of_net(&source.model, &[item]).map_err(|error| error.to_string())?;
        return Ok(net::report(source, net, &report, format));
    }
    let found =
        statements_at(&source.model, file, offset).map_err(|NoStatement { nearest }| match nearest {
            Some(nearest) => {
                let nearest_place = human::place(&source.sources, nearest.span);
                format!(
                    "there is no statement at {place}; the nearest is `{}` at {nearest_place}",
                    nearest.text
                )
            }
            None => format!("there is no statement in {name}"),
        })?;
    let report = RelationsReport::of(&source.model, &found).map_err(|error| error.to_string())?;
    Ok(match format {
        Format::Human => human::report(source, &report),
        Format::Json => json::report(source, &report),
    })
}

/// The file a place is in: the model itself, or one it includes whose path ends as given.
fn file(source: &Source, at: &At) -> Result<FileId, String> {
    let Some(path) = &at.file else { return Ok(FileId(0)) };
    let mut files = source.sources.iter();
    let found = files.find(|(_, file)| file.path() == path || file.path().ends_with(path));
    found.map(|(id, _)| id).ok_or_else(|| format!("the model does not include {}", path.display()))
}
