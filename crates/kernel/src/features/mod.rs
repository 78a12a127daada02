//! Evidence: for each document the keys it holds, with weights.
//!
//! A key's weight is the same in every document that holds it. Weights are multiples of 2⁻³²,
//! kept as integers, so that sums are exact in whatever order they are made: any number of
//! threads, batches or machines gives the same scores to the last bit.

pub mod collect;
pub mod grams;
pub mod lexicons;
pub mod minhash;
pub mod paths;
pub mod simhash;
pub mod terms;

use crate::hash;

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

/// The features of some documents, sorted by key within each.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Features {
    /// Where the features of each document end.
    pub ends: Vec<u64>,
    /// The keys.
    pub keys: Vec<u64>,
    /// The weight of each key, in units.
    pub weights: Vec<u64>,
    /// How often each key occurs in its document; empty if that is not counted.
    pub counts: Vec<u32>,
}

/// One feature while a document is being collected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Feature {
    /// What is joined.
    pub key: u64,
    /// What it is worth, in units.
    pub weight: u64,
    /// How often it occurs.
    pub count: u32,
}

impl Features {
    /// How many documents there are.
    pub fn n_documents(&self) -> usize {
        self.ends.len()
    }

    /// Where the features of a document stand.
    pub fn range(&self, document: usize) -> std::ops::Range<usize> {
        let start = if document == 0 { 0 } else { self.ends[document - 1] };
        start as usize..self.ends[document] as usize
    }

    /// How often the key at this place occurs in its document.
    pub fn count(&self, at: usize) -> u32 {
        self.counts.get(at).copied().unwrap_or(1)
    }

    /// Add a document: equal keys become one, whose count is kept if `counted`.
    pub fn push(&mut self, features: &mut [Feature], counted: bool) {
        features.sort_unstable_by_key(|f| f.key);
        for run in features.chunk_by(|a, b| a.key == b.key) {
            self.keys.push(run[0].key);
            self.weights.push(run[0].weight);
            if counted {
                let count = run.iter().fold(0_u32, |sum, f| sum.saturating_add(f.count));
                self.counts.push(count);
            }
        }
        self.ends.push(self.keys.len() as u64);
    }

    /// Add the documents of another batch behind these.
    pub fn append(&mut self, other: Self) {
        let before = self.keys.len() as u64;
        if self.keys.is_empty() && self.ends.is_empty() {
            *self = other;
            return;
        }
        self.ends.extend(other.ends.iter().map(|end| before + end));
        self.keys.extend(other.keys);
        self.weights.extend(other.weights);
        self.counts.extend(other.counts);
    }

    /// The weight of all features of a document with itself: `Σ count² · weight`.
    pub fn total(&self, document: usize) -> u128 {
        self.range(document)
            .map(|at| u128::from(self.count(at)).pow(2) * u128::from(self.weights[at]))
            .sum()
    }

    /// What stands for the features of a document: equal features, equal values. `None` if it has
    /// none.
    pub fn signature(&self, document: usize) -> Option<u128> {
        let range = self.range(document);
        if range.is_empty() {
            return None;
        }
        let mut bytes = Vec::with_capacity(range.len() * 12);
        for at in range {
            bytes.extend_from_slice(&self.keys[at].to_le_bytes());
            bytes.extend_from_slice(&self.count(at).to_le_bytes());
        }
        Some(hash::whole(&bytes))
    }

    /// How many different keys there are.
    pub fn n_distinct_keys(&self) -> usize {
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
}
