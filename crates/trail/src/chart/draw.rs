//! A planned chart as SVG.

use std::fmt::Write;

use stubborn_ir::Violation;

use super::Subject;
use super::labels::Labels;
use super::plan::{HEAD, Plan, STUB, TO_LABEL, half_head};
use super::text::{FONT, escaped, width};

/// From the middle of a text to the line it stands on.
const BASELINE: f64 = FONT * 0.35;

pub(super) fn draw(subject: Subject<'_>, labels: &Labels, plan: &Plan) -> String {
    let mut svg = String::new();
    let (w, h) = (plan.width.ceil(), plan.height.ceil());
    let title = escaped(subject.title);
    let _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" role=\"img\" width=\"{w}\" height=\"{h}\" \
         viewBox=\"0 0 {w} {h}\" aria-labelledby=\"chart-title\">\n<title id=\"chart-title\">{title}</title>"
    );
    let _ = writeln!(svg, "<style>\n{}</style>", include_str!("style.css"));
    for (tip, class) in [("message", "tip-message"), ("creation", "tip-creation"), ("loop", "tip-loop")] {
        let _ = writeln!(
            svg,
            "<marker id=\"to-{tip}\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"7\" \
             markerHeight=\"7\" orient=\"auto-start-reverse\"><path class=\"{class}\" d=\"M0 0L10 5L0 10z\"/></marker>"
        );
    }
    let _ = writeln!(svg, "<rect class=\"paper\" width=\"{w}\" height=\"{h}\"/>");
    let mut drawing = Drawing { subject, labels, plan, svg };
    (0..plan.columns.len()).for_each(|life| drawing.lifeline(life));
    (0..subject.explanation.messages.len()).for_each(|message| drawing.message(message));
    drawing.cycle();
    (0..plan.columns.len()).for_each(|life| drawing.head(life));
    (0..plan.rows.len()).for_each(|step| drawing.step(step));
    (0..plan.columns.len()).for_each(|life| drawing.end(life));
    let (y, title) = (plan.verdict + BASELINE, format!("✗ {}", subject.title));
    drawing.text("verdict", plan.numbers, y, &title);
    drawing.svg + "</svg>\n"
}

struct Drawing<'a> {
    subject: Subject<'a>,
    labels: &'a Labels,
    plan: &'a Plan,
    svg: String,
}

