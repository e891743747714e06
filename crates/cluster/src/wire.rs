//! Numbers and bytes as they are written into messages.
//!
//! Numbers take seven bits a byte, least first, as most are small. Whatever reads gets nothing where there is nothing
//! to be read: a message that was cut off or garbled is never taken for another.

/// Writes a number.
pub(crate) fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Writes a number that may be negative.
pub(crate) fn put_signed(bytes: &mut Vec<u8>, number: i32) {
    put(bytes, u64::from((number << 1 ^ number >> 31) as u32));
}

/// Writes bytes, and before them how many there are.
pub(crate) fn put_bytes(bytes: &mut Vec<u8>, what: &[u8]) {
    put(bytes, what.len() as u64);
    bytes.extend_from_slice(what);
}

/// Reads what was written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader<'a>(pub(crate) &'a [u8]);

impl<'a> Reader<'a> {
    pub(crate) fn is_at_end(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    pub(crate) fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    /// A number that fits.
    pub(crate) fn read<T: TryFrom<u64>>(&mut self) -> Option<T> {
        T::try_from(self.number()?).ok()
    }

    pub(crate) fn signed(&mut self) -> Option<i32> {
        let number: u32 = self.read()?;
        Some((number >> 1) as i32 ^ -((number & 1) as i32))
    }

    pub(crate) fn bytes(&mut self) -> Option<&'a [u8]> {
        let len: usize = self.read()?;
        let (bytes, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let mut bytes = Vec::new();
        for number in [0, 1, 127, 128, u64::from(u32::MAX), u64::MAX] {
            put(&mut bytes, number);
        }
        for number in [0, -1, i32::MIN, i32::MAX] {
            put_signed(&mut bytes, number);
        }
        put_bytes(&mut bytes, b"state");
        let mut reader = Reader(&bytes);
        for number in [0, 1, 127, 128, u64::from(u32::MAX), u64::MAX] {
            assert_eq!(reader.number(), Some(number));
        }
        for number in [0, -1, i32::MIN, i32::MAX] {
            assert_eq!(reader.signed(), Some(number));
        }
        assert_eq!(reader.bytes(), Some(&b"state"[..]));
        assert!(reader.is_at_end());
        assert_eq!(reader.number(), None);
        assert_eq!(Reader(&[5, 1, 2]).bytes(), None);
        assert_eq!(Reader(&[0xff; 12]).number(), None);
    }
}
