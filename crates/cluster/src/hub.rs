//! Who is there: a connection of each process to the first one, for as long as the cluster is.
//!
//! Over it goes what must not depend on the dataflow: that a process is alive, that one has failed, that all have finished.
//! The first process decides how a search ends and tells the others; a process that is gone, or was not heard of for a
//! while, ends the search everywhere. Invariant: a search ends in [`Ending::Exhausted`] only if every process has said
//! that nothing is left to do for it.

use std::collections::BTreeMap;
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use stubborn_search::{Incomplete, Used};

use crate::frame;
use crate::wire::{Reader, put};

/// How often a process says that it is there.
const BEAT: Duration = Duration::from_millis(250);

/// After such a silence it is not.
const SILENCE: Duration = Duration::from_secs(3);

/// How a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ending {
    /// Nothing is left to do.
    Exhausted,
    /// Whoever asked has seen enough.
    Stopped,
    /// Something was left out.
    Incomplete(Incomplete),
}

/// What a process has to tell of itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Figures {
    pub(crate) transitions: u64,
    pub(crate) used: Used,
}

/// The connections, and what came over them.
#[derive(Debug)]
pub(crate) struct Hub {
    pub(crate) me: usize,
    /// By process; only the first one has more than one.
    lines: Vec<Option<Mutex<TcpStream>>>,
    /// Searches that are over, for here.
    n_over: AtomicU64,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// The search that is going on, or was last; from 1.
    search: u64,
    heard: Vec<Instant>,
    /// Said that it would go.
    has_left: Vec<bool>,
    /// Went without a word.
    lost: Option<usize>,
    figures: Vec<Figures>,
    /// By process: searches that it is done with.
    n_done: Vec<u64>,
    /// Of this search, and of the next one if word of it came early.
    endings: BTreeMap<u64, Ending>,
    is_closed: bool,
}

