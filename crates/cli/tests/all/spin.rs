//! SPIN's trail files on the command line.

use std::path::PathBuf;
use std::process::Command;

const MODEL: &str = "\
byte x;
chan c = [0] of { byte };
active proctype A() { x = 1; c!2 }
active proctype B() { byte y; c?y; d_step { y = 3; x = y }; assert(x != 3) }
";

fn run(name: &str, trail: Option<&str>, args: &[&str]) -> (i32, String, String) {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, MODEL).unwrap();
    let mut process = Command::new(env!("CARGO_BIN_EXE_stubborn"));
    process.arg("trail").arg(&path).args(args);
    if let Some(trail) = trail {
        let file = path.with_extension("trail");
        std::fs::write(&file, trail).unwrap();
        process.arg("--from-spin").arg(file);
    }
    let output = process.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// As SPIN 6.5.2 numbers the statements; a rendezvous is two lines.
const TRAIL: &str = "1:0:0\n2:0:1\n3:1:3\n4:1:6\n5:1:7\n";

#[test]
fn a_trail_is_written_for_spin() {
    let (status, stdout, _) = run("written.pml", None, &["--format", "spin"]);
    assert_eq!((status, &*stdout), (1, TRAIL));
}

#[test]
fn a_trail_of_spin_is_read() {
    let (status, stdout, stderr) = run("read.pml", Some(TRAIL), &["--format", "spin"]);
    assert_eq!((status, &*stdout, &*stderr), (1, TRAIL, ""));
    // The verifier merges the assignment with what comes before it, and says so.
    let merged = "-4:-4:-4\n1:0:0\n2:0:1\n3:1:3\n4:1:6\n5:1:7\n";
    assert_eq!(run("merged.pml", Some(merged), &["--format", "spin"]).1, TRAIL);
}

#[test]
fn what_does_not_fit_is_told_with_its_line() {
    let told = |trail: &str| {
        let (status, stdout, stderr) = run("unfit.pml", Some(trail), &[]);
        assert_eq!((status, &*stdout), (2, ""));
        stderr
    };
    assert!(
        told("1:0:0\n2:0:7\n").contains("line 2: process 0, A in its state 2, cannot execute statement 7")
    );
    assert!(told("1:0:0\n2:5:1\n").contains("line 2: there is no process 5"));
    assert!(told("1:0:0\nhello\n").contains("line 2 is not `depth:process:statement`"));
    assert!(told("1:0:0\n").contains("none of the properties is violated"));
    assert!(told("-5:1:1\n1:0:0\n").contains("line 1: the verifier permuted processes"));
}
