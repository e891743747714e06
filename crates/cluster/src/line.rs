//! The connections that timely dataflow is given, and its threads that read and write them.
//!
//! They panic when a connection breaks, and take the workers with them. But whether a process is gone is a matter of
//! the [hub](crate::hub), which ends the search in an orderly way: so a thread whose connection is at its end is told that
//! all is well. What it writes goes nowhere, and what it reads is [ended](crate::bounds) for it.
//!
//! Invariant: once the workers have gone, nobody waits for another process: connections are closed here, whatever the other
//! side does, and so the threads end. A worker never sees a message that was cut off.

use std::io::{ErrorKind, Read, Result, Write};
use std::net::{Shutdown, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use timely::communication::Hooks;
use timely::communication::allocator::zero_copy::initialize::{
    CommsGuard, initialize_networking_from_sockets,
};
use timely::communication::allocator::zero_copy::stream::Stream;
use timely::communication::allocator::{AllocatorBuilder, ProcessBuilder};

use crate::board::Board;
use crate::bounds::Bounds;

/// How long the hub has to find out that a process is gone or the search is over.
const PATIENCE: Duration = Duration::from_secs(3);

/// How often it is looked whether it has.
const INTERVAL: Duration = Duration::from_millis(1);

/// The connections of a search to all other processes.
pub(crate) struct Lines {
    streams: Vec<Arc<TcpStream>>,
    threads: CommsGuard,
}

impl Lines {
    /// What `n_workers` workers of process `me` are made of, if these are the connections to the others.
    pub(crate) fn new(
        streams: Vec<Option<TcpStream>>,
        me: usize,
        n_workers: usize,
        board: &Arc<Board>,
    ) -> Result<(Vec<AllocatorBuilder>, Self)> {
        let streams: Vec<_> = streams.into_iter().map(|stream| stream.map(Arc::new)).collect();
        let line = |(to, stream): (usize, &Option<Arc<TcpStream>>)| {
            stream.as_ref().map(|stream| Line::new(stream.clone(), to, board.clone()))
        };
        let lines = streams.iter().enumerate().map(line).collect();
        let hooks = Hooks::default();
        let inner = ProcessBuilder::new_typed_vector(n_workers, hooks.refill.clone(), None);
        let (builders, threads) = initialize_networking_from_sockets(inner, lines, me, n_workers, hooks)?;
        let builders = builders.into_iter().map(AllocatorBuilder::Tcp).collect();
        Ok((builders, Lines { streams: streams.into_iter().flatten().collect(), threads }))
    }

    /// The workers have gone, and the board knows: ends the threads.
    pub(crate) fn close(self) {
        for stream in &self.streams {
            // The other side may have been faster.
            let _ = stream.shutdown(Shutdown::Both);
        }
        // One that panicked has told so, and its search has failed.
        let _ = catch_unwind(AssertUnwindSafe(|| drop(self.threads)));
    }
}

/// A connection to another process.
struct Line {
    stream: Arc<TcpStream>,
    to: usize,
    board: Arc<Board>,
    bounds: Bounds,
    is_cut_off: bool,
}

impl Line {
    fn new(stream: Arc<TcpStream>, to: usize, board: Arc<Board>) -> Self {
        Line { stream, to, board, bounds: Bounds::default(), is_cut_off: false }
    }

    /// There is nothing more to be had from this connection; if the search is not over, that is how it ends.
    fn end(&self) {
        let since = Instant::now();
        while !self.board.is_over() && since.elapsed() < PATIENCE {
            thread::sleep(INTERVAL);
        }
        self.board.lose(self.to);
    }
}

impl Read for Line {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        if !self.is_cut_off {
            if let Ok(read @ 1..) = uninterrupted(|| (&*self.stream).read(buffer)) {
                self.bounds.pass(&buffer[..read]);
                return Ok(read);
            }
            self.is_cut_off = true;
            self.end();
            // What comes now is for nobody.
            while self.bounds.is_inside() && !self.board.is_left() {
                thread::sleep(INTERVAL);
            }
        }
        if self.bounds.is_at_end() {
            return Ok(0);
        }
        let n_zeros = self.bounds.lacks().min(buffer.len());
        buffer[..n_zeros].fill(0);
        self.bounds.pass(&buffer[..n_zeros]);
        Ok(n_zeros)
    }
}

impl Write for Line {
    fn write(&mut self, buffer: &[u8]) -> Result<usize> {
        if self.is_cut_off {
            return Ok(buffer.len());
        }
        match uninterrupted(|| (&*self.stream).write(buffer)) {
            Ok(written) if written > 0 || buffer.is_empty() => {
                self.board.written(written);
                Ok(written)
            }
            Ok(_) | Err(_) => {
                self.is_cut_off = true;
                self.end();
                Ok(buffer.len())
            }
        }
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

fn uninterrupted(mut attempt: impl FnMut() -> Result<usize>) -> Result<usize> {
    loop {
        match attempt() {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

/// Each thread has one of its own: one reads, one writes.
impl Stream for Line {
    fn try_clone(&self) -> Result<Self> {
        Ok(Line::new(self.stream.clone(), self.to, self.board.clone()))
    }

    fn set_nonblocking(&self, nonblocking: bool) -> Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> Result<()> {
        // The other side may have been faster.
        let _ = self.stream.shutdown(how);
        Ok(())
    }
}
