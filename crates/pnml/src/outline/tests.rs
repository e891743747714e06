//! The outline of a small net and of its properties, and layout.

use std::path::Path;

use stubborn_base::Sources;
use stubborn_base::outline::{Outline, Role, SymbolKind, WordClass};

use crate::tests::{Beside, net};

fn outline() -> (Sources, Outline) {
    let declarations = r#"<namedsort id="C" name="C"><cyclicenumeration><feconstant id="c1" name="1"/></cyclicenumeration></namedsort>
<variabledecl id="x" name="x"><usersort declaration="C"/></variabledecl>"#;
    let page = r#"<!-- where it begins -->
<place id="p"><type><text>C</text><structure><usersort declaration="C"/></structure></type></place>
<transition id="t">
  <name><text>t</text></name>
</transition>
<arc id="a" source="p" target="t"><hlinscription><structure><variable refvariable="x"/></structure></hlinscription></arc>"#;
    let properties = "<property-set><property><id>N-LTLFireability-00</id><formula><all-paths><finally><is-fireable>\
        <transition>t</transition></is-fireable></finally></all-paths></formula></property></property-set>";
    let text = net("symmetricnet", declarations, page);
    let beside = Beside(vec![("LTLFireability.xml", properties.to_owned())]);
    let (loaded, outline) = crate::load_with_outline(Path::new("m.pnml"), text.as_str().into(), &beside, &[]);
    assert_eq!(loaded.diagnostics, []);
    assert_eq!(loaded.model.map(|model| model.claims.len()), Some(1));
    (loaded.sources, outline)
}

#[test]
fn symbols_and_mentions() {
    let (sources, outline) = outline();
    let symbols: Vec<(&str, SymbolKind)> = outline.symbols.iter().map(|s| (&*s.name, s.kind)).collect();
    assert_eq!(
        symbols,
        [
            ("C", SymbolKind::Type),
            ("c1", SymbolKind::Constant),
            ("x", SymbolKind::Variable),
            ("p", SymbolKind::Variable),
            ("t", SymbolKind::Process),
            ("LTLFireability-00", SymbolKind::Property),
        ]
    );
    for symbol in &outline.symbols {
        assert_eq!(sources.text(symbol.name_span), symbol.name);
    }
    assert_eq!(outline.symbols[1].container, Some(0));
    assert_eq!(outline.symbols[3].detail, "place p : C");
    assert_eq!(outline.symbols[3].comment.as_deref(), Some("where it begins"));
    for mention in &outline.mentions {
        assert_eq!(sources.text(mention.span), outline.symbols[mention.symbol].name);
    }
    assert!(outline.mentions.is_sorted_by_key(|mention| mention.span));
    let of = |symbol: usize| -> Vec<Role> {
        outline.mentions.iter().filter(|m| m.symbol == symbol).map(|m| m.role).collect()
    };
    assert_eq!(of(4), [Role::Declaration, Role::ReadWrite, Role::Read]);
    assert_eq!(of(2), [Role::Declaration, Role::Read]);
}

#[test]
fn words_and_folds() {
    let (sources, outline) = outline();
    for pair in outline.words.windows(2) {
        let [left, right] = pair else { continue };
        assert!(left.span.file < right.span.file || left.span.end <= right.span.start, "{left:?} {right:?}");
    }
    let words: Vec<(&str, WordClass)> =
        outline.words.iter().map(|w| (sources.text(w.span), w.class)).collect();
    assert!(words.contains(&("place", WordClass::Keyword)));
    assert!(words.contains(&("<!-- where it begins -->", WordClass::Comment)));
    assert!(words.contains(&("LTLFireability-00", WordClass::Symbol(5))));
    let folds: Vec<&str> = outline.folds.iter().map(|fold| sources.text(fold.span)).collect();
    assert_eq!(folds.iter().filter(|text| text.starts_with("<transition")).count(), 1);
    assert!(!folds.iter().any(|text| text.starts_with("<place")));
}

#[test]
fn keywords_are_in_order() {
    assert!(crate::KEYWORDS.is_sorted_by_key(|keyword| keyword.word));
}

#[test]
fn layout() {
    let text = "<a>\n<b x='1'   y=\"2\"><c/> <!-- c -->\n\n\n<d> t\n </d></b><e>\n</e></a>";
    let laid_out = crate::format(text).expect("it is well formed");
    assert_eq!(
        laid_out,
        "<a>\n  <b x='1'   y=\"2\">\n    <c/> <!-- c -->\n\n    <d> t\n </d>\n  </b>\n  <e>\n</e>\n</a>\n"
    );
    assert_eq!(crate::format(&laid_out), Some(laid_out));
    assert_eq!(crate::format("<a>").as_deref(), Some("<a>"));
}

#[test]
fn layout_of_real_nets_changes_blanks_only() {
    let solid = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    for (path, text) in crate::corpus::corpus() {
        let laid_out = crate::format(&text).expect("there always is a layout");
        assert!(solid(&laid_out) == solid(&text), "{}", path.display());
        assert!(crate::format(&laid_out).as_ref() == Some(&laid_out), "{}", path.display());
    }
}
