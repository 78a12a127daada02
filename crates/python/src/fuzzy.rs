//! Correlations of words, and the similarity of sentences by them.

use std::sync::Arc;

use kernel::fuzzy::counts::{self, Kept};
use kernel::fuzzy::search::probes;
use kernel::fuzzy::{self, Equality, Fuzzy, Unit};
use kernel::hash;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::PyBytes;

use crate::analysis::Analysed;
use crate::columns::{from_bytes, to_bytes};
use crate::enter::{ParameterError, enter};
use crate::features::{Features, Keys};

/// Which words correlate, and how much.
#[pyclass(frozen, module = "twicetold._kernel")]
pub struct Correlations(pub Arc<fuzzy::Correlations>);

type Columns<'py> =
    (Bound<'py, PyBytes>, Bound<'py, PyBytes>, Bound<'py, PyBytes>, Bound<'py, PyBytes>);

#[pymethods]
impl Correlations {
    /// From a table of pairs of words, each pair once.
    #[staticmethod]
    fn from_pairs(pairs: Vec<(PyBackedStr, PyBackedStr, f32)>) -> PyResult<Self> {
        let pairs: Vec<(u64, u64, f32)> =
            pairs.iter().map(|(a, b, c)| (hash::term(a), hash::term(b), *c)).collect();
        let found = fuzzy::Correlations::new(&pairs);
        found.map(|c| Self(Arc::new(c))).map_err(|e| ParameterError::new_err(e.to_string()))
    }

    /// Correlations that were saved.
    #[staticmethod]
    fn from_columns(keys: &[u8], ends: &[u8], columns: &[u8], values: &[u8]) -> PyResult<Self> {
        let found = fuzzy::Correlations::from_rows(
            from_bytes(keys)?,
            from_bytes(ends)?,
            from_bytes(columns)?,
            from_bytes(values)?,
        );
        found.map(|c| Self(Arc::new(c))).map_err(|e| ParameterError::new_err(e.to_string()))
    }

    /// The words (u64), where their rows end (u64), the columns (u32) and the values (f32) of all
    /// rows, as bytes.
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Columns<'py>> {
        let (keys, ends, columns, values) = self.0.rows();
        Ok((
            to_bytes(py, keys)?,
            to_bytes(py, ends)?,
            to_bytes(py, columns)?,
            to_bytes(py, values)?,
        ))
    }

    #[getter]
    fn n_words(&self) -> usize {
        self.0.n_words()
    }

    #[getter]
    fn n_pairs(&self) -> usize {
        self.0.n_pairs()
    }

    /// How much two terms correlate.
    fn between(&self, term: &str, other: &str) -> f32 {
        self.0.of(hash::term(term), hash::term(other))
    }

    /// Those of some terms that correlate with a term: their places among them, and how much.
    fn neighbours(&self, term: &str, among: Vec<PyBackedStr>) -> Vec<(usize, f32)> {
        let key = hash::term(term);
        let found = among.iter().map(|other| self.0.of(key, hash::term(other)));
        found.enumerate().filter(|(_, c)| *c > 0.0).collect()
    }
}

/// Counts in which units words come together.
#[pyclass(module = "twicetold._kernel")]
pub struct CorrelationCounts(counts::Counts);

#[pymethods]
impl CorrelationCounts {
    #[new]
    fn new(unit: &str) -> PyResult<Self> {
        let unit = match unit {
            "document" => Unit::Document,
            "paragraph" => Unit::Paragraph,
            "sentence" => Unit::Sentence,
            other => {
                let message =
                    format!("unit must be document, paragraph or sentence, got {other:?}");
                return Err(ParameterError::new_err(message));
            }
        };
        Ok(Self(counts::Counts::new(unit)))
    }

    /// Count the units of a batch.
    #[pyo3(signature = (analysed, *, threads = 0))]
    fn add(&mut self, py: Python<'_>, analysed: &Analysed, threads: usize) -> PyResult<()> {
        let counts = &mut self.0;
        enter(py, threads, |cancel| counts.add(&analysed.0, cancel))
    }

    #[getter]
    fn n_units(&self) -> usize {
        self.0.n_units()
    }

    /// The correlations of at least `floor`, of words in at least `min_count` units and in at most
    /// `max_share` of all.
    #[pyo3(signature = (*, floor, min_count, max_share, max_pairs, threads = 0))]
    fn correlations(
        &self,
        py: Python<'_>,
        floor: f64,
        min_count: u32,
        max_share: f64,
        max_pairs: usize,
        threads: usize,
    ) -> PyResult<Correlations> {
        let kept = Kept { floor, min_count, max_share, max_pairs };
        let found = enter(py, threads, |cancel| self.0.correlations(&kept, cancel))?;
        Ok(Correlations(Arc::new(found)))
    }
}

/// The keys each sentence has to look up so that none equal to it is missed.
#[pyfunction]
#[pyo3(signature = (features, correlations, *, permission, threads = 0))]
pub fn fuzzy_probes(
    py: Python<'_>,
    features: &Features,
    correlations: &Correlations,
    permission: f64,
    threads: usize,
) -> PyResult<Keys> {
    enter(py, threads, |cancel| probes(&features.0, &correlations.0, permission, cancel))
        .map(Keys::from)
}

/// How similar pairs of documents are, each as one sentence, which are given as bytes of u32: left to right, and right to left,
/// as bytes of f64.
#[pyfunction]
#[pyo3(signature = (features, correlations, left, right, *, threads = 0))]
pub fn fuzzy_similarities<'py>(
    py: Python<'py>,
    features: &Features,
    correlations: &Correlations,
    left: &[u8],
    right: &[u8],
    threads: usize,
) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
    let [left, right] = [from_bytes::<u32>(left)?, from_bytes::<u32>(right)?];
    let n = features.0.n_documents();
    if left.len() != right.len()
        || left.iter().chain(&right).any(|&document| document as usize >= n)
    {
        let message = format!("pairs must be of two documents each, all below {n}");
        return Err(ParameterError::new_err(message));
    }
    // Nothing is decided here, so no threshold matters.
    let equality = Equality { permission: 0.0, variation: 1.0 };
    let (there, back) = enter(py, threads, |cancel| {
        let whole = features.0.whole_documents();
        Fuzzy::new(&whole, &correlations.0, equality).similarities(&left, &right, cancel)
    })?;
    Ok((to_bytes(py, &there)?, to_bytes(py, &back)?))
}
