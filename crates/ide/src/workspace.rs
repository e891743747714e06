//! The open texts, the models among them, and what is known of each.
//!
//! One owner calls this, one call at a time. A text that an open model includes is part of that model; any other open
//! text is a model of its own. Changes only mark models; [`Workspace::refresh`] reads them again and starts checks, so
//! many changes at once cost as much as one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use stubborn_base::FileId;

use crate::analysis::Analysis;
use crate::checking::{Checker, Listener, News, Report, Task, TaskId};
use crate::settings::{Settings, When};
use crate::texts::{Texts, normal};
use crate::verdicts::Verdicts;

/// A model that is open.
#[derive(Debug)]
pub struct Root {
    /// Its text, read.
    pub analysis: Arc<Analysis>,
    /// What is known of it.
    pub verdicts: Verdicts,
    /// The step of a trail that is being looked at.
    pub selected: Option<Selected>,
    /// Its own or an included text changed since it was read.
    is_dirty: bool,
    /// It is to be checked as a whole.
    is_wanted: bool,
}

/// A step of a property's trail.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Selected {
    /// The property.
    pub property: String,
    /// The step, from 0.
    pub step: usize,
}

/// All of it.
#[derive(Debug)]
pub struct Workspace {
    texts: Texts,
    settings: Settings,
    roots: BTreeMap<PathBuf, Root>,
    checker: Checker,
    /// Files that problems were told of, by model.
    told: BTreeMap<PathBuf, BTreeSet<PathBuf>>,
}

impl Workspace {
    /// Nothing open yet. Checks report to the listener, which must get them to [`Workspace::take`].
    pub fn new(listener: Listener) -> Self {
        Workspace {
            texts: Texts::default(),
            settings: Settings::default(),
            roots: BTreeMap::new(),
            checker: Checker::new(listener),
            told: BTreeMap::new(),
        }
    }

