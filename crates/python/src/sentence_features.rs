//! The loops of the detectors that make features of sentences, and frequencies of grams.

use kernel::features::rare_grams::{self, RareGramOptions};
use kernel::features::spots::{self, SpotOptions};
use kernel::features::top_terms::{self, TopTermOptions};
use kernel::gram_frequencies::{self, GRAM};
use pyo3::prelude::*;

use crate::analysis::Analysed;
use crate::enter::{ParameterError, enter};
use crate::features::Features;
use crate::statistics::Statistics;

/// How often each run of four characters occurs.
#[pyclass(module = "twicetold._kernel")]
#[derive(Default)]
pub struct GramFrequencies(pub gram_frequencies::GramFrequencies);

#[pymethods]
impl GramFrequencies {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Frequencies that were saved: the grams one after the other, and how often each occurs.
    #[staticmethod]
    fn from_text(text: &str, frequencies: Vec<u32>) -> PyResult<Self> {
        let found = gram_frequencies::GramFrequencies::from_text(text, &frequencies);
        found.map(Self).map_err(|e| ParameterError::new_err(e.to_string()))
    }

    /// Count the sentences of a batch.
    #[pyo3(signature = (analysed, *, threads = 0))]
    fn add(&mut self, py: Python<'_>, analysed: &Analysed, threads: usize) -> PyResult<()> {
        let frequencies = &mut self.0;
        enter(py, threads, |cancel| frequencies.add(&analysed.0, cancel))
    }

    #[getter]
    fn n_grams(&self) -> usize {
        self.0.n_grams()
    }

    /// How often a gram occurs.
    fn frequency(&self, gram: &str) -> PyResult<u32> {
        let characters: Vec<char> = gram.chars().collect();
        let gram = characters.try_into().map_err(|_| {
            ParameterError::new_err(format!("a gram has {GRAM} characters, got {gram:?}"))
        })?;
        Ok(self.0.frequency(gram))
    }

    /// All grams in their order, one after the other, and their frequencies.
    fn text(&self) -> (String, Vec<u32>) {
        self.0.text()
    }
}

/// What stands for some characters: their rarest grams, in the order of their places.
#[pyfunction]
pub fn rarest_grams(text: &str, frequencies: &GramFrequencies, number: usize) -> String {
    let characters: Vec<char> = text.chars().collect();
    rare_grams::rarest(&characters, &frequencies.0, number)
}

/// What stands for each sentence: its only feature, or its sketch beside its words.
#[pyfunction]
#[pyo3(signature = (analysed, frequencies, *, rarest, min_words, with_words = false, threads = 0))]
pub fn rare_gram_features(
    py: Python<'_>,
    analysed: &Analysed,
    frequencies: &GramFrequencies,
    rarest: usize,
    min_words: usize,
    with_words: bool,
    threads: usize,
) -> PyResult<Features> {
    let options = RareGramOptions { rarest, min_words, with_words };
    let made = enter(py, threads, |cancel| {
        rare_grams::rare_grams(&analysed.0, &frequencies.0, &options, cancel)
    });
    made.map(Features)
}

/// What stands for the sentences of one document: number of the sentence, grams, key.
#[pyfunction]
#[pyo3(signature = (analysed, document, frequencies, *, rarest, min_words))]
pub fn rare_gram_trace(
    analysed: &Analysed,
    document: usize,
    frequencies: &GramFrequencies,
    rarest: usize,
    min_words: usize,
) -> Vec<(usize, String, u64)> {
    let options = RareGramOptions { rarest, min_words, with_words: false };
    rare_grams::trace(&analysed.0, document, &frequencies.0, &options)
}

/// How the heaviest terms of sentences are taken.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct TopTerms {
    number: usize,
    min_words: usize,
    composite: bool,
    term_frequency: bool,
    counted: bool,
}

impl From<TopTerms> for TopTermOptions {
    fn from(given: TopTerms) -> Self {
        Self {
            number: given.number,
            min_words: given.min_words,
            composite: given.composite,
            term_frequency: given.term_frequency,
            counted: given.counted,
        }
    }
}

/// The heaviest terms of each sentence, for each document.
#[pyfunction]
#[pyo3(signature = (analysed, statistics, options, *, threads = 0))]
pub fn top_term_features(
    py: Python<'_>,
    analysed: &Analysed,
    statistics: &Statistics,
    options: TopTerms,
    threads: usize,
) -> PyResult<Features> {
    let options = options.into();
    let made = enter(py, threads, |cancel| {
        top_terms::top_terms(&analysed.0, &statistics.0, &options, cancel)
    });
    made.map(Features)
}

type Row = (usize, Vec<String>, u64);

/// The heaviest terms of the sentences of one document: number of the sentence, terms, key.
#[pyfunction]
pub fn top_term_trace(
    analysed: &Analysed,
    document: usize,
    statistics: &Statistics,
    options: TopTerms,
) -> Vec<Row> {
    top_terms::trace(&analysed.0, document, &statistics.0, &options.into())
}

fn spot_options(chain: usize, distance: usize, counted: bool) -> PyResult<SpotOptions> {
    if chain == 0 || distance == 0 {
        return Err(ParameterError::new_err("chain and distance must be at least 1, got 0"));
    }
    Ok(SpotOptions { chain, distance, counted })
}

/// The spot signatures of each document.
#[pyfunction]
#[pyo3(signature = (analysed, *, chain, distance, counted = false, threads = 0))]
pub fn spot_features(
    py: Python<'_>,
    analysed: &Analysed,
    chain: usize,
    distance: usize,
    counted: bool,
    threads: usize,
) -> PyResult<Features> {
    let options = spot_options(chain, distance, counted)?;
    enter(py, threads, |cancel| spots::spots(&analysed.0, &options, cancel)).map(Features)
}

/// The spot signatures of one document: number of the sentence, words, key.
#[pyfunction]
#[pyo3(signature = (analysed, document, *, chain, distance))]
pub fn spot_trace(
    analysed: &Analysed,
    document: usize,
    chain: usize,
    distance: usize,
) -> PyResult<Vec<Row>> {
    let options = spot_options(chain, distance, false)?;
    Ok(spots::trace(&analysed.0, document, &options))
}
