//! Texts in, the description of a net out.
//!
//! The properties of `NAME.lna` may stand in `NAME.prop.lna` beside it. Either file can be the one that is read; the
//! other is then asked of the loader, and it is no error if there are no properties.

use std::path::Path;
use std::sync::Arc;

use hashbrown::HashSet;
use smol_str::SmolStr;
use stubborn_base::{Diagnostic, FileId, Loader, Sources};
use stubborn_nets::Net;

use crate::ast::Expr;
use crate::check::{Checked, check, unknown_parameter};
use crate::code::{Context, Term};
use crate::net::describe;
use crate::parser::{Parsed, parse};
use crate::property::{Marking, Properties, properties};
use crate::recover::depth;

/// What is nested no deeper than this is checked on the stack there is.
const SHALLOW: usize = 100;

/// Bytes of the stack that is used otherwise.
const STACK: usize = 32 << 20;

/// A net as it was read.
#[derive(Debug)]
pub struct Read {
    /// The files that were read; the first is the one that was asked for.
    pub sources: Sources,
    /// What there is to say about them, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// The net, unless there are errors.
    pub net: Option<Net<Term>>,
    /// Its propositions and properties, and what they refer to, if there is a net.
    pub(crate) checked: Option<(Checked, Arc<Context>)>,
    /// The trees of the files, in their order.
    pub parsed: Vec<Parsed>,
}

impl Read {
    /// The properties of the net, over the markings of its model.
    pub fn properties(&self, marking: &dyn Marking) -> Properties {
        match &self.checked {
            Some((checked, context)) => properties(checked, context, marking),
            None => Properties::default(),
        }
    }
}

/// Reads a net. `defines` are values of its parameters, and symbols that its directives ask for.
pub fn read(path: &Path, text: Arc<str>, loader: &dyn Loader, defines: &[(String, String)]) -> Read {
    read_with(path, text, loader, defines, None)
}

/// The same with an expression, which is read as if it stood in a proposition at the end of the net.
pub(crate) fn read_with(
    path: &Path,
    text: Arc<str>,
    loader: &dyn Loader,
    defines: &[(String, String)],
    extra: Option<&Expr>,
) -> Read {
    let mut sources = Sources::new();
    let symbols: Vec<&str> = defines.iter().map(|(name, _)| name.as_str()).collect();
    let mut parsed = Vec::new();
    let file = sources.add(path, text.clone());
    parsed.push(parse(file, &text, &symbols));
    let mut diagnostics = Vec::new();
    let (other, is_net) = companion(path);
    match loader.load(path, &other) {
        Some((path, text)) => {
            let file = sources.add(path, text.clone());
            parsed.push(parse(file, &text, &symbols));
        }
        None if !is_net => {
            let span = stubborn_base::Span::new(file, 0, 0);
            let message = format!("there is no net `{other}` that these properties are about");
            diagnostics.push(Diagnostic::error("missing-net", span, message));
        }
        None => {}
    }
    let understand = || {
        let mut diagnostics = diagnostics;
        let checked = understand(&parsed, is_net, file, defines, extra, &mut diagnostics);
        let mut net = None;
        let checked = checked.map(|mut checked| {
            let empty = Context { constants: Vec::new(), functions: Vec::new(), ..checked.context.clone() };
            let context = Arc::new(std::mem::replace(&mut checked.context, empty));
            if !diagnostics.iter().any(Diagnostic::is_error) {
                net = describe(&checked, &context, &mut diagnostics);
            }
            (checked, context)
        });
        (diagnostics, net, checked)
    };
    let is_deep = parsed.iter().any(|parsed| depth(&parsed.lexed.tokens) > SHALLOW);
    let (mut diagnostics, net, checked) = if is_deep { with_room(understand) } else { understand() };
    diagnostics.sort_by_key(|d| (d.span.file, d.span.start));
    Read { sources, diagnostics, net, checked, parsed }
}

/// Runs something on a stack that is large enough for whatever the parser lets through.
fn with_room<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run);
        match thread.map(|thread| thread.join()) {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(error) => panic!("no thread can be started: {error}"),
        }
    })
}

/// Checks the tree of a net together with that of its properties.
fn understand(
    parsed: &[Parsed],
    is_net: bool,
    file: FileId,
    defines: &[(String, String)],
    extra: Option<&Expr>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Checked> {
    diagnostics.extend(parsed.iter().flat_map(|parsed| parsed.diagnostics.iter().cloned()));
    // The net comes first, whichever file was asked for.
    let mut program = crate::ast::Program::default();
    let order: Vec<&Parsed> = if is_net { parsed.iter().collect() } else { parsed.iter().rev().collect() };
    for parsed in &order {
        program.head = program.head.or_else(|| parsed.program.head.clone());
        program.items.extend(parsed.program.items.iter().cloned());
    }
    if program.head.is_none() && is_net && diagnostics.is_empty() {
        let span = stubborn_base::Span::new(file, 0, 0);
        diagnostics.push(Diagnostic::error("missing-net", span, "there is no net in this file"));
    }
    let lost: HashSet<SmolStr> = parsed.iter().flat_map(|parsed| parsed.lost.iter().cloned()).collect();
    let asked: HashSet<SmolStr> =
        parsed.iter().flat_map(|parsed| parsed.lexed.symbols.iter().cloned()).collect();
    if let Some(head) = &program.head {
        for (name, _) in defines {
            let is_param = head.params.iter().any(|param| param.name.name == *name);
            if !is_param && !asked.contains(name.as_str()) {
                diagnostics.push(unknown_parameter(name, head.name.span, &head.params));
            }
        }
    }
    check(&program, extra, defines, &lost, diagnostics)
}

/// The name of the file with the net that a file with properties is about, by its name; none for any other file.
pub fn net_of(name: &str) -> Option<String> {
    name.strip_suffix(".prop.lna").map(|stem| format!("{stem}.lna"))
}

/// The file that belongs to another, and whether that other one is the net.
fn companion(path: &Path) -> (String, bool) {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    match net_of(&name) {
        Some(net) => (net, false),
        None => (format!("{}.prop.lna", name.strip_suffix(".lna").unwrap_or(&name)), true),
    }
}
