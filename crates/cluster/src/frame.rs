//! Messages on a connection of our own, each with its length before it.

use std::io::{Error, ErrorKind, Read, Result, Write};

/// Longer ones are not ours.
const MAX: u32 = 1 << 20;

/// Writes a message.
pub(crate) fn write(stream: &mut impl Write, message: &[u8]) -> Result<()> {
    let mut bytes = (message.len() as u32).to_le_bytes().to_vec();
    bytes.extend_from_slice(message);
    stream.write_all(&bytes)
}

/// Reads one.
pub(crate) fn read(stream: &mut impl Read) -> Result<Vec<u8>> {
    let mut len = [0; 4];
    stream.read_exact(&mut len)?;
    let len = u32::from_le_bytes(len);
    if len > MAX {
        return Err(Error::new(ErrorKind::InvalidData, "a message is too long"));
    }
    let mut message = vec![0; len as usize];
    stream.read_exact(&mut message)?;
    Ok(message)
}
