//! `stubborn convert`

use stubborn_base::Diagnostic;
use stubborn_convert::{Refused, convert};

use crate::args::ConvertArgs;
use crate::exit::Status;
use crate::{diagnostics, model, output};

pub(crate) fn run(args: &ConvertArgs) -> Result<Status, String> {
    let source = model::read(&args.model)?;
    let text = convert(&source.model, args.to.target()).map_err(|Refused { why, span }| {
        if let Some(span) = span {
            let diagnostic = Diagnostic::error("cannot-convert", span, why.clone());
            diagnostics::show(&source.sources, &[diagnostic]);
        }
        format!("{} cannot be written in {:?}: {why}", source.path, args.to)
    })?;
    match &args.output {
        Some(path) => {
            std::fs::write(path, text)
                .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        }
        None => output::results(&text),
    }
    if !source.model.claims.is_empty() {
        output::remarks("what the model states about its runs is not carried over\n");
    }
    Ok(Status::Success)
}
