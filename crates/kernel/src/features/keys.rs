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

/// Some keys: whether another one is among them, mostly told by a few of its bits.
#[derive(Debug)]
pub struct Among {
    /// Sorted.
    keys: Vec<u64>,
    /// A bit for what a key of them ends with.
    marks: Vec<u64>,
}

impl Among {
    /// These keys, which are sorted.
    pub fn new(keys: Vec<u64>) -> Self {
        let size = (keys.len() / 4).next_power_of_two();
        let mut marks = vec![0; size];
        for &key in &keys {
            marks[(key >> 6) as usize & (size - 1)] |= 1 << (key & 63);
        }
        Self { keys, marks }
    }

    /// All of them, sorted.
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// Whether a key is one of them.
    #[inline]
    pub fn has(&self, key: u64) -> bool {
        let mark = self.marks[(key >> 6) as usize & (self.marks.len() - 1)] >> (key & 63) & 1;
        mark == 1 && self.keys.binary_search(&key).is_ok()
    }
}

impl Default for Among {
    fn default() -> Self {
        Self::new(Vec::new())
    }
}

impl<K: Copy + Ord + Into<u64> + Send + Sync> Keys<K> {
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
}

impl Keys {
    /// The same without some.
    pub fn without(&self, some: &Among) -> Self {
        let mut kept = Self { ends: Vec::new(), keys: Vec::with_capacity(self.keys.len()) };
        for unit in 0..self.n_units() {
            kept.push(self.of(unit).iter().copied().filter(|&key| !some.has(key)));
        }
        kept
    }

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

    /// The same in the upper half of longer keys, without some.
    pub fn upper_without(&self, some: &Among) -> Keys {
        let mut kept = Keys { ends: Vec::new(), keys: Vec::with_capacity(self.keys.len()) };
        kept.ends.reserve(self.n_units());
        for unit in 0..self.n_units() {
            let own = self.of(unit).iter().map(|&key| u64::from(key));
            kept.push(own.filter(|&key| !some.has(key)).map(|key| key << 32));
        }
        kept
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
        let mut keys: Keys = Keys::default();
        keys.push([1, 2, 3]);
        keys.push([]);
        let mut more = Keys::default();
        more.push([3, 4]);
        keys.append(more);
        let kept = keys.without(&Among::new(vec![3]));
        assert_eq!((kept.of(0), kept.of(1), kept.of(2)), (&[1, 2][..], &[][..], &[4][..]));
        assert_eq!(kept.n_units(), 3);
    }

    #[test]
    fn a_key_is_among_those_that_are_there() {
        let keys: Vec<u64> = (0..300).map(|n: u64| n * n * 37).collect();
        let among = Among::new(keys.clone());
        for key in 0..10_000 {
            assert_eq!(among.has(key), keys.binary_search(&key).is_ok(), "{key}");
        }
        assert!(!Among::default().has(0));
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
