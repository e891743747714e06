//! Models written by others, with what SPIN says about them. They are not part of the project: a machine
//! may lack them.

use std::path::{Path, PathBuf};

use crate::table::{self, Row};
use crate::workspace;

/// The folder of all models: `$STUBBORN_CORPUS`, or beside the workspace, whether or not it is there.
pub fn models() -> PathBuf {
    match std::env::var_os("STUBBORN_CORPUS") {
        Some(path) => PathBuf::from(path),
        None => workspace::root().join("../shared/models"),
    }
}

/// The folder of models, and the table about them.
pub struct Corpus {
    folder: PathBuf,
    rows: Vec<Row>,
}

impl Corpus {
    /// The corpus at `$STUBBORN_CORPUS`, or beside the workspace. The error says where it was looked for.
    pub fn find() -> Result<Corpus, String> {
        let folder = models().join("promela");
        let table = folder.join("expected-spin-6.5.2.tsv");
        let rows = table::read(&table).map_err(|error| format!("no corpus: {}: {error}", table.display()))?;
        Ok(Corpus { folder, rows })
    }

    /// What SPIN says, a row per file.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Where a file is.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// The folder of the Promela models.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}
