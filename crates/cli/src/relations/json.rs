//! What is known of statements, for programs. The field names are a contract: add, never rename.
//!
//! One object on one line: `model`, `language`, `no_reduction` (why no reduction can be used on
//! the model, or null), and `statements`. A *statement* has `process`, `text`, `file`, `line`,
//! `column`, `end_line` and `end_column`; without `--at` that is all. With `--at`, also:
//!
//! - `basis`, `pids`: `initial` and the numbers of the processes this is told of; or `created`,
//!   of a process that `run` creates; or `never`, none is;
//! - `from`, `to`: the location before and after (null if the process is gone), with `number`,
//!   `labels` and `is_end`;
//! - `guards`: what has to be so, with `kind` (`guard`, `channel`, `message` or `otherwise`),
//!   `text`, `variables`, `by_anything`, and the relatives `enabled_by` and `disabled_by`;
//! - `reads`, `writes`: names of variables and channels; `uses_unknown_channel`; `creates`:
//!   names of process types;
//! - `channel` (or null): `operation` (`send` or `receive`), `channels` (null if not known),
//!   `rendezvous` (`no`, `maybe` or `always`), and the relatives `partners`;
//! - `does_not_accord`: relatives, with `reason` (`same-location`, `rendezvous`, `shared`,
//!   `unknown-channel`, `everything`, `timeout` or `unclear`); `shared` has `name`, and what is
//!   done with it: `here`, `there` (`tests`, `reads`, `writes`, `sends` or `receives`), and
//!   whether that is `in_run_here`, `in_run_there`; null otherwise;
//! - `never_with`, `inside_runs_of`: statements;
//! - `sticky`, and `sticky_reason` (`creates-process`, `on-cycle`, `in-run` or null);
//! - `atomic_run` (or null): the relatives it `contains`, and what they add to `reads`, `writes`;
//! - `seen_by`, names of claims; `asserts`, `can_fail`, `steps_to_end`, `steps_to_assertion` (null if there is none).
//!
//! A *relative* is a statement with `whose`: `same` process, `other`, or one that is `created`.

use serde::Serialize;
use stubborn_base::Sources;
use stubborn_check::RelationsReport;
use stubborn_check::relations::describe as told;

use crate::json::{file, line};
use crate::model::Source;

#[derive(Serialize)]
struct Report<'a, S> {
    model: &'a str,
    language: &'a str,
    no_reduction: Option<&'a str>,
    statements: Vec<S>,
}

#[derive(Serialize)]
struct Statement<'a> {
    process: &'a str,
    text: &'a str,
    file: String,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
}

#[derive(Serialize)]
struct Relative<'a> {
    #[serde(flatten)]
    statement: Statement<'a>,
    whose: &'static str,
}

#[derive(Serialize)]
struct Conflict<'a> {
    #[serde(flatten)]
    with: Relative<'a>,
    reason: &'static str,
    name: Option<&'a str>,
    here: Option<String>,
    there: Option<String>,
    in_run_here: Option<bool>,
    in_run_there: Option<bool>,
}

#[derive(Serialize)]
struct Location<'a> {
    number: i32,
    labels: Vec<&'a str>,
    is_end: bool,
}

#[derive(Serialize)]
struct Guard<'a> {
    kind: &'static str,
    text: &'a str,
    variables: Vec<&'a str>,
    by_anything: bool,
    enabled_by: Vec<Relative<'a>>,
    disabled_by: Vec<Relative<'a>>,
}

#[derive(Serialize)]
struct Channel<'a> {
    operation: &'static str,
    channels: Option<Vec<&'a str>>,
    rendezvous: &'static str,
    partners: Vec<Relative<'a>>,
}

#[derive(Serialize)]
struct AtomicRun<'a> {
    contains: Vec<Relative<'a>>,
    reads: Vec<&'a str>,
    writes: Vec<&'a str>,
}

#[derive(Serialize)]
struct Description<'a> {
    #[serde(flatten)]
    statement: Statement<'a>,
    basis: &'static str,
    pids: &'a [u16],
    from: Location<'a>,
    to: Option<Location<'a>>,
    guards: Vec<Guard<'a>>,
    reads: Vec<&'a str>,
    writes: Vec<&'a str>,
    uses_unknown_channel: bool,
    creates: Vec<&'a str>,
    channel: Option<Channel<'a>>,
    does_not_accord: Vec<Conflict<'a>>,
    never_with: Vec<Statement<'a>>,
    sticky: bool,
    sticky_reason: Option<&'static str>,
    atomic_run: Option<AtomicRun<'a>>,
    inside_runs_of: Vec<Statement<'a>>,
    seen_by: Vec<&'a str>,
    asserts: bool,
    can_fail: bool,
    steps_to_end: Option<u32>,
    steps_to_assertion: Option<u32>,
}

/// What `stubborn relations --format json` writes.
pub(super) fn list(source: &Source, statements: &[told::StatementRef]) -> String {
    line(&Report {
        model: &source.path,
        language: source.language,
        no_reduction: stubborn_check::relations::obstacle(&source.model),
        statements: statements.iter().map(|s| statement(&source.sources, s)).collect(),
    })
}

