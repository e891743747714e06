//! Texts with characters taken out, put in or exchanged: reading, layout and outlines never fail.
//!
//! Invariant: spans of diagnostics, mentions and words lie inside of their files and on the borders of characters.

use std::path::Path;

use stubborn_base::{Sources, Span};

use super::coloured::{arc, coloured, of, place, times};
use super::{Beside, questions};

/// A generator of numbers that is the same everywhere (xorshift).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }
}

fn disturb(text: &str, numbers: &mut Numbers) -> String {
    const PIECES: [&str; 14] = [
        "<",
        ">",
        "/",
        "\"",
        "&",
        "&lt;",
        "é",
        "<a>",
        "</a>",
        "<!--",
        "]]>",
        "=",
        "9999999999",
        "<subterm/>",
    ];
    let mut text: Vec<char> = text.chars().collect();
    for _ in 0..1 + numbers.below(3) {
        let at = numbers.below(text.len());
        let end = (at + numbers.below(12)).min(text.len());
        let piece = PIECES[numbers.below(PIECES.len())];
        let piece = if numbers.below(2) == 0 { "" } else { piece };
        text.splice(at..end, piece.chars());
    }
    text.into_iter().collect()
}

#[test]
fn nothing_fails() {
    let x = r#"<variable refvariable="x"/>"#;
    let all = r#"<all><usersort declaration="C"/></all>"#;
    let net = coloured(
        &[
            place("c", "C", &times(2, all)),
            place("p", "CR", &of("tuple", &[all, r#"<all><usersort declaration="R"/></all>"#])),
            "<place id=\"q\"/><transition id=\"t\"><name><text>t</text></name></transition><!-- é -->"
                .to_owned(),
            arc("c", "t", &of("subtract", &[all, x])),
            arc("t", "c", &of("successor", &[x])),
            "<referencePlace id=\"r\" ref=\"c\"/>".to_owned(),
        ]
        .concat(),
    );
    let properties = questions::example();
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    for _ in 0..600 {
        let (net, properties) = (disturb(&net, &mut numbers), disturb(&properties, &mut numbers));
        stands_up_to(&net, &properties);
    }
}

#[test]
fn what_goes_on_behind_an_element_is_another_place() {
    let net = coloured("<place id=\"q\"/>");
    for properties in [
        "<property><id>N-00 <place>q</place>\n</>e",
        "<property><id>N-LTLCardinality-\u{fffd}<place>q</place>-01",
        "<property><id>N-&#76;TLCardinality-01</id></property>",
    ] {
        stands_up_to(&net, properties);
    }
}

/// Reads a net with properties beside it: places lie inside of their files, mentions and words apart.
fn stands_up_to(net: &str, properties: &str) {
    let laid_out = crate::format(net).expect("there always is a layout");
    assert_eq!(crate::format(&laid_out).as_ref(), Some(&laid_out));
    let beside = Beside(vec![("LTLCardinality.xml", properties.to_owned())]);
    let (loaded, outline) = crate::load_with_outline(Path::new("n.pnml"), net.into(), &beside, &[]);
    let (mentions, words) = (outline.mentions.iter().map(|m| m.span), outline.words.iter().map(|w| w.span));
    let spans = loaded.diagnostics.iter().map(|d| d.span).chain(mentions.clone());
    let mut spans = spans.chain(words.clone()).chain(outline.nodes.iter().copied());
    assert!(spans.all(|span| is_inside(&loaded.sources, span)), "{net}{properties}");
    let has_errors = loaded.diagnostics.iter().any(stubborn_base::Diagnostic::is_error);
    assert_eq!(loaded.model.is_none(), has_errors, "{net}{properties}");
    let overlap = |pair: &[Span]| pair[0].file == pair[1].file && pair[0].end > pair[1].start;
    for places in [mentions.collect::<Vec<_>>(), words.collect()] {
        assert!(!places.windows(2).any(overlap), "{net}{properties}");
    }
}

fn is_inside(sources: &Sources, span: Span) -> bool {
    sources.file(span.file).text().get(span.range()).is_some()
}
