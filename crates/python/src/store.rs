//! Segments of an index: documents stored, found again and loaded.

use std::path::PathBuf;
use std::sync::Arc;

use kernel::store::bundle::Place;
use kernel::store::load::Loader;
use kernel::store::merge::merge;
use kernel::store::search::{self, Asked};
use kernel::store::{self, Entry, build};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::analysis::Analysed;
use crate::collection::{Collection, KeySet};
use crate::documents::Documents;
use crate::enter::{ParameterError, enter};
use crate::features::{Features, Keys};
use crate::scores::ScoredPairs;
use crate::verified::Verification;

/// Numbers of documents that are gone.
#[pyclass(module = "twicetold._kernel")]
#[derive(Default)]
pub struct Numbers(search::Numbers);

#[pymethods]
impl Numbers {
    #[new]
    #[pyo3(signature = (numbers = Vec::new()))]
    fn new(numbers: Vec<u64>) -> Self {
        Self(numbers.into_iter().collect())
    }

    fn add(&mut self, number: u64) {
        self.0.insert(number);
    }

    fn discard(&mut self, number: u64) {
        self.0.remove(&number);
    }

    fn __contains__(&self, number: u64) -> bool {
        self.0.contains(&number)
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }
}

/// Asks work to stop that another thread does.
#[pyclass(frozen, module = "twicetold._kernel")]
#[derive(Default)]
pub struct Stop(kernel::Cancel);

#[pymethods]
impl Stop {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    fn set(&self) {
        self.0.cancel();
    }
}

/// Documents with their features, as they are stored and loaded again.
#[pyclass(module = "twicetold._kernel")]
#[derive(Default)]
pub struct Bundle(store::Bundle);

#[pymethods]
impl Bundle {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Documents of a batch, whose numbers and times are told by `count_as`; takes the features out
    /// of the object that held them. Where sentences are analysed with spans, their places are kept.
    #[staticmethod]
    fn of(documents: &Documents, analysed: &Analysed, features: &mut Features) -> PyResult<Self> {
        let features = std::mem::take(&mut features.0);
        let analysed = &analysed.0;
        let n = documents.iter().count();
        if analysed.n_documents() != n || features.n_documents() != n {
            let message = "documents and features of a bundle differ in number";
            return Err(ParameterError::new_err(message));
        }
        let entry = |(at, document): (usize, &crate::documents::Document)| Entry {
            number: 0,
            id: document.id.as_str().into(),
            published: document.published,
            time: 0,
            text: analysed.text_hashes[at],
        };
        let entries = documents.iter().enumerate().map(entry).collect();
        let places = match &analysed.spans {
            Some(spans) if !features.document_ends.is_empty() => {
                let rows = spans.sentences.iter().zip(&spans.texts).zip(&spans.quoted);
                let place =
                    |((&(start, end), &text), &is_quoted)| Place { start, end, text, is_quoted };
                rows.map(place).collect()
            }
            _ => Vec::new(),
        };
        Ok(Self(store::Bundle { entries, features, places }))
    }

    /// Say which number each document has, and when it counts as told.
    fn count_as(&mut self, numbers: Vec<u64>, times: Vec<i64>) -> PyResult<()> {
        let entries = &mut self.0.entries;
        if numbers.len() != entries.len() || times.len() != entries.len() {
            let message = "documents, numbers and times of a bundle differ in number";
            return Err(ParameterError::new_err(message));
        }
        for ((entry, number), time) in entries.iter_mut().zip(numbers).zip(times) {
            (entry.number, entry.time) = (number, time);
        }
        Ok(())
    }

    /// Move other documents behind these; the other one is empty then.
    #[pyo3(signature = (other, *, threads = 1))]
    fn append(&mut self, py: Python<'_>, other: &mut Self, threads: usize) -> PyResult<()> {
        let (bundle, other) = (&mut self.0, &mut other.0);
        enter(py, threads, |_| {
            bundle.append(std::mem::take(other));
            Ok(())
        })
    }

    /// Which pairs each of the last documents has with those before it that count as told from its
    /// horizon on; there are as many of them as horizons.
    fn answered(&self, pairs: &ScoredPairs, horizons: Vec<i64>) -> PyResult<Vec<Vec<u32>>> {
        let entries = &self.0.entries;
        let Some(first) = entries.len().checked_sub(horizons.len()) else {
            return Err(ParameterError::new_err("there are not so many documents"));
        };
        let mut found = vec![Vec::new(); horizons.len()];
        for (&[a, b], number) in pairs.documents.iter().zip(0..) {
            let [before, last] = [a.min(b) as usize, a.max(b) as usize];
            let place = last.checked_sub(first).filter(|_| last < entries.len());
            let Some(place) = place else {
                return Err(ParameterError::new_err("a pair has none of the last documents"));
            };
            if entries[before].time >= horizons[place] {
                found[place].push(number);
            }
        }
        Ok(found)
    }

