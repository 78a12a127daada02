//! The loops of the detectors that relate documents by fingerprints.

use kernel::features::grams::{self, GramOptions, Sampling};
use kernel::features::lexicons::{self, LexiconOptions};
use pyo3::prelude::*;

use crate::analysis::Analysed;
use crate::enter::{ParameterError, enter};
use crate::features::Features;
use crate::statistics::Statistics;

fn gram_options(size: usize, of: &str, sampling: &str, amount: u64) -> PyResult<GramOptions> {
    let count = usize::try_from(amount).unwrap_or(usize::MAX);
    let sampling = match sampling {
        "all" => Sampling::All,
        "every" => Sampling::Every(count),
        "runs" => Sampling::Runs(count),
        "multiples" => Sampling::Multiples(amount),
        "winnow" => Sampling::Winnow(count),
        other => {
            return Err(ParameterError::new_err(format!(
                "sampling must be all, every, runs, multiples or winnow, got {other:?}"
            )));
        }
    };
    if size == 0 || amount == 0 {
        return Err(ParameterError::new_err("size and amount must be at least 1, got 0"));
    }
    Ok(GramOptions {
        size,
        characters: of == "characters",
        sampling,
        within_sentences: false,
        counted: false,
    })
}

/// The grams of each document that are kept as fingerprints; `counted`: with how often it has each.
#[pyfunction]
#[pyo3(signature = (
    analysed, *, size, of = "words", sampling = "all", amount = 1, within_sentences = false,
    counted = false, threads = 0,
))]
#[allow(clippy::too_many_arguments, reason = "each is a parameter of the detector, given by name")]
pub fn gram_features(
    py: Python<'_>,
    analysed: &Analysed,
    size: usize,
    of: &str,
    sampling: &str,
    amount: u64,
    within_sentences: bool,
    counted: bool,
    threads: usize,
) -> PyResult<Features> {
    let options = gram_options(size, of, sampling, amount)?;
    let options = GramOptions { within_sentences, counted, ..options };
    enter(py, threads, |cancel| grams::grams(&analysed.0, &options, cancel)).map(Features)
}

/// The grams of one document that are kept: number of the sentence, words or characters, key.
#[pyfunction]
#[pyo3(signature = (
    analysed, document, *, size, of = "words", sampling = "all", amount = 1,
    within_sentences = false,
))]
pub fn gram_trace(
    analysed: &Analysed,
    document: usize,
    size: usize,
    of: &str,
    sampling: &str,
    amount: u64,
    within_sentences: bool,
) -> PyResult<Vec<(usize, Vec<String>, u64)>> {
    let options = gram_options(size, of, sampling, amount)?;
    let options = GramOptions { within_sentences, ..options };
    let found = grams::trace(&analysed.0, document, &options);
    Ok(found.into_iter().map(|gram| (gram.sentence, gram.items, gram.key)).collect())
}

/// The fingerprints of I-Match of each document.
#[pyfunction]
#[pyo3(signature = (analysed, statistics, *, skip, take, lexicons, share, seed, threads = 0))]
#[allow(clippy::too_many_arguments, reason = "each is a parameter of the detector, given by name")]
pub fn lexicon_features(
    py: Python<'_>,
    analysed: &Analysed,
    statistics: &Statistics,
    skip: usize,
    take: usize,
    lexicons: u64,
    share: f64,
    seed: u64,
    threads: usize,
) -> PyResult<Features> {
    let options = LexiconOptions { skip, take, lexicons, share, seed };
    let made = enter(py, threads, |cancel| {
        lexicons::fingerprints(&analysed.0, &statistics.0, &options, cancel)
    });
    made.map(Features)
}

/// The fingerprints of I-Match of one document: numbers of sentences, terms, key.
#[pyfunction]
#[pyo3(signature = (analysed, document, statistics, *, skip, take, lexicons, share, seed))]
#[allow(clippy::too_many_arguments, reason = "each is a parameter of the detector, given by name")]
pub fn lexicon_trace(
    analysed: &Analysed,
    document: usize,
    statistics: &Statistics,
    skip: usize,
    take: usize,
    lexicons: u64,
    share: f64,
    seed: u64,
) -> Vec<(Vec<usize>, Vec<String>, u64)> {
    let options = LexiconOptions { skip, take, lexicons, share, seed };
    let found = lexicons::trace(&analysed.0, document, &statistics.0, &options);
    found.into_iter().map(|print| (print.sentences, print.terms, print.key)).collect()
}
