//! Texts that were written to do harm: nested or multiplied without end, larger than any memory, in circles, with names of
//! files that never end. Each gets an error that names the place, or a check that ends in `incomplete`, on the command
//! line and in the language server, which lives on.

use std::fs;
use std::path::Path;

use serde_json::json;
use stubborn_tests::binary;
use stubborn_tests::editor::Editor;

/// How often things are repeated: far more often than any limit allows.
const MANY: usize = 100_000;

/// What a check that is given a second and 64 MiB may take of a processor, in seconds, and of addresses, in MiB.
const PATIENCE: u32 = 20;
const ROOM: u32 = 1024;

/// A text in a file, and what is said of it; nothing if it can be checked.
struct Hostile {
    file: &'static str,
    text: String,
    told: &'static str,
}

fn hostile(file: &'static str, text: impl Into<String>, told: &'static str) -> Hostile {
    Hostile { file, text: text.into(), told }
}

/// So many openings around something, and the closings.
fn nested(n: usize, open: &str, inner: &str, close: &str) -> String {
    [&open.repeat(n), inner, &close.repeat(n)].concat()
}

fn lines(n: usize, line: impl Fn(usize) -> String) -> String {
    (0..n).map(|i| line(i) + "\n").collect()
}

/// A process of Promela.
fn process(body: &str) -> String {
    format!("int x;\nactive proctype P() {{\n{body}\n}}\n")
}

/// Two processes of Promela, which have to do with each other.
fn two_processes(body: String) -> String {
    format!("byte x[16];\nactive [2] proctype P() {{\n{body}\nskip }}\n")
}

