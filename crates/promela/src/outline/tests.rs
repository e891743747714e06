//! Fixtures: below a line of the model, `//  ^^^ role line` says what is mentioned at the carets and in which line it
//! is declared; `none` that nothing is.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use stubborn_base::outline::{FoldKind, Outline, SymbolKind, WordClass};
use stubborn_base::{FileId, Sources, Span};

use crate::load_with_outline;

fn outline_of(text: &str) -> (Sources, Outline) {
    let header = |_: &Path, name: &str| {
        (name == "h.pml").then(|| (PathBuf::from("dir/h.pml"), Arc::from("byte shared;\n")))
    };
    struct Files<F>(F);
    impl<F: Fn(&Path, &str) -> Option<(PathBuf, Arc<str>)>> crate::Loader for Files<F> {
        fn load(&self, includer: &Path, name: &str) -> Option<(PathBuf, Arc<str>)> {
            (self.0)(includer, name)
        }
    }
    let (loaded, outline) = load_with_outline(Path::new("m.pml"), text.into(), &Files(header), &[]);
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
        assert!(outline.mentions.iter().chain(&outline.shared).any(|m| m.symbol == i), "{symbol:?}");
    }
    let ordered = |spans: Vec<Span>| {
        for pair in spans.windows(2) {
            assert!(
                (pair[0].file, pair[0].end) <= (pair[1].file, pair[1].start) || pair[0].file < pair[1].file
            );
        }
        spans.into_iter().for_each(inside);
    };
    ordered(outline.mentions.iter().map(|m| m.span).collect());
    ordered(outline.words.iter().map(|w| w.span).collect());
    for mention in outline.mentions.iter().chain(&outline.shared) {
        assert!(mention.symbol < outline.symbols.len());
    }
    for word in &outline.words {
        assert!(!matches!(word.class, WordClass::Symbol(s) if s >= outline.symbols.len()));
    }
    for call in &outline.calls {
        inside(call.span);
        call.arguments.iter().for_each(|&a| inside(a));
        assert!(call.arguments.iter().all(|a| call.span.start <= a.start && a.end <= call.span.end));
    }
    outline.folds.iter().for_each(|f| inside(f.span));
    outline.nodes.iter().for_each(|&n| inside(n));
    outline.links.iter().for_each(|l| inside(l.span));
}

fn check(fixture: &str) {
    let mut text = String::new();
    // Line of the text, columns, what is said.
    let mut remarks: Vec<(u32, usize, usize, &str)> = Vec::new();
    let mut n_lines = 0;
    for line in fixture.lines() {
        let carets = line.find('^').filter(|_| line.trim_start().starts_with("//"));
        match carets {
            Some(start) => {
                let end = line.rfind('^').unwrap_or(start) + 1;
                remarks.push((n_lines, start, end, line[end..].trim()));
            }
            None => {
                text.push_str(line);
                text.push('\n');
                n_lines += 1;
            }
        }
    }
    let (sources, outline) = outline_of(&text);
    let starts: Vec<usize> =
        std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    for (line, start, end, remark) in remarks {
        let from = starts[line as usize - 1];
        let span = Span::new(FileId(0), from + start, from + end);
        let found = outline.mentions.iter().find(|m| m.span == span);
        let said = found.map_or("none".to_owned(), |m| {
            let declared = sources.position(FileId(0), outline.symbols[m.symbol].name_span.start).line;
            format!("{:?} {declared}", m.role).to_lowercase()
        });
        assert_eq!(said, remark, "line {line}, `{}`", &text[span.range()]);
    }
}

#[test]
fn variables_by_scope() {
    check(
        "byte x, y = 1;
active proctype P(byte n) {
    byte z = x;
//           ^ read 1
    { byte w; w++; x = z + n }
//            ^ readwrite 4
//                 ^ write 1
//                     ^ read 3
//                         ^ read 2
    w = 1
//  ^ none
    z = y
//  ^ write 3
}
proctype Q() { byte z; z = 1; late = 2 }
//                     ^ write 8
//                            ^^^^ write 9
byte late;",
    );
}

