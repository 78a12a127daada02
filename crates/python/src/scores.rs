//! Scored pairs: what a detector judges, and what a scan gives.

use std::collections::HashMap;
use std::sync::Arc;

use kernel::join;
use kernel::join::groups::is_before;
use kernel::join::json_lines::{Line, Side};
use kernel::join::scores::{self, Relation, Similarity};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::collection::Collection;
use crate::columns::{from_bytes, to_bytes};
use crate::decision::{Judgements, NOT_REPORTED};
use crate::enter::ParameterError;

/// Pairs of documents and the weight they share.
#[pyclass(frozen, module = "twicetold._kernel")]
pub struct Joined(pub Arc<join::Joined>);

#[pymethods]
impl Joined {
    /// Pairs made by hand: what left shares, what right shares, both totals, whether the text is
    /// the same.
    #[staticmethod]
    fn of(rows: Vec<(f64, f64, f64, f64, bool)>) -> Self {
        let n = rows.len() as u32;
        let mut joined = join::Joined {
            left: (0..n).map(|at| 2 * at).collect(),
            right: (0..n).map(|at| 2 * at + 1).collect(),
            ..join::Joined::default()
        };
        for (shared, right_shared, left_total, right_total, same) in rows {
            joined.shared.push(shared);
            joined.right_shared.push(right_shared);
            joined.left_total.push(left_total);
            joined.right_total.push(right_total);
            joined.same_text.push(same);
            joined.is_proved.push(false);
        }
        Self(Arc::new(joined))
    }

    /// The numbers of the documents of each pair, as bytes of u32.
    fn documents<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
        Ok((to_bytes(py, &self.0.left)?, to_bytes(py, &self.0.right)?))
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

/// The scores of joined pairs.
#[pyclass(frozen, module = "twicetold._kernel")]
pub struct Scores(pub scores::Scores);

impl Scores {
    /// A column for these pairs.
    fn column_of(&self, bytes: &[u8]) -> PyResult<Vec<f64>> {
        let column = from_bytes::<f64>(bytes)?;
        if column.len() == self.0.len() {
            return Ok(column);
        }
        let (n, m) = (column.len(), self.0.len());
        Err(ParameterError::new_err(format!("a column of {n} numbers for {m} pairs")))
    }
}

#[pymethods]
impl Scores {
    /// The weight shared over that of each document, and over that of both.
    #[staticmethod]
    #[pyo3(signature = (joined, *, most = None))]
    fn containment(joined: &Joined, most: Option<f64>) -> Self {
        let most = most.unwrap_or(f64::INFINITY);
        Self(scores::Scores::containment(joined.0.clone(), most))
    }

    /// The share of sentences with a match, of each document and of both.
    #[staticmethod]
    fn matched_share(joined: &Joined) -> Self {
        Self(scores::Scores::matched_share(joined.0.clone()))
    }

    /// As containment, but the larger share is the resemblance, too.
    #[staticmethod]
    fn likeness(joined: &Joined) -> Self {
        Self(scores::Scores::likeness(joined.0.clone()))
    }

    /// The same pairs with other shares, given as columns.
    fn with_shares(&self, left_in_right: &[u8], right_in_left: &[u8]) -> PyResult<Self> {
        let mut scores = self.0.clone();
        scores.left_in_right = self.column_of(left_in_right)?;
        scores.right_in_left = self.column_of(right_in_left)?;
        Ok(Self(scores))
    }

