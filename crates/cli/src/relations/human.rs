//! What is known of statements, for people.

use std::fmt::Write;

use stubborn_base::{FileId, Sources, Span};
use stubborn_check::RelationsReport;
use stubborn_check::relations::describe::{
    Basis, ChannelUse, Condition, Description, Relative, Spot, StatementRef, Whose,
};

use crate::model::Source;
use crate::output::{BOLD, DIM, UNKNOWN};

/// What `stubborn relations` writes: a statement per line.
pub(super) fn list(source: &Source, statements: &[StatementRef]) -> String {
    let places: Vec<String> = statements.iter().map(|s| place(&source.sources, s.span)).collect();
    let width = places.iter().map(|place| place.chars().count()).max().unwrap_or(0);
    let name_width = statements.iter().map(|s| s.process.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for (statement, place) in statements.iter().zip(&places) {
        let StatementRef { process, text: shown, .. } = statement;
        let _ = writeln!(text, "{DIM}{place:width$}{DIM:#}  {process:name_width$}  {shown}");
    }
    text
}

/// What `stubborn relations --at …` writes.
pub(super) fn report(source: &Source, report: &RelationsReport) -> String {
    let mut tell = Tell { sources: &source.sources, text: String::new() };
    if let Some(why) = report.no_reduction {
        let _ = writeln!(tell.text, "{UNKNOWN}no reduction{UNKNOWN:#} can be used on this model: {why}");
    }
    for (i, description) in report.statements.iter().enumerate() {
        tell.text.push_str(if i > 0 { "\n" } else { "" });
        tell.description(description);
    }
    tell.text
}

/// `12:3`, with the file's name if it is not the model itself.
pub(super) fn place(sources: &Sources, span: Span) -> String {
    let position = sources.position(span.file, span.start);
    let place = format!("{}:{}", position.line, position.column);
    match span.file {
        FileId(0) => place,
        file => format!("{}:{place}", sources.file(file).path().display()),
    }
}

struct Tell<'a> {
    sources: &'a Sources,
    text: String,
}

impl Tell<'_> {
    fn description(&mut self, d: &Description) {
        let StatementRef { process, text, span, .. } = &d.statement;
        let at = place(self.sources, *span);
        let _ = writeln!(self.text, "{BOLD}{text}{BOLD:#}  {process}, {at}");
        self.line("told of", &basis(d));
        self.line("control", &control(d));
        for condition in &d.conditions {
            self.condition(condition);
        }
        self.line("reads", &names(&d.reads));
        self.line("writes", &names(&d.writes));
        if d.uses_unknown_channel {
            self.line("", "and some channel, which one is not known");
        }
        if !d.creates.is_empty() {
            self.line("creates", &names(&d.creates));
        }
        if let Some(channel) = &d.channel {
            self.channel(channel);
        }
        self.line("accords", if d.does_not_accord.is_empty() { "with everything" } else { "not with" });
        for conflict in &d.does_not_accord {
            let line = format!("{}: {}", self.relative(&conflict.with), conflict.reason);
            self.item(&line);
        }
        if !d.never_with.is_empty() {
            self.line("never with", "");
            d.never_with.iter().for_each(|s| self.item(&self.statement(s)));
        }
        self.line("sticky", &d.sticky.to_string());
        self.run(d);
        self.line("seen by", &checks(d));
        self.line("distance", &distance(d));
    }

    fn line(&mut self, what: &str, text: &str) {
        let _ = writeln!(self.text, "{}", format!("  {DIM}{what:11}{DIM:#}{text}").trim_end());
    }

    fn item(&mut self, text: &str) {
        let _ = writeln!(self.text, "    {text}");
    }

    fn statement(&self, statement: &StatementRef) -> String {
        let StatementRef { process, text, span, .. } = statement;
        format!("{process} {}  {text}", place(self.sources, *span))
    }

    fn relative(&self, relative: &Relative) -> String {
        let whose = match relative.whose {
            Whose::Same => " (same process)",
            Whose::Other => "",
            Whose::Created => " (of a process that run creates)",
        };
        self.statement(&relative.statement) + whose
    }

    fn condition(&mut self, condition: &Condition) {
        self.line("if", &condition.text);
        if !condition.variables.is_empty() {
            self.item(&format!("tests {}", names(&condition.variables)));
        }
        if condition.by_anything {
            self.item("any statement may change that");
            return;
        }
        self.items("may become so by", &condition.enabled_by);
        self.items("may cease to be so by", &condition.disabled_by);
    }

    fn items(&mut self, what: &str, relatives: &[Relative]) {
        if relatives.is_empty() {
            return;
        }
        self.item(what);
        for relative in relatives {
            let line = self.relative(relative);
            self.item(&format!("  {line}"));
        }
    }

    fn channel(&mut self, channel: &ChannelUse) {
        let operation = if channel.is_send { "sends to" } else { "receives from" };
        let channels =
            channel.channels.as_ref().map_or("a channel that is not known".to_owned(), |c| names(c));
        let rendezvous = match (channel.may_meet, channel.must_meet) {
            (false, _) => "",
            (true, false) => ", perhaps in a rendezvous",
            (true, true) => ", in a rendezvous",
        };
        self.line("channel", &format!("{operation} {channels}{rendezvous}"));
        self.items("may meet", &channel.partners);
    }

    fn run(&mut self, d: &Description) {
        if let Some(run) = &d.run {
            let adds = format!("adds reads of {} and writes of {}", names(&run.reads), names(&run.writes));
            self.line("atomic", &format!("begins a run, which {adds}"));
            self.items("may be followed by", &run.contains);
        }
        if !d.inside_runs_of.is_empty() {
            self.line("atomic", "may be inside a run that begins with");
            d.inside_runs_of.iter().for_each(|s| self.item(&self.statement(s)));
        }
    }
}