/// What `stubborn relations --at … --format json` writes.
pub(super) fn report(source: &Source, report: &RelationsReport) -> String {
    line(&Report {
        model: &source.path,
        language: source.language,
        no_reduction: report.no_reduction,
        statements: report.statements.iter().map(|d| description(&source.sources, d)).collect(),
    })
}

fn description<'a>(sources: &'a Sources, d: &'a told::Description) -> Description<'a> {
    let (basis, pids): (_, &[u16]) = match &d.basis {
        told::Basis::Initial(pids) => ("initial", pids),
        told::Basis::Created => ("created", &[]),
        told::Basis::Never => ("never", &[]),
    };
    let sticky_reason = match d.sticky {
        told::Sticky::No => None,
        told::Sticky::CreatesProcess => Some("creates-process"),
        told::Sticky::OnCycle => Some("on-cycle"),
        told::Sticky::InRun => Some("in-run"),
    };
    Description {
        statement: statement(sources, &d.statement),
        basis,
        pids,
        from: location(&d.from),
        to: d.to.as_ref().map(location),
        guards: d.conditions.iter().map(|c| guard(sources, c)).collect(),
        reads: names(&d.reads),
        writes: names(&d.writes),
        uses_unknown_channel: d.uses_unknown_channel,
        creates: names(&d.creates),
        channel: d.channel.as_ref().map(|c| channel(sources, c)),
        does_not_accord: d.does_not_accord.iter().map(|c| conflict(sources, c)).collect(),
        never_with: d.never_with.iter().map(|s| statement(sources, s)).collect(),
        sticky: sticky_reason.is_some(),
        sticky_reason,
        atomic_run: d.run.as_ref().map(|run| AtomicRun {
            contains: relatives(sources, &run.contains),
            reads: names(&run.reads),
            writes: names(&run.writes),
        }),
        inside_runs_of: d.inside_runs_of.iter().map(|s| statement(sources, s)).collect(),
        seen_by: d.seen_by.iter().map(AsRef::as_ref).collect(),
        asserts: d.asserts,
        can_fail: d.can_fail,
        steps_to_end: d.steps_to_end,
        steps_to_assertion: d.steps_to_assertion,
    }
}

fn names(names: &[impl AsRef<str>]) -> Vec<&str> {
    names.iter().map(AsRef::as_ref).collect()
}

fn location(spot: &told::Spot) -> Location<'_> {
    Location { number: spot.number, labels: names(&spot.labels), is_end: spot.is_end }
}

fn statement<'a>(sources: &'a Sources, statement: &'a told::StatementRef) -> Statement<'a> {
    let (start, end) = sources.positions(statement.span);
    Statement {
        process: &statement.process,
        text: &statement.text,
        file: file(sources, statement.span),
        line: start.line,
        column: start.column,
        end_line: end.line,
        end_column: end.column,
    }
}

fn relative<'a>(sources: &'a Sources, relative: &'a told::Relative) -> Relative<'a> {
    let whose = match relative.whose {
        told::Whose::Same => "same",
        told::Whose::Other => "other",
        told::Whose::Created => "created",
    };
    Relative { statement: statement(sources, &relative.statement), whose }
}

fn relatives<'a>(sources: &'a Sources, relatives: &'a [told::Relative]) -> Vec<Relative<'a>> {
    relatives.iter().map(|r| relative(sources, r)).collect()
}

fn guard<'a>(sources: &'a Sources, condition: &'a told::Condition) -> Guard<'a> {
    Guard {
        kind: match condition.kind {
            told::ConditionKind::Guard => "guard",
            told::ConditionKind::Channel => "channel",
            told::ConditionKind::Message => "message",
            told::ConditionKind::Otherwise => "otherwise",
        },
        text: &condition.text,
        variables: names(&condition.variables),
        by_anything: condition.by_anything,
        enabled_by: relatives(sources, &condition.enabled_by),
        disabled_by: relatives(sources, &condition.disabled_by),
    }
}

fn channel<'a>(sources: &'a Sources, channel: &'a told::ChannelUse) -> Channel<'a> {
    Channel {
        operation: if channel.is_send { "send" } else { "receive" },
        channels: channel.channels.as_ref().map(|channels| names(channels)),
        rendezvous: match (channel.may_meet, channel.must_meet) {
            (false, _) => "no",
            (true, false) => "maybe",
            (true, true) => "always",
        },
        partners: relatives(sources, &channel.partners),
    }
}

fn conflict<'a>(sources: &'a Sources, conflict: &'a told::Conflict) -> Conflict<'a> {
    let mut json = Conflict {
        with: relative(sources, &conflict.with),
        reason: match &conflict.reason {
            told::Reason::SameLocation => "same-location",
            told::Reason::Rendezvous => "rendezvous",
            told::Reason::Shared { .. } => "shared",
            told::Reason::UnknownChannel => "unknown-channel",
            told::Reason::Everything => "everything",
            told::Reason::Timeout => "timeout",
            told::Reason::Unclear => "unclear",
        },
        name: None,
        here: None,
        there: None,
        in_run_here: None,
        in_run_there: None,
    };
    if let told::Reason::Shared { name, here, there, in_run_here, in_run_there } = &conflict.reason {
        json.name = Some(name);
        (json.here, json.there) = (Some(here.to_string()), Some(there.to_string()));
        (json.in_run_here, json.in_run_there) = (Some(*in_run_here), Some(*in_run_there));
    }
    json
}
