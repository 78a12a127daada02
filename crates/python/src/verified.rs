//! The join with verification.

use std::sync::Arc;

use kernel::features;
use kernel::features::retelling::is_attributed;
use kernel::features::sentences::Signatures;
use kernel::fuzzy::Equality;
use kernel::hamming::radius::{Changed, Radius};
use kernel::hamming::search::{Index, Lacking, Near};
use kernel::hamming::table::Table;
use kernel::join::aligned::{self, Aligned};
use kernel::join::aligner::{Aligner, Found};
use kernel::join::boilerplate::Holders;
use kernel::join::content::content;
use kernel::join::counting::Counting;
use kernel::join::frequent::{LeftOut, frequent_among, without_keys};
use kernel::join::matches::Matches;
use kernel::join::meeting::Meeting;
use kernel::join::overlap::{Measure, prefixes};
use kernel::join::passages::{SentenceMatch, between, counted};
use kernel::join::retold::Alike;
use kernel::join::roll_up::Proof;
use kernel::join::told::{Known, told};
use kernel::join::units::Sentences;
use kernel::join::{self, Distinct, JoinOptions, Times, Units, retold_join, verified_join};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::collection::{Collection, KeySet, scope_of};
use crate::columns::{from_bytes, to_bytes};
use crate::enter::{ParameterError, enter};
use crate::features::{Features, Keys, signatures_of};
use crate::fuzzy::Correlations;
use crate::scores::Joined;
use crate::signatures::law_of;

/// How two units that were met are checked.
#[pyclass(frozen, module = "twicetold._kernel")]
pub struct Verification(pub join::Verification);

fn measure_of(name: &str) -> PyResult<Measure> {
    match name {
        "plain" => Ok(Measure::Plain),
        "idf" => Ok(Measure::Idf),
        "selfnorm" => Ok(Measure::SelfNorm),
        other => {
            let message = format!("measure must be plain, idf or selfnorm, got {other:?}");
            Err(ParameterError::new_err(message))
        }
    }
}

#[pymethods]
impl Verification {
    /// Sketches that differ in at most so many bits.
    #[staticmethod]
    #[pyo3(signature = (*, distance))]
    fn hamming(distance: u32) -> Self {
        Self(join::Verification::Hamming { distance })
    }

    /// Sketches at least so large a share of whose slots agree.
    #[staticmethod]
    #[pyo3(signature = (*, least))]
    fn agreement(least: f64) -> Self {
        Self(join::Verification::Agreement { least })
    }

    /// Sentences that have at least such a share of the words of the shorter one in common.
    #[staticmethod]
    #[pyo3(signature = (*, least))]
    fn common(least: f64) -> Self {
        Self(join::Verification::Common { least })
    }

    /// Sentences with a word overlap from the threshold on; `cosine`: of those that All-Pairs finds
    /// from this cosine on.
    #[staticmethod]
    #[pyo3(signature = (*, measure, threshold, cosine = None))]
    fn overlap(measure: &str, threshold: f64, cosine: Option<f64>) -> PyResult<Self> {
        let measure = measure_of(measure)?;
        let near = cosine.map(|cosine| Near {
            index: Index::AllPairs(cosine),
            radius: Radius::Fixed(0),
            signatures: Signatures { bits: 1, bits_per_word: 1 },
        });
        Ok(Self(join::Verification::Overlap { measure, threshold, near }))
    }

