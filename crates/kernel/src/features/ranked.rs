//! Features by their ranks instead of keys and weights: a quarter of the memory, and compared
//! without looking anything up.

use std::ops::Range;
use std::sync::Arc;

use hashbrown::HashMap;
use rayon::prelude::*;
use rustc_hash::FxBuildHasher;

use super::{Feature, Features, picked};
use crate::split::pieces;

/// The ranks of so many units are sorted in one go.
const UNITS: usize = 4096;

/// What ranks stand for.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// The key of each rank.
    pub keys: Vec<u64>,
    /// The weight of each rank, in units.
    pub weights: Vec<u64>,
}

/// The ranks of the features of all units, sorted within each.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ranked {
    /// What they stand for.
    pub terms: Arc<Terms>,
    /// The ranks.
    pub ranks: Vec<u32>,
}

impl Ranked {
    /// The weight of some features.
    pub fn weight(&self, range: Range<usize>) -> u64 {
        self.ranks[range].iter().map(|&rank| self.terms.weights[rank as usize]).sum()
    }

    /// Those of these units.
    pub fn select(&self, ends: &[u64], units: &[u32]) -> Self {
        Self { terms: Arc::clone(&self.terms), ranks: picked(ends, &self.ranks, units) }
    }
}

/// Terms from several tables, each with one rank.
#[derive(Debug, Default)]
pub struct Union {
    terms: Terms,
    ranks: HashMap<u64, u32, FxBuildHasher>,
}

impl Union {
    /// All terms of a table, with the ranks they have there.
    pub fn of(terms: &Terms) -> Self {
        let ranks = terms.keys.iter().copied().zip(0..).collect();
        let terms = Terms { keys: terms.keys.clone(), weights: terms.weights.clone() };
        Self { terms, ranks }
    }

    /// The rank of a term: that it has, or the next one.
    pub fn rank(&mut self, key: u64, weight: u64) -> u32 {
        *self.ranks.entry(key).or_insert_with(|| {
            self.terms.keys.push(key);
            self.terms.weights.push(weight);
            self.terms.keys.len() as u32 - 1
        })
    }

    /// The ranks here of all terms of another one, by those they have there.
    pub fn ranks_of(&mut self, other: &Self) -> Vec<u32> {
        let terms = other.terms.keys.iter().zip(&other.terms.weights);
        terms.map(|(&key, &weight)| self.rank(key, weight)).collect()
    }

    /// What ranks stand for.
    pub fn into_terms(self) -> Arc<Terms> {
        Arc::new(self.terms)
    }
}

impl Features {
    /// The same by ranks of a union of tables.
    pub(super) fn rank_in(&mut self, union: &mut Union) {
        let Some(ranked) = &mut self.ranked else { return };
        let mut places = vec![u32::MAX; ranked.terms.keys.len()];
        for rank in &mut ranked.ranks {
            let place = &mut places[*rank as usize];
            if *place == u32::MAX {
                let at = *rank as usize;
                *place = union.rank(ranked.terms.keys[at], ranked.terms.weights[at]);
            }
            *rank = *place;
        }
        sort_within(&self.ends, 0, &mut ranked.ranks);
    }
}

/// Sort the ranks of each unit from the `first` on; they end at these places.
pub fn sort_within(ends: &[u64], first: usize, ranks: &mut [u32]) {
    let before = if first == 0 { 0 } else { ends[first - 1] };
    let parts: Vec<&[u64]> = ends[first..].chunks(UNITS).collect();
    let firsts: Vec<u64> =
        std::iter::once(before).chain(parts.iter().map(|ends| ends[ends.len() - 1])).collect();
    let ranks = &mut ranks[before as usize..];
    let own = pieces(ranks, firsts.windows(2).map(|ends| (ends[1] - ends[0]) as usize));
    parts.into_par_iter().zip(firsts).zip(own).for_each(|((ends, first), ranks)| {
        let mut start = 0;
        for end in ends.iter().map(|&end| (end - first) as usize) {
            ranks[start..end].sort_unstable();
            start = end;
        }
    });
}

/// Whether the ranks of both stand for the same, or neither has any.
pub fn are_alike(one: Option<&Ranked>, other: Option<&Ranked>) -> bool {
    match (one, other) {
        (Some(a), Some(b)) => Arc::ptr_eq(&a.terms, &b.terms) || a.terms == b.terms,
        (None, None) => true,
        _ => false,
    }
}

impl Features {
    /// The same by keys and weights.
    pub fn into_plain(mut self) -> Self {
        let Some(Ranked { terms, ranks }) = self.ranked.take() else { return self };
        let ends = std::mem::take(&mut self.ends);
        let mut start = 0;
        for end in ends {
            let feature = |&rank: &u32| {
                let (key, weight) = (terms.keys[rank as usize], terms.weights[rank as usize]);
                Feature { key, weight, count: 1 }
            };
            let mut own: Vec<Feature> = ranks[start..end as usize].iter().map(feature).collect();
            self.push(&mut own, false);
            start = end as usize;
        }
        self
    }

    /// The same by ranks, those of the heaviest first.
    pub fn into_ranked(mut self) -> Self {
        if self.ranked.is_some() {
            return self;
        }
        let keys = std::mem::take(&mut self.keys);
        let weights = std::mem::take(&mut self.weights);
        let mut known: Vec<(u64, u64)> = weights.into_iter().zip(keys.iter().copied()).collect();
        known.sort_unstable_by_key(|&(weight, key)| (std::cmp::Reverse(weight), key));
        known.dedup();
        let mut places: Vec<(u64, u32)> = known.iter().map(|known| known.1).zip(0..).collect();
        places.sort_unstable();
        let rank = |key: &u64| {
            let place = places.binary_search_by_key(key, |place| place.0);
            places[place.expect("every key is known")].1
        };
        let mut ranks: Vec<u32> = keys.iter().map(rank).collect();
        for unit in 0..self.n_units() {
            ranks[self.range(unit)].sort_unstable();
        }
        let (weights, keys) = known.into_iter().unzip();
        self.ranked = Some(Ranked { terms: Arc::new(Terms { keys, weights }), ranks });
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn plain(units: &[std::collections::BTreeSet<u64>]) -> Features {
        let mut features = Features::default();
        for keys in units {
            let feature = |&key: &u64| Feature { key, weight: 1 + key % 5, count: 1 };
            features.push(&mut keys.iter().map(feature).collect::<Vec<_>>(), false);
        }
        features
    }

    proptest! {
        #[test]
        fn ranks_stand_for_keys_and_weights(
            units in prop::collection::vec(prop::collection::btree_set(0_u64..40, 0..6), 0..8),
            more in prop::collection::vec(prop::collection::btree_set(0_u64..40, 0..6), 0..8),
        ) {
            let features = plain(&units);
            let ranked = features.clone().into_ranked();
            prop_assert!((0..units.len()).all(|n| ranked.weight(n) == features.weight(n)));
            prop_assert_eq!(ranked.n_features(), features.n_features());
            let turned: Vec<u32> = (0..units.len() as u32).rev().collect();
            prop_assert_eq!(ranked.select(&turned).into_plain(), features.select(&turned));
            prop_assert_eq!(ranked.clone().into_selected(&turned), ranked.select(&turned));
            prop_assert_eq!(ranked.n_distinct_keys(), features.n_distinct_keys());
            // Ranks that stand for something else get those of the union.
            let (mut all, mut expected) = (ranked, features);
            all.append(plain(&more).into_ranked());
            expected.append(plain(&more));
            prop_assert_eq!(all.into_plain(), expected);
        }
    }
}
