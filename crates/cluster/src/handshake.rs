//! The first words on a connection, before anything else is read from it or written to it.
//!
//! The caller says who it is and what it is about, and sends a challenge. The listener answers it and sends one of its
//! own, with what it is about; the caller answers that. Then both know that the other knows the [secret](crate::Secret),
//! and only then what it is about is compared. What comes later on the connection is neither encrypted nor signed.

use std::io::{Error, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use sha2::{Digest, Sha256};

use crate::frame;
use crate::secret::{ANSWER, CHALLENGE, Secret, Side, challenge};
use crate::wire::{Reader, put, put_bytes};

/// How long somebody may take for a word.
const PATIENCE: Duration = Duration::from_secs(3);

/// What a connection is for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Hello {
    /// The search it is for; 0 for the one that stays open all the time.
    pub(crate) search: u64,
    /// The process that calls.
    pub(crate) process: usize,
    /// Where it listens, if the others do not know.
    pub(crate) port: u16,
    /// What has to be the same everywhere, by name.
    pub(crate) topics: Vec<(String, String)>,
}

/// Why two processes do not come together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Refusal {
    /// It did not say anything in time.
    Silent(String),
    /// It does not know the secret, or does not speak as it should: whoever it is.
    Stranger(String),
    /// It knows the secret, and is about something else.
    Different(String),
}

impl Refusal {
    pub(crate) fn text(self) -> String {
        match self {
            Refusal::Silent(why) | Refusal::Stranger(why) | Refusal::Different(why) => why,
        }
    }
}

/// Longer values say nothing to anybody.
const SHORT: usize = 24;

/// What has to be the same everywhere, by name: an automaton may be described by megabytes, of which a digest says as much.
pub(crate) fn topic(name: &str, value: String) -> (String, String) {
    let value = match value.len() < SHORT {
        true => value,
        false => Sha256::digest(value).iter().map(|byte| format!("{byte:02x}")).collect(),
    };
    (name.to_owned(), value)
}

const MAGIC: &[u8] = b"stubborn cluster 1";

impl Hello {
    fn encode(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        put(&mut bytes, self.search);
        put(&mut bytes, self.process as u64);
        put(&mut bytes, u64::from(self.port));
        put(&mut bytes, self.topics.len() as u64);
        for (name, value) in &self.topics {
            put_bytes(&mut bytes, name.as_bytes());
            put_bytes(&mut bytes, value.as_bytes());
        }
        bytes
    }

    fn decode(bytes: &[u8]) -> Option<Hello> {
        let mut reader = Reader(bytes.strip_prefix(MAGIC)?);
        let (search, process, port) = (reader.number()?, reader.read()?, reader.read()?);
        let n: usize = reader.read()?;
        let mut text = || String::from_utf8(reader.bytes()?.to_vec()).ok();
        let topics = (0..n).map(|_| Some((text()?, text()?))).collect::<Option<_>>()?;
        Some(Hello { search, process, port, topics })
    }

    /// What is not the same, if anything is.
    fn difference(&self, other: &Hello, who: usize) -> Option<String> {
        let differs = self.topics.iter().zip(&other.topics).find(|(mine, its)| mine != its);
        if self.search != other.search {
            return Some(format!("process {who} is not at the same search"));
        }
        match differs {
            Some(((name, mine), (_, its))) if mine.len() < SHORT && its.len() < SHORT => {
                Some(format!("process {who} has another {name}: {its}, not {mine}"))
            }
            Some(((name, _), _)) => Some(format!("process {who} has another {name}")),
            None if self.topics.len() != other.topics.len() => {
                Some(format!("process {who} is another version of the program"))
            }
            None => None,
        }
    }
}

/// Calls a process that listens.
pub(crate) fn call(stream: &mut TcpStream, to: usize, hello: &Hello, secret: &Secret) -> Result<(), Refusal> {
    let stranger = |what: &str| Refusal::Stranger(format!("process {to} {what}"));
    let broken = |error: Error| match error.kind() {
        ErrorKind::TimedOut | ErrorKind::WouldBlock => {
            Refusal::Silent(format!("process {to} did not answer"))
        }
        _ => stranger("did not answer: the connection was closed"),
    };
    prepare(stream).map_err(broken)?;
    let mine = challenge().map_err(Refusal::Stranger)?;
    let said = hello.encode();
    stream.write_all(&mine).and_then(|()| frame::write(stream, &said)).map_err(broken)?;
    let (mut its, mut answer) = ([0; CHALLENGE], [0; ANSWER]);
    stream.read_exact(&mut its).map_err(broken)?;
    let heard = frame::read(stream).map_err(broken)?;
    stream.read_exact(&mut answer).map_err(broken)?;
    let parts: [&[u8]; 4] = [&mine, &its, &said, &heard];
    if !secret.is_answer(Side::Listener, &parts, &answer) {
        return Err(stranger("does not know the secret, or has another one"));
    }
    let answer = secret.answer(Side::Caller, &parts).map_err(Refusal::Stranger)?;
    stream.write_all(&answer).map_err(broken)?;
    let other = Hello::decode(&heard).ok_or_else(|| stranger("is another version of the program"))?;
    match hello.difference(&other, to) {
        Some(why) => Err(Refusal::Different(why)),
        None => Ok(()),
    }
}

