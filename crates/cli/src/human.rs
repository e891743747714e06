//! Results for people.

use std::fmt::Write;
use std::time::Duration;

use indicatif::{HumanBytes, HumanCount};
use stubborn_base::{FileId, Sources, Span};
use stubborn_check::{
    Counts, ExploreReport, Life, Participant, PropertyResult, Standing, Trail, TrailStep, Verdict,
    standing_after,
};
use stubborn_ir::{Change, Violation};

use crate::model::Source;
use crate::output::{BAD, BOLD, DIM, GOOD, UNKNOWN};

/// Of a longer trail the first and the last steps are shown.
const MAX_STEPS: usize = 200;
const FIRST_STEPS: usize = 20;

/// What `stubborn explore` writes.
pub(crate) fn explore(source: &Source, report: &ExploreReport, explain: bool) -> String {
    let counts = &report.counts;
    let mut text = format!("{BOLD}{}{BOLD:#}: ", source.path);
    text += &match (&report.incomplete, &report.no_initial_state) {
        (Some(why), _) => format!("{UNKNOWN}incomplete{UNKNOWN:#}, {why}; "),
        (None, Some(kind)) => format!("{BAD}no initial state{BAD:#}, {kind}; "),
        (None, None) => format!("{GOOD}complete{GOOD:#}, "),
    };
    text += &format!("{}, depth {}", visited(counts), HumanCount(counts.depth));
    for (n, what) in [
        (counts.deadlocks, "deadlock"),
        (counts.failed_assertions, "assertion violation"),
        (counts.errors, "run-time error"),
    ] {
        if n > 0 {
            text += &format!(", {BAD}{}{BAD:#}", count(n, what));
        }
    }
    let rate = counts.states as f64 / report.time.as_secs_f64().max(1e-6);
    let _ = writeln!(
        text,
        " in {} ({} states/s), {} in all, {:.0} bytes per state",
        seconds(report.time),
        HumanCount(rate as u64),
        HumanBytes(report.peak_bytes as u64),
        report.bytes_per_state,
    );
    if let Some(fill) = report.fill {
        let of_one_kind = count(fill.in_place.unsigned_abs(), "token");
        let _ =
            writeln!(text, "at most {of_one_kind} of one kind in a place, {} in a marking", fill.in_marking);
    }
    for (process, used) in report.used.iter().enumerate() {
        let (states, peak) = (HumanCount(used.states), HumanBytes(used.peak_bytes as u64));
        let sent = HumanBytes(used.sent_bytes);
        let _ = writeln!(text, "process {process}: {states} states, {peak} in all, {sent} sent");
    }
    if explain {
        let _ = writeln!(text, "{DIM}{}{DIM:#}", report.strategy);
    }
    text
}

/// What `stubborn check` writes.
pub(crate) fn check(source: &Source, results: &[PropertyResult], is_told: bool) -> String {
    let mut text = String::new();
    let width = results.iter().map(|r| r.property.name.chars().count()).max().unwrap_or(0);
    for result in results {
        text += &verdict(result, width, is_told);
        if let Some(trail) = &result.trail {
            show_trail(&source.sources, trail, &mut text);
            // A deadlock is where everybody is, and why nobody can move.
            if trail.violation == Violation::InvalidEnd
                && let Ok((standing, lives)) = standing_after(&source.model, &trail.steps)
            {
                let stuck = standing.iter().filter(|standing| !standing.is_end);
                stuck.for_each(|standing| stand(&source.sources, trail, standing, &lives, &mut text));
            }
        }
    }
    text + &summary(source, results)
}

/// What is known of a property, in a line; its name takes up `width`.
pub(crate) fn verdict(result: &PropertyResult, width: usize, explain: bool) -> String {
    let mut text = String::new();
    let (mark, style) = match result.verdict {
        Verdict::Holds => ('✓', GOOD),
        Verdict::Violated => ('✗', BAD),
        Verdict::Incomplete => ('?', UNKNOWN),
    };
    let reason = result.reason.as_deref().unwrap_or_default();
    let answer = match result.verdict {
        Verdict::Holds => format!("{style}holds{style:#}"),
        Verdict::Violated => format!("{style}{reason}{style:#}"),
        Verdict::Incomplete => format!("{style}incomplete{style:#}: {reason}"),
    };
    let name = &result.property.name;
    let _ = writeln!(text, "{style}{mark}{style:#} {BOLD}{name:width$}{BOLD:#}  {answer}");
    if explain {
        let _ = writeln!(text, "  {DIM}{}{DIM:#}", result.strategy);
    }
    text
}

fn summary(source: &Source, results: &[PropertyResult]) -> String {
    let of = |verdict| results.iter().filter(|r| r.verdict == verdict).count();
    let parts = [
        (of(Verdict::Violated), "violated", BAD),
        (of(Verdict::Incomplete), "incomplete", UNKNOWN),
        (of(Verdict::Holds), "hold", GOOD),
    ];
    let parts: Vec<String> = parts
        .iter()
        .filter(|(n, ..)| *n > 0)
        .map(|(n, what, style)| {
            let what = if *what == "hold" && *n == 1 { "holds" } else { what };
            format!("{style}{n} {what}{style:#}")
        })
        .collect();
    let counts = results.iter().map(|r| r.counts).max_by_key(|c| c.states).unwrap_or_default();
    let time = results.iter().map(|r| r.time).max().unwrap_or_default();
    format!(
        "{BOLD}{}{BOLD:#}: {}; {} in {}\n",
        source.path,
        parts.join(", "),
        visited(&counts),
        seconds(time)
    )
}