fn names(names: &[impl AsRef<str>]) -> String {
    if names.is_empty() {
        return "nothing".to_owned();
    }
    names.iter().map(AsRef::as_ref).collect::<Vec<&str>>().join(", ")
}

fn basis(d: &Description) -> String {
    let process = &d.statement.process;
    match &d.basis {
        Basis::Initial(pids) => match &pids[..] {
            [pid] => format!("{process}[{pid}]"),
            [first, .., last] => {
                format!("the {} processes of {process}, {first} to {last}", pids.len())
            }
            [] => process.to_string(),
        },
        Basis::Created => {
            format!("a {process} that run creates; its number and its arguments are not known")
        }
        Basis::Never => format!("a {process}, though none is ever created"),
    }
}

fn control(d: &Description) -> String {
    let spot = |spot: &Spot| {
        let labels: Vec<&str> = spot.labels.iter().map(AsRef::as_ref).collect();
        let end = if spot.is_end { ", an end state" } else { "" };
        match labels.is_empty() {
            true => format!("{}{end}", spot.number),
            false => format!("{} ({}){end}", spot.number, labels.join(", ")),
        }
    };
    match &d.to {
        Some(to) => format!("from location {} to {}", spot(&d.from), spot(to)),
        None => format!("from location {}, and the process is gone", spot(&d.from)),
    }
}

fn checks(d: &Description) -> String {
    let assertions = match (d.asserts, d.can_fail) {
        (true, _) => "assertions: it is one",
        (false, true) => "assertions: it can fail",
        (false, false) => "no assertion check",
    };
    let deadlock = if d.from.is_end {
        "no deadlock check: a process may wait here for ever"
    } else {
        "deadlock: a process must not wait here for ever"
    };
    match d.seen_by.is_empty() {
        true => format!("{assertions}; {deadlock}"),
        false => format!("{assertions}; {deadlock}; {}", names(&d.seen_by)),
    }
}

fn distance(d: &Description) -> String {
    let steps = |n: u32| if n == 1 { "this step".to_owned() } else { format!("{n} steps") };
    let end =
        d.steps_to_end.map_or("no end state ahead".to_owned(), |n| format!("{} to an end state", steps(n)));
    match d.steps_to_assertion {
        Some(n) => format!("{end}, {} to an assertion", steps(n)),
        None => format!("{end}, no assertion ahead"),
    }
}