#[test]
fn channels_and_messages() {
    check(
        "mtype = { ping, pong };
chan q[2] = [1] of { mtype, byte };
init {
    byte i, v; mtype m;
    q[i]!ping(v);
//  ^ send 2
//    ^ read 4
//       ^^^^ read 1
//            ^ read 4
    q[0]?m,v -> v = 1;
//  ^ receive 2
//       ^ write 4
//         ^ write 4
    q[0]?eval(v), i;
//            ^ read 4
//                ^ write 4
    q[1]?[pong, v];
//  ^ read 2
//              ^ read 4
    q[1]??<pong(i)>
//         ^^^^ read 1
//              ^ write 4
    v = i;
//  ^ write 4
    len(q[1]) == v
//      ^ read 2
}",
    );
}

#[test]
fn labels_and_remote_references() {
    check(
        "byte x;
active proctype P() {
    byte own;
again: x++;
//^^^ none
    goto again
//       ^^^^^ jump 4
}
active proctype Q() {
again: if
    :: P@again -> goto again
//     ^ use 2
//       ^^^^^ use 4
//                     ^^^^^ jump 8
    :: P[0]:own > 0
//          ^^^ read 3
    fi
}
ltl p { [] (P@again U x) }
//            ^^^^^ use 4
//                    ^ read 1",
    );
}

#[test]
fn structures() {
    check(
        "typedef In { byte a; chan c = [1] of { byte } };
typedef Out { In in[2]; byte a };
Out o;
init {
    o.in[o.a].a = 1;
//  ^ write 3
//    ^^ write 2
//       ^ read 3
//         ^ read 2
//            ^ write 1
    o.in[0].c!3
//    ^^ send 2
//          ^ send 1
}",
    );
}

#[test]
fn inlines() {
    check(
        "byte g;
inline set(v, e) {
    byte tmp;
    v = e + g + mine;
//  ^ write 2
//      ^ read 2
//          ^ read 1
//              ^^^^ read 9
    tmp = 1
//  ^^^ write 3
}
inline twice(a) { set(a, a) }
init {
    byte mine, other
    set(mine, other);
//  ^^^ call 2
//      ^^^^ write 9
//            ^^^^^ read 9
    twice(g)
//        ^ readwrite 1
}",
    );
}

#[test]
fn macros() {
    check(
        "#define N 3
#define inc(v) v = v + N
//          ^ declaration 2
//             ^ read 2
//                     ^ use 1
#ifdef N
//     ^ use 1
byte a[N];
//     ^ use 1
#endif
#define unused (a[0] > M)
//              ^ read 4
//                     ^ use 7
#define M 1
init { byte x; inc(x); skip }
//             ^^^ call 2
//                 ^ readwrite 8",
    );
}

#[test]
fn a_body_that_stands_for_several_symbols() {
    let text = "#define step x++\nactive proctype P() { byte x; step }\nactive proctype Q() { byte x; step }";
    let (_, outline) = outline_of(text);
    let x: Vec<usize> = (0..outline.symbols.len()).filter(|&i| outline.symbols[i].name == "x").collect();
    assert_eq!(x.len(), 2);
    let body = text.find("x++").unwrap() as u32;
    let at = |m: &&stubborn_base::outline::Mention| m.span.start == body;
    assert_eq!(outline.mentions.iter().find(at).unwrap().symbol, x[0]);
    assert_eq!(outline.shared.iter().find(at).unwrap().symbol, x[1]);
}

fn symbols(text: &str) -> Vec<String> {
    let (_, outline) = outline_of(text);
    let line = |i: usize| {
        let s = &outline.symbols[i];
        let owner = s.container.map_or(String::new(), |c| format!(" in {}", outline.symbols[c].name));
        let parameters = s.parameters.join(" | ");
        let comment = s.comment.as_deref().unwrap_or_default();
        let kind = format!("{:?}", s.kind).to_lowercase();
        format!("{kind} {}{owner}: {} [{parameters}] {comment}", s.name, s.detail).trim_end().to_owned()
    };
    (0..outline.symbols.len()).map(line).collect()
}

