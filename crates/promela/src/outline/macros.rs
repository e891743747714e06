//! Macros: their definitions, their uses, and names in the bodies of those that are not used.

use hashbrown::{HashMap, HashSet};
use stubborn_base::outline::{Role, Symbol, SymbolKind};
use stubborn_base::{FileId, Span};

use super::calls::call;
use super::comments::{one_line, shorten};
use super::draft::Fact;
use super::walk::Walk;
use crate::lexemes::{Lexeme, directives};
use crate::token::Kind;

/// Makes symbols of all macros, and notes where they are used.
pub(super) fn declare(walk: &mut Walk<'_>, files: &[Vec<Lexeme>]) {
    let parsed = walk.parsed;
    let lines = definitions(walk, files);
    let mut symbols = Vec::with_capacity(parsed.macros.len());
    for definition in &parsed.macros {
        let span = lines.get(&definition.span).copied().unwrap_or(definition.span);
        let mut detail = String::new();
        one_line(walk.sources.text(span), &mut detail);
        let parameters =
            definition.params.iter().flatten().map(|&p| walk.table.name(p).to_string()).collect();
        let symbol = Symbol {
            name: walk.table.name(definition.name).to_string(),
            kind: SymbolKind::Macro,
            span,
            name_span: definition.span,
            detail: shorten(detail),
            comment: None,
            container: None,
            parameters,
            scope: None,
        };
        let fact = Fact { sym: definition.name, place: definition.span, structure: None, role: None };
        let symbol = walk.draft.add(symbol, fact);
        walk.draft.mention(definition.span, symbol, Role::Declaration);
        symbols.push(symbol);
    }
    for used in &parsed.macro_uses {
        let symbol = symbols[used.definition];
        let role = if used.call.is_some() { Role::Call } else { Role::Use };
        walk.draft.mention(used.span, symbol, role);
        if let Some(arguments) = &used.call {
            let text = walk.text(used.span);
            let found = call(symbol, used.span, &arguments.starts, arguments.end, arguments.closed, text);
            walk.draft.calls.extend(found);
        }
    }
}

/// The lines that define macros, by the place of the name.
fn definitions(walk: &Walk<'_>, files: &[Vec<Lexeme>]) -> HashMap<Span, Span> {
    let mut lines = HashMap::new();
    for ((file, source), lexemes) in walk.sources.iter().zip(files) {
        for line in directives(lexemes) {
            if let [hash, word, name, ..] = line
                && word.text(source.text()) == "define"
            {
                let last = line.iter().rfind(|l| !l.is_comment()).unwrap_or(name);
                lines.insert(span(file, *name), Span { end: last.end, ..span(file, *hash) });
            }
        }
    }
    lines
}

fn span(file: FileId, lexeme: Lexeme) -> Span {
    Span { file, start: lexeme.start, end: lexeme.end }
}

/// Notes names in directives that have not been noted yet: parameters of macros, and what macros that are never
/// used would mean.
pub(super) fn mention(walk: &mut Walk<'_>, files: &[Vec<Lexeme>]) {
    let found: HashSet<Span> = walk.draft.mentions.iter().map(|m| m.span).collect();
    let n_macros = walk.parsed.macros.len();
    let macros: HashMap<String, usize> =
        walk.draft.symbols[..n_macros].iter().map(|s| s.name.clone()).zip(0..).collect();
    let by_place: HashMap<Span, usize> =
        walk.draft.symbols[..n_macros].iter().map(|s| s.name_span).zip(0..).collect();
    let globals: HashMap<String, usize> = walk.globals_by_name();
    let sources = walk.sources;
    for ((file, source), lexemes) in sources.iter().zip(files) {
        let text = source.text();
        for line in directives(lexemes) {
            let [_, word, operands @ ..] = line else { continue };
            let names = operands.iter().filter(|l| l.is(Kind::Name));
            match word.text(text) {
                "define" => {
                    let Some(&name) = operands.first() else { continue };
                    let parameters = match by_place.get(&span(file, name)) {
                        Some(&symbol) => parameters(walk, file, text, operands, symbol),
                        None => HashMap::new(),
                    };
                    for &lexeme in names.skip(1) {
                        let (place, name) = (span(file, lexeme), lexeme.text(text));
                        if let Some(&parameter) = parameters.get(name) {
                            if walk.draft.symbols[parameter].name_span != place {
                                walk.draft.mention(place, parameter, Role::Read);
                            }
                        } else if !found.contains(&place)
                            && let Some(&symbol) = macros.get(name).or_else(|| globals.get(name))
                        {
                            let role = if symbol < n_macros { Role::Use } else { Role::Read };
                            walk.draft.mention(place, symbol, role);
                        }
                    }
                }
                "ifdef" | "ifndef" | "undef" | "if" | "elif" => {
                    for &lexeme in names {
                        let place = span(file, lexeme);
                        if !found.contains(&place)
                            && let Some(&symbol) = macros.get(lexeme.text(text))
                        {
                            walk.draft.mention(place, symbol, Role::Use);
                        }
                    }
                }
                _ => {}
            }
        }
    }
}

/// Makes symbols of the parameters of a macro, by name.
fn parameters<'t>(
    walk: &mut Walk<'_>,
    file: FileId,
    text: &'t str,
    operands: &[Lexeme],
    symbol: usize,
) -> HashMap<&'t str, usize> {
    let mut parameters = HashMap::new();
    if walk.draft.symbols[symbol].parameters.is_empty() {
        return parameters;
    }
    let scope = walk.draft.symbols[symbol].span;
    let sym = walk.draft.facts[symbol].sym;
    for &lexeme in operands.iter().skip(1).take_while(|l| !l.is(Kind::RParen)) {
        if !lexeme.is(Kind::Name) {
            continue;
        }
        let (place, name) = (span(file, lexeme), lexeme.text(text));
        let parameter = Symbol {
            name: name.to_owned(),
            kind: SymbolKind::Parameter,
            span: place,
            name_span: place,
            detail: name.to_owned(),
            comment: None,
            container: Some(symbol),
            parameters: Vec::new(),
            scope: Some(scope),
        };
        let parameter = walk.draft.add(parameter, Fact { sym, place, structure: None, role: None });
        walk.draft.mention(place, parameter, Role::Declaration);
        parameters.insert(name, parameter);
    }
    parameters
}

impl Walk<'_> {
    /// What is known everywhere, by name.
    fn globals_by_name(&self) -> HashMap<String, usize> {
        let is_global =
            |s: &Symbol| s.container.is_none() && !matches!(s.kind, SymbolKind::Macro | SymbolKind::Property);
        let symbols = self.draft.symbols.iter().enumerate().filter(|(_, s)| is_global(s));
        symbols.map(|(i, s)| (s.name.clone(), i)).collect()
    }
}
