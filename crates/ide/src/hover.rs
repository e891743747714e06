//! What is known at a place, in Markdown: of a name, of a statement, of a property.
//!
//! Statements that are mentioned are links; what a link looks like is the surface's affair. What relations know is
//! asked of a survey, so this runs where the survey is ([`crate::surveyor`]).

use std::fmt::Write;

use stubborn_base::outline::{Mention, Role, Symbol, SymbolKind};
use stubborn_base::{FileId, Span};
use stubborn_check::relations::describe::{Condition, Description, Relative, StatementRef, Sticky, Survey};
use stubborn_check::relations::{obstacle, statements_at};
use stubborn_check::{Coverage, PropertyResult, Verdict, net_item_in};
use stubborn_ir::{ClaimBody, Model};
use stubborn_ltl::{Formula, Language, StutterInvariance, translate};

use crate::analysis::{Analysis, touches};
use crate::hover_net;
use crate::lenses::grouped;
use crate::problems::advice;
use crate::verdicts::{Status, Verdicts};

/// Of a longer list the first are shown.
pub(crate) const MAX_ITEMS: usize = 12;

/// A transition of a net may stand for many firings: the first are described.
const MAX_STATEMENTS: usize = 4;

/// What is shown, and what it is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hover {
    /// In Markdown.
    pub text: String,
    /// The text it is about.
    pub span: Span,
}

/// A link to a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Link {
    /// The line, from 1.
    pub line: u32,
    /// Where it leads.
    pub address: String,
}

/// What a hover is told from.
#[derive(Clone, Copy)]
pub struct Known<'a> {
    /// The text.
    pub analysis: &'a Analysis,
    /// What checks found.
    pub verdicts: &'a Verdicts,
    /// What the relations of the model are, if there is one.
    pub survey: Option<&'a Survey<'a>>,
    /// Makes the link to a place.
    pub link: &'a dyn Fn(Span) -> Link,
}

/// What is known at a place.
pub fn hover(known: Known<'_>, file: FileId, offset: u32) -> Option<Hover> {
    let mut tell = Tell { known, text: String::new() };
    let mention = known.analysis.mention_at(file, offset);
    if let Some(mention) = mention {
        tell.symbol(mention);
    }
    if let Some(span) = hover_net::tell(&mut tell, file, offset) {
        return Some(Hover { text: tell.text, span: mention.map_or(span, |mention| mention.span) });
    }
    let statement = tell.statements(file, offset);
    let is_told = mention.is_some_and(|m| known.analysis.symbol(m).kind == SymbolKind::Property);
    let property = if statement.is_none() && !is_told { tell.property(file, offset) } else { None };
    let span = mention.map(|m| m.span).or(statement).or(property)?;
    Some(Hover { text: tell.text, span })
}

pub(crate) struct Tell<'a> {
    pub(crate) known: Known<'a>,
    pub(crate) text: String,
}

