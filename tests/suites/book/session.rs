//! Commands that pages show, run.

use std::fs;

use stubborn_tests::binary;
use stubborn_tests::workspace;

use super::page::{Block, Page};

/// How commands begin that are not run here, each with the reason.
const NOT_RUN: &[(&str, &str)] = &[
    ("cargo build", "this suite runs on what it builds"),
    ("cargo clippy", "tests/run does"),
    ("cargo fmt", "tests/run does"),
    ("cargo install", "it would install something"),
    ("cargo run --release -p stubborn-tests", "campaigns and benchmarks take minutes to hours"),
    ("cargo test", "tests/run runs all suites, this one among them"),
    ("STUBBORN_BOOK=write cargo test", "it would write what it is to find fault with"),
    ("STUBBORN_FAULT_CAMPAIGN=1 cargo test", "a campaign takes minutes"),
    ("cd editors/vscode", "tests/vscode/run builds the extension, and tries it in VS Code"),
    ("mdbook", "it is not needed for anything else; CI builds the book"),
    ("tests/package", "it builds the program once more, as one static file"),
    ("tests/run", "it is what runs this suite"),
    ("tests/sanitizers", "it builds everything once more for each sanitizer"),
];

/// Subcommands that wait for an editor, and have tests of their own.
const SERVERS: [&str; 2] = ["lsp", "dap"];

/// How the program is started from its source.
const FROM_SOURCE: &str = "cargo run --release -p stubborn-cli -- ";

/// Any number of lines, in what is expected.
const ELLIPSIS: &str = "…";

/// Whether all blocks of a page show what happens; with `STUBBORN_BOOK=write`, they are made to.
pub(crate) fn is_as_shown(page: &Page) -> Result<(), String> {
    let writes = std::env::var_os("STUBBORN_BOOK").is_some_and(|value| value == "write");
    let mut failures = Vec::new();
    let mut replacements = Vec::new();
    for block in page.blocks() {
        look_at(&block, writes, &mut failures, &mut replacements);
    }
    if writes && !replacements.is_empty() {
        fs::write(&page.path, replaced(&page.text, replacements)).map_err(|error| error.to_string())?;
    }
    if failures.is_empty() { Ok(()) } else { Err(format!("{}: {}", page.name, failures.join("\n\n"))) }
}

/// Whether every reason not to run something is needed.
pub(crate) fn reasons_are_needed(pages: &[Page]) -> Result<(), String> {
    let blocks: Vec<Block<'_>> = pages.iter().flat_map(Page::blocks).collect();
    let is_shown = |beginning: &str| {
        let lines = blocks.iter().flat_map(|block| &block.lines);
        lines.into_iter().any(|(_, line)| command_of(line).starts_with(beginning))
    };
    let unused: Vec<&str> =
        NOT_RUN.iter().map(|(beginning, _)| *beginning).filter(|b| !is_shown(b)).collect();
    if unused.is_empty() { Ok(()) } else { Err(format!("no page shows {unused:?}")) }
}

/// Whether pages that are wrong are found to be.
pub(crate) fn finds_what_is_broken() -> Result<(), String> {
    let wrong = [
        ("console", "$ stubborn ltl '[] p'\nnothing of the kind"),
        ("console", "$ stubborn ltl '[] p'"),
        ("console", "$ stubborn check no_such_model.pml\nexamples/x.pml: 2 hold"),
        ("console", "$ rm --version"),
        ("sh", "rm --version"),
        ("sh", "stubborn ltl '[] p'"),
        ("text", "stubborn check x.pml"),
        ("yaml", "      - run: stubborn check x.pml"),
        ("", "$ cargo run --release -p stubborn-cli -- check x.pml"),
        ("promela examples/mutual_exclusion/peterson.pml", "active proctype Q() {"),
        ("promela examples/no_such_file.pml", "bool wants[2];"),
    ];
    for (info, lines) in wrong {
        let text = format!("Text.\n\n```{info}\n{lines}\n```\n");
        let page = Page { name: "page".to_owned(), path: "/nowhere".into(), text };
        let mut failures = Vec::new();
        for block in page.blocks() {
            look_at(&block, false, &mut failures, &mut Vec::new());
        }
        if failures.is_empty() {
            return Err(format!("nothing was found to be wrong with\n{}", page.text));
        }
    }
    Ok(())
}

