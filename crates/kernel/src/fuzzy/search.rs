//! The words a sentence has to look up so that nothing similar to it is missed.
//!
//! If `Sim(S, T) ≥ P`, the words of S without any correlation to T are at most `1 − P` of S. So among
//! any words that are more than that, one has a neighbour in T, or is in T itself. A sentence
//! looks up such words with all their neighbours, those that fewest stored sentences have.

use hashbrown::HashMap;
use rayon::prelude::*;
use rustc_hash::FxBuildHasher;

use super::correlations::{Correlations, NONE};
use super::similarity::EPSILON;
use crate::cancel::Cancel;
use crate::error::Result;
use crate::features::{Features, Keys};

type PerWord = HashMap<u64, u64, FxBuildHasher>;

/// The keys each sentence looks up, where all words of all sentences are stored.
pub fn probes(
    features: &Features,
    correlations: &Correlations,
    permission: f64,
    cancel: &Cancel,
) -> Result<Keys> {
    let mut holders = PerWord::default();
    features.keys.iter().for_each(|&key| *holders.entry(key).or_default() += 1);
    let words: Vec<u64> = holders.keys().copied().collect();
    let cost = |&word: &u64| {
        let sum = neighbours(word, correlations).map(|n| holders.get(&n).copied().unwrap_or(0));
        (word, sum.sum())
    };
    let costs: PerWord = words.par_iter().map(cost).collect::<Vec<_>>().into_iter().collect();
    let units: Vec<usize> = (0..features.n_units()).collect();
    let parts = units
        .par_chunks(1024)
        .map(|part| {
            let mut keys = Keys::default();
            for &unit in part {
                cancel.check()?;
                let mut found: Vec<u64> = chosen(features, unit, &costs, permission)
                    .into_iter()
                    .flat_map(|word| neighbours(word, correlations))
                    .filter(|key| holders.contains_key(key))
                    .collect();
                found.sort_unstable();
                found.dedup();
                keys.push(found);
            }
            Ok(keys)
        })
        .collect::<Result<Vec<_>>>()?;
    let mut all = Keys::default();
    parts.into_iter().for_each(|part| all.append(part));
    Ok(all)
}

/// A word, and all words that correlate with it.
fn neighbours(word: u64, correlations: &Correlations) -> impl Iterator<Item = u64> + '_ {
    let number = correlations.number(word);
    let row = if number == NONE { &[][..] } else { correlations.row(number).0 };
    std::iter::once(word).chain(row.iter().map(|&other| correlations.key(other)))
}

/// The words of a sentence that are cheapest to look up, until the others are too few.
fn chosen(features: &Features, unit: usize, costs: &PerWord, permission: f64) -> Vec<u64> {
    let mut words: Vec<(u64, u64, u32)> = features
        .range(unit)
        .map(|at| (costs[&features.keys[at]], features.keys[at], features.count(at)))
        .collect();
    words.sort_unstable();
    let all: f64 = words.iter().map(|word| f64::from(word.2)).sum();
    let mut rest = all;
    let mut chosen = Vec::new();
    for (_, word, count) in words {
        // Twice the tolerance of the check: rounding must not lose what lies on the border.
        if rest < (permission - 4.0 * EPSILON) * all {
            break;
        }
        chosen.push(word);
        rest -= f64::from(count);
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::Feature;
    use crate::fuzzy::similarity::{Equality, Fuzzy};
    use crate::join::verify::Verify;
    use proptest::prelude::*;
    use std::sync::Arc;

    #[test]
    fn two_words_of_ten_are_looked_up() {
        let mut features = Features::default();
        let word = |key| Feature { key, weight: 1, count: 1 };
        features.push(&mut (1..=10).map(word).collect::<Vec<_>>(), false);
        features.push(&mut [1, 2, 3, 4, 5, 6, 7, 8, 20].map(word), false);
        let correlations = Correlations::new(&[(9, 20, 0.5), (9, 30, 0.5)]).expect("pairs");
        let keys = probes(&features, &correlations, 0.825, &Cancel::default()).expect("keys");
        // 10 is in one sentence, 9 and its neighbour 20 in two together; nobody has 30.
        assert_eq!(keys.of(0), [1, 10]);
        assert_eq!(keys.of(1), [1, 2]);
    }

    proptest! {
        #[test]
        fn nothing_equal_is_missed(
            sentences in prop::collection::vec(prop::collection::vec(1_u64..14, 0..7), 2..9),
            pairs in prop::collection::btree_map((1_u64..14, 1_u64..14), 0.05_f32..1.0, 0..40),
            permission in 0.0_f64..1.0,
            variation in 0.0_f64..0.5,
            counted in any::<bool>(),
        ) {
            let pairs: Vec<_> =
                pairs.into_iter().filter(|((a, b), _)| a < b).map(|((a, b), c)| (a, b, c)).collect();
            let correlations = Arc::new(Correlations::new(&pairs).expect("different pairs"));
            let mut features = Features::default();
            for words in &sentences {
                let word = |&key: &u64| Feature { key, weight: 1, count: 1 };
                features.push(&mut words.iter().map(word).collect::<Vec<_>>(), counted);
            }
            let equality = Equality { permission, variation };
            let fuzzy = Fuzzy::new(&features, &correlations, equality);
            let probes = probes(&features, &correlations, permission, &Cancel::default());
            let (probes, stored) = (probes.expect("keys"), Keys::from(&features));
            for a in 0..sentences.len() {
                for b in 0..sentences.len() {
                    prop_assert_eq!(fuzzy.check(a, b).is_some(), fuzzy.check(b, a).is_some());
                    if fuzzy.check(a, b).is_some() {
                        prop_assert!(probes.of(a).iter().any(|key| stored.of(b).contains(key)));
                    }
                }
            }
        }
    }
}
