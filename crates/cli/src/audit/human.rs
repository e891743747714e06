//! What `stubborn audit` writes for people: one line per condition over all reductions, then
//! what is wrong.

use std::fmt::Write;

use indicatif::HumanCount;
use stubborn_base::Span;
use stubborn_check::{AuditReport, Audited, Combination, Condition, Tally};
use stubborn_ir::{Model, Move};

use crate::model::Source;
use crate::output::{BAD, BOLD, DIM, GOOD, UNKNOWN};

/// Violations of one condition that are shown.
const MAX_SHOWN: usize = 3;

/// Steps of a way that are shown.
const MAX_STEPS: usize = 40;

const CONDITIONS: [Condition; 9] = [
    Condition::D1,
    Condition::D2,
    Condition::V,
    Condition::SafetyProviso,
    Condition::LivenessProviso,
    Condition::VisibleProviso,
    Condition::AllStates,
    Condition::Writes,
    Condition::Reads,
];

pub(crate) fn audit(source: &Source, report: &AuditReport) -> String {
    let mut text = String::new();
    if let Some(obstacle) = &report.obstacle {
        let _ = writeln!(text, "{BOLD}{}{BOLD:#}: nothing to audit, {obstacle}", source.path);
        return text;
    }
    for condition in CONDITIONS {
        let all =
            with_reduction(report).filter(|(_, tally)| tally.condition == condition).collect::<Vec<_>>();
        if !all.is_empty() {
            show(source, condition, &all, &mut text);
        }
    }
    let n_violations: u64 = report.tallies().map(|tally| tally.n_violations).sum();
    let verdict = if report.is_violated() {
        format!("{BAD}{n_violations} violations{BAD:#}")
    } else if report.is_incomplete() {
        format!("{UNKNOWN}incomplete{UNKNOWN:#}")
    } else {
        format!("{GOOD}clean{GOOD:#}")
    };
    let why = report.incomplete.as_ref().map_or(String::new(), |why| format!(", {why}"));
    let _ = writeln!(
        text,
        "{BOLD}{}{BOLD:#}: {verdict}{why}; {} states, {} searches in {:.2} s",
        source.path,
        HumanCount(report.n_states as u64),
        report.audited.len(),
        report.time.as_secs_f64()
    );
    text
}

/// All that was found, with the reduction it is about.
fn with_reduction(report: &AuditReport) -> impl Iterator<Item = (Option<&Combination>, &Tally)> {
    let of = |audited: &'_ Audited| -> Vec<_> { (0..audited.tallies.len()).collect() };
    let searches = report.audited.iter().flat_map(move |audited| {
        of(audited).into_iter().map(move |i| (Some(&audited.combination), &audited.tallies[i]))
    });
    searches.chain(report.declarations.iter().map(|tally| (None, tally)))
}

fn show(source: &Source, condition: Condition, all: &[(Option<&Combination>, &Tally)], text: &mut String) {
    let n_checked: u64 = all.iter().map(|(_, tally)| tally.n_checked).sum();
    let n_violations: u64 = all.iter().map(|(_, tally)| tally.n_violations).sum();
    let incomplete = all.iter().find_map(|(_, tally)| tally.incomplete.as_deref());
    let (mark, style) = match (n_violations, incomplete) {
        (0, None) => ('✓', GOOD),
        (0, Some(_)) => ('?', UNKNOWN),
        _ => ('✗', BAD),
    };
    let plural = if n_checked == 1 { "" } else { "s" };
    let name = condition.to_string();
    let _ = write!(
        text,
        "{style}{mark}{style:#} {BOLD}{name:10}{BOLD:#}  {}: {} {}{plural}",
        condition.meaning(),
        HumanCount(n_checked),
        condition.unit(),
    );
    if n_violations > 0 {
        let _ = write!(text, ", {BAD}{} wrong{BAD:#}", HumanCount(n_violations));
    }
    if let Some(why) = incomplete {
        let _ = write!(text, ", {UNKNOWN}incomplete{UNKNOWN:#}: {why}");
    }
    text.push('\n');
    let mut n_shown = 0;
    for (combination, tally) in all {
        for violation in &tally.violations {
            if n_shown == MAX_SHOWN {
                return;
            }
            n_shown += 1;
            let line = violation.step.as_ref().map_or(String::new(), |step| lines(source, step));
            let _ = writeln!(text, "    {}{line}", violation.what);
            if let Some(combination) = combination {
                let _ = writeln!(text, "      {DIM}with {}{DIM:#}", name_of(combination));
            }
            let _ = writeln!(text, "      {DIM}in the state: {}{DIM:#}", violation.state);
            show_way(source, &violation.way, text);
        }
    }
}

fn show_way(source: &Source, way: &[Move], text: &mut String) {
    if way.is_empty() {
        return;
    }
    let _ = writeln!(text, "      {DIM}reached by:{DIM:#}");
    for step in way.iter().take(MAX_STEPS) {
        let words = stubborn_check::tell_move(&source.model, step);
        let _ = writeln!(text, "        {DIM}{words}{}{DIM:#}", lines(source, step));
    }
    if way.len() > MAX_STEPS {
        let _ = writeln!(text, "        {DIM}… {} more steps{DIM:#}", way.len() - MAX_STEPS);
    }
}

/// `stubborn:beam, proviso stack, dfs`
pub(crate) fn name_of(combination: &Combination) -> String {
    let Combination { plan, order, proposition, .. } = combination;
    let sees = proposition.as_ref().map_or(String::new(), |text| format!(", looking at {text}"));
    format!("{}, proviso {}, {order}{sees}", plan.reduction, plan.proviso)
}

fn lines(source: &Source, step: &Move) -> String {
    let line = |span: Span| source.sources.position(span.file, span.start).line;
    let own = span_of(&source.model, step);
    match step.partner {
        Some((_, with)) => {
            format!(" (lines {} and {})", line(own), line(source.model.transitions[with].origin.span))
        }
        None => format!(" (line {})", line(own)),
    }
}

fn span_of(model: &Model, step: &Move) -> Span {
    model.transitions[step.transition].origin.span
}
