//! The open texts, the models among them, and what is known of each.
//!
//! One owner calls this, one call at a time, and never waits: texts that change are read on a thread of their own
//! ([`crate::reading`]), checks run on theirs. A text that an open model includes is part of that model, and so is one
//! whose name says that it belongs to a model beside it, open or not; any other open text is a model of its own, or if
//! it has no processes part of a model on disk that includes it. Only to find that out texts are read at once. Changes
//! only mark models; [`Workspace::refresh`] has them read again and starts checks, so many changes at once cost as much
//! as one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::Sender;

use stubborn_base::FileId;
use stubborn_base::outline::SymbolKind;
use stubborn_languages::{Belonging, LANGUAGES, language_of};

use crate::analysis::Analysis;
use crate::checking::{Checker, Listener, News, Report, Task, TaskId};
use crate::includers::{includers, is_part, wholes};
use crate::reading::{Generation, Order, Reading, read, start};
use crate::root::{Root, Selected};
use crate::settings::{Settings, When};
use crate::texts::{Texts, normal};
use crate::together::Former;

/// What the threads of a workspace have to tell it.
#[derive(Debug)]
pub enum Notice {
    /// Of a check.
    Check(Report),
    /// Of a text that was read.
    Reading(Reading),
}

/// Extensions of files that models include, besides those of models.
const INCLUDED: [&str; 2] = ["h", "inc"];

/// Patterns of the files that models can be made of.
pub fn watched() -> Vec<String> {
    let extensions = LANGUAGES.iter().flat_map(|language| language.extensions).copied().chain(INCLUDED);
    let by_extension = format!("**/*.{{{}}}", extensions.collect::<Vec<_>>().join(","));
    let by_name = LANGUAGES.iter().flat_map(|language| language.files).map(|name| format!("**/{name}"));
    [by_extension].into_iter().chain(by_name).collect()
}

/// All of it.
#[derive(Debug)]
pub struct Workspace {
    texts: Texts,
    settings: Settings,
    folders: Vec<PathBuf>,
    roots: BTreeMap<PathBuf, Root>,
    checker: Checker,
    /// None if there is no thread to read with: then the owner does.
    reader: Option<Sender<Order>>,
    generation: Generation,
}

impl Workspace {
    /// Nothing open yet. Threads report to the listener, which must get what they tell to [`Workspace::take`].
    /// Somebody may come together with other processes.
    pub fn new(listener: Listener<Notice>, former: Option<Arc<Former>>) -> Self {
        let of_readings = listener.clone();
        Workspace {
            texts: Texts::default(),
            settings: Settings::default(),
            folders: Vec::new(),
            roots: BTreeMap::new(),
            checker: Checker::new(Arc::new(move |report| listener(Notice::Check(report))), former),
            reader: start(Arc::new(move |reading| of_readings(Notice::Reading(reading)))),
            generation: 0,
        }
    }

    /// The folders that models are looked for in.
    pub fn set_folders(&mut self, folders: Vec<PathBuf>) {
        self.folders = folders;
    }

    /// Whether everything is read as it is now.
    pub fn is_current(&self) -> bool {
        self.roots.values().all(Root::is_current)
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
        self.generation += 1;
        for root in self.roots.values_mut() {
            root.changed = self.generation;
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
            self.open(&path);
        }
    }

