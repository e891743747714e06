//! What only the processes of a cluster know, and how one shows that it does.
//!
//! Both sides of a connection send a number that nobody can guess, and answer the other's with a code (HMAC with SHA-256,
//! RFC 2104) over both numbers and what they have to say. The secret itself is never sent, and an answer is of no use
//! on another connection.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// Bytes of a challenge.
pub(crate) const CHALLENGE: usize = 32;

/// Bytes of an answer.
pub(crate) const ANSWER: usize = 32;

/// A secret shared by all processes of a cluster.
#[derive(Clone)]
pub struct Secret(Vec<u8>);

impl Secret {
    /// What a file or the environment says, without white space around it; none if that is nothing.
    pub fn of(text: &str) -> Option<Self> {
        let text = text.trim();
        (!text.is_empty()).then(|| Secret(text.as_bytes().to_vec()))
    }

    /// A new one, as text. Fails if the system has no randomness.
    pub fn generate() -> Result<String, String> {
        Ok(challenge()?.iter().map(|byte| format!("{byte:02x}")).collect())
    }

    fn mac(&self, side: Side, parts: &[&[u8]]) -> Result<Hmac<Sha256>, String> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).map_err(|error| error.to_string())?;
        mac.update(&[side as u8]);
        for part in parts {
            mac.update(&(part.len() as u64).to_le_bytes());
            mac.update(part);
        }
        Ok(mac)
    }

    /// One side's answer.
    pub(crate) fn answer(&self, side: Side, parts: &[&[u8]]) -> Result<[u8; ANSWER], String> {
        Ok(self.mac(side, parts)?.finalize().into_bytes().into())
    }

    /// Whether an answer is right; takes the same time however wrong it is.
    pub(crate) fn is_answer(&self, side: Side, parts: &[&[u8]], answer: &[u8]) -> bool {
        self.mac(side, parts).is_ok_and(|mac| mac.verify_slice(answer).is_ok())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

/// Who answers: an answer of one side is none of the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Side {
    /// Who listens.
    Listener = 1,
    /// Who called.
    Caller = 2,
}

/// A number that nobody can guess.
pub(crate) fn challenge() -> Result<[u8; CHALLENGE], String> {
    let mut bytes = [0; CHALLENGE];
    getrandom::fill(&mut bytes).map_err(|error| format!("there are no random numbers: {error}"))?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_secret_over_the_same_words_answers() {
        let secret = Secret::of(" open sesame\n").unwrap();
        let answer = secret.answer(Side::Caller, &[b"a", b"bc"]).unwrap();
        assert!(secret.is_answer(Side::Caller, &[b"a", b"bc"], &answer));
        assert!(!secret.is_answer(Side::Listener, &[b"a", b"bc"], &answer));
        assert!(!secret.is_answer(Side::Caller, &[b"ab", b"c"], &answer));
        assert!(!Secret::of("sesame").unwrap().is_answer(Side::Caller, &[b"a", b"bc"], &answer));
        assert!(Secret::of("  \n").is_none());
        assert_ne!(Secret::generate(), Secret::generate());
        assert_eq!(format!("{secret:?}"), "Secret");
    }
}
