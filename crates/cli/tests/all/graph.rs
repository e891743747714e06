//! `stubborn graph` as scripts see it: what is drawn, what is left out, what is refused.

use std::path::PathBuf;
use std::process::Command;

struct Run {
    status: i32,
    stdout: String,
    stderr: String,
}

fn run(name: &str, model: &str, args: &[&str]) -> Run {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, model).unwrap();
    let mut process = Command::new(env!("CARGO_BIN_EXE_stubborn"));
    let output = process.arg("graph").arg(&path).args(args).output().unwrap();
    Run {
        status: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Two processes that do not meet, an atomic run, an assertion that fails in one order, and a process that waits.
const MODEL: &str = "\
byte x, y, z;
active proctype A() { x = 1; atomic { x = 2; x = 3 }; assert(z != 1) }
active proctype B() { byte l; y = 1; l = 2; z = 1; (y == 2) }
";

#[test]
fn a_labelled_transition_system_has_all_states_and_edges() {
    let run = run("aut.pml", MODEL, &["--format", "aut"]);
    assert_eq!((run.status, &*run.stderr), (0, ""));
    let mut lines = run.stdout.lines();
    // A has 4 places and B has 4, and each edge is a step of one of them: 3 * 4 + 4 * 3. The atomic run is one.
    assert_eq!(lines.next(), Some("des (0, 24, 16)"));
    assert_eq!(lines.clone().count(), 24);
    assert_eq!(lines.clone().filter(|line| line.contains("\"A(0): x = 2; A(0): x = 3\"")).count(), 4);
    let failing = lines.filter(|line| line.ends_with("(assertion violated)\", 15)"));
    assert_eq!(failing.count(), 1);
}

#[test]
fn what_a_reduction_leaves_out_is_dashed() {
    let whole = run("whole.pml", MODEL, &[]).stdout;
    assert!(!whole.contains("dashed") && !whole.contains("filled"), "{whole}");
    let reduced = run("reduced.pml", MODEL, &["--reduction", "stubborn"]);
    assert_eq!(reduced.status, 0);
    let is_state = |line: &&str| line.contains("tooltip=\"A(0)");
    let states: Vec<&str> = reduced.stdout.lines().filter(is_state).collect();
    let dashed = states.iter().filter(|line| line.contains("dashed")).count();
    let full = states.iter().filter(|line| line.contains("filled")).count();
    assert_eq!(states.len(), 16, "what is left out is there");
    let aut = run("visited.pml", MODEL, &["--reduction", "stubborn", "--format", "aut"]).stdout;
    let n_visited = aut.lines().next().and_then(|line| line.rsplit_once(", ")).unwrap().1;
    assert_eq!(n_visited, format!("{})", 16 - dashed), "the rest is what is visited");
    assert!(dashed > 0 && full > 0 && full < 16 - dashed, "{}", reduced.stdout);
    assert_eq!(states.iter().filter(|line| line.contains("doublecircle, color")).count(), 1, "the deadlock");
}

#[test]
fn a_drawing_has_what_there_is() {
    let draw = || run("drawn.pml", MODEL, &["--format", "svg", "--reduction", "stubborn"]);
    let run = draw();
    assert_eq!((run.status, &*run.stderr), (0, ""));
    let svg = &run.stdout;
    assert_eq!(svg.matches(" id=\"s").count(), 16);
    assert_eq!(svg.matches("<g class=\"e fails\">").count(), 1);
    assert_eq!(svg.matches("<g class=\"n dead full\" id=\"s15\">").count(), 1);
    assert!(svg.contains("<g class=\"n out\" id=\"s") && svg.contains("<g class=\"e out\">"), "{svg}");
    assert!(svg.contains("A(0): assert(z != 1)"));
    let again = draw();
    assert_eq!(again.stdout, *svg, "the same picture every time");
}

#[test]
fn labels_are_escaped() {
    let model = "byte x;\nactive proctype P() { printf(\"a<b & \\\"c\\\"\\n\"); x < 1 }\n";
    let svg = run("escaped.pml", model, &["--format", "svg"]).stdout;
    assert!(svg.contains("P(0): printf(&quot;a&lt;b &amp; \\&quot;c\\&quot;\\n&quot;)"), "{svg}");
    let dot = run("escaped.pml", model, &[]).stdout;
    assert!(dot.contains(r#"label="P(0): printf(\"a<b & \\\"c\\\"\\n\")"#), "{dot}");
}

#[test]
fn runs_that_lead_nowhere_have_an_end() {
    let model = "byte x;\nactive proctype P() { if :: x = 1 / x :: atomic { do :: skip od } fi }\n";
    let dot = run("nowhere.pml", model, &[]).stdout;
    assert!(
        dot.contains("shape=box, label=\"division by zero\"") && dot.contains("label=\"for ever\""),
        "{dot}"
    );
    let aut = run("nowhere.pml", model, &["--format", "aut"]).stdout;
    assert!(aut.starts_with("des (0, 2, 3)\n") && aut.contains("(division by zero)\""), "{aut}");
}

const MANY: &str = "byte x, y;\nactive [2] proctype P() { do :: x++ :: y++ od }\n";

#[test]
fn the_nearest_states_are_drawn_if_there_are_too_many() {
    let cut = run("many.pml", MANY, &["--max", "30"]);
    assert_eq!(cut.status, 3);
    assert!(cut.stderr.contains("there are more"), "{}", cut.stderr);
    assert_eq!(cut.stdout.lines().filter(|line| line.contains("tooltip=\"P(0)")).count(), 30);
    assert!(cut.stdout.contains("…\", tooltip"));
    let aut = run("many.pml", MANY, &["--max", "30", "--format", "aut"]);
    assert_eq!((aut.status, &*aut.stdout), (2, ""), "a program cannot see what is missing");
    let svg = run("many.pml", MANY, &["--max", "1000", "--format", "svg"]);
    assert_eq!((svg.status, &*svg.stdout), (2, ""));
    assert!(svg.stderr.contains("too much for a drawing"), "{}", svg.stderr);
    let reduced = run("many.pml", MANY, &["--max", "30", "--reduction", "ample"]);
    assert_eq!(reduced.status, 2);
    assert!(reduced.stderr.contains("--max"), "{}", reduced.stderr);
}
