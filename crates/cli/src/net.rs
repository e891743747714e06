//! `stubborn net`

use stubborn_check::{Job, Picture, Verdict, check, select};

use crate::args::{NetArgs, NetFormat};
use crate::exit::Status;
use crate::model::{self, Source};
use crate::progress::ProgressLine;
use crate::{output, system};

pub(crate) fn run(args: &NetArgs) -> Result<Status, String> {
    let mut source = model::read(&args.how.common.model)?;
    if source.model.net.is_none() {
        return Err(format!("{} is no Petri net; models of Helena and PNML are", source.path));
    }
    let goals = source.add_goals(&args.how.common.model, &args.how.reach)?;
    let picture = picture(args, &source, goals)?;
    let drawn = match args.format {
        NetFormat::Svg => picture.svg(),
        NetFormat::Dot => picture.dot(),
    };
    match &args.output {
        Some(path) => std::fs::write(path, &drawn.text)
            .map_err(|error| format!("cannot write {}: {error}", path.display()))?,
        None => output::results(&drawn.text),
    }
    if drawn.n_shown < drawn.n_all {
        output::remarks(&format!(
            "{} of {} places and transitions are drawn; --format dot has all of them\n",
            drawn.n_shown, drawn.n_all
        ));
    }
    Ok(Status::Success)
}

fn picture<'m>(args: &NetArgs, source: &'m Source, goals: Vec<String>) -> Result<Picture<'m>, String> {
    let none = || "the net has no initial marking".to_owned();
    let names: Vec<String> = args.property.iter().cloned().chain(goals).collect();
    let name = match &*names {
        [] if args.step.is_some() => return Err("`--step` needs `--property` or `--reach`".to_owned()),
        [] => return Picture::initial(&source.model).ok_or_else(none),
        [name] => name,
        _ => return Err("a picture shows the counterexample of one property".to_owned()),
    };
    let properties = select(&source.model, &names).map_err(|error| error.to_string())?;
    let config = args.how.config();
    let mut line = ProgressLine::new(config.memory);
    let job = Job { cancel: system::cancel_on_interrupt(), progress: &mut |progress| line.update(progress) };
    let results = check(&source.model, &properties, &config, job).map_err(|why| why.to_string())?;
    drop(line);
    let violated = results.iter().find(|result| result.verdict == Verdict::Violated);
    let trail = violated.and_then(|result| result.trail.as_ref());
    let trail =
        trail.ok_or_else(|| format!("`{name}` has no counterexample, so there is no step to show"))?;
    let n = trail.steps.len();
    let step = args.step.unwrap_or(n);
    let picture = Picture::after(&source.model, trail, step);
    picture.ok_or_else(|| format!("the counterexample of `{name}` has {n} steps, and no step {step}"))
}