fn promela() -> Vec<Hostile> {
    let option = |i: usize| format!(":: x[{}] == {} -> x[{}]++", i % 16, i % 250, (i + 1) % 16);
    let assigned = |value: &str| process(&format!("x = {value}"));
    let claimed = |formula: &str| format!("byte x; ltl {{ {formula} }}\ninit {{ x = 1 }}\n");
    let deep = "nested too deeply";
    let doubled = |first: &str, next: &dyn Fn(usize) -> String| format!("{first}\n{}", lines(40, next));
    let bomb = doubled("#define A0 x", &|i| format!("#define A{} A{i} + A{i}", i + 1));
    let inlines =
        doubled("inline a0() { x++; x++ }", &|i| format!("inline a{}() {{ a{i}(); a{i}() }}", i + 1));
    let chained = lines(MANY, |i| format!("#define A{} A{i}", i + 1));
    let types = lines(10, |i| format!("typedef T{} {{ T{i} x[1000] }};", i + 1));
    let deep_types = lines(500, |i| format!("typedef T{} {{ T{i} x }};", i + 1));
    let until =
        |n: usize| (0..n).map(|i| format!("(x == {i} U x == {})", i + 1)).collect::<Vec<_>>().join(" && ");
    vec![
        hostile("parentheses.pml", assigned(&nested(MANY, "(", "1", ")")), deep),
        hostile("open.pml", assigned(&"(".repeat(MANY)), deep),
        hostile("minus.pml", assigned(&nested(MANY, "-", "1", "")), deep),
        hostile("sum.pml", assigned(&nested(MANY, "1+", "1", "")), deep),
        hostile("indices.pml", assigned(&nested(MANY, "a[", "0", "]")), deep),
        hostile("fields.pml", assigned(&nested(MANY, "a.", "b", "")), deep),
        hostile("blocks.pml", process(&nested(MANY, "{", "skip", "}")), deep),
        hostile("choices.pml", process(&nested(MANY, "if :: ", "skip", " fi")), deep),
        hostile("unless.pml", process(&nested(MANY, "skip unless ", "skip", "")), deep),
        hostile("labels.pml", process(&nested(MANY, "L: ", "skip", "")), deep),
        // As deep as may be.
        hostile("sum_900.pml", assigned(&nested(900, "x+", "1", "")), ""),
        hostile("parentheses_900.pml", assigned(&nested(900, "(", "1", ")")), ""),
        hostile("blocks_900.pml", process(&nested(900, "{", "skip", "}")), ""),
        hostile("choices_900.pml", process(&nested(900, "if :: ", "skip", " fi")), ""),
        hostile("long.pml", process(&nested(MANY, "x++;\n", "skip", "")), "more than 65,534 locations"),
        hostile("empty_lines.pml", "\n".repeat(1_000_000) + "init { skip }\n", ""),
        hostile("macros.pml", bomb + &assigned("A40"), deep),
        hostile(
            "chained_macros.pml",
            format!("#define A0 1\n{chained}{}", assigned("A100000")),
            "too deeply",
        ),
        hostile(
            "arguments.pml",
            "#define F(x) x\n".to_owned() + &assigned(&nested(5_000, "F(", "1", ")")),
            deep,
        ),
        hostile(
            "conditions.pml",
            format!("#if {}\n#endif\ninit {{ skip }}\n", nested(MANY, "(", "1", ")")),
            deep,
        ),
        hostile("inlines.pml", format!("int x;\n{inlines}init {{ a40() }}\n"), "more than 65,534 locations"),
        hostile("recursion.pml", "inline a() { b() }\ninline b() { a() }\ninit { a() }\n", "calls itself"),
        hostile("circle.pml", "#include \"circle.pml\"\n", "includes itself"),
        hostile("device.pml", "#include \"/dev/zero\"\ninit { skip }\n", "cannot read"),
        // As many statements as may be.
        hostile(
            "statements.pml",
            two_processes(lines(20_000, |i| format!("x[{}] = {};", i % 16, i % 7))),
            "",
        ),
        hostile("options.pml", two_processes(format!("do {} od", lines(20_000, option))), ""),
        hostile(
            "atomic.pml",
            two_processes(format!("atomic {{ {} }}", lines(20_000, |_| "x[1]++;".into()))),
            "",
        ),
        hostile(
            "d_step.pml",
            process(&format!("d_step {{ {} skip }}", lines(20_000, |_| "x++;".into()))),
            "",
        ),
        hostile(
            "d_step_options.pml",
            process(&format!(
                "d_step {{ do {} :: x == 1 -> break od }}",
                lines(20_000, |i| format!(":: x == {i} -> x++"))
            )),
            "",
        ),
        hostile(
            "jumps.pml",
            two_processes(lines(10_000, |i| {
                format!("L{i}: if :: x[{}] < 250 -> goto L{} :: x[1]++ fi;", i % 16, i * 7 % 10_000)
            })),
            "",
        ),
        hostile(
            "many_types.pml",
            lines(20_000, |i| format!("typedef T{i} {{ byte x }};")) + "init { skip }\n",
            "",
        ),
        hostile("array.pml", "int a[2000000000];\ninit { skip }\n", "longer than"),
        hostile(
            "arrays.pml",
            lines(1000, |i| format!("int a{i}[200000];")) + "init { skip }\n",
            "longer than",
        ),
        hostile("channel.pml", "chan c = [2000000000] of { int };\ninit { skip }\n", "cannot hold"),
        hostile("channels.pml", "chan c[100000] = [255] of { int };\ninit { skip }\n", "longer than"),
        hostile(
            "types.pml",
            format!("typedef T0 {{ int x[1000] }};\n{types}T10 t;\ninit {{ skip }}\n"),
            "longer than",
        ),
        hostile(
            "deep_types.pml",
            format!("typedef T0 {{ int x }};\n{deep_types}T500 t;\ninit {{ skip }}\n"),
            "nested more than",
        ),
        hostile(
            "blocks_in_types.pml",
            lines(1000, |i| format!("typedef T{i} {{ bit c; x {{ bit b }} }};")) + "init { skip }\n",
            "expected a type",
        ),
        hostile("processes.pml", "active [2000000000] proctype P() { skip }\n", "255"),
        hostile(
            "frames.pml",
            lines(3, |i| format!("proctype P{i}() {{ byte a[300000]; false }}"))
                + &format!("init {{ do {} od }}\n", lines(3, |i| format!(":: run P{i}()"))),
            "",
        ),
        hostile(
            "many_frames.pml",
            lines(20, |i| format!("proctype P{i}() {{ byte a[1000000]; false }}"))
                + &format!("init {{ do {} od }}\n", lines(20, |i| format!(":: run P{i}()"))),
            "longer than",
        ),
        hostile("endless.pml", process("d_step { do :: x++ od }"), ""),
        hostile("select.pml", process("select (x : 0 .. 2000000000)"), ""),
        hostile("formula.pml", claimed(&nested(MANY, "[] ", "(x == 1)", "")), deep),
        hostile("wide_formula.pml", claimed(&until(300)), ""),
        hostile("untils.pml", claimed(&until(30)), ""),
        hostile("string.pml", format!("init {{ printf(\"{}\") }}\n", "a".repeat(5_000_000)), ""),
        hostile("name.pml", format!("byte {}; init {{ skip }}\n", "a".repeat(1_000_000)), ""),
    ]
}

