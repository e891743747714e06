//! The parts of a page that are there without its script.

use std::fmt::Write;

use stubborn_base::Span;
use stubborn_ir::Violation;

use crate::chart::{Subject, escaped};
use crate::explain::Standing;

/// A box to tick for each process.
pub(super) fn processes(subject: Subject<'_>) -> String {
    let mut html = String::new();
    for (life, told) in subject.explanation.lives.iter().enumerate() {
        let name = escaped(&told.to_string());
        let _ = writeln!(
            html,
            "<label><input type=\"checkbox\" class=\"filter\" value=\"{life}\" checked> {name}</label>"
        );
    }
    html
}

/// The steps, grouped by runs of one process.
pub(super) fn steps(subject: Subject<'_>) -> String {
    let Subject { trail, explanation, .. } = subject;
    let mut html = String::new();
    let mut mover = None;
    for (i, (step, reason)) in trail.steps.iter().zip(&explanation.steps).enumerate() {
        let is_cycle = trail.cycle > 0 && i == trail.prefix;
        if mover != Some(reason.life) || is_cycle {
            if mover.is_some() {
                html += "</ol></section>\n";
            }
            if is_cycle {
                html +=
                    "<p class=\"cycle-start\" id=\"cycle\">From here on, the steps repeat for ever.</p>\n";
            }
            let name = escaped(&explanation.lives[reason.life].to_string());
            let _ = writeln!(
                html,
                "<section class=\"run\" data-life=\"{}\"><h3>{name}</h3><ol start=\"{}\">",
                reason.life,
                i + 1
            );
            mover = Some(reason.life);
        }
        let mut class = String::from("step");
        let fails = matches!(trail.violation, Violation::FailedAssertion(_) | Violation::Error(_));
        for (is_so, word) in [
            (!reason.matters, " idle"),
            (trail.cycle > 0 && i >= trail.prefix, " in-cycle"),
            (fails && i + 1 == trail.steps.len(), " fails"),
        ] {
            class += if is_so { word } else { "" };
        }
        let place = place(subject, step.mover.span);
        let mut text = escaped(&step.mover.text);
        let mut lives = reason.life.to_string();
        if let (Some(partner), Some(life)) = (&step.partner, reason.partner) {
            let _ = write!(text, " → {}: {}", escaped(&name_of(subject, life)), escaped(&partner.text));
            let _ = write!(lives, " {life}");
        }
        let note = if reason.matters { "" } else { " title=\"the violation does not rest on this step\"" };
        let _ = writeln!(
            html,
            "<li class=\"{class}\" data-step=\"{i}\" data-lives=\"{lives}\"{note}>\
             <button type=\"button\"><code>{text}</code> <span class=\"place\">{place}</span></button></li>"
        );
    }
    if mover.is_some() {
        html += "</ol></section>\n";
    }
    html
}

/// The files that steps are in, the model's own first.
pub(super) fn sources(subject: Subject<'_>) -> String {
    let Subject { sources, trail, explanation, .. } = subject;
    let moved = trail.steps.iter().flat_map(|step| std::iter::once(&step.mover).chain(&step.partner));
    let spans = moved.map(|p| p.span).chain(explanation.standing.iter().map(|standing| standing.span));
    let mut used: Vec<u32> = spans.map(|span| span.file.0).chain([0]).collect();
    used.sort_unstable();
    used.dedup();
    let mut html = String::new();
    for (id, file) in sources.iter().filter(|(id, _)| used.contains(&id.0)) {
        let path = escaped(&file.path().display().to_string());
        // A line break right after the tag would be left out.
        let text = escaped(file.text());
        let _ = writeln!(
            html,
            "<section class=\"file\"><h3>{path}</h3><div class=\"listing\"><pre class=\"lines\" aria-hidden=\"true\">{}\
             </pre><pre class=\"source\" data-file=\"{}\">\n{text}</pre></div></section>",
            (1..=file.text().lines().count()).map(|n| format!("{n}\n")).collect::<String>(),
            id.0
        );
    }
    html
}

/// Where everybody is at the end.
pub(super) fn standing(subject: Subject<'_>) -> String {
    let mut html = String::new();
    for standing in &subject.explanation.standing {
        let name = escaped(&name_of(subject, standing.life));
        let place = place(subject, standing.span);
        let (class, what) = match standing {
            Standing { goes_on: true, .. } => ("free", "goes on, from"),
            Standing { can_move: true, .. } => ("free", "could go on at"),
            Standing { is_end: true, .. } => ("at-end", "may stay at"),
            _ if subject.explanation.lives[standing.life].is_net => ("stuck", "cannot fire, at"),
            _ => ("stuck", "waits at"),
        };
        let _ = write!(html, "<li class=\"{class}\"><strong>{name}</strong> {what} {place}");
        if class == "stuck" && !standing.obstacles.is_empty() {
            html += "<ul>";
            for obstacle in &standing.obstacles {
                let (text, why) = (escaped(&obstacle.text), escaped(&obstacle.why));
                let _ = write!(html, "<li><code>{text}</code>: {why}</li>");
            }
            html += "</ul>";
        }
        html += "</li>\n";
    }
    html
}

fn name_of(subject: Subject<'_>, life: usize) -> String {
    subject.explanation.lives[life].to_string()
}

fn place(subject: Subject<'_>, span: Span) -> String {
    let line = subject.sources.position(span.file, span.start).line;
    if span.file.0 == 0 {
        return format!("line {line}");
    }
    let path = subject.sources.file(span.file).path();
    escaped(&format!("{}:{line}", path.file_name().unwrap_or_default().to_string_lossy()))
}