/// Listens to a process that calls.
pub(crate) fn listen(stream: &mut TcpStream, hello: &Hello, secret: &Secret) -> Result<Hello, Refusal> {
    let stranger = |what: &str| Refusal::Stranger(what.to_owned());
    let broken = |_| stranger("a connection was closed, or nothing came");
    prepare(stream).map_err(broken)?;
    let (mut its, mut answer) = ([0; CHALLENGE], [0; ANSWER]);
    stream.read_exact(&mut its).map_err(broken)?;
    let heard = frame::read(stream).map_err(broken)?;
    let mine = challenge().map_err(Refusal::Stranger)?;
    let said = hello.encode();
    let parts: [&[u8]; 4] = [&its, &mine, &heard, &said];
    let sent = secret.answer(Side::Listener, &parts).map_err(Refusal::Stranger)?;
    let written = stream.write_all(&mine).and_then(|()| frame::write(stream, &said));
    written.and_then(|()| stream.write_all(&sent)).map_err(broken)?;
    // Who finds our answer wrong does not stay to give its own.
    let answered = stream.read_exact(&mut answer).is_ok();
    if !answered || !secret.is_answer(Side::Caller, &parts, &answer) {
        return Err(stranger("somebody does not know the secret, or has another one"));
    }
    let other =
        Hello::decode(&heard).ok_or_else(|| stranger("somebody is another version of the program"))?;
    match hello.difference(&other, other.process) {
        Some(why) => Err(Refusal::Different(why)),
        None => Ok(other),
    }
}

fn prepare(stream: &TcpStream) -> std::io::Result<()> {
    // What a listener that is asked without waiting hands over may be the same.
    stream.set_nonblocking(false)?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::thread;

    use super::*;

    fn meet(secrets: [&str; 2], models: [&str; 2]) -> (Result<(), Refusal>, Result<Hello, Refusal>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let hello = |process, model: &str| Hello {
            search: 1,
            process,
            port: 7,
            topics: vec![topic("model", model.to_owned())],
        };
        let secret = |text| Secret::of(text).unwrap();
        thread::scope(|scope| {
            let called = scope.spawn(|| {
                let mut stream = TcpStream::connect(address).unwrap();
                call(&mut stream, 0, &hello(1, models[0]), &secret(secrets[0]))
            });
            let (mut stream, _) = listener.accept().unwrap();
            let listened = listen(&mut stream, &hello(0, models[1]), &secret(secrets[1]));
            drop(stream);
            (called.join().unwrap(), listened)
        })
    }

    #[test]
    fn those_who_agree_meet() {
        let (called, listened) = meet(["s", "s"], ["m", "m"]);
        assert_eq!(called, Ok(()));
        assert_eq!(listened.map(|hello| (hello.process, hello.port)), Ok((1, 7)));
    }

    #[test]
    fn another_secret_is_a_stranger() {
        let (called, listened) = meet(["s", "t"], ["m", "m"]);
        assert!(matches!(called, Err(Refusal::Stranger(why)) if why.contains("secret")));
        assert!(matches!(listened, Err(Refusal::Stranger(_))));
    }

    #[test]
    fn another_model_is_told_by_both() {
        let (called, listened) = meet(["s", "s"], ["m", "n"]);
        assert_eq!(called, Err(Refusal::Different("process 0 has another model: n, not m".to_owned())));
        assert_eq!(listened, Err(Refusal::Different("process 1 has another model: m, not n".to_owned())));
    }

    #[test]
    fn what_is_long_is_compared_as_well() {
        let [one, other] = ["1", "2"].map(|last| "0".repeat(2 << 20) + last);
        let (called, listened) = meet(["s", "s"], [&one, &one]);
        assert_eq!((called, listened.is_ok()), (Ok(()), true));
        let (called, _) = meet(["s", "s"], [&one, &other]);
        assert_eq!(called, Err(Refusal::Different("process 0 has another model".to_owned())));
    }
}