#[test]
fn declarations_in_one_line() {
    let text = "/* How many. */
#define N  2
mtype:fruit = { apple, pear }; // eaten
// Of what there is
// to eat.
typedef Meal { mtype:fruit f; byte n [N] }
hidden byte x[N] = 3, y; /* both */
chan c = [0] of {
    mtype:fruit };

active [2] proctype P(byte a, b;
    chan d) provided (x[0] > 0) { end: skip; Meal m }
inline f(u, v) { u = v }
init { run P(1, 2, c) }
ltl { [] (x[0] == 3) }
ltl p { <> false }
never { skip }
#define sum(a, b) \\
    (a + b)
";
    let expected = "macro N: #define N 2 [] How many.
type fruit: mtype:fruit [] eaten
constant apple: mtype:fruit apple [] eaten
constant pear: mtype:fruit pear [] eaten
type Meal: typedef Meal { mtype:fruit f; byte n [N] } [] Of what there is\\nto eat.
field f in Meal: mtype:fruit f []
field n in Meal: byte n [N] []
variable x: hidden byte x[N] = 3 [] both
variable y: hidden byte y [] both
channel c: chan c = [0] of { mtype:fruit } [mtype:fruit]
process P: active [2] proctype P(byte a, b; chan d) provided (x[0] > 0) [byte a | byte b | chan d]
parameter a in P: byte a []
parameter b in P: byte b []
parameter d in P: chan d []
label end in P: end: []
variable m in P: Meal m []
inline f: inline f(u, v) [u | v]
parameter u in f: u []
parameter v in f: v []
process init: init []
property ltl_0: ltl { [] (x[0] == 3) } []
property p: ltl p { <> false } []
property never_0: never { skip } []
macro sum: #define sum(a, b) (a + b) [a | b]
parameter a in sum: a []
parameter b in sum: b []";
    assert_eq!(symbols(text).join("\n").replace("\nto eat", "\\nto eat"), expected);
}

#[test]
fn a_local_is_known_to_the_end_of_its_block() {
    let text = "init { byte a; { byte b; skip } skip } byte g;";
    let (sources, outline) = outline_of(text);
    let scope = |name: &str| {
        let symbol = outline.symbols.iter().find(|s| s.name == name).unwrap();
        symbol.scope.map(|s| sources.text(s).to_owned())
    };
    assert_eq!(scope("b").as_deref(), Some("b; skip }"));
    assert_eq!(scope("a").as_deref(), Some("a; { byte b; skip } skip }"));
    assert_eq!(scope("g"), None);
    let (sources, outline) = outline_of("init { byte a; a = ");
    assert_eq!(outline.symbols[1].scope.map(|s| sources.text(s).to_owned()).as_deref(), Some("a; a = "));
}

fn calls(text: &str) -> Vec<String> {
    let (sources, outline) = outline_of(text);
    let show = |c: &stubborn_base::outline::Call| {
        let arguments: Vec<&str> = c.arguments.iter().map(|&a| sources.text(a)).collect();
        format!("{} `{}` ({})", outline.symbols[c.symbol].name, sources.text(c.span), arguments.join("|"))
    };
    outline.calls.iter().map(show).collect()
}

#[test]
fn calls_and_their_arguments() {
    let text = "#define M(a, b) a + b\nproctype P(byte a; byte b) { skip }\ninline f() { skip }
inline g(x) { skip }\ninit { run P(M(1, 2), (3 + 4)); f(); g(a[1, 2]) }";
    let expected = [
        "P `P(M(1, 2), (3 + 4))` (M(1, 2)|(3 + 4))",
        "M `M(1, 2)` (1|2)",
        "f `f()` ()",
        "g `g(a[1, 2])` (a[1, 2])",
    ];
    assert_eq!(calls(text), expected);
}

