//! A cluster: processes that have met, and search one model after the other.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use stubborn_ir::{Interpreter, Model, RuntimeErrorKind};
use stubborn_search::{Budget, Distributed, End, Gathered, Incomplete, Limits, Observer, Task};
use timely::communication::Config as Communication;
use timely::communication::allocator::AllocatorBuilder;

use crate::board::Board;
use crate::crew::Crew;
use crate::gathering::Gathering;
use crate::handshake::{Hello, topic};
use crate::hub::{Ending, Hub};
use crate::line::Lines;
use crate::meeting::{Deadline, Meeting, Met, PATIENCE, meet, mesh};
use crate::secret::Secret;

/// Bytes that may wait to be sent, at the most; less where there is little memory.
const WINDOW: usize = 64 << 20;

/// Which process of a cluster this is.
#[derive(Debug)]
pub struct Place {
    /// Its number; the first one, 0, has the result.
    pub process: usize,
    /// Where the others are.
    pub meeting: Meeting,
    /// How many workers each process has.
    pub workers: usize,
    /// What all of them know.
    pub secret: Secret,
}

/// Processes that have met.
#[derive(Debug)]
pub struct Cluster {
    process: usize,
    workers: usize,
    secret: Secret,
    met: Met,
    hub: Arc<Hub>,
    n_searches: u64,
}

impl Cluster {
    /// Meets the others, who must have the same model, and the same to say on each of these topics, such as the version of the
    /// program. Waits until they have come,
    /// or `time` is over, or it is told that it is over; then it says what went wrong.
    pub fn form(
        place: Place,
        topics: &[(&str, String)],
        model: &Model,
        time: Option<Duration>,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Self, String> {
        let Place { process, meeting, workers, secret } = place;
        let n_processes = meeting.n_processes();
        if process >= n_processes {
            return Err(format!(
                "there is no process {process} among {n_processes}: they are counted from 0"
            ));
        }
        if n_processes * workers > usize::from(u16::MAX) {
            return Err(format!("{n_processes} processes with {workers} workers each are too many"));
        }
        let mut topics: Vec<_> = topics.iter().map(|(name, value)| topic(name, value.clone())).collect();
        topics.extend([
            topic("order of bytes", if cfg!(target_endian = "big") { "big" } else { "little" }.to_owned()),
            topic("number of processes", n_processes.to_string()),
            topic("number of workers", workers.to_string()),
            topic("model", format!("{:?}", model.fingerprint())),
        ]);
        let hello = Hello { search: 0, process, port: 0, topics };
        let patience = time.map_or(PATIENCE, |time| time.min(PATIENCE));
        let deadline = Deadline { at: Some(Instant::now() + patience), is_over };
        let mut met = meet(process, meeting, &hello, &secret, &deadline)?;
        let lines = std::mem::take(&mut met.lines);
        let hub = Hub::new(process, lines)?;
        Ok(Cluster { process, workers, secret, met, hub, n_searches: 0 })
    }

    /// Whether this is the process that has the result.
    pub fn is_first(&self) -> bool {
        self.process == 0
    }

    /// The process that was lost, if one was.
    pub fn lost(&self) -> Option<usize> {
        self.hub.lost()
    }

    fn n_processes(&self) -> usize {
        self.met.addresses.len()
    }

    /// What the workers of this process are made of, connected with all others.
    fn allocate(
        &self,
        task: &Task<'_>,
        limits: &Limits,
        board: &Arc<Board>,
    ) -> Result<(Vec<AllocatorBuilder>, Option<Lines>), String> {
        if self.n_processes() == 1 {
            return Communication::Process(self.workers).try_build().map(|(builders, _)| (builders, None));
        }
        let Task { plan, claim, .. } = task;
        let topics = vec![
            topic("reduction", format!("{} {}", plan.reduction, plan.proviso)),
            topic("property", format!("{plan:?} {claim:?}")),
        ];
        let hello = Hello { search: self.n_searches, process: self.process, port: 0, topics };
        let is_over = || board.is_over() || limits.cancel.load(Ordering::Relaxed);
        let at = limits.time.map(|time| Instant::now() + time);
        let deadline = Deadline { at, is_over: &is_over };
        let streams = mesh(self.process, &self.met, &hello, &self.secret, &deadline)?;
        let connected = Lines::new(streams, self.process, self.workers, board);
        connected.map(|(builders, lines)| (builders, Some(lines))).map_err(|error| error.to_string())
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.hub.close();
    }
}

impl Distributed for Cluster {
    fn search(
        &mut self,
        task: &Task<'_>,
        limits: &Limits,
        observer: &mut dyn Observer,
    ) -> Result<(Gathered, End), RuntimeErrorKind> {
        // All processes come to the same.
        let initial = Interpreter::new(task.model).initial()?;
        self.n_searches += 1;
        self.hub.begin(self.n_searches);
        let mut budget = Budget::new(limits.memory);
        let window = WINDOW.min(limits.memory / 8);
        // The first that is ever used fits.
        let _ = budget.replace(0, window);
        let board = Board::new(self.hub.clone(), self.n_searches, self.workers, budget.clone(), window);
        let board = Arc::new(board);
        let n_workers = self.n_processes() * self.workers;
        let since = Instant::now();
        let gathering = match self.allocate(task, limits, &board) {
            Ok((builders, lines)) => {
                let crew = Crew::new(task, limits, initial, budget, board.clone(), n_workers);
                let gathering = crew.search(builders, observer);
                board.leave();
                lines.into_iter().for_each(Lines::close);
                gathering
            }
            Err(_) => {
                // Who did not come, or what was different, is a matter of the cluster as a whole.
                board.fail(match limits.time {
                    _ if limits.cancel.load(Ordering::Relaxed) => Incomplete::Cancelled,
                    Some(limit) if since.elapsed() >= limit => Incomplete::Time { limit },
                    _ => Incomplete::Lost { process: self.process },
                });
                Gathering::default()
            }
        };
        self.hub.tell(board.figures());
        let Gathering { counts, runs, has_endless, .. } = gathering;
        let end = match self.hub.ending(self.n_searches) {
            Some(Ending::Stopped) => End::Stopped,
            Some(Ending::Incomplete(why)) => End::Incomplete(why),
            Some(Ending::Exhausted) => match gathering.without_value {
                Some(kind) => End::Incomplete(Incomplete::Proposition(kind)),
                None if gathering.cut_off => End::Incomplete(Incomplete::CutOff),
                None => End::Exhausted,
            },
            None => End::Incomplete(Incomplete::Cancelled),
        };
        let used = self.hub.figures().into_iter().map(|figures| figures.used).collect();
        Ok((Gathered { counts, runs, has_endless, n_workers, used }, end))
    }
}
