//! Tests of the outline.

use std::path::Path;

use stubborn_base::outline::{FoldKind, Outline, Role, SymbolKind, WordClass};

use crate::corpus::{Nothing, corpus};
use crate::load_with_outline;

const MODEL: &str = "// How many.\nbyte n = 2, m[3]; // two\nconst int k = 1;\n/* Goes on. */\nchannel {byte, int} c[2];\n\
    process P {\n    int n;\n    state s, t; // where\n    init s;\n    accept t;\n    assert t: n > k;\n    trans\n        \
    s -> t { guard n == Q->x[0]; sync c!{n, m[1]}; effect n = n + 1; },\n        t -> s { guard not Q.u; };\n}\n\
    process Q {\n    byte x[2];\n    state u;\n    init u;\n    trans u -> u { sync c?{x[n], n}; };\n}\n\
    process L { state q; init q; accept q; trans q -> q {}; }\nsystem async property L;\n";

fn outlined(text: &str) -> Outline {
    load_with_outline(Path::new("m.dve"), text.into(), &Nothing, &[]).1
}

/// Mentions of a symbol as the text of their lines from there on, with their roles.
fn mentions(text: &str, outline: &Outline, container: Option<&str>, name: &str) -> Vec<(String, Role)> {
    let holder = |s: &stubborn_base::outline::Symbol| s.container.map(|c| outline.symbols[c].name.clone());
    let is_it = |s: &&stubborn_base::outline::Symbol| s.name == name && holder(s).as_deref() == container;
    let symbol = outline.symbols.iter().position(|s| is_it(&s)).expect("it is declared");
    let shown = |at: u32| text[at as usize..].chars().take(8).collect::<String>();
    let own = outline.mentions.iter().filter(|m| m.symbol == symbol);
    own.map(|m| (shown(m.span.start), m.role)).collect()
}

#[test]
fn symbols_have_kinds_details_and_comments() {
    let outline = outlined(MODEL);
    let told: Vec<(&str, SymbolKind, &str, Option<&str>)> = outline
        .symbols
        .iter()
        .map(|s| (s.name.as_str(), s.kind, s.detail.as_str(), s.comment.as_deref()))
        .collect();
    use SymbolKind::*;
    assert_eq!(
        told[..6],
        [
            ("n", Variable, "byte n = 2", Some("How many.")),
            ("m", Variable, "byte m[3]", Some("two")),
            ("k", Constant, "const int k = 1", None),
            ("c", Channel, "channel {byte, int} c[2]", Some("Goes on.")),
            ("P", Process, "process P", None),
            ("n", Variable, "int n", None),
        ]
    );
    assert_eq!(told[6], ("s", Label, "state s", Some("where")));
    assert_eq!(told[told.len() - 2].1, Property);
    assert_eq!(outline.symbols[3].parameters, ["byte", "int"]);
    let process = outline.symbols[4].span;
    assert_eq!(outline.symbols[6].scope, Some(process));
}

#[test]
fn mentions_have_roles() {
    let outline = outlined(MODEL);
    use Role::*;
    let roles = |container, name| -> Vec<Role> {
        mentions(MODEL, &outline, container, name).into_iter().map(|(_, role)| role).collect()
    };
    assert_eq!(roles(Some("P"), "n"), [Declaration, Read, Read, Read, Write, Read]);
    assert_eq!(roles(None, "n"), [Declaration, Read, Write]);
    assert_eq!(roles(None, "c"), [Declaration, Send, Receive]);
    assert_eq!(roles(Some("P"), "t"), [Declaration, Use, Use, Jump, Use]);
    assert_eq!(roles(Some("Q"), "x"), [Read, Declaration, Write]);
    assert_eq!(roles(Some("Q"), "u"), [Use, Declaration, Use, Use, Jump]);
    assert_eq!(roles(None, "Q"), [Use, Use, Declaration]);
    assert_eq!(roles(None, "L"), [Declaration, Use]);
}

#[track_caller]
fn check_order(text: &str, outline: &Outline, what: &str) {
    assert!(outline.mentions.is_sorted_by(|a, b| a.span.end <= b.span.start), "{what}");
    assert!(outline.words.is_sorted_by(|a, b| a.span.end <= b.span.start), "{what}");
    assert!(outline.folds.is_sorted_by_key(|f| f.span.start), "{what}");
    assert!(outline.nodes.is_sorted_by_key(|n| (n.start, std::cmp::Reverse(n.end))), "{what}");
    for mention in &outline.mentions {
        assert_eq!(&text[mention.span.range()], outline.symbols[mention.symbol].name, "{what}");
    }
    for symbol in &outline.symbols {
        assert!(symbol.container.is_none_or(|c| c < outline.symbols.len()), "{what}");
        assert!(symbol.span.start <= symbol.name_span.start && symbol.name_span.end <= symbol.span.end);
    }
}

#[test]
fn words_folds_and_nodes() {
    let outline = outlined(MODEL);
    check_order(MODEL, &outline, "model");
    let is_symbol = |class: &WordClass| matches!(class, WordClass::Symbol(_));
    assert_eq!(outline.words.iter().filter(|w| is_symbol(&w.class)).count(), outline.mentions.len());
    let folds: Vec<FoldKind> = outline.folds.iter().map(|f| f.kind).collect();
    assert_eq!(folds, [FoldKind::Block, FoldKind::Block]);
    let guard = MODEL.find("n == Q->x[0]").unwrap() as u32;
    assert!(outline.nodes.iter().any(|n| n.start == guard && n.end == guard + 12));
    let comments = outlined("// a\n// b\n\n// c\n/* d\n*/ byte x; // e\n// f\nsystem async;");
    let folds: Vec<(u32, u32)> = comments.folds.iter().map(|f| (f.span.start, f.span.end)).collect();
    assert_eq!(folds, [(0, 9), (16, 23)]);
}

#[test]
fn any_text_has_an_outline() {
    for end in (0..MODEL.len()).filter(|&end| MODEL.is_char_boundary(end)) {
        let text = &MODEL[..end];
        check_order(text, &outlined(text), &format!("{end} bytes"));
        let text = &MODEL[end..];
        check_order(text, &outlined(text), &format!("without {end} bytes"));
    }
    for lexeme in crate::token::lexemes(MODEL) {
        let (before, word, after) = (&MODEL[..lexeme.start], lexeme.text(MODEL), &MODEL[lexeme.end..]);
        for text in [format!("{before}{after}"), format!("{before}{word} {word}{after}")] {
            check_order(&text, &outlined(&text), &format!("{word} at {}", lexeme.start));
        }
    }
    for (path, text) in corpus() {
        check_order(&text, &outlined(&text), &path.display().to_string());
    }
}
