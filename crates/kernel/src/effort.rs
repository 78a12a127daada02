//! How much work a sentence of a long document is worth.
//!
//! What a sentence has in common with another document is found by the places of its words there. In
//! a document of a thousand sentences all places are looked at. In a longer one the number of places
//! of a word grows with the document, and so would the work for each sentence: the rarest words come
//! first, and the search ends after a number of steps that depends on the length alone. The time for two
//! documents thus grows no faster than their length.

/// The steps two documents are worth, however short they are.
const ALL: usize = 1 << 24;

/// The steps a sentence is worth, however long the other document is.
const LEAST: usize = if cfg!(test) { 64 } else { 1 << 10 };

/// How many steps a sentence may take in a document of so many sentences.
pub fn steps(sentences: usize) -> usize {
    (if cfg!(test) { ALL >> 9 } else { ALL }) / sentences.max(1) + LEAST
}

/// How many sentences are looked at between two looks at whether to stop.
pub const BETWEEN_CHECKS: usize = 64;
