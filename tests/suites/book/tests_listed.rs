//! The chapter on testing lists every suite, case and program of this package, and none besides.

use std::collections::BTreeSet;
use std::fs;

use stubborn_tests::workspace;

use super::page::Page;

const CHAPTER: &str = "docs/src/testing.md";

/// Whether the rows of its tables are what there is.
pub(crate) fn are_listed(pages: &[Page]) -> Result<(), String> {
    let chapter = pages.iter().find(|page| page.name == CHAPTER).ok_or("there is no such chapter")?;
    let listed: BTreeSet<(String, &str)> = chapter.text.lines().filter_map(row).collect();
    let there = there()?;
    let missing: Vec<_> = there.difference(&listed).collect();
    let unknown: Vec<_> = listed.difference(&there).collect();
    if missing.is_empty() && unknown.is_empty() {
        return Ok(());
    }
    Err(format!("{CHAPTER} does not list {missing:?}, and lists {unknown:?}, which are not there"))
}

/// The name and the kind in a row such as ``| `book` | suite | …``.
fn row(line: &str) -> Option<(String, &'static str)> {
    let (name, rest) = line.strip_prefix("| `")?.split_once("` | ")?;
    let kind = ["suite", "case", "program"].into_iter().find(|kind| rest.split(" |").next() == Some(kind))?;
    Some((name.to_owned(), kind))
}

fn there() -> Result<BTreeSet<(String, &'static str)>, String> {
    let tests = workspace::root().join("tests");
    let mut all = BTreeSet::new();
    for (kind, file) in [("suite", "suites/main.rs"), ("case", "cases/main.rs")] {
        let text = fs::read_to_string(tests.join(file)).map_err(|error| format!("{file}: {error}"))?;
        let names = text.lines().filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';'));
        all.extend(names.map(|name| (name.to_owned(), kind)));
    }
    for entry in fs::read_dir(tests.join("src/bin")).map_err(|error| error.to_string())? {
        let path = entry.map_err(|error| error.to_string())?.path();
        all.extend(path.file_stem().map(|name| (name.to_string_lossy().into_owned(), "program")));
    }
    Ok(all)
}
