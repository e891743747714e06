//! The front-end and the search, called in this process: thousands of broken texts would otherwise mean
//! thousands of processes.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use stubborn_base::outline::Outline;
use stubborn_base::{Severity, Sources, Span};
use stubborn_ir::Model;
use stubborn_languages::{Language, Loader, language_of};
use stubborn_reduce::Plan;
use stubborn_search::{Ignore, Limits, Order, search};

/// Finds included files among those of a folder.
struct Folder(Option<PathBuf>);

impl Loader for Folder {
    fn load(&self, _includer: &Path, name: &str) -> Option<(PathBuf, Arc<str>)> {
        let path = self.0.as_ref()?.join(name);
        let bytes = std::fs::read(&path).ok()?;
        Some((path, String::from_utf8_lossy(&bytes).into()))
    }
}

/// Finds no files.
#[derive(Clone, Copy, Debug)]
pub struct Nothing;

impl Loader for Nothing {
    fn load(&self, _includer: &Path, _name: &str) -> Option<(PathBuf, Arc<str>)> {
        None
    }
}

/// The model in a file of any language; none if it has errors.
pub fn read(path: &Path) -> Option<Model> {
    read_with(path, &[]).ok()
}

/// The same with macros or parameters; or why there is none.
pub fn read_with(path: &Path, defines: &[(String, String)]) -> Result<Model, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let folder = Folder(path.parent().map(Path::to_path_buf));
    let loaded = language_of(path).load(path, String::from_utf8_lossy(&bytes).into(), &folder, defines);
    let errors = || loaded.diagnostics.iter().map(|d| d.message.clone()).collect::<Vec<_>>().join("; ");
    loaded.model.ok_or_else(errors)
}

/// Whether a text that is all there is of a model has errors.
pub fn has_errors(language: &Language, text: &str) -> bool {
    language.load(&nowhere(language), text.into(), &Folder(None), &[]).model.is_none()
}

/// Where a text would be that is all there is of a model.
pub fn nowhere(language: &Language) -> PathBuf {
    format!("text.{}", language.extensions[0]).into()
}

/// Memory for the states of a text that turns out to be a model.
const SMALL: usize = 1 << 18;
/// Time for its search.
const SHORT: Duration = Duration::from_millis(200);

/// Reads a text as a model and returns how many errors it has. Each error must have its place, and a text
/// without errors must make a model that can be searched. Whatever it is, it has an outline, and its layout keeps it.
/// Other files are looked for beside it.
pub fn count_errors(path: &Path, text: &str) -> usize {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    count_errors_with(path, text, &Folder(folder.map(Path::to_path_buf)))
}

/// The same with other files as they are given.
pub fn count_errors_with(path: &Path, text: &str, loader: &dyn Loader) -> usize {
    let language = language_of(path);
    let (loaded, outline) = language.analyse(path, text.into(), loader, &[]);
    check_outline(&outline, &loaded.sources);
    let edits = loaded.diagnostics.iter().flat_map(|d| &d.fixes).flat_map(|f| &f.edits);
    edits.for_each(|edit| inside(edit.span, &loaded.sources));
    check_layout(language, text);
    let errors = loaded.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    let n_errors = errors
        .inspect(|diagnostic| {
            let (start, end) = loaded.sources.positions(diagnostic.span);
            assert!(start.line >= 1 && start.line <= end.line, "{:?} has no place", diagnostic.message);
        })
        .count();
    assert_eq!(loaded.model.is_some(), n_errors == 0, "a model exactly if there are no errors");
    if let Some(model) = &loaded.model {
        let limits = Limits { time: Some(SHORT), ..Limits::memory(SMALL) };
        // A model may have no initial state; the search itself must come to an end.
        let _ = search(model, Order::BreadthFirst, &Plan::none(), &limits, &mut Ignore);
    }
    n_errors
}

fn inside(span: Span, sources: &Sources) {
    assert!(sources.file(span.file).text().get(span.range()).is_some(), "{span:?} is outside of its file");
}

/// What an outline promises: places inside their files, indices that mean something, order.
fn check_outline(outline: &Outline, sources: &Sources) {
    for (i, symbol) in outline.symbols.iter().enumerate() {
        inside(symbol.span, sources);
        symbol.scope.into_iter().for_each(|scope| inside(scope, sources));
        let (whole, name) = (symbol.span, symbol.name_span);
        assert!(whole.start <= name.start && name.end <= whole.end, "{} is not in its place", symbol.name);
        assert!(
            symbol.container.is_none_or(|container| container < i),
            "{} before its container",
            symbol.name
        );
    }
    let mentions = outline.mentions.iter().chain(&outline.shared);
    mentions.for_each(|mention| assert!(mention.symbol < outline.symbols.len(), "no such symbol"));
    let apart = |spans: Vec<Span>| {
        let before = |a: Span, b: Span| a.file < b.file || (a.file == b.file && a.end <= b.start);
        assert!(spans.windows(2).all(|pair| before(pair[0], pair[1])), "places overlap");
        spans.into_iter().for_each(|span| inside(span, sources));
    };
    apart(outline.mentions.iter().map(|mention| mention.span).collect());
    apart(outline.words.iter().map(|word| word.span).collect());
    outline.folds.iter().for_each(|fold| inside(fold.span, sources));
    outline.nodes.iter().for_each(|&node| inside(node, sources));
    outline.links.iter().for_each(|link| inside(link.span, sources));
    for call in &outline.calls {
        inside(call.span, sources);
        let holds = |argument: &Span| call.span.start <= argument.start && argument.end <= call.span.end;
        assert!(call.arguments.iter().all(holds), "an argument is outside of its call");
    }
}

/// Layout changes nothing but space, and nothing at all the second time.
fn check_layout(language: &Language, text: &str) {
    let Some(laid_out) = language.format(text) else { return };
    // A `\` at the end of a line is space, too.
    let bare = |text: &str| text.chars().filter(|c| !c.is_whitespace() && *c != '\\').collect::<String>();
    assert_eq!(bare(text), bare(&laid_out), "layout changes the text");
    assert_eq!(language.format(&laid_out).as_ref(), Some(&laid_out), "layout changes twice");
}
