//! By which keys a unit is found, and which it looks up.
//!
//! Two units are met if one looks up a key that the other one stores. Keys that both sides have are
//! stored once, with a mark where they are also looked up. A key that is looked up and not stored is
//! kept under another name.

use std::borrow::Cow;
use std::iter;

use super::asking::asking;
use crate::cancel::Cancel;
use crate::features::keys::Among;
use crate::features::{Features, Keys};
use crate::hash;
use crate::join::Verification;
use crate::join::sort::sort_by_hash;
use crate::join::units::common_key;

/// What the name is made from under which a key that is only looked up is kept.
const TAG: u64 = 2;

/// The keys of units: what they store, and what they look up.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Postings {
    /// What each unit stores; sorted, where it does not look up the same.
    pub store: Keys,
    /// What each unit looks up, sorted; `None`: the same.
    pub probe: Option<Keys>,
    /// What a pair's share is a share of, for each document: the weight of what it is joined by, or
    /// of its different sentences, or the number of these.
    pub totals: Vec<u64>,
    /// Which sentences are too common to prove anything; empty: none is.
    pub common: Vec<bool>,
    /// Where all look up what they store, each key that segments know, with its unit; empty: not known.
    pub sorted: Vec<u64>,
}

/// From so many keys on they are dealt out before they are sorted.
const MANY: usize = 1 << 15;

/// What the key is made from by which a sentence finds its equals.
const EQUAL: u64 = 3;

/// The other name of a key that is only looked up.
pub fn tagged(key: u64) -> u64 {
    hash::extend(TAG, key)
}

impl Postings {
    /// The postings of units that are checked in this way. `keys` are what they store and look up,
    /// where that does not follow from their features; `frequent` keys are left out, as a join
    /// does. Documents that share less than `floor` of either are not looked for.
    pub fn new(
        features: &Features,
        verification: Option<&Verification>,
        keys: Option<(Keys, Keys)>,
        frequent: &Among,
        floor: f64,
    ) -> Self {
        let of_sentences = !features.document_ends.is_empty();
        let (store, probe) = match (verification, keys) {
            (None, _) => {
                let store = Keys::from(features).without(frequent);
                let probe = weight_prefixes(features, &store, floor);
                (store, Some(probe))
            }
            (Some(Verification::Retold { .. }), _) => {
                // Segments find keys by their first bits, so that these are the ones to have.
                (features.met_by.upper_without(frequent), None)
            }
            (Some(Verification::Overlap { measure, threshold, near: Some(_) }), _) => {
                let probe = crate::join::overlap::prefixes(features, *measure, *threshold);
                (Keys::from(features), Some(probe))
            }
            (_, Some((store, probe))) if of_sentences => (store, Some(probe)),
            (_, Some((store, probe))) => (store.without(frequent), Some(probe.without(frequent))),
            (_, None) => (Keys::from(features), None),
        };
        if of_sentences {
            let keys = (store, probe);
            let mut postings = Self::of_sentences(features, verification, keys, frequent, floor);
            if postings.store.keys.len() >= MANY {
                postings.sorted = postings.entries().into_owned();
            }
            return postings;
        }
        let (store, probe) = (sorted(&store), probe.as_ref().map(sorted));
        let totals = (0..features.n_units()).map(|unit| total(features, unit, store.of(unit)));
        let (totals, probe) = (totals.collect(), probe.filter(|probe| *probe != store));
        Self { store, probe, totals, ..Self::default() }
    }

