//! `stubborn dap`

use tracing_subscriber::filter::LevelFilter;

use crate::args::DapArgs;
use crate::exit::Status;
use crate::log;

pub(crate) fn run(args: &DapArgs) -> Result<Status, String> {
    if let Some(path) = &args.log {
        log::to(path, LevelFilter::DEBUG)?;
    }
    stubborn_dap::serve(std::io::stdin(), std::io::stdout()).map_err(|error| error.to_string())?;
    Ok(Status::Success)
}
