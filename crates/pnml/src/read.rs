//! Text in, net and properties out.
//!
//! The properties are those of the contest's files beside the net. Invariant: nothing is read twice; diagnostics are in
//! the order of the files and of their texts.

use std::path::Path;
use std::sync::Arc;

use stubborn_base::{Diagnostic, Loader, Sources};
use stubborn_nets::Net;

use crate::build::build;
use crate::formula::Property;
use crate::properties::{self, Names};
use crate::report::Report;
use crate::skeleton::Skeleton;
use crate::term::Term;
use crate::xml::{self, Document};

/// The property files of the contest that are read.
pub const PROPERTY_FILES: &[&str] = &[
    "ReachabilityCardinality.xml",
    "ReachabilityFireability.xml",
    "LTLCardinality.xml",
    "LTLFireability.xml",
];

/// A net as it was read.
#[derive(Debug)]
pub struct Read {
    /// All files that were read; the first is the net.
    pub sources: Sources,
    /// What there is to say about them.
    pub diagnostics: Vec<Diagnostic>,
    /// The net, unless there are errors in it.
    pub net: Option<Net<Term>>,
    /// Its properties, in the order of the files.
    pub properties: Vec<Property>,
}

/// Reads a net and its properties. Nothing can be defined beforehand.
pub fn read(path: &Path, text: Arc<str>, loader: &dyn Loader, _defines: &[(String, String)]) -> Read {
    understand(&mut Files::read(path, text, loader))
}

/// The files of a net as XML.
#[derive(Debug)]
pub(crate) struct Files {
    pub(crate) sources: Sources,
    pub(crate) net: Document,
    /// With the names of the files, without extension.
    pub(crate) properties: Vec<(&'static str, Document)>,
    report: Report,
}

impl Files {
    /// Reads a net's file and those beside it.
    pub(crate) fn read(path: &Path, text: Arc<str>, loader: &dyn Loader) -> Files {
        let mut sources = Sources::new();
        let mut report = Report::default();
        let file = sources.add(path, text.clone());
        let net = xml::parse(file, &text, &mut report);
        let mut properties = Vec::new();
        let is_net = !PROPERTY_FILES.iter().any(|name| path.ends_with(name));
        for name in PROPERTY_FILES.iter().filter(|_| is_net) {
            if let Some((path, text)) = loader.load(path, name) {
                let file = sources.add(path, text.clone());
                let stem = name.strip_suffix(".xml").unwrap_or(name);
                properties.push((stem, xml::parse(file, &text, &mut report)));
            }
        }
        Files { sources, net, properties, report }
    }

    /// All files, in order.
    pub(crate) fn documents(&self) -> impl Iterator<Item = &Document> {
        std::iter::once(&self.net).chain(self.properties.iter().map(|(_, document)| document))
    }
}

/// What the files say; takes the sources and the report out of them. Of a file that is not well formed, nothing else is
/// said.
pub(crate) fn understand(files: &mut Files) -> Read {
    let sources = std::mem::take(&mut files.sources);
    let mut report = std::mem::take(&mut files.report);
    let mut net = None;
    let mut properties = Vec::new();
    if report.is_clean(files.net.file)
        && let Some(skeleton) = Skeleton::read(&files.net, &mut report)
    {
        net = build(&skeleton, &mut report).filter(|_| report.is_clean(files.net.file));
        let names = Names::new(&skeleton);
        for (stem, document) in &files.properties {
            if report.is_clean(document.file) {
                properties.extend(properties::read(document, stem, &names, &mut report));
            }
        }
    }
    let mut diagnostics = report.diagnostics;
    diagnostics.sort_by_key(|d| (d.span.file, d.span.start));
    Read { sources, diagnostics, net, properties }
}
