//! Whether pairs were told again, taken from, or are the same form with other facts.

use std::collections::HashMap;
use std::sync::Arc;

use kernel::decision::document::stem_of;
use kernel::decision::frequencies::KeyCounts;
use kernel::decision::judge::{JudgeOptions, Judgement};
use kernel::decision::model::Regression;
use kernel::decision::quantities::{RELATED_NAMES, TAKEN_NAMES};
use kernel::decision::relate::RelationRule;
use kernel::decision::{self, CollectionTexts};
use kernel::text::terms::term;
use kernel::text::vocabulary::snapshot;
use kernel::text::words::words;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::analysis::Analysed;
use crate::columns::{from_bytes, to_bytes};
use crate::documents::Documents;
use crate::enter::{ParameterError, enter};
use crate::scores::{Joined, Scores};
use crate::statistics::Statistics;

/// In how many documents runs of words and pairs of content words occur.
#[pyclass(frozen, module = "twicetold._kernel")]
#[derive(Default)]
pub struct FormFrequencies(pub decision::FormFrequencies);

type TableColumns<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>, Bound<'py, PyBytes>);

#[pymethods]
impl FormFrequencies {
    #[new]
    fn new() -> Self {
        Self(decision::FormFrequencies { few_share: 1.0, ..Default::default() })
    }

    /// The tables of `columns`.
    #[staticmethod]
    fn from_columns(
        few_share: f64,
        pairs: (Vec<u8>, Vec<u8>, Vec<u8>),
        runs: (Vec<u8>, Vec<u8>, Vec<u8>),
    ) -> PyResult<Self> {
        let table = |(ends, rests, counts): (Vec<u8>, Vec<u8>, Vec<u8>)| {
            let (ends, rests) = (from_bytes::<u32>(&ends)?, from_bytes::<u32>(&rests)?);
            KeyCounts::from_columns(ends, rests, counts)
                .map_err(|error| ParameterError::new_err(error.to_string()))
        };
        if !(0.0..=1.0).contains(&few_share) {
            return Err(ParameterError::new_err("the share of rare repetition is from 0 to 1"));
        }
        let (pairs, runs) = (table(pairs)?, table(runs)?);
        Ok(Self(decision::FormFrequencies { pairs, runs, few_share }))
    }

    /// The tables of pairs and of runs as columns: ends of buckets, rests of keys, counts.
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<(TableColumns<'py>, TableColumns<'py>)> {
        let table = |table: &KeyCounts| {
            let (ends, rests, counts) = table.columns();
            Ok::<_, PyErr>((to_bytes(py, ends)?, to_bytes(py, rests)?, PyBytes::new(py, counts)))
        };
        Ok((table(&self.0.pairs)?, table(&self.0.runs)?))
    }

    /// Of the occurrences of repeated runs, the share of those that few documents have.
    #[getter]
    fn few_share(&self) -> f64 {
        self.0.few_share
    }

    /// How many runs of words at least two documents have.
    #[getter]
    fn n_runs(&self) -> usize {
        self.0.runs.len()
    }

    /// How many pairs of content words at least three documents have.
    #[getter]
    fn n_pairs(&self) -> usize {
        self.0.pairs.len()
    }
}

/// Coefficients that turn quantities into probabilities.
#[pyclass(frozen, module = "twicetold._kernel")]
pub struct DecisionModel(pub decision::DecisionModel);

type Coefficients = (f64, HashMap<String, f64>, HashMap<String, f64>);

fn regression<const N: usize>(
    names: [&str; N],
    (bias, weights, unknown): &Coefficients,
) -> PyResult<Regression<N>> {
    let column = |values: &HashMap<String, f64>| -> PyResult<Vec<f64>> {
        let value = |name: &&str| {
            values.get(*name).copied().ok_or_else(|| {
                ParameterError::new_err(format!("the decision has no coefficient for {name}"))
            })
        };
        names.iter().map(value).collect()
    };
    Regression::new(*bias, &column(weights)?, &column(unknown)?)
        .map_err(|error| ParameterError::new_err(error.to_string()))
}

