//! One table: file extension → front-end. The only place that knows them all.
//!
//! A model may be more than one file. Which file belongs to which model is told by its name ([`Language::belonging`]),
//! or by the texts that include it.

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
    /// Names of files with other extensions that can be parts of its models.
    pub files: &'static [&'static str],
    /// Words to offer where one types.
    pub keywords: &'static [Keyword],
    /// Whether these words cannot be names.
    pub reserves_keywords: bool,
    /// Characters of names besides letters, digits and `_`.
    pub name_characters: &'static [char],
    belonging: fn(&str) -> Belonging,
    load: Load,
    analyse: Analyse,
    format: fn(&str) -> Option<String>,
    expression: Express,
}

/// What a file is to a model in another one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Belonging {
    /// A part of it, if its text includes the file.
    IfIncluded,
    /// A part of the model in the file of this name beside it.
    To(String),
    /// A part of every model of the language beside it.
    ToAllBeside,
    /// Nothing: it is a model of its own.
    ToNone,
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
        files: &[],
        keywords: stubborn_promela::KEYWORDS,
        reserves_keywords: true,
        name_characters: &[],
        belonging: |_| Belonging::IfIncluded,
        load: stubborn_promela::load,
        analyse: stubborn_promela::load_with_outline,
        format: stubborn_promela::format,
        expression: stubborn_promela::expression,
    },
    Language {
        name: "dve",
        extensions: &["dve"],
        files: &[],
        keywords: stubborn_dve::KEYWORDS,
        reserves_keywords: true,
        name_characters: &[],
        belonging: |_| Belonging::ToNone,
        load: stubborn_dve::load,
        analyse: stubborn_dve::load_with_outline,
        format: stubborn_dve::format,
        expression: stubborn_dve::expression,
    },
    Language {
        name: "helena",
        extensions: &["lna"],
        files: &[],
        keywords: stubborn_helena::KEYWORDS,
        reserves_keywords: true,
        name_characters: &[],
        belonging: |name| stubborn_helena::net_of(name).map_or(Belonging::ToNone, Belonging::To),
        load: stubborn_helena::load,
        analyse: stubborn_helena::load_with_outline,
        format: stubborn_helena::format,
        expression: stubborn_helena::expression,
    },
    Language {
        name: "pnml",
        extensions: &["pnml"],
        files: stubborn_pnml::PROPERTY_FILES,
        keywords: stubborn_pnml::KEYWORDS,
        reserves_keywords: false,
        name_characters: &['-', '.'],
        belonging: |name| match stubborn_pnml::PROPERTY_FILES.contains(&name) {
            true => Belonging::ToAllBeside,
            false => Belonging::ToNone,
        },
        load: stubborn_pnml::load,
        analyse: stubborn_pnml::load_with_outline,
        format: stubborn_pnml::format,
        expression: stubborn_pnml::expression,
    },
];

/// The language of a file, by its name or its extension.
pub fn language_of(path: &Path) -> &'static Language {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let is_it = |language: &&Language| language.files.contains(&name) || language.has(path);
    LANGUAGES.iter().find(is_it).unwrap_or(&LANGUAGES[0])
}

impl Language {
    /// Whether a file has one of the language's extensions.
    pub fn has(&self, path: &Path) -> bool {
        let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default().to_ascii_lowercase();
        self.extensions.contains(&&*extension)
    }

    /// What a file is to models in other files, by its name.
    pub fn belonging(&self, path: &Path) -> Belonging {
        (self.belonging)(&path.file_name().unwrap_or_default().to_string_lossy())
    }

    /// Whether a text can be a name; if not, why.
    pub fn check_name(&self, name: &str) -> Result<(), String> {
        let mut letters = name.chars();
        let begins = letters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
        let goes_on = |c: char| c.is_ascii_alphanumeric() || c == '_' || self.name_characters.contains(&c);
        if !begins || !letters.all(goes_on) {
            let more: String = self.name_characters.iter().map(|c| format!(", `{c}`")).collect();
            return Err(format!("`{name}` is no name: letters, digits{more} and `_`, no digit first"));
        }
        match self.reserves_keywords && self.keywords.iter().any(|keyword| keyword.word == name) {
            true => Err(format!("`{name}` is a word of the language")),
            false => Ok(()),
        }
    }

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
        for (path, name) in [
            ("a.dve", "dve"),
            ("x/a.lna", "helena"),
            ("a.prop.lna", "helena"),
            ("model.pnml", "pnml"),
            ("x/LTLFireability.xml", "pnml"),
            ("any.xml", "promela"),
        ] {
            assert_eq!(language_of(Path::new(path)).name, name, "{path}");
        }
    }

    #[test]
    fn properties_belong_to_nets() {
        for (path, belonging) in [
            ("x/a.pml", Belonging::IfIncluded),
            ("x/a.dve", Belonging::ToNone),
            ("x/a.lna", Belonging::ToNone),
            ("x/a.prop.lna", Belonging::To("a.lna".to_owned())),
            ("x/model.pnml", Belonging::ToNone),
            ("x/LTLCardinality.xml", Belonging::ToAllBeside),
        ] {
            let path = Path::new(path);
            assert_eq!(language_of(path).belonging(path), belonging, "{}", path.display());
        }
    }

    #[test]
    fn names() {
        let check = |path: &str, name: &str| language_of(Path::new(path)).check_name(name).is_ok();
        assert!(
            check("a.pml", "x_1") && !check("a.pml", "1x") && !check("a.pml", "do") && !check("a.pml", "a-b")
        );
        assert!(check("a.pnml", "place") && check("a.pnml", "a-b.c") && !check("a.pnml", "<"));
        assert!(check("a.dve", "do") && !check("a.dve", "trans"));
    }
}