    /// The same, of sentences that are met by their signatures. `radius` is fixed, guarantee,
    /// binomial or exact; `changed` is how many words may change, None: as many as leave the
    /// threshold.
    #[staticmethod]
    #[pyo3(signature = (
        *, measure, threshold, bits, bits_per_word, index, radius, distance = 0, changed = None,
        false_hits = 0.0, zero_if_none = true, block_words = 1,
    ))]
    #[expect(clippy::too_many_arguments, reason = "by name in Python")]
    fn signature(
        measure: &str,
        threshold: f64,
        bits: u32,
        bits_per_word: u32,
        index: &str,
        radius: &str,
        distance: u32,
        changed: Option<u32>,
        false_hits: f64,
        zero_if_none: bool,
        block_words: usize,
    ) -> PyResult<Self> {
        let measure = measure_of(measure)?;
        let lacking = changed.map_or(Lacking::Matching(measure, threshold), Lacking::Words);
        let changed = changed.map_or(Changed::Leaving(threshold), Changed::Words);
        let radius = match radius {
            "fixed" => Radius::Fixed(distance),
            "guarantee" => Radius::Guarantee(changed),
            law => Radius::Bound { law: law_of(law)?, changed, false_hits, zero_if_none },
        };
        let signatures = signatures_of(bits, bits_per_word)?;
        let index = match index {
            "words" => Index::Words { block: block_words, lacking },
            other => index_of(other, bits)?,
        };
        let near = Some(Near { index, radius, signatures });
        Ok(Self(join::Verification::Overlap { measure, threshold, near }))
    }

    /// Sentences whose words correlate enough, both ways. `counting` is exists, matching or double.
    #[staticmethod]
    #[pyo3(signature = (correlations, *, permission, variation, counting))]
    fn fuzzy(
        correlations: &Correlations,
        permission: f64,
        variation: f64,
        counting: &str,
    ) -> PyResult<Self> {
        let counting = match counting {
            "exists" => Counting::Exists,
            "matching" => Counting::Matching,
            "double" => Counting::Double,
            other => {
                let message = format!("counting must be exists, matching or double, got {other:?}");
                return Err(ParameterError::new_err(message));
            }
        };
        let equality = Equality { permission, variation };
        let correlations = Arc::clone(&correlations.0);
        Ok(Self(join::Verification::Fuzzy { correlations, equality, counting }))
    }

    /// Sentences that retell each other: alike from `dice` on, or from `overlap` on if both have
    /// `min_terms`. Matches from `proof_score` on prove something if `proof_words` stand in the same
    /// order in both, and `proof_order` of the words of the shorter one. Documents of which they are `align` are aligned.
    #[staticmethod]
    #[pyo3(signature = (*, dice, overlap, min_terms, proof_score, proof_words, proof_order, align))]
    fn retold(
        dice: f64,
        overlap: f64,
        min_terms: usize,
        proof_score: f64,
        proof_words: u64,
        proof_order: f64,
        align: f64,
    ) -> Self {
        let alike = Alike { dice, overlap, min_terms };
        let proof = Proof { score: proof_score, order: proof_order, words: proof_words };
        Self(join::Verification::Retold { align, alike, proof })
    }

    /// Whether it makes no difference which of two asks: then all store and look up the same keys.
    #[getter]
    fn is_symmetric(&self) -> bool {
        matches!(self.0, join::Verification::Retold { .. })
    }

    /// Whether units are met by keys, and not by their signatures.
    #[getter]
    fn meets_by_keys(&self) -> bool {
        !matches!(self.0, join::Verification::Overlap { near: Some(_), .. })
    }
}

fn index_of(name: &str, bits: u32) -> PyResult<Index> {
    match name {
        "multi-index" => Ok(Index::MultiIndex),
        "scan" => Ok(Index::Scan),
        "table" if bits <= Table::MOST_BITS => Ok(Index::Table),
        "missing" => Ok(Index::Missing),
        other => {
            let most = Table::MOST_BITS;
            let wanted =
                format!("multi-index, scan, missing, words, or table for at most {most} bits");
            let message = format!("index must be {wanted}, got {other:?} for {bits}");
            Err(ParameterError::new_err(message))
        }
    }
}

/// The words each sentence has to look up so that none that matches is missed.
#[pyfunction]
#[pyo3(signature = (features, *, measure, threshold))]
pub fn overlap_prefixes(
    py: Python<'_>,
    features: &Features,
    measure: &str,
    threshold: f64,
) -> PyResult<Keys> {
    let measure = measure_of(measure)?;
    enter(py, 1, |_| Ok(prefixes(&features.0, measure, threshold))).map(Keys::from)
}

