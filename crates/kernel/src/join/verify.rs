//! Exact checks of units that may match.

use std::sync::Arc;

use crate::hamming::search::Near;

use super::counting::Counting;
use super::overlap::{Measure, Overlap};
use super::retold::{Alike, Retold};
use super::roll_up::Proof;
use crate::features::minhash::shared_of;
use crate::features::{Features, from_units};
use crate::fuzzy::{Correlations, Equality, Fuzzy};

/// Checks two units that were met.
pub trait Verify: Sync {
    /// What they have in common, if that is enough: the weight both share where units are
    /// documents, the score of the match where they are sentences. `probe` is the unit that asks.
    fn check(&self, probe: usize, store: usize) -> Option<f64>;

    /// The same for many checks one after the other, which may keep what it knows of the unit that
    /// asks.
    fn checker(&self) -> Box<dyn FnMut(usize, usize) -> Option<f64> + '_> {
        Box::new(|probe, store| self.check(probe, store))
    }
}

/// Which check is made, with its parameters.
#[derive(Debug, Clone, PartialEq)]
pub enum Verification {
    /// Sketches that differ in at most so many bits. Documents share their weight (the number of
    /// bits of a sketch) less that.
    Hamming {
        /// The largest distance.
        distance: u32,
    },
    /// Sketches of slots, one word each: the share of equal slots estimates `J = |A ∩ B| / |A ∪ B|`
    /// of two sets, whose sizes are the weights of the units. They share `J / (1 + J) · (|A| + |B|)`,
    /// and never more than the smaller one has.
    Agreement {
        /// The smallest share of slots that must agree.
        least: f64,
    },
    /// Word overlap of two sentences.
    Overlap {
        /// How it is measured.
        measure: Measure,
        /// From which value on it is a match.
        threshold: f64,
        /// Where sentences are met by their signatures, how; `None`: by keys.
        near: Option<Near>,
    },
    /// Sentences that have enough of the words of the shorter one in common.
    Common {
        /// The smallest share of them.
        least: f64,
    },
    /// Sentences whose words are similar enough.
    Fuzzy {
        /// How words correlate.
        correlations: Arc<Correlations>,
        /// When sentences are equal.
        equality: Equality,
        /// How equal sentences of two documents are counted.
        counting: Counting,
    },
    /// Sentences that retell each other. Sketches hold the number of words of each.
    Retold {
        /// The share of a document from which on two are aligned.
        align: f64,
        /// From where on they match.
        alike: Alike,
        /// Which matches prove by themselves that something was taken.
        proof: Proof,
    },
}

impl Verification {
    /// The check over these units.
    pub fn bind<'a>(&self, features: &'a Features) -> Box<dyn Verify + 'a> {
        match *self {
            Self::Hamming { distance } => Box::new(Hamming { features, distance }),
            Self::Agreement { least } => Box::new(Agreement { features, least }),
            Self::Overlap { measure, threshold, .. } => {
                Box::new(Overlap::new(features, measure, threshold))
            }
            Self::Retold { alike, .. } => Box::new(Retold::new(features, alike)),
            Self::Common { least } => Box::new(Common { features, least }),
            Self::Fuzzy { ref correlations, equality, .. } => {
                Box::new(Fuzzy::new(features, correlations, equality))
            }
        }
    }

    /// How matches of sentences become matched sentences of documents.
    pub fn counting(&self) -> Counting {
        match *self {
            Self::Fuzzy { counting, .. } => counting,
            _ => Counting::Exists,
        }
    }
}

/// In how many bits two sketches differ.
pub fn distance(a: &[u64], b: &[u64]) -> u32 {
    a.iter().zip(b).map(|(x, y)| (x ^ y).count_ones()).sum()
}

struct Hamming<'a> {
    features: &'a Features,
    distance: u32,
}

impl Verify for Hamming<'_> {
    fn check(&self, probe: usize, store: usize) -> Option<f64> {
        let found = distance(self.features.sketch(probe), self.features.sketch(store));
        let total = || from_units(self.features.total(probe));
        (found <= self.distance).then(|| (total() - f64::from(found)).max(0.0))
    }
}

struct Agreement<'a> {
    features: &'a Features,
    least: f64,
}

impl Verify for Agreement<'_> {
    fn check(&self, probe: usize, store: usize) -> Option<f64> {
        let (a, b) = (self.features.sketch(probe), self.features.sketch(store));
        let agreeing = a.iter().zip(b).filter(|(x, y)| x == y).count();
        let jaccard = agreeing as f64 / self.features.sketch_width as f64;
        let size = |unit| from_units(self.features.total(unit));
        let shared = || shared_of(jaccard, size(probe), size(store));
        (agreeing > 0 && jaccard >= self.least).then(shared)
    }
}

struct Common<'a> {
    features: &'a Features,
    least: f64,
}

impl Verify for Common<'_> {
    fn check(&self, probe: usize, store: usize) -> Option<f64> {
        let [a, b] = [probe, store].map(|unit| &self.features.keys[self.features.range(unit)]);
        let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
        let common = short.iter().filter(|key| long.binary_search(key).is_ok()).count();
        let share = common as f64 / short.len() as f64;
        (common > 0 && share >= self.least - 1e-12).then_some(share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::{Feature, to_units};

    fn features(units: &[(&[u64], f64)]) -> Features {
        let mut features = Features { sketch_width: units[0].0.len(), ..Features::default() };
        for (n, &(sketch, weight)) in units.iter().enumerate() {
            let weight = to_units(weight);
            features.push(&mut [Feature { key: n as u64, weight, count: 1 }], false);
            features.sketches.extend_from_slice(sketch);
        }
        features
    }

    #[test]
    fn sketches_within_the_distance_share_the_bits_that_agree() {
        let features = features(&[(&[0b1011, 0], 128.0), (&[0b0010, 1], 128.0)]);
        let check = |distance| Verification::Hamming { distance }.bind(&features).check(0, 1);
        assert_eq!((check(2), check(3)), (None, Some(125.0)));
    }

    #[test]
    fn slots_that_agree_estimate_the_intersection() {
        // Three of four slots agree: J = 3/4, so of sets of 8 and 6 they share 3/7 · 14 = 6.
        let features = features(&[(&[1, 2, 3, 4], 8.0), (&[1, 2, 3, 5], 6.0), (&[9; 4], 6.0)]);
        let check = |least| Verification::Agreement { least }.bind(&features);
        assert_eq!(check(0.75).check(0, 1), Some(6.0));
        assert_eq!((check(0.76).check(0, 1), check(0.0).check(0, 2)), (None, None));
    }

    #[test]
    fn what_both_have_is_a_share_of_the_shorter_one() {
        let mut features = Features::default();
        for words in [&[1, 2, 3, 4][..], &[3, 4, 5, 6, 7, 8], &[9]] {
            let word = |&key: &u64| Feature { key, weight: 1, count: 1 };
            features.push(&mut words.iter().map(word).collect::<Vec<_>>(), false);
        }
        let check = |least| Verification::Common { least }.bind(&features);
        assert_eq!((check(0.5).check(0, 1), check(0.5).check(1, 0)), (Some(0.5), Some(0.5)));
        assert_eq!((check(0.51).check(0, 1), check(0.0).check(0, 2)), (None, None));
    }
}