#[test]
fn a_call_that_is_being_typed() {
    let head = "proctype P(byte a; byte b) { skip }\ninline g(x, y) { skip }\n#define M(a, b) a + b\n";
    let last = |text: &str| calls(&format!("{head}{text}")).pop();
    assert_eq!(last("init { run P(1, ").as_deref(), Some("P `P(1, ` (1| )"));
    assert_eq!(last("init { run P(").as_deref(), Some("P `P(` ()"));
    assert_eq!(last("init {\n  g(1,\n  skip; skip\n}").as_deref(), Some("g `g(1,\n  ` (1|\n  )"));
    assert_eq!(last("init { run P(1, }\ninit { skip }").as_deref(), Some("P `P(1, ` (1| )"));
    assert_eq!(last("init { byte x = M(1, ").as_deref(), Some("M `M(1, ` (1| )"));
}

#[test]
fn classes_of_words() {
    let text = "#define N 3 // three\ninit { byte x = 0; select (x : 0..N); printf(\"%d\", _pid); x != 1 }
ltl p { always (N -> 1) }";
    let (sources, outline) = outline_of(text);
    let of = |class: WordClass| -> Vec<&str> {
        outline.words.iter().filter(|w| w.class == class).map(|w| sources.text(w.span)).collect()
    };
    assert_eq!(of(WordClass::Directive), ["#define"]);
    assert_eq!(of(WordClass::Comment), ["// three"]);
    assert_eq!(of(WordClass::Keyword), ["init", "select", "printf", "ltl", "always"]);
    assert_eq!(of(WordClass::Type), ["byte"]);
    assert_eq!(of(WordClass::Predefined), ["_pid"]);
    assert_eq!(of(WordClass::Text), ["\"%d\""]);
    assert_eq!(of(WordClass::Number), ["3", "0", "0", "1", "1"]);
    assert_eq!(of(WordClass::Operator), ["=", ":", "!=", "->"]);
    let x = outline.symbols.iter().position(|s| s.name == "x").unwrap();
    assert_eq!(of(WordClass::Symbol(x)), ["x", "x", "x"]);
}

#[test]
fn folds() {
    let text =
        "#include \"h.pml\"\n#include \"none.pml\"\n// a\n// b\ninit {\n  do\n  :: skip\n  od\n}\n/*\n*/
#ifdef X\nbyte a;\n#else\nbyte b;\n#endif\n";
    let (sources, outline) = outline_of(text);
    let found: Vec<(FoldKind, &str)> = outline.folds.iter().map(|f| (f.kind, sources.text(f.span))).collect();
    let expected = [
        (FoldKind::Includes, "#include \"h.pml\"\n#include \"none.pml\""),
        (FoldKind::Comment, "// a\n// b"),
        (FoldKind::Block, "{\n  do\n  :: skip\n  od\n}"),
        (FoldKind::Block, "do\n  :: skip\n  od"),
        (FoldKind::Comment, "/*\n*/"),
        (FoldKind::Block, "#ifdef X\nbyte a;"),
        (FoldKind::Block, "#else\nbyte b;\n#endif"),
    ];
    assert_eq!(found, expected);
}

#[test]
fn links() {
    let (sources, outline) = outline_of("#include \"h.pml\"\n#include <none.pml>\ninit { shared = 1 }");
    let found: Vec<_> = outline.links.iter().map(|l| (sources.text(l.span), l.path.clone())).collect();
    assert_eq!(found, [("h.pml", Some(PathBuf::from("dir/h.pml"))), ("none.pml", None)]);
    let shared = outline.symbols.iter().position(|s| s.name == "shared").unwrap();
    assert_eq!(outline.symbols[shared].span.file, FileId(1));
    assert_eq!(outline.mentions.iter().filter(|m| m.symbol == shared).count(), 2);
}

