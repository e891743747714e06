//! How the processes of a cluster find each other.
//!
//! Every process listens. All but the first call the first one, on a connection that stays; when all have come, it tells
//! them where the others listen. For each search, every process calls those with smaller numbers.

use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::thread;
use std::time::{Duration, Instant};

use crate::frame;
use crate::handshake::{Hello, Refusal, call, listen};
use crate::secret::Secret;
use crate::wire::{Reader, put, put_bytes};

/// How long processes wait for each other, unless there is less time for all.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// How often is looked whether somebody came.
const INTERVAL: Duration = Duration::from_millis(5);

/// Where processes are.
#[derive(Debug)]
pub enum Meeting {
    /// At these addresses, each listening at its own.
    Hosts(Vec<String>),
    /// On this machine: this is the first, listens here, and waits for so many in all.
    Here(TcpListener, usize),
    /// On this machine: the first of so many listens there.
    There(String, usize),
}

impl Meeting {
    /// How many processes there are.
    pub fn n_processes(&self) -> usize {
        match self {
            Meeting::Hosts(hosts) => hosts.len(),
            Meeting::Here(_, n) | Meeting::There(_, n) => *n,
        }
    }
}

/// The table of a cluster, once it has met.
#[derive(Debug)]
pub(crate) struct Met {
    pub(crate) listener: TcpListener,
    /// By process: where it listens.
    pub(crate) addresses: Vec<String>,
    /// By process: the connection that stays, where there is one.
    pub(crate) lines: Vec<Option<TcpStream>>,
}

/// When to stop waiting.
pub(crate) struct Deadline<'a> {
    /// Never by itself, if there is none.
    pub(crate) at: Option<Instant>,
    pub(crate) is_over: &'a dyn Fn() -> bool,
}

impl Deadline<'_> {
    pub(crate) fn is_past(&self) -> bool {
        self.at.is_some_and(|at| Instant::now() >= at) || (self.is_over)()
    }
}

/// Comes together with the others.
pub(crate) fn meet(
    me: usize,
    meeting: Meeting,
    hello: &Hello,
    secret: &Secret,
    deadline: &Deadline<'_>,
) -> Result<Met, String> {
    let n = meeting.n_processes();
    let bound = |address: &str| {
        TcpListener::bind(address).map_err(|error| format!("cannot listen at {address}: {error}"))
    };
    let (listener, first, mut addresses) = match meeting {
        Meeting::Hosts(hosts) => (bound(&hosts[me])?, hosts[0].clone(), hosts),
        Meeting::Here(listener, _) => (listener, String::new(), Vec::new()),
        Meeting::There(first, _) => (bound("127.0.0.1:0")?, first, Vec::new()),
    };
    let is_told = addresses.is_empty();
    let port = listener.local_addr().map_err(|error| error.to_string())?.port();
    let hello = Hello { port, ..hello.clone() };
    let mut lines: Vec<Option<TcpStream>> = (0..n).map(|_| None).collect();
    if me == 0 {
        let ports = accept(&listener, &(1..n).collect::<Vec<_>>(), &hello, secret, deadline, &mut lines)?;
        if is_told {
            addresses = ports.iter().map(|port| format!("127.0.0.1:{port}")).collect();
        }
        let mut welcome = Vec::new();
        put(&mut welcome, n as u64);
        addresses.iter().for_each(|address| put_bytes(&mut welcome, address.as_bytes()));
        for line in lines.iter_mut().flatten() {
            frame::write(line, &welcome).map_err(|_| "a process went as soon as it had come".to_owned())?;
        }
    } else {
        let mut line = connect(0, &first, &hello, secret, deadline)?;
        let least = Duration::from_millis(1);
        let left = deadline.at.map(|at| at.saturating_duration_since(Instant::now()).max(least));
        line.set_read_timeout(left).map_err(|error| error.to_string())?;
        let welcome =
            frame::read(&mut line).map_err(|_| "process 0 ended before all processes had come".to_owned())?;
        let told = read_welcome(&welcome, n).ok_or("process 0 says what cannot be understood")?;
        if is_told {
            addresses = told;
        }
        lines[0] = Some(line);
    }
    Ok(Met { listener, addresses, lines })
}

