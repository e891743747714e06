//! Outlines of small nets, and what every outline promises.

use std::path::Path;
use std::sync::Arc;

use stubborn_base::outline::{Outline, Role, SymbolKind, WordClass};
use stubborn_base::{Loader, Sources, Span};

use crate::corpus::{Disk, corpus};
use crate::load_with_outline;
use crate::tests::Nothing;

fn outline_of(text: &str) -> (Sources, Outline) {
    outlined(Path::new("n.lna"), text.into(), &Nothing)
}

fn outlined(path: &Path, text: Arc<str>, loader: &dyn Loader) -> (Sources, Outline) {
    let (loaded, outline) = load_with_outline(path, text, loader, &[]);
    sound(&loaded.sources, &outline);
    (loaded.sources, outline)
}

/// What every outline promises.
fn sound(sources: &Sources, outline: &Outline) {
    let inside = |span: Span| assert!(sources.file(span.file).text().get(span.range()).is_some(), "{span:?}");
    for (i, symbol) in outline.symbols.iter().enumerate() {
        inside(symbol.span);
        symbol.scope.into_iter().for_each(inside);
        assert!(symbol.span.start <= symbol.name_span.start && symbol.name_span.end <= symbol.span.end);
        assert!(symbol.container.is_none_or(|c| c < i), "{symbol:?}");
        assert!(outline.mentions.iter().any(|m| m.symbol == i), "{symbol:?}");
        assert_eq!(sources.text(symbol.name_span), symbol.name);
    }
    let ordered = |spans: Vec<Span>| {
        for pair in spans.windows(2) {
            assert!((pair[0].file, pair[0].end) <= (pair[1].file, pair[1].start), "{pair:?}");
        }
        spans.into_iter().for_each(inside);
    };
    ordered(outline.mentions.iter().map(|m| m.span).collect());
    for file in sources.iter().map(|(id, _)| id) {
        ordered(outline.words.iter().map(|w| w.span).filter(|s| s.file == file).collect());
    }
    for mention in &outline.mentions {
        assert_eq!(sources.text(mention.span), outline.symbols[mention.symbol].name);
    }
    for call in &outline.calls {
        inside(call.span);
        assert!(call.arguments.iter().all(|a| call.span.start <= a.start && a.end <= call.span.end));
    }
    outline.folds.iter().for_each(|f| inside(f.span));
    outline.nodes.iter().for_each(|&n| inside(n));
}

/// The symbol of a name, and where in the text it is mentioned with what role.
fn mentions(sources: &Sources, outline: &Outline, name: &str, kind: SymbolKind) -> Vec<(u32, Role)> {
    let found = outline.symbols.iter().position(|s| s.name == name && s.kind == kind).expect("it is there");
    let of_it = outline.mentions.iter().filter(|m| m.symbol == found);
    of_it.map(|m| (sources.position(m.span.file, m.span.start).line, m.role)).collect()
}

const NET: &str = "/* a net */
net (N := 3) { // how many
   // who
   type id: range 1 .. N;
   type kind: enum (good, bad);
   type pair: struct { id who; kind what; };
   constant id FIRST := 1;
   function next (id i) -> id { id r := i; if (i = N) r := FIRST; else r := succ i; return r; }
   /* who
    * waits */
   place wait { dom: id * kind; init: for (i in id) <( i, good )>; }
   place id { dom: id; }
   transition go {
      in { wait: <( x, k )>; }
      out { wait: <( next(x), bad )>; id: <( x )>; }
      let { id y := next(x); }
      guard: k = good and (x) < y;
   }
   proposition some: exists (t in wait | t->2 = bad and id'card > 0);
}
state property p: reject deadlock; accept some;
ltl property q: [] <> some;
";

#[test]
fn a_name_in_parentheses_is_the_name() {
    let (sources, outline) =
        outline_of("net { place s { dom: int; } transition t { in { s: <( (c) )>; } } }");
    let at = outline.symbols.iter().position(|symbol| symbol.name == "c").expect("it is bound there");
    let mentions = outline.mentions.iter().filter(|mention| mention.symbol == at);
    let texts: Vec<&str> = mentions.map(|mention| sources.text(mention.span)).collect();
    assert_eq!(texts, ["c"]);
}

#[test]
fn symbols_and_mentions() {
    let (sources, outline) = outline_of(NET);
    let of = |name, kind| mentions(&sources, &outline, name, kind);
    use Role::*;
    assert_eq!(of("N", SymbolKind::Constant), [(2, Declaration), (4, Read), (8, Read)]);
    assert_eq!(of("good", SymbolKind::Constant), [(5, Declaration), (11, Read), (17, Read)]);
    assert_eq!(
        of("wait", SymbolKind::Variable),
        [(11, Declaration), (14, ReadWrite), (15, ReadWrite), (19, Read)]
    );
    assert_eq!(of("id", SymbolKind::Variable), [(12, Declaration), (15, ReadWrite), (19, Read)]);
    assert_eq!(of("next", SymbolKind::Inline), [(8, Declaration), (15, Call), (16, Call)]);
    assert_eq!(of("r", SymbolKind::Variable), [(8, Declaration), (8, Write), (8, Write), (8, Read)]);
    let x = [(14, Declaration), (15, Read), (15, Read), (16, Read), (17, Read)];
    assert_eq!(of("x", SymbolKind::Parameter), x);
    assert_eq!(of("t", SymbolKind::Parameter), [(19, Declaration), (19, Read)]);
    assert_eq!(of("some", SymbolKind::Property), [(19, Declaration), (21, Read), (22, Read)]);
    assert_eq!(outline.calls.len(), 2);
}

#[test]
fn details_comments_and_folds() {
    let (_, outline) = outline_of(NET);
    let symbol = |name: &str| outline.symbols.iter().find(|s| s.name == name).expect("it is there");
    assert_eq!(symbol("FIRST").detail, "constant id FIRST := 1");
    assert_eq!(symbol("wait").detail, "place wait { dom: id * kind; }");
    assert_eq!(symbol("next").detail, "function next (id i) -> id");
    assert_eq!(symbol("next").parameters, ["id i"]);
    assert_eq!(symbol("x").detail, "id x");
    assert_eq!(symbol("id").comment.as_deref(), Some("who"));
    assert_eq!(symbol("wait").comment.as_deref(), Some("who\nwaits"));
    assert_eq!(symbol("N").comment.as_deref(), Some("how many"));
    assert_eq!(outline.folds.len(), 3);
    let is_word = |class: WordClass| outline.words.iter().any(|w| w.class == class);
    assert!(is_word(WordClass::Keyword) && is_word(WordClass::Comment) && is_word(WordClass::Number));
}

#[test]
fn wrong_nets_have_outlines() {
    for end in (0..NET.len()).step_by(7) {
        outline_of(&NET[..end]);
        outline_of(&NET[end..]);
        outline_of(&format!("{} ; }} {}", &NET[..end], &NET[end..]));
    }
}

#[test]
fn real_nets_have_outlines() {
    for (path, text) in corpus() {
        let read = crate::read(&path, text, &Disk, &[]);
        let outline = super::outline(&read.parsed, &read.sources);
        sound(&read.sources, &outline);
        assert!(outline.symbols.len() > 1, "{}", path.display());
    }
}