impl Tell<'_> {
    pub(crate) fn line(&mut self, what: &str, text: &str) {
        let _ = writeln!(self.text, "- **{what}**: {text}");
    }

    pub(crate) fn code(&mut self, text: &str) {
        let language = self.known.analysis.language.name;
        let _ = writeln!(self.text, "```{language}\n{text}\n```");
    }

    pub(crate) fn section(&mut self) {
        if !self.text.is_empty() {
            self.text.push_str("\n---\n");
        }
    }

    /// `[P 12](…) x = 1`
    fn statement(&self, statement: &StatementRef) -> String {
        let Link { line, address } = (self.known.link)(statement.span);
        format!("[{} {line}]({address}) `{}`", statement.process, code_span(&statement.text))
    }

    fn relatives(&self, relatives: &[Relative]) -> String {
        let shown = relatives.iter().take(MAX_ITEMS).map(|relative| self.statement(&relative.statement));
        let mut shown: Vec<String> = shown.collect();
        shown.dedup();
        if relatives.len() > MAX_ITEMS {
            shown.push(format!("{} more", relatives.len() - MAX_ITEMS));
        }
        shown.join(", ")
    }

    fn symbol(&mut self, mention: Mention) {
        let symbol = self.known.analysis.symbol(mention);
        self.code(&symbol.detail);
        if let Some(comment) = &symbol.comment {
            let _ = writeln!(self.text, "{comment}\n");
        }
        let is_net = self.known.analysis.model.as_ref().is_some_and(|model| model.net.is_some());
        let is_data =
            matches!(symbol.kind, SymbolKind::Variable | SymbolKind::Channel | SymbolKind::Parameter);
        // What is known of a place says more.
        if is_data && !(is_net && net_item_in_symbol(self.known.analysis, symbol)) {
            self.uses(mention.symbol);
            self.values(symbol);
        }
        if symbol.kind == SymbolKind::Property {
            // The claim's place is the whole statement, or its name.
            let [span, name] = [symbol.span, symbol.name_span];
            let _ = self.property(span.file, span.start).or_else(|| self.property(name.file, name.start));
        }
    }

    /// Who reads and who writes it.
    fn uses(&mut self, symbol: usize) {
        let analysis = self.known.analysis;
        let kinds: [(&str, &[Role]); 4] = [
            ("read", &[Role::Read, Role::ReadWrite, Role::Use]),
            ("written", &[Role::Write, Role::ReadWrite]),
            ("sent to", &[Role::Send]),
            ("received from", &[Role::Receive]),
        ];
        for (what, roles) in kinds {
            let mentions = analysis.outline.mentions.iter();
            let found: Vec<Span> =
                mentions.filter(|m| m.symbol == symbol && roles.contains(&m.role)).map(|m| m.span).collect();
            if found.is_empty() {
                continue;
            }
            let place = |span: &Span| {
                let Link { line, address } = (self.known.link)(*span);
                format!("[line {line}]({address})")
            };
            let mut places: Vec<String> = found.iter().map(place).collect();
            places.dedup();
            let n = places.len();
            places.truncate(MAX_ITEMS);
            let more = if n > MAX_ITEMS { format!(", {} more", n - MAX_ITEMS) } else { String::new() };
            self.line(what, &(places.join(", ") + &more));
        }
    }

    /// The values that the last complete search saw.
    fn values(&mut self, symbol: &Symbol) {
        let (Some(model), Some(coverage)) = (&self.known.analysis.model, self.known.verdicts.coverage())
        else {
            return;
        };
        let container = symbol.container.map(|c| self.known.analysis.outline.symbols[c].name.as_str());
        if let Some(seen) = seen(model, coverage, &symbol.name, container) {
            self.line("seen", &(seen + self.known.verdicts.coverage_remark()));
        }
    }

    fn statements(&mut self, file: FileId, offset: u32) -> Option<Span> {
        let model = self.known.analysis.model.as_ref()?;
        let ids = statements_at(model, file, offset).ok()?;
        let survey = self.known.survey?;
        let span = model.transitions[*ids.first()?].origin.span;
        self.section();
        for &id in ids.iter().take(MAX_STATEMENTS) {
            self.description(&survey.describe(id), survey);
        }
        if ids.len() > MAX_STATEMENTS {
            let _ =
                writeln!(self.text, "\n{} more of this kind", grouped((ids.len() - MAX_STATEMENTS) as u64));
        }
        if let Some(why) = obstacle(model) {
            let _ = writeln!(self.text, "\nno reduction can be used on this model: {why}");
        }
        Some(span)
    }

    fn description(&mut self, d: &Description, survey: &Survey<'_>) {
        self.code(&d.statement.text);
        for condition in &d.conditions {
            self.condition(condition);
        }
        self.line("reads", &names(&d.reads));
        self.line("writes", &names(&d.writes));
        if !d.creates.is_empty() {
            self.line("creates", &names(&d.creates));
        }
        if let Some(channel) = &d.channel
            && !channel.partners.is_empty()
        {
            self.line("may meet", &self.relatives(&channel.partners));
        }
        if d.does_not_accord.is_empty() {
            self.line("accords", "with everything");
        } else {
            self.line("does not accord with", "");
            for conflict in d.does_not_accord.iter().take(MAX_ITEMS) {
                let other = self.statement(&conflict.with.statement);
                let _ = writeln!(self.text, "  - {other}: {}", conflict.reason);
            }
            if d.does_not_accord.len() > MAX_ITEMS {
                let _ = writeln!(self.text, "  - {} more", d.does_not_accord.len() - MAX_ITEMS);
            }
        }
        self.line("sticky", &d.sticky.to_string());
        if d.sticky != Sticky::No {
            self.cycle(&survey.local_cycle(d.statement.transition));
        }
        if let Some(run) = &d.run
            && !run.contains.is_empty()
        {
            self.line("begins a run with", &self.relatives(&run.contains));
        }
        let mut seen_by: Vec<String> = d.seen_by.iter().map(|name| format!("`{name}`")).collect();
        if d.asserts || d.can_fail {
            seen_by.push("assertions".to_owned());
        }
        if !d.from.is_end {
            seen_by.push("deadlock".to_owned());
        }
        self.line("seen by", &names(&seen_by));
        if let Some(coverage) = self.known.verdicts.coverage() {
            let id = d.statement.transition;
            let (executed, enabled) = (coverage.executed[id], coverage.enabled[id]);
            let text = match executed {
                0 => "never".to_owned(),
                _ => {
                    let (executed, enabled) = (grouped(executed), grouped(enabled));
                    let remark = self.known.verdicts.coverage_remark();
                    format!("{executed} times, enabled in {enabled} stored states{remark}")
                }
            };
            self.line("executed", &text);
        }
    }

    /// The cycle of its process that a sticky statement is on.
    fn cycle(&mut self, cycle: &[StatementRef]) {
        if cycle.is_empty() {
            return;
        }
        let shown = cycle.iter().take(MAX_ITEMS).map(|statement| self.statement(statement));
        let mut shown: Vec<String> = shown.collect();
        if cycle.len() > MAX_ITEMS {
            shown.push(format!("{} more", cycle.len() - MAX_ITEMS));
        }
        self.line("in the cycle", &shown.join(" → "));
    }

    fn condition(&mut self, condition: &Condition) {
        let mut text = format!("`{}`", code_span(&condition.text));
        if condition.by_anything {
            text += ", which any statement may change";
        }
        if !condition.enabled_by.is_empty() {
            let _ = write!(text, "; enabled by {}", self.relatives(&condition.enabled_by));
        }
        if !condition.disabled_by.is_empty() {
            let _ = write!(text, "; disabled by {}", self.relatives(&condition.disabled_by));
        }
        self.line("if", &text);
    }

    /// The property that is stated around a place.
    fn property(&mut self, file: FileId, offset: u32) -> Option<Span> {
        let model = self.known.analysis.model.as_ref()?;
        let claim = model.claims.iter().find(|claim| touches(claim.span, file, offset))?;
        let entry = self.known.verdicts.get(&claim.name)?;
        self.section();
        if let ClaimBody::Formula(formula) = &claim.body {
            self.formula(&formula.formula);
        }
        match &entry.status {
            Status::Decided(result) | Status::Bounded(result) => self.result(result),
            Status::Running { progress, .. } => {
                self.line("verdict", &format!("running, {} states", grouped(progress.counts.states)));
            }
            Status::Waiting => self.line("verdict", "waiting"),
            Status::Unknown => self.line("verdict", "not checked yet"),
            Status::Stale => self.line("verdict", "stale: the model has changed"),
            Status::Failed(why) => self.line("verdict", &format!("not checked: {why}")),
        }
        Some(claim.span)
    }

    /// What is known of a formula without a model.
    fn formula(&mut self, formula: &Formula) {
        let never = || false;
        let negated = Formula::Not(Box::new(formula.clone()));
        if let Ok(automaton) = translate(&negated, &never) {
            let text = format!("{} states, of the runs that violate it", automaton.states.len());
            self.line("automaton", &text);
        }
        if let Ok(language) = Language::of(formula, &never) {
            let text = match language.stutter_invariance() {
                StutterInvariance::Invariant => "yes, so reduction can be used",
                StutterInvariance::Sensitive(_) => "no, so no reduction can be used",
                StutterInvariance::Unknown => "too much work to decide, so no reduction is used",
            };
            self.line("stutter-invariant", text);
        }
    }

    fn result(&mut self, result: &PropertyResult) {
        let reason = result.reason.as_deref().unwrap_or_default();
        let verdict = match result.verdict {
            Verdict::Holds => "holds".to_owned(),
            Verdict::Violated => reason.to_owned(),
            Verdict::Incomplete => format!("incomplete: {reason}; {}", advice(result)),
        };
        self.line("verdict", &verdict);
        self.line("states", &grouped(result.counts.states));
        self.line("reduction", &result.strategy.to_string());
    }
}

