//! What has a name: variables, constants, channels, processes, states.

use hashbrown::HashMap;
use smol_str::SmolStr;
use stubborn_base::outline::{Symbol, SymbolKind};
use stubborn_base::{Sources, Span};

use crate::ast::{Declaration, Ident, Process, Program, Type};

/// Characters that a declaration in one line may have.
const MAX_LINE: usize = 120;

/// Symbols, and where to find them by name.
#[derive(Clone, Debug, Default)]
pub(super) struct Symbols {
    pub(super) symbols: Vec<Symbol>,
    /// By the process that they belong to, and their name.
    by_name: HashMap<(Option<usize>, SmolStr), usize>,
    /// By index of a process.
    pub(super) processes: Vec<usize>,
}

impl Symbols {
    /// What a name means in a process, or outside of all.
    pub(super) fn find(&self, process: Option<usize>, name: &Ident) -> Option<usize> {
        let global = || self.own(None, name);
        process.and_then(|_| self.own(process, name)).or_else(global)
    }

    /// What a process declares under a name, or what is declared outside of all.
    pub(super) fn own(&self, process: Option<usize>, name: &Ident) -> Option<usize> {
        self.by_name.get(&(process, name.name.clone())).copied()
    }

    fn add(&mut self, process: Option<usize>, symbol: Symbol) -> usize {
        let at = self.symbols.len();
        let known = self.by_name.entry((process, SmolStr::new(&symbol.name)));
        known.or_insert(at);
        self.symbols.push(symbol);
        at
    }
}

/// All symbols, in the order of the text.
pub(super) fn symbols(program: &Program, sources: &Sources) -> Symbols {
    let mut found = Symbols::default();
    for declaration in &program.declarations {
        declare(&mut found, None, declaration, sources);
    }
    let property = program.system.as_ref().and_then(|system| system.property.as_ref());
    for (index, process) in program.processes.iter().enumerate() {
        let is_property = property.is_some_and(|name| name.name == process.name.name);
        let kind = if is_property { SymbolKind::Property } else { SymbolKind::Process };
        let detail = format!("process {}", process.name.name);
        let symbol = found.add(None, symbol(&process.name, kind, process.span, detail, None));
        found.processes.push(symbol);
        let owner = Some((index, process));
        for declaration in &process.declarations {
            declare(&mut found, owner, declaration, sources);
        }
        for state in &process.states {
            let detail = format!("state {}", state.name);
            let scope = Some((symbol, process.span));
            found.add(Some(index), self::symbol(state, SymbolKind::Label, state.span, detail, scope));
        }
    }
    found
}

/// `container` is a symbol, and where its names can be used.
fn symbol(
    name: &Ident,
    kind: SymbolKind,
    span: Span,
    detail: String,
    container: Option<(usize, Span)>,
) -> Symbol {
    Symbol {
        name: name.name.to_string(),
        kind,
        span,
        name_span: name.span,
        detail,
        comment: None,
        container: container.map(|(symbol, _)| symbol),
        parameters: Vec::new(),
        scope: container.map(|(_, scope)| scope),
    }
}

fn declare(
    found: &mut Symbols,
    owner: Option<(usize, &Process)>,
    declaration: &Declaration,
    sources: &Sources,
) {
    let container = owner.map(|(index, process)| (found.processes[index], process.span));
    let index = owner.map(|(index, _)| index);
    let words = |head: &str, span: Span| {
        let text: Vec<&str> = sources.text(span).split_whitespace().collect();
        let line = format!("{head} {}", text.join(" "));
        match line.char_indices().nth(MAX_LINE) {
            Some((end, _)) => format!("{} …", line[..end].trim_end()),
            None => line,
        }
    };
    match declaration {
        Declaration::Variables(variables) => {
            let (kind, prefix) = match variables.is_const {
                true => (SymbolKind::Constant, "const "),
                false => (SymbolKind::Variable, ""),
            };
            let head = format!("{prefix}{}", type_name(variables.ty));
            for variable in &variables.variables {
                let detail = words(&head, variable.span);
                found.add(index, symbol(&variable.name, kind, variable.span, detail, container));
            }
        }
        Declaration::Channels(channels) => {
            let types: Vec<String> =
                channels.types.iter().flatten().map(|&ty| type_name(ty).to_owned()).collect();
            let head = match types.as_slice() {
                [] => "channel".to_owned(),
                types => format!("channel {{{}}}", types.join(", ")),
            };
            for channel in &channels.channels {
                let detail = words(&head, channel.span);
                let symbol = symbol(&channel.name, SymbolKind::Channel, channel.span, detail, container);
                found.add(index, Symbol { parameters: types.clone(), ..symbol });
            }
        }
    }
}

fn type_name(ty: Type) -> &'static str {
    match ty {
        Type::Byte => "byte",
        Type::Int => "int",
    }
}
