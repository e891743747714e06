//! What could be written at a place: names in scope, labels after `goto` and `@`, fields after a dot, fields of a
//! message after `!` and `?`, words of the language and what they begin.

use stubborn_base::FileId;
use stubborn_base::outline::{Symbol, SymbolKind};

use crate::analysis::Analysis;

/// Something to offer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// What it is called.
    pub label: String,
    /// What it is; none for a word of the language.
    pub kind: Option<SymbolKind>,
    /// In one line.
    pub detail: String,
    /// More about it.
    pub help: Option<String>,
    /// What to write, with `$1` where one goes on; none for the label.
    pub snippet: Option<String>,
}

/// What fits at a place, the likeliest first. `before` is the text before it, which may be newer than what was read.
pub fn completion(analysis: &Analysis, file: FileId, offset: u32, before: &str) -> Vec<Item> {
    let typed = before.trim_end_matches(is_name);
    let symbols = analysis.outline.symbols.iter().enumerate();
    let in_scope =
        |symbol: &Symbol| symbol.scope.is_none_or(|s| s.file == file && s.start <= offset && offset <= s.end);
    match context(typed) {
        Context::Field(name) => {
            let process = process_named(analysis, name);
            let is_it = |s: &Symbol| match process {
                Some(_) => s.kind == SymbolKind::Label && s.container == process,
                None => s.kind == SymbolKind::Field,
            };
            symbols.filter(|(_, s)| is_it(s)).map(|(_, symbol)| item(symbol)).collect()
        }
        Context::Jump => {
            let process = process_at(analysis, file, offset);
            let labels = symbols.filter(|(_, s)| s.kind == SymbolKind::Label && s.container == process);
            labels.map(|(_, symbol)| item(symbol)).collect()
        }
        Context::Remote(name) => {
            let process = process_named(analysis, name);
            let labels = symbols.filter(|(_, s)| s.kind == SymbolKind::Label && s.container == process);
            labels.map(|(_, symbol)| item(symbol)).collect()
        }
        Context::Run => {
            let processes = symbols.filter(|(_, s)| s.kind == SymbolKind::Process && s.name != ":init:");
            processes.map(|(_, symbol)| call(symbol)).collect()
        }
        Context::Message(message) => {
            let is_it =
                |s: &&Symbol| s.kind == SymbolKind::Channel && s.name == message.channel && in_scope(s);
            let channel = analysis.outline.symbols.iter().find(is_it);
            let mut items: Vec<Item> = channel.iter().flat_map(|channel| fields(channel, &message)).collect();
            let ty = channel.and_then(|channel| channel.parameters.get(message.n_before));
            if ty.is_none_or(|ty| ty.starts_with("mtype")) {
                let constants = symbols.filter(|(_, s)| s.kind == SymbolKind::Constant);
                items.extend(constants.map(|(_, symbol)| item(symbol)));
            }
            items.extend(
                anything(analysis, &in_scope).into_iter().filter(|item| {
                    item.kind.is_some_and(|kind| ty.is_none() || kind != SymbolKind::Constant)
                }),
            );
            items
        }
        Context::Any => {
            // Where nobody jumps, the labels of a process are its states, and stand anywhere.
            let jumps = analysis.language.keywords.iter().any(|keyword| keyword.word == "goto");
            let process = if jumps { None } else { process_at(analysis, file, offset) };
            let is_state = |s: &Symbol| s.kind == SymbolKind::Label && s.container == process;
            let states = symbols.filter(|(_, s)| process.is_some() && is_state(s));
            let mut items: Vec<Item> = states.map(|(_, symbol)| item(symbol)).collect();
            items.extend(anything(analysis, &in_scope));
            items
        }
    }
}

/// Names in scope, then words of the language.
fn anything(analysis: &Analysis, in_scope: &dyn Fn(&Symbol) -> bool) -> Vec<Item> {
    let symbols = analysis.outline.symbols.iter();
    let names = symbols.filter(|s| !matches!(s.kind, SymbolKind::Field | SymbolKind::Label));
    let names = names.filter(|s| in_scope(s) && s.name != ":init:");
    let mut items: Vec<Item> =
        names.map(|s| if s.kind == SymbolKind::Inline { call(s) } else { item(s) }).collect();
    items.extend(analysis.language.keywords.iter().map(|keyword| Item {
        label: keyword.word.to_owned(),
        kind: None,
        detail: keyword.help.to_owned(),
        help: None,
        snippet: keyword.snippet.map(str::to_owned),
    }));
    items.dedup_by(|a, b| a.label == b.label);
    items
}

