//! Evidence: for each unit, a document or a sentence, the keys it holds, with weights.
//!
//! A key's weight is the same in every unit that holds it. Weights are multiples of 2⁻³²,
//! kept as integers, so that sums are exact in whatever order they are made: any number of
//! threads, batches or machines gives the same scores to the last bit.

pub mod collect;
pub mod documents;
pub mod grams;
pub mod keys;
pub mod lexicons;
pub mod marks;
pub mod minhash;
pub mod paths;
mod places;
pub mod ranked;
pub mod rare_grams;
mod rarest;
pub mod retelling;
pub mod sentences;
pub mod simhash;
pub mod sketches;
pub mod spots;
pub mod terms;
pub mod top_terms;
pub mod variants;
pub mod wording;

pub use keys::Keys;
pub use marks::Mark;
pub use ranked::{Ranked, Terms, Union, sort_within};

use std::ops::Range;

use rayon::prelude::*;

use places::{FEW, in_order, place};

use crate::hash;
use crate::split::pieces;

/// Weights are kept in units of this fraction.
pub const UNIT: f64 = 1.0 / 4_294_967_296.0;

/// A weight in units of 2⁻³², rounded.
pub fn to_units(weight: f64) -> u64 {
    (weight / UNIT).round() as u64
}

/// The weight that so many units are.
pub fn from_units(units: u128) -> f64 {
    units as f64 * UNIT
}

/// The features of some documents or of their sentences, sorted by key within each.
///
/// A unit without features is not looked at: it takes no part in any join.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Features {
    /// Where the features of each unit end.
    pub ends: Vec<u64>,
    /// The keys.
    pub keys: Vec<u64>,
    /// The weight of each key, in units.
    pub weights: Vec<u64>,
    /// How often each key occurs in its unit; empty if that is not counted.
    pub counts: Vec<u32>,
    /// Where the sentences of each document end, if sentences are the units. Empty: unit n is
    /// document n.
    pub document_ends: Vec<u64>,
    /// How many words the sketch of a unit has; 0: there are none.
    pub sketch_width: usize,
    /// The sketches of all units: fingerprints, slots or signatures to compare them by.
    pub sketches: Vec<u64>,
    /// What each unit meets others by, where that is made together with its features; else empty.
    pub met_by: Keys<u32>,
    /// In place of keys and weights: features by their ranks. They are sorted by these, then.
    pub ranked: Option<Ranked>,
}

/// One feature while a unit is being collected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Feature {
    /// What is joined.
    pub key: u64,
    /// What it is worth, in units.
    pub weight: u64,
    /// How often it occurs.
    pub count: u32,
}

/// Everything but the first is where the one before ended.
fn range(ends: &[u64], n: usize) -> Range<usize> {
    let start = if n == 0 { 0 } else { ends[n - 1] };
    start as usize..ends[n] as usize
}

/// Where those of some units end, put one behind the other.
fn picked_ends(ends: &[u64], units: &[u32]) -> Vec<u64> {
    let mut sum = 0;
    let mut end = |&unit: &u32| {
        sum += range(ends, unit as usize).len() as u64;
        sum
    };
    units.iter().map(&mut end).collect()
}

/// So many units at a time are copied by a thread.
const COPIED: usize = 1 << 13;

/// What some units have in a column, put one behind the other; nothing of an empty column.
fn picked<T: Copy + Send + Sync>(ends: &[u64], column: &[T], units: &[u32]) -> Vec<T> {
    if column.is_empty() {
        return Vec::new();
    }
    gathered(column, units, |unit| range(ends, unit))
}

/// The same of a column in which each unit has its range.
fn gathered<T: Copy + Send + Sync>(
    column: &[T],
    units: &[u32],
    range: impl Fn(usize) -> Range<usize> + Sync,
) -> Vec<T> {
    let length = |units: &[u32]| units.iter().map(|&unit| range(unit as usize).len()).sum();
    let lengths: Vec<usize> = units.chunks(COPIED).map(length).collect();
    let all = lengths.iter().sum();
    let mut found = Vec::with_capacity(all);
    let places = pieces(&mut found.spare_capacity_mut()[..all], lengths);
    // On all cores: most of the time goes into memory that nobody has touched yet.
    units.par_chunks(COPIED).zip(places).for_each(|(units, mut rest)| {
        for &unit in units {
            let values = &column[range(unit as usize)];
            let (own, behind) = rest.split_at_mut(values.len());
            own.iter_mut().zip(values).for_each(|(place, value)| _ = place.write(*value));
            rest = behind;
        }
    });
    #[expect(unsafe_code, reason = "writing zeros first takes as long as all the rest")]
    // SAFETY: each unit has written as many values as there are places for it.
    unsafe {
        found.set_len(all);
    }
    found
}

