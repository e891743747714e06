//! Tables of tab-separated values with a header line. Empty lines and lines that begin with `#` do not count.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

/// A row, by the names of its columns.
pub type Row = BTreeMap<String, String>;

/// All rows of a table.
pub fn read(path: &Path) -> io::Result<Vec<Row>> {
    let text = fs::read_to_string(path)?;
    let mut lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let header: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    let row = |line: &str| {
        header.iter().map(|name| name.to_string()).zip(line.split('\t').map(String::from)).collect()
    };
    Ok(lines.map(row).collect())
}

/// A cell as text; empty if the row is too short.
pub fn text<'a>(row: &'a Row, column: &str) -> &'a str {
    row.get(column).map_or("", String::as_str)
}

/// A cell as a number.
pub fn number(row: &Row, column: &str) -> Option<u64> {
    text(row, column).replace(',', "").parse().ok()
}
