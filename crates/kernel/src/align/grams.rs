//! Words in a row, by which equal stretches of two documents are found.

use crate::hash;

/// Words in a gram that begins a run.
pub const GRAM: usize = 8;

/// Words in a gram that shows that a sentence was taken over.
pub const SHORT: usize = 5;

/// The grams of words with their places, sorted. Of fewer words than a gram has, there is one.
pub fn grams<T: Copy + Into<u64>>(words: &[T], size: usize) -> Vec<(u64, u32)> {
    let size = size.min(words.len()).max(1);
    let hash = |gram: &[T]| gram.iter().fold(0, |hash, word| hash::extend(hash, (*word).into()));
    let mut found: Vec<(u64, u32)> =
        words.windows(size).enumerate().map(|(at, gram)| (hash(gram), at as u32)).collect();
    found.sort_unstable();
    found
}
