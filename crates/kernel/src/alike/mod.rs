//! How alike two sentences are, by many small measures and weights that were learned.
//!
//! A [`sentence`] is read once, [`measures`] compares two of them, [`linear`] learns from labelled
//! pairs what each measure is worth. No network and no table of meanings: words, stems, characters,
//! order, numbers, names and the correlations of words.

pub mod linear;
pub mod measures;
pub mod sentence;
