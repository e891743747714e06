//! Pages of Markdown, as far as they matter here: blocks between fences, and the text around them.

use std::fs;
use std::path::{Path, PathBuf};

use stubborn_tests::workspace;

/// A page.
#[derive(Clone)]
pub(crate) struct Page {
    /// Its path from the root of the workspace.
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

/// What stands between two fences.
pub(crate) struct Block<'a> {
    /// What follows the first fence.
    pub(crate) info: &'a str,
    /// Its lines, with the number of each, from 0.
    pub(crate) lines: Vec<(usize, &'a str)>,
}

impl Block<'_> {
    /// The language it is in.
    pub(crate) fn language(&self) -> &str {
        self.info.split(' ').next().unwrap_or_default()
    }

    /// The file it is an excerpt of.
    pub(crate) fn file(&self) -> Option<&str> {
        self.info.split(' ').nth(1)
    }
}

impl Page {
    pub(crate) fn blocks(&self) -> Vec<Block<'_>> {
        let mut blocks = Vec::new();
        let mut open: Option<(&str, Block<'_>)> = None;
        for (number, line) in self.text.lines().enumerate() {
            let ticks = &line[..line.len() - line.trim_start_matches('`').len()];
            open = match open {
                Some((fence, block)) if line == fence => {
                    blocks.push(block);
                    None
                }
                Some((fence, mut block)) => {
                    block.lines.push((number, line));
                    Some((fence, block))
                }
                None if ticks.len() >= 3 => {
                    Some((ticks, Block { info: line[ticks.len()..].trim(), lines: Vec::new() }))
                }
                None => None,
            };
        }
        assert!(open.is_none(), "{}: a block has no end", self.name);
        blocks
    }

    /// The lines outside of all blocks.
    pub(crate) fn prose(&self) -> Vec<&str> {
        let mut lines: Vec<&str> = self.text.lines().collect();
        for block in self.blocks() {
            block.lines.iter().for_each(|&(number, _)| lines[number] = "");
        }
        lines.iter_mut().filter(|line| line.starts_with("```")).for_each(|line| *line = "");
        lines
    }

    /// What stands between backticks in its prose.
    pub(crate) fn code(&self) -> Vec<String> {
        // A piece of code may go on in the next line; it does not in the next paragraph.
        let prose = self.prose().join("\n");
        let paragraphs = prose.split("\n\n");
        let code = |paragraph: &str| -> Vec<String> {
            paragraph.split('`').skip(1).step_by(2).map(|code| code.replace('\n', " ")).collect()
        };
        paragraphs.flat_map(code).filter(|code| !code.is_empty()).collect()
    }
}

/// All pages: those of the book, and those at the top.
pub(crate) fn all() -> Vec<Page> {
    let root = workspace::root();
    let mut paths: Vec<PathBuf> =
        ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(|name| root.join(name)).into();
    collect(&root.join("docs/src"), &mut paths);
    let page = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
        Page { name, path, text }
    };
    paths.into_iter().map(page).collect()
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut entries: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            collect(&path, paths);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            paths.push(path);
        }
    }
}
