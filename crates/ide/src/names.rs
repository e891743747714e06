//! Where names are declared and mentioned; how to give them another one.

use stubborn_base::outline::{Mention, Role, SymbolKind};
use stubborn_base::{Edit, FileId, Span};
use stubborn_check::relations::{describe::Survey, statements_at};
use stubborn_check::{NetItem, net_item_at, net_item_in};

use crate::analysis::Analysis;

/// The declaration of what is mentioned at a place.
pub fn definition(analysis: &Analysis, file: FileId, offset: u32) -> Option<Span> {
    let mention = analysis.mention_at(file, offset)?;
    Some(analysis.symbol(mention).name_span)
}

/// All mentions of what is mentioned at a place.
pub fn references(analysis: &Analysis, file: FileId, offset: u32, declarations: bool) -> Vec<Mention> {
    let Some(here) = analysis.mention_at(file, offset) else { return Vec::new() };
    let same = analysis.outline.mentions.iter().filter(|m| m.symbol == here.symbol);
    same.filter(|m| declarations || m.role != Role::Declaration).copied().collect()
}

/// The name at a place, if it can be replaced.
pub fn renamed(analysis: &Analysis, file: FileId, offset: u32) -> Result<Mention, &'static str> {
    let mention = analysis.mention_at(file, offset).ok_or("there is no name here")?;
    match analysis.symbol(mention).kind {
        SymbolKind::Process if analysis.symbol(mention).name == ":init:" => Err("`init` has no other name"),
        _ => Ok(mention),
    }
}

/// The changes that give what is mentioned at a place another name.
pub fn rename(analysis: &Analysis, file: FileId, offset: u32, name: &str) -> Result<Vec<Edit>, String> {
    let here = renamed(analysis, file, offset)?;
    analysis.language.check_name(name)?;
    let symbol = analysis.symbol(here);
    let is_other = |other: &&stubborn_base::outline::Symbol| {
        other.name == name && other.kind != SymbolKind::Field && overlap(other.scope, symbol.scope)
    };
    if symbol.kind != SymbolKind::Field
        && let Some(other) = analysis.outline.symbols.iter().find(is_other)
    {
        return Err(format!("`{name}` is already declared: {}", other.detail));
    }
    let mentions = references(analysis, file, offset, true);
    Ok(mentions.iter().map(|m| Edit { span: m.span, text: name.to_owned() }).collect())
}

/// Whether two names can be seen at one place.
fn overlap(a: Option<Span>, b: Option<Span>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a.file == b.file && a.start < b.end && b.start < a.end,
        _ => true,
    }
}

/// The transition or place of a net that is declared or mentioned at a place.
pub(crate) fn net_item(analysis: &Analysis, file: FileId, offset: u32) -> Option<NetItem> {
    let model = analysis.model.as_ref()?;
    net_item_at(model, file, offset).or_else(|| {
        let symbol = analysis.symbol(analysis.mention_at(file, offset)?);
        net_item_in(model, symbol.span)
    })
}

/// The statements that the one at a place does not accord with.
pub fn dependents(analysis: &Analysis, survey: &Survey<'_>, file: FileId, offset: u32) -> Vec<Span> {
    let Some(model) = &analysis.model else { return Vec::new() };
    if model.net.is_some() {
        let item = net_item(analysis, file, offset);
        let Some((net, NetItem::Transition(t))) = model.net.as_ref().zip(item) else { return Vec::new() };
        let conflicts = survey.describe_net(t).map(|d| d.does_not_accord).unwrap_or_default();
        return conflicts.iter().map(|conflict| net.transitions[conflict.with as usize].span).collect();
    }
    let Ok(statements) = statements_at(model, file, offset) else { return Vec::new() };
    let conflicts = statements.iter().flat_map(|&t| survey.describe(t).does_not_accord);
    let mut spans: Vec<Span> = conflicts.map(|conflict| conflict.with.statement.span).collect();
    spans.sort_unstable();
    spans.dedup();
    spans
}