    /// A text is closed: what is on disk counts. Models of which nothing is open any more, which are gone.
    pub fn close(&mut self, path: &Path) -> Vec<PathBuf> {
        let path = normal(path);
        self.texts.close(&path);
        self.touch(&path);
        let is_open = |root: &Root| root.analysis.paths().any(|part| self.texts.get(&part).is_some());
        let gone: Vec<PathBuf> =
            self.roots.iter().filter(|(_, root)| !is_open(root)).map(|(name, _)| name.clone()).collect();
        gone.iter().for_each(|name| self.forget(name));
        let open: Vec<PathBuf> = self.texts.iter().map(|(path, _)| path.to_owned()).collect();
        for other in open {
            if !self.roots.contains_key(&other) && !self.is_included(&other) {
                self.open(&other);
            }
        }
        gone
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
            root.is_due = true;
        }
    }

    /// The same, with other processes, and whatever is known: of the file as it was saved last.
    pub fn want_together(&mut self, path: &Path) {
        self.want(path);
        let path = normal(path);
        for root in self.roots.values_mut().filter(|root| root.analysis.file(&path).is_some()) {
            root.is_wanted_together = true;
        }
    }

    /// Stops the checks of the models that a text belongs to, or all; which models these are.
    pub fn cancel(&mut self, path: Option<&Path>) -> Vec<PathBuf> {
        let path = path.map(normal);
        let is_meant = |root: &Root| path.as_ref().is_none_or(|path| root.analysis.file(path).is_some());
        let mut concerned = Vec::new();
        for (name, root) in self.roots.iter_mut().filter(|(_, root)| is_meant(root)) {
            self.checker.cancel(|task| task.path == *name);
            root.verdicts.interrupt();
            root.is_wanted = false;
            root.is_wanted_together = false;
            concerned.push(name.clone());
        }
        concerned
    }

    /// Stops one check; of which model, if it is under way.
    pub fn cancel_task(&mut self, id: TaskId) -> Option<PathBuf> {
        self.checker.cancel(|task| task.id == id);
        let path = self.checker.path_of(id)?;
        self.roots.get_mut(&path)?.verdicts.interrupt();
        Some(path)
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

    /// Has read again what has changed and starts the checks that are due; the models about which something is new.
    pub fn refresh(&mut self) -> Vec<PathBuf> {
        let mut orders = Vec::new();
        for (path, root) in self.roots.iter_mut().filter(|(_, root)| root.ordered < root.changed) {
            root.ordered = self.generation;
            let (texts, defines) = (self.texts.clone(), self.settings.defines.clone());
            orders.push(Order { path: path.clone(), texts, defines, generation: self.generation });
        }
        let mut told = Vec::new();
        for order in orders {
            let refused = match &self.reader {
                Some(reader) => reader.send(order).err().map(|error| error.0),
                None => Some(order),
            };
            // Better late than never.
            told.extend(refused.and_then(|order| self.put(read(&order))));
        }
        let is_due = |root: &Root| root.is_due && root.is_current();
        let due: Vec<PathBuf> =
            self.roots.iter().filter(|(_, root)| is_due(root)).map(|(path, _)| path.clone()).collect();
        due.iter().for_each(|path| self.check(path));
        told.extend(due);
        told
    }

    /// Takes in what a thread tells; the model about which something is new.
    pub fn take(&mut self, notice: Notice) -> Option<PathBuf> {
        match notice {
            Notice::Reading(reading) => self.put(reading),
            Notice::Check(report) => {
                if let News::Finished { .. } = report.news {
                    self.checker.finished(report.task.id);
                }
                let root = self.roots.get_mut(&report.task.path)?;
                root.verdicts.take(&report).then(|| report.task.path.clone())
            }
        }
    }

    /// Whether a check waits or runs, and is not cancelled.
    pub fn is_checking(&self, id: TaskId) -> bool {
        self.checker.tasks().any(|task| task.id == id)
    }

    /// Every model that a text belongs to has to be read again.
    fn touch(&mut self, path: &Path) {
        self.generation += 1;
        for (name, root) in &mut self.roots {
            if name == path || root.analysis.file(path).is_some() || is_part(path, name) {
                root.changed = self.generation;
            }
        }
    }

    fn is_included(&self, path: &Path) -> bool {
        let is_part = |name: &Path, root: &Root| root.analysis.file(path).is_some() || is_part(path, name);
        self.roots.iter().any(|(name, root)| name != path && is_part(name, root))
    }

    fn forget(&mut self, path: &Path) {
        if self.roots.remove(path).is_some() {
            self.checker.cancel(|task| task.path == path);
        }
    }

    /// Takes in a text that is new, as a model or as part of one.
    fn open(&mut self, path: &Path) {
        match language_of(path).belonging(path) {
            Belonging::IfIncluded => self.open_at_once(path),
            _ => {
                let whole = wholes(path, &self.texts).into_iter().next();
                self.open_later(&whole.unwrap_or_else(|| path.to_owned()), path);
            }
        }
    }

    /// A model of which a part is open, that is to be read when there is time.
    fn open_later(&mut self, path: &Path, part: &Path) {
        if self.roots.contains_key(path) {
            // A part of it was open before; it is marked already.
            return;
        }
        let Some(text) = self.texts.read(path) else { return };
        let parts = self.texts.get(part).filter(|_| part != path).map(|document| document.text.clone());
        let analysis = Analysis::unread(path, text, parts.map(|text| (part, text)));
        let root = Root::new(Arc::new(analysis), self.generation, self.settings.check != When::Demand);
        self.roots.insert(path.to_owned(), Root { ordered: 0, read: 0, ..root });
        if part != path {
            self.forget(part);
        }
    }

    /// Reads a text that may be included by another, to know whether it is.
    fn open_at_once(&mut self, path: &Path) {
        let order = |path: &Path, workspace: &Self| Order {
            path: path.to_owned(),
            texts: workspace.texts.clone(),
            defines: workspace.settings.defines.clone(),
            generation: workspace.generation,
        };
        let own = read(&order(path, self));
        let is_process = |kind| matches!(kind, SymbolKind::Process | SymbolKind::Property);
        let symbols = own.analysis.iter().flat_map(|analysis| &analysis.outline.symbols);
        let is_fragment = !symbols.into_iter().any(|symbol| is_process(symbol.kind));
        if is_fragment {
            for includer in includers(&self.folders, path, &self.texts) {
                let reading = read(&order(&includer, self));
                if reading.analysis.as_ref().is_some_and(|analysis| analysis.file(path).is_some()) {
                    self.put(reading);
                    return;
                }
            }
        }
        self.put(own);
        if let Some(root) = self.roots.get_mut(path) {
            root.is_fragment = is_fragment;
        }
    }

    /// What was read of a model takes the place of what was read before; the model, if something is new.
    fn put(&mut self, reading: Reading) -> Option<PathBuf> {
        let Reading { path, analysis: Some(analysis), generation } = reading else {
            self.forget(&reading.path);
            return None;
        };
        let is_part = |part: &PathBuf| self.texts.get(part).is_some();
        let is_known = self.roots.contains_key(&path);
        if !is_known && !analysis.paths().any(|part| is_part(&part)) {
            return None;
        }
        if self.roots.get(&path).is_some_and(|root| root.read > generation) {
            return None;
        }
        // What it includes is no model of its own.
        for included in analysis.paths().skip(1) {
            self.forget(&included);
        }
        let is_wanted = self.settings.check != When::Demand;
        let new = || Root::new(analysis.clone(), generation, is_wanted);
        let root = self.roots.entry(path.clone()).or_insert_with(new);
        root.is_wanted |= self.settings.check == When::Type;
        root.is_due = true;
        root.read = generation;
        let has_changed = |(_, file): (FileId, &stubborn_base::SourceFile)| {
            self.texts.get(file.path()).is_some_and(|now| now.text != *file.text())
        };
        // It may include now what changed meanwhile.
        if analysis.sources.iter().any(has_changed) {
            root.changed = self.generation;
        }
        let before = root.analysis.fingerprint;
        root.verdicts.update(&analysis);
        root.analysis = analysis;
        // A check of another model than there is now is in vain.
        if root.analysis.fingerprint != before {
            self.checker.cancel(|task| task.path == path);
            root.verdicts.interrupt();
            root.selected = None;
        }
        Some(path)
    }

    /// Starts what is due of a model that was read.
    fn check(&mut self, path: &Path) {
        let Some(root) = self.roots.get_mut(path) else { return };
        root.is_due = false;
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
        let is_together = is_wanted && std::mem::take(&mut root.is_wanted_together);
        if is_wanted {
            // A look while one types gives way, and what one process does, to several.
            self.checker.cancel(|task| task.path == path && (task.is_bounded || is_together));
            let still = self.checker.tasks().any(|task| task.path == path);
            if !still {
                root.verdicts.interrupt();
            }
        }
        let skip = &self.settings.skip;
        let properties = match is_together {
            true => root.verdicts.all(skip),
            false => root.verdicts.open(skip, !is_wanted),
        };
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
            config: match is_together {
                true => self.settings.config_together(),
                false => self.settings.config(!is_wanted),
            },
            is_bounded: !is_wanted,
            together: is_together.then(|| (self.settings.processes.clone(), self.settings.defines.clone())),
        });
    }
}