#[pymethods]
impl DecisionModel {
    /// Of each regression: bias, weights and values of what is not known, by name.
    #[new]
    fn new(related: Coefficients, taken: Coefficients) -> PyResult<Self> {
        let related = regression(RELATED_NAMES, &related)?;
        Ok(Self(decision::DecisionModel { related, taken: regression(TAKEN_NAMES, &taken)? }))
    }

    /// The names of the quantities: of a direction, of a pair.
    #[staticmethod]
    fn names() -> (Vec<&'static str>, Vec<&'static str>) {
        (RELATED_NAMES.to_vec(), TAKEN_NAMES.to_vec())
    }
}

/// The texts of a collection, for decisions about pairs of them.
#[pyclass(module = "twicetold._kernel")]
#[derive(Default)]
pub struct DecisionTexts {
    batches: Vec<Py<Analysed>>,
    titles: Vec<Vec<u32>>,
}

/// What the decision says of pairs, by columns.
#[pyclass(frozen, module = "twicetold._kernel")]
pub struct Judgements(pub Vec<Judgement>);

#[pymethods]
impl Judgements {
    /// The probabilities as columns of f64: left is told in right, right in left, text was taken.
    fn probabilities<'py>(&self, py: Python<'py>) -> PyResult<TableColumns<'py>> {
        let column =
            |of: fn(&Judgement) -> f64| to_bytes(py, &self.0.iter().map(of).collect::<Vec<f64>>());
        Ok((column(|j| j.left)?, column(|j| j.right)?, column(|j| j.taken)?))
    }

    /// The quantities of each pair: of left in right, of right in left, of the pair.
    fn quantities(&self) -> Vec<([f64; 9], [f64; 9], [f64; 10])> {
        let row = |j: &Judgement| (j.sides[0].values(), j.sides[1].values(), j.pair.values());
        self.0.iter().map(row).collect()
    }

    /// Of each pair: how far it was measured (0: equal texts, 1: sets, 2: alignment, 3: all), slots,
    /// edits, matched words.
    fn details(&self) -> Vec<(u8, u32, u32, u32)> {
        let row = |j: &Judgement| (j.stage as u8, j.pair.slots, j.pair.edited, j.pair.matched);
        self.0.iter().map(row).collect()
    }

    /// Which pairs may be more than the same form, a byte a pair: one of their probabilities
    /// reaches `least`.
    fn reaching<'py>(&self, py: Python<'py>, least: f64) -> Bound<'py, PyBytes> {
        let reaches = |j: &Judgement| u8::from(j.taken >= least);
        PyBytes::new(py, &self.0.iter().map(reaches).collect::<Vec<u8>>())
    }

    /// Those of some pairs, marked by a byte other than 0.
    fn select(&self, marks: &[u8]) -> PyResult<Self> {
        if marks.len() != self.0.len() {
            return Err(ParameterError::new_err("there must be a mark for each pair"));
        }
        let kept = self.0.iter().zip(marks).filter(|row| *row.1 != 0);
        Ok(Self(kept.map(|row| *row.0).collect()))
    }

    /// Relations by number, a byte a pair; 255 for pairs that are not reported.
    #[pyo3(signature = (scores, threshold, *, knows_forms, floor = None))]
    fn relate<'py>(
        &self,
        py: Python<'py>,
        scores: &Scores,
        threshold: f64,
        knows_forms: bool,
        floor: Option<f64>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let scores = &scores.0;
        if scores.len() != self.0.len() {
            return Err(ParameterError::new_err("there must be scores of each pair"));
        }
        let rule = RelationRule { threshold, floor, knows_forms };
        let relation = |(at, judged): (usize, &Judgement)| {
            let shares = [scores.left_in_right[at], scores.right_in_left[at]];
            let found = rule.relation(judged, shares, scores.joined.same_text[at]);
            found.map_or(NOT_REPORTED, |relation| relation as u8)
        };
        let all: Vec<u8> = self.0.iter().enumerate().map(relation).collect();
        Ok(PyBytes::new(py, &all))
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }
}