/// The fields of a message that are still to be written, together.
fn fields(channel: &Symbol, message: &Message<'_>) -> Option<Item> {
    let left = channel.parameters.get(message.n_before..).filter(|left| !left.is_empty())?;
    let places = left.iter().enumerate().map(|(i, field)| format!("${{{}:{}}}", i + 1, escape(field)));
    Some(Item {
        label: left.join(", "),
        kind: Some(SymbolKind::Field),
        detail: channel.detail.clone(),
        help: channel.comment.clone(),
        snippet: Some(places.collect::<Vec<_>>().join(", ")),
    })
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The name that a text ends in; empty if it ends in none.
fn last_name(text: &str) -> &str {
    &text[text.trim_end_matches(is_name).len()..]
}

/// What stands before a place.
enum Context<'a> {
    /// Of this name, if it is one.
    Field(&'a str),
    Jump,
    Remote(&'a str),
    Message(Message<'a>),
    Run,
    Any,
}

/// A message that is being written.
struct Message<'a> {
    channel: &'a str,
    /// So many fields are written already.
    n_before: usize,
}

/// The message of a channel operation that a text ends in: `c!a, b` or `c?kind(b`.
fn message(before: &str) -> Option<Message<'_>> {
    let start = before.rfind([';', '{', '}', ':', '\n', '>']).map_or(0, |at| at + 1);
    let statement = &before[start..];
    let at = statement.find(['!', '?'])?;
    let channel = statement[..at].trim_end();
    // An element of an array of channels.
    let channel = channel.split('[').next().unwrap_or(channel).trim_end();
    let channel = last_name(channel);
    let fields = statement[at..].trim_start_matches(['!', '?']);
    let is_message = !channel.is_empty() && !fields.starts_with('=');
    is_message.then(|| Message { channel, n_before: fields.matches([',', '(']).count() })
}

fn context(before: &str) -> Context<'_> {
    let trimmed = before.trim_end();
    if let Some(rest) = trimmed.strip_suffix('@') {
        let rest = rest.trim_end();
        let name = match rest.strip_suffix(']').and_then(|inside| inside.rfind('[').map(|at| &inside[..at])) {
            Some(name) => name.trim_end(),
            None => rest,
        };
        return Context::Remote(last_name(name));
    }
    match last_name(trimmed) {
        "goto" => Context::Jump,
        "run" => Context::Run,
        _ if trimmed.ends_with('.') && !trimmed.ends_with("..") => {
            Context::Field(last_name(trimmed.trim_end_matches('.').trim_end()))
        }
        _ => message(before).map_or(Context::Any, Context::Message),
    }
}

/// The process of a name.
fn process_named(analysis: &Analysis, name: &str) -> Option<usize> {
    let is_it = |symbol: &Symbol| has_states(symbol) && symbol.name == name;
    analysis.outline.symbols.iter().position(is_it)
}

/// The process that a place is in.
fn process_at(analysis: &Analysis, file: FileId, offset: u32) -> Option<usize> {
    analysis.outline.symbols.iter().position(|symbol| {
        let span = symbol.span;
        has_states(symbol) && span.file == file && span.start <= offset && offset <= span.end
    })
}

/// A process, or one that watches the others.
fn has_states(symbol: &Symbol) -> bool {
    matches!(symbol.kind, SymbolKind::Process | SymbolKind::Property)
}

fn item(symbol: &Symbol) -> Item {
    Item {
        label: symbol.name.clone(),
        kind: Some(symbol.kind),
        detail: symbol.detail.clone(),
        help: symbol.comment.clone(),
        snippet: None,
    }
}

/// With places for the arguments.
fn call(symbol: &Symbol) -> Item {
    let parameters = symbol.parameters.iter().enumerate();
    let arguments: Vec<String> =
        parameters.map(|(i, parameter)| format!("${{{}:{}}}", i + 1, escape(parameter))).collect();
    let snippet = format!("{}({})$0", symbol.name, arguments.join(", "));
    Item { snippet: Some(snippet), ..item(symbol) }
}

/// What is special in a snippet.
fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('$', "\\$").replace('}', "\\}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_before_a_place() {
        let tell = |before: &str| match context(before) {
            Context::Field(name) => format!("field {name}"),
            Context::Jump => "jump".to_owned(),
            Context::Remote(name) => format!("remote {name}"),
            Context::Message(Message { channel, n_before }) => format!("message {channel} {n_before}"),
            Context::Run => "run".to_owned(),
            Context::Any => "any".to_owned(),
        };
        for (before, expected) in [
            ("", "any"),
            ("x = é𝄞", "any"),
            ("𝄞@", "remote "),
            ("do :: P[1]@", "remote P"),
            ("𝄞 goto ", "jump"),
            ("run ", "run"),
            ("x + a.", "field a"),
            ("..", "any"),
            ("; c!", "message c 0"),
            (":: c [ 2 ] ?? ask, ", "message c 1"),
            ("-> c?ask(x, ", "message c 2"),
            ("𝄞c!", "message c 0"),
            ("(a != ", "any"),
            ("!", "any"),
        ] {
            assert_eq!(tell(before), expected, "{before}");
        }
    }
}
