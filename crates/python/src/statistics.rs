//! Document frequencies.

use kernel::statistics;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;

use crate::analysis::Analysed;
use crate::enter::{ParameterError, enter};

/// In how many documents each term occurs.
#[pyclass(module = "twicetold._kernel")]
#[derive(Default)]
pub struct Statistics(pub statistics::Statistics);

#[pymethods]
impl Statistics {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Statistics that were saved.
    #[staticmethod]
    fn from_terms(
        documents: u64,
        terms: Vec<PyBackedStr>,
        frequencies: Vec<u32>,
    ) -> PyResult<Self> {
        if terms.len() != frequencies.len() {
            let message = format!("{} terms but {} frequencies", terms.len(), frequencies.len());
            return Err(ParameterError::new_err(message));
        }
        let rows = terms.iter().map(|t| &**t).zip(frequencies);
        let found = statistics::Statistics::from_terms(documents, rows);
        found.map(Self).map_err(|e| ParameterError::new_err(e.to_string()))
    }

    /// Count the documents of some batches.
    #[pyo3(signature = (batches, *, threads = 0))]
    fn add(
        &mut self,
        py: Python<'_>,
        batches: Vec<PyRef<'_, Analysed>>,
        threads: usize,
    ) -> PyResult<()> {
        let statistics = &mut self.0;
        let batches: Vec<&kernel::text::Analysed> = batches.iter().map(|batch| &batch.0).collect();
        enter(py, threads, |cancel| statistics.add(&batches, cancel))
    }

    #[getter]
    fn documents(&self) -> u64 {
        self.0.documents()
    }

    #[getter]
    fn n_terms(&self) -> usize {
        self.0.n_terms()
    }

    fn frequency(&self, term: &str) -> u32 {
        self.0.frequency(term)
    }

    /// All terms and their frequencies, in the order of the terms.
    fn terms(&self) -> (Vec<String>, Vec<u32>) {
        self.0.terms().into_iter().map(|(term, n)| (term.to_owned(), n)).unzip()
    }
}
