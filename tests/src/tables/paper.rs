//! The figures of tables 2 to 8 of Laarman, Pater, van de Pol and Hansen, "Guard-based partial-order
//! reduction in LTSmin", as they are copied in `paper/`. A column has the name of our reduction where we have
//! the same.

use stubborn_tests::table::{self, Row};
use stubborn_tests::workspace;

/// Everything that is copied from the paper.
pub(crate) struct Paper {
    /// Tables 2 and 4: percent of the states.
    pub(crate) states: Published,
    /// Tables 2 and 4: states per second.
    pub(crate) speed: Published,
    /// Table 3: transitions per state.
    pub(crate) branching: Published,
    /// Table 5: percent of the states.
    pub(crate) table_5: Published,
    /// Table 6.
    pub(crate) table_6: Published,
    /// Tables 7 and 8.
    pub(crate) liveness: Published,
}

/// A table, a row per model.
pub(crate) struct Published(Vec<Row>);

impl Paper {
    pub(crate) fn read() -> Paper {
        let read = |name: &str| {
            let path = workspace::file("src/tables/paper").join(name);
            Published(table::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
        };
        Paper {
            states: read("states.tsv"),
            speed: read("speed.tsv"),
            branching: read("branching.tsv"),
            table_5: read("table5.tsv"),
            table_6: read("table6.tsv"),
            liveness: read("liveness.tsv"),
        }
    }
}

impl Paper {
    /// LTSmin's states per second without reduction, unless its start takes most of the time.
    pub(crate) fn unreduced_speed(&self, model: &str) -> Option<f64> {
        let states = self.table_6.number(model, "states")?;
        let seconds = self.table_6.number(model, "ltsmin s").filter(|seconds| *seconds >= 1.0)?;
        Some(states / seconds)
    }
}

impl Published {
    /// The models, in the order of the table.
    pub(crate) fn models(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|row| table::text(row, "model"))
    }

    /// A cell as it is printed there, if there is such a model and column, and something in the cell.
    pub(crate) fn cell(&self, model: &str, column: &str) -> Option<&str> {
        let row = self.0.iter().find(|row| table::text(row, "model") == model)?;
        Some(table::text(row, column)).filter(|text| !text.is_empty())
    }

    pub(crate) fn number(&self, model: &str, column: &str) -> Option<f64> {
        self.cell(model, column)?.parse().ok()
    }
}
