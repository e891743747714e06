//! Names and what they mean.
//!
//! Global names (variables, constants, channels, processes) share one space, and so do those of a process (variables,
//! constants, states). As in DiVinE, a name of a process hides a global one.

use hashbrown::{HashMap, HashSet};
use smol_str::SmolStr;
use stubborn_base::{Diagnostic, Span};
use stubborn_ir::{LocationId, ProcessTypeId, Region, Slot};

use crate::ast::{Ident, Type};
use crate::suggest::suggest;

/// What a name stands for.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Meaning {
    Variable(Variable),
    /// Its value, or its values.
    Constant {
        values: Vec<i32>,
        is_array: bool,
    },
    /// By index.
    Channel(usize),
    /// By index.
    Process(usize),
    State(LocationId),
}

impl Meaning {
    /// What it is called.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Meaning::Variable(Variable { size: Some(_), .. }) => "an array",
            Meaning::Variable(_) => "a variable",
            Meaning::Constant { .. } => "a constant",
            Meaning::Channel(_) => "a channel",
            Meaning::Process(_) => "a process",
            Meaning::State(_) => "a state",
        }
    }
}

/// A variable or an array.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Variable {
    pub(crate) region: Region,
    /// Of its first element.
    pub(crate) slot: Slot,
    pub(crate) ty: Type,
    /// Of an array.
    pub(crate) size: Option<u32>,
    /// Its initial values.
    pub(crate) initial: Vec<i32>,
}

/// A name that was declared.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Symbol {
    pub(crate) name: Ident,
    pub(crate) meaning: Meaning,
}

/// Names of one space, in the order of their declarations.
#[derive(Clone, Default, Debug)]
pub(crate) struct Table {
    symbols: Vec<Symbol>,
    by_name: HashMap<SmolStr, usize>,
}

impl Table {
    /// Declares a name; an error if there is one already.
    pub(crate) fn declare(&mut self, name: &Ident, meaning: Meaning, diagnostics: &mut Vec<Diagnostic>) {
        if let Some(first) = self.get(&name.name) {
            let message = format!("`{}` is declared twice", name.name);
            let diagnostic = Diagnostic::error("redeclared", name.span, message);
            let diagnostic =
                diagnostic.label(first.name.span, format!("here it is {}", first.meaning.word()));
            diagnostics.push(diagnostic.help("variables, states, channels and processes share their names"));
            return;
        }
        self.by_name.insert(name.name.clone(), self.symbols.len());
        self.symbols.push(Symbol { name: name.clone(), meaning });
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Symbol> {
        self.by_name.get(name).map(|&at| &self.symbols[at])
    }

    pub(crate) fn iter(&self) -> std::slice::Iter<'_, Symbol> {
        self.symbols.iter()
    }
}

/// A process, and the names that are its own.
#[derive(Clone, Debug)]
pub(crate) struct ProcessNames {
    pub(crate) name: Ident,
    pub(crate) table: Table,
    /// Its type; none if it is the property, which is no part of the system.
    pub(crate) id: Option<ProcessTypeId>,
    /// Some state may be declared in text that could not be read.
    pub(crate) lost_states: bool,
}

/// All names of a model.
#[derive(Clone, Debug)]
pub(crate) struct Names<'a> {
    pub(crate) globals: Table,
    pub(crate) processes: Vec<ProcessNames>,
    /// May be declared in text that could not be read.
    pub(crate) lost: &'a HashSet<SmolStr>,
    /// Bytes of all variables and constants and of what channels can hold.
    declared: u64,
}

/// No declarations may come to more bytes than this, those of constants included.
const MAX_DECLARED: u64 = 1 << 20;

impl<'a> Names<'a> {
    pub(crate) fn new(lost: &'a HashSet<SmolStr>) -> Self {
        Names { globals: Table::default(), processes: Vec::new(), lost, declared: 0 }
    }

