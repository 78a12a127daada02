//! Runs of eight words, by which equal stretches of two documents are found.

use crate::hash;

/// Words in a gram.
pub const GRAM: usize = 8;

/// The grams of a document with their places, sorted. A document of fewer words has one gram.
pub fn grams(folded: &[u32]) -> Vec<(u64, u32)> {
    let size = GRAM.min(folded.len()).max(1);
    let hash =
        |gram: &[u32]| gram.iter().fold(0, |hash, word| hash::extend(hash, u64::from(*word)));
    let mut found: Vec<(u64, u32)> =
        folded.windows(size).enumerate().map(|(at, gram)| (hash(gram), at as u32)).collect();
    found.sort_unstable();
    found
}