impl Hub {
    /// With a connection to each process, to the first one, or to none.
    pub(crate) fn new(me: usize, lines: Vec<Option<TcpStream>>) -> Result<Arc<Self>, String> {
        let n = lines.len();
        let broken = |error: std::io::Error| error.to_string();
        let mut readers = Vec::new();
        for (process, line) in lines.iter().enumerate() {
            if let Some(line) = line {
                line.set_read_timeout(None).map_err(broken)?;
                readers.push((process, line.try_clone().map_err(broken)?));
            }
        }
        let state = State {
            search: 0,
            heard: vec![Instant::now(); n],
            has_left: vec![false; n],
            lost: None,
            figures: vec![Figures::default(); n],
            n_done: vec![0; n],
            endings: BTreeMap::new(),
            is_closed: false,
        };
        let lines = lines.into_iter().map(|line| line.map(Mutex::new)).collect();
        let hub = Arc::new(Hub { me, lines, n_over: AtomicU64::new(0), state: Mutex::new(state) });
        for (process, line) in readers {
            let hub = hub.clone();
            spawn("hear", move || hub.hear(process, line))?;
        }
        if hub.lines.iter().any(Option::is_some) {
            let hub = hub.clone();
            spawn("beat", move || hub.beat())?;
        }
        Ok(hub)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Whoever holds it leaves it whole.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A search begins, with that number.
    pub(crate) fn begin(&self, search: u64) {
        let mut state = self.state();
        state.search = search;
        state.figures.iter_mut().for_each(|figures| *figures = Figures::default());
        state.endings.retain(|&of, _| of >= search);
        // Who has gone does not come to it.
        let gone = state.lost.or_else(|| state.has_left.iter().position(|&has_left| has_left));
        drop(state);
        if let Some(process) = gone {
            self.conclude(search, Ending::Incomplete(Incomplete::Lost { process }));
        }
    }

    /// Whether a search is over, for here.
    pub(crate) fn is_over(&self, search: u64) -> bool {
        self.n_over.load(Ordering::Acquire) >= search
    }

    /// How a search ended, until the next one begins.
    pub(crate) fn ending(&self, search: u64) -> Option<Ending> {
        self.state().endings.get(&search).copied()
    }

    /// What every process told of itself last.
    pub(crate) fn figures(&self) -> Vec<Figures> {
        self.state().figures.clone()
    }

    /// What this process has to tell of itself.
    pub(crate) fn tell(&self, figures: Figures) {
        self.state().figures[self.me] = figures;
    }

    /// Nothing is left to do here.
    pub(crate) fn done(&self, search: u64, figures: Figures) {
        self.tell(figures);
        if self.me == 0 {
            self.is_done(0, search);
        } else {
            self.send(0, &encode(DONE, search, &figures));
        }
    }

    fn is_done(&self, process: usize, search: u64) {
        let mut state = self.state();
        state.n_done[process] = search;
        let all = state.n_done.iter().all(|&n_done| n_done >= search);
        drop(state);
        if all {
            self.conclude(search, Ending::Exhausted);
        }
    }

    /// Ends a search here; the first process, everywhere, and others ask it to.
    pub(crate) fn conclude(&self, search: u64, ending: Ending) {
        let mut state = self.state();
        if self.is_over(search) || state.endings.contains_key(&search) {
            return;
        }
        state.endings.insert(search, ending);
        drop(state);
        // Before it is over here: then nobody says that this process goes before it has said that.
        let message = encode_ending(search, ending);
        (0..self.lines.len()).for_each(|process| self.send(process, &message));
        self.n_over.fetch_max(search, Ordering::Release);
    }

    /// A process is gone.
    pub(crate) fn lose(&self, process: usize) {
        let mut state = self.state();
        if state.is_closed || state.has_left[process] {
            return;
        }
        let process = *state.lost.get_or_insert(process);
        let search = state.search;
        drop(state);
        self.conclude(search, Ending::Incomplete(Incomplete::Lost { process }));
    }

    /// The process that was lost, if one was.
    pub(crate) fn lost(&self) -> Option<usize> {
        self.state().lost
    }

    fn send(&self, process: usize, message: &[u8]) {
        if let Some(Some(line)) = self.lines.get(process) {
            let mut line = line.lock().unwrap_or_else(PoisonError::into_inner);
            // Who does not hear is lost by its silence.
            let _ = frame::write(&mut *line, message);
        }
    }

    /// Listens to a process until it goes.
    fn hear(&self, process: usize, mut line: TcpStream) {
        while let Ok(message) = frame::read(&mut line) {
            self.state().heard[process] = Instant::now();
            if self.understand(process, &message).is_none() {
                break;
            }
        }
        self.lose(process);
    }

    fn understand(&self, process: usize, message: &[u8]) -> Option<()> {
        let mut reader = Reader(message);
        let (tag, search) = (reader.byte()?, reader.number()?);
        match tag {
            BEATS | DONE => {
                let figures = read_figures(&mut reader)?;
                let mut state = self.state();
                if state.search == search {
                    state.figures[process] = figures;
                }
                drop(state);
                if tag == DONE {
                    self.is_done(process, search);
                }
            }
            ENDED => {
                let ending = read_ending(&mut reader)?;
                if let Ending::Incomplete(Incomplete::Lost { process }) = ending {
                    self.state().lost.get_or_insert(process);
                }
                // What others have to say of the end is that it failed.
                let is_theirs = self.me > 0 || matches!(ending, Ending::Incomplete(_));
                if is_theirs {
                    self.conclude(search, ending);
                }
            }
            LEAVES => {
                let mut state = self.state();
                state.has_left[process] = true;
                let search = state.search;
                drop(state);
                // It knows of the end of every search that it came to, and said so if it ended one: this is another.
                self.conclude(search, Ending::Incomplete(Incomplete::Lost { process }));
            }
            _ => return None,
        }
        Some(())
    }

    /// Says now and then that this process is there, and notices who does not.
    fn beat(&self) {
        loop {
            let state = self.state();
            if state.is_closed {
                return;
            }
            let message = encode(BEATS, state.search, &state.figures[self.me]);
            let is_silent = |&process: &usize| {
                self.lines[process].is_some()
                    && !state.has_left[process]
                    && state.heard[process].elapsed() > SILENCE
            };
            let silent = (0..self.lines.len()).find(is_silent);
            drop(state);
            if let Some(process) = silent {
                self.lose(process);
            }
            (0..self.lines.len()).for_each(|process| self.send(process, &message));
            thread::sleep(BEAT);
        }
    }

    /// Goes, with a word.
    pub(crate) fn close(&self) {
        self.state().is_closed = true;
        let message = encode(LEAVES, 0, &Figures::default());
        for (process, line) in self.lines.iter().enumerate() {
            self.send(process, &message);
            if let Some(line) = line {
                // Who listens on the other side hears the end; here, until the other side goes as well.
                let line = line.lock().unwrap_or_else(PoisonError::into_inner);
                let _ = line.shutdown(Shutdown::Write);
            }
        }
    }
}

const BEATS: u8 = 0;
const DONE: u8 = 1;
const ENDED: u8 = 2;
const LEAVES: u8 = 3;

fn encode(tag: u8, search: u64, figures: &Figures) -> Vec<u8> {
    let Figures { transitions, used } = figures;
    let mut bytes = vec![tag];
    let used = [used.states, used.bytes as u64, used.peak_bytes as u64, used.sent_bytes];
    [search, *transitions].into_iter().chain(used).for_each(|number| put(&mut bytes, number));
    bytes
}

fn read_figures(reader: &mut Reader<'_>) -> Option<Figures> {
    let transitions = reader.number()?;
    let (states, bytes, peak_bytes) = (reader.number()?, reader.read()?, reader.read()?);
    Some(Figures { transitions, used: Used { states, bytes, peak_bytes, sent_bytes: reader.number()? } })
}

fn encode_ending(search: u64, ending: Ending) -> Vec<u8> {
    let mut bytes = vec![ENDED];
    let (tag, number) = match ending {
        Ending::Exhausted => (0, 0),
        Ending::Stopped => (1, 0),
        Ending::Incomplete(Incomplete::Memory { limit }) => (2, limit as u64),
        Ending::Incomplete(Incomplete::Time { limit }) => (3, limit.as_millis() as u64),
        Ending::Incomplete(Incomplete::Lost { process }) => (4, process as u64),
        // What else there is, only the first process says, and its result is the one that counts.
        Ending::Incomplete(_) => (5, 0),
    };
    [search, tag, number].into_iter().for_each(|number| put(&mut bytes, number));
    bytes
}

fn read_ending(reader: &mut Reader<'_>) -> Option<Ending> {
    let (tag, number) = (reader.number()?, reader.number()?);
    Some(match tag {
        0 => Ending::Exhausted,
        1 => Ending::Stopped,
        2 => Ending::Incomplete(Incomplete::Memory { limit: usize::try_from(number).ok()? }),
        3 => Ending::Incomplete(Incomplete::Time { limit: Duration::from_millis(number) }),
        4 => Ending::Incomplete(Incomplete::Lost { process: usize::try_from(number).ok()? }),
        _ => Ending::Incomplete(Incomplete::Cancelled),
    })
}

fn spawn(name: &str, run: impl FnOnce() + Send + 'static) -> Result<(), String> {
    let spawned = thread::Builder::new().name(name.to_owned()).spawn(run);
    spawned.map(drop).map_err(|error| error.to_string())
}
