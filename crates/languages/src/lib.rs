//! One table: file extension → front-end. The only place that knows them all.

use std::path::Path;
use std::sync::Arc;

use stubborn_base::outline::{Keyword, Outline};
use stubborn_ir::{LocationId, ProcessTypeId, Typed};

pub use stubborn_base::{BadExpression, Loader};
pub use stubborn_ir::Loaded;

/// A modelling language.
#[derive(Debug)]
pub struct Language {
    /// Its name, in lower case.
    pub name: &'static str,
    /// Extensions of its files, without the dot.
    pub extensions: &'static [&'static str],
    /// Words to offer where one types.
    pub keywords: &'static [Keyword],
    load: Load,
    analyse: Analyse,
    format: fn(&str) -> Option<String>,
    expression: Express,
}

/// Reads a model: its path and text, the files it includes, macros defined beforehand.
type Load = fn(&Path, Arc<str>, &dyn Loader, &[(String, String)]) -> Loaded;

/// The same with what an editor wants to know of the text.
type Analyse = fn(&Path, Arc<str>, &dyn Loader, &[(String, String)]) -> (Loaded, Outline);

/// Reads an expression as it would stand in a model, given like the above: outside of all processes, or at a location.
type Express = fn(
    &Path,
    &str,
    &dyn Loader,
    &[(String, String)],
    &str,
    Option<(ProcessTypeId, LocationId)>,
) -> Result<Typed, BadExpression>;

/// All languages. Files of unknown extension are read as the first: many Promela
/// models have none.
pub static LANGUAGES: &[Language] = &[
    Language {
        name: "promela",
        extensions: &["pml", "prm", "promela", "spin", "pr"],
        keywords: stubborn_promela::KEYWORDS,
        load: stubborn_promela::load,
        analyse: stubborn_promela::load_with_outline,
        format: stubborn_promela::format,
        expression: stubborn_promela::expression,
    },
    Language {
        name: "dve",
        extensions: &["dve"],
        keywords: stubborn_dve::KEYWORDS,
        load: stubborn_dve::load,
        analyse: stubborn_dve::load_with_outline,
        format: stubborn_dve::format,
        expression: stubborn_dve::expression,
    },
    Language {
        name: "helena",
        extensions: &["lna"],
        keywords: stubborn_helena::KEYWORDS,
        load: stubborn_helena::load,
        analyse: stubborn_helena::load_with_outline,
        format: stubborn_helena::format,
        expression: stubborn_helena::expression,
    },
    Language {
        name: "pnml",
        extensions: &["pnml"],
        keywords: stubborn_pnml::KEYWORDS,
        load: stubborn_pnml::load,
        analyse: stubborn_pnml::load_with_outline,
        format: stubborn_pnml::format,
        expression: stubborn_pnml::expression,
    },
];

/// The language of a file, by its extension.
pub fn language_of(path: &Path) -> &'static Language {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default().to_ascii_lowercase();
    LANGUAGES.iter().find(|l| l.extensions.contains(&&*extension)).unwrap_or(&LANGUAGES[0])
}

impl Language {
    /// Reads a model. `defines` are what the command line defines, for languages
    /// with a preprocessor.
    pub fn load(
        &self,
        path: &Path,
        text: Arc<str>,
        loader: &dyn Loader,
        defines: &[(String, String)],
    ) -> Loaded {
        (self.load)(path, text, loader, defines)
    }

    /// Reads a model, and tells what an editor wants to know of its text.
    pub fn analyse(
        &self,
        path: &Path,
        text: Arc<str>,
        loader: &dyn Loader,
        defines: &[(String, String)],
    ) -> (Loaded, Outline) {
        (self.analyse)(path, text, loader, defines)
    }

    /// Reads an expression as it would stand in a model that was read without errors: outside of all processes, or
    /// at a location of one.
    pub fn expression(
        &self,
        path: &Path,
        model: &str,
        loader: &dyn Loader,
        defines: &[(String, String)],
        text: &str,
        at: Option<(ProcessTypeId, LocationId)>,
    ) -> Result<Typed, BadExpression> {
        (self.expression)(path, model, loader, defines, text, at)
    }

    /// The text laid out as is usual, with all its comments; none if it has errors that stand in the way.
    pub fn format(&self, text: &str) -> Option<String> {
        (self.format)(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_extension_or_promela() {
        for path in ["a.pml", "b/c.prm", "x.PML", "y.promela", "z.spin", "w.pr", "leader", "model.txt", "a.1"]
        {
            assert_eq!(language_of(Path::new(path)).name, "promela", "{path}");
        }
    }
}
