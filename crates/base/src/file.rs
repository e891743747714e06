//! Texts on disk.
//!
//! Which files belong to a model is said by the model, and a model may be anybody's: devices and pipes, which may never
//! end or never begin, are left alone. Invariant: no text is longer than [`LONGEST_TEXT`], so that places in it fit into
//! a [`Span`](crate::Span).

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

/// No longer text is read, in bytes.
pub const LONGEST_TEXT: u64 = 256 << 20;

/// The text of a file that a user named, be it a pipe. Old models are not always UTF-8; what is not is only ever in
/// comments and strings.
pub fn read_text(path: &Path) -> io::Result<Arc<str>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(LONGEST_TEXT + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LONGEST_TEXT {
        let message = format!("the text is longer than {} MiB", LONGEST_TEXT >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    if bytes.contains(&0) {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "this is no text in UTF-8"));
    }
    Ok(String::from_utf8_lossy(&bytes).into())
}

/// The same of a file that somebody else named: it has to be a regular one.
pub fn read_regular(path: &Path) -> io::Result<Arc<str>> {
    match fs::metadata(path)?.is_file() {
        true => read_text(path),
        false => Err(io::Error::new(io::ErrorKind::InvalidInput, "this is no regular file")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_and_devices_are_no_texts() {
        assert!(read_regular(Path::new("src")).is_err());
        assert!(read_regular(Path::new("src/file.rs")).is_ok());
        if cfg!(unix) {
            assert!(read_regular(Path::new("/dev/zero")).is_err());
            let error = read_text(Path::new("/dev/zero")).expect_err("it never ends");
            assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
        }
    }

    #[test]
    fn what_is_no_text_is_not_read() {
        let folder = std::env::temp_dir();
        let file = folder.join(format!("stubborn-no-text-{}.pml", std::process::id()));
        let read = |bytes: &[u8]| {
            fs::write(&file, bytes).expect("a file for the test");
            read_text(&file).map(|text| text.to_string()).map_err(|error| error.kind())
        };
        let latin = read(b"/* \xe9 */ int x;");
        let (program, utf16) = (read(b"\x7fELF\x02\x00\x01"), read(b"\xff\xfei\x00n\x00t\x00"));
        fs::remove_file(&file).expect("it was written");
        assert_eq!(latin.as_deref(), Ok("/* \u{fffd} */ int x;"));
        assert_eq!([program, utf16], [const { Err(io::ErrorKind::InvalidData) }; 2]);
    }
}
