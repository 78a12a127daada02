//! What is known of the documents of a scan, and their join.

use std::sync::Arc;

use kernel::features::keys::Among;
use kernel::join::boilerplate::NO_SOURCE;
use kernel::join::frequent::{LeftOut, without};
use kernel::join::shared::SharedKeys;
use kernel::join::told::Place;
use kernel::join::{self, Groups, JoinOptions, Scope, Times};
use kernel::store::{self, Entry};
use kernel::{Cancel, features, hash, ids};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::analysis::Analysed;
use crate::columns::{from_bytes, to_bytes};
use crate::documents::Documents;
use crate::enter::{ParameterError, enter};
use crate::features::Features;
use crate::scores::Joined;

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

    /// Whether an id was added.
    fn __contains__(&self, id: &str) -> bool {
        self.0.has(id)
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }
}

/// The ids of documents that come file by file.
#[pyclass(module = "twicetold._kernel")]
#[derive(Default)]
pub struct DocumentIds(pub ids::DocumentIds);

#[pymethods]
impl DocumentIds {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Begin a file, which is told from others by its label.
    fn open(&mut self, label: &str) {
        self.0.open(label);
    }

    /// The id of the next document of the file: its own, or one with the label before it where an
    /// earlier file has it. None if an earlier document of this file has it, unless `keep`.
    #[pyo3(signature = (id, *, keep = false))]
    fn give(&mut self, id: String, keep: bool) -> Option<String> {
        match self.0.give(&id, keep) {
            ids::Given::Own => Some(id),
            ids::Given::Other(other) => Some(other),
            ids::Given::Repeated => None,
        }
    }
}

/// Keys that are left out, made ready to be looked up.
#[pyclass(module = "twicetold._kernel", frozen)]
pub struct KeySet(pub Among);

#[pymethods]
impl KeySet {
    /// Sorted keys of 8 bytes each.
    #[new]
    fn new(keys: &[u8]) -> PyResult<Self> {
        let keys = from_bytes::<u64>(keys)?;
        if !keys.is_sorted() {
            return Err(ParameterError::new_err("keys to leave out must be sorted"));
        }
        Ok(Self(Among::new(keys)))
    }

    fn __len__(&self) -> usize {
        self.0.keys().len()
    }
}

/// Ids, times and text hashes of the documents of a scan, in the order of their features.
#[pyclass(module = "twicetold._kernel")]
#[derive(Default)]
pub struct Collection {
    ids: Vec<Box<str>>,
    published: Vec<Option<i64>>,
    text_hashes: Vec<u128>,
    /// What stands for who published each.
    sources: Vec<u64>,
    /// Of documents that were analysed with spans.
    sentences: Spans,
}

/// The code points of sentences, and what stands for their texts.
#[derive(Default)]
struct Spans {
    /// Where the sentences of each document end.
    ends: Vec<u64>,
    spans: Vec<(u32, u32)>,
    texts: Vec<u64>,
    quoted: Vec<bool>,
}

impl Collection {
    /// Fail unless there are so many documents.
    pub fn require(&self, documents: usize) -> PyResult<()> {
        let n = self.ids.len();
        if n == documents {
            return Ok(());
        }
        Err(ParameterError::new_err(format!("features of {documents} documents, but {n} ids")))
    }

    /// The times of the documents.
    pub fn times(&self, window: Option<i64>, cancel: &Cancel) -> kernel::Result<Times> {
        let ids: Vec<&str> = self.ids.iter().map(|id| &**id).collect();
        Times::new(&ids, self.published.clone(), window, cancel)
    }

    /// The ids of the documents.
    pub fn ids(&self) -> &[Box<str>] {
        &self.ids
    }

    /// When a document was published.
    pub fn published(&self, document: usize) -> Option<i64> {
        self.published[document]
    }

    /// What stands for the sources of the documents.
    pub fn sources(&self) -> &[u64] {
        &self.sources
    }

    /// Where a sentence of a document stands; `None` if documents were analysed without spans.
    pub fn place(&self, document: usize, number: usize) -> Option<Place> {
        let Spans { ends, spans, texts, quoted } = &self.sentences;
        let start = if document == 0 { 0 } else { *ends.get(document - 1)? } as usize;
        let at = start + number;
        Some(Place { span: *spans.get(at)?, text: *texts.get(at)?, is_quoted: *quoted.get(at)? })
    }

