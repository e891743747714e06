//! Where the messages of timely dataflow end, on a connection that may break off in the middle of one.
//!
//! Each begins with a header of six numbers of eight bytes, most significant first, the fifth of which says how many bytes
//! follow. One that nothing follows is the last. Zeros complete whatever was begun: of a header that was cut off they make one
//! that addresses nobody whom the whole one did not, and 48 more are the last message.

/// Bytes of a header.
const HEADER: usize = 48;

/// Where in it the number of bytes is that follow.
const LENGTH: std::ops::Range<usize> = 32..40;

/// How far a connection was read.
#[derive(Debug, Default)]
pub(crate) struct Bounds {
    /// What there is of a header.
    header: Vec<u8>,
    /// Bytes that are still to follow one.
    left: usize,
    is_at_end: bool,
}

impl Bounds {
    /// These were read.
    pub(crate) fn pass(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let (piece, rest) = bytes.split_at(self.lacks().min(bytes.len()));
            bytes = rest;
            if self.left > 0 {
                self.left -= piece.len();
                continue;
            }
            self.header.extend_from_slice(piece);
            if self.header.len() == HEADER {
                let number = self.header[LENGTH].iter().fold(0, |high, &low| high << 8 | usize::from(low));
                self.left = number;
                self.is_at_end = number == 0;
                self.header.clear();
            }
        }
    }

    /// How many bytes end the header, or what follows it.
    pub(crate) fn lacks(&self) -> usize {
        if self.left > 0 { self.left } else { HEADER - self.header.len() }
    }

    /// Whether a message was begun.
    pub(crate) fn is_inside(&self) -> bool {
        self.left > 0 || !self.header.is_empty()
    }

    /// Whether the last message was read.
    pub(crate) fn is_at_end(&self) -> bool {
        self.is_at_end
    }
}

#[cfg(test)]
mod tests {
    use timely::communication::networking::MessageHeader;

    use super::*;

    /// Messages as timely dataflow writes them.
    fn written(lengths: &[usize]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for &length in lengths {
            let header = MessageHeader {
                channel: 1,
                source: 2,
                target_lower: 300,
                target_upper: 301,
                length,
                seqno: 70_000,
            };
            header.write_to(&mut bytes).unwrap();
            bytes.resize(bytes.len() + length, 7);
        }
        bytes
    }

    #[test]
    fn messages_end_where_they_do_however_they_are_read() {
        let bytes = written(&[1, 300, 70_000, 0]);
        for size in [1, 7, 48, 49, 1000, bytes.len()] {
            let mut bounds = Bounds::default();
            let mut n_ends = 0;
            for (at, piece) in bytes.chunks(size).enumerate() {
                assert!(!bounds.is_at_end());
                bounds.pass(piece);
                n_ends += usize::from(!bounds.is_inside());
                assert!(bounds.is_inside() || size > 1 || [49, 397, 70_445, 70_493].contains(&(at + 1)));
            }
            assert!(bounds.is_at_end() && n_ends <= 4, "{size}");
        }
    }

    /// What zeros make of a connection that was cut off anywhere is what timely dataflow takes for a whole one.
    #[test]
    fn zeros_end_what_was_cut_off() {
        let whole = written(&[5, 300, 2]);
        for cut in 0..=whole.len() {
            let mut bytes = whole[..cut].to_vec();
            let mut bounds = Bounds::default();
            bounds.pass(&bytes);
            while !bounds.is_at_end() {
                let zeros = vec![0; bounds.lacks()];
                bounds.pass(&zeros);
                bytes.extend(zeros);
            }
            let mut rest = &bytes[..];
            loop {
                let header = MessageHeader::try_read(rest).expect("a whole message");
                rest = &rest[header.required_bytes()..];
                let targets = header.target_lower..header.target_upper;
                assert!(targets.is_empty() || targets == (300..301), "{cut}: {targets:?}");
                if header.length == 0 {
                    break;
                }
            }
            assert!(rest.is_empty(), "{cut}");
        }
    }
}
