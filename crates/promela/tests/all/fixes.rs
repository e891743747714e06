//! Fixes mend what they are about, and one mistake is one error.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use stubborn_base::{Diagnostic, Edit};
use stubborn_promela::{Loader, load};

struct Nothing;

impl Loader for Nothing {
    fn load(&self, _: &Path, _: &str) -> Option<(PathBuf, Arc<str>)> {
        None
    }
}

fn diagnostics(text: &str) -> Vec<Diagnostic> {
    load(Path::new("m.pml"), text.into(), &Nothing, &[]).diagnostics
}

fn apply(text: &str, edits: &[Edit]) -> String {
    let mut edits = edits.to_vec();
    edits.sort_by_key(|e| e.span);
    let mut text = text.to_owned();
    for edit in edits.iter().rev() {
        text.replace_range(edit.span.range(), &edit.text);
    }
    text
}

/// The first fix of the first diagnostic with that code makes `mended` of the text, which has nothing more to say of
/// that kind. Every other fix of every diagnostic takes away what it is about, too.
fn check(code: &str, text: &str, mended: &str) {
    let found = diagnostics(text);
    let about = found.iter().find(|d| d.code == code).unwrap_or_else(|| panic!("{text}: {found:?}"));
    let fix = about.fixes.first().unwrap_or_else(|| panic!("{text}: no fix of {about:?}"));
    assert_eq!(apply(text, &fix.edits), mended);
    let left = diagnostics(mended);
    assert!(!left.iter().any(|d| d.code == code), "{mended}: {left:?}");
    for diagnostic in &found {
        for fix in &diagnostic.fixes {
            let fixed = apply(text, &fix.edits);
            let same = |d: &&Diagnostic| d.code == diagnostic.code && d.message == diagnostic.message;
            let (before, after) = (found.iter().filter(same).count(), diagnostics(&fixed));
            assert!(after.iter().filter(same).count() < before, "{}: {fixed}: {after:?}", fix.title);
        }
    }
}

#[test]
fn separators_and_blocks() {
    check("syntax", "byte x; init { x = 1 x = 2 }", "byte x; init { x = 1; x = 2 }");
    check("syntax", "init { if :: fi }", "init { if :: skip fi }");
    check("syntax", "init { }", "init { skip }");
    check("missing-option", "init { do skip :: break od }", "init { do :: skip :: break od }");
    check("unclosed", "init { do :: break }", "init { do :: break od }");
    check("unclosed", "init { if :: skip; skip }", "init { if :: skip; skip fi }");
    check("unclosed", "byte x; init { x = (1 + 2; skip }", "byte x; init { x = (1 + 2); skip }");
    check("unclosed", "init { skip", "init { skip }");
    check("unmatched-close", "init { do :: break fi }", "init { do :: break od }");
    check("unmatched-close", "init { skip fi }", "init { skip  }");
    check("unmatched-close", "init { skip } }", "init { skip } ");
}

#[test]
fn names() {
    check(
        "undeclared",
        "byte counter; init { coutner = 1; counter = coutner }",
        "byte counter; init { counter = 1; counter = counter }",
    );
    check("undeclared", "byte x[SIZE]; init { x[0] = 1 }", "#define SIZE 1\nbyte x[SIZE]; init { x[0] = 1 }");
    check(
        "undeclared",
        "proctype Sender() { skip } init { run Sendr() }",
        "proctype Sender() { skip } init { run Sender() }",
    );
    check("undefined-label", "init { again: skip; goto agian }", "init { again: skip; goto again }");
    check(
        "undefined-label",
        "byte x; active proctype P() { here: skip } init { P@hree -> x = 1 }",
        "byte x; active proctype P() { here: skip } init { P@here -> x = 1 }",
    );
    check(
        "no-such-field",
        "typedef T { byte field }; T t; init { t.feild = 1 }",
        "typedef T { byte field }; T t; init { t.field = 1 }",
    );
    check("stray-text", "procytpe P() { skip } init { skip }", "proctype P() { skip } init { skip }");
    check("syntax", "init { prinft(\"a\") }", "init { printf(\"a\") }");
    check("unknown-directive", "#defien N 1\ninit { skip }", "#define N 1\ninit { skip }");
}

#[test]
fn small_things() {
    check("syntax", "byte x; init { (x = 1) -> skip }", "byte x; init { (x == 1) -> skip }");
    check("syntax", "byte x; init { x = 0x1F }", "byte x; init { x = 31 }");
    check("syntax", "proctype P() { skip } init { P() }", "proctype P() { skip } init { run P() }");
    check("missing-width", "unsigned u; init { u = 1 }", "unsigned u : 4; init { u = 1 }");
    check("no-process", "proctype P() { skip }", "active proctype P() { skip }");
    check(
        "negated-probe",
        "chan q = [1] of { byte }; init { !full(q) }",
        "chan q = [1] of { byte }; init { nfull(q) }",
    );
    check("stray-comment-end", "init { skip */ }", "init { skip  }");
    check(
        "macro-in-number",
        "#define N 3\nbyte i; init { for (i : 0..N) { skip } }",
        "#define N 3\nbyte i; init { for (i : 0.. N) { skip } }",
    );
    check("unclosed-conditional", "init { skip }\n#if 1", "init { skip }\n#if 1\n#endif\n");
    check(
        "macro-redefined",
        "#define N 1\n#define N 2\ninit { skip }",
        "#define N 1\n#undef N\n#define N 2\ninit { skip }",
    );
}

fn errors(text: &str) -> Vec<String> {
    diagnostics(text).into_iter().filter(Diagnostic::is_error).map(|d| d.message).collect()
}

#[test]
fn one_mistake_is_one_error() {
    let users = "init { c!a; c!b; d!a; if :: c?a :: d?b fi }";
    let undefined = [format!("`{}` is not declared", "N")];
    let model = |head: &str| {
        format!(
            "{head}\nmtype = {{ a, b }};\nchan c = [QSZ] of {{ mtype }};\nchan d = [QSZ] of {{ mtype }};\n{users}"
        )
    };
    assert_eq!(errors(&model("#define QSZ N")), undefined);
    assert_eq!(errors(&model("")), ["`QSZ` is not declared"]);
    assert_eq!(errors(&model("#define QSZ 2")), [""; 0]);
    // A declaration that cannot be read.
    for broken in ["byte x = = 1;", "byte x[2;", "btye x;", "chan x = [2] of { byte", "mtype = { x 1 };"] {
        let text = format!("{broken}\nactive proctype P() {{ x = 1; x!1,2; x?3 }}");
        assert_eq!(errors(&text).len(), 1, "{broken}: {:?}", errors(&text));
    }
    let local = "init { byte x = = 1; x = 2; x++ }";
    assert_eq!(errors(local).len(), 1, "{:?}", errors(local));
    let process = "proctype P(byte) { skip }\ninit { run P(1); run P(2) }";
    assert_eq!(errors(process).len(), 1, "{:?}", errors(process));
    // A name that is never declared is reported once; two names are two mistakes.
    assert_eq!(errors("init { foo = 1; foo = bar; bar = foo }").len(), 2);
}
