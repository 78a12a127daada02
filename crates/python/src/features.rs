//! Features and the detectors' loops that make them.

use kernel::features;
use kernel::features::documents::{by_document, distinct_weights};
use kernel::features::paths::{PathOptions, paths, trace};
use kernel::features::retelling::{self, MeetingKeys, retelling};
use kernel::features::sentences::{MOST_BITS, Signatures, sentences};
use kernel::join::boilerplate::Learned;
use kernel::statistics::Idf;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::analysis::Analysed;
use crate::collection::Collection;
use crate::columns::{from_bytes, to_bytes};
use crate::enter::{ParameterError, enter};
use crate::statistics::Statistics;

/// For each document or sentence the keys it holds, with weights and counts.
#[pyclass(module = "twicetold._kernel")]
#[derive(Default)]
pub struct Features(pub features::Features);

type Columns<'py> =
    (Bound<'py, PyBytes>, Bound<'py, PyBytes>, Bound<'py, PyBytes>, Bound<'py, PyBytes>);

#[pymethods]
impl Features {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// From the columns that `columns` and `unit_columns` gave.
    #[staticmethod]
    #[pyo3(signature = (ends, keys, weights, counts, *, document_ends = None, sketch_width = 0, sketches = None))]
    fn from_columns(
        ends: &[u8],
        keys: &[u8],
        weights: &[u8],
        counts: &[u8],
        document_ends: Option<&[u8]>,
        sketch_width: usize,
        sketches: Option<&[u8]>,
    ) -> PyResult<Self> {
        let features = features::Features {
            ends: from_bytes(ends)?,
            keys: from_bytes(keys)?,
            weights: from_bytes(weights)?,
            counts: from_bytes(counts)?,
            document_ends: from_bytes(document_ends.unwrap_or_default())?,
            sketch_width,
            sketches: from_bytes(sketches.unwrap_or_default())?,
            met_by: features::Keys::default(),
            ranked: None,
        };
        let n = features.keys.len();
        let units = features.n_units() as u64;
        let fits = features.weights.len() == n
            && (features.counts.is_empty() || features.counts.len() == n)
            && features.ends.is_sorted()
            && features.ends.last().map_or(n == 0, |&end| end == n as u64)
            && features.document_ends.is_sorted()
            && features.document_ends.last().is_none_or(|&end| end == units)
            && features.sketch_width.checked_mul(features.n_units())
                == Some(features.sketches.len());
        let sorted = fits
            && (0..features.n_units())
                .all(|d| features.keys[features.range(d)].is_sorted_by(|a, b| a < b));
        if sorted {
            Ok(Self(features))
        } else {
            Err(ParameterError::new_err(
                "columns of features must have the same length, ends must not decrease, keys must increase within a unit, and every unit must have a sketch or none",
            ))
        }
    }

    /// The documents from `start` to below `stop`, each `step`-th, with all their units.
    #[pyo3(signature = (start, stop, step = 1))]
    fn part(&self, py: Python<'_>, start: usize, stop: usize, step: usize) -> PyResult<Self> {
        let stop = stop.min(self.0.n_documents());
        enter(py, 1, |_| Ok(self.0.part((start..stop).step_by(step.max(1))))).map(Self)
    }

    /// The different weights (in units of 2⁻³²), in increasing order.
    fn distinct_weights(&self, py: Python<'_>) -> PyResult<Vec<u64>> {
        enter(py, 1, |_| match &self.0.ranked {
            Some(_) => Ok(distinct_weights(&self.0.clone().into_plain())),
            None => Ok(distinct_weights(&self.0)),
        })
    }

    /// The features of sentences as those of their documents, of so many sentences each begins with
    /// (0: of all), with how many have each if `counted`. `weights` are pairs of a weight and the one
    /// it becomes.
    #[pyo3(signature = (*, opening, counted, weights, threads = 0))]
    fn by_document(
        &self,
        py: Python<'_>,
        opening: usize,
        counted: bool,
        weights: Vec<(u64, u64)>,
        threads: usize,
    ) -> PyResult<Self> {
        let weights = weights.into_iter().collect();
        enter(py, threads, |cancel| match &self.0.ranked {
            Some(_) => {
                by_document(&self.0.clone().into_plain(), opening, counted, &weights, cancel)
            }
            None => by_document(&self.0, opening, counted, &weights, cancel),
        })
        .map(Self)
    }

