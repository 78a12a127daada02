//! Documents aligned: passages, and shares of each in the other.

use std::collections::HashMap;

use kernel::align::{self, Parameters, Request, document};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::analysis::Analysed;
use crate::documents::Text;
use crate::enter::{ParameterError, enter};

/// Documents made ready to be aligned.
#[pyclass(frozen, module = "twicetold._kernel")]
pub struct Aligner {
    documents: Vec<document::Document>,
    parameters: Parameters,
}

type Span = (u32, u32);
type PassageRow = (usize, Span, Span, f64, &'static str);
type Row = (Vec<PassageRow>, (f64, f64), (f64, f64), f64);

#[pymethods]
impl Aligner {
    /// Documents that were analysed with spans, and their texts. `boilerplate` has a flag for each
    /// sentence of the batch.
    #[new]
    #[pyo3(signature = (analysed, texts, parameters, *, boilerplate = None, threads = 0))]
    fn new(
        py: Python<'_>,
        analysed: &Analysed,
        texts: Vec<Bound<'_, PyString>>,
        parameters: HashMap<String, f64>,
        boilerplate: Option<Vec<bool>>,
        threads: usize,
    ) -> PyResult<Self> {
        let texts = texts.iter().map(Text::new).collect::<PyResult<Vec<_>>>()?;
        let parameters = from_map(parameters)?;
        let documents = enter(py, threads, |cancel| {
            let texts: Vec<&str> = texts.iter().map(Text::as_str).collect();
            align::prepare(&analysed.0, &texts, boilerplate.as_deref(), &parameters, cancel)
        })?;
        Ok(Self { documents, parameters })
    }

    #[getter]
    fn n_documents(&self) -> usize {
        self.documents.len()
    }

    /// Align a document with one or several others, for each request: the passages (the place of
    /// their document, spans, score, type), how much of left is retold in right and how much of its
    /// content right has, the same of right, and resemblance.
    #[pyo3(signature = (requests, *, threads = 0))]
    fn align(
        &self,
        py: Python<'_>,
        requests: Vec<(usize, Vec<usize>)>,
        threads: usize,
    ) -> PyResult<Vec<Row>> {
        let n = self.documents.len();
        for (left, right) in &requests {
            if let Some(wrong) = right.iter().chain([left]).find(|number| **number >= n) {
                let message = format!("a document must be below {n}, got {wrong}");
                return Err(ParameterError::new_err(message));
            }
        }
        let requests: Vec<Request> =
            requests.into_iter().map(|(left, right)| Request { left, right }).collect();
        let found = enter(py, threads, |cancel| {
            align::align(&self.documents, &requests, &self.parameters, cancel)
        })?;
        Ok(found.into_iter().map(row).collect())
    }
}

fn row(alignment: align::Alignment) -> Row {
    let passage =
        |(place, p): (usize, align::Passage)| (place, p.left, p.right, p.score, p.kind.name());
    let [left, right] = alignment.shares.map(|share| (share.retold, share.content));
    let passages = alignment.passages.into_iter().map(passage).collect();
    (passages, left, right, alignment.resemblance)
}

macro_rules! parameters {
    ($given:ident; $($whole:ident),*; $($number:ident),*) => {{
        let mut parameters = Parameters::default();
        for (name, value) in $given {
            match name.as_str() {
                $(stringify!($whole) => parameters.$whole = value as usize,)*
                $(stringify!($number) => parameters.$number = value,)*
                _ => return Err(ParameterError::new_err(format!("no parameter {name:?}"))),
            }
        }
        parameters
    }};
}

fn from_map(given: HashMap<String, f64>) -> PyResult<Parameters> {
    Ok(parameters!(
        given;
        min_sentence, max_sentence, run, quote, gap, snap, min_words, summary_words, window, gap_right, around;
        seed, penalty, mass, summary_seed, summary_density, summary_ratio,
        summary_cosine, summary_gain
    ))
}