fn dve() -> Vec<Hostile> {
    let guarded = |guard: &str| {
        format!(
            "int x; byte a[2]; process P {{ state s; init s; trans s -> s {{ guard {guard}; }}; }}\nsystem async;\n"
        )
    };
    let deep = "nested too deeply";
    vec![
        hostile("parentheses.dve", guarded(&nested(MANY, "(", "1", ")")), deep),
        hostile("minus.dve", guarded(&nested(MANY, "-", "1", "")), deep),
        hostile("sum.dve", guarded(&nested(MANY, "1+", "1", "")), deep),
        hostile("indices.dve", guarded(&nested(MANY, "a[", "0", "]")), deep),
        hostile("sum_900.dve", guarded(&nested(900, "x+", "1", "")), ""),
        hostile("parentheses_900.dve", guarded(&nested(900, "(", "1", ")")), ""),
        hostile("array.dve", "int a[2000000000];\n".to_owned() + &guarded("1"), "between 1 and"),
        hostile("arrays.dve", lines(10_000, |i| format!("int b{i}[65536];")) + &guarded("1"), "longer than"),
        hostile(
            "channel.dve",
            "channel {int,int} c[2000000000];\n".to_owned() + &guarded("1"),
            "between 0 and",
        ),
        hostile(
            "processes.dve",
            lines(MANY, |i| format!("process P{i} {{ state s; init s; }}")) + "system async;\n",
            "processes",
        ),
        hostile("empty_lines.dve", "\n".repeat(1_000_000) + &guarded("1"), ""),
    ]
}

fn helena() -> Vec<Hostile> {
    let net = |declared: &str, guard: &str| {
        format!(
            "n {{ {declared} place p {{ dom : int; init : <( 1 )>; }}\n\
             transition t {{ in {{ p : <( x )>; }} out {{ p : <( x )>; }} guard : {guard}; }} }}\n"
        )
    };
    let called = |body: &str, argument: &str| {
        net(&format!("function f(int x) -> int {{ {body} }} constant int c := f({argument});"), "true")
    };
    let deep = "nested too deeply";
    vec![
        hostile("parentheses.lna", net("", &nested(MANY, "(", "true", ")")), deep),
        hostile("not.lna", net("", &nested(MANY, "not ", "true", "")), deep),
        hostile("sum.lna", net("", &nested(MANY, "1+", "1 = 1", "")), deep),
        hostile("sum_400.lna", net("", &nested(400, "x+", "1 = 1", "")), ""),
        hostile("parentheses_400.lna", net("", &nested(400, "(", "true", ")")), ""),
        hostile("ifs.lna", called(&nested(MANY, "if (true) ", "return 1;", ""), "1"), deep),
        hostile("recursion.lna", called("return f(x);", "1"), "recursion"),
        hostile(
            "fibonacci.lna",
            called("if (x < 2) return 1; return f(x-1) + f(x-2);", "60"),
            "takes too long",
        ),
        hostile("loop.lna", called("while (true) x := x + 1; return x;", "1"), "takes too long"),
        hostile("range.lna", net("type r : range 0 .. 2000000000;", "true"), ""),
        hostile(
            "domain.lna",
            "n { type r : range 0 .. 2000000000; place p { dom : r*r*r; init : for(a in r, b in r, c in r) <( a, b, c )>; } }",
            "too many values",
        ),
        hostile("tokens.lna", "n { place p { dom : epsilon; init : 2000000000*epsilon; } }", ""),
        hostile(
            "endless.lna",
            "n { place p { dom : int; init : <( 1 )>; }\ntransition t { in { p : <( x )>; } out { p : <( x+1 )>; } } }",
            "too many",
        ),
    ]
}

