//! The syntactic half of the front-end: one model in, its tree or its errors out.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use stubborn_base::{Severity, Sources, Span};
use stubborn_promela::ast::{Block, Expr, ExprKind, Item, Step, Stmt, StmtKind};
use stubborn_promela::{Loader, Parsed, parse};

/// Included files by name.
struct Files(&'static [(&'static str, &'static str)]);

impl Loader for Files {
    fn load(&self, _: &Path, name: &str) -> Option<(PathBuf, Arc<str>)> {
        let (name, text) = self.0.iter().find(|file| file.0 == name)?;
        Some((PathBuf::from(name), Arc::from(*text)))
    }
}

fn run(text: &str, files: &'static [(&'static str, &'static str)]) -> (Parsed, Sources) {
    let mut sources = Sources::new();
    let parsed = parse(Path::new("m.pml"), text.into(), &mut sources, &Files(files), &[]);
    (parsed, sources)
}

/// Errors as `line:column code`.
fn errors(text: &str) -> Vec<String> {
    let (parsed, sources) = run(text, &[]);
    let errors = parsed.diagnostics.iter().filter(|d| d.severity == Severity::Error);
    errors
        .map(|d| {
            let at = sources.position(d.span.file, d.span.start);
            format!("{}:{} {}", at.line, at.column, d.code)
        })
        .collect()
}

fn check_errors(text: &str, expected: &[&str]) {
    assert_eq!(errors(text), expected, "{text}");
}

/// The statements of `init`.
fn body(parsed: &Parsed) -> &Block {
    let init = parsed.program.items.iter().find_map(|item| match item {
        Item::Proctype(p) if p.is_init => Some(&p.body),
        _ => None,
    });
    init.expect("there is an init")
}

fn first(block: &Block) -> &Stmt {
    let stmt = block.steps.iter().find_map(|step| match step {
        Step::Stmt(stmt) => Some(stmt),
        _ => None,
    });
    stmt.expect("there is a statement")
}

fn text_of(sources: &Sources, span: Span) -> &str {
    sources.text(span)
}

/// An expression with all its parentheses.
fn show(e: &Expr) -> String {
    match &e.kind {
        ExprKind::Const(n) => n.to_string(),
        ExprKind::Var(v) => v.name.name.to_string(),
        ExprKind::Unary(op, a) => format!("{op:?}({})", show(a)),
        ExprKind::Binary(op, a, b) => format!("{op:?}({}, {})", show(a), show(b)),
        ExprKind::Temporal1(op, a) => format!("{op:?}({})", show(a)),
        ExprKind::Temporal2(op, a, b) => format!("{op:?}({}, {})", show(a), show(b)),
        ExprKind::Conditional(c, a, b) => format!("If({}, {}, {})", show(c), show(a), show(b)),
        other => format!("{other:?}"),
    }
}

fn check_condition(model: &str, expected: &str) {
    let (parsed, _) = run(model, &[]);
    assert!(parsed.diagnostics.is_empty(), "{model}: {:?}", parsed.diagnostics);
    let StmtKind::Expr(e) = &first(body(&parsed)).kind else { panic!("{model}: not a condition") };
    assert_eq!(show(e), expected, "{model}");
}

fn check_formula(formula: &str, expected: &str) {
    let (parsed, _) = run(&format!("ltl {{ {formula} }}"), &[]);
    assert!(parsed.diagnostics.is_empty(), "{formula}: {:?}", parsed.diagnostics);
    let [Item::Ltl(ltl)] = &parsed.program.items[..] else { panic!("{formula}: not one formula") };
    assert_eq!(show(&ltl.formula), expected, "{formula}");
}

/// Each was given to SPIN 6.5.2, which finds no fault with its syntax.
#[test]
fn accepts_what_spin_accepts() {
    let q = "chan q = [1] of {byte, byte}; byte x, y;";
    for statements in [
        "x=1;;",
        "q!1(2)",
        "q?(x,y)",
        "q?x(eval(y))",
        "q?-1,_",
        "q?<x,y>; q??<x,y>",
        "q?[x,y] && q??[x,y]",
        "q!!x,y",
        "assert x == 1",
        "assert(x) == 1",
        "L: if :: x fi",
        "x != 1 -> L:",
        "do :: x -> L: od",
        "L: M: x = 1",
        "do :: else od",
        "do :: x > 1 :: else x = 1 od",
        "(x -> 1 : 2) == 1",
        "{ x = 1 } x = 2",
        "x = 1; -> y = 2",
        "atomic { x = 1 } unless { x = 2 }",
        "for (x : 1 .. 3) ; { skip }",
        "for (x : 1 .. 3)\n { skip }",
        "for (x in q) { skip }",
        "select(x : 1..3); x = 2",
        "x = 1 +\n y",
        "x = 1\n y = 2",
        "if :: x\n :: y -> skip\n fi\n x = 1",
        "timeout\n x = 1",
        "printf(\"a\\n\"); printm(x)",
        "x++; y--",
        "xr q; xs q; skip",
        "byte i; i = 1; byte j; j = 2",
        "goto L; L: skip; M:",
        "d_step { x = 1; x = 2 }",
        "x = ~x ^ y | -x & y << 1",
        "x = 'a'; x = '\\n'",
        "x = len(q)",
        "full(q) || (nempty(q) && x)",
        "x = get_priority(0); set_priority(0, 1)",
        "x = -2147483648",
        "unsigned u : 3 = 2; skip",
    ] {
        check_errors(&format!("{q} init {{ {statements} }}"), &[]);
    }
    for model in [
        "byte x byte y init { skip }",
        "byte x;; byte y; ; init { skip }",
        "init { skip } -> ;",
        "mtype = {a b, c,}",
        "mtype { a }",
        "mtype:f = {a b}; mtype:f z = a",
        "typedef T { byte a\n byte b\n} T t; init { t.a = 1 }",
        "proctype P() { L: skip } init { P[1]@L; P@L; P[1]:y == 2; P:y }",
        "byte in, U, X, always; init { in = U + X }",
        "#define N 2\nactive [N] proctype P() priority 3 provided (_pid > 0) { skip }",
        "init priority 5 { run P(1) priority 3 }",
        "chan q = [1] of {byte}; trace { do :: q!1 od }",
        "never foo { do :: skip od }",
        "byte a[3] = {1,2,3}; byte b[2] = 1",
        "hidden byte x; show byte y; local byte z",
        "D_proctype P(byte a, b; chan c) { skip }",
        "inline f() { skip }\ninit { f() }",
        "inline f(a) { g(a) }\ninline g(a) { a = 1 }\nbyte x; init { f(x) x = 2 }",
        "init { skip; */\n skip }",
    ] {
        check_errors(model, &[]);
    }
}

/// Each was given to SPIN 6.5.2, which rejects it too.
#[test]
fn rejects_what_spin_rejects() {
    for (model, expected) in [
        ("init { }", "1:8 syntax"),
        ("init { ; skip }", "1:8 syntax"),
        ("chan q = [1] of {byte, byte}; init { q!(1,2) }", "1:42 syntax"),
        ("chan q = [1] of {byte}; init { !full(q) }", "1:32 negated-probe"),
        ("byte x; init { x = 1\n + 2 }", "2:2 syntax"),
        ("byte x; init { do :: x\n od\n unless { x } }", "3:2 syntax"),
        ("byte x; init { f(x) }", "1:17 syntax"),
        ("byte x; inline f(a) { return a }\ninit { f(3) }", "1:23 stray-return"),
        ("byte x; init { L: byte y; skip }", "1:16 labelled-declaration"),
        ("proctype P(byte a; byte b;) { skip }", "1:27 syntax"),
        ("byte x; init { x == 1 unless x == 2 unless x == 3 }", "1:37 syntax"),
        ("byte x; init { x = 0x10 }", "1:21 syntax"),
        ("byte x; init { x = (1 ; 2) }", "1:23 unclosed"),
        ("mtype = {,a}", "1:10 syntax"),
        ("chan q = [N] of {byte}", "1:11 not-constant"),
        ("#define N 3\nbyte i; init { for (i : 0..N) { skip } }", "2:28 macro-in-number"),
    ] {
        assert_eq!(errors(model).first().map(String::as_str), Some(expected), "{model}");
    }
}

/// Where we knowingly differ from SPIN 6.5.2.
#[test]
fn differs_from_spin_on_purpose() {
    // SPIN wraps the number without a word.
    check_errors("int x = 2147483648; init { skip }", &["1:9 constant-out-of-range"]);
    // SPIN puts a separator after every `}` and then rejects the comma.
    check_errors("byte a[3] = {1,2,3}, b[2] = 1; init { skip }", &[]);
    check_errors("byte x; init { x=1;;;;}", &[]);
    // SPIN has no way to write these; their meaning is plain.
    check_errors("chan q = [1] of {byte}; ltl p { [] empty(q) } init { full(q) == 1 }", &[]);
    // gcc defines `unix` as 1.
    check_errors("byte unix; init { unix = 1 }", &[]);
}

#[test]
fn precedences_are_spins() {
    check_condition("init { !x == 1 && y | z == 2 }", "And(Eq(Not(x), 1), BitOr(y, Eq(z, 2)))");
    check_condition("init { a - b - c * d }", "Sub(Sub(a, b), Mul(c, d))");
    check_condition("init { a || b && c }", "Or(a, And(b, c))");
    // As SPIN echoes them.
    check_formula("p -> q -> r", "Implies(Implies(p, q), r)");
    check_formula("[] p U q", "Until(Always(p), q)");
    check_formula("!p U q && r", "And(Until(Not(p), q), r)");
    check_formula("p U q U r", "Until(Until(p, q), r)");
    check_formula("p <-> q -> r", "Implies(Equivalent(p, q), r)");
    check_formula("always (p implies eventually q) ;", "Always(Implies(p, Eventually(q)))");
    check_formula("[](x <-1 || a<=b)", "Always(Or(Lt(x, Neg(1)), Le(a, b)))");
}

#[test]
fn macros_expand_as_in_c() {
    check_condition("#define N 3\n#define ADD(a, b) a + b * N\ninit { ADD(1,\n 2) }", "Add(1, Mul(2, 3))");
    check_condition("#define x x + y\ninit { x }", "Add(x, y)");
    check_condition("#define f(a) a\n#define g f\ninit { g(f(7)) }", "7");
    check_condition("#define cat(a, b) a ## b\ninit { cat(x, 1) == 2 }", "Eq(x1, 2)");
    check_condition("#define E\ninit { E 1 E }", "1");
    check_condition(
        "#if defined(A) || (1 ? 0x10 == 16 : 1/0) && !B\ninit { 1 }\n#else\ninit { 2 }\n#endif",
        "1",
    );
    check_condition("#ifdef A\ninit { 1 }\n#elif 2 > 3\ninit { don't }\n#else\ninit { 3 }\n#endif", "3");
    check_condition("init { __LINE__ }", "1");
    let (parsed, _) = run("#define S(a) printf(#a)\ninit { S(x + \"q\") }", &[]);
    let StmtKind::Printf(printf) = &first(body(&parsed)).kind else { panic!("not a printf") };
    assert_eq!(printf.format, "x + \\\"q\\\"");
}

#[test]
fn directives_fail_with_a_place() {
    check_errors("#if 1\nbyte x;", &["1:2 unclosed-conditional"]);
    check_errors("#endif\n#else\n", &["1:2 stray-directive", "2:2 stray-directive"]);
    check_errors(
        "#include \"nowhere\"\n#error don't\n#foo\n",
        &["1:10 include-not-found", "2:2 error-directive", "3:2 unknown-directive"],
    );
    check_errors("#define f(a) a\ninit { f(1,2) }", &["2:8 macro-arity"]);
    check_errors("byte x; /* open", &["1:9 unclosed-comment"]);
    let (parsed, _) = run("#include \"a\"\n", &[("a", "#include \"a\"\n")]);
    assert_eq!(parsed.diagnostics.iter().map(|d| d.code).collect::<Vec<_>>(), ["include-cycle"]);
}

#[test]
fn spans_are_what_the_user_wrote() {
    let (parsed, sources) = run("#define INV (x>3)\nbyte x; init { assert(INV) }", &[]);
    let stmt = first(body(&parsed));
    let StmtKind::Assert(e) = &stmt.kind else { panic!("not an assertion") };
    assert_eq!(text_of(&sources, stmt.span), "assert(INV)");
    assert_eq!(text_of(&sources, e.span), "x>3");

    let (parsed, sources) = run("#define LT(a) a<9\nbyte x; init { LT(x) }", &[]);
    assert_eq!(text_of(&sources, first(body(&parsed)).span), "LT(x)");

    let (parsed, sources) = run("byte x; inline set(a) { a = 1; }\ninit { set(x) }", &[]);
    let call = first(body(&parsed));
    assert_eq!(text_of(&sources, call.span), "set(x)");
    let StmtKind::InlineCall(inline) = &call.kind else { panic!("not a call") };
    assert_eq!(text_of(&sources, inline.body.span), "{ a = 1; }");
    let StmtKind::Assign(x, one) = &first(&inline.body).kind else { panic!("not an assignment") };
    assert_eq!((text_of(&sources, x.span), text_of(&sources, one.span)), ("x", "1"));

    let (parsed, sources) = run("#include \"a.h\"\ninit { skip }", &[("a.h", "byte shared;")]);
    let Item::Decl(decl) = &parsed.program.items[0] else { panic!("not a declaration") };
    assert_eq!(sources.file(decl.span.file).path(), Path::new("a.h"));
    assert_eq!(text_of(&sources, decl.span), "byte shared");
}

#[test]
fn inlines_are_checked_once() {
    check_errors("inline f(a) { a = ; }\nbyte x; init { f(x); f(x) }", &["1:21 syntax"]);
    check_errors("inline f(a) { a = }", &["1:19 syntax"]);
    check_errors("inline f() { f() }\ninit { f() }", &["1:14 recursive-inline"]);
    check_errors("inline f(a) { skip }\ninit { f() }", &["2:8 inline-arity"]);
    check_errors("inline f() { skip }\ninit { 1 + f() }", &["2:12 inline-in-expression"]);
    let (parsed, _) = run("byte x; inline f(a) { return a + 1 }\ninit { x = f(3) }", &[]);
    let StmtKind::InlineCall(call) = &first(body(&parsed)).kind else { panic!("not a call") };
    assert_eq!(call.result.as_ref().map(|v| v.name.name.as_str()), Some("x"));
}

#[test]
fn every_error_is_reported_and_nothing_is_swallowed() {
    let model = "proctype P() { do :: x = 1; y = :: skip }\nproctype Q() { if :: skip }\nproctype R() { x = 1 2; goto; y = }\ninit { skip }";
    check_errors(
        model,
        &["1:41 unclosed", "1:33 syntax", "2:27 unclosed", "3:22 syntax", "3:29 syntax", "3:35 syntax"],
    );
    let (parsed, _) = run(model, &[]);
    assert_eq!(parsed.program.items.len(), 4);
    let open = "proctype P() { atomic { skip }\nproctype Q() { skip }";
    assert_eq!(run(open, &[]).0.program.items.len(), 2);
    check_errors(open, &["1:31 unclosed"]);
    check_errors("init { do :: skip fi }", &["1:19 unmatched-close"]);
    check_errors("init { skip } }\nbyte x;", &["1:15 unmatched-close"]);
    check_errors("proctype P(byte) { x = }\ninit { y = }", &["1:16 syntax", "1:24 syntax", "2:12 syntax"]);
    let (parsed, _) = run("init { do :: skip }", &[]);
    assert_eq!(parsed.diagnostics[0].message, "`do` has no `od`");
    assert_eq!(parsed.diagnostics[0].labels.len(), 1);
    let (parsed, _) = run("init { x = 1 y = 2 }", &[]);
    assert_eq!(parsed.diagnostics[0].message, "expected `;` or `->` before `y`");
}

#[test]
fn c_code_is_one_error_each() {
    let model = "#define x y\nc_decl { int x; /* } */ char *s = \"}\"; }\nc_state \"int a\" \"Global\"\n\
                 init { c_code [p > 0] { now.x = '}'; }; c_expr { x == 1 } -> skip }";
    check_errors(
        model,
        &[
            "2:1 unsupported-c-code",
            "3:1 unsupported-c-code",
            "4:8 unsupported-c-code",
            "4:41 unsupported-c-code",
        ],
    );
}

#[test]
fn hostile_input_ends_soon() {
    let many = |unit: &str| unit.repeat(200_000);
    let doubling = |unit: &dyn Fn(usize) -> String| (1..40).map(unit).collect::<String>();
    for text in [
        many("("),
        many("{"),
        format!("init {{ {}", many("(")),
        format!("init {{ {}", many("{")),
        format!("init {{ x = {}", many("a+")),
        format!("init {{ {}", many("a:")),
        format!("init {{ {}", many("((]")),
        many("c_code { "),
        format!("#define f(x) x\n{}", many("f(")),
        format!("inline f(x) {{ skip }}\ninit {{ {}", many("f(")),
        format!("#define a0 x\n{}init {{ a39 }}", doubling(&|i| format!("#define a{i} a{0} a{0}\n", i - 1))),
        format!(
            "inline f0() {{ skip }}\n{}init {{ f39() }}",
            doubling(&|i| format!("inline f{i}() {{ f{0}(); f{0}() }}\n", i - 1))
        ),
    ] {
        let start = Instant::now();
        let found = errors(&text);
        assert!(!found.is_empty() && found.len() <= 100, "{}", &text[..40]);
        assert!(start.elapsed() < Duration::from_secs(20), "{}", &text[..40]);
    }
}
