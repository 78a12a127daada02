//! Which keys several groups hold: most keys of a collection are in one document only, and need
//! neither be sorted nor kept.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::groups::Groups;
use super::sort::sort_by_hash;
use crate::cancel::Cancel;
use crate::error::Result;
use crate::features::Features;
use crate::features::keys::Among;

/// How many bits a key has in the table of keys that were seen. With eight, one in nine of the keys
/// that come once is mistaken for one that comes again; that costs a little time and nothing else.
const BITS_PER_KEY: usize = 8;

/// How many groups are looked at in one go.
const STEP: usize = 256;

/// The groups of each key that at least two groups hold, by key, then group.
#[derive(Debug, Clone)]
pub struct SharedKeys {
    entries: Vec<Held>,
}

/// A key in a group.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Held {
    /// The key.
    pub key: u64,
    /// The group.
    pub group: u32,
    /// How manieth it was of all keys of the group, where it is to be looked for first.
    nth: u32,
}

impl Held {
    /// Where the key stands in the features; it may have moved, if keys before it were left out.
    pub fn place(&self, features: &Features, groups: &Groups) -> usize {
        let range = features.range(groups.features_of(self.group as usize));
        let keys = &features.keys[range.clone()];
        let nth = match keys.get(self.nth as usize) {
            Some(&key) if key == self.key => self.nth as usize,
            _ => keys.binary_search(&self.key).expect("the key came from this group"),
        };
        range.start + nth
    }
}

impl SharedKeys {
    /// Find the keys that come again, now and then also one that does not, and sort them.
    pub fn new(features: &Features, groups: &Groups, cancel: &Cancel) -> Result<Self> {
        let keys_of =
            |group: u32| &features.keys[features.range(groups.features_of(group as usize))];
        let all: Vec<u32> = (0..groups.len() as u32).collect();
        let seen = Seen::new(features.keys.len());
        all.par_chunks(STEP).try_for_each(|part| {
            cancel.check()?;
            part.iter().flat_map(|&group| keys_of(group)).for_each(|&key| seen.add(key));
            Ok(())
        })?;
        let parts = all
            .par_chunks(STEP)
            .map(|part| {
                cancel.check()?;
                let mut found = Vec::new();
                for &group in part {
                    let keys = keys_of(group).iter().zip(0..);
                    let again = keys.filter(|&(&key, _)| seen.is_again(key));
                    found.extend(again.map(|(&key, nth)| Held { key, group, nth }));
                }
                Ok(found)
            })
            .collect::<Result<Vec<_>>>()?;
        drop(seen);
        let mut entries = parts.concat();
        drop(parts);
        sort_by_hash(&mut entries, |held: &Held| held.key, cancel)?;
        Ok(Self { entries })
    }

    /// The keys of several groups with the numbers of these.
    pub fn runs(&self) -> impl Iterator<Item = &[Held]> {
        self.entries.chunk_by(|x, y| x.key == y.key).filter(|run| run.len() > 1)
    }

    /// The keys that more than `limit` groups hold, in increasing order. A limit of 0 is one of 1:
    /// what a single group holds is not here, and joins nothing.
    pub fn frequent(&self, limit: usize) -> Vec<u64> {
        self.runs().filter(|run| run.len() > limit).map(|run| run[0].key).collect()
    }

    /// Forget these keys.
    pub fn leave_out(&mut self, keys: &Among) {
        if !keys.keys().is_empty() {
            self.entries.retain(|entry| !keys.has(entry.key));
        }
    }
}

/// Which keys were seen, and which were seen again; now and then one that was not.
struct Seen {
    once: Vec<AtomicU64>,
    again: Vec<AtomicU64>,
    shift: u32,
}

impl Seen {
    /// None of so many keys was seen.
    fn new(n_keys: usize) -> Self {
        let bits = (n_keys * BITS_PER_KEY).next_power_of_two().max(64);
        let words = |_| AtomicU64::new(0);
        let [once, again] = [(); 2].map(|()| (0..bits / 64).map(words).collect());
        Self { once, again, shift: 64 - bits.ilog2() }
    }

    fn place(&self, key: u64) -> (usize, u64) {
        let place = key >> self.shift;
        (place as usize / 64, 1 << (place % 64))
    }

    /// See a key.
    fn add(&self, key: u64) {
        let (word, bit) = self.place(key);
        if self.once[word].fetch_or(bit, Ordering::Relaxed) & bit != 0 {
            self.again[word].fetch_or(bit, Ordering::Relaxed);
        }
    }

    /// Whether a key was seen at least twice.
    fn is_again(&self, key: u64) -> bool {
        let (word, bit) = self.place(key);
        self.again[word].load(Ordering::Relaxed) & bit != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::Feature;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    fn shared(documents: &[BTreeSet<u64>]) -> SharedKeys {
        let mut features = Features::default();
        for keys in documents {
            let feature = |&key| Feature { key, weight: 1, count: 1 };
            features.push(&mut keys.iter().map(feature).collect::<Vec<_>>(), false);
        }
        let order: Vec<u32> = (0..documents.len() as u32).collect();
        let texts: Vec<u128> = (0..documents.len() as u128).collect();
        let cancel = Cancel::default();
        let groups = Groups::new(&order, &texts, &features, &cancel).expect("groups");
        SharedKeys::new(&features, &groups, &cancel).expect("not cancelled")
    }

    #[test]
    fn a_key_is_frequent_above_the_limit_and_copies_count_once() {
        let documents = [vec![1, 2], vec![1, 2], vec![1, 3], vec![1, 4]];
        let mut shared = shared(&documents.map(BTreeSet::from_iter));
        assert_eq!(shared.frequent(2), [1]);
        assert_eq!(shared.frequent(3), [0_u64; 0]);
        shared.leave_out(&Among::new(vec![1]));
        assert_eq!(shared.runs().count(), 0);
    }

    #[test]
    fn it_stops_when_asked() {
        let cancel = Cancel::default();
        let features =
            Features { keys: vec![1], weights: vec![1], ends: vec![1], ..Features::default() };
        let groups = Groups::new(&[0], &[0], &features, &cancel).expect("groups");
        cancel.cancel();
        assert!(SharedKeys::new(&features, &groups, &cancel).is_err());
    }

    proptest! {
        #[test]
        fn it_is_what_a_map_would_hold(
            documents in prop::collection::vec(prop::collection::btree_set(prop_oneof![
                0_u64..40, (0_u64..40).prop_map(|key| key << 58), any::<u64>()
            ], 0..9), 0..20),
        ) {
            let mut expected: BTreeMap<u64, usize> = BTreeMap::new();
            let different: BTreeSet<_> = documents.iter().collect();
            different.iter().copied().flatten().for_each(|&key| *expected.entry(key).or_default() += 1);
            expected.retain(|_, n| *n > 1);
            let shared = shared(&documents);
            let found: BTreeMap<u64, usize> = shared.runs().map(|run| (run[0].key, run.len())).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
