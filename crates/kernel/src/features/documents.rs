//! The features of sentences as those of their documents.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::collect::collect;
use super::{Feature, Features};
use crate::cancel::Cancel;
use crate::error::Result;

/// The features of each document: those of its first `opening` sentences, 0: of all. How many
/// sentences have a key is kept if `counted`. A weight in `weights` becomes the one it stands for,
/// another one stays.
pub fn by_document(
    sentences: &Features,
    opening: usize,
    counted: bool,
    weights: &HashMap<u64, u64, FxBuildHasher>,
    cancel: &Cancel,
) -> Result<Features> {
    let last = if opening == 0 { usize::MAX } else { opening };
    collect(sentences.n_documents(), counted, cancel, |document, (): &mut (), found| {
        for unit in sentences.units_of(document).take(last) {
            found.extend(sentences.range(unit).map(|at| {
                let weight = sentences.weights[at];
                let weight = weights.get(&weight).copied().unwrap_or(weight);
                Feature { key: sentences.keys[at], weight, count: 1 }
            }));
        }
    })
}

/// The different weights, in increasing order.
pub fn distinct_weights(features: &Features) -> Vec<u64> {
    let known: hashbrown::HashSet<u64, FxBuildHasher> = features.weights.iter().copied().collect();
    let mut found: Vec<u64> = known.into_iter().collect();
    found.sort_unstable();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn a_document_has_what_its_sentences_have(
            documents in prop::collection::vec(
                prop::collection::vec(prop::collection::btree_set(1_u64..9, 0..5), 0..4), 0..8),
            opening in 0_usize..3,
            counted in any::<bool>(),
        ) {
            let mut features = Features::default();
            for document in &documents {
                for sentence in document {
                    let word = |&key: &u64| Feature { key, weight: key + 1, count: 1 };
                    features.push(&mut sentence.iter().map(word).collect::<Vec<_>>(), false);
                }
                features.end_document();
            }
            let weights = [(2, 20), (3, 30)].into_iter().collect();
            let found = by_document(&features, opening, counted, &weights, &Cancel::default())
                .expect("nothing cancels");
            prop_assert_eq!(found.n_documents(), documents.len());
            for (n, document) in documents.iter().enumerate() {
                let mut expected: BTreeMap<u64, u32> = BTreeMap::new();
                for (at, sentence) in document.iter().enumerate() {
                    if opening == 0 || at < opening {
                        sentence.iter().for_each(|&key| *expected.entry(key).or_default() += 1);
                    }
                }
                let range = found.range(n);
                let rows = range.map(|at| (found.keys[at], found.count(at), found.weights[at]));
                let squared = |key: u64| if key < 3 { 10 * (key + 1) } else { key + 1 };
                let expected = expected
                    .into_iter()
                    .map(|(key, n)| (key, if counted { n } else { 1 }, squared(key)));
                prop_assert_eq!(rows.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
            }
            let mut all = features.weights.clone();
            all.sort_unstable();
            all.dedup();
            prop_assert_eq!(distinct_weights(&features), all);
        }
    }
}