    /// The ends of units, keys, weights (in units of 2⁻³²) and counts (empty: all 1), as
    /// little-endian bytes of u64, u64, u64 and u32.
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Columns<'py>> {
        let features = match &self.0.ranked {
            Some(_) => &self.0.clone().into_plain(),
            None => &self.0,
        };
        Ok((
            to_bytes(py, &features.ends)?,
            to_bytes(py, &features.keys)?,
            to_bytes(py, &features.weights)?,
            to_bytes(py, &features.counts)?,
        ))
    }

    /// The ends of documents (empty: units are documents), as bytes of u64, how many words a sketch
    /// has, and the sketches, as bytes of u64.
    fn unit_columns<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyBytes>, usize, Bound<'py, PyBytes>)> {
        let features = &self.0;
        let ends = to_bytes(py, &features.document_ends)?;
        Ok((ends, features.sketch_width, to_bytes(py, &features.sketches)?))
    }

    /// Mark the sentences that are boilerplate of their document's source, according to what
    /// `VerifiedJoin.learn_boilerplate` gave. The documents are those of a collection from `first` on.
    #[pyo3(signature = (collection, learned, *, first = 0, threads = 0))]
    fn mark_boilerplate(
        &mut self,
        py: Python<'_>,
        collection: &Collection,
        learned: &[u8],
        first: usize,
        threads: usize,
    ) -> PyResult<()> {
        let learned = Learned::new(&from_bytes::<u64>(learned)?);
        let features = &mut self.0;
        let sources = collection.sources().get(first..first + features.n_documents());
        let (Some(sources), true) = (sources, features.met_by.n_units() == features.n_units())
        else {
            let message =
                "boilerplate is of sentences with their keys, in documents of a collection";
            return Err(ParameterError::new_err(message));
        };
        enter(py, threads, |cancel| {
            let marks = learned.marks(features, sources, cancel)?;
            features.set_marks(&marks);
            Ok(())
        })
    }

    /// Move the documents of another batch behind these, with room for so many if the others are
    /// like these; the other one is empty then.
    #[pyo3(signature = (other, *, room = 0, threads = 1))]
    fn append(
        &mut self,
        py: Python<'_>,
        other: &mut Self,
        room: usize,
        threads: usize,
    ) -> PyResult<()> {
        let (features, other) = (&mut self.0, &mut other.0);
        enter(py, threads, |_| {
            features.append(std::mem::take(other));
            features.make_room(room);
            Ok(())
        })
    }

    #[getter]
    fn n_documents(&self) -> usize {
        self.0.n_documents()
    }

    #[getter]
    fn n_units(&self) -> usize {
        self.0.n_units()
    }

    #[getter]
    fn n_features(&self) -> usize {
        self.0.n_features()
    }

    fn n_distinct_keys(&self) -> usize {
        self.0.n_distinct_keys()
    }
}

/// For each unit the keys it is joined on.
#[pyclass(module = "twicetold._kernel")]
pub struct Keys(Held);

/// Keys, or short ones, where units meet by them.
enum Held {
    Wide(features::Keys),
    Short(features::Keys<u32>),
}

impl From<features::Keys> for Keys {
    fn from(keys: features::Keys) -> Self {
        Self(Held::Wide(keys))
    }
}

impl Keys {
    /// Take the keys out.
    pub fn take(&mut self) -> features::Keys {
        match std::mem::replace(&mut self.0, Held::Wide(features::Keys::default())) {
            Held::Wide(keys) => keys,
            Held::Short(keys) => keys.wide(),
        }
    }

    /// Take the keys out, to meet by.
    pub fn take_short(&mut self) -> features::Keys<u32> {
        match std::mem::replace(&mut self.0, Held::Wide(features::Keys::default())) {
            Held::Wide(keys) => features::Keys::short(&keys),
            Held::Short(keys) => keys,
        }
    }
}

#[pymethods]
impl Keys {
    /// The key of every feature.
    #[staticmethod]
    fn of_features(features: &Features) -> Self {
        features::Keys::from(&features.0).into()
    }

