//! States that were found one after the other, without the bits in which they are all alike.
//!
//! Such states have much in common: most processes are where they were, flags take a byte, and counters stay small. A
//! run of them is kept as what is common, once, and of each state the bits in which not all of the run agree, packed
//! closely. What that leaves of a state fits into a line of memory or less, and to compare with it takes a few
//! instructions for each word.
//!
//! Invariant: [`Packed::unpack`] gives back the bytes that were packed.

/// Bytes that are packed together.
const WORD: usize = size_of::<u64>();

/// What the allocator may take for the two parts of a run besides their bytes.
const BESIDES: usize = 2 * 32;

/// Bytes behind the last record, so that whole words can be read up to its end.
const BEYOND: usize = WORD + 1;

/// A run of states.
#[derive(Debug)]
pub(crate) struct Packed {
    words: Box<[Word]>,
    /// Bytes of a state.
    width: usize,
    /// Bytes of a record.
    stride: usize,
    records: Box<[u8]>,
}

/// A word of all states of a run.
#[derive(Clone, Copy, Debug)]
struct Word {
    /// What it has in common, with zeros elsewhere.
    common: u64,
    /// Bits in which not all are alike.
    mask: u64,
}

/// What bits are gathered and scattered with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Means {
    /// By an instruction each.
    #[cfg(target_arch = "x86_64")]
    Instructions,
    /// One bit at a time.
    Loops,
}

impl Means {
    /// The best that this processor has.
    pub(crate) fn of_processor() -> Self {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("bmi2") && is_x86_feature_detected!("popcnt") {
            return Means::Instructions;
        }
        Means::Loops
    }
}

impl Packed {
    /// What is common to states of that width, and what is not.
    pub(crate) fn survey(width: usize, states: &[u8]) -> Survey {
        let mut words: Box<[Word]> = vec![Word { common: 0, mask: 0 }; width.div_ceil(WORD)].into();
        let mut all = states.chunks_exact(width.max(1));
        if let Some(first) = all.next() {
            words.iter_mut().zip(words_of(first)).for_each(|(word, own)| word.common = own);
        }
        for state in all {
            for (word, own) in words.iter_mut().zip(words_of(state)) {
                word.mask |= own ^ word.common;
            }
        }
        words.iter_mut().for_each(|word| word.common &= !word.mask);
        let n_bits: u32 = words.iter().map(|word| word.mask.count_ones()).sum();
        Survey { words, width, stride: n_bits.div_ceil(8) as usize }
    }

    /// The record of a state.
    #[inline]
    pub(crate) fn record(&self, index: usize) -> &[u8] {
        &self.records[index * self.stride..][..self.stride + BEYOND]
    }

    /// Appends a state.
    #[inline]
    pub(crate) fn unpack(&self, means: Means, index: usize, state: &mut Vec<u8>) {
        match means {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: this processor was found to have them.
            #[expect(unsafe_code, reason = "instructions that not all processors have")]
            Means::Instructions => unsafe { by_instructions::unpack(self, index, state) },
            Means::Loops => self.unpack_by(index, state, scattered),
        }
    }

    /// Whether that is the state, but for zeros appended to either.
    #[inline]
    pub(crate) fn is(&self, means: Means, index: usize, state: &[u8]) -> bool {
        match means {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: this processor was found to have them.
            #[expect(unsafe_code, reason = "instructions that not all processors have")]
            Means::Instructions => unsafe { by_instructions::is(self, index, state) },
            Means::Loops => self.is_by(index, state, scattered),
        }
    }

    /// A state of no more than eight bytes.
    #[inline]
    pub(crate) fn word(&self, means: Means, index: usize) -> u64 {
        match means {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: this processor was found to have them.
            #[expect(unsafe_code, reason = "instructions that not all processors have")]
            Means::Instructions => unsafe { by_instructions::word(self, index) },
            Means::Loops => self.word_by(index, scattered),
        }
    }

    #[inline(always)]
    fn word_by(&self, index: usize, scatter: impl Fn(u64, u64) -> u64) -> u64 {
        let mut found = 0;
        self.for_each_word(index, [()], scatter, |word, ()| found = word);
        found
    }

    #[inline(always)]
    fn unpack_by(&self, index: usize, state: &mut Vec<u8>, scatter: impl Fn(u64, u64) -> u64) {
        let start = state.len();
        state.resize(start + self.words.len() * WORD, 0);
        let (bytes, _) = state[start..].as_chunks_mut::<WORD>();
        self.for_each_word(index, bytes, scatter, |word, bytes| *bytes = word.to_le_bytes());
        state.truncate(start + self.width);
    }