#[test]
fn a_selection_grows() {
    let text = "init { x = (1 + 2) * 3; skip }";
    let (sources, outline) = outline_of(text);
    let at = text.find('1').unwrap() as u32;
    let mut around: Vec<&str> =
        outline.nodes.iter().filter(|n| n.start <= at && at < n.end).map(|&n| sources.text(n)).collect();
    around.reverse();
    assert_eq!(
        around,
        ["1", "1 + 2", "(1 + 2)", "(1 + 2) * 3", "x = (1 + 2) * 3", &text[7..28], &text[5..], text]
    );
}

/// Cuts, swaps and doubles pieces of some models: whatever comes out has an outline.
#[test]
fn any_text_has_an_outline() {
    let models = [
        "#define N 2\n#define inc(v) v++\nmtype = { a, b };\ntypedef T { byte x[N]; chan c };\nT t;\nchan q = [N] of { mtype, T };
inline get(v, l) { l: q?v,t; if :: v -> goto l :: else fi; inc(g) }\nbyte g;
active [N] proctype P(byte n) { mtype m; byte w; end: do :: get(m, top) :: q!a(t) -> break :: t.x[n] = P[0]:w od unless { P@end } }
init { atomic { run P(1); run P(2) }; for (g : 0..N) { skip }; select (g : 1 .. 3) }
ltl p { [] (g > 0 -> <> P@end) }\nnever { skip }\n",
        "#if defined(X) && Y /* c */\n#include \"h.pml\"\n#else\n#endif\n// é\nproctype Q(chan c; byte d, e) priority 3 provided (d) {\n  hidden unsigned u : 3 = 'x'; xr c;\n  c_code { int x; };\n  printf(\"a\\n\", u, \"\n}",
    ];
    let mut seed = 1u64;
    let mut random = move |n: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % n.max(1)
    };
    for _ in 0..300 {
        let mut text: Vec<char> = models[random(2)].chars().collect();
        for _ in 0..1 + random(4) {
            let (from, len) = (random(text.len()), random(30));
            let piece: Vec<char> = text[from..(from + len).min(text.len())].to_vec();
            match random(3) {
                0 => drop(text.drain(from..from + piece.len())),
                1 => text.truncate(from + 1),
                _ => {
                    let to = random(text.len());
                    text.splice(to..to, piece);
                }
            }
        }
        outline_of(&text.into_iter().collect::<String>());
    }
}

#[test]
fn every_kind_of_symbol_is_found() {
    let (_, outline) = outline_of(
        "#define M 1\nmtype = { c }; typedef T { byte f }; chan q; byte v; inline i() { skip }
proctype P(byte p) { l: skip } ltl f { true }",
    );
    use SymbolKind::*;
    for kind in [Process, Variable, Parameter, Channel, Constant, Type, Field, Label, Inline, Macro, Property]
    {
        assert!(outline.symbols.iter().any(|s| s.kind == kind), "{kind:?}");
    }
}

/// In a model without errors, every name means something.
#[test]
fn every_name_of_a_real_model_is_known() {
    let mut unknown = Vec::new();
    let mut n_models = 0;
    for (path, text) in crate::corpus::corpus() {
        let mut sources = Sources::new();
        let mut parsed = crate::parse(&path, text.into(), &mut sources, &crate::corpus::Disk, &[]);
        let mut diagnostics = std::mem::take(&mut parsed.diagnostics);
        crate::lower::lower(&parsed.program, &parsed.lost, &sources, &mut diagnostics);
        if diagnostics.iter().any(stubborn_base::Diagnostic::is_error) {
            continue;
        }
        n_models += 1;
        let outline = super::outline(&parsed, &sources);
        sound(&sources, &outline);
        let words: std::collections::HashSet<Span> = outline.words.iter().map(|w| w.span).collect();
        for token in parsed.tokens.iter().filter(|t| t.kind == crate::token::Kind::Name) {
            if token.ctx == crate::table::Ctx::ROOT && !words.contains(&token.span) {
                let place = sources.position(token.span.file, token.span.start);
                unknown.push(format!("{}:{}: {}", path.display(), place.line, parsed.table.text(*token)));
            }
        }
    }
    assert!(n_models > 0);
    assert!(unknown.is_empty(), "{}", unknown.join("\n"));
}