/// What is to stand in place of some lines.
struct Replacement {
    from: usize,
    to: usize,
    lines: String,
}

fn look_at(block: &Block<'_>, writes: bool, failures: &mut Vec<String>, to_write: &mut Vec<Replacement>) {
    if let Some(file) = block.file() {
        failures.extend(is_excerpt(block, file).err());
    } else if matches!(block.language(), "console" | "sh") {
        run_all(block, writes, failures, to_write);
    } else {
        failures.extend(hidden_command(block));
    }
}

fn run_all(block: &Block<'_>, writes: bool, failures: &mut Vec<String>, to_write: &mut Vec<Replacement>) {
    let mut status = None;
    let mut rest = &block.lines[..];
    while let Some((&(number, line), after)) = rest.split_first() {
        let n_shown = match block.language() {
            // A script shows no output.
            "sh" => 0,
            _ => after.iter().take_while(|(_, line)| !line.starts_with("$ ")).count(),
        };
        let (shown, after) = after.split_at(n_shown);
        rest = after;
        let command = command_of(line);
        if command.is_empty() || command.starts_with('#') {
            continue;
        }
        if !line.starts_with("$ ") && block.language() == "console" {
            failures.push(format!("line {}: no command: {line}", number + 1));
            continue;
        }
        if command == "echo $?" {
            let said = status.map_or("nothing ran before".to_owned(), |status: i32| status.to_string());
            compare(command, number, shown, &said, writes, failures, to_write);
            continue;
        }
        let Some(arguments) = arguments_of(command) else {
            if !NOT_RUN.iter().any(|(beginning, _)| command.starts_with(beginning)) {
                failures.push(format!("line {}: neither run nor excused: {command}", number + 1));
            }
            continue;
        };
        if block.language() == "sh" {
            failures.push(format!("line {}: shows no output; use a console block: {command}", number + 1));
            continue;
        }
        let (arguments, file) = match arguments.rsplit_once(" > ") {
            // What is inside quotes compares.
            Some((arguments, file)) if !file.contains(['"', '\'']) => (arguments, Some(file)),
            _ => (arguments, None),
        };
        let answer = binary::run_in(workspace::root(), words(arguments));
        if !answer.is_orderly() {
            failures.push(format!("line {}: {command}: {answer}", number + 1));
        }
        status = answer.status;
        let said = match file {
            Some(file) => {
                failures.extend(keep(command, file, &answer.output, writes).err());
                answer.errors
            }
            None => answer.output + &answer.errors,
        };
        compare(command, number, shown, &said, writes, failures, to_write);
    }
}

/// Whether a file is what a command writes there. What is no part of the repository is not looked at.
fn keep(command: &str, file: &str, output: &str, writes: bool) -> Result<(), String> {
    if file.starts_with("target/") {
        return Ok(());
    }
    let path = workspace::root().join(file);
    if fs::read_to_string(&path).is_ok_and(|text| text == output) {
        return Ok(());
    }
    if writes {
        return fs::write(path, output).map_err(|error| format!("{file}: {error}"));
    }
    Err(format!("{file} is not what `{command}` writes"))
}

fn compare(
    command: &str,
    number: usize,
    shown: &[(usize, &str)],
    said: &str,
    writes: bool,
    failures: &mut Vec<String>,
    to_write: &mut Vec<Replacement>,
) {
    let shown: Vec<&str> = shown.iter().map(|&(_, line)| line).collect();
    let said: Vec<&str> = said.trim_end().lines().map(str::trim_end).collect();
    let masked = |lines: &[&str]| lines.iter().map(|line| mask(line)).collect::<Vec<_>>();
    // An empty line between two commands is nobody's output.
    let kept = &shown[..shown.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1)];
    if matches(&masked(kept), &masked(&said)) {
        return;
    }
    if writes && !kept.contains(&ELLIPSIS) {
        let lines = said.iter().map(|line| format!("{line}\n")).collect();
        to_write.push(Replacement { from: number + 1, to: number + 1 + kept.len(), lines });
        return;
    }
    let (line, shown, said) = (number + 1, kept.join("\n"), said.join("\n"));
    failures.push(format!("line {line}: $ {command}\n--- shown\n{shown}\n--- what happens\n{said}"));
}

