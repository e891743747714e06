//! The connections that timely dataflow is given.
//!
//! Its threads panic when a connection breaks, and take the workers with them. But whether a process is gone is a matter of
//! the [hub](crate::hub), which ends the search in an orderly way: so a thread whose connection is at its end is told nothing
//! until the workers have gone, and then ends without a word.

use std::io::{ErrorKind, Read, Result, Write};
use std::net::{Shutdown, TcpStream};
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use timely::communication::allocator::zero_copy::stream::Stream;

use crate::board::Board;

/// How long the hub has to find out that a process is gone or the search is over.
const PATIENCE: Duration = Duration::from_secs(3);

/// How often it is looked whether it has.
const INTERVAL: Duration = Duration::from_millis(20);

/// A connection to another process.
pub(crate) struct Line {
    pub(crate) stream: TcpStream,
    pub(crate) to: usize,
    pub(crate) board: Arc<Board>,
}

impl Line {
    /// There is nothing more to be had from this connection.
    fn end(&self) -> ! {
        let since = Instant::now();
        while !self.board.is_over() && since.elapsed() < PATIENCE {
            thread::sleep(INTERVAL);
        }
        self.board.lose(self.to);
        while !self.board.is_left() {
            thread::sleep(INTERVAL);
        }
        // Nobody waits for this thread, or hears how it ended.
        resume_unwind(Box::new(()))
    }

    fn unless_broken(&self, result: Result<usize>) -> Result<usize> {
        match result {
            Ok(0) => self.end(),
            Err(error) if error.kind() != ErrorKind::Interrupted => self.end(),
            other => other,
        }
    }
}

impl Read for Line {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let read = self.stream.read(buffer);
        self.unless_broken(read)
    }
}

impl Write for Line {
    fn write(&mut self, buffer: &[u8]) -> Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        let written = self.stream.write(buffer);
        let written = self.unless_broken(written)?;
        self.board.written(written);
        Ok(written)
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

impl Stream for Line {
    fn try_clone(&self) -> Result<Self> {
        Ok(Line { stream: self.stream.try_clone()?, to: self.to, board: self.board.clone() })
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
