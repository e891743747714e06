//! What is wrong with a text is told, with its place; reading always ends.

use super::coloured::{arc, coloured, of, place, times};
use super::{check, mistakes, net, plain};

#[test]
fn not_well_formed() {
    let text = plain(r#"<place id="p"><name><text>p</name></place><transition id="t"></transiton>"#);
    let found = mistakes(&text);
    assert_eq!(found[0], ("xml", "<text>".to_owned()), "{found:?}");
    assert_eq!(found[1], ("xml", "<transition id=\"t\">".to_owned()));
    assert_eq!(found[2], ("xml", "</transiton>".to_owned()));
    assert_eq!(mistakes("").len(), 1);
    assert_eq!(mistakes("<pnml><net"), [("xml", "<".to_owned())]);
    assert_eq!(mistakes("<a/>"), [("syntax", "<a/>".to_owned())]);
    assert_eq!(mistakes("<pnml>")[0], ("xml", "<pnml>".to_owned()));
    assert_eq!(mistakes(&plain("<place id=p/>"))[0].0, "xml");
    assert_eq!(mistakes(&plain("<place id=\"p&q;\"/>"))[0], ("xml", "p&q;".to_owned()));
}

#[test]
fn every_prefix_is_read() {
    let text = coloured(
        &[
            place("c", "C", "<all><usersort declaration=\"C\"/></all>"),
            "<!-- é --> <transition id='t'/>".to_owned(),
        ]
        .concat(),
    );
    for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)) {
        let read = check(&text[..end]);
        assert!(read.net.is_none() || read.diagnostics.is_empty(), "{end}");
        for diagnostic in &read.diagnostics {
            assert!(text.get(diagnostic.span.range()).is_some(), "{end}: {diagnostic:?}");
        }
    }
}

#[test]
fn nesting_is_bounded() {
    let deep = "<page id='p'>".repeat(100_000);
    assert!(mistakes(&plain(&deep)).iter().any(|(code, _)| *code == "too-large"));
}

#[test]
fn unknown_names() {
    let page = r#"<place id="p"/><transition id="t"/><arc id="a" source="p" target="u"/>
        <referencePlace id="r" ref="s"/><referencePlace id="l" ref="m"/><referencePlace id="m" ref="l"/>"#;
    let names: Vec<String> = mistakes(&plain(page)).into_iter().map(|(_, name)| name).collect();
    assert_eq!(names, ["u", "s", "m", "l"]);
    let page = [
        place("c", "E", ""),
        place("d", "C", r#"<useroperator declaration="c9"/>"#),
        "<transition id=\"t\"/>".to_owned(),
        arc("d", "t", r#"<variable refvariable="zz"/>"#),
    ];
    assert_eq!(
        mistakes(&coloured(&page.concat())),
        [("undeclared", "E".to_owned()), ("undeclared", "c9".to_owned()), ("undeclared", "zz".to_owned())]
    );
}

#[test]
fn wrong_sorts() {
    let red = r#"<useroperator declaration="c1"/>"#;
    let page = [
        place("r", "R", red),
        place("p", "CR", &of("tuple", &[red])),
        place("c", "C", r#"<variable refvariable="x"/>"#),
        "<place id=\"d\"/><transition id=\"t\"/>".to_owned(),
        arc("c", "t", "<dotconstant/>"),
        "<arc id=\"plain\" source=\"t\" target=\"c\"/>".to_owned(),
        "<arc id=\"pp\" source=\"c\" target=\"d\"/>".to_owned(),
    ];
    let codes: Vec<&str> = mistakes(&coloured(&page.concat())).into_iter().map(|(code, _)| code).collect();
    assert_eq!(codes, ["type", "type", "syntax", "type", "syntax", "type"]);
    let recursive =
        r#"<namedsort id="A" name="A"><productsort><usersort declaration="A"/></productsort></namedsort>"#;
    assert_eq!(mistakes(&net("symmetricnet", recursive, "")), [("type", "A".to_owned())]);
}

#[test]
fn not_supported() {
    let second = "</page></net><net id=\"two\" type=\"ptnet\"><page id=\"x\"/></net><net id=\"N\" type=\"ptnet\"><page id=\"y\">";
    assert_eq!(mistakes(&plain(second)).len(), 2);
    let capacity = r#"<place id="p"><capacity><text>3</text></capacity></place>"#;
    assert_eq!(mistakes(&plain(capacity)), [("unsupported", "<capacity>".to_owned())]);
    let read = check(&plain(capacity));
    assert_eq!(read.diagnostics[0].message, "`<capacity>` is not supported in a place");
    assert_eq!(mistakes(&net("timednet", "", ""))[0].0, "unsupported");
    assert_eq!(mistakes(&coloured(&place("c", "C", &times(2, "<scalarproduct/>"))))[0].1, "<scalarproduct/>");
}

#[test]
fn large_numbers() {
    let marked =
        |n: u64| plain(&format!("<place id=\"p\"><initialMarking><text>{n}</text></initialMarking></place>"));
    assert_eq!(mistakes(&marked(1 << 30)), []);
    assert_eq!(mistakes(&marked((1 << 30) + 1)), [("too-large", "1073741825".to_owned())]);
    assert_eq!(mistakes(&marked(u64::MAX))[0].0, "too-large");
    let two = "<inscription><text>600000000</text></inscription>";
    let page = format!(
        "<place id=\"p\"/><transition id=\"t\"/><arc id=\"a\" source=\"p\" target=\"t\">{two}</arc>\
         <arc id=\"b\" source=\"p\" target=\"t\">{two}</arc>"
    );
    assert_eq!(mistakes(&plain(&page))[0].0, "too-large", "also where only the sum is");
    let huge = r#"<namedsort id="H" name="H"><finiteintrange start="0" end="99999999"/></namedsort>"#;
    let all = place("h", "H", r#"<all><usersort declaration="H"/></all>"#);
    assert_eq!(mistakes(&net("symmetricnet", huge, &all))[0].0, "too-large");
    assert_eq!(
        mistakes(&plain("<place id=\"p\"><initialMarking><text>x</text></initialMarking></place>"))[0].0,
        "syntax"
    );
}