fn matches(shown: &[String], said: &[String]) -> bool {
    match shown.split_first() {
        None => said.is_empty(),
        Some((line, rest)) if line == ELLIPSIS => (0..=said.len()).any(|from| matches(rest, &said[from..])),
        Some((line, rest)) => said.first() == Some(line) && matches(rest, &said[1..]),
    }
}

/// Without what is different every time: numbers before a unit of time, of memory or of speed.
fn mask(line: &str) -> String {
    const UNITS: [&str; 9] = ["s", "ms", "states/s", "bytes", "B", "KiB", "MiB", "GiB", "µs"];
    let words: Vec<&str> = line.split(' ').collect();
    let mut masked = Vec::new();
    for (i, word) in words.iter().enumerate() {
        let number = word.trim_start_matches('(');
        let is_number = number.starts_with(|c: char| c.is_ascii_digit())
            && number.chars().all(|c| c.is_ascii_digit() || matches!(c, ',' | '.'));
        let unit = words.get(i + 1).map(|word| word.trim_end_matches([',', ')', '.', ';']));
        let is_measured = is_number && unit.is_some_and(|unit| UNITS.contains(&unit));
        // Which unit it is depends on the number.
        let is_unit =
            i > 0 && masked.last() == Some(&"N") && UNITS[3..].contains(&word.trim_end_matches([',', ')']));
        masked.push(if is_measured {
            "N"
        } else if is_unit {
            "unit"
        } else {
            word
        });
    }
    masked.join(" ").trim_end().to_owned()
}

fn replaced(text: &str, mut replacements: Vec<Replacement>) -> String {
    let mut lines: Vec<String> = text.lines().map(|line| format!("{line}\n")).collect();
    replacements.sort_by_key(|replacement| replacement.from);
    for Replacement { from, to, lines: new } in replacements.into_iter().rev() {
        lines.splice(from..to, [new]);
    }
    lines.concat()
}

fn is_excerpt(block: &Block<'_>, file: &str) -> Result<(), String> {
    let text =
        fs::read_to_string(workspace::root().join(file)).map_err(|error| format!("{file}: {error}"))?;
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let shown: Vec<&str> = block.lines.iter().map(|(_, line)| line.trim_end()).collect();
    // Parts of it may be left out.
    let mut from = 0;
    for part in shown.split(|line| line.trim() == ELLIPSIS) {
        let found = (from..=lines.len().saturating_sub(part.len())).find(|&i| lines[i..].starts_with(part));
        let Some(found) = found else {
            return Err(format!("these lines are not in {file}:\n{}", part.join("\n")));
        };
        from = found + part.len();
    }
    Ok(())
}

/// A command that is shown where nothing is run.
fn hidden_command(block: &Block<'_>) -> Option<String> {
    let is_command = |line: &str| {
        let line = command_of(line).trim_start_matches("- ").trim_start_matches("run: ");
        arguments_of(line).is_some_and(|arguments| {
            let command = arguments.split(' ').next().unwrap_or_default();
            !SERVERS.contains(&command)
        })
    };
    let (number, line) = block.lines.iter().find(|(_, line)| is_command(line))?;
    Some(format!("line {}: a command outside of a console block: {line}", number + 1))
}

fn command_of(line: &str) -> &str {
    let line = line.trim();
    line.strip_prefix("$ ").unwrap_or(line)
}

/// The arguments of a command of the program.
fn arguments_of(command: &str) -> Option<&str> {
    command.strip_prefix("stubborn ").or_else(|| command.strip_prefix(FROM_SOURCE))
}

/// The words of a command, as a shell would tell them apart.
fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for c in command.chars() {
        let last = words.len() - 1;
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') => quote = Some(c),
            (None, ' ') => words.push(String::new()),
            _ => words[last].push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}
