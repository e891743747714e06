//! Progress bars: one per check, with states, depth and rate.

use std::collections::BTreeMap;

use stubborn_ide::Report;
use stubborn_ide::checking::{News, TaskId};
use stubborn_ide::lenses::grouped;
use tower_lsp::ls_types as lsp;

use crate::outbox::{Bar, Outbox};

/// The bars that are shown.
#[derive(Debug, Default)]
pub(crate) struct Bars {
    shown: BTreeMap<TaskId, lsp::ProgressToken>,
}

impl Bars {
    /// Shows what a check reports.
    pub(crate) fn update(&mut self, report: &Report, outbox: &Outbox) {
        let id = report.task.id;
        let send = |token: &lsp::ProgressToken, progress| {
            let value = lsp::ProgressParamsValue::WorkDone(progress);
            outbox.send_bar(Bar::News(lsp::ProgressParams { token: token.clone(), value }));
        };
        match &report.news {
            News::Progress { properties, progress, time } => {
                let told = report.task.properties.get(properties.start).map_or("", |p| &p.name);
                let counts = progress.counts;
                let rate = counts.states as f64 / time.as_secs_f64().max(1e-3);
                let (states, depth, rate) =
                    (grouped(counts.states), grouped(counts.depth), grouped(rate as u64));
                let message = format!("{told}: {states} states, depth {depth}, {rate} states/s");
                if let Some(token) = self.shown.get(&id) {
                    let message = Some(message);
                    let report =
                        lsp::WorkDoneProgressReport { cancellable: Some(true), message, percentage: None };
                    send(token, lsp::WorkDoneProgress::Report(report));
                } else {
                    let token = lsp::ProgressToken::String(format!("stubborn/check/{id}"));
                    outbox.send_bar(Bar::Create(token.clone()));
                    let name = report.task.path.file_name().unwrap_or_default().to_string_lossy();
                    let begin = lsp::WorkDoneProgressBegin {
                        title: format!("Checking {name}"),
                        cancellable: Some(true),
                        message: Some(message),
                        percentage: None,
                    };
                    send(&token, lsp::WorkDoneProgress::Begin(begin));
                    self.shown.insert(id, token);
                }
            }
            News::Finished { .. } | News::Decided(_) | News::Failed { .. } => {}
        }
    }

    /// Ends the bars of checks that have ended, or are to end: how long that takes is not the editor's affair.
    pub(crate) fn end(&mut self, is_live: impl Fn(TaskId) -> bool, outbox: &Outbox) {
        self.shown.retain(|&id, token| {
            if !is_live(id) {
                let end = lsp::WorkDoneProgress::End(lsp::WorkDoneProgressEnd { message: None });
                let value = lsp::ProgressParamsValue::WorkDone(end);
                outbox.send_bar(Bar::News(lsp::ProgressParams { token: token.clone(), value }));
            }
            is_live(id)
        });
    }

    /// The check that a bar is about.
    pub(crate) fn task(&self, token: &lsp::ProgressToken) -> Option<TaskId> {
        self.shown.iter().find(|(_, shown)| *shown == token).map(|(id, _)| *id)
    }
}