    /// Some of the documents, by their places here.
    fn part(&self, py: Python<'_>, documents: Vec<usize>) -> PyResult<Self> {
        if documents.iter().any(|&document| document >= self.0.entries.len()) {
            return Err(ParameterError::new_err("there are not so many documents"));
        }
        enter(py, 1, |_| Ok(Self(self.0.part(&documents))))
    }

    /// A copy of the features.
    fn features(&self) -> Features {
        Features(self.0.features.clone())
    }

    /// The features; the bundle has none then.
    fn take_features(&mut self) -> Features {
        Features(std::mem::take(&mut self.0.features))
    }

    /// What is known of the documents beside.
    fn collection(&self) -> Collection {
        let Self(store::Bundle { entries, features, places }) = self;
        Collection::stored(entries, features, places)
    }

    #[getter]
    fn numbers(&self) -> Vec<u64> {
        self.0.entries.iter().map(|entry| entry.number).collect()
    }

    #[getter]
    fn ids(&self) -> Vec<&str> {
        self.0.entries.iter().map(|entry| &*entry.id).collect()
    }

    #[getter]
    fn times(&self) -> Vec<i64> {
        self.0.entries.iter().map(|entry| entry.time).collect()
    }

    #[getter]
    fn published(&self) -> Vec<Option<i64>> {
        self.0.entries.iter().map(|entry| entry.published).collect()
    }

    fn __len__(&self) -> usize {
        self.0.entries.len()
    }
}

/// By which keys documents are found, and which they look up.
#[pyclass(module = "twicetold._kernel")]
pub struct Postings(store::Postings);

#[pymethods]
impl Postings {
    /// The postings of documents that are checked in this way; None: they share weight. `keys` are
    /// what units store and look up, where that does not follow from their features.
    #[new]
    #[pyo3(signature = (bundle, verification, keys, *, frequent, floor))]
    fn new(
        py: Python<'_>,
        bundle: &Bundle,
        verification: Option<&Verification>,
        keys: Option<(Py<Keys>, Py<Keys>)>,
        frequent: &KeySet,
        floor: f64,
    ) -> PyResult<Self> {
        let keys = keys.map(|(store, probe)| {
            let [store, probe] = [store, probe].map(|keys| keys.bind(py).borrow_mut().take());
            (store, probe)
        });
        let features = &bundle.0.features;
        if let Some((store, probe)) = &keys
            && [store, probe].iter().any(|keys| keys.n_units() != features.n_units())
        {
            return Err(ParameterError::new_err("keys and features differ in number of units"));
        }
        let verification = verification.map(|verification| &verification.0);
        enter(py, 1, |_| Ok(store::Postings::new(features, verification, keys, &frequent.0, floor)))
            .map(Self)
    }

    #[getter]
    fn n_keys(&self) -> usize {
        self.0.store.keys.len()
    }
}

/// Write a segment of these documents to a new file, which is not synced, unless it has fewer bytes than
/// `file_from`: how many it has, and these if they are in no file.
#[pyfunction]
#[pyo3(signature = (bundle, postings, path, *, file_from, threads = 0))]
pub fn build_segment<'py>(
    py: Python<'py>,
    bundle: &Bundle,
    postings: &Postings,
    path: PathBuf,
    file_from: usize,
    threads: usize,
) -> PyResult<(u64, Option<Bound<'py, PyBytes>>)> {
    let (size, content) =
        enter(py, threads, |_| build::build_file(&bundle.0, &postings.0, &path, file_from))?;
    Ok((size, (!content.is_empty()).then(|| PyBytes::new(py, &content))))
}

/// A segment, open for searches.
#[pyclass(frozen, module = "twicetold._kernel")]
pub struct Segment(Arc<store::Segment>);

