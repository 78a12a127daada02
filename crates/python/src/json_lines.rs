//! Scored pairs as lines of JSON.

use kernel::join::json_lines::{Beside, Passages, lines};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

use crate::columns::from_bytes;
use crate::enter::{ParameterError, enter};
use crate::scores::ScoredPairs;

/// Some pairs as lines of JSON, from one number to before another. Columns of all pairs may stand
/// beside them: how much of the content of each document the other has (f64), and passages (where
/// those of each pair end, four places each, scores and types).
#[pyfunction]
#[pyo3(signature = (pairs, start, end, *, content = None, passages = None, threads = 0))]
pub fn json_lines<'py>(
    py: Python<'py>,
    pairs: &ScoredPairs,
    start: usize,
    end: usize,
    content: Option<[PyBackedBytes; 2]>,
    passages: Option<[PyBackedBytes; 4]>,
    threads: usize,
) -> PyResult<Bound<'py, PyBytes>> {
    let beside = beside(pairs.len(), content, passages)?;
    let end = end.min(pairs.len());
    let written = enter(py, threads, |cancel| {
        lines(start.min(end)..end, |at| pairs.line(at), &beside, cancel)
    })?;
    Ok(PyBytes::new(py, &written))
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
