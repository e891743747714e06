//! Real nets, if they are at hand: those of the Model Checking Contest.
//!
//! They are not in the repository: `$STUBBORN_CORPUS` names the folder of all models, or they are looked for next to
//! the workspace, in `../shared/models`.

#![allow(clippy::print_stderr)]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::formula::Statement;

/// Finds files next to those that ask for them.
pub(crate) struct Disk;

impl crate::Loader for Disk {
    fn load(&self, includer: &Path, name: &str) -> Option<(PathBuf, Arc<str>)> {
        let path = includer.parent()?.join(name);
        Some((path.clone(), std::fs::read_to_string(path).ok()?.into()))
    }
}

/// Nets with their texts, in the order of their names.
pub(crate) fn corpus() -> Vec<(PathBuf, Arc<str>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let real = std::env::var_os("STUBBORN_CORPUS").map_or(root.join("../shared/models"), PathBuf::from);
    let folder = real.join("pnml");
    let entries = std::fs::read_dir(&folder).into_iter().flatten();
    let mut paths: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path().join("model.pnml"))).collect();
    paths.sort();
    let read = |path: PathBuf| Some((path.clone(), std::fs::read_to_string(path).ok()?.into()));
    let nets: Vec<(PathBuf, Arc<str>)> = paths.into_iter().filter_map(read).collect();
    if nets.is_empty() {
        eprintln!("SKIPPED: no nets in {}; set STUBBORN_CORPUS", folder.display());
    }
    nets
}

#[test]
fn all_nets_and_properties_are_understood() {
    for (path, text) in corpus() {
        let name = path.display();
        let read = crate::read(&path, text.clone(), &Disk, &[]);
        assert_eq!(read.diagnostics, [], "{name}");
        let net = read.net.unwrap_or_else(|| panic!("{name}: there is a net"));
        assert_eq!(net.places.len(), text.matches("<place ").count(), "{name}: places");
        assert_eq!(net.transitions.len(), text.matches("<transition ").count(), "{name}: transitions");
        let n_arcs: usize = net.transitions.iter().map(|t| t.inputs.len() + t.outputs.len()).sum();
        assert!(n_arcs <= text.matches("<arc ").count(), "{name}: arcs");
        assert_eq!(read.properties.len(), 64, "{name}: properties");
        for (at, property) in read.properties.iter().enumerate() {
            let stem = crate::read::PROPERTY_FILES[at / 16].trim_end_matches(".xml");
            assert_eq!(property.name, format!("{stem}-{:02}", at % 16), "{name}");
            assert!(read.sources.text(property.span).ends_with(&*property.name), "{name}");
            let is_temporal = matches!(property.statement, Statement::Ltl(_));
            assert!(at >= 32 || !is_temporal, "{name}: {}", property.name);
        }
    }
}

#[test]
fn names_are_those_of_the_table_of_verdicts() {
    let nets = corpus();
    let Some(folder) = nets.first().and_then(|(path, _)| path.parent()?.parent()) else { return };
    let table = std::fs::read_to_string(folder.join("expected-verdicts.tsv")).expect("it is beside the nets");
    for (path, text) in &nets {
        let instance = path.parent().and_then(Path::file_name).and_then(|n| n.to_str()).unwrap_or_default();
        let rows = table.lines().filter_map(|row| row.strip_prefix(instance)?.strip_prefix('\t'));
        let mut wanted: Vec<&str> = rows.filter_map(|row| row.split('\t').next()).collect();
        wanted.retain(|name| *name != "ReachabilityDeadlock");
        wanted.sort_unstable();
        let read = crate::read(path, text.clone(), &Disk, &[]);
        let mut found: Vec<&str> = read.properties.iter().map(|p| &*p.name).collect();
        found.sort_unstable();
        assert_eq!(found, wanted, "{instance}");
    }
}

#[test]
fn all_nets_become_models() {
    for (path, text) in corpus() {
        let (loaded, outline) = crate::load_with_outline(&path, text, &Disk, &[]);
        assert_eq!(loaded.diagnostics, [], "{}", path.display());
        let n_claims = loaded.model.map(|model| model.claims.len());
        assert_eq!(n_claims, Some(64), "{}", path.display());
        let overlaps = |pair: &[stubborn_base::outline::Word]| {
            pair[0].span.file == pair[1].span.file && pair[0].span.end > pair[1].span.start
        };
        assert!(!outline.words.windows(2).any(overlaps), "{}", path.display());
        for mention in &outline.mentions {
            assert_eq!(loaded.sources.text(mention.span), outline.symbols[mention.symbol].name);
        }
    }
}