/// The values of a variable, or the fill level of a channel, that a search saw.
fn seen(model: &Model, coverage: &Coverage, name: &str, container: Option<&str>) -> Option<String> {
    let is_it = |variable: &str| variable.split(['[', '.']).next() == Some(name);
    let ranges: Vec<(&str, stubborn_check::Range)> = match container {
        None => {
            let all = model.globals.iter().zip(&coverage.globals);
            all.filter(|(v, _)| is_it(&v.name)).filter_map(|(v, r)| Some((v.name.as_str(), (*r)?))).collect()
        }
        Some(process) => {
            let (id, ty) = model.processes.iter_enumerated().find(|(_, ty)| ty.name == process)?;
            let all = ty.locals.iter().zip(&coverage.locals[id]);
            all.filter(|(v, _)| is_it(&v.name)).filter_map(|(v, r)| Some((v.name.as_str(), (*r)?))).collect()
        }
    };
    let channels = model.channels.iter().zip(&coverage.channels);
    let mut channel = channels.filter(|(c, _)| container.is_none() && is_it(&c.name) && c.capacity > 0);
    if let Some((channel, most)) = channel.next() {
        return Some(format!("at most {most} of {} messages", channel.capacity));
    }
    let (least, most) = ranges.iter().map(|(_, r)| *r).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))?;
    Some(if least == most { format!("{least} only") } else { format!("{least} to {most}") })
}

fn net_item_in_symbol(analysis: &Analysis, symbol: &Symbol) -> bool {
    analysis.model.as_ref().is_some_and(|model| net_item_in(model, symbol.span).is_some())
}

fn names(names: &[impl AsRef<str>]) -> String {
    if names.is_empty() {
        return "nothing".to_owned();
    }
    names.iter().map(|name| name.as_ref().to_owned()).collect::<Vec<_>>().join(", ")
}

/// A text that cannot end the code it stands in.
pub(crate) fn code_span(text: &str) -> String {
    text.replace('`', "'")
}