fn pnml() -> Vec<Hostile> {
    let net = |declared: &str, inside: &str| {
        format!(
            "<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\"><net id=\"n\" \
             type=\"http://www.pnml.org/version-2009/grammar/{}\">{declared}<page id=\"g\">{inside}</page></net></pnml>",
            if declared.contains("declarations") { "symmetricnet" } else { "ptnet" }
        )
    };
    let sorts = |sorts: &str| {
        format!("<declaration><structure><declarations>{sorts}</declarations></structure></declaration>")
    };
    let place = |sort: &str| {
        let sort = format!("<usersort declaration=\"{sort}\"/>");
        format!(
            "<place id=\"p\"><type><structure>{sort}</structure></type>\
             <hlinitialMarking><structure><all>{sort}</all></structure></hlinitialMarking></place>"
        )
    };
    let product = |name: &str, of: &str| {
        let part = format!("<usersort declaration=\"{of}\"/>");
        format!(
            "<namedsort id=\"{name}\" name=\"{name}\"><productsort>{part}{part}</productsort></namedsort>"
        )
    };
    let range = "<namedsort id=\"S0\" name=\"S0\"><finiteintrange start=\"0\" end=\"3\"/></namedsort>";
    let squares: String = (0..30).map(|i| product(&format!("S{}", i + 1), &format!("S{i}"))).collect();
    let entities: String =
        (0..9).map(|i| format!("<!ENTITY e{} \"{}\">", i + 1, format!("&e{i};").repeat(10))).collect();
    let laughs = format!("<!DOCTYPE n [<!ENTITY e0 \"e\">{entities}]>");
    let file = "<!DOCTYPE n [<!ENTITY e SYSTEM \"file:///etc/passwd\">]>";
    let named =
        |entity: &str| net("", &format!("<place id=\"p\"><name><text>&{entity};</text></name></place>"));
    let marked = |n: &str| {
        net("", &format!("<place id=\"p\"><initialMarking><text>{n}</text></initialMarking></place>"))
    };
    vec![
        hostile("entities.pnml", laughs + &named("e9"), "stands for nothing"),
        hostile("file.pnml", file.to_owned() + &named("e"), "stands for nothing"),
        hostile("pages.pnml", net("", &nested(MANY, "<page id=\"a\">", "", "</page>")), "nested more than"),
        hostile("open.pnml", "<a>".repeat(MANY), "nested more than"),
        hostile("marking.pnml", marked("99999999999999999999"), "no more than"),
        hostile(
            "products.pnml",
            net(&sorts(&(range.to_owned() + &squares)), &place("S30")),
            "made of more than",
        ),
        hostile("circle.pnml", net(&sorts(&product("S", "S")), &place("S")), "contains itself"),
    ]
}

fn all() -> impl Iterator<Item = Hostile> {
    [promela(), dve(), helena(), pnml()].into_iter().flatten()
}

#[test]
fn on_the_command_line() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let mut failures = Vec::new();
    for Hostile { file, text, told } in all() {
        let path = folder.path().join(file);
        fs::write(&path, text).expect("a writable directory");
        let path = path.to_string_lossy();
        let arguments = ["check", &*path, "--time", "1s", "--memory", "64M", "--no-shorten"];
        let answer = binary::run_within(PATIENCE, ROOM, arguments);
        let is_told = match told {
            "" => matches!(answer.status, Some(0 | 1 | 3)),
            told => answer.status == Some(2) && answer.errors.contains(told),
        };
        if !is_told || !answer.is_orderly() {
            let errors: String = answer.errors.chars().take(600).collect();
            failures.push(format!("{file}: exit {:?} instead of `{told}`: {errors}", answer.status));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn in_an_editor() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let settings = json!({ "check": "demand", "time": 1, "memory": 64 });
    let mut editor = Editor::start(settings);
    for Hostile { file, text, told } in all() {
        let path = folder.path().join(file);
        // What includes itself is looked for on disk.
        fs::write(&path, &text).expect("a writable directory");
        let uri = uri(&path);
        editor.open(&uri, &text);
        let (_, found) =
            editor.wait(file, |e| e.diagnostics.get(&uri).filter(|(v, _)| *v == Some(1)).cloned());
        let errors: Vec<_> =
            found.iter().filter(|d| d["severity"] == 1).map(|d| d["message"].to_string()).collect();
        let is_told = match told {
            "" => errors.is_empty(),
            told => errors.iter().any(|error| error.contains(told)),
        };
        assert!(is_told, "{file}: {:?} instead of `{told}`", errors.first());
        editor.ask_at("textDocument/hover", &uri, 0, 1);
        editor.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    }
    assert_eq!(editor.stop(), Some(0));
}

fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}
