//! Words with what is known of them: what a grammar of regular expressions cannot tell.

use std::collections::BTreeSet;

use stubborn_base::outline::{Role, SymbolKind, WordClass};
use stubborn_base::{FileId, Span};
use stubborn_check::relations::describe::Survey;
use stubborn_ir::Model;

use crate::analysis::Analysis;

/// A word to be highlighted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// Where.
    pub span: Span,
    /// What it is.
    pub class: WordClass,
    /// What kind of symbol it mentions.
    pub symbol: Option<SymbolKind>,
    /// What is known of it.
    pub modifiers: Modifiers,
}

/// What is known of a word.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Modifiers {
    /// It is declared here.
    pub declaration: bool,
    /// It is changed here.
    pub modification: bool,
    /// Its value never changes.
    pub readonly: bool,
    /// Processes of more than one kind, or several of one kind, use it.
    pub shared: bool,
    /// A property looks at it.
    pub visible: bool,
    /// It is part of a sticky statement.
    pub sticky: bool,
}

/// The words of a file; which statements are sticky is told from the survey.
pub fn tokens(analysis: &Analysis, survey: Option<&Survey<'_>>, file: FileId) -> Vec<Token> {
    let facts = Facts::of(analysis);
    let sticky = survey.map(|survey| sticky_places(survey, file)).unwrap_or_default();
    let words = analysis.outline.words.iter().filter(|word| word.span.file == file);
    words
        .map(|word| {
            let index = match word.class {
                WordClass::Symbol(index) => Some(index),
                _ => None,
            };
            let symbol = index.map(|index| analysis.outline.symbols[index].kind);
            let role = index.and_then(|_| {
                analysis.mention_at(file, word.span.start).filter(|m| m.span == word.span).map(|m| m.role)
            });
            let modifiers = Modifiers {
                declaration: role == Some(Role::Declaration),
                modification: matches!(role, Some(Role::Write | Role::ReadWrite)),
                readonly: matches!(symbol, Some(SymbolKind::Constant | SymbolKind::Macro)),
                shared: index.is_some_and(|index| facts.shared.contains(&index)),
                visible: index.is_some_and(|index| facts.visible.contains(&index)),
                sticky: is_inside(&sticky, word.span),
            };
            Token { span: word.span, class: word.class, symbol, modifiers }
        })
        .collect()
}

/// The places of sticky statements, in order and without overlaps.
fn sticky_places(survey: &Survey<'_>, file: FileId) -> Vec<Span> {
    let model = survey.relations().model();
    let transitions = model.transitions.iter_enumerated().filter(|(_, t)| t.origin.span.file == file);
    let is_net = model.net.is_some();
    let is_sticky = |id| if is_net { survey.is_sticky_firing(id) } else { survey.is_sticky(id) };
    let sticky = transitions.filter(|(id, _)| is_sticky(*id));
    let mut places: Vec<Span> = sticky.map(|(_, t)| t.origin.span).collect();
    places.sort_unstable();
    let mut apart: Vec<Span> = Vec::new();
    for place in places {
        match apart.last_mut() {
            Some(last) if place.start < last.end => last.end = last.end.max(place.end),
            _ => apart.push(place),
        }
    }
    apart
}

fn is_inside(places: &[Span], span: Span) -> bool {
    let after = places.partition_point(|place| place.start <= span.start);
    places[..after].last().is_some_and(|place| span.end <= place.end)
}

struct Facts {
    shared: BTreeSet<usize>,
    visible: BTreeSet<usize>,
}

impl Facts {
    fn of(analysis: &Analysis) -> Self {
        let symbols = &analysis.outline.symbols;
        let mut users: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); symbols.len()];
        let mut visible = BTreeSet::new();
        let containers: Vec<(usize, Span)> = symbols
            .iter()
            .enumerate()
            .filter(|(_, s)| matches!(s.kind, SymbolKind::Process | SymbolKind::Property))
            .map(|(i, s)| (i, s.span))
            .collect();
        for mention in analysis.outline.mentions.iter().filter(|m| m.role != Role::Declaration) {
            let inside = |&&(_, span): &&(usize, Span)| {
                span.file == mention.span.file
                    && span.start <= mention.span.start
                    && mention.span.end <= span.end
            };
            match containers.iter().find(inside) {
                Some(&(i, _)) if symbols[i].kind == SymbolKind::Property => {
                    visible.insert(mention.symbol);
                }
                Some(&(i, _)) => {
                    users[mention.symbol].insert(i);
                }
                None => {}
            }
        }
        let several =
            |process: &usize| analysis.model.as_ref().is_some_and(|m| is_several(m, &symbols[*process].name));
        let shared = symbols.iter().enumerate().filter(|(i, symbol)| {
            let is_data = matches!(symbol.kind, SymbolKind::Variable | SymbolKind::Channel);
            is_data && symbol.container.is_none() && (users[*i].len() > 1 || users[*i].iter().any(several))
        });
        Facts { shared: shared.map(|(i, _)| i).collect(), visible }
    }
}

/// Whether there may be several processes of a type.
fn is_several(model: &Model, name: &str) -> bool {
    let Some((id, _)) = model.processes.iter_enumerated().find(|(_, ty)| ty.name == name) else {
        return false;
    };
    let creates = |t: &stubborn_ir::Transition| {
        t.any_effect(|effect| matches!(effect, stubborn_ir::Effect::Run(run) if run.process == id))
    };
    model.initial.iter().filter(|activation| activation.process == id).count() > 1
        || model.transitions.iter().any(creates)
}
