//! How alike two sentences are: measures, and weights that are learned.

use kernel::alike::linear::{self, Linear};
use kernel::alike::measures::{measure_all, names};
use kernel::alike::sentence::Reader;
use kernel::text::Language;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::analysis::Analyser;
use crate::columns::{from_bytes, to_bytes};
use crate::documents::Text;
use crate::enter::{ParameterError, enter};
use crate::fuzzy::Correlations;
use crate::statistics::Statistics;

/// The names of the measures of two sentences.
#[pyfunction]
pub fn pair_measures() -> Vec<String> {
    names()
}

/// The measures of pairs of texts, each as one sentence; pairs are given as bytes of u32. Row by row,
/// as bytes of f64.
#[pyfunction]
#[pyo3(signature = (
    texts, left, right, *, analyser, statistics, correlations, language = None, threads = 0
))]
#[expect(clippy::too_many_arguments, reason = "by name in Python")]
pub fn measure_pairs<'py>(
    py: Python<'py>,
    texts: Vec<Bound<'py, PyString>>,
    left: &[u8],
    right: &[u8],
    analyser: &Analyser,
    statistics: &Statistics,
    correlations: &Correlations,
    language: Option<&str>,
    threads: usize,
) -> PyResult<Bound<'py, PyBytes>> {
    let [left, right] = [from_bytes::<u32>(left)?, from_bytes::<u32>(right)?];
    let n = texts.len();
    if left.len() != right.len() || left.iter().chain(&right).any(|&text| text as usize >= n) {
        let message = format!("pairs must be of two texts each, all below {n}");
        return Err(ParameterError::new_err(message));
    }
    let texts = texts.iter().map(Text::new).collect::<PyResult<Vec<_>>>()?;
    let language = language.map(Language::from_code);
    let (statistics, correlations) = (&statistics.0, &*correlations.0);
    let reader = Reader { profile: analyser.profile_of(), statistics, correlations };
    let found = enter(py, threads, |cancel| {
        let texts: Vec<&str> = texts.iter().map(Text::as_str).collect();
        let sentences = reader.read_all(&texts, language, cancel)?;
        let pairs: Vec<(u32, u32)> = left.into_iter().zip(right).collect();
        measure_all(&sentences, &pairs, correlations, cancel)
    })?;
    to_bytes(py, &found)
}

/// Learn the weight of each measure and what is added, from rows and labels as bytes of f64.
#[pyfunction]
#[pyo3(signature = (rows, labels, *, kind, penalty, threads = 0))]
pub fn learn_linear(
    py: Python<'_>,
    rows: &[u8],
    labels: &[u8],
    kind: &str,
    penalty: f64,
    threads: usize,
) -> PyResult<(Vec<f64>, f64)> {
    let [rows, labels] = [from_bytes::<f64>(rows)?, from_bytes::<f64>(labels)?];
    let learn = match kind {
        "ridge" => linear::ridge,
        "logistic" => linear::logistic,
        other => {
            let message = format!("kind must be ridge or logistic, got {other:?}");
            return Err(ParameterError::new_err(message));
        }
    };
    let Linear { weights, bias } =
        enter(py, threads, |cancel| learn(&rows, &labels, penalty, cancel))?;
    Ok((weights, bias))
}
