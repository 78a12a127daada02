//! Sentences that come one document after the other.

use kernel::join::stream;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::columns::{column, from_bytes};
use crate::enter::{ParameterError, enter};
use crate::features::Features;
use crate::verified::Verification;

/// The different sentences that came so far, ready to be asked for.
#[pyclass(module = "twicetold._kernel")]
pub struct SentenceStream(stream::Stream);

type Columns<'py> = (
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
);

#[pymethods]
impl SentenceStream {
    /// Nothing came yet; `frequent` are sentences to leave out, as sorted bytes of u64.
    #[new]
    #[pyo3(signature = (verification, frequent = None))]
    fn new(py: Python<'_>, verification: &Verification, frequent: Option<&[u8]>) -> PyResult<Self> {
        let frequent = from_bytes(frequent.unwrap_or_default())?;
        enter(py, 1, |_| stream::Stream::new(&verification.0, frequent)).map(Self)
    }

    /// Ask by another measure from now on; what came must be searched in the same way.
    fn ask_by(&mut self, py: Python<'_>, verification: &Verification) -> PyResult<()> {
        enter(py, 1, |_| self.0.ask_by(&verification.0))
    }

    #[getter]
    fn n_documents(&self) -> u32 {
        self.0.n_documents()
    }

    #[getter]
    fn n_sentences(&self) -> usize {
        self.0.n_sentences()
    }

    /// How many candidates were checked.
    #[getter]
    fn checked(&self) -> u64 {
        self.0.checked()
    }

    /// Match each document against all before it, then add it: the document and the sentence that
    /// ask, those that are found, how often that came before (u32), the score (f64).
    #[pyo3(signature = (features, *, all = false))]
    fn add<'py>(
        &mut self,
        py: Python<'py>,
        features: &Features,
        all: bool,
    ) -> PyResult<Columns<'py>> {
        let found = enter(py, 1, |cancel| self.0.add(&features.0, all, cancel))?;
        columns(py, found)
    }

    /// Add documents without matching them.
    fn keep(&mut self, py: Python<'_>, features: &Features) -> PyResult<()> {
        enter(py, 1, |cancel| self.0.keep_all(&features.0, cancel))
    }

    /// How many seconds finding candidates, comparing them and adding sentences took so far.
    #[getter]
    fn seconds(&self) -> (f64, f64, f64) {
        let spent = self.0.spent();
        (spent.selecting.as_secs_f64(), spent.comparing.as_secs_f64(), spent.keeping.as_secs_f64())
    }

    /// Match one document of a batch against all that came, without adding it.
    /// `naive`: by comparing every sentence that came, which finds all.
    #[pyo3(signature = (features, document, *, all = false, naive = false))]
    fn search<'py>(
        &mut self,
        py: Python<'py>,
        features: &Features,
        document: usize,
        all: bool,
        naive: bool,
    ) -> PyResult<Columns<'py>> {
        let n = features.0.n_documents();
        if document >= n {
            let message = format!("document must be below {n}, got {document}");
            return Err(ParameterError::new_err(message));
        }
        let found = enter(py, 1, |_| {
            Ok(if naive {
                self.0.compare(&features.0, document, all)
            } else {
                self.0.search(&features.0, document, all)
            })
        })?;
        columns(py, &found)
    }
}

fn columns<'py>(py: Python<'py>, found: &[stream::Found]) -> PyResult<Columns<'py>> {
    Ok((
        column(py, found.iter().map(|f| f.asking.document))?,
        column(py, found.iter().map(|f| f.asking.sentence))?,
        column(py, found.iter().map(|f| f.stored.document))?,
        column(py, found.iter().map(|f| f.stored.sentence))?,
        column(py, found.iter().map(|f| f.times))?,
        column(py, found.iter().map(|f| f.score))?,
    ))
}