    /// Relations by number, a byte a pair: a direction holds from the threshold on.
    #[pyo3(signature = (threshold, *, strict = false))]
    fn relate<'py>(&self, py: Python<'py>, threshold: f64, strict: bool) -> Bound<'py, PyBytes> {
        numbers(py, &self.0.relate(threshold, strict))
    }

    /// The same of a method that tells likeness, not containment: `likeness` is a column, else it
    /// is the score.
    #[pyo3(signature = (threshold, *, likeness = None))]
    fn relate_alike<'py>(
        &self,
        py: Python<'py>,
        threshold: f64,
        likeness: Option<&[u8]>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let Some(likeness) = likeness else {
            return Ok(numbers(py, &self.0.relate_alike(threshold, |at| self.0.score(at))));
        };
        let likeness = self.column_of(likeness)?;
        Ok(numbers(py, &self.0.relate_alike(threshold, |at| likeness[at])))
    }

    /// A column of numbers, as bytes of f64.
    fn column<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyBytes>> {
        let (scores, joined) = (&self.0, &self.0.joined);
        let made = |of: fn(&scores::Scores, usize) -> f64| {
            to_bytes(py, &(0..scores.len()).map(|at| of(scores, at)).collect::<Vec<f64>>())
        };
        match name {
            "left_in_right" => to_bytes(py, &scores.left_in_right),
            "right_in_left" => to_bytes(py, &scores.right_in_left),
            "resemblance" => to_bytes(py, &scores.resemblance),
            "odds" => made(scores::Scores::odds),
            "score" => made(scores::Scores::score),
            "shared" => to_bytes(py, &joined.shared),
            "right_shared" => to_bytes(py, &joined.right_shared),
            "left_total" => to_bytes(py, &joined.left_total),
            "right_total" => to_bytes(py, &joined.right_total),
            "jaccard" | "extended_jaccard" => made(|s, at| s.similarity(Similarity::Jaccard, at)),
            "cosine" => made(|s, at| s.similarity(Similarity::Cosine, at)),
            "dice" | "euclid" => made(|s, at| s.similarity(Similarity::Dice, at)),
            _ => Err(ParameterError::new_err(format!("scores have no column {name:?}"))),
        }
    }

    /// Which pairs have the same text, a byte a pair.
    fn same_text<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let same: Vec<u8> = self.0.joined.same_text.iter().map(|&same| u8::from(same)).collect();
        PyBytes::new(py, &same)
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }
}

fn numbers<'py>(py: Python<'py>, relations: &[Relation]) -> Bound<'py, PyBytes> {
    let numbers: Vec<u8> = relations.iter().map(|&relation| relation as u8).collect();
    PyBytes::new(py, &numbers)
}

/// Left, right, relation, left in right, right in left, resemblance, odds, which side is earlier,
/// probabilities.
type Row =
    (String, String, &'static str, f64, f64, f64, f64, Option<&'static str>, Option<[f64; 3]>);
type GivenRow = (String, String, String, f64, f64, f64, f64, Option<String>, Option<[f64; 3]>);
type Columns<'py> =
    (Vec<Bound<'py, PyBytes>>, Bound<'py, PyBytes>, Vec<Bound<'py, PyBytes>>, Bound<'py, PyBytes>);

/// Pairs with the ids of their documents.
#[pyclass(frozen, module = "twicetold._kernel")]
#[derive(Default)]
pub struct ScoredPairs {
    ids: Vec<Box<str>>,
    /// The places of both ids.
    sides: Vec<[u32; 2]>,
    /// The numbers of both documents in their collection.
    pub documents: Vec<[u32; 2]>,
    relations: Vec<Relation>,
    /// Left in right, right in left, resemblance, odds.
    scores: Vec<[f64; 4]>,
    /// Left is told in right, right in left, text was taken; empty where no decision was made.
    probabilities: Vec<[f64; 3]>,
    /// How much both share, by weight.
    masses: Vec<f64>,
    /// Which side is known to be earlier.
    earlier: Vec<Option<Side>>,
}

/// Of probabilities only so many steps count where pairs are put in order.
const STEPS: f64 = 100.0;

impl ScoredPairs {
    fn row(&self, at: usize) -> Row {
        let [left, right] = self.sides[at].map(|place| self.ids[place as usize].to_string());
        let [there, back, resemblance, odds] = self.scores[at];
        let earlier = self.earlier[at].map(Side::name);
        let probabilities = self.probabilities.get(at).copied();
        let name = self.relations[at].name();
        (left, right, name, there, back, resemblance, odds, earlier, probabilities)
    }

