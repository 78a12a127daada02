//! What units are joined on, where that is not the keys of their features.

use super::{Features, picked, picked_ends, range};

/// The keys of each unit. Keys are hashes: evenly spread over all their bits.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Keys<K = u64> {
    /// Where the keys of each unit end.
    pub ends: Vec<u64>,
    /// The keys.
    pub keys: Vec<K>,
}

impl<K: Copy + Ord + Send + Sync> Keys<K> {
    /// How many units there are.
    pub fn n_units(&self) -> usize {
        self.ends.len()
    }

    /// The keys of a unit.
    pub fn of(&self, unit: usize) -> &[K] {
        &self.keys[range(&self.ends, unit)]
    }

    /// Add a unit with these keys.
    pub fn push(&mut self, keys: impl IntoIterator<Item = K>) {
        self.keys.extend(keys);
        self.ends.push(self.keys.len() as u64);
    }

    /// Add other units behind these.
    pub fn append(&mut self, other: Self) {
        let before = self.keys.len() as u64;
        self.ends.extend(other.ends.iter().map(|end| before + end));
        self.keys.extend(other.keys);
    }

    /// The keys of these units, in this order.
    pub fn select(&self, units: &[u32]) -> Self {
        let (ends, keys) = (picked_ends(&self.ends, units), picked(&self.ends, &self.keys, units));
        Self { ends, keys }
    }

    /// The same without some keys, which are sorted.
    pub fn without(&self, keys: &[K]) -> Self {
        let mut kept = Self { ends: Vec::new(), keys: Vec::new() };
        for unit in 0..self.n_units() {
            kept.push(self.of(unit).iter().copied().filter(|key| keys.binary_search(key).is_err()));
        }
        kept
    }
}

impl Keys {
    /// The words of the sketch of each unit that has features.
    pub fn of_sketches(features: &Features) -> Self {
        let mut keys = Self::default();
        for unit in 0..features.n_units() {
            let known = !features.range(unit).is_empty();
            keys.push(features.sketch(unit).iter().copied().filter(|_| known));
        }
        keys
    }
}

impl Keys<u32> {
    /// The low half of each key: what is equal stays equal.
    pub fn short(keys: &Keys) -> Self {
        let half = |&key: &u64| key as u32;
        Self { ends: keys.ends.clone(), keys: keys.keys.iter().map(half).collect() }
    }

    /// The same with room for more.
    pub fn wide(&self) -> Keys {
        Keys { ends: self.ends.clone(), keys: self.keys.iter().map(|&key| key.into()).collect() }
    }
}

impl From<&Features> for Keys {
    /// The key of every feature.
    fn from(features: &Features) -> Self {
        Self { ends: features.ends.clone(), keys: features.keys.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::Feature;

    #[test]
    fn keys_are_taken_out_of_every_unit() {
        let mut keys = Keys::default();
        keys.push([1, 2, 3]);
        keys.push([]);
        let mut more = Keys::default();
        more.push([3, 4]);
        keys.append(more);
        let kept = keys.without(&[3]);
        assert_eq!((kept.of(0), kept.of(1), kept.of(2)), (&[1, 2][..], &[][..], &[4][..]));
        assert_eq!(kept.n_units(), 3);
    }

    #[test]
    fn a_unit_without_features_has_no_key_from_its_sketch() {
        let mut features = Features { sketch_width: 1, ..Features::default() };
        features.push(&mut [Feature { key: 7, weight: 1, count: 1 }], false);
        features.push(&mut [], false);
        features.sketches = vec![5, 6];
        let keys = Keys::of_sketches(&features);
        assert_eq!((keys.of(0), keys.of(1)), (&[5][..], &[][..]));
    }
}
