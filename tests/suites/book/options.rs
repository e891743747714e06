//! The chapter on the command line tells of every command and option there is, and no page of one that is not.

use stubborn_tests::binary;

use super::page::Page;

const CHAPTER: &str = "docs/src/command_line.md";

/// Whether all options are told of, and none besides.
pub(crate) fn are_told(pages: &[Page]) -> Result<(), String> {
    let chapter = pages.iter().find(|page| page.name == CHAPTER).ok_or("there is no such chapter")?;
    let commands = commands();
    let mut failures = Vec::new();
    for (command, options) in &commands {
        let is_told =
            |name: &str| chapter.code().iter().any(|code| code.split([' ', '=', ',']).any(|w| w == name));
        if !chapter.text.contains(&format!("stubborn {command}")) {
            failures.push(format!("{CHAPTER} does not tell of `stubborn {command}`"));
        }
        let missing = options.iter().filter(|option| !is_told(option));
        failures.extend(missing.map(|option| format!("{CHAPTER} does not tell of {option} of {command}")));
    }
    for page in pages {
        for code in page.code() {
            failures.extend(unknown(&code, &commands).map(|what| format!("{}: {what}: {code}", page.name)));
        }
    }
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n")) }
}

/// What of a command that prose names there is not.
fn unknown(code: &str, commands: &[(String, Vec<String>)]) -> Option<String> {
    let mut words = code.strip_prefix("stubborn ")?.split([' ', '=']);
    let command = words.next()?;
    let is_placeholder = command.chars().all(|c| c.is_ascii_uppercase());
    if command.starts_with('-') || is_placeholder || command == "help" {
        return None;
    }
    let Some((_, options)) = commands.iter().find(|(name, _)| name == command) else {
        return Some(format!("there is no command {command}"));
    };
    let mut given = words.filter(|word| word.starts_with("--"));
    given
        .find(|option| !options.iter().any(|known| known == option))
        .map(|option| format!("there is no {option}"))
}

/// The commands, each with its long options.
fn commands() -> Vec<(String, Vec<String>)> {
    let help = binary::run(["--help"]).output;
    let list = help.split("Commands:\n").nth(1).unwrap_or_default();
    let lines = list.lines().take_while(|line| !line.is_empty());
    let names = lines.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help");
    let commands: Vec<(String, Vec<String>)> = names.map(|name| (name.to_owned(), options(name))).collect();
    assert!(commands.iter().any(|(name, options)| name == "check" && options.len() > 10), "{help}");
    commands
}

fn options(command: &str) -> Vec<String> {
    let help = binary::run([command, "--help"]).output;
    let of_options = help.lines().map(str::trim_start).filter(|line| line.starts_with('-'));
    let words = of_options.flat_map(|line| line.split([' ', ',']));
    let mut options: Vec<String> =
        words.filter(|word| word.starts_with("--") && *word != "--help").map(str::to_owned).collect();
    options.sort();
    options.dedup();
    options
}
