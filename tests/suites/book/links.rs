//! Links between pages, and paths of the repository that pages name.

use std::path::{Component, Path, PathBuf};

use stubborn_tests::workspace;

use super::page::Page;

/// Folders at the top, as paths that are named begin.
const FOLDERS: [&str; 7] = [".github/", "crates/", "docs/", "editors/", "examples/", "grammars/", "tests/"];

/// Whether all links of a page lead somewhere, and all paths that it names are there.
pub(crate) fn lead_somewhere(page: &Page, all: &[Page]) -> Result<(), String> {
    let links = page.prose().join("\n");
    let mut failures: Vec<String> = targets(&links).filter_map(|target| dead(page, target, all)).collect();
    for code in page.code() {
        // What is not meant literally has a star, a brace or a word in capitals.
        let is_pattern = |path: &str| {
            let is_placeholder = |part: &str| part.len() > 1 && part.chars().all(|c| c.is_ascii_uppercase());
            path.contains(['*', '{', '$', '…']) || path.split(['/', '.']).any(is_placeholder)
        };
        let is_path = FOLDERS.iter().any(|folder| code.starts_with(folder));
        let path = code.split(' ').next().unwrap_or_default();
        if is_path && !is_pattern(path) && !workspace::root().join(path).exists() {
            failures.push(format!("there is no {path}"));
        }
    }
    if failures.is_empty() { Ok(()) } else { Err(format!("{}: {}", page.name, failures.join("; "))) }
}

/// Whether the summary lists every page of the book.
pub(crate) fn are_listed(pages: &[Page]) -> Result<(), String> {
    let summary =
        pages.iter().find(|page| page.name == "docs/src/SUMMARY.md").ok_or("there is no summary")?;
    let listed: Vec<&str> = targets(&summary.text).collect();
    let chapters = pages.iter().filter_map(|page| page.name.strip_prefix("docs/src/"));
    let missing: Vec<&str> =
        chapters.filter(|chapter| *chapter != "SUMMARY.md" && !listed.contains(chapter)).collect();
    if missing.is_empty() { Ok(()) } else { Err(format!("not in the summary: {missing:?}")) }
}

fn targets(text: &str) -> impl Iterator<Item = &str> {
    text.split("](").skip(1).filter_map(|rest| rest.split([')', ' ']).next())
}

fn dead(page: &Page, target: &str, all: &[Page]) -> Option<String> {
    if target.starts_with("https://") || target.starts_with("mailto:") {
        return None;
    }
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let folder = page.path.parent()?;
    let path = if file.is_empty() { page.path.clone() } else { flat(&folder.join(file)) };
    if !path.exists() {
        return Some(format!("{target} leads nowhere"));
    }
    // A page of the book is put somewhere else together with the others, and with nothing besides.
    let book = workspace::root().join("docs/src");
    if page.path.starts_with(&book) && !path.starts_with(&book) {
        return Some(format!("{target} leads out of the book"));
    }
    let there = all.iter().find(|page| page.path == path);
    let has_anchor = |page: &Page| page.prose().iter().any(|line| heading(line).is_some_and(|h| h == anchor));
    if !anchor.is_empty() && !there.is_some_and(has_anchor) {
        return Some(format!("{target}: there is no such heading"));
    }
    None
}

/// What a heading is known by: as mdBook and others make it of its text.
fn heading(line: &str) -> Option<String> {
    let text = line.strip_prefix('#')?.trim_start_matches('#').trim();
    let kept = text.to_lowercase().replace(' ', "-");
    Some(kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_')).collect())
}

/// Without `..`.
fn flat(path: &Path) -> PathBuf {
    let mut flat = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                flat.pop();
            }
            Component::CurDir => {}
            other => flat.push(other),
        }
    }
    flat
}
