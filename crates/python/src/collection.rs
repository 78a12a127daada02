//! What is known of the documents of a scan, and their join.

use kernel::join::frequent::{LeftOut, frequent_keys, without};
use kernel::join::{self, Groups, JoinOptions, Times};
use kernel::{features, ids};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::analysis::Analysed;
use crate::columns::{from_bytes, to_bytes};
use crate::documents::Documents;
use crate::enter::{ParameterError, enter};
use crate::features::Features;

/// A compact set of ids.
#[pyclass(module = "twicetold._kernel")]
#[derive(Default)]
pub struct IdSet(pub ids::IdSet);

#[pymethods]
impl IdSet {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Add an id; true if it was new.
    fn add(&mut self, id: &str) -> bool {
        self.0.add(id)
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }
}

/// Ids, times and text hashes of the documents of a scan, in the order of their features.
#[pyclass(module = "twicetold._kernel")]
#[derive(Default)]
pub struct Collection {
    ids: Vec<Box<str>>,
    published: Vec<Option<i64>>,
    text_hashes: Vec<u128>,
}

#[pymethods]
impl Collection {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Add the documents of an analysed batch.
    fn add(&mut self, documents: &Documents, analysed: &Analysed) -> PyResult<()> {
        let before = self.ids.len();
        for document in documents.iter() {
            self.ids.push(document.id.as_str().into());
            self.published.push(document.published);
        }
        if self.ids.len() - before != analysed.0.n_documents() {
            let message = "documents and analysed documents differ in number";
            return Err(ParameterError::new_err(message));
        }
        self.text_hashes.extend_from_slice(&analysed.0.text_hashes);
        Ok(())
    }

    /// The id of a document.
    fn id(&self, document: usize) -> PyResult<&str> {
        let missing = || {
            let n = self.ids.len();
            ParameterError::new_err(format!("no document {document}, there are {n}"))
        };
        self.ids.get(document).map(|id| &**id).ok_or_else(missing)
    }

    fn __len__(&self) -> usize {
        self.ids.len()
    }
}

/// The features of a collection, ready to be joined.
#[pyclass(module = "twicetold._kernel")]
pub struct Join {
    features: features::Features,
    groups: Groups,
    times: Times,
    text_hashes: Vec<u128>,
    left_out: LeftOut,
}

#[pymethods]
impl Join {
    /// Takes the features out of the object that held them.
    #[new]
    #[pyo3(signature = (collection, features, *, window = None, threads = 0))]
    fn new(
        py: Python<'_>,
        collection: &Collection,
        features: &mut Features,
        window: Option<i64>,
        threads: usize,
    ) -> PyResult<Self> {
        let features = std::mem::take(&mut features.0);
        if features.n_documents() != collection.ids.len() {
            let (n, m) = (features.n_documents(), collection.ids.len());
            return Err(ParameterError::new_err(format!("features of {n} documents, but {m} ids")));
        }
        enter(py, threads, |_| {
            let ids: Vec<&str> = collection.ids.iter().map(|id| &**id).collect();
            let times = Times::new(&ids, collection.published.clone(), window);
            let text_hashes = collection.text_hashes.clone();
            let groups = Groups::new(&times.order(), &text_hashes, &features);
            Ok(Self { features, groups, times, text_hashes, left_out: LeftOut::default() })
        })
    }

    /// How many groups of equal documents there are.
    #[getter]
    fn n_groups(&self) -> usize {
        self.groups.len()
    }

    /// How many features were left out as too frequent.
    #[getter]
    fn features_left_out(&self) -> usize {
        self.left_out.features
    }

    /// How many documents lost more than half of their weight that way.
    #[getter]
    fn documents_hidden(&self) -> usize {
        self.left_out.documents
    }

    /// The keys of more than `limit` groups, as little-endian bytes of u64.
    #[pyo3(signature = (limit, *, threads = 0))]
    fn frequent_keys<'py>(
        &self,
        py: Python<'py>,
        limit: usize,
        threads: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let keys = enter(py, threads, |cancel| {
            frequent_keys(&self.features, &self.groups, limit, cancel)
        })?;
        to_bytes(py, &keys)
    }

    /// Take these keys (as `frequent_keys` gives them) out of all documents.
    fn leave_out(&mut self, py: Python<'_>, keys: &[u8]) -> PyResult<()> {
        let keys = from_bytes::<u64>(keys)?;
        if !keys.is_sorted() {
            return Err(ParameterError::new_err("keys to leave out must be sorted"));
        }
        let features = std::mem::take(&mut self.features);
        let (kept, left_out) = enter(py, 1, |_| Ok(without(features, &keys)))?;
        self.features = kept;
        self.left_out = left_out;
        Ok(())
    }

    /// The pairs that share at least `floor` of one of their documents.
    #[pyo3(signature = (*, floor, all_pairs = false, threads = 0))]
    fn run(&self, py: Python<'_>, floor: f64, all_pairs: bool, threads: usize) -> PyResult<Joined> {
        let options = JoinOptions { floor, all_pairs };
        enter(py, threads, |cancel| {
            join::join(
                &self.features,
                &self.groups,
                &self.times,
                &self.text_hashes,
                &options,
                cancel,
            )
        })
        .map(Joined)
    }
}

/// Pairs of documents and the weight they share.
#[pyclass(frozen, module = "twicetold._kernel")]
pub struct Joined(join::Joined);

type Columns<'py> = (
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
);

#[pymethods]
impl Joined {
    /// Left and right (u32), shared, total of left, total of right (f64), same text (bytes 0 or 1).
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Columns<'py>> {
        let joined = &self.0;
        let same: Vec<u8> = joined.same_text.iter().map(|&same| u8::from(same)).collect();
        Ok((
            to_bytes(py, &joined.left)?,
            to_bytes(py, &joined.right)?,
            to_bytes(py, &joined.shared)?,
            to_bytes(py, &joined.left_total)?,
            to_bytes(py, &joined.right_total)?,
            PyBytes::new(py, &same),
        ))
    }

    /// How many similarity values were computed, up to two for a pair.
    #[getter]
    fn touched(&self) -> u64 {
        self.0.touched
    }

    fn __len__(&self) -> usize {
        self.0.left.len()
    }
}
