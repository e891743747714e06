//! Messages on a stream: a header with the number of bytes, an empty line, and so many bytes of JSON.

use std::io::{self, BufRead, Read, Write};

/// A message longer than this is taken for nonsense.
const LONGEST: usize = 64 << 20;

/// A header line longer than this, too.
const LONGEST_LINE: u64 = 4096;

/// The next message; none at the end of the stream. Fails if there is something else, or if it is cut off.
pub(crate) fn read(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut length = None;
    let mut is_first = true;
    loop {
        let mut line = Vec::new();
        input.take(LONGEST_LINE).read_until(b'\n', &mut line)?;
        if line.is_empty() && is_first {
            return Ok(None);
        }
        is_first = false;
        let line = line.strip_suffix(b"\n").ok_or_else(|| wrong("a header without an end"))?;
        let line = std::str::from_utf8(line).map_err(|_| wrong("a header that is no text"))?.trim_end();
        if line.is_empty() {
            break;
        }
        let (name, value) = line.split_once(':').ok_or_else(|| wrong(&format!("`{line}` is no header")))?;
        if name.eq_ignore_ascii_case("content-length") {
            let number = value.trim().parse().ok().filter(|&length| length <= LONGEST);
            length = Some(number.ok_or_else(|| wrong(&format!("`{}` is no length", value.trim())))?);
        }
    }
    let mut message = vec![0; length.ok_or_else(|| wrong("a header without a length"))?];
    input.read_exact(&mut message)?;
    Ok(Some(message))
}

/// Writes a message.
pub(crate) fn write(output: &mut impl Write, message: &[u8]) -> io::Result<()> {
    write!(output, "Content-Length: {}\r\n\r\n", message.len())?;
    output.write_all(message)?;
    output.flush()
}

fn wrong(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("no message of the protocol: {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_as_they_are_written() {
        let mut stream = Vec::new();
        for message in ["{}", "", "{\"é\": 1}"] {
            write(&mut stream, message.as_bytes()).unwrap();
        }
        let mut input = &*stream;
        let mut read = || read(&mut input).unwrap().map(|message| String::from_utf8(message).unwrap());
        assert_eq!([read(), read()], [Some("{}".to_owned()), Some(String::new())]);
        assert_eq!([read(), read()], [Some("{\"é\": 1}".to_owned()), None]);
    }

    #[test]
    fn what_is_no_message_is_refused() {
        for stream in [
            "hello",
            "hello\r\n\r\n",
            "Content-Length: x\r\n\r\n",
            "Content-Length: -1\r\n\r\n",
            "Content-Length: 99999999999\r\n\r\n",
            "Content-Type: x\r\n\r\n",
            "Content-Length: 5\r\n",
            "Content-Length: 5\r\n\r\n{}",
        ] {
            assert!(read(&mut stream.as_bytes()).is_err(), "{stream:?}");
        }
        let other = "X: y\r\ncontent-length: 2\r\n\r\n{}";
        assert_eq!(read(&mut other.as_bytes()).unwrap().as_deref(), Some(&b"{}"[..]));
    }
}
