//! Signatures of sentences: which radius to search with, and why.

use kernel::hamming::law::{self, Law};
use pyo3::prelude::*;

use crate::enter::ParameterError;

/// The law with this name.
pub fn law_of(name: &str) -> PyResult<Law> {
    match name {
        "binomial" => Ok(Law::Binomial),
        "exact" => Ok(Law::Exact),
        other => {
            let message = format!("law must be binomial or exact, got {other:?}");
            Err(ParameterError::new_err(message))
        }
    }
}

/// The probability that a bit is set.
#[pyfunction]
pub fn bit_set(bits: u32, bits_per_word: u32, words: f64) -> f64 {
    law::bit_set(bits, bits_per_word, words)
}

/// The probability that more words set a bit that was not.
#[pyfunction]
pub fn bit_switch(bits: u32, bits_per_word: u32, words: f64, more: f64, approximate: bool) -> f64 {
    law::bit_switch(bits, bits_per_word, words, more, approximate)
}

/// The probability under the binomial law that at most `distance` bits differ.
#[pyfunction]
pub fn binomial_within(
    bits: u32,
    bits_per_word: u32,
    words: f64,
    more: f64,
    distance: u32,
    approximate: bool,
) -> f64 {
    law::binomial_within(bits, bits_per_word, words, more, distance, approximate)
}

/// The probabilities under the exact law that 0, 1, … bits differ.
#[pyfunction]
pub fn exact_law(bits: u32, bits_per_word: u32, words: u32, more: u32) -> Vec<f64> {
    law::exact(bits, bits_per_word, words, more)
}

/// The largest radius that keeps the bound on false hits; None if there is none.
#[pyfunction]
pub fn bounded_radius(
    law: &str,
    bits: u32,
    bits_per_word: u32,
    words: u32,
    changed: u32,
    false_hits: f64,
) -> PyResult<Option<u32>> {
    Ok(law::radius(law_of(law)?, bits, bits_per_word, words, changed, false_hits))
}

/// The smallest number of bits per word that gives every word bits of its own.
#[pyfunction]
pub fn bits_per_word(bits: u32, vocabulary: usize) -> u32 {
    law::bits_per_word(bits, vocabulary)
}