/// The sketches of some units, put one behind the other.
fn sketches_of(sketches: &[u64], width: usize, units: &[u32]) -> Vec<u64> {
    gathered(sketches, units, |unit| unit * width..(unit + 1) * width)
}

/// Make room in a column for so many times what it has. An estimate: where there is no such room, or
/// nearly enough, it stays as it is.
fn reserve<T>(column: &mut Vec<T>, times: f64) {
    let more = column.len() as f64 * times;
    if ((column.capacity() - column.len()) as f64) < more * 0.75 {
        let _ = column.try_reserve_exact((more * 1.06) as usize);
    }
}

impl Features {
    /// How many units there are.
    pub fn n_units(&self) -> usize {
        self.ends.len()
    }

    /// How many documents there are.
    pub fn n_documents(&self) -> usize {
        if self.document_ends.is_empty() { self.ends.len() } else { self.document_ends.len() }
    }

    /// The units of a document: itself, or its sentences.
    pub fn units_of(&self, document: usize) -> Range<usize> {
        if self.document_ends.is_empty() {
            document..document + 1
        } else {
            range(&self.document_ends, document)
        }
    }

    /// Where the features of a unit stand.
    pub fn range(&self, unit: usize) -> Range<usize> {
        range(&self.ends, unit)
    }

    /// How often the key at this place occurs in its unit.
    pub fn count(&self, at: usize) -> u32 {
        self.counts.get(at).copied().unwrap_or(1)
    }

    /// The sketch of a unit.
    pub fn sketch(&self, unit: usize) -> &[u64] {
        &self.sketches[unit * self.sketch_width..(unit + 1) * self.sketch_width]
    }

    /// Add a unit: equal keys become one, whose count is kept if `counted`.
    pub fn push(&mut self, features: &mut [Feature], counted: bool) {
        let mut places = [0; FEW];
        match in_order(features, &mut places) {
            Some(places) => {
                let same = |a: &u64, b: &u64| features[place(*a)].key == features[place(*b)].key;
                for run in places.chunk_by(same) {
                    self.push_run(run.iter().map(|&at| &features[place(at)]), counted);
                }
            }
            None => {
                features.sort_unstable_by_key(|f| f.key);
                for run in features.chunk_by(|a, b| a.key == b.key) {
                    self.push_run(run.iter(), counted);
                }
            }
        }
        self.ends.push(self.keys.len() as u64);
    }

