//! Every model that SPIN 6.5.2 parses, parses.
//!
//! The models are not in the repository: `$STUBBORN_CORPUS` names their folder,
//! or they are looked for next to the workspace, in `../shared/models`.

#![allow(clippy::print_stderr)]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use stubborn_base::Sources;
use stubborn_promela::{Loader, parse};

struct Disk;

impl Loader for Disk {
    fn load(&self, includer: &Path, name: &str) -> Option<(PathBuf, Arc<str>)> {
        let path = includer.parent()?.join(name);
        let text = std::fs::read_to_string(&path).ok()?;
        Some((path, text.into()))
    }
}

fn corpus() -> PathBuf {
    match std::env::var_os("STUBBORN_CORPUS") {
        Some(path) => path.into(),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models"),
    }
}

#[test]
fn parses_what_spin_parses() {
    let folder = corpus().join("promela");
    let Ok(table) = std::fs::read_to_string(folder.join("expected-spin-6.5.2.tsv")) else {
        eprintln!("SKIPPED: no models in {}; set STUBBORN_CORPUS", folder.display());
        return;
    };
    let mut n_models = 0;
    let mut wrong = Vec::new();
    for row in table.lines().skip(1) {
        let mut columns = row.split('\t');
        let (Some(name), Some("ok")) = (columns.next(), columns.next()) else { continue };
        let path = folder.join(name);
        let bytes = std::fs::read(&path).expect("the table names files that exist");
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let mut sources = Sources::new();
        let parsed = parse(&path, text.into(), &mut sources, &Disk, &[]);
        n_models += 1;
        let errors = parsed.diagnostics.iter().filter(|d| d.is_error() && d.code != "unsupported-c-code");
        wrong.extend(errors.map(|d| {
            let at = sources.position(d.span.file, d.span.start);
            format!("{name}:{}:{}: {}", at.line, at.column, d.message)
        }));
    }
    assert!(n_models > 0, "the table names no models");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
