//! The version that the program tells: the package's, with the commit it was built from where that is known.

use std::path::Path;
use std::process::Command;

fn main() {
    let mut version = env!("CARGO_PKG_VERSION").to_owned();
    if let Some(commit) = git(&["rev-parse", "--short=10", "HEAD"]) {
        version += &format!(" ({commit})");
    }
    println!("cargo::rustc-env=STUBBORN_VERSION={version}");
    // A commit writes the log of the head; a checkout without one is a file that never changes.
    for file in ["logs/HEAD", "HEAD"] {
        if let Some(path) = git(&["rev-parse", "--git-path", file])
            && Path::new(&path).exists()
        {
            println!("cargo::rerun-if-changed={path}");
            return;
        }
    }
    println!("cargo::rerun-if-changed=build.rs");
}

/// What git says, if there is a git, it knows this folder, and says something.
fn git(arguments: &[&str]) -> Option<String> {
    let output =
        Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (!text.is_empty()).then_some(text)
}