    /// The sketch of every unit that has features.
    #[staticmethod]
    fn of_sketches(features: &Features) -> Self {
        features::Keys::of_sketches(&features.0).into()
    }

    /// What each unit meets others by, where that was made with the features. Takes it out of them.
    #[staticmethod]
    fn met_by(features: &mut Features) -> Self {
        Self(Held::Short(std::mem::take(&mut features.0.met_by)))
    }

    /// From the columns that `columns` gave.
    #[staticmethod]
    fn from_columns(ends: &[u8], keys: &[u8]) -> PyResult<Self> {
        let keys = features::Keys { ends: from_bytes(ends)?, keys: from_bytes(keys)? };
        let n = keys.keys.len() as u64;
        if keys.ends.is_sorted() && keys.ends.last().map_or(n == 0, |&end| end == n) {
            Ok(keys.into())
        } else {
            Err(ParameterError::new_err("ends of keys must not decrease, and end with the keys"))
        }
    }

    /// The ends of units and the keys, as little-endian bytes of u64.
    fn columns<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
        let keys = match &self.0 {
            Held::Wide(keys) => keys,
            Held::Short(keys) => &keys.wide(),
        };
        Ok((to_bytes(py, &keys.ends)?, to_bytes(py, &keys.keys)?))
    }

    #[getter]
    fn n_units(&self) -> usize {
        match &self.0 {
            Held::Wide(keys) => keys.n_units(),
            Held::Short(keys) => keys.n_units(),
        }
    }

    #[getter]
    fn n_keys(&self) -> usize {
        match &self.0 {
            Held::Wide(keys) => keys.keys.len(),
            Held::Short(keys) => keys.keys.len(),
        }
    }
}

/// The weight of a term, by name.
pub fn idf_of(name: &str) -> PyResult<Idf> {
    match name {
        "plus-one" => Ok(Idf::PlusOne),
        "plain" => Ok(Idf::Plain),
        "smooth" => Ok(Idf::Smooth),
        other => {
            let message = format!("idf must be plus-one, plain or smooth, got {other:?}");
            Err(ParameterError::new_err(message))
        }
    }
}

/// CoDet's parameters, as its paths need them.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Options {
    word_sorting: bool,
    depth: Option<usize>,
    suffixes: usize,
    min_depth: usize,
    min_words: usize,
    mode: String,
    idf: String,
    log_base: f64,
}

impl Options {
    fn parse(&self) -> PyResult<PathOptions> {
        Ok(PathOptions {
            sorted: self.word_sorting,
            depth: self.depth.unwrap_or(usize::MAX),
            suffixes: self.suffixes,
            min_depth: self.min_depth,
            min_words: self.min_words,
            bag: self.mode == "bag",
            idf: idf_of(&self.idf)?,
            base: self.log_base,
        })
    }
}

/// The root paths of CoDet's corpus tree, for each document.
#[pyfunction]
#[pyo3(signature = (analysed, statistics, options, *, threads = 0))]
pub fn path_features(
    py: Python<'_>,
    analysed: &Analysed,
    statistics: &Statistics,
    options: Options,
    threads: usize,
) -> PyResult<Features> {
    let options = options.parse()?;
    enter(py, threads, |cancel| paths(&analysed.0, &statistics.0, &options, cancel)).map(Features)
}

type PathRow = (usize, Vec<String>, u64, f64);

/// The paths of one document: number of the sentence, terms, key, weight.
#[pyfunction]
pub fn path_trace(
    analysed: &Analysed,
    document: usize,
    statistics: &Statistics,
    options: Options,
) -> PyResult<Vec<PathRow>> {
    let n = analysed.0.n_documents();
    if document >= n {
        return Err(ParameterError::new_err(format!("no document {document}, there are {n}")));
    }
    let found = trace(&analysed.0, document, &statistics.0, &options.parse()?);
    let row = |p: features::paths::Path| {
        (p.sentence, p.terms, p.key, features::from_units(u128::from(p.weight)))
    };
    Ok(found.into_iter().map(row).collect())
}

