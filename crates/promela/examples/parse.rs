//! Parses the files named on the command line and prints what is wrong with them.

#![allow(clippy::print_stdout, clippy::print_stderr)]

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

fn main() {
    for path in std::env::args().skip(1) {
        let bytes = std::fs::read(&path).expect("the file can be read");
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let mut sources = Sources::new();
        let start = std::time::Instant::now();
        let parsed = parse(Path::new(&path), text.into(), &mut sources, &Disk, &[]);
        let time = start.elapsed();
        eprintln!(
            "{path}: {} items, {} diagnostics, {time:?}",
            parsed.program.items.len(),
            parsed.diagnostics.len()
        );
        for d in &parsed.diagnostics {
            let at = sources.position(d.span.file, d.span.start);
            let file = sources.file(d.span.file).path().display();
            println!("{file}:{}:{}: {:?}[{}] {}", at.line, at.column, d.severity, d.code, d.message);
            for l in &d.labels {
                let at = sources.position(l.span.file, l.span.start);
                println!("    {}:{}: {}", at.line, at.column, l.message);
            }
            if let Some(help) = &d.help {
                println!("    help: {help}");
            }
        }
    }
}
