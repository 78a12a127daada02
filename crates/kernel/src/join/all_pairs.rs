//! All-Pairs: every pair of vectors with a cosine from a threshold on.
//!
//! Bayardo, Ma, Srikant: "Scaling up all pairs similarity search", WWW 2007, algorithm
//! All-Pairs-1: the leading part of a vector that alone cannot reach the threshold with anything is
//! not indexed, and added when a pair is met. It is what qSign is compared with in its paper.

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