fn visited(counts: &Counts) -> String {
    format!("{}, {}", count(counts.states, "state"), count(counts.transitions, "transition"))
}

fn count(n: u64, what: &str) -> String {
    format!("{} {what}{}", HumanCount(n), if n == 1 { "" } else { "s" })
}

fn seconds(time: Duration) -> String {
    format!("{:.2} s", time.as_secs_f64())
}

/// The steps as a table.
fn show_trail(sources: &Sources, trail: &Trail, text: &mut String) {
    let n_steps = trail.steps.len();
    let left_out = if n_steps > MAX_STEPS { FIRST_STEPS..n_steps - (MAX_STEPS - FIRST_STEPS) } else { 0..0 };
    let shown = || trail.steps.iter().enumerate().filter(|(i, _)| !left_out.contains(i));
    let row = |(i, step): (usize, &TrailStep)| {
        [(i + 1).to_string(), movers(step), lines(sources, step), statements(step)]
    };
    let rows: Vec<[String; 4]> = shown().map(row).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    // In a net nobody but the net acts.
    let is_net = trail.is_of_net();
    let [w0, w1, w2, w3] = [width(0), width(1), width(2), width(3).min(40)];
    for (row, (i, step)) in rows.iter().zip(shown()) {
        if i == left_out.end && !left_out.is_empty() {
            let _ = writeln!(text, "  {DIM}… {} steps, shown with --format json …{DIM:#}", left_out.len());
        }
        if trail.cycle > 0 && (i == trail.prefix || i == left_out.end && left_out.contains(&trail.prefix)) {
            let steps = if trail.cycle == 1 { "this step repeats" } else { "these steps repeat" };
            let _ = writeln!(text, "  {DIM}{steps} for ever:{DIM:#}");
        }
        let [number, movers, lines, statements] = row;
        let movers = if is_net { String::new() } else { format!("{movers:w1$}  ") };
        let line = format!(
            "  {DIM}{number:>w0$}{DIM:#}  {movers}{DIM}{lines:w2$}{DIM:#}  {statements:w3$}  {}",
            Change::in_a_row(&step.changes)
        );
        let _ = writeln!(text, "{}", line.trim_end());
    }
    let _ = writeln!(text, "  {DIM}{}{DIM:#}", length(trail));
}

/// How many steps a trail has, and whether that is the least.
pub(crate) fn length(trail: &Trail) -> String {
    let steps = count(trail.steps.len() as u64, "step");
    if trail.is_shortest { format!("{steps}, no counterexample has fewer") } else { steps }
}

pub(crate) fn movers(step: &TrailStep) -> String {
    participants(&step.mover, step.partner.as_ref()).0
}

/// Who takes part in a step, and by which statements.
pub(crate) fn participants(mover: &Participant, partner: Option<&Participant>) -> (String, String) {
    let name = |p: &Participant| p.who().unwrap_or_default();
    match partner {
        Some(partner) => {
            (format!("{} → {}", name(mover), name(partner)), format!("{} → {}", mover.text, partner.text))
        }
        None => (name(mover), mover.text.to_string()),
    }
}

pub(crate) fn lines(sources: &Sources, step: &TrailStep) -> String {
    match &step.partner {
        Some(partner) => format!("{}, {}", place(sources, step.mover.span), place(sources, partner.span)),
        None => place(sources, step.mover.span),
    }
}

pub(crate) fn statements(step: &TrailStep) -> String {
    participants(&step.mover, step.partner.as_ref()).1
}

/// `line 7`, with the file's name if it is not the model itself.
pub(crate) fn place(sources: &Sources, span: Span) -> String {
    let line = sources.position(span.file, span.start).line;
    if span.file == FileId(0) {
        return format!("line {line}");
    }
    format!("{}:{line}", sources.file(span.file).path().display())
}

/// Where a process is at the end, and what it waits for.
pub(crate) fn stand(
    sources: &Sources,
    trail: &Trail,
    standing: &Standing,
    lives: &[Life],
    text: &mut String,
) {
    let life = &lives[standing.life];
    if life.is_net {
        if !standing.can_move && !standing.goes_on {
            let _ = writeln!(text, "  {BAD}dead marking{BAD:#}: no transition can fire");
            obstacles(standing, text);
        }
        return;
    }
    let (name, place) = (life.to_string(), place(sources, standing.span));
    if standing.goes_on {
        let _ = writeln!(text, "  {DIM}{name} goes on, from {place}{DIM:#}");
    } else if standing.can_move {
        let _ = writeln!(text, "  {DIM}{name} could go on at {place}{DIM:#}");
    } else if standing.is_end {
        let _ = writeln!(text, "  {DIM}{name} may stay at {place}{DIM:#}");
    } else {
        let style = if trail.violation == Violation::InvalidEnd { BAD } else { BOLD };
        let _ = writeln!(text, "  {style}{name}{style:#} waits at {place}");
        obstacles(standing, text);
    }
}

/// What is in the way, a line each.
fn obstacles(standing: &Standing, text: &mut String) {
    let width = standing.obstacles.iter().map(|o| o.text.chars().count()).max().unwrap_or(0).min(40);
    let mut told = Vec::new();
    for obstacle in &standing.obstacles {
        if !told.contains(&(&obstacle.text, &obstacle.why)) {
            told.push((&obstacle.text, &obstacle.why));
            let _ = writeln!(text, "      {:width$}  {DIM}{}{DIM:#}", obstacle.text, obstacle.why);
        }
    }
}