    #[inline(always)]
    fn is_by(&self, index: usize, state: &[u8], scatter: impl Fn(u64, u64) -> u64) -> bool {
        let mut difference = 0;
        if state.len() != self.width {
            let mut theirs = words_of(state);
            self.for_each_word(index, 0.., scatter, |word, _| {
                difference |= word ^ theirs.next().unwrap_or(0)
            });
            return difference == 0 && theirs.all(|word| word == 0);
        }
        let (whole, rest) = state.as_chunks::<WORD>();
        let at = self.for_each_word(index, whole, &scatter, |word, theirs| {
            difference |= word ^ u64::from_le_bytes(*theirs);
        });
        if let Some(word) = self.words.get(whole.len()) {
            let own = word.common | scatter(bits_at(self.record(index), at), word.mask);
            difference |= own ^ last_word(rest);
        }
        difference == 0
    }

    /// Calls `see` with the words of a state and what they are seen with, as long as there is something; where the bits
    /// of the next word are.
    #[inline(always)]
    fn for_each_word<T>(
        &self,
        index: usize,
        with: impl IntoIterator<Item = T>,
        scatter: impl Fn(u64, u64) -> u64,
        mut see: impl FnMut(u64, T),
    ) -> u32 {
        let record = self.record(index);
        let mut at = 0;
        for (word, with) in self.words.iter().zip(with) {
            see(word.common | scatter(bits_at(record, at), word.mask), with);
            at += word.mask.count_ones();
        }
        at
    }
}

/// What a run of states has in common, before they are packed.
pub(crate) struct Survey {
    words: Box<[Word]>,
    width: usize,
    stride: usize,
}

impl Survey {
    /// Bytes that so many of them will take.
    pub(crate) fn bytes(&self, n_states: usize) -> usize {
        self.stride * n_states + BEYOND + size_of_val(&*self.words) + BESIDES
    }

    /// Packs them.
    pub(crate) fn pack(self, means: Means, states: &[u8]) -> Packed {
        let Survey { words, width, stride } = self;
        let all = states.chunks_exact(width.max(1));
        let mut records = vec![0; stride * all.len() + BEYOND].into_boxed_slice();
        for (index, state) in all.enumerate() {
            let record = &mut records[index * stride..][..stride + BEYOND];
            match means {
                #[cfg(target_arch = "x86_64")]
                // SAFETY: this processor was found to have them.
                #[expect(unsafe_code, reason = "instructions that not all processors have")]
                Means::Instructions => unsafe { by_instructions::gather(&words, state, record) },
                Means::Loops => gather_by(&words, state, record, gathered),
            }
        }
        Packed { words, width, stride, records }
    }
}

/// Whether states are the same but for zeros appended.
pub(crate) fn is_same(one: &[u8], other: &[u8]) -> bool {
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    let (start, rest) = long.split_at(short.len());
    start == short && rest.iter().all(|&byte| byte == 0)
}

/// The words of a state, the last one with zeros at its end.
#[inline(always)]
fn words_of(state: &[u8]) -> impl Iterator<Item = u64> {
    let (whole, rest) = state.as_chunks::<WORD>();
    whole.iter().map(|bytes| u64::from_le_bytes(*bytes)).chain((!rest.is_empty()).then(|| last_word(rest)))
}

