//! What happens, for the log: what the editor tells, and what comes of checks.

use stubborn_ide::checking::News;
use stubborn_ide::{Notice, Report};
use tracing::{debug, error, info};

use crate::owner::Event;

pub(crate) fn event(event: &Event) {
    match event {
        Event::Initialize(params) => {
            let editor = params.client_info.as_ref().map(|info| info.name.as_str());
            info!(editor, folders = ?params.workspace_folders, "initialize");
        }
        Event::Open(document) => info!(uri = document.uri.as_str(), version = document.version, "open"),
        Event::Change(params) => {
            let document = &params.text_document;
            debug!(uri = document.uri.as_str(), version = document.version, "change");
        }
        Event::Save(uri) => info!(uri = uri.as_str(), "save"),
        Event::Close(uri) => info!(uri = uri.as_str(), "close"),
        Event::Watched(uris) => uris.iter().for_each(|uri| info!(uri = uri.as_str(), "changed on disk")),
        Event::Settings(value) => info!(%value, "settings"),
        Event::Folders(change) => info!(?change, "folders"),
        Event::CancelProgress(token) => info!(?token, "cancel"),
        Event::Notice(notice) => tell(notice),
        Event::Request(_) | Event::Exit => {}
    }
}

fn tell(notice: &Notice) {
    match notice {
        Notice::Reading(reading) => {
            debug!(path = %reading.path.display(), generation = reading.generation, "read");
        }
        Notice::Check(Report { task, news }) => {
            let (check, path) = (task.id, task.path.display());
            match news {
                News::Progress { .. } => {}
                News::Decided(found) => {
                    for result in found.iter().map(|found| &found.result) {
                        let (property, verdict) = (&*result.property.name, result.verdict);
                        let (states, seconds) = (result.counts.states, result.time.as_secs_f64());
                        info!(check, %path, property, %verdict, states, seconds, "decided");
                    }
                }
                News::Failed { why, .. } => error!(check, %path, why, "failed"),
                News::Finished { is_cancelled } => info!(check, %path, is_cancelled, "finished"),
            }
        }
    }
}