    /// Whether there is room for so many more bytes; reports that there is not.
    pub(crate) fn has_room(&mut self, bytes: u64, name: &Ident, diagnostics: &mut Vec<Diagnostic>) -> bool {
        let has_room = self.declared + bytes <= MAX_DECLARED;
        if has_room {
            self.declared += bytes;
        } else {
            let message = format!("`{}` makes a state longer than 1 MiB", name.name);
            diagnostics.push(Diagnostic::error("state-too-large", name.span, message));
        }
        has_room
    }

    /// What a name means in a process, or outside of all.
    pub(crate) fn find(&self, process: Option<usize>, name: &str) -> Option<&Symbol> {
        let local = process.and_then(|process| self.processes[process].table.get(name));
        local.or_else(|| self.globals.get(name))
    }

    /// The process with a name; reports if there is none.
    pub(crate) fn process(&self, name: &Ident, diagnostics: &mut Vec<Diagnostic>) -> Option<usize> {
        match self.globals.get(&name.name).map(|symbol| &symbol.meaning) {
            Some(Meaning::Process(index)) => Some(*index),
            Some(other) => {
                let message = format!("`{}` is {}, not a process", name.name, other.word());
                diagnostics.push(Diagnostic::error("not-a-process", name.span, message));
                None
            }
            None => {
                let processes = self.processes.iter().map(|process| process.name.name.as_str());
                self.undeclared(name, "process", processes, diagnostics);
                None
            }
        }
    }

    /// The state of a process with a name; reports if there is none.
    pub(crate) fn state(
        &self,
        process: usize,
        name: &Ident,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<LocationId> {
        let scope = &self.processes[process];
        match scope.table.get(&name.name).map(|symbol| &symbol.meaning) {
            Some(Meaning::State(location)) => Some(*location),
            Some(other) => {
                let message =
                    format!("`{}` is {} of `{}`, not a state", name.name, other.word(), scope.name.name);
                diagnostics.push(Diagnostic::error("not-a-state", name.span, message));
                None
            }
            None if scope.lost_states => None,
            None => {
                let message = format!("process `{}` has no state `{}`", scope.name.name, name.name);
                let states = scope.table.iter().filter(|s| matches!(s.meaning, Meaning::State(_)));
                let diagnostic = Diagnostic::error("undeclared", name.span, message);
                let help = "states are declared with `state`".to_owned();
                diagnostics.push(suggest(diagnostic, name, states.map(|s| s.name.name.as_str()), help));
                None
            }
        }
    }

    /// Reports that there is no such name, unless it may have been lost.
    pub(crate) fn undeclared<'n>(
        &self,
        name: &Ident,
        what: &str,
        candidates: impl Iterator<Item = &'n str>,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        if self.lost.contains(&name.name) || name.name.is_empty() {
            return;
        }
        let diagnostic =
            Diagnostic::error("undeclared", name.span, format!("{what} `{}` is not declared", name.name));
        let help = match what {
            "channel" => format!("declare it before the first process: `channel {};`", name.name),
            "process" => format!("there is no `process {}`", name.name),
            _ => format!("declare it: `byte {};` or `int {};`", name.name, name.name),
        };
        diagnostics.push(suggest(diagnostic, name, candidates, help));
    }

    /// Names of variables and constants that are known in a process, or outside of all.
    pub(crate) fn values(&self, process: Option<usize>) -> impl Iterator<Item = &str> {
        let local = process.into_iter().flat_map(|process| self.processes[process].table.iter());
        let is_value = |s: &&Symbol| matches!(s.meaning, Meaning::Variable(_) | Meaning::Constant { .. });
        local.chain(self.globals.iter()).filter(is_value).map(|s| s.name.name.as_str())
    }

    /// Where a name of a process or a global one is declared.
    pub(crate) fn span_of(&self, process: Option<usize>, name: &str) -> Option<Span> {
        self.find(process, name).map(|symbol| symbol.name.span)
    }
}
