//! The figures of the paper, as they are copied in `paper.tsv`.

use stubborn_tests::table::{self, Row};
use stubborn_tests::workspace;

pub(crate) struct Paper(Vec<Row>);

impl Paper {
    pub(crate) fn read() -> Paper {
        let path = workspace::file("src/directed/paper.tsv");
        Paper(table::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
    }

    /// What a table says of a model in a column: its `states`, `length`, `memory` in MB or `time` in seconds.
    pub(crate) fn cell<'a>(&'a self, table: u32, model: &str, column: &str, what: &str) -> &'a str {
        let is_it = |row: &&Row| {
            table::text(row, "table") == table.to_string()
                && table::text(row, "model") == model
                && table::text(row, "column") == column
        };
        let found = self.0.iter().find(is_it).map_or("", |row| table::text(row, what));
        if found.is_empty() { "n/a" } else { found }
    }

    /// The least length in any column about a model, prefix and cycle together.
    pub(crate) fn least(&self, tables: &[u32], model: &str) -> Option<usize> {
        let rows = self.0.iter().filter(|row| {
            let table = table::number(row, "table").unwrap_or(0) as u32;
            tables.contains(&table) && table::text(row, "model") == model
        });
        let sum = |row: &Row| {
            let parts = table::text(row, "length").split('+').map(|part| part.parse::<usize>().ok());
            parts.sum::<Option<usize>>()
        };
        rows.filter_map(sum).min()
    }
}
