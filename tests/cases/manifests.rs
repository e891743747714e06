//! The layers of the design, held against the manifests: an arrow that points the wrong way fails here.

use std::collections::BTreeMap;
use std::fs;

use stubborn_tests::workspace;
use toml::{Table, Value};

/// Which of the project's crates a crate may name in its manifest.
/// Crates that do not exist yet are listed all the same.
const ALLOWED: &[(&str, &[&str])] = &[
    ("base", &[]),
    ("ltl", &["base"]),
    ("ir", &["base", "ltl"]),
    ("promela", &["base", "ir", "ltl"]),
    ("nets", &["base", "ir"]),
    ("dve", &["base", "ir", "ltl"]),
    ("helena", &["base", "ir", "ltl", "nets"]),
    ("pnml", &["base", "ir", "ltl", "nets"]),
    ("languages", &["base", "ir", "promela", "dve", "helena", "pnml"]),
    ("convert", &["base", "ir"]),
    ("relations", &["base", "ir"]),
    ("reduce", &["base", "ir", "relations"]),
    ("search", &["base", "ir", "relations", "reduce", "ltl"]),
    ("trail", &["base", "ir", "ltl"]),
    ("native", &["base", "ir"]),
    ("check", &["base", "ir", "relations", "ltl", "reduce", "search", "trail", "native"]),
    // Given to whoever asks for a search; what it is a search for, it does not know.
    ("cluster", &["base", "ir", "relations", "reduce", "search"]),
    (
        "ide",
        &[
            "base",
            "ir",
            "promela",
            "dve",
            "helena",
            "pnml",
            "languages",
            "relations",
            "ltl",
            "reduce",
            "search",
            "trail",
            "check",
        ],
    ),
    (
        "lsp",
        &[
            "base",
            "ir",
            "promela",
            "dve",
            "helena",
            "pnml",
            "languages",
            "relations",
            "ltl",
            "reduce",
            "search",
            "trail",
            "check",
            "ide",
        ],
    ),
    (
        "dap",
        &[
            "base",
            "ir",
            "promela",
            "dve",
            "helena",
            "pnml",
            "languages",
            "relations",
            "ltl",
            "reduce",
            "search",
            "trail",
            "check",
            "ide",
        ],
    ),
    (
        "cli",
        &[
            "base",
            "ir",
            "promela",
            "dve",
            "helena",
            "pnml",
            "languages",
            "relations",
            "ltl",
            "reduce",
            "search",
            "trail",
            "check",
            "cluster",
            "convert",
            "ide",
            "lsp",
            "dap",
        ],
    ),
];

/// Crates from elsewhere that must not reach below the surfaces.
const SURFACE_ONLY: &[(&str, &[&str])] = &[
    ("clap", &["cli"]),
    ("indicatif", &["cli"]),
    ("codespan-reporting", &["cli"]),
    ("tokio", &["lsp", "dap", "cli"]),
    ("timely", &["cluster"]),
    ("tower-lsp", &["lsp", "cli"]),
    ("tower-lsp-server", &["lsp", "cli"]),
];

fn manifests() -> BTreeMap<String, Table> {
    let folder = workspace::root().join("crates");
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut found = BTreeMap::new();
    for entry in entries {
        let path = entry.expect("a readable folder").path();
        let manifest = path.join("Cargo.toml");
        if let Ok(text) = fs::read_to_string(&manifest) {
            let name = path.file_name().expect("an entry has a name").to_string_lossy().into_owned();
            let table = text.parse().unwrap_or_else(|error| panic!("{}: {error}", manifest.display()));
            found.insert(name, table);
        }
    }
    assert!(!found.is_empty(), "no crates in {}", folder.display());
    found
}

/// All dependencies of a manifest: normal, for building and per target. Tests may look wherever they like.
fn dependencies(manifest: &Table) -> Vec<String> {
    let mut names = Vec::new();
    for (key, value) in manifest {
        match (key.as_str(), value) {
            ("dependencies" | "build-dependencies", Value::Table(table)) => {
                names.extend(table.keys().cloned())
            }
            ("target", Value::Table(targets)) => {
                for target in targets.values().filter_map(Value::as_table) {
                    names.extend(dependencies(target));
                }
            }
            _ => {}
        }
    }
    names
}

#[test]
fn every_crate_has_its_place_in_the_design() {
    for name in manifests().keys() {
        assert!(
            ALLOWED.iter().any(|(known, _)| known == name),
            "crates/{name} is not in the table of layers"
        );
    }
}

#[test]
fn packages_are_named_after_their_folders() {
    for (folder, manifest) in manifests() {
        let name = manifest["package"]["name"].as_str().unwrap_or_default().to_string();
        assert_eq!(name, format!("stubborn-{folder}"));
    }
}

#[test]
fn dependencies_point_one_way() {
    let mut wrong = Vec::new();
    for (name, manifest) in manifests() {
        let allowed =
            ALLOWED.iter().find(|(known, _)| *known == name).map_or(&[][..], |(_, allowed)| allowed);
        for dependency in dependencies(&manifest) {
            let Some(inner) = dependency.strip_prefix("stubborn-") else { continue };
            if !allowed.contains(&inner) {
                wrong.push(format!("{name} must not depend on {inner}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn surfaces_stay_surfaces() {
    let mut wrong = Vec::new();
    for (name, manifest) in manifests() {
        for dependency in dependencies(&manifest) {
            let users = SURFACE_ONLY.iter().find(|(known, _)| *known == dependency);
            if users.is_some_and(|(_, users)| !users.contains(&name.as_str())) {
                wrong.push(format!("{name} must not depend on {dependency}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_table_itself_points_one_way() {
    for (idx, (name, allowed)) in ALLOWED.iter().enumerate() {
        for inner in *allowed {
            let position = ALLOWED.iter().position(|(known, _)| known == inner);
            assert!(
                position.is_some_and(|position| position < idx),
                "{name} lists {inner}, which comes later"
            );
        }
    }
}