/// In place of the number of a relation.
pub const NOT_REPORTED: u8 = u8::MAX;

/// Some of the pairs, marked by a byte other than 0.
#[pyfunction]
pub fn select_pairs(joined: &Joined, marks: &[u8]) -> PyResult<Joined> {
    if marks.len() != joined.0.left.len() {
        return Err(ParameterError::new_err("there must be a mark for each pair"));
    }
    let rows: Vec<usize> = (0..marks.len()).filter(|&row| marks[row] != 0).collect();
    Ok(Joined(Arc::new(joined.0.select(&rows))))
}

impl DecisionTexts {
    /// Call `use_them` with the texts, without the interpreter lock.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        statistics: &Statistics,
        threads: usize,
        use_them: impl FnOnce(&CollectionTexts<'_>, &kernel::Cancel) -> kernel::Result<T> + Send,
    ) -> PyResult<T> {
        let batches: Vec<&kernel::text::Analysed> =
            self.batches.iter().map(|batch| &batch.get().0).collect();
        let (titles, statistics) = (&self.titles, &statistics.0);
        enter(py, threads, |cancel| {
            use_them(&CollectionTexts::new(batches, titles, statistics), cancel)
        })
    }
}

#[pymethods]
impl DecisionTexts {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Add the documents of an analysed batch.
    fn add(&mut self, documents: &Documents, analysed: Py<Analysed>) {
        let batch = &analysed.get().0;
        let vocabulary = snapshot(&batch.vocabulary);
        let mut room = String::new();
        for (document, &language) in documents.iter().zip(&batch.languages) {
            let title = document.title.as_deref().unwrap_or_default();
            let mut terms = Vec::new();
            words(title, 0, title.len(), vocabulary.profile().joiner, |start, end| {
                let found = term(&title[start..end], language, vocabulary.profile(), &mut room);
                terms.push(stem_of(found.hash));
            });
            terms.sort_unstable();
            terms.dedup();
            self.titles.push(terms);
        }
        self.batches.push(analysed);
    }

    /// Count the forms of these documents.
    #[pyo3(signature = (statistics, *, threads = 0))]
    fn count(
        &self,
        py: Python<'_>,
        statistics: PyRef<'_, Statistics>,
        threads: usize,
    ) -> PyResult<FormFrequencies> {
        self.with(py, &statistics, threads, |texts, cancel| {
            decision::FormFrequencies::count(texts, cancel)
        })
        .map(FormFrequencies)
    }

    /// Judge pairs of documents, given by their numbers as bytes of u32. A pair none of whose
    /// probabilities can reach `least` is not measured further.
    #[pyo3(signature = (left, right, statistics, forms, model, *, least = 0.0, threads = 0))]
    #[expect(clippy::too_many_arguments, reason = "by name in Python")]
    fn judge(
        &self,
        py: Python<'_>,
        left: &[u8],
        right: &[u8],
        statistics: PyRef<'_, Statistics>,
        forms: &FormFrequencies,
        model: &DecisionModel,
        least: f64,
        threads: usize,
    ) -> PyResult<Judgements> {
        let (left, right) = (from_bytes::<u32>(left)?, from_bytes::<u32>(right)?);
        let n = self.titles.len() as u32;
        if left.len() != right.len() || left.iter().chain(&right).any(|&document| document >= n) {
            let message = format!("pairs must be of {n} documents, as many on both sides");
            return Err(ParameterError::new_err(message));
        }
        let pairs: Vec<(u32, u32)> = left.into_iter().zip(right).collect();
        let (model, forms) = (&model.0, &forms.0);
        self.with(py, &statistics, threads, |texts, cancel| {
            let options = JudgeOptions { model, forms, least };
            decision::judge(texts, &pairs, &options, cancel)
        })
        .map(Judgements)
    }

    fn __len__(&self) -> usize {
        self.titles.len()
    }
}
