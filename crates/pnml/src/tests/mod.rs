//! Small nets of our own.
//!
//! [`check`] is the only caller of the front-end here. Invariant: a net that is read is lowered as well.

mod coloured;
mod explore;
mod mistakes;
mod noise;
mod plain;
mod questions;
mod watches;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use stubborn_base::Loader;
use stubborn_nets::Net;

use crate::{Read, Term};

/// Files by their names.
pub(crate) struct Beside(pub(crate) Vec<(&'static str, String)>);

impl Loader for Beside {
    fn load(&self, _: &Path, name: &str) -> Option<(PathBuf, Arc<str>)> {
        let (name, text) = self.0.iter().find(|(known, _)| *known == name)?;
        Some((PathBuf::from(name), text.as_str().into()))
    }
}

/// A net around the content of its page.
pub(crate) fn net(ty: &str, declarations: &str, page: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?>\n<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">\n\
         <net id=\"N\" type=\"http://www.pnml.org/version-2009/grammar/{ty}\">\n\
         <declaration><structure><declarations>{declarations}</declarations></structure></declaration>\n\
         <page id=\"page\">\n{page}\n</page>\n</net>\n</pnml>\n"
    )
}

/// A place/transition net.
pub(crate) fn plain(page: &str) -> String {
    net("ptnet", "", page)
}

/// Reads a net without properties.
pub(crate) fn check(text: &str) -> Read {
    check_with(text, Vec::new())
}

/// Reads a net with the files beside it.
pub(crate) fn check_with(text: &str, beside: Vec<(&'static str, String)>) -> Read {
    crate::read(Path::new("model.pnml"), text.into(), &Beside(beside), &[])
}

/// The net of a text without mistakes.
pub(crate) fn sound(text: &str) -> Net<Term> {
    let read = check(text);
    assert_eq!(read.diagnostics, []);
    read.net.expect("there are no errors")
}

/// The code and the place of each mistake.
pub(crate) fn mistakes(text: &str) -> Vec<(&'static str, String)> {
    let read = check(text);
    assert!(read.net.is_none() || read.diagnostics.is_empty());
    read.diagnostics.iter().map(|d| (d.code, read.sources.text(d.span).to_owned())).collect()
}
