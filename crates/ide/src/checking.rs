//! Checks in the background: each a task on a thread of its own, a few at a time, cancelled by number.
//!
//! The threads know nothing of texts or versions. They report to a function, and whoever owns the workspace hands the
//! reports back to it; a task that was cancelled reports nothing but that it is finished. A check that panics is
//! reported as failed, and nothing else is lost.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use stubborn_check::{Config, Distributed, Job, Progress, Property, PropertyResult, Refused, check_on};
use stubborn_ir::{Fingerprint, Model};
use thread_priority::{ThreadPriority, ThreadPriorityValue, set_current_thread_priority};

use crate::blocked::{Blocked, blocked};
use crate::together::{Former, Processes, Wanted};

/// Tells tasks apart.
pub type TaskId = u64;

/// A model to check.
#[derive(Clone, Debug)]
pub struct Task {
    /// Its number, the newer the greater.
    pub id: TaskId,
    /// The file it was read from.
    pub path: PathBuf,
    /// The model.
    pub model: Arc<Model>,
    /// Tells it from others.
    pub fingerprint: Fingerprint,
    /// What is asked.
    pub properties: Vec<Property>,
    /// How it is searched.
    pub config: Config,
    /// A look while one types: what is not decided is left open.
    pub is_bounded: bool,
    /// With other processes, if so; and the macros that these have to define.
    pub together: Option<(Processes, Vec<(String, String)>)>,
}

/// What a task has to tell.
#[derive(Clone, Debug)]
pub struct Report {
    /// The task.
    pub task: Arc<Task>,
    /// What.
    pub news: News,
}

/// Kinds of [`Report`].
#[derive(Clone, Debug)]
pub enum News {
    /// How far the search for these properties is.
    Progress {
        /// Their indices among the task's.
        properties: std::ops::Range<usize>,
        /// How far it is.
        progress: Progress,
        /// Since the search began.
        time: Duration,
    },
    /// Verdicts.
    Decided(Vec<Found>),
    /// A property that could not be checked as asked, or a defect of ours.
    Failed {
        /// Their indices among the task's.
        properties: std::ops::Range<usize>,
        /// Why.
        why: String,
    },
    /// The thread is free again.
    Finished {
        /// Before everything was decided.
        is_cancelled: bool,
    },
}

/// What is found out about a property.
#[derive(Clone, Debug)]
pub struct Found {
    /// The verdict.
    pub result: PropertyResult,
    /// Who waits for ever, if that is what is wrong.
    pub blocked: Vec<Blocked>,
}

/// Who is told.
pub type Listener<T> = Arc<dyn Fn(T) + Send + Sync>;

/// Between two reports of how far a search is.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// Of a hundred: below the usual, above what only runs when nothing else does.
const PRIORITY: u8 = 25;

/// Runs tasks.
pub struct Checker {
    listener: Listener<Report>,
    former: Option<Arc<Former>>,
    waiting: VecDeque<Arc<Task>>,
    running: Vec<(Arc<Task>, Arc<AtomicBool>)>,
    threads: usize,
    next: TaskId,
}

impl std::fmt::Debug for Checker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Checker").field("running", &self.running.len()).finish_non_exhaustive()
    }
}

impl Checker {
    /// Nothing to do yet.
    pub fn new(listener: Listener<Report>, former: Option<Arc<Former>>) -> Self {
        Checker { listener, former, waiting: VecDeque::new(), running: Vec::new(), threads: 1, next: 1 }
    }

    /// So many tasks at a time.
    pub fn set_threads(&mut self, threads: usize) {
        self.threads = threads.max(1);
    }

    /// A number for a new task.
    pub fn next_id(&mut self) -> TaskId {
        self.next += 1;
        self.next - 1
    }

    /// Runs a task as soon as a thread is free.
    pub fn start(&mut self, task: Task) {
        self.waiting.push_back(Arc::new(task));
        self.run_next();
    }

    /// Stops all tasks of a model, or of all.
    pub fn cancel(&mut self, is_meant: impl Fn(&Task) -> bool) {
        self.waiting.retain(|task| !is_meant(task));
        for (task, cancel) in &self.running {
            if is_meant(task) {
                cancel.store(true, Ordering::Relaxed);
            }
        }
    }

    /// The tasks that wait or run.
    pub fn tasks(&self) -> impl Iterator<Item = &Task> {
        let live = self.running.iter().filter(|(_, cancel)| !cancel.load(Ordering::Relaxed));
        live.map(|(task, _)| &**task).chain(self.waiting.iter().map(|task| &**task))
    }