    fn score(&self, at: usize) -> f64 {
        self.scores[at][0].max(self.scores[at][1])
    }

    /// By what pairs are put in order, the largest first: where a decision was made, by the
    /// probability that text was taken, then by how much; else by score.
    fn rank(&self, at: usize) -> (f64, f64) {
        match self.probabilities.get(at) {
            Some([_, _, taken]) => ((taken * STEPS).floor(), self.masses[at]),
            None => (self.score(at), 0.0),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.scores.len()
    }

    /// What is written of a pair.
    pub fn line(&self, at: usize) -> Line<'_> {
        Line {
            ids: self.sides[at].map(|place| &*self.ids[place as usize]),
            relation: self.relations[at].name(),
            scores: self.scores[at],
            probabilities: self.probabilities.get(at).copied(),
            earlier: self.earlier[at],
        }
    }
}

#[pymethods]
impl ScoredPairs {
    /// The pairs that a detector decided for, those that reach the floor, if there is one, and those
    /// that have proof; with `judgements`, those that these decided for.
    #[new]
    #[pyo3(signature = (scores, relations, collection, *, floor = None, judgements = None))]
    fn new(
        scores: &Scores,
        relations: &[u8],
        collection: &Collection,
        floor: Option<f64>,
        judgements: Option<&Judgements>,
    ) -> PyResult<Self> {
        let scores = &scores.0;
        if relations.len() != scores.len() {
            let (n, m) = (relations.len(), scores.len());
            return Err(ParameterError::new_err(format!("{n} relations of {m} pairs")));
        }
        if let Some(judgements) = judgements.filter(|judged| judged.0.len() != scores.len()) {
            let (n, m) = (judgements.0.len(), scores.len());
            return Err(ParameterError::new_err(format!("{n} judgements of {m} pairs")));
        }
        let mut pairs = Self::default();
        let mut places = vec![u32::MAX; collection.ids().len()];
        for (at, &number) in relations.iter().enumerate() {
            if number == NOT_REPORTED {
                continue;
            }
            let known = Relation::ALL.get(number as usize);
            let missing = || ParameterError::new_err(format!("no relation has number {number}"));
            let &relation = known.ok_or_else(missing)?;
            let reached = floor.is_some_and(|floor| scores.score(at) >= floor);
            let is_reported = judgements.is_some() || reached || scores.joined.is_proved[at];
            if relation == Relation::Overlap && !is_reported {
                continue;
            }
            let documents = [scores.joined.left[at], scores.joined.right[at]];
            let mut sides = [0; 2];
            for (side, document) in sides.iter_mut().zip(documents) {
                let id = collection.id(document as usize)?;
                let place = &mut places[document as usize];
                if *place == u32::MAX {
                    *place = pairs.ids.len() as u32;
                    pairs.ids.push(id.into());
                }
                *side = *place;
            }
            pairs.sides.push(sides);
            pairs.documents.push(documents);
            pairs.relations.push(relation);
            let (there, back) = (scores.left_in_right[at], scores.right_in_left[at]);
            pairs.scores.push([there, back, scores.resemblance[at], scores.odds(at)]);
            if let Some(judged) = judgements.map(|judgements| &judgements.0[at]) {
                pairs.probabilities.push([judged.left, judged.right, judged.taken]);
            }
            let shared = (scores.joined.shared[at], scores.joined.right_shared[at]);
            pairs.masses.push(shared.0.max(shared.1));
            let [left, right] = documents.map(|document| collection.published(document as usize));
            let earlier = if is_before(left, right) {
                Some(Side::Left)
            } else if is_before(right, left) {
                Some(Side::Right)
            } else {
                None
            };
            pairs.earlier.push(earlier);
        }
        Ok(pairs)
    }