    /// What each unit stores, where all look up the same: the first half of a key, and the unit,
    /// sorted. Keys that begin alike are one here. Nothing, where some look up other keys.
    pub fn entries(&self) -> Cow<'_, [u64]> {
        if self.probe.is_some() || !self.sorted.is_empty() {
            return Cow::Borrowed(&self.sorted);
        }
        let mut all: Vec<u64> = Vec::with_capacity(self.store.keys.len());
        for unit in 0..self.store.n_units() {
            let entry = |&key: &u64| key >> 32 << 32 | unit as u64;
            all.extend(self.store.of(unit).iter().map(entry));
        }
        if all.len() < MANY || sort_by_hash(&mut all, |&entry| entry, &Cancel::default()).is_err() {
            all.sort_unstable();
        }
        all.dedup();
        Cow::Owned(all)
    }

    /// Sentences that are too frequent have no keys, nor has boilerplate that is too common to prove
    /// anything; all others are also found by their equals. Boilerplate does not weigh. Where words are
    /// the keys, equals have them, too, and as many sentences ask as a share of `floor` needs.
    fn of_sentences(
        features: &Features,
        verification: Option<&Verification>,
        (mut store, mut probe): (Keys, Option<Keys>),
        frequent: &Among,
        floor: f64,
    ) -> Self {
        let is_weighed = matches!(verification, Some(Verification::Retold { .. }));
        let are_words = matches!(verification, Some(Verification::Overlap { .. }));
        let mut asks = vec![!are_words; features.n_units()];
        let mut totals = Vec::with_capacity(features.n_documents());
        let mut equal = vec![None; features.n_units()];
        let mut common = vec![false; features.n_units()];
        for document in 0..features.n_documents() {
            let mut own: Vec<(u128, u64, usize)> = Vec::new();
            for unit in features.units_of(document) {
                let Some(signature) = features.signature(unit) else { continue };
                common[unit] = frequent.has(common_key(signature as u64));
                let is_frequent = frequent.has(signature as u64);
                let is_marked = features.mark(unit).is_boilerplate();
                if is_frequent || is_marked && common[unit] {
                    continue;
                }
                equal[unit] = Some(hash::extend(EQUAL, signature as u64));
                if !is_marked {
                    let weight = if is_weighed { features.weight(unit) } else { 1 };
                    own.push((signature, weight, unit));
                }
            }
            own.sort_unstable();
            own.dedup_by_key(|sentence| sentence.0);
            totals.push(own.iter().map(|&(_, weight, _)| weight).sum());
            if let (true, Some(probe)) = (are_words, &probe) {
                let own = own.iter().map(|&(.., unit)| (unit, probe.of(unit).len()));
                let own: Vec<(usize, usize)> = own.collect();
                asking(features, &own, floor).into_iter().for_each(|unit| asks[unit] = true);
            }
        }
        for (keys, is_probe) in
            iter::once((&mut store, false)).chain(probe.iter_mut().map(|keys| (keys, true)))
        {
            let mut kept = Keys { ends: Vec::new(), keys: Vec::with_capacity(keys.keys.len()) };
            let mut own: Vec<u64> = Vec::new();
            for (unit, equal) in equal.iter().enumerate() {
                own.clear();
                if let (&Some(equal), true) = (equal, asks[unit] || !is_probe) {
                    own.extend_from_slice(keys.of(unit));
                    own.extend((!are_words).then_some(equal));
                    if !is_weighed {
                        own.sort_unstable();
                        own.dedup();
                    }
                }
                kept.push(own.iter().copied());
            }
            *keys = kept;
        }
        let probe = probe.filter(|probe| *probe != store);
        Self { probe, store, totals, common, sorted: Vec::new() }
    }

    /// What a unit looks up.
    pub fn probe(&self, unit: usize) -> &[u64] {
        self.probe.as_ref().unwrap_or(&self.store).of(unit)
    }

    /// Tell what is kept of a unit: keys, and whether it looks them up itself. Returns whether there
    /// are any that it does not store.
    pub fn kept(&self, unit: usize, mut keep: impl FnMut(u64, bool)) -> bool {
        let store = self.store.of(unit);
        let Some(probe) = &self.probe else {
            store.iter().for_each(|&key| keep(key, true));
            return false;
        };
        let probe = probe.of(unit);
        store.iter().for_each(|key| keep(*key, probe.binary_search(key).is_ok()));
        let mut any = false;
        for &key in probe.iter().filter(|key| store.binary_search(key).is_err()) {
            keep(tagged(key), true);
            any = true;
        }
        any
    }
}

fn sorted(keys: &Keys) -> Keys {
    let mut sorted = Keys::default();
    for unit in 0..keys.n_units() {
        let mut own = keys.of(unit).to_vec();
        own.sort_unstable();
        own.dedup();
        sorted.push(own);
    }
    sorted
}