    /// The model of a task that runs.
    pub fn path_of(&self, id: TaskId) -> Option<PathBuf> {
        self.running.iter().find(|(task, _)| task.id == id).map(|(task, _)| task.path.clone())
    }

    /// A task reported that it is finished.
    pub fn finished(&mut self, id: TaskId) {
        self.running.retain(|(task, _)| task.id != id);
        self.run_next();
    }

    fn run_next(&mut self) {
        while self.running.len() < self.threads
            && let Some(task) = self.waiting.pop_front()
        {
            let cancel = Arc::new(AtomicBool::new(false));
            self.running.push((task.clone(), cancel.clone()));
            let (listener, former) = (self.listener.clone(), self.former.clone());
            let body = move || {
                give_way();
                run(&task, &cancel, former.as_deref(), &*listener);
            };
            let spawned = std::thread::Builder::new().name("check".to_owned()).spawn(body);
            if let Err(error) = spawned {
                let (task, _) = self.running.pop().expect("it was pushed just now");
                let properties = 0..task.properties.len();
                let failed = News::Failed { properties, why: format!("no thread to check with: {error}") };
                (self.listener)(Report { task, news: failed });
            }
        }
    }
}

/// Checks end with the workspace.
impl Drop for Checker {
    fn drop(&mut self) {
        self.cancel(|_| true);
    }
}

/// What an editor waits for goes first. Where that cannot be had, checks are in the way, and right.
fn give_way() {
    if let Ok(low) = ThreadPriorityValue::try_from(PRIORITY) {
        let _ = set_current_thread_priority(ThreadPriority::Crossplatform(low));
    }
}

fn run(task: &Arc<Task>, cancel: &Arc<AtomicBool>, former: Option<&Former>, listener: &dyn Fn(Report)) {
    let tell = |news| listener(Report { task: task.clone(), news });
    let mut others = None;
    let mut parts = searches(&task.properties);
    if let Some((processes, defines)) = &task.together {
        // They go through all of it, one after the other, as this one does.
        let all = 0..task.properties.len();
        match form(task, processes, defines, cancel, former) {
            Ok(cluster) => {
                others = Some(cluster);
                parts = vec![all];
            }
            Err(why) => {
                parts = Vec::new();
                if !cancel.load(Ordering::Relaxed) {
                    tell(News::Failed { properties: all, why });
                }
            }
        }
    }
    for properties in parts {
        if cancel.load(Ordering::Relaxed) {
            break;
        }
        let checked = catch_unwind(AssertUnwindSafe(|| {
            let started = Instant::now();
            let mut last = started;
            let mut progress = |progress: &Progress| {
                if last.elapsed() >= PROGRESS_INTERVAL {
                    last = Instant::now();
                    let (properties, time) = (properties.clone(), started.elapsed());
                    tell(News::Progress { properties, progress: *progress, time });
                }
            };
            let job = Job { cancel: cancel.clone(), progress: &mut progress };
            let asked = &task.properties[properties.clone()];
            let others = others.as_mut().map(|others| &mut **others as &mut dyn Distributed);
            let results = check_on(&task.model, asked, &task.config, job, others)?;
            let found = |result| Found { blocked: blocked(&task.model, &result), result };
            Ok::<Vec<Found>, Refused>(results.into_iter().map(found).collect())
        }));
        if cancel.load(Ordering::Relaxed) {
            break;
        }
        let failed = |why| News::Failed { properties: properties.clone(), why };
        tell(match checked {
            Ok(Ok(found)) => News::Decided(found),
            Ok(Err(refused)) => failed(refused.to_string()),
            Err(_) => failed("internal error, please report it: the check panicked".to_owned()),
        });
    }
    // Whoever was there goes before the thread is free.
    drop(others);
    tell(News::Finished { is_cancelled: cancel.load(Ordering::Relaxed) });
}

/// Comes together with other processes.
fn form(
    task: &Task,
    processes: &Processes,
    defines: &[(String, String)],
    cancel: &Arc<AtomicBool>,
    former: Option<&Former>,
) -> Result<Box<dyn Distributed>, String> {
    let former = former.ok_or("nobody can start other processes here")?;
    let Task { path, model, properties, config, .. } = task;
    former(&Wanted { processes, path, defines, model, properties, config, cancel })
}

/// What one search decides: end states and assertions together, every claim by itself.
fn searches(properties: &[Property]) -> Vec<std::ops::Range<usize>> {
    let n_common = properties.iter().take_while(|property| property.claim.is_none()).count();
    let common = (n_common > 0).then_some(0..n_common);
    common.into_iter().chain((n_common..properties.len()).map(|i| i..i + 1)).collect()
}