    /// These pairs, and others of the same collection behind them.
    fn followed_by(&self, others: &Self) -> Self {
        let before = self.ids.len() as u32;
        let moved = others.sides.iter().map(|sides| sides.map(|place| place + before));
        Self {
            ids: self.ids.iter().chain(&others.ids).cloned().collect(),
            sides: self.sides.iter().copied().chain(moved).collect(),
            documents: [&self.documents[..], &others.documents].concat(),
            relations: [&self.relations[..], &others.relations].concat(),
            scores: [&self.scores[..], &others.scores].concat(),
            probabilities: [&self.probabilities[..], &others.probabilities].concat(),
            masses: [&self.masses[..], &others.masses].concat(),
            earlier: [&self.earlier[..], &others.earlier].concat(),
        }
    }

    /// The pairs in these places, in this order.
    fn picked(&self, rows: Vec<usize>) -> PyResult<Self> {
        let n = self.len();
        if let Some(row) = rows.iter().find(|&&row| row >= n) {
            return Err(ParameterError::new_err(format!("no pair {row}, there are {n}")));
        }
        let mut pairs = Self::default();
        let mut places = HashMap::new();
        for row in rows {
            let sides = self.sides[row].map(|place| {
                *places.entry(place).or_insert_with(|| {
                    pairs.ids.push(self.ids[place as usize].clone());
                    pairs.ids.len() as u32 - 1
                })
            });
            pairs.sides.push(sides);
            pairs.documents.push(self.documents[row]);
            pairs.relations.push(self.relations[row]);
            pairs.scores.push(self.scores[row]);
            pairs.masses.push(self.masses[row]);
            pairs.earlier.push(self.earlier[row]);
            pairs.probabilities.extend(self.probabilities.get(row));
        }
        Ok(pairs)
    }