fn read_welcome(message: &[u8], n: usize) -> Option<Vec<String>> {
    let mut reader = Reader(message);
    let told: usize = reader.read()?;
    let address = |_| String::from_utf8(reader.bytes()?.to_vec()).ok();
    if told == n { (0..n).map(address).collect() } else { None }
}

/// Connects with all others, for one search. Somebody may still be busy with what the last one found.
pub(crate) fn mesh(
    me: usize,
    met: &Met,
    hello: &Hello,
    secret: &Secret,
    deadline: &Deadline<'_>,
) -> Result<Vec<Option<TcpStream>>, String> {
    let n = met.addresses.len();
    let mut lines: Vec<Option<TcpStream>> = (0..n).map(|_| None).collect();
    for (process, line) in lines.iter_mut().enumerate().take(me) {
        *line = Some(connect(process, &met.addresses[process], hello, secret, deadline)?);
    }
    accept(&met.listener, &(me + 1..n).collect::<Vec<_>>(), hello, secret, deadline, &mut lines)?;
    for line in lines.iter().flatten() {
        let unlimited = line.set_read_timeout(None).and_then(|()| line.set_write_timeout(None));
        unlimited.map_err(|error| error.to_string())?;
    }
    Ok(lines)
}

/// Waits for these processes to call; by process, the ports where they listen.
fn accept(
    listener: &TcpListener,
    awaited: &[usize],
    hello: &Hello,
    secret: &Secret,
    deadline: &Deadline<'_>,
    lines: &mut [Option<TcpStream>],
) -> Result<Vec<u16>, String> {
    listener.set_nonblocking(true).map_err(|error| error.to_string())?;
    let mut ports = vec![0; lines.len()];
    ports[hello.process] = hello.port;
    let mut strangers = String::new();
    loop {
        let missing: Vec<String> =
            awaited.iter().filter(|&&k| lines[k].is_none()).map(ToString::to_string).collect();
        if missing.is_empty() {
            return Ok(ports);
        }
        if deadline.is_past() {
            let plural = if missing.len() == 1 { "" } else { "es" };
            return Err(format!("process{plural} {} did not come{strangers}", missing.join(", ")));
        }
        let Ok((mut stream, _)) = listener.accept() else {
            thread::sleep(INTERVAL);
            continue;
        };
        match listen(&mut stream, hello, secret) {
            Ok(other) if awaited.contains(&other.process) && lines[other.process].is_none() => {
                ports[other.process] = other.port;
                lines[other.process] = Some(stream);
            }
            Ok(other) => return Err(format!("there are two processes with the number {}", other.process)),
            // Whoever it is, the others may still come.
            Err(Refusal::Silent(why) | Refusal::Stranger(why)) => {
                strangers = format!("; a connection was refused: {why}")
            }
            Err(Refusal::Different(why)) => return Err(why),
        }
    }
}

/// Calls a process, which may not listen yet, or not answer.
fn connect(
    process: usize,
    address: &str,
    hello: &Hello,
    secret: &Secret,
    deadline: &Deadline<'_>,
) -> Result<TcpStream, String> {
    loop {
        let targets =
            address.to_socket_addrs().map_err(|error| format!("{address} is no address: {error}"))?;
        let connected =
            targets.into_iter().find_map(|to| TcpStream::connect_timeout(&to, PATIENCE / 20).ok());
        let called = connected.map(|mut stream| call(&mut stream, process, hello, secret).map(|()| stream));
        let why = match called {
            Some(Ok(stream)) => return Ok(stream),
            // It may be busy, with others who call or with something else.
            Some(Err(Refusal::Silent(why))) => why,
            Some(Err(refused)) => return Err(refused.text()),
            None => format!("process {process} does not listen at {address}"),
        };
        if deadline.is_past() {
            return Err(why);
        }
        thread::sleep(INTERVAL * 10);
    }
}
