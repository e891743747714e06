//! Errors in a model: all of them, each at its place, and none that swallows what follows.

use std::fs;

use stubborn_tests::binary::{self, Answer};
use stubborn_tests::workspace;

fn check_text(text: &str) -> Answer {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("model.pml");
    fs::write(&path, text).expect("a writable directory");
    binary::run(["check", &path.to_string_lossy()])
}

/// The lines of the file `model.pml` that the messages name.
fn lines(answer: &Answer, file: &str) -> Vec<u32> {
    let after_name =
        |line: &str| Some(line.split(&format!("{file}:")).nth(1)?.split(':').next()?.to_string());
    let mut found: Vec<u32> = answer
        .errors
        .lines()
        .filter_map(after_name)
        .filter_map(|number| number.trim().parse().ok())
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// A model whose erroneous lines are marked `/* error */`: exactly these are reported.
fn check(text: &str) {
    let answer = check_text(text);
    assert_eq!(answer.status, Some(2), "{answer}");
    let marked = text.lines().enumerate().filter(|(_, line)| line.contains("/* error */"));
    let expected: Vec<u32> = marked.map(|(idx, _)| idx as u32 + 1).collect();
    let found = lines(&answer, "model.pml");
    for line in &expected {
        assert!(found.contains(line), "no error on line {line}: {answer}");
    }
}

#[test]
fn several_errors_in_one_file() {
    let path = workspace::model("syntax_errors.pml");
    let answer = binary::run(["check", &path.to_string_lossy()]);
    assert_eq!(answer.status, Some(2), "{answer}");
    let found = lines(&answer, "syntax_errors.pml");
    for wanted in [11, 12, 16, 21] {
        assert!(found.contains(&wanted), "no error on line {wanted}, only on {found:?}: {answer}");
    }
    let missing_od = found.iter().any(|line| (6..=8).contains(line));
    assert!(missing_od, "the missing od is not reported: {answer}");
}

#[test]
fn a_missing_brace_does_not_swallow_the_next_process() {
    check("byte x;\nproctype a() {\n  x = 1;\n\nproctype b() {\n  x = * 2 /* error */\n}\ninit { skip }\n");
}

#[test]
fn names_and_arities() {
    check(
        "chan c = [1] of { byte, byte };\n\
         proctype p(byte a) { skip }\n\
         init {\n\
         y = 1; /* error */\n\
         c!1,2,3; /* error */\n\
         run p(1, 2); /* error */\n\
         run q(); /* error */\n\
         goto nowhere /* error */\n\
         }\n",
    );
}

#[test]
fn embedded_c_is_not_supported() {
    check("init {\n  c_code { x = 1; } /* error */\n}\n");
}

#[test]
fn a_macro_points_to_its_use() {
    check("#define BAD undefined_name\ninit {\n  skip;\n  BAD = 1 /* error */\n}\n");
}

#[test]
fn a_missing_file() {
    let answer = binary::run(["check", "no-such-model.pml"]);
    assert_eq!(answer.status, Some(2), "{answer}");
    assert!(answer.errors.contains("no-such-model.pml"), "{answer}");
}

#[test]
fn a_missing_include() {
    check("#include \"no-such-file.h\" /* error */\ninit { skip }\n");
}
