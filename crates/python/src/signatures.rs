//! Signatures of sentences: which radius to search with, and why.

use kernel::features::{sentences, variants};
use kernel::hamming::law::{self, Law};
use kernel::hamming::pair_law::PairLaw;
use pyo3::prelude::*;

use crate::enter::{ParameterError, enter};
use crate::features::{Features, signatures_of};

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

/// For pairs of sentences, given as how many words both, the first and the second alone have, the
/// probabilities that their signatures differ in 0, 1, … bits.
#[pyfunction]
pub fn pair_law(
    py: Python<'_>,
    bits: u32,
    bits_per_word: u32,
    pairs: Vec<(usize, usize, usize)>,
) -> PyResult<Vec<Vec<f64>>> {
    signatures_of(bits, bits_per_word)?;
    enter(py, 1, |cancel| {
        let mut law = PairLaw::new(bits, bits_per_word);
        pairs
            .into_iter()
            .map(|(both, left, right)| cancel.check().map(|()| law.apart(both, left, right)))
            .collect()
    })
}

/// The same sentences with signatures of their words.
#[pyfunction]
#[pyo3(signature = (features, *, bits, bits_per_word))]
pub fn signed(
    py: Python<'_>,
    features: &Features,
    bits: u32,
    bits_per_word: u32,
) -> PyResult<Features> {
    let signatures = signatures_of(bits, bits_per_word)?;
    enter(py, 1, |cancel| sentences::signed(&features.0, signatures, cancel)).map(Features)
}

/// Sentences made from others, each word exchanged with the probability `changed`.
#[pyfunction]
#[pyo3(signature = (features, *, number, changed, seed))]
pub fn sentence_variants(
    py: Python<'_>,
    features: &Features,
    number: usize,
    changed: f64,
    seed: u64,
) -> PyResult<Features> {
    enter(py, 1, |cancel| variants::variants(&features.0, number, changed, seed, cancel))
        .map(Features)
}