/// Less than a word, with zeros at its end.
#[inline(always)]
fn last_word(rest: &[u8]) -> u64 {
    rest.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

/// The bits of a record from one on; at least as many as a word has, of which others than its own mean nothing.
#[inline(always)]
fn bits_at(record: &[u8], at: u32) -> u64 {
    let bytes: &[u8; BEYOND] =
        record[at as usize / 8..].first_chunk().expect("records are followed by a word");
    let (word, last) = (*bytes.first_chunk().expect("it is shorter"), bytes[WORD]);
    let shift = at % 8;
    u64::from_le_bytes(word) >> shift | u64::from(last) << 1 << (u64::BITS - 1 - shift)
}

/// Writes a record, and zeros behind it.
#[inline(always)]
fn gather_by(words: &[Word], state: &[u8], record: &mut [u8], gather: impl Fn(u64, u64) -> u64) {
    // What is not written yet, how many bits that is, and where it goes.
    let (mut bits, mut n_bits, mut at) = (0, 0, 0);
    let mut write = |bits: u64, at: usize| record[at..][..WORD].copy_from_slice(&bits.to_le_bytes());
    for (word, own) in words.iter().zip(words_of(state)) {
        let more = gather(own, word.mask);
        bits |= more << n_bits;
        let n_more = word.mask.count_ones();
        if n_bits + n_more >= u64::BITS {
            write(bits, at);
            at += WORD;
            bits = more.checked_shr(u64::BITS - n_bits).unwrap_or(0);
            n_bits = n_bits + n_more - u64::BITS;
        } else {
            n_bits += n_more;
        }
    }
    write(bits, at);
}

/// The bits of a word that a mask has, next to each other.
fn gathered(word: u64, mut mask: u64) -> u64 {
    let (mut bits, mut at) = (0, 0);
    while mask != 0 {
        let lowest = mask & mask.wrapping_neg();
        bits |= u64::from(word & lowest != 0) << at;
        at += 1;
        mask ^= lowest;
    }
    bits
}

/// The lowest bits, each where a mask has one.
fn scattered(mut bits: u64, mut mask: u64) -> u64 {
    let mut word = 0;
    while mask != 0 {
        let lowest = mask & mask.wrapping_neg();
        word |= lowest * (bits & 1);
        bits >>= 1;
        mask ^= lowest;
    }
    word
}

/// The same by instructions that gather and scatter bits. To be called where the processor has them.
#[cfg(target_arch = "x86_64")]
mod by_instructions {
    use std::arch::x86_64::{_pdep_u64, _pext_u64};

    use super::{Packed, Word, gather_by};

    #[target_feature(enable = "bmi2,popcnt")]
    pub(super) fn unpack(packed: &Packed, index: usize, state: &mut Vec<u8>) {
        packed.unpack_by(index, state, |bits, mask| _pdep_u64(bits, mask));
    }

    #[target_feature(enable = "bmi2,popcnt")]
    pub(super) fn is(packed: &Packed, index: usize, state: &[u8]) -> bool {
        packed.is_by(index, state, |bits, mask| _pdep_u64(bits, mask))
    }

    #[target_feature(enable = "bmi2,popcnt")]
    pub(super) fn word(packed: &Packed, index: usize) -> u64 {
        packed.word_by(index, |bits, mask| _pdep_u64(bits, mask))
    }

    #[target_feature(enable = "bmi2,popcnt")]
    pub(super) fn gather(words: &[Word], state: &[u8], record: &mut [u8]) {
        gather_by(words, state, record, |word, mask| _pext_u64(word, mask));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn means() -> Vec<Means> {
        let mut all = vec![Means::Loops, Means::of_processor()];
        all.dedup();
        all
    }

    fn random(seed: u64) -> impl FnMut() -> u64 {
        let mut state = seed;
        move || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let mixed = (state ^ state >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            mixed ^ mixed >> 32
        }
    }

    #[test]
    fn what_is_packed_comes_out_as_it_was_by_all_means() {
        let mut next = random(7);
        for width in [0, 1, 7, 8, 9, 16, 23, 64, 65, 300] {
            for density in 0..6 {
                // Bits that vary: none, few, most, all.
                let masks: Vec<u8> = (0..width)
                    .map(|_| match density {
                        0 => 0,
                        1 => (next() & next() & next()) as u8,
                        2 => (next() & next()) as u8,
                        3 => next() as u8,
                        4 => (next() | next()) as u8,
                        _ => 0xFF,
                    })
                    .collect();
                let base: Vec<u8> = (0..width).map(|_| next() as u8).collect();
                let n = 50;
                let states: Vec<u8> =
                    (0..n * width).map(|i| base[i % width] ^ masks[i % width] & next() as u8).collect();
                for means in means() {
                    let survey = Packed::survey(width, &states);
                    let n_bytes = survey.bytes(if width == 0 { 0 } else { n });
                    let packed = survey.pack(means, &states);
                    assert_eq!(packed.records.len() + size_of_val(&*packed.words) + BESIDES, n_bytes);
                    for (index, state) in states.chunks_exact(width.max(1)).enumerate() {
                        let mut unpacked = vec![1];
                        packed.unpack(means, index, &mut unpacked);
                        assert_eq!(unpacked[1..], *state);
                        assert!(packed.is(means, index, state));
                        if (1..=8).contains(&width) {
                            let mut word = [0; 8];
                            word[..width].copy_from_slice(state);
                            assert_eq!(packed.word(means, index), u64::from_le_bytes(word));
                        }
                        let mut wider = state.to_vec();
                        wider.extend([0; 11]);
                        assert!(packed.is(means, index, &wider));
                        wider[width + 10] = 1;
                        assert!(!packed.is(means, index, &wider));
                        let mut other = state.to_vec();
                        other[next() as usize % width] ^= 1 << (next() % 8);
                        assert!(!packed.is(means, index, &other));
                        let end = state.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
                        assert!(packed.is(means, index, &state[..end]));
                    }
                }
            }
        }
    }

    #[test]
    fn bits_in_which_all_are_alike_take_nothing() {
        let states: Vec<u8> = (0..200u8).flat_map(|n| [7, n & 0x81, 255, 3]).collect();
        let packed = Packed::survey(4, &states).pack(Means::of_processor(), &states);
        assert_eq!(packed.stride, 1);
    }
}
