//! The loops of the detectors that relate documents by sketches, and the keys these meet by.

use kernel::features::from_units;
use kernel::features::minhash::{Bands, Ensemble, MISSES, Permutations};
use kernel::features::simhash::{Tables, blocks_for, n_tables};
use kernel::features::sketches::{
    VoteOptions, band_keys, block_keys, ensemble_keys, slots, voters, votes,
};
use pyo3::prelude::*;

use crate::analysis::Analysed;
use crate::enter::{ParameterError, enter};
use crate::features::{Features, Keys, idf_of};
use crate::statistics::Statistics;

/// More tables than this are a mistake: every document has a key in each.
const MOST_TABLES: u64 = 10_000;

/// The sketches of SimHash.
#[pyfunction]
#[pyo3(signature = (analysed, statistics, *, bits, skip, idf, threads = 0))]
pub fn simhash_features(
    py: Python<'_>,
    analysed: &Analysed,
    statistics: &Statistics,
    bits: usize,
    skip: usize,
    idf: &str,
    threads: usize,
) -> PyResult<Features> {
    let options = VoteOptions { bits, skip, idf: idf_of(idf)? };
    enter(py, threads, |cancel| votes(&analysed.0, &statistics.0, &options, cancel)).map(Features)
}

type VoterRow = (Vec<usize>, String, u64, f64);

/// The terms of one document that vote: numbers of sentences, term, hash, weight.
#[pyfunction]
#[pyo3(signature = (analysed, document, statistics, *, skip, idf))]
pub fn simhash_trace(
    analysed: &Analysed,
    document: usize,
    statistics: &Statistics,
    skip: usize,
    idf: &str,
) -> PyResult<Vec<VoterRow>> {
    let options = VoteOptions { bits: 0, skip, idf: idf_of(idf)? };
    let found = voters(&analysed.0, document, &statistics.0, &options);
    let row = |v: kernel::features::sketches::Voter| {
        (v.sentences, v.term, v.key, from_units(u128::from(v.weight)))
    };
    Ok(found.into_iter().map(row).collect())
}

/// How many blocks suit sketches of so many bits within a distance.
#[pyfunction]
pub fn simhash_blocks(bits: usize, distance: usize) -> usize {
    blocks_for(bits, distance)
}

/// The keys of sketches in block tables; those within the distance have one in common.
#[pyfunction]
#[pyo3(signature = (features, *, bits, distance, blocks, threads = 0))]
pub fn simhash_keys(
    py: Python<'_>,
    features: &Features,
    bits: usize,
    distance: usize,
    blocks: usize,
    threads: usize,
) -> PyResult<Keys> {
    if blocks <= distance || blocks > bits {
        let message = format!(
            "blocks must be above distance ({distance}) and at most bits ({bits}), got {blocks}"
        );
        return Err(ParameterError::new_err(message));
    }
    let tables = n_tables(blocks, distance);
    if tables > MOST_TABLES {
        let message = format!(
            "{blocks} blocks for a distance of {distance} make {tables} tables, more than {MOST_TABLES}; take fewer blocks"
        );
        return Err(ParameterError::new_err(message));
    }
    let made = enter(py, threads, |cancel| {
        block_keys(&features.0, &Tables::new(bits, distance, blocks), cancel)
    });
    made.map(Keys::from)
}

/// The slots of MinHash.
#[pyfunction]
#[pyo3(signature = (analysed, *, gram, permutations, seed, threads = 0))]
pub fn minhash_features(
    py: Python<'_>,
    analysed: &Analysed,
    gram: usize,
    permutations: usize,
    seed: u64,
    threads: usize,
) -> PyResult<Features> {
    let permutations = Permutations::new(permutations, seed);
    enter(py, threads, |cancel| slots(&analysed.0, gram, &permutations, cancel)).map(Features)
}

/// The bands, and their rows, that suit so many slots and a threshold.
#[pyfunction]
pub fn minhash_bands(slots: usize, threshold: f64) -> (usize, usize) {
    let best = Bands::best(slots, threshold, MISSES, &(1..=slots).collect::<Vec<_>>());
    (best.bands, best.rows)
}

/// For containers that are so many times two as large, the bands by which they are looked for.
#[pyfunction]
pub fn minhash_ensemble(slots: usize, threshold: f64) -> Vec<(i32, usize, usize)> {
    let ensemble = Ensemble::new(slots, threshold, MISSES);
    ensemble.bands().map(|(part, bands)| (part, bands.bands, bands.rows)).collect()
}

/// The keys of slots in bands.
#[pyfunction]
#[pyo3(signature = (features, *, bands, rows, threads = 0))]
pub fn minhash_keys(
    py: Python<'_>,
    features: &Features,
    bands: usize,
    rows: usize,
    threads: usize,
) -> PyResult<Keys> {
    if rows == 0 {
        return Err(ParameterError::new_err("rows must be at least 1, got 0"));
    }
    let bands = Bands { bands, rows };
    enter(py, threads, |cancel| band_keys(&features.0, bands, cancel)).map(Keys::from)
}

/// The keys under which a document is found by what it contains, or (`asked`) by which a document
/// looks for what contains it.
#[pyfunction]
#[pyo3(signature = (features, *, slots, threshold, asked, threads = 0))]
pub fn minhash_ensemble_keys(
    py: Python<'_>,
    features: &Features,
    slots: usize,
    threshold: f64,
    asked: bool,
    threads: usize,
) -> PyResult<Keys> {
    let ensemble = Ensemble::new(slots, threshold, MISSES);
    enter(py, threads, |cancel| ensemble_keys(&features.0, &ensemble, asked, cancel))
        .map(Keys::from)
}