/// Signatures of so many bits.
pub fn signatures_of(bits: u32, bits_per_word: u32) -> PyResult<Signatures> {
    if (1..=MOST_BITS).contains(&bits) && (1..=bits).contains(&bits_per_word) {
        return Ok(Signatures { bits, bits_per_word });
    }
    Err(ParameterError::new_err(format!(
        "a signature has from 1 to {MOST_BITS} bits, and each word sets from 1 to all of them, got {bits_per_word} of {bits}",
    )))
}

/// The distinct words of each sentence, with their idf; with `bits` also a signature, to which each
/// word adds `bits_per_word`; `counted`: also how often each word comes.
#[pyfunction]
#[pyo3(signature = (
    analysed, statistics, *, min_words, bits = 0, bits_per_word = 0, counted = false, threads = 0
))]
#[expect(clippy::too_many_arguments, reason = "by name in Python")]
pub fn sentence_features(
    py: Python<'_>,
    analysed: &Analysed,
    statistics: &Statistics,
    min_words: usize,
    bits: u32,
    bits_per_word: u32,
    counted: bool,
    threads: usize,
) -> PyResult<Features> {
    let signatures = (bits > 0).then(|| signatures_of(bits, bits_per_word)).transpose()?;
    enter(py, threads, |cancel| {
        sentences(&analysed.0, &statistics.0, min_words, signatures, counted, cancel)
    })
    .map(Features)
}

/// The words of one document: number of the sentence, term, key, weight.
#[pyfunction]
#[pyo3(signature = (analysed, document, statistics, *, min_words))]
pub fn sentence_trace(
    analysed: &Analysed,
    document: usize,
    statistics: &Statistics,
    min_words: usize,
) -> Vec<(usize, String, u64, f64)> {
    let found = features::sentences::trace(&analysed.0, document, &statistics.0, min_words);
    let row = |(sentence, term, key, weight): (usize, String, u64, u64)| {
        (sentence, term, key, features::from_units(u128::from(weight)))
    };
    found.into_iter().map(row).collect()
}

/// The terms of each sentence, with their weights, and the keys retold ones meet by: each two of its
/// `rarest` terms, and of `window` runs of `run` terms the one with the smallest hash.
#[pyfunction]
#[pyo3(signature = (analysed, statistics, *, rarest, run, window, rarity, threads = 0))]
#[allow(clippy::too_many_arguments)] // every choice by name
pub fn retelling_features(
    py: Python<'_>,
    analysed: &Analysed,
    statistics: &Statistics,
    rarest: usize,
    run: usize,
    window: usize,
    rarity: f64,
    threads: usize,
) -> PyResult<Features> {
    let keys = MeetingKeys { rarest, run: run.max(1), window: window.max(1), rarity };
    enter(py, threads, |cancel| retelling(&analysed.0, &statistics.0, keys, cancel)).map(Features)
}

/// The terms of one document: number of the sentence, term, key, weight.
#[pyfunction]
pub fn retelling_trace(
    analysed: &Analysed,
    document: usize,
    statistics: &Statistics,
) -> Vec<(usize, String, u64, f64)> {
    let row = |(sentence, term, key, weight): (usize, String, u64, u64)| {
        (sentence, term, key, features::from_units(u128::from(weight)))
    };
    retelling::trace(&analysed.0, document, &statistics.0).into_iter().map(row).collect()
}

type PairColumns<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>, Bound<'py, PyBytes>);

/// Every pair of units with a cosine of at least `threshold`, by the algorithm All-Pairs: the later
/// unit, the earlier one (u32) and the cosine (f64), as bytes.
#[pyfunction]
pub fn all_pairs<'py>(
    py: Python<'py>,
    features: &Features,
    threshold: f64,
) -> PyResult<PairColumns<'py>> {
    let found =
        enter(py, 1, |cancel| kernel::join::all_pairs::all_pairs(&features.0, threshold, cancel))?;
    let probes: Vec<u32> = found.iter().map(|m| m.probe).collect();
    let stores: Vec<u32> = found.iter().map(|m| m.store).collect();
    let scores: Vec<f64> = found.iter().map(|m| m.score).collect();
    Ok((to_bytes(py, &probes)?, to_bytes(py, &stores)?, to_bytes(py, &scores)?))
}
