//! All-Pairs: every pair of vectors with a cosine from a threshold on.
//!
//! Bayardo, Ma, Srikant: "Scaling up all pairs similarity search", WWW 2007, algorithm
//! All-Pairs-1: the leading part of a vector that alone cannot reach the threshold with anything is
//! not indexed, and added when a pair is met. It is what qSign is compared with in its paper, which
//! keeps candidates with a cosine from a threshold on and compares these word by word.

use std::sync::Mutex;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::candidates::Match;
use crate::cancel::Cancel;
use crate::error::Result;
use crate::features::Features;

/// A vector as pairs of the number of a key and a value.
type Vector = Vec<(u32, f64)>;

/// Every pair of units whose vectors, of unit length, have a dot product of at least `threshold`;
/// the later unit is the one that asks. The values of a unit are the weights of its features.
pub fn all_pairs(features: &Features, threshold: f64, cancel: &Cancel) -> Result<Vec<Match>> {
    let (vectors, n_keys) = vectors(features);
    let mut largest = vec![0.0_f64; n_keys];
    for &(key, value) in vectors.iter().flatten() {
        largest[key as usize] = largest[key as usize].max(value);
    }
    let mut index: Vec<Vec<(u32, f64)>> = vec![Vec::new(); n_keys];
    let mut rest: Vec<usize> = Vec::with_capacity(vectors.len());
    let (mut sums, mut met) = (vec![0.0_f64; vectors.len()], Vec::new());
    let mut dense = vec![0.0_f64; n_keys];
    let mut found = Vec::new();
    for (x, vector) in vectors.iter().enumerate() {
        cancel.check()?;
        for &(key, value) in vector {
            dense[key as usize] = value;
            for &(y, other) in &index[key as usize] {
                if sums[y as usize] == 0.0 {
                    met.push(y);
                }
                sums[y as usize] += value * other;
            }
        }
        met.sort_unstable();
        for y in met.drain(..) {
            let left: &[(u32, f64)] = &vectors[y as usize][..rest[y as usize]];
            let missing: f64 = left.iter().map(|&(key, value)| value * dense[key as usize]).sum();
            let score = sums[y as usize] + missing;
            sums[y as usize] = 0.0;
            if score >= threshold {
                found.push(Match { probe: x as u32, store: y, score });
            }
        }
        vector.iter().for_each(|&(key, _)| dense[key as usize] = 0.0);
        let mut bound = 0.0;
        let mut not_indexed = vector.len();
        for (n, &(key, value)) in vector.iter().enumerate() {
            bound += largest[key as usize] * value;
            // A hair less: rounding must not lose what lies on the border.
            if bound >= threshold * (1.0 - 1e-12) {
                not_indexed = not_indexed.min(n);
                index[key as usize].push((x as u32, value));
            }
        }
        rest.push(not_indexed);
    }
    Ok(found)
}

/// The same for vectors that come one after the other. Nobody knows the largest values to come; what
/// is not indexed is a leading part whose length is below the threshold, so that it alone cannot
/// reach it with anything (Anastasiu, Karypis, "L2AP", ICDE 2014).
#[derive(Debug)]
pub struct Cosines {
    threshold: f64,
    index: HashMap<u64, Vec<(u32, f64)>, FxBuildHasher>,
    /// The leading parts, and where that of each vector ends.
    rest: Vec<(u64, f64)>,
    ends: Vec<usize>,
    /// Sums to add up in, one for each thread that asks.
    sums: Mutex<Vec<Vec<f64>>>,
}

impl Cosines {
    /// None yet; what is found has a cosine of at least `threshold`.
    pub fn new(threshold: f64) -> Self {
        let sums = Mutex::new(Vec::new());
        Self { threshold, index: HashMap::default(), rest: Vec::new(), ends: Vec::new(), sums }
    }

    /// Add a vector, numbered by how many were added before: its keys, the heaviest first.
    pub fn add(&mut self, keys: &[u64], weights: &[u64]) {
        let number = self.ends.len() as u32;
        let mut squares = 0.0;
        for (key, value) in unit_length(keys, weights).into_iter().rev() {
            squares += value * value;
            // A hair less: rounding must not lose what lies on the border.
            if squares >= self.threshold * self.threshold * (1.0 - 1e-9) {
                self.index.entry(key).or_default().push((number, value));
            } else {
                self.rest.push((key, value));
            }
        }
        self.ends.push(self.rest.len());
    }

    /// Call `found` with each vector, from number `from` on, that is near enough to this one.
    pub fn range(&self, keys: &[u64], weights: &[u64], from: u32, found: &mut impl FnMut(u32)) {
        let mut sums = self.sums.lock().expect("nobody panics here").pop().unwrap_or_default();
        sums.resize(self.ends.len(), 0.0);
        let (vector, mut met) = (unit_length(keys, weights), Vec::new());
        for &(key, value) in &vector {
            let Some(list) = self.index.get(&key) else { continue };
            for &(other, of) in &list[list.partition_point(|&(other, _)| other < from)..] {
                if sums[other as usize] == 0.0 {
                    met.push(other);
                }
                sums[other as usize] += value * of;
            }
        }
        let own: HashMap<u64, f64, FxBuildHasher> = vector.into_iter().collect();
        for other in met {
            let n = other as usize;
            let start = if n == 0 { 0 } else { self.ends[n - 1] };
            let rest = self.rest[start..self.ends[n]].iter();
            let missing: f64 = rest.filter_map(|(key, of)| Some(own.get(key)? * of)).sum();
            if sums[n] + missing >= self.threshold * (1.0 - 1e-9) {
                found(other);
            }
            sums[n] = 0.0;
        }
        self.sums.lock().expect("nobody panics here").push(sums);
    }
}