    /// The texts.
    pub fn texts(&self) -> &Texts {
        &self.texts
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Other settings; whatever depends on them is done again.
    pub fn set_settings(&mut self, settings: Settings) {
        if settings == self.settings {
            return;
        }
        self.checker.set_threads(settings.threads);
        let asks_otherwise = settings.config(false) != self.settings.config(false);
        self.settings = settings;
        if asks_otherwise {
            self.checker.cancel(|_| true);
        }
        for root in self.roots.values_mut() {
            root.is_dirty = true;
            if asks_otherwise {
                root.verdicts.forget();
                root.is_wanted = self.settings.check != When::Demand;
            }
        }
    }

    /// A text is open now, or another one than before.
    pub fn set_text(&mut self, path: &Path, text: impl Into<Arc<str>>, version: i32) {
        let path = normal(path);
        let is_new = self.texts.get(&path).is_none();
        self.texts.set(&path, text, version);
        self.touch(&path);
        if is_new && !self.is_included(&path) {
            self.read(&path);
        }
    }

    /// A text is closed: what is on disk counts.
    pub fn close(&mut self, path: &Path) {
        let path = normal(path);
        self.texts.close(&path);
        self.roots.remove(&path);
        self.checker.cancel(|task| task.path == path);
        self.touch(&path);
        // What only the closed model included is a model of its own now.
        let open: Vec<PathBuf> = self.texts.iter().map(|(path, _)| path.to_owned()).collect();
        for other in open {
            if !self.roots.contains_key(&other) && !self.is_included(&other) {
                self.read(&other);
            }
        }
    }

    /// A file changed on disk.
    pub fn changed_on_disk(&mut self, path: &Path) {
        let path = normal(path);
        if self.texts.get(&path).is_none() {
            self.touch(&path);
        }
    }

    /// A text was saved: the models it belongs to are checked as a whole.
    pub fn saved(&mut self, path: &Path) {
        if self.settings.check != When::Demand {
            self.want(path);
        }
    }

    /// The models a text belongs to are checked as a whole, whatever the settings.
    pub fn want(&mut self, path: &Path) {
        let path = normal(path);
        for root in self.roots.values_mut().filter(|root| root.analysis.file(&path).is_some()) {
            root.is_wanted = true;
        }
    }

    /// Stops the checks of the models that a text belongs to, or all.
    pub fn cancel(&mut self, path: Option<&Path>) {
        let path = path.map(normal);
        let is_meant = |root: &Root| path.as_ref().is_none_or(|path| root.analysis.file(path).is_some());
        for (name, root) in self.roots.iter_mut().filter(|(_, root)| is_meant(root)) {
            self.checker.cancel(|task| task.path == *name);
            root.verdicts.interrupt();
            root.is_wanted = false;
        }
    }

    /// Stops one check.
    pub fn cancel_task(&mut self, id: TaskId) {
        self.checker.cancel(|task| task.id == id);
        let path = self.checker.path_of(id);
        if let Some(root) = path.and_then(|path| self.roots.get_mut(&path)) {
            root.verdicts.interrupt();
        }
    }

    /// The models, by path.
    pub fn roots(&self) -> impl Iterator<Item = (&Path, &Root)> {
        self.roots.iter().map(|(path, root)| (&**path, root))
    }

    /// A model.
    pub fn root(&self, path: &Path) -> Option<&Root> {
        self.roots.get(&normal(path))
    }

    /// The model that a text belongs to, and the text's number in it: its own if it is one.
    pub fn root_of(&self, path: &Path) -> Option<(&Path, &Root, FileId)> {
        let path = normal(path);
        if let Some((name, root)) = self.roots.get_key_value(&path) {
            return Some((name, root, FileId(0)));
        }
        self.roots.iter().find_map(|(name, root)| Some((&**name, root, root.analysis.file(&path)?)))
    }

    /// Selects a step of a trail.
    pub fn select(&mut self, path: &Path, selected: Option<Selected>) {
        if let Some(root) = self.roots.get_mut(&normal(path)) {
            root.selected = selected;
        }
    }

    /// Reads what has changed again and starts the checks that are due; the models about which something is new.
    pub fn refresh(&mut self) -> Vec<PathBuf> {
        let dirty = |root: &Root| root.is_dirty || root.is_wanted;
        let paths: Vec<PathBuf> =
            self.roots.iter().filter(|(_, root)| dirty(root)).map(|(path, _)| path.clone()).collect();
        for path in &paths {
            if self.roots[path].is_dirty {
                self.read(path);
            }
            self.check(path);
        }
        paths
    }

    /// Takes in what a check reports; the model about which something is new.
    pub fn take(&mut self, report: &Report) -> Option<PathBuf> {
        if let News::Finished { .. } = report.news {
            self.checker.finished(report.task.id);
        }
        let root = self.roots.get_mut(&report.task.path)?;
        root.verdicts.take(report).then(|| report.task.path.clone())
    }

    /// Whether something is being checked.
    pub fn is_checking(&self) -> bool {
        self.checker.tasks().next().is_some()
    }

    /// Notes which files problems of a model are told of; those of which nothing is to be told any more.
    pub fn tell(&mut self, root: &Path, files: BTreeSet<PathBuf>) -> Vec<PathBuf> {
        let before = self.told.insert(root.to_owned(), files).unwrap_or_default();
        before.difference(&self.told[root]).cloned().collect()
    }

    /// Files that problems of models were told of that are closed now.
    pub fn untold(&mut self) -> Vec<PathBuf> {
        let gone: Vec<PathBuf> =
            self.told.keys().filter(|path| !self.roots.contains_key(*path)).cloned().collect();
        gone.iter().flat_map(|path| self.told.remove(path).unwrap_or_default()).collect()
    }

    /// Every model that a text belongs to has to be read again.
    fn touch(&mut self, path: &Path) {
        for (name, root) in &mut self.roots {
            root.is_dirty |= name == path || root.analysis.file(path).is_some();
        }
    }

    fn is_included(&self, path: &Path) -> bool {
        self.roots.iter().any(|(name, root)| name != path && root.analysis.file(path).is_some())
    }

    fn read(&mut self, path: &Path) {
        let Some(document) = self.texts.get(path) else { return };
        let analysis = Analysis::new(path, document.text.clone(), &self.texts, &self.settings.defines);
        let analysis = Arc::new(analysis);
        // What it includes is no model of its own.
        for included in analysis.paths().skip(1) {
            if self.roots.remove(&included).is_some() {
                self.checker.cancel(|task| task.path == included);
            }
        }
        let root = self.roots.entry(path.to_owned()).or_insert_with(|| Root {
            analysis: analysis.clone(),
            verdicts: Verdicts::default(),
            selected: None,
            is_dirty: true,
            is_wanted: self.settings.check == When::Save || self.settings.check == When::Type,
        });
        root.is_wanted |= self.settings.check == When::Type;
        let before = root.analysis.fingerprint;
        root.verdicts.update(&analysis);
        root.analysis = analysis;
        // A check of another model than there is now is in vain.
        if root.analysis.fingerprint != before {
            self.checker.cancel(|task| task.path == path);
            root.verdicts.interrupt();
            root.selected = None;
        }
    }

    /// Starts what is due of a model that was read.
    fn check(&mut self, path: &Path) {
        let Some(root) = self.roots.get_mut(path) else { return };
        root.is_dirty = false;
        let is_wanted = std::mem::take(&mut root.is_wanted);
        let (Some(model), Some(fingerprint)) = (root.analysis.model.clone(), root.analysis.fingerprint)
        else {
            // It is checked when it can be.
            root.is_wanted = is_wanted;
            return;
        };
        if !is_wanted && self.settings.check == When::Demand {
            return;
        }
        if is_wanted {
            // A look while one types gives way.
            self.checker.cancel(|task| task.path == path && task.is_bounded);
            let still = self.checker.tasks().any(|task| task.path == path);
            if !still {
                root.verdicts.interrupt();
            }
        }
        let properties = root.verdicts.open(&self.settings.skip, !is_wanted);
        if properties.is_empty() {
            return;
        }
        let id = self.checker.next_id();
        root.verdicts.begin(&properties, id);
        self.checker.start(Task {
            id,
            path: path.to_owned(),
            model,
            fingerprint,
            properties,
            config: self.settings.config(!is_wanted),
            is_bounded: !is_wanted,
        });
    }
}
