//! Tables as text, which are Markdown as well, and how numbers look in them.

use std::fmt;

/// A table: the first column is for names, the others for numbers.
pub(crate) struct Grid {
    rows: Vec<Vec<String>>,
}

impl Grid {
    pub(crate) fn new<S: Into<String>>(header: impl IntoIterator<Item = S>) -> Grid {
        Grid { rows: vec![header.into_iter().map(Into::into).collect()] }
    }

    pub(crate) fn add(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n_columns = self.rows[0].len();
        let width = |column: usize| {
            self.rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max()
        };
        let widths: Vec<usize> = (0..n_columns).map(|column| width(column).unwrap_or(0).max(3)).collect();
        for (i, row) in self.rows.iter().enumerate() {
            for (column, &width) in widths.iter().enumerate() {
                let cell = row.get(column).map_or("", String::as_str);
                match column {
                    0 => write!(f, "| {cell:<width$} |")?,
                    _ => write!(f, " {cell:>width$} |")?,
                }
            }
            writeln!(f)?;
            if i == 0 {
                write!(f, "| {} |", "-".repeat(widths[0]))?;
                widths[1..].iter().try_for_each(|width| write!(f, " {}: |", "-".repeat(width - 1)))?;
                writeln!(f)?;
            }
        }
        Ok(())
    }
}

/// Two figures for the same thing.
pub(crate) fn versus(theirs: Option<String>, ours: &str) -> String {
    format!("{} / {ours}", theirs.unwrap_or_else(|| "n/a".into()))
}