/// The weight of some keys of a unit, which are sorted, with themselves.
fn total(features: &Features, unit: usize, keys: &[u64]) -> u64 {
    let places = features.range(unit).filter(|&at| keys.binary_search(&features.keys[at]).is_ok());
    let weight = |at: usize| {
        u128::from(features.count(at)).pow(2).saturating_mul(u128::from(features.weights[at]))
    };
    u64::try_from(places.map(weight).sum::<u128>()).unwrap_or(u64::MAX)
}

/// The keys of each document, the heaviest first, without which it cannot share `floor` of itself
/// with another. `store` are the keys that take part. Where keys are counted, all of them.
fn weight_prefixes(features: &Features, store: &Keys, floor: f64) -> Keys {
    let mut prefixes = Keys::default();
    for document in 0..features.n_units() {
        let range = features.range(document);
        let mut kept: Vec<(u64, u64)> = Vec::new();
        let (keys, weights) = (&features.keys[range.clone()], &features.weights[range]);
        let mut own = store.of(document).iter().peekable();
        for (&key, &weight) in keys.iter().zip(weights) {
            if own.next_if_eq(&&key).is_some() && weight > 0 {
                kept.push((weight, key));
            }
        }
        if features.counts.is_empty() {
            kept.sort_unstable_by(|a, b| b.cmp(a));
            let mut left: u128 = kept.iter().map(|&(weight, _)| u128::from(weight)).sum();
            let needed = floor * left as f64;
            let mut n = 0;
            // A hair less than needed: rounding must not lose what lies on the border.
            while n < kept.len() && left as f64 >= needed * (1.0 - 1e-12) {
                left -= u128::from(kept[n].0);
                n += 1;
            }
            kept.truncate(n);
        }
        prefixes.push(kept.into_iter().map(|(_, key)| key));
    }
    prefixes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::Feature;

    fn features(documents: &[&[(u64, u64)]]) -> Features {
        let mut features = Features::default();
        for document in documents {
            let feature = |&(key, weight): &(u64, u64)| Feature { key, weight, count: 1 };
            features.push(&mut document.iter().map(feature).collect::<Vec<_>>(), false);
        }
        features
    }

    fn kept_of(postings: &Postings, unit: usize) -> (Vec<(u64, bool)>, bool) {
        let mut kept = Vec::new();
        let any = postings.kept(unit, |key, is_probe| kept.push((key, is_probe)));
        (kept, any)
    }

    #[test]
    fn the_heaviest_keys_are_looked_up_until_the_rest_is_too_light() {
        let features = features(&[&[(1, 5), (2, 3), (3, 1), (4, 1)], &[(3, 7), (9, 0)]]);
        let postings = Postings::new(&features, None, None, &Among::default(), 0.5);
        assert_eq!(postings.probe(0), [1, 2]);
        let kept = [(1, true), (2, true), (3, false), (4, false)];
        assert_eq!(kept_of(&postings, 0), (kept.to_vec(), false));
        assert_eq!(postings.probe(1), [3]);
        assert_eq!(kept_of(&postings, 1), (vec![(3, true), (9, false)], false));
        let without = Postings::new(&features, None, None, &Among::new(vec![1]), 0.5);
        assert_eq!((without.probe(0), without.store.of(0)), (&[2][..], &[2, 3, 4][..]));
    }

    #[test]
    fn a_key_that_is_only_looked_up_has_another_name() {
        let features = features(&[&[(1, 1)]]);
        let keys = |own: &[u64]| {
            let mut keys = Keys::default();
            keys.push(own.iter().copied());
            keys
        };
        let verification = Verification::Hamming { distance: 1 };
        let both = Some((keys(&[8, 7, 7]), keys(&[9, 7])));
        let postings = Postings::new(&features, Some(&verification), both, &Among::default(), 0.0);
        let kept = vec![(7, true), (8, false), (tagged(9), true)];
        assert_eq!(kept_of(&postings, 0), (kept, true));
    }
}
