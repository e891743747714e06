//! `stubborn graph`

mod aut;
mod dot;
mod svg;

use stubborn_base::Sources;
use stubborn_check::{Choice, GraphState, Job, Reduction, graph};

use crate::args::{GraphArgs, GraphFormat, undirected};
use crate::exit::Status;
use crate::progress::ProgressLine;
use crate::{human, model, output, system};

/// Lines that tell a state.
const MAX_LINES: usize = 40;

pub(crate) fn run(args: &GraphArgs) -> Result<Status, String> {
    undirected(args.search.search)?;
    let source = model::read(&args.model)?;
    let config = args.search.config(Choice::Named(Reduction::None));
    let mut line = ProgressLine::new(config.memory);
    let job = Job { cancel: system::cancel_on_interrupt(), progress: &mut |progress| line.update(progress) };
    let graph = graph(&source.model, &config, args.max, job).map_err(|error| error.to_string())?;
    drop(line);
    output::results(&match args.format {
        GraphFormat::Dot => dot::text(&source, &graph),
        GraphFormat::Aut => aut::text(&graph)?,
        GraphFormat::Svg => svg::text(&source, &graph)?,
    });
    if !graph.is_cut() {
        return Ok(Status::Success);
    }
    let n = graph.states.len();
    output::remarks(&format!("the nearest {n} states are drawn, there are more; --max asks for more\n"));
    Ok(Status::Incomplete)
}

/// Where the processes of a state are, and what its variables are, a line each.
fn told(sources: &Sources, state: &GraphState) -> Vec<String> {
    let processes = state.processes.iter();
    let at = |span| human::place(sources, span);
    let mut lines: Vec<String> =
        processes.map(|p| format!("{}({}) at {}", p.process, p.pid, at(p.span))).collect();
    lines.extend(state.values.iter().map(|valued| format!("{} = {}", valued.name, valued.value)));
    let n_left_out = lines.len().saturating_sub(MAX_LINES);
    if n_left_out > 0 {
        lines.truncate(MAX_LINES);
        lines.push(format!("… and {n_left_out} more"));
    }
    lines
}