/// A vector of unit length; one that weighs nothing has equal values.
fn unit_length(keys: &[u64], weights: &[u64]) -> Vec<(u64, f64)> {
    let weighs = weights.iter().any(|&weight| weight > 0);
    let value = |weight: u64| if weighs { weight as f64 } else { 1.0 };
    let length = weights.iter().map(|&weight| value(weight).powi(2)).sum::<f64>().sqrt();
    let values = weights.iter().map(|&weight| value(weight) / length);
    keys.iter().copied().zip(values).filter(|&(_, value)| value > 0.0).collect()
}

/// Vectors of unit length; keys are numbered from the most frequent on, and come in that order.
fn vectors(features: &Features) -> (Vec<Vector>, usize) {
    let mut frequencies: HashMap<u64, u32, FxBuildHasher> = HashMap::default();
    features.keys.iter().for_each(|&key| *frequencies.entry(key).or_default() += 1);
    let mut keys: Vec<(u32, u64)> = frequencies.into_iter().map(|(key, n)| (n, key)).collect();
    keys.sort_unstable_by(|a, b| b.cmp(a));
    let numbers: HashMap<u64, u32, FxBuildHasher> =
        keys.iter().enumerate().map(|(n, &(_, key))| (key, n as u32)).collect();
    let vector = |unit: usize| {
        let range = features.range(unit);
        let values = features.weights[range.clone()].iter().map(|&weight| weight as f64);
        let length = values.clone().map(|value| value * value).sum::<f64>().sqrt();
        let named = features.keys[range].iter().map(|key| numbers[key]);
        let mut vector: Vector =
            named.zip(values).filter(|v| v.1 > 0.0).map(|(key, v)| (key, v / length)).collect();
        vector.sort_unstable_by_key(|&(key, _)| key);
        vector
    };
    ((0..features.n_units()).map(vector).collect(), keys.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::Feature;
    use proptest::prelude::*;

    fn cosine(a: &[(u64, u64)], b: &[(u64, u64)]) -> f64 {
        let dot: u64 =
            a.iter().flat_map(|x| b.iter().filter(|y| y.0 == x.0).map(|y| x.1 * y.1)).sum();
        let length = |v: &[(u64, u64)]| (v.iter().map(|x| x.1 * x.1).sum::<u64>() as f64).sqrt();
        dot as f64 / (length(a) * length(b))
    }

    proptest! {
        #[test]
        fn vectors_as_they_come_find_all_that_are_near(
            stored in prop::collection::vec(prop::collection::btree_set(0_u64..12, 1..9), 0..12),
            query in prop::collection::btree_set(0_u64..12, 1..9),
            threshold in 0.05_f64..1.0,
            from in 0_u32..12,
        ) {
            let heaviest = |of: &std::collections::BTreeSet<u64>| {
                let mut both: Vec<(u64, u64)> = of.iter().map(|&key| (key, key / 2 + 1)).collect();
                both.sort_unstable_by_key(|&(key, weight)| std::cmp::Reverse((weight, key)));
                both
            };
            let mut cosines = Cosines::new(threshold);
            for of in &stored {
                let (keys, weights): (Vec<_>, Vec<_>) = heaviest(of).into_iter().unzip();
                cosines.add(&keys, &weights);
            }
            let own = heaviest(&query);
            let (keys, weights): (Vec<_>, Vec<_>) = own.iter().copied().unzip();
            // Twice: what is added up in is left as it was found.
            for _ in 0..2 {
                let mut found = Vec::new();
                cosines.range(&keys, &weights, from, &mut |other| found.push(other));
                found.sort_unstable();
                let near = |n: &u32| cosine(&own, &heaviest(&stored[*n as usize]));
                let all = from..stored.len() as u32;
                let expected = |least: f64| all.clone().filter(move |n| near(n) >= least).collect();
                let (inner, outer): (Vec<u32>, Vec<u32>) =
                    (expected(threshold * (1.0 + 1e-6)), expected(threshold * (1.0 - 1e-6)));
                prop_assert!(inner.iter().all(|n| found.contains(n)));
                prop_assert!(found.iter().all(|n| outer.contains(n)));
            }
        }

        #[test]
        fn every_pair_is_that_of_the_double_loop(
            units in prop::collection::vec(prop::collection::btree_map(1_u64..9, 1_u64..6, 0..5), 0..14),
            threshold in prop::sample::select(vec![0.3, 0.5, 0.7]),
        ) {
            let units: Vec<Vec<(u64, u64)>> = units.into_iter().map(|u| u.into_iter().collect()).collect();
            let mut features = Features::default();
            for unit in &units {
                let feature = |&(key, weight): &(u64, u64)| Feature { key, weight, count: 1 };
                features.push(&mut unit.iter().map(feature).collect::<Vec<_>>(), false);
            }
            let found = all_pairs(&features, threshold, &Cancel::default()).expect("nothing cancels");
            let mut expected = Vec::new();
            for x in 0..units.len() {
                for y in 0..x {
                    let score = cosine(&units[x], &units[y]);
                    // What lies on the border may fall on either side.
                    if score >= threshold + 1e-9 {
                        expected.push((x as u32, y as u32));
                    }
                }
            }
            for pair in &found {
                let score = cosine(&units[pair.probe as usize], &units[pair.store as usize]);
                prop_assert!((score - pair.score).abs() < 1e-9 && score >= threshold - 1e-9);
            }
            let found: Vec<(u32, u32)> = found.iter().map(|m| (m.probe, m.store)).collect();
            prop_assert!(expected.iter().all(|pair| found.contains(pair)));
        }
    }
}
