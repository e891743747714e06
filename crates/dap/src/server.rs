//! The life of a connection: initialize, launch, a session, and perhaps another after a restart.

use std::io::{self, Read, Write};

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::client::Client;
use crate::inbox::{Inbox, Incoming};
use crate::launch::Launched;
use crate::protocol::{Capabilities, ExceptionFilter, InitializeArguments, LaunchArguments, Request};
use crate::session::{Asked, Restart, Session};

/// Where runs stop by themselves; the names are those of the filters.
pub(crate) const ASSERTION: &str = "assertion";
pub(crate) const DEADLOCK: &str = "deadlock";
pub(crate) const CYCLE: &str = "cycle";

/// Serves a client until it disconnects or is gone.
pub(crate) fn serve(input: Box<dyn Read + Send>, output: Box<dyn Write>) -> io::Result<()> {
    let inbox = Inbox::open(input);
    let mut client = Client::new(output);
    let mut asked = Asked::default();
    let Some((mut incoming, mut arguments)) = until_launch(&inbox, &mut client)? else { return Ok(()) };
    let mut is_restart = false;
    loop {
        // A restart has interrupted what was under way; it must not interrupt itself.
        inbox.answered(&incoming);
        let launched = Launched::new(&arguments, incoming.request.seq, &mut client, &inbox);
        let debugger = launched.as_ref().map_err(String::clone).and_then(|it| it.debugger(&arguments));
        let restart = match debugger {
            Ok(debugger) => {
                client.respond(&incoming.request, Value::Null);
                let session = Session::new(&mut client, &inbox, debugger, &arguments, &mut asked);
                session.run(is_restart)?
            }
            Err(why) => {
                client.refuse(&incoming.request, &why);
                if is_restart {
                    client.event("terminated", Value::Null);
                }
                match until_launch(&inbox, &mut client)? {
                    Some((next, launch)) => {
                        (incoming, arguments, is_restart) = (next, launch, false);
                        continue;
                    }
                    None => return Ok(()),
                }
            }
        };
        let Some(Restart { incoming: restart, arguments: changed }) = restart else { return Ok(()) };
        arguments = changed.unwrap_or(arguments);
        (incoming, is_restart) = (restart, true);
    }
}

/// Answers what can be answered before something is launched; the launch request, unless the client goes.
fn until_launch(inbox: &Inbox, client: &mut Client) -> io::Result<Option<(Incoming, LaunchArguments)>> {
    while let Some(incoming) = inbox.next()? {
        let request = &incoming.request;
        let answer = match request.command.as_str() {
            "initialize" => initialize(client, request),
            "launch" => match arguments(request) {
                Ok(launch) => return Ok(Some((incoming, launch))),
                Err(why) => Err(why),
            },
            "attach" => Err("there is nothing to attach to: launch a model".to_owned()),
            "disconnect" => {
                client.respond(request, Value::Null);
                return Ok(None);
            }
            "cancel" | "terminate" => Ok(Value::Null),
            other => Err(format!("`{other}` needs a model; nothing is launched")),
        };
        match answer {
            Ok(body) => client.respond(request, body),
            Err(why) => client.refuse(request, &why),
        }
        inbox.answered(&incoming);
    }
    Ok(None)
}

fn initialize(client: &mut Client, request: &Request) -> Result<Value, String> {
    let abilities: InitializeArguments = arguments(request)?;
    if abilities.path_format.as_deref().is_some_and(|format| format != "path") {
        return Err("files are told by their paths, nothing else".to_owned());
    }
    client.abilities = abilities;
    let filter = |filter, label, description| ExceptionFilter { filter, label, description, default: true };
    Ok(json!(Capabilities {
        supports_configuration_done_request: true,
        supports_conditional_breakpoints: true,
        supports_hit_conditional_breakpoints: true,
        supports_log_points: true,
        supports_evaluate_for_hovers: true,
        supports_step_back: true,
        supports_step_in_targets_request: true,
        supports_restart_request: true,
        supports_terminate_request: true,
        supports_cancel_request: true,
        supports_exception_info_request: true,
        supports_loaded_sources_request: true,
        supports_breakpoint_locations_request: true,
        exception_breakpoint_filters: vec![
            filter(ASSERTION, "Failed assertions", "Stop after a step that fails an assertion"),
            filter(DEADLOCK, "Deadlocks", "Stop where nothing can move and something has to"),
            filter(CYCLE, "Cycles", "Stop where the part of a run begins that repeats for ever"),
        ],
    }))
}

/// The arguments of a request; one that has none may leave them out.
pub(crate) fn arguments<T: DeserializeOwned>(request: &Request) -> Result<T, String> {
    let value = match &request.arguments {
        Value::Null => json!({}),
        value => value.clone(),
    };
    serde_json::from_value(value).map_err(|error| format!("{}: {error}", request.command))
}