/// The distinct units of a collection, ready to be joined.
#[pyclass(module = "twicetold._kernel")]
pub struct VerifiedJoin {
    units: Units,
    features: Py<Features>,
    store: features::Keys,
    /// What is looked up, where that is not what is stored.
    probe: Option<features::Keys>,
    /// Where all store and look up the same, those that share a key.
    meeting: Option<Meeting>,
    /// Which sentences are too common to prove anything.
    common: Vec<bool>,
    times: Times,
    text_hashes: Vec<u128>,
    left_out: LeftOut,
    keys_left_out: usize,
    /// What `run` found.
    matches: Option<Matches>,
    /// What each distinct sentence weighs, where they do not all weigh the same.
    weights: Vec<u64>,
    /// The share of a document from which on it aligned two, and what that added.
    align: f64,
    aligned: Aligned,
}

type PassageColumns<'py> =
    (Bound<'py, PyBytes>, Bound<'py, PyBytes>, Bound<'py, PyBytes>, Bound<'py, PyBytes>);
/// The weight of a sentence, what of it is in another document, and where.
type Weighed = (f64, f64, Option<u32>);
type MatchColumns<'py> = (
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
);

#[pymethods]
impl VerifiedJoin {
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
        let (times, text_hashes, (units, distinct)) = enter(py, threads, |cancel| {
            let times = collection.times(window, cancel)?;
            let text_hashes = collection.text_hashes().to_vec();
            let units = Units::new(features, &times, &text_hashes, cancel)?;
            Ok((times, text_hashes, units))
        })?;
        Ok(Self {
            units,
            features: Py::new(py, Features(distinct))?,
            store: features::Keys::default(),
            probe: None,
            meeting: None,
            common: Vec::new(),
            times,
            text_hashes,
            left_out: LeftOut::default(),
            keys_left_out: 0,
            matches: None,
            weights: Vec::new(),
            align: 1.0,
            aligned: Aligned::default(),
        })
    }

    /// The features of each distinct unit: what keys are made from.
    #[getter]
    fn features(&self, py: Python<'_>) -> Py<Features> {
        self.features.clone_ref(py)
    }

    /// Say what each distinct unit stores and looks up. Takes the keys out of what held them.
    fn join_on(&mut self, py: Python<'_>, store: Py<Keys>, probe: Py<Keys>) -> PyResult<()> {
        let n = self.features.bind(py).borrow().0.n_units();
        let [store, probe] = [store, probe].map(|keys| keys.bind(py).borrow_mut().take());
        for keys in [&store, &probe] {
            if keys.n_units() != n {
                let message = format!("keys of {} units, but features of {n}", keys.n_units());
                return Err(ParameterError::new_err(message));
            }
        }
        self.probe = (probe != store).then_some(probe);
        self.store = store;
        Ok(())
    }

    /// Say what each distinct unit stores and looks up, where that is the same. Takes the keys out
    /// of what held them.
    #[pyo3(signature = (keys, *, threads = 0))]
    fn meet_on(&mut self, py: Python<'_>, keys: &mut Keys, threads: usize) -> PyResult<()> {
        let keys = keys.take_short();
        let mut features = self.features.bind(py).borrow_mut();
        features.0 = std::mem::take(&mut features.0).into_ranked();
        let n = features.0.n_units();
        drop(features);
        if keys.n_units() != n {
            let message = format!("keys of {} units, but features of {n}", keys.n_units());
            return Err(ParameterError::new_err(message));
        }
        self.meeting = Some(enter(py, threads, |cancel| Meeting::new(&keys, cancel))?);
        self.common = vec![false; n];
        Ok(())
    }

    /// How many groups of equal documents there are.
    #[getter]
    fn n_groups(&self) -> usize {
        self.units.groups.len()
    }

    /// How many keys of documents (of sentences: sentences of documents) were left out as too
    /// frequent.
    #[getter]
    fn features_left_out(&self) -> usize {
        self.left_out.features
    }

    /// How many keys of sentences that meet were left out as too frequent.
    #[getter]
    fn keys_left_out(&self) -> usize {
        self.keys_left_out
    }

    /// How many sentences are too common to prove anything.
    #[getter]
    fn n_common(&self) -> usize {
        self.common.iter().filter(|&&common| common).count()
    }

    /// How many sentences are boilerplate.
    #[getter]
    fn n_boilerplate(&self) -> usize {
        self.units.sentences.as_ref().map_or(0, Sentences::n_boilerplate)
    }

    /// Mark as boilerplate what at least `least` documents of a source have, and return what stands
    /// for it, as bytes of u64. After frequent keys are known, before they are left out.
    #[pyo3(signature = (collection, least, *, threads = 0))]
    fn learn_boilerplate<'py>(
        &mut self,
        py: Python<'py>,
        collection: &Collection,
        least: usize,
        threads: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let learned = enter(py, threads, |cancel| {
            let (Some(sentences), Some(meeting)) = (&self.units.sentences, &self.meeting) else {
                return Ok(Vec::new());
            };
            let holders = Holders::new(sentences, collection.sources());
            let (learned, marks) = holders.learn(meeting, least.max(1), cancel)?;
            self.units.set_marks(marks, &self.times, &self.text_hashes, cancel)?;
            Ok(learned)
        })?;
        to_bytes(py, &learned)
    }

    /// How many documents lost more than half of what they are joined by that way.
    #[getter]
    fn documents_hidden(&self) -> usize {
        self.left_out.documents
    }

    /// The keys of more than `limit` different documents, as little-endian bytes of u64. Where
    /// sentences are the units these are whole sentences; where they meet, also keys of more than
    /// `meeting_limit` different ones, and what says that a sentence is common in so many documents or
    /// a formula.
    #[pyo3(signature = (limit, *, meeting_limit = None, threads = 0))]
    fn frequent_keys<'py>(
        &self,
        py: Python<'py>,
        limit: usize,
        meeting_limit: Option<usize>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let found = enter(py, threads, |cancel| {
            let Some(sentences) = &self.units.sentences else {
                return frequent_among(&self.store, limit, cancel);
            };
            let mut found = sentences.frequent(limit);
            if let (Some(meeting), Some(limit)) = (&self.meeting, meeting_limit) {
                found.extend(meeting.frequent(limit));
                found.extend(sentences.common_keys(limit, meeting.formulas(limit)));
                found.sort_unstable();
                found.dedup();
            }
            Ok(found)
        })?;
        to_bytes(py, &found)
    }

    /// Leave these keys (as `frequent_keys` gives them) out of the join.
    fn leave_out(&mut self, py: Python<'_>, keys: &KeySet) -> PyResult<()> {
        let keys = &keys.0;
        enter(py, 1, |_| {
            if keys.keys().is_empty() {
                return Ok(());
            }
            if let Some(sentences) = &self.units.sentences {
                if let Some(meeting) = &mut self.meeting {
                    self.common = sentences.common(keys);
                    self.keys_left_out = meeting.leave_out(keys);
                }
                self.left_out = self.units.leave_out(keys);
                return Ok(());
            }
            (self.store, self.left_out) = without_keys(&self.store, &self.units.groups, keys);
            self.probe = self.probe.take().map(|probe| probe.without(keys));
            Ok(())
        })
    }

    /// The pairs of documents with units that are met and pass the check, and that share at least
    /// `floor` of one of them. With `since`, only those with a document from this number on; with
    /// `across`, a byte for each document, only those of a document with 0 and one with another number.
    /// Where sentences may be retold they are aligned, unless `align` is false.
    #[pyo3(signature = (
        verification, *, floor, all_pairs = false, since = 0, across = None, align = true, threads = 0,
    ))]
    #[expect(clippy::too_many_arguments, reason = "by name in Python")]
    fn run(
        &mut self,
        py: Python<'_>,
        verification: &Verification,
        floor: f64,
        all_pairs: bool,
        since: u32,
        across: Option<&[u8]>,
        align: bool,
        threads: usize,
    ) -> PyResult<Joined> {
        let scope = scope_of(since, across, self.text_hashes.len())?;
        let options = JoinOptions { floor, all_pairs, scope };
        let features = self.features.bind(py).borrow();
        let collection = Distinct {
            units: &self.units,
            features: &features.0,
            times: &self.times,
            text_hashes: &self.text_hashes,
        };
        let keys = (&self.store, self.probe.as_ref());
        let found = enter(py, threads, |cancel| match &self.meeting {
            Some(meeting) => {
                let common = self.common.clone();
                retold_join(&collection, meeting, common, &verification.0, &options, cancel)
            }
            None => verified_join(&collection, keys, &verification.0, &options, cancel),
        })?;
        drop(features);
        (self.matches, self.weights) = (found.matches, found.weights);
        self.aligned = Aligned::default();
        let joined = Joined(Arc::new(found.joined));
        if let join::Verification::Retold { align: least, .. } = verification.0 {
            self.align = least;
            if align {
                return self.aligned(py, &joined, threads);
            }
        }
        Ok(joined)
    }

    /// Pairs that `run` found, aligned: what sentences have in common with several sentences of the
    /// other document counts as shared.
    #[pyo3(signature = (joined, *, threads = 0))]
    fn aligned(&mut self, py: Python<'_>, joined: &Joined, threads: usize) -> PyResult<Joined> {
        let (Some(matches), Some(sentences)) = (&self.matches, &self.units.sentences) else {
            return Ok(Joined(Arc::clone(&joined.0)));
        };
        let features = self.features.bind(py).borrow();
        let all: Vec<usize> = (0..joined.0.left.len()).collect();
        let mut rows = joined.0.select(&all);
        let (weights, align, units) = (&self.weights[..], self.align, &features.0);
        let (rows, found) = enter(py, threads, |cancel| {
            let known = (matches, weights);
            let found = aligned::align(&mut rows, units, sentences, known, align, cancel)?;
            Ok((rows, found))
        })?;
        drop(features);
        self.aligned = found;
        Ok(Joined(Arc::new(rows)))
    }

    /// How many matches of distinct sentences `run` found, from either side.
    #[getter]
    fn n_matches(&self) -> usize {
        self.matches.as_ref().map_or(0, Matches::len)
    }

    /// What `run` found between the sentences of pairs of documents, which are given as bytes of
    /// u32: the number of the pair, of left's and of right's sentence (u32), the score of either
    /// asking for the other (f64).
    fn matches<'py>(
        &self,
        py: Python<'py>,
        left: &[u8],
        right: &[u8],
    ) -> PyResult<MatchColumns<'py>> {
        let [left, right] = [from_bytes::<u32>(left)?, from_bytes::<u32>(right)?];
        let (Some(matches), Some(sentences)) = (&self.matches, &self.units.sentences) else {
            return Err(ParameterError::new_err("there are matches of sentences only after `run`"));
        };
        let found = enter(py, 1, |cancel| {
            let mut found = Vec::new();
            for (n, (&a, &b)) in left.iter().zip(&right).enumerate() {
                cancel.check()?;
                let between = between(sentences, matches, a as usize, b as usize, cancel)?;
                found.extend(between.into_iter().map(|m| (n as u32, m)));
            }
            Ok(found)
        })?;
        let numbers =
            |of: fn(&(u32, SentenceMatch)) -> u32| found.iter().map(of).collect::<Vec<_>>();
        let scores =
            |of: fn(&(u32, SentenceMatch)) -> f64| found.iter().map(of).collect::<Vec<_>>();
        Ok((
            to_bytes(py, &numbers(|row| row.0))?,
            to_bytes(py, &numbers(|row| row.1.left))?,
            to_bytes(py, &numbers(|row| row.1.right))?,
            to_bytes(py, &scores(|row| row.1.left_score))?,
            to_bytes(py, &scores(|row| row.1.right_score))?,
        ))
    }

    /// The passages of pairs of documents, which are given as bytes of u32: where those of each pair
    /// end (u32), the spans in left and right (four u32 each), the scores (f64), and the types, a
    /// byte each: 0 verbatim, 1 edited, 2 reordered, 3 quoted, 4 boilerplate.
    #[pyo3(signature = (collection, left, right, *, threads = 0))]
    fn passages<'py>(
        &self,
        py: Python<'py>,
        collection: &Collection,
        left: &[u8],
        right: &[u8],
        threads: usize,
    ) -> PyResult<PassageColumns<'py>> {
        let [left, right] = [from_bytes::<u32>(left)?, from_bytes::<u32>(right)?];
        let (Some(matches), Some(sentences)) = (&self.matches, &self.units.sentences) else {
            return Err(ParameterError::new_err("there are matches of sentences only after `run`"));
        };
        let place = |document: u32, n: u32| {
            collection.place(document as usize, n as usize).unwrap_or_default()
        };
        let features = &self.features.bind(py).borrow().0;
        let passed = enter(py, threads, |cancel| {
            let pairs: Vec<(u32, u32)> = left.into_iter().zip(right).collect();
            let attributed: Vec<bool> =
                (0..features.n_units()).map(|unit| is_attributed(features.sketch(unit))).collect();
            let (attributed, aligned) = (&attributed[..], &self.aligned);
            let known = Known { sentences, matches, aligned, attributed };
            told(&known, &pairs, place, cancel)
        })?;
        let all = passed.told.iter();
        let spans: Vec<u32> = all
            .clone()
            .flat_map(|found| [found.left.0, found.left.1, found.right.0, found.right.1])
            .collect();
        let scores: Vec<f64> = all.clone().map(|found| found.score).collect();
        let kinds: Vec<u8> = all.map(|found| found.kind as u8).collect();
        Ok((
            to_bytes(py, &passed.ends)?,
            to_bytes(py, &spans)?,
            to_bytes(py, &scores)?,
            PyBytes::new(py, &kinds),
        ))
    }

    /// How much of left's content right has, and the reverse, of pairs of documents, which are given
    /// as bytes of u32; as bytes of f64.
    #[pyo3(signature = (left, right, *, threads = 0))]
    fn content<'py>(
        &self,
        py: Python<'py>,
        left: &[u8],
        right: &[u8],
        threads: usize,
    ) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
        let [left, right] = [from_bytes::<u32>(left)?, from_bytes::<u32>(right)?];
        let Some(sentences) = &self.units.sentences else {
            return Err(ParameterError::new_err("documents are joined here, not sentences"));
        };
        let features = &self.features.bind(py).borrow().0;
        let found = enter(py, threads, |cancel| {
            let pairs: Vec<(u32, u32)> = left.into_iter().zip(right).collect();
            content(features, sentences, &pairs, cancel)
        })?;
        let column = |side: usize| found.iter().map(|row| row[side]).collect::<Vec<f64>>();
        Ok((to_bytes(py, &column(0))?, to_bytes(py, &column(1))?))
    }

    /// Which sentences of a document are boilerplate.
    fn is_boilerplate(&self, document: usize) -> PyResult<Vec<bool>> {
        let n = self.sentences(document)?.len();
        let Some(sentences) = &self.units.sentences else { return Ok(Vec::new()) };
        Ok((0..n).map(|number| sentences.is_boilerplate(document, number)).collect())
    }

    /// For each sentence of a document what it weighs, what of it is in another document, and where
    /// there most of it is if no sentence matches; where sentences are counted, 1 and 0 or 1.
    fn weighed(&self, py: Python<'_>, document: usize, other: usize) -> PyResult<Vec<Weighed>> {
        let (Some(matches), Some(sentences)) = (&self.matches, &self.units.sentences) else {
            return Err(ParameterError::new_err("there are matches of sentences only after `run`"));
        };
        if self.meeting.is_none() {
            let number = |flag: bool| f64::from(u8::from(flag));
            let rows = enter(py, 1, |cancel| counted(sentences, matches, document, other, cancel))?;
            let row = |(own, found)| (number(own), number(found), None);
            return Ok(rows.into_iter().map(row).collect());
        }
        let features = &self.features.bind(py).borrow().0;
        let [rows, _] = enter(py, 1, |cancel| {
            let mut aligner = Aligner::new(features, sentences, matches, &[], self.align);
            aligner.between(document, other, cancel)
        })?;
        let amount = |units: u64| features::from_units(u128::from(units));
        let row = |row: Found| (amount(row.weight), amount(row.shared), row.link);
        Ok(rows.into_iter().map(row).collect())
    }

    /// The number of the distinct sentence that each sentence of a document is; None if it is not
    /// looked at.
    fn sentences(&self, document: usize) -> PyResult<Vec<Option<u32>>> {
        match &self.units.sentences {
            Some(sentences) => Ok(sentences.of_document(document).collect()),
            None => Err(ParameterError::new_err("documents are joined here, not sentences")),
        }
    }
}
