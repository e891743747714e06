//! What is said of speed: tables in the README, made of the newest record. Nobody copies a number by hand.

use std::fmt::Write as _;
use std::fs;

use serde_json::Value;
use stubborn_ide::lenses::grouped;

use crate::workspace;

/// The newest record, with its day.
pub fn newest() -> Result<(String, Value), String> {
    let folder = workspace::file("benchmarks/results");
    let entries = fs::read_dir(&folder).map_err(|error| format!("nothing was recorded: {error}"))?;
    let names = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "json"));
    let path = names.max().ok_or("nothing was recorded")?;
    let text = fs::read_to_string(&path).map_err(|error| error.to_string())?;
    let record: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let day = record["date"].as_str().ok_or("it has no date")?.to_owned();
    Ok((day, record))
}

/// The tables for the README.
pub fn tables(day: &str, record: &Value) -> Result<String, String> {
    let mut text = format!(
        "Measured on {day} on {} with {} threads, medians of five runs in turns ([the record](tests/benchmarks/results/{day}.json), which \
         `cargo run --release -p stubborn-tests --bin bench -- --record` makes anew).\n\n",
        record["machine"]["processor"].as_str().unwrap_or("an unknown processor"),
        record["machine"]["threads"],
    );
    text += "Visiting all states, without reduction, by one thread: SPIN's verifier is compiled with `-O2 -DSAFETY -DNOREDUCE` from \
             `spin -o1 -o2 -o3 -a`, and its compilation is not counted.\n\n";
    text += "| model | states | SPIN's verifier | Stubborn | times as fast | bytes for each state: SPIN | Stubborn |\n";
    text += "| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n";
    for row in rows(record, "explore").filter(|row| !name(row).contains('/')) {
        let (Some(ours), Some(theirs)) = (of(row, "stubborn"), of(row, "spin")) else { continue };
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {:.2} | {:.0} | {:.0} |",
            name(row),
            grouped(ours["states"].as_u64().ok_or("no states")?),
            time(seconds(theirs)?),
            time(seconds(ours)?),
            seconds(theirs)? / seconds(ours)?,
            theirs["bytes_per_state"].as_f64().ok_or("no bytes")?,
            ours["bytes_per_state"].as_f64().ok_or("no bytes")?,
        );
    }
    text += "\nFrom the text of a model to the verdict on it: for SPIN, `spin -a`, `gcc -O2` and `pan`, each with its default reduction.\n\n";
    text += "| model | SPIN | Stubborn | times as fast |\n| --- | ---: | ---: | ---: |\n";
    for row in rows(record, "edit-to-verdict") {
        let (Some(ours), Some(theirs)) = (of(row, "stubborn"), of(row, "spin")) else { continue };
        let (ours, theirs) = (seconds(ours)?, seconds(theirs)?);
        let _ =
            writeln!(text, "| {} | {} | {} | {:.0} |", name(row), time(theirs), time(ours), theirs / ours);
    }
    Ok(text)
}

fn rows<'r>(record: &'r Value, kind: &'r str) -> impl Iterator<Item = &'r Value> {
    record["benchmarks"].as_array().into_iter().flatten().filter(move |row| row["kind"] == kind)
}

fn name(row: &Value) -> &str {
    row["name"].as_str().unwrap_or_default()
}

fn of<'r>(row: &'r Value, program: &str) -> Option<&'r Value> {
    row["programs"].as_array()?.iter().find(|runs| runs["program"] == program)
}

fn seconds(runs: &Value) -> Result<f64, String> {
    runs["seconds"].as_f64().ok_or_else(|| "no time".to_owned())
}

/// Two digits that mean something.
fn time(seconds: f64) -> String {
    if seconds < 1.0 { format!("{:.0} ms", seconds * 1000.0) } else { format!("{seconds:.1} s") }
}
