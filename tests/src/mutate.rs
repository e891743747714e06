//! Breaks texts: bytes flipped, words deleted, doubled, swapped or replaced, ends cut off.

mod vocabulary;

use crate::generate::Random;

pub use vocabulary::{FORMULA, MESSAGES, NUMBERS, SETTINGS, words};

/// A mutation of the text, by so many small changes that may put these words.
pub fn mutate(text: &str, words: &[&'static str], random: &mut Random, n_changes: usize) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..n_changes {
        change(&mut bytes, words, random);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn change(bytes: &mut Vec<u8>, words: &[&'static str], random: &mut Random) {
    let word = |random: &mut Random| *random.pick(words).expect("there are words");
    if bytes.is_empty() {
        bytes.extend(word(random).bytes());
        return;
    }
    let (start, end) = word_at(bytes, random.below(bytes.len()));
    match random.below(9) {
        0 => {
            let at = random.below(bytes.len());
            bytes[at] ^= 1 << random.below(8);
        }
        1 | 2 => {
            bytes.drain(start..end);
        }
        3 => {
            let copy: Vec<u8> = bytes[start..end].iter().copied().chain([b' ']).collect();
            bytes.splice(start..start, copy);
        }
        4 => {
            let (other_start, other_end) = word_at(bytes, random.below(bytes.len()));
            let (first, second) = if start < other_start {
                ((start, end), (other_start, other_end))
            } else {
                ((other_start, other_end), (start, end))
            };
            if first.1 <= second.0 {
                let (left, right) = (bytes[first.0..first.1].to_vec(), bytes[second.0..second.1].to_vec());
                bytes.splice(second.0..second.1, left);
                bytes.splice(first.0..first.1, right);
            }
        }
        5 => {
            bytes.splice(start..end, word(random).bytes());
        }
        6 => {
            let text = format!(" {} ", word(random));
            bytes.splice(start..start, text.bytes());
        }
        7 => {
            let to = (start + 1 + random.below(200)).min(bytes.len());
            bytes.drain(start..to);
        }
        _ if random.percent(20) => bytes.truncate(start),
        _ => {
            let to = (start + 1 + random.below(80)).min(bytes.len());
            let copy = bytes[start..to].to_vec();
            let at = random.below(bytes.len());
            bytes.splice(at..at, copy);
        }
    }
}

/// The bounds of the word, or of the single character, around a byte.
fn word_at(bytes: &[u8], at: usize) -> (usize, usize) {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    if !is_part(bytes[at]) {
        return (at, at + 1);
    }
    let start = bytes[..at].iter().rposition(|&byte| !is_part(byte)).map_or(0, |found| found + 1);
    let end = bytes[at..].iter().position(|&byte| !is_part(byte)).map_or(bytes.len(), |found| at + found);
    (start, end)
}
