//! `stubborn completions` and `stubborn man`: both are made from the definition of the command line.

use std::fs;

use clap::CommandFactory;
use clap_mangen::Man;

use crate::args::{Args, CompletionsArgs, ManArgs};
use crate::exit::Status;
use crate::output;

const NAME: &str = "stubborn";

pub(crate) fn completions(args: &CompletionsArgs) -> Result<Status, String> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), NAME, &mut text);
    output::results(&String::from_utf8_lossy(&text));
    Ok(Status::Success)
}

pub(crate) fn pages(args: &ManArgs) -> Result<Status, String> {
    let Some(folder) = &args.folder else {
        output::results(&page(Args::command()));
        return Ok(Status::Success);
    };
    let cannot_write = |error| format!("cannot write to {}: {error}", folder.display());
    fs::create_dir_all(folder).map_err(cannot_write)?;
    clap_mangen::generate_to(Args::command(), folder).map_err(cannot_write)?;
    Ok(Status::Success)
}

fn page(command: clap::Command) -> String {
    let mut text = Vec::new();
    // A vector takes all that is written to it.
    let _ = Man::new(command).render(&mut text);
    String::from_utf8_lossy(&text).into_owned()
}