impl Drawing<'_> {
    fn text(&mut self, class: &str, x: f64, y: f64, text: &str) {
        let (length, text) = (width(text), escaped(text));
        let _ = writeln!(
            self.svg,
            "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" textLength=\"{length:.1}\" \
             lengthAdjust=\"spacingAndGlyphs\">{text}</text>"
        );
    }

    /// Where the life of a process begins and ends.
    fn span(&self, life: usize) -> (f64, f64) {
        let life = &self.subject.explanation.lives[life];
        let start = life.born.map_or(self.plan.heads, |step| self.plan.rows[step]);
        let end = life.died.map_or(self.plan.bottom, |step| self.plan.rows[step]);
        (start, end)
    }

    fn lifeline(&mut self, life: usize) {
        let (x, (start, end)) = (self.plan.columns[life], self.span(life));
        let _ = writeln!(
            self.svg,
            "<line class=\"lifeline\" data-life=\"{life}\" x1=\"{x:.1}\" y1=\"{start:.1}\" x2=\"{x:.1}\" y2=\"{end:.1}\"/>"
        );
        let again: Vec<f64> = self.plan.again.iter().copied().filter(|y| (start..end).contains(y)).collect();
        for y in again {
            let text = self.labels.heads[life].clone();
            self.text("again", x, y + BASELINE, &text);
        }
    }

    /// The box with the name of a process; an arrow leads there from who creates it.
    fn head(&mut self, life: usize) {
        let (x, (y, _)) = (self.plan.columns[life], self.span(life));
        let half = half_head(self.labels, life);
        let told = &self.subject.explanation.lives[life];
        if let Some(step) = told.born {
            let from = self.plan.columns[self.subject.explanation.steps[step].life];
            let to = if from < x { x - half } else { x + half };
            let _ = writeln!(
                self.svg,
                "<path class=\"creation\" data-life=\"{life}\" marker-end=\"url(#to-creation)\" \
                 d=\"M{from:.1} {y:.1}H{to:.1}\"/>"
            );
        }
        let tip = escaped(&told.to_string());
        let (left, top, w) = (x - half, y - HEAD / 2.0, half * 2.0);
        let _ = writeln!(
            self.svg,
            "<g class=\"head\" data-life=\"{life}\"><title>{tip}</title>\
             <rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{w:.1}\" height=\"{HEAD}\" rx=\"4\"/>"
        );
        let text = self.labels.heads[life].clone();
        self.text("name", x, y + BASELINE, &text);
        self.svg += "</g>\n";
    }

    /// From the send to the receive; a message that is not received goes astray.
    fn message(&mut self, message: usize) {
        let explanation = self.subject.explanation;
        let told = &explanation.messages[message];
        let sender = &explanation.steps[told.sent];
        let (x, y) = (self.plan.columns[sender.life], self.plan.rows[told.sent]);
        let path = match told.received {
            Some(step) => {
                let receiver = &explanation.steps[step];
                let life =
                    if step == told.sent { receiver.partner.unwrap_or(sender.life) } else { receiver.life };
                let (to, below) = (self.plan.columns[life], self.plan.rows[step]);
                match life == sender.life {
                    true => {
                        let side = x - STUB * 1.3;
                        format!("M{x:.1} {y:.1}C{side:.1} {y:.1} {side:.1} {below:.1} {to:.1} {below:.1}")
                    }
                    false => format!("M{x:.1} {y:.1}L{to:.1} {below:.1}"),
                }
            }
            None => format!("M{x:.1} {y:.1}l{:.1} 11", -STUB + 4.0),
        };
        let tip = |fate: &str| {
            let what = match explanation.lives[sender.life].is_net {
                true => format!("{}, put", told.text),
                false => format!("{} ⟨{}⟩, sent", told.channel, told.text),
            };
            escaped(&format!("{what} in step {}{fate}", told.sent + 1))
        };
        let _ = match (told.received, told.received_later) {
            (Some(_), _) => writeln!(
                self.svg,
                "<path class=\"message\" data-message=\"{message}\" marker-end=\"url(#to-message)\" \
                 d=\"{path}\"><title>{}</title></path>",
                tip("")
            ),
            (None, Some(step)) => writeln!(
                self.svg,
                "<path class=\"message onward\" data-message=\"{message}\" marker-end=\"url(#to-message)\" \
                 d=\"{path}\"><title>{}</title></path>",
                tip(&format!(", received in step {} of a later round", step + 1))
            ),
            // A cross where it is lost.
            (None, None) => writeln!(
                self.svg,
                "<path class=\"message lost\" data-message=\"{message}\" d=\"{path}m-4 -4l8 8m0 -8l-8 8\">\
                 <title>{}</title></path>",
                tip(", not received")
            ),
        };
    }

    fn step(&mut self, step: usize) {
        let reason = &self.subject.explanation.steps[step];
        let is_last = step + 1 == self.plan.rows.len();
        let violation = self.subject.trail.violation;
        let fails = is_last && matches!(violation, Violation::FailedAssertion(_) | Violation::Error(_));
        let class = match (fails, reason.matters) {
            (true, _) => "step fails",
            (false, true) => "step",
            (false, false) => "step idle",
        };
        let (x, y) = (self.plan.columns[reason.life], self.plan.rows[step]);
        let tip = escaped(&self.labels.tips[step]);
        let _ = writeln!(self.svg, "<g class=\"{class}\" data-step=\"{step}\"><title>{tip}</title>");
        let number = (step + 1).to_string();
        self.text("number", self.plan.numbers - width(&number), y + BASELINE, &number);
        let _ = writeln!(self.svg, "<circle class=\"dot\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"/>");
        if let Some(partner) = reason.partner {
            let x = self.plan.columns[partner];
            let _ = writeln!(self.svg, "<circle class=\"dot\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"/>");
        }
        let label = self.labels.steps[step].clone();
        self.text("label", x + TO_LABEL, y + self.plan.sides[step].offset() + BASELINE, &label);
        self.svg += "</g>\n";
    }

    /// A bar where a process has ended, or what it waits for.
    fn end(&mut self, life: usize) {
        let (x, (_, y)) = (self.plan.columns[life], self.span(life));
        if self.subject.explanation.lives[life].died.is_some() {
            let (left, right) = (x - 9.0, x + 9.0);
            let y = y + 9.0;
            let _ = writeln!(
                self.svg,
                "<path class=\"end\" data-life=\"{life}\" d=\"M{x:.1} {:.1}V{y:.1}M{left:.1} {y:.1}H{right:.1}\"/>",
                y - 9.0
            );
            return;
        }
        for (i, text) in self.labels.ends[life].clone().iter().enumerate() {
            let y = self.plan.ends + i as f64 * (FONT + 5.0);
            self.text("wait", x + TO_LABEL, y + BASELINE, text);
        }
    }

    /// A bracket around the steps that repeat.
    fn cycle(&mut self) {
        let trail = self.subject.trail;
        if trail.cycle == 0 {
            return;
        }
        let (first, last) = (self.plan.rows[trail.prefix], self.plan.rows[trail.steps.len() - 1]);
        let (top, bottom) = (first - 8.0, last + 8.0);
        let (x, inner) = (self.plan.bracket, self.plan.bracket + 12.0);
        let _ = writeln!(
            self.svg,
            "<path class=\"loop\" marker-end=\"url(#to-loop)\" \
             d=\"M{inner:.1} {bottom:.1}H{x:.1}V{top:.1}H{inner:.1}\"><title>these steps repeat for ever</title></path>"
        );
    }
}
