//! Scored pairs as lines of JSON.

use kernel::join::json_lines::{Beside, Passages, lines};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

use crate::columns::from_bytes;
use crate::enter::{ParameterError, enter};
use crate::scores::ScoredPairs;

/// Pairs as lines of JSON. Columns of all pairs may stand beside them: how much of the content of each
/// document the other has (f64), and passages (where those of each pair end, four places each, scores
/// and types).
#[pyclass(module = "twicetold._kernel", frozen)]
pub struct JsonLines {
    pairs: Py<ScoredPairs>,
    beside: Beside,
}

#[pymethods]
impl JsonLines {
    #[new]
    #[pyo3(signature = (pairs, *, content = None, passages = None))]
    fn new(
        py: Python<'_>,
        pairs: Py<ScoredPairs>,
        content: Option<[PyBackedBytes; 2]>,
        passages: Option<[PyBackedBytes; 4]>,
    ) -> PyResult<Self> {
        let beside = beside(pairs.borrow(py).len(), content, passages)?;
        Ok(Self { pairs, beside })
    }

    /// The lines of the pairs from one number to before another.
    #[pyo3(signature = (start, end, *, threads = 0))]
    fn some<'py>(
        &self,
        py: Python<'py>,
        start: usize,
        end: usize,
        threads: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let pairs = &*self.pairs.borrow(py);
        let end = end.min(pairs.len());
        let written = enter(py, threads, |cancel| {
            lines(start.min(end)..end, |at| pairs.line(at), &self.beside, cancel)
        })?;
        Ok(PyBytes::new(py, &written))
    }
}

fn beside(
    pairs: usize,
    content: Option<[PyBackedBytes; 2]>,
    passages: Option<[PyBackedBytes; 4]>,
) -> PyResult<Beside> {
    let mut beside = Beside::default();
    if let Some([mine, theirs]) = content {
        beside.content = Some([from_bytes(&mine)?, from_bytes(&theirs)?]);
    }
    if let Some([ends, spans, scores, types]) = passages {
        let spans = from_bytes(&spans)?.as_chunks().0.to_vec();
        let (ends, scores) = (from_bytes(&ends)?, from_bytes(&scores)?);
        beside.passages = Some(Passages { ends, spans, scores, types: types.to_vec() });
    }
    let has_content = beside.content.iter().flatten().all(|column| column.len() == pairs);
    if has_content && beside.passages.iter().all(|passages| passages.are_whole(pairs)) {
        return Ok(beside);
    }
    Err(ParameterError::new_err(format!("columns beside {pairs} pairs have other lengths")))
}