    /// How much both documents of each pair share, by which equally sure ones are put in order, as
    /// bytes of f64.
    fn masses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        to_bytes(py, &self.masses)
    }

    /// Whether a decision gave probabilities.
    #[getter]
    fn has_probabilities(&self) -> bool {
        !self.probabilities.is_empty()
    }

    /// The probabilities as bytes of f64, three a pair; None where no decision was made.
    fn probabilities<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        if self.probabilities.is_empty() {
            return Ok(None);
        }
        to_bytes(py, self.probabilities.as_flattened()).map(Some)
    }

    /// Pairs made by hand, or of the rows and `masses` that another one gave.
    #[staticmethod]
    #[pyo3(signature = (rows, *, masses = None))]
    fn of(rows: Vec<GivenRow>, masses: Option<&[u8]>) -> PyResult<Self> {
        let mut pairs = Self::default();
        for (at, row) in (0_u32..).zip(rows) {
            let (left, right, name, there, back, resemblance, odds, earlier, probabilities) = row;
            let known = Relation::ALL.into_iter().find(|relation| relation.name() == name);
            let missing = || ParameterError::new_err(format!("no relation {name:?}"));
            pairs.relations.push(known.ok_or_else(missing)?);
            pairs.sides.push([2 * at, 2 * at + 1]);
            pairs.documents.push([2 * at, 2 * at + 1]);
            pairs.ids.extend([left.into(), right.into()]);
            pairs.scores.push([there, back, resemblance, odds]);
            let side = |name: String| {
                let known = Side::ALL.into_iter().find(|side| side.name() == name);
                known.ok_or_else(|| ParameterError::new_err(format!("no side {name:?}")))
            };
            pairs.earlier.push(earlier.map(side).transpose()?);
            pairs.masses.push(0.0);
            pairs.probabilities.extend(probabilities);
        }
        if !pairs.probabilities.is_empty() && pairs.probabilities.len() != pairs.scores.len() {
            return Err(ParameterError::new_err("all pairs have probabilities, or none"));
        }
        if let Some(masses) = masses {
            pairs.masses = from_bytes(masses)?;
            if pairs.masses.len() != pairs.scores.len() {
                return Err(ParameterError::new_err("masses must be as many as pairs"));
            }
        }
        Ok(pairs)
    }

    /// Some pairs, from one number to before another.
    fn rows(&self, start: usize, end: usize) -> Vec<Row> {
        (start..end.min(self.scores.len())).map(|at| self.row(at)).collect()
    }

    /// The numbers of the n best pairs; equally good ones in the order of the ids.
    fn best(&self, n: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.scores.len()).collect();
        let ids = |at: usize| self.sides[at].map(|place| &*self.ids[place as usize]);
        let compare = |&a: &usize, &b: &usize| {
            let (x, y) = (self.rank(b), self.rank(a));
            let by_rank = x.0.total_cmp(&y.0).then(x.1.total_cmp(&y.1));
            by_rank.then_with(|| ids(a).cmp(&ids(b)))
        };
        if n < order.len() {
            order.select_nth_unstable_by(n, compare);
            order.truncate(n);
        }
        order.sort_unstable_by(compare);
        order
    }

    /// How many pairs have each relation.
    fn count(&self) -> Vec<(&'static str, usize)> {
        let mut counts = [0; Relation::ALL.len()];
        self.relations.iter().for_each(|&relation| counts[relation as usize] += 1);
        let named = Relation::ALL.into_iter().map(Relation::name).zip(counts);
        named.filter(|&(_, n)| n > 0).collect()
    }

    /// Of how many pairs nobody knows which side is earlier.
    #[getter]
    fn undirected(&self) -> usize {
        self.earlier.iter().filter(|earlier| earlier.is_none()).count()
    }

    /// The numbers of the documents of each pair in their collection.
    fn documents(&self) -> Vec<[u32; 2]> {
        self.documents.clone()
    }

    /// The same, those of each side by themselves, as bytes of u32.
    fn document_columns<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
        let column = |side: usize| self.documents.iter().map(|pair| pair[side]).collect::<Vec<_>>();
        Ok((to_bytes(py, &column(0))?, to_bytes(py, &column(1))?))
    }

    /// Some pairs as columns, in the layout of Arrow: for each side the offsets (u32) and the
    /// bytes of the ids, relations by number, the four scores (f64), and which side is earlier: its
    /// number, or 2.
    fn columns<'py>(&self, py: Python<'py>, start: usize, end: usize) -> PyResult<Columns<'py>> {
        let end = end.min(self.scores.len());
        let range = start.min(end)..end;
        let mut texts = Vec::with_capacity(4);
        for side in 0..2 {
            let (mut offsets, mut bytes) = (vec![0_u32], Vec::new());
            for sides in &self.sides[range.clone()] {
                bytes.extend_from_slice(self.ids[sides[side] as usize].as_bytes());
                let too_long = |_| ParameterError::new_err("ids of more than 4 GB in one column");
                offsets.push(u32::try_from(bytes.len()).map_err(too_long)?);
            }
            texts.extend([to_bytes(py, &offsets)?, PyBytes::new(py, &bytes)]);
        }
        let relations = numbers(py, &self.relations[range.clone()]);
        let scores = (0..4)
            .map(|n| {
                let column = self.scores[range.clone()].iter().map(|scores| scores[n]);
                to_bytes(py, &column.collect::<Vec<f64>>())
            })
            .collect::<PyResult<_>>()?;
        let earlier: Vec<u8> = self.earlier[range]
            .iter()
            .map(|side| side.map_or(Side::ALL.len() as u8, |side| side as u8))
            .collect();
        Ok((texts, relations, scores, PyBytes::new(py, &earlier)))
    }

    fn __len__(&self) -> usize {
        self.len()
    }
}

/// The odds of two shares.
#[pyfunction]
pub fn odds(left_in_right: f64, right_in_left: f64) -> f64 {
    scores::odds(left_in_right, right_in_left)
}