    /// Documents that were stored.
    pub fn stored(
        entries: &[Entry],
        features: &features::Features,
        places: &[store::bundle::Place],
    ) -> Self {
        let mut sentences = Spans::default();
        if !places.is_empty() {
            sentences.ends.clone_from(&features.document_ends);
            sentences.spans = places.iter().map(|place| (place.start, place.end)).collect();
            sentences.texts = places.iter().map(|place| place.text).collect();
            sentences.quoted = places.iter().map(|place| place.is_quoted).collect();
        }
        Self {
            ids: entries.iter().map(|entry| entry.id.clone()).collect(),
            published: entries.iter().map(|entry| entry.published).collect(),
            text_hashes: entries.iter().map(|entry| entry.text).collect(),
            sources: vec![NO_SOURCE; entries.len()],
            sentences,
        }
    }

    /// What stands for the texts of the documents.
    pub fn text_hashes(&self) -> &[u128] {
        &self.text_hashes
    }
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
            let source = document.source.as_deref().map_or(NO_SOURCE, hash::term);
            self.sources.push(source);
        }
        if self.ids.len() - before != analysed.0.n_documents() {
            let message = "documents and analysed documents differ in number";
            return Err(ParameterError::new_err(message));
        }
        self.text_hashes.extend_from_slice(&analysed.0.text_hashes);
        if let Some(spans) = &analysed.0.spans {
            let kept = &mut self.sentences;
            let before = kept.spans.len() as u64;
            let ends = analysed.0.document_ends.iter().map(|&end| before + u64::from(end));
            kept.ends.extend(ends);
            kept.spans.extend_from_slice(&spans.sentences);
            kept.texts.extend_from_slice(&spans.texts);
            kept.quoted.extend_from_slice(&spans.quoted);
        }
        Ok(())
    }

    /// The span of a sentence of a document, and what stands for its text; None if documents were
    /// analysed without spans.
    pub fn sentence(&self, document: usize, number: usize) -> Option<((u32, u32), u64)> {
        let place = self.place(document, number)?;
        Some((place.span, place.text))
    }

    /// The ids of all documents.
    #[pyo3(name = "ids")]
    fn all_ids(&self) -> Vec<&str> {
        self.ids.iter().map(|id| &**id).collect()
    }

    /// The id of a document.
    pub fn id(&self, document: usize) -> PyResult<&str> {
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

/// Which pairs of so many documents are wanted.
pub fn scope_of(since: u32, across: Option<&[u8]>, documents: usize) -> PyResult<Scope> {
    let Some(sides) = across else { return Ok(Scope::since(since)) };
    if sides.len() != documents || since != 0 {
        let n = sides.len();
        let message = format!("across must have a byte for each of {documents} documents, got {n}");
        return Err(ParameterError::new_err(message));
    }
    Ok(Scope::Across(sides.iter().map(|&side| side != 0).collect()))
}

/// The features of a collection, ready to be joined.
#[pyclass(module = "twicetold._kernel")]
pub struct Join {
    features: features::Features,
    groups: Groups,
    shared: SharedKeys,
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
        collection.require(features.n_documents())?;
        enter(py, threads, |cancel| {
            let times = collection.times(window, cancel)?;
            let text_hashes = collection.text_hashes.clone();
            let groups = Groups::new(&times.order(), &text_hashes, &features, cancel)?;
            let shared = SharedKeys::new(&features, &groups, cancel)?;
            let left_out = LeftOut::default();
            Ok(Self { features, groups, shared, times, text_hashes, left_out })
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
        let keys = enter(py, threads, |_| Ok(self.shared.frequent(limit)))?;
        to_bytes(py, &keys)
    }

    /// Take these keys (as `frequent_keys` gives them) out of all documents.
    fn leave_out(&mut self, py: Python<'_>, keys: &KeySet) -> PyResult<()> {
        let keys = &keys.0;
        let features = std::mem::take(&mut self.features);
        let (kept, left_out) = enter(py, 1, |_| {
            self.shared.leave_out(keys);
            Ok(without(features, keys))
        })?;
        self.features = kept;
        self.left_out = left_out;
        Ok(())
    }

    /// The pairs that share at least `floor` of one of their documents.
    /// With `since`, only those with a document from this number on; with `across`, a byte for each
    /// document, only those of a document with 0 and one with another number.
    #[pyo3(signature = (*, floor, all_pairs = false, since = 0, across = None, threads = 0))]
    fn run(
        &self,
        py: Python<'_>,
        floor: f64,
        all_pairs: bool,
        since: u32,
        across: Option<&[u8]>,
        threads: usize,
    ) -> PyResult<Joined> {
        let scope = scope_of(since, across, self.text_hashes.len())?;
        let options = JoinOptions { floor, all_pairs, scope };
        enter(py, threads, |cancel| {
            join::join(
                &self.features,
                &self.groups,
                &self.shared,
                &self.times,
                &self.text_hashes,
                &options,
                cancel,
            )
        })
        .map(|joined| Joined(Arc::new(joined)))
    }
}
