//! Keys that too many documents share.
//!
//! A key of n documents makes n²/2 pairs. Which keys are left out is decided once, from a
//! collection, and kept with its statistics: never while joining, so that the answer does not
//! depend on what else happens to be there.

use super::groups::Groups;
use super::sort::sort_by_hash;
use crate::cancel::Cancel;
use crate::error::Result;
use crate::features::keys::Among;
use crate::features::{Features, Keys};

/// The keys that more than `limit` units hold, in increasing order.
pub fn frequent_among(keys: &Keys, limit: usize, cancel: &Cancel) -> Result<Vec<u64>> {
    let mut entries: Vec<(u64, u32)> = Vec::with_capacity(keys.keys.len());
    for unit in 0..keys.n_units() {
        entries.extend(keys.of(unit).iter().map(|&key| (key, unit as u32)));
    }
    sort_by_hash(&mut entries, |entry| entry.0, cancel)?;
    entries.dedup();
    let runs = entries.chunk_by(|a, b| a.0 == b.0);
    Ok(runs.filter(|run| run.len() > limit).map(|run| run[0].0).collect())
}

/// What taking keys out of features has cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// How many features went.
    pub features: usize,
    /// How many documents lost more than half of their weight: they can hardly be found any more.
    pub documents: usize,
}

/// The features without those keys, and what that has cost.
pub fn without(mut features: Features, keys: &Among) -> (Features, LeftOut) {
    let mut left_out = LeftOut::default();
    if keys.keys().is_empty() {
        return (features, left_out);
    }
    let before = features.keys.len();
    let (mut start, mut kept) = (0, 0);
    for document in 0..features.n_documents() {
        let end = features.ends[document] as usize;
        let (mut lost, mut held) = (0_u128, 0_u128);
        for at in start..end {
            let weight = u128::from(features.weights[at]);
            if keys.has(features.keys[at]) {
                lost += weight;
                continue;
            }
            held += weight;
            features.keys[kept] = features.keys[at];
            features.weights[kept] = features.weights[at];
            if !features.counts.is_empty() {
                features.counts[kept] = features.counts[at];
            }
            kept += 1;
        }
        left_out.documents += usize::from(lost > held);
        start = end;
        features.ends[document] = kept as u64;
    }
    features.keys.truncate(kept);
    features.weights.truncate(kept);
    features.counts.truncate(kept);
    left_out.features = before - kept;
    (features, left_out)
}

/// The keys of each group without the frequent ones, and what that has cost.
pub fn without_keys(keys: &Keys, groups: &Groups, frequent: &Among) -> (Keys, LeftOut) {
    let kept = keys.without(frequent);
    let mut left_out = LeftOut::default();
    for group in 0..kept.n_units() {
        let lost = keys.of(group).len() - kept.of(group).len();
        let members = groups.members(group).len();
        left_out.features += lost * members;
        left_out.documents += if lost > kept.of(group).len() { members } else { 0 };
    }
    (kept, left_out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::Feature;

    #[test]
    fn keys_are_taken_out_of_every_document() {
        let mut features = Features::default();
        for keys in [vec![1, 2, 3], vec![], vec![2], vec![3, 4]] {
            let feature = |key| Feature { key, weight: key * 10, count: key as u32 };
            features.push(&mut keys.into_iter().map(feature).collect::<Vec<_>>(), true);
        }
        let (kept, left_out) = without(features, &Among::new(vec![2, 3]));
        assert_eq!(left_out, LeftOut { features: 4, documents: 2 });
        assert_eq!(kept.ends, [1, 1, 1, 2]);
        assert_eq!((kept.keys, kept.weights, kept.counts), (vec![1, 4], vec![10, 40], vec![1, 4]));
    }

    #[test]
    fn a_key_that_a_unit_holds_twice_counts_once() {
        let mut keys = Keys::default();
        [vec![1, 1, 2], vec![2], vec![2]].into_iter().for_each(|unit| keys.push(unit));
        assert_eq!(frequent_among(&keys, 1, &Cancel::default()), Ok(vec![2]));
        assert_eq!(frequent_among(&keys, 3, &Cancel::default()), Ok(vec![]));
        let mut features = Features::default();
        for key in 0..3 {
            features.push(&mut [Feature { key, weight: 1, count: 1 }], false);
        }
        let groups =
            Groups::new(&[0, 1, 2], &[0, 1, 2], &features, &Cancel::default()).expect("groups");
        let (kept, left_out) = without_keys(&keys, &groups, &Among::new(vec![2]));
        assert_eq!(kept.keys, [1, 1]);
        assert_eq!(left_out, LeftOut { features: 3, documents: 2 });
    }
}
