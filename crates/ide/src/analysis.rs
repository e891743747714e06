//! What is known of a model's text: read once per version, asked many times.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use stubborn_base::outline::{Mention, Outline, Symbol};
use stubborn_base::{Diagnostic, FileId, Sources, Span};
use stubborn_check::{Property, properties};
use stubborn_ir::{Fingerprint, Model};
use stubborn_languages::{Language, Loaded, Loader, language_of};

use crate::surveyor::Surveyor;

/// A model's text and what it means.
#[derive(Debug)]
pub struct Analysis {
    /// Its language.
    pub language: &'static Language,
    /// The files that took part; the first one is the model itself.
    pub sources: Sources,
    /// What is wrong with them.
    pub diagnostics: Vec<Diagnostic>,
    /// Names, words and blocks.
    pub outline: Outline,
    /// The model, unless there are errors.
    pub model: Option<Arc<Model>>,
    /// What can be asked of the model.
    pub properties: Vec<Property>,
    /// Tells the model from others.
    pub fingerprint: Option<Fingerprint>,
    surveyor: OnceLock<Surveyor>,
}

impl Analysis {
    /// Reads a text.
    pub fn new(path: &Path, text: Arc<str>, loader: &dyn Loader, defines: &[(String, String)]) -> Self {
        let language = language_of(path);
        let (Loaded { sources, diagnostics, model }, outline) = language.analyse(path, text, loader, defines);
        Analysis {
            language,
            properties: model.as_ref().map(properties).unwrap_or_default(),
            fingerprint: model.as_ref().map(Model::fingerprint),
            model: model.map(Arc::new),
            sources,
            diagnostics,
            outline,
            surveyor: OnceLock::new(),
        }
    }

    /// Of a text that could not be read for a defect of ours.
    pub(crate) fn failed(path: &Path, text: Arc<str>) -> Self {
        let unread = Analysis::unread(path, text, None);
        let message = "internal error, please report it: the front-end panicked on this text";
        let wrong = Diagnostic::error("internal", Span::new(FileId(0), 0, 0), message);
        Analysis { diagnostics: vec![wrong], ..unread }
    }

    /// Of a text, and perhaps a part of the model, that is still to be read.
    pub(crate) fn unread(path: &Path, text: Arc<str>, part: Option<(&Path, Arc<str>)>) -> Self {
        let mut sources = Sources::new();
        sources.add(path, text);
        if let Some((part, text)) = part {
            sources.add(part, text);
        }
        Analysis {
            language: language_of(path),
            sources,
            diagnostics: Vec::new(),
            outline: Outline::default(),
            model: None,
            properties: Vec::new(),
            fingerprint: None,
            surveyor: OnceLock::new(),
        }
    }

    /// Who knows the relations of the model, if there is one.
    pub fn surveyor(&self) -> Option<&Surveyor> {
        let model = self.model.as_ref()?;
        Some(self.surveyor.get_or_init(|| Surveyor::start(model.clone())))
    }

    /// The file of a path, if it took part.
    pub fn file(&self, path: &Path) -> Option<FileId> {
        self.sources.iter().find(|(_, file)| file.path() == path).map(|(id, _)| id)
    }

    /// The path of a place.
    pub fn path(&self, span: Span) -> &Path {
        self.sources.file(span.file).path()
    }

    /// The paths of all files that took part.
    pub fn paths(&self) -> impl Iterator<Item = PathBuf> + '_ {
        self.sources.iter().map(|(_, file)| file.path().to_owned())
    }

    /// The mention of a symbol at a place; the end of a name belongs to it.
    pub fn mention_at(&self, file: FileId, offset: u32) -> Option<Mention> {
        let mentions = &self.outline.mentions;
        let after = mentions.partition_point(|m| (m.span.file, m.span.start) <= (file, offset));
        let mention = *mentions[..after].last()?;
        (mention.span.file == file && offset <= mention.span.end).then_some(mention)
    }

    /// The symbol that a mention is about.
    pub fn symbol(&self, mention: Mention) -> &Symbol {
        &self.outline.symbols[mention.symbol]
    }

    /// A property's place, if it is stated in the text.
    pub fn property_span(&self, property: &Property) -> Option<Span> {
        let model = self.model.as_ref()?;
        property.span(model)
    }
}

/// Whether a place is in a span; its end is.
pub(crate) fn touches(span: Span, file: FileId, offset: u32) -> bool {
    span.file == file && span.start <= offset && offset <= span.end
}