#[pymethods]
impl Segment {
    /// Map a file into memory.
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        enter(py, 1, |_| store::Segment::open(&path)).map(|segment| Self(Arc::new(segment)))
    }

    /// Take bytes that `build_segment` made.
    #[staticmethod]
    fn of(py: Python<'_>, name: &str, content: &[u8]) -> PyResult<Self> {
        let segment = enter(py, 1, |_| store::Segment::from_bytes(name, content.to_vec()))?;
        Ok(Self(Arc::new(segment)))
    }

    /// Fail unless every byte is as it was written.
    fn check(&self, py: Python<'_>) -> PyResult<()> {
        enter(py, 1, |_| store::reading(&[&self.0], || self.0.check()))
    }

    /// Whether nobody wrote to its file since it was opened.
    #[getter]
    fn is_unchanged(&self) -> bool {
        self.0.is_unchanged()
    }

    /// Let the system take back the memory of what was read.
    fn rest(&self) {
        self.0.rest();
    }

    #[getter]
    fn n_documents(&self) -> u64 {
        self.0.head().documents
    }

    #[getter]
    fn n_bytes(&self) -> usize {
        self.0.len()
    }

    /// How many features and how many postings it has.
    #[getter]
    fn n_features(&self) -> (u64, u64) {
        self.0.n_features()
    }

    /// The earliest and the latest time.
    #[getter]
    fn times(&self) -> (i64, i64) {
        (self.0.head().earliest, self.0.head().latest)
    }

    /// The numbers of all documents, and when they count as told.
    fn rows(&self, py: Python<'_>) -> PyResult<Vec<(u64, i64)>> {
        let row = |n| self.0.row(n).map(|row| (row.number, row.time));
        let rows = || (0..self.0.head().documents as u32).map(row).collect();
        enter(py, 1, |_| store::reading(&[&self.0], rows))
    }
}

fn shared(segments: &[Py<Segment>]) -> Vec<Arc<store::Segment>> {
    segments.iter().map(|segment| Arc::clone(&segment.get().0)).collect()
}

/// The documents of segments that are neither gone nor told before `horizon`.
#[pyfunction]
pub fn load_documents(
    py: Python<'_>,
    segments: Vec<Py<Segment>>,
    removed: &Numbers,
    horizon: i64,
) -> PyResult<Bundle> {
    let segments = shared(&segments);
    enter(py, 1, |cancel| {
        let segments: Vec<&store::Segment> = segments.iter().map(|segment| &**segment).collect();
        store::reading(&segments, || {
            let mut loader = Loader::default();
            for segment in &segments {
                for document in 0..segment.head().documents as u32 {
                    cancel.check()?;
                    let row = segment.row(document)?;
                    if row.time >= horizon && !removed.0.contains(&row.number) {
                        loader.document(segment, document)?;
                    }
                }
            }
            Ok(loader.end())
        })
    })
    .map(Bundle)
}

/// Write what is left of segments to a new file, or to memory: how many documents that are, their
/// latest time, and how many bytes there are; and these, if they are in memory. `stop` is for
/// another thread, which is not asked by Ctrl-C.
#[pyfunction]
#[pyo3(signature = (segments, removed, horizon, path, *, stop = None, threads = 0))]
pub fn merge_segments<'py>(
    py: Python<'py>,
    segments: Vec<Py<Segment>>,
    removed: &Numbers,
    horizon: i64,
    path: Option<PathBuf>,
    stop: Option<Py<Stop>>,
    threads: usize,
) -> PyResult<(u64, i64, u64, Option<Bound<'py, PyBytes>>)> {
    let segments = shared(&segments);
    let merged = enter(py, threads, |cancel| {
        let segments: Vec<&store::Segment> = segments.iter().map(|segment| &**segment).collect();
        let cancel = stop.as_ref().map_or(cancel, |stop| &stop.get().0);
        store::reading(&segments, || merge(&segments, &removed.0, horizon, path.as_deref(), cancel))
    })?;
    let content = path.is_none().then(|| PyBytes::new(py, &merged.content));
    Ok((merged.documents, merged.latest, merged.size, content))
}

/// The stored documents that may be related to some of these: at least those that a join finds.
/// `only_first`: of a single one that repeats an earlier one, only the equal ones.
#[pyfunction]
#[pyo3(signature = (
    segments, bundle, postings, verification, *, floor, window, horizon, removed,
    only_first = false, threads = 0,
))]
#[expect(clippy::too_many_arguments, reason = "by name in Python")]
pub fn find_related(
    py: Python<'_>,
    segments: Vec<Py<Segment>>,
    bundle: &Bundle,
    postings: &Postings,
    verification: Option<&Verification>,
    floor: f64,
    window: Option<i64>,
    horizon: i64,
    removed: &Numbers,
    only_first: bool,
    threads: usize,
) -> PyResult<Bundle> {
    let segments = shared(&segments);
    let asked = Asked {
        bundle: &bundle.0,
        postings: &postings.0,
        verification: verification.map(|verification| &verification.0),
        floor,
        window,
        horizon,
        removed: &removed.0,
        only_first,
    };
    enter(py, threads, |cancel| {
        let segments: Vec<&store::Segment> = segments.iter().map(|segment| &**segment).collect();
        store::reading(&segments, || {
            let found = asked.find(&segments, cancel)?;
            asked.load(&segments, &found, cancel)
        })
    })
    .map(Bundle)
}