    /// Add a key, of all features that have it.
    #[inline]
    fn push_run<'f>(&mut self, mut run: impl Iterator<Item = &'f Feature>, counted: bool) {
        let Some(first) = run.next() else { return };
        self.keys.push(first.key);
        self.weights.push(first.weight);
        if counted {
            self.counts.push(run.fold(first.count, |sum, f| sum.saturating_add(f.count)));
        }
    }

    /// Say that the sentences pushed since the last document are those of the next one.
    pub fn end_document(&mut self) {
        self.document_ends.push(self.ends.len() as u64);
    }

    /// How many features all units have.
    pub fn n_features(&self) -> usize {
        self.ends.last().map_or(0, |&end| end as usize)
    }

    /// Add the documents of several parts behind these. The first one says how much room all take.
    pub fn append_all(&mut self, parts: Vec<Self>) {
        let documents = parts.iter().map(Self::n_documents).sum::<usize>() + self.n_documents();
        for (n, part) in parts.into_iter().enumerate() {
            self.append(part);
            if n == 0 {
                self.make_room(documents);
            }
        }
    }

    /// Add the documents of another batch behind these.
    pub fn append(&mut self, mut other: Self) {
        let (before, units) = (self.n_features() as u64, self.ends.len() as u64);
        if units == 0 && self.document_ends.is_empty() {
            *self = other;
            return;
        }
        if units == 0 {
            // Documents without sentences do not say how wide sketches are.
            self.sketch_width = other.sketch_width;
        }
        if !ranked::are_alike(self.ranked.as_ref(), other.ranked.as_ref()) {
            self.rank_alike(&mut other);
        }
        let Self { ends, keys, weights, counts, document_ends, sketches, met_by, ranked, .. } =
            self;
        // Half of the columns each: most of the time goes into memory that nobody has touched yet.
        rayon::join(
            || {
                keys.extend(other.keys);
                sketches.extend(other.sketches);
                counts.extend(other.counts);
            },
            || {
                ends.extend(other.ends.iter().map(|end| before + end));
                weights.extend(other.weights);
                document_ends.extend(other.document_ends.iter().map(|end| units + end));
                met_by.append(other.met_by);
                if let (Some(ranked), Some(more)) = (ranked, other.ranked) {
                    ranked.ranks.extend(more.ranks);
                }
            },
        );
    }

    /// Make room for as many documents, if the others are like these: columns that double are copied
    /// again and again, each time into memory that nobody has touched.
    pub fn make_room(&mut self, documents: usize) {
        let known = self.n_documents();
        if known == 0 || documents <= known {
            return;
        }
        let times = (documents - known) as f64 / known as f64;
        reserve(&mut self.ends, times);
        reserve(&mut self.keys, times);
        reserve(&mut self.weights, times);
        reserve(&mut self.counts, times);
        reserve(&mut self.document_ends, times);
        reserve(&mut self.sketches, times);
        reserve(&mut self.met_by.ends, times);
        reserve(&mut self.met_by.keys, times);
        if let Some(ranked) = &mut self.ranked {
            reserve(&mut ranked.ranks, times);
        }
    }

    /// Let the ranks of both stand for the same; where one has none, neither has.
    fn rank_alike(&mut self, other: &mut Self) {
        let Some(ranked) = self.ranked.as_mut().filter(|_| other.ranked.is_some()) else {
            *self = std::mem::take(self).into_plain();
            *other = std::mem::take(other).into_plain();
            return;
        };
        let mut union = Union::of(&ranked.terms);
        other.rank_in(&mut union);
        ranked.terms = union.into_terms();
    }

    /// These units, in this order, each a document of its own.
    pub fn select(&self, units: &[u32]) -> Self {
        let ends = &self.ends;
        let is_met = !self.met_by.ends.is_empty();
        Self {
            ends: picked_ends(ends, units),
            keys: picked(ends, &self.keys, units),
            weights: picked(ends, &self.weights, units),
            counts: picked(ends, &self.counts, units),
            document_ends: Vec::new(),
            sketch_width: self.sketch_width,
            sketches: sketches_of(&self.sketches, self.sketch_width, units),
            met_by: if is_met { self.met_by.select(units) } else { Keys::default() },
            ranked: self.ranked.as_ref().map(|ranked| ranked.select(ends, units)),
        }
    }

    /// The same, one column after the other, letting go of each as soon as what is selected of it is
    /// known: the largest first, so that the others have room where it was.
    pub fn into_selected(mut self, units: &[u32]) -> Self {
        let old = std::mem::take(&mut self.ends);
        if let Some(ranked) = &mut self.ranked {
            *ranked = ranked.select(&old, units);
        }
        self.keys = picked(&old, &self.keys, units);
        self.weights = picked(&old, &self.weights, units);
        self.counts = picked(&old, &self.counts, units);
        self.ends = picked_ends(&old, units);
        self.sketches = sketches_of(&self.sketches, self.sketch_width, units);
        if !self.met_by.ends.is_empty() {
            self.met_by = self.met_by.select(units);
        }
        self.document_ends = Vec::new();
        self
    }

    /// These documents with all their units, in this order.
    pub fn part(&self, documents: impl Iterator<Item = usize>) -> Self {
        let mut part = Self::default();
        for document in documents {
            let units: Vec<u32> = self.units_of(document).map(|unit| unit as u32).collect();
            let mut own = self.select(&units);
            own.document_ends = vec![units.len() as u64];
            part.append(own);
        }
        part
    }

    /// Each document as one unit: all it has, whichever of its units that is in.
    pub fn whole_documents(&self) -> Self {
        if self.ranked.is_some() {
            return self.clone().into_plain().whole_documents();
        }
        let mut whole = Self::default();
        for document in 0..self.n_documents() {
            let places = self.units_of(document).flat_map(|unit| self.range(unit));
            let feature = |at: usize| Feature {
                key: self.keys[at],
                weight: self.weights[at],
                count: self.count(at),
            };
            whole.push(&mut places.map(feature).collect::<Vec<_>>(), !self.counts.is_empty());
        }
        whole
    }

    /// The weight of all features of a unit, each once.
    pub fn weight(&self, unit: usize) -> u64 {
        match &self.ranked {
            Some(ranked) => ranked.weight(self.range(unit)),
            None => self.weights[self.range(unit)].iter().sum(),
        }
    }

    /// The weight of all features of a unit with itself: `Σ count² · weight`.
    pub fn total(&self, unit: usize) -> u128 {
        self.range(unit)
            .map(|at| u128::from(self.count(at)).pow(2) * u128::from(self.weights[at]))
            .sum()
    }

    /// What stands for the features of a unit: equal features and sketches, equal values. `None`
    /// if it has none.
    pub fn signature(&self, unit: usize) -> Option<u128> {
        let range = self.range(unit);
        if range.is_empty() {
            return None;
        }
        if self.is_retelling() {
            // The first two words of their sketch stand for all of them already.
            let sketch = self.sketch(unit);
            let whole = sketch[..2.min(sketch.len())]
                .iter()
                .rev()
                .fold(0, |all, &word| all << 64 | u128::from(word));
            return Some(whole & !(u128::from(retelling::MARKS) << 64));
        }
        let mut bytes = Vec::with_capacity(range.len() * 12 + self.sketch_width * 8);
        for at in range {
            bytes.extend_from_slice(&self.keys[at].to_le_bytes());
            bytes.extend_from_slice(&self.count(at).to_le_bytes());
        }
        self.sketch(unit).iter().for_each(|word| bytes.extend_from_slice(&word.to_le_bytes()));
        Some(hash::whole(&bytes))
    }

    /// Whether these are sentences as `retelling` compares them.
    pub(crate) fn is_retelling(&self) -> bool {
        self.ranked.is_some() || !self.met_by.ends.is_empty()
    }

    /// How many different keys there are.
    pub fn n_distinct_keys(&self) -> usize {
        if self.ranked.is_some() {
            return self.clone().into_plain().n_distinct_keys();
        }
        let mut keys = self.keys.clone();
        keys.sort_unstable();
        keys.dedup();
        keys.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_has_its_documents_with_their_units() {
        let mut all = Features { sketch_width: 1, ..Features::default() };
        for key in 0..5 {
            all.push(&mut [Feature { key, weight: 1, count: 1 }], false);
            all.sketches.push(10 * key);
        }
        all.document_ends = vec![2, 2, 5];
        let part = all.part([2, 1].into_iter());
        assert_eq!((part.keys, part.sketches), (vec![2, 3, 4], vec![20, 30, 40]));
        assert_eq!((part.ends, part.document_ends), (vec![1, 2, 3], vec![3, 3]));
        assert_eq!(all.part(0..3), all);
    }

    #[test]
    fn room_changes_nothing_else() {
        let mut all = Features::default();
        all.push(&mut [Feature { key: 1, weight: 1, count: 1 }], false);
        let before = all.clone();
        all.make_room(100);
        assert!(all.keys.capacity() >= 100 && all.ends.capacity() >= 100);
        // More than there can be.
        all.make_room(usize::MAX);
        assert_eq!(all, before);
        Features::default().make_room(10);
    }

    #[test]
    fn a_whole_document_has_what_its_sentences_have() {
        let mut all = Features::default();
        for keys in [&[1, 2][..], &[2, 3]] {
            let feature = |&key| Feature { key, weight: 1, count: 1 };
            all.push(&mut keys.iter().map(feature).collect::<Vec<_>>(), true);
        }
        all.document_ends = vec![0, 2];
        let whole = all.whole_documents();
        assert_eq!(
            (whole.ends, whole.keys, whole.counts),
            (vec![0, 3], vec![1, 2, 3], vec![1, 2, 1])
        );
    }

    #[test]
    fn units_hold_six_decimals_and_more() {
        for weight in [0.0, 1.0, 2.810_930, 45.336_611] {
            assert!((from_units(u128::from(to_units(weight))) - weight).abs() < 1e-9);
        }
    }

    #[test]
    fn a_document_has_each_key_once() {
        let feature = |key| Feature { key, weight: 2, count: 1 };
        let (mut set, mut bag) = (Features::default(), Features::default());
        set.push(&mut [feature(9), feature(4), feature(9)], false);
        bag.push(&mut [feature(9), feature(4), feature(9)], true);
        assert_eq!(set.keys, [4, 9]);
        assert_eq!((set.total(0), bag.total(0)), (4, 2 + 4 * 2));
        assert_ne!(set.signature(0), bag.signature(0));
        set.append(bag.clone());
        assert_eq!(set.range(1), 2..4);
    }

    #[test]
    fn sentences_keep_their_documents_and_sketches() {
        let batch = |documents: &[&[u64]]| {
            let mut features = Features { sketch_width: 1, ..Features::default() };
            for sentences in documents {
                for &key in *sentences {
                    features.push(&mut [Feature { key, weight: 1, count: 1 }], false);
                    features.sketches.push(key << 8);
                }
                features.end_document();
            }
            features
        };
        let mut all = Features::default();
        all.append(batch(&[&[], &[3, 4]]));
        all.append(batch(&[&[]]));
        all.append(batch(&[&[5]]));
        assert_eq!((all.n_documents(), all.n_units()), (4, 3));
        assert_eq!([0, 1, 2, 3].map(|d| all.units_of(d)), [0..0, 0..2, 2..2, 2..3]);
        let chosen = all.select(&[2, 0]);
        assert_eq!(
            (chosen.keys.clone(), chosen.sketches.clone()),
            (vec![5, 3], vec![5 << 8, 3 << 8])
        );
        assert_eq!((chosen.n_documents(), chosen.units_of(1)), (2, 1..2));
        let mut other = chosen.clone();
        other.sketches[0] += 1;
        assert_ne!(other.signature(0), chosen.signature(0));
        assert_eq!(other.signature(1), chosen.signature(1));
    }
}
