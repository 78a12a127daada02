//! Correlations of words that have vectors: the cosine, from a floor on.
//!
//! Every word is compared with every other one, in blocks that stay in the cache. A cosine is added
//! up in the same order whichever of the two words is asked, so that the matrix is symmetric to the
//! last bit.

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::correlations::Correlations;
use crate::cancel::Cancel;
use crate::error::{Error, Result};

/// Words compared with one word between two looks at the flag.
const BLOCK: usize = 256;
/// Sums that are carried at a time.
const LANES: usize = 16;

/// The cosines of at least `floor` between words, known by the hashes of their terms; their vectors
/// one after the other. More than `max_pairs` are a mistake, and would not fit into memory.
pub fn correlations(
    keys: &[u64],
    vectors: &[f32],
    floor: f32,
    max_pairs: usize,
    cancel: &Cancel,
) -> Result<Correlations> {
    let size = vectors.len() / keys.len().max(1);
    if size * keys.len() != vectors.len() || vectors.iter().any(|x| !x.is_finite()) {
        return Err(Error::Parameter("words must have vectors of one length, of numbers".into()));
    }
    if !(floor > 0.0 && floor <= 1.0) {
        return Err(Error::Parameter(format!("floor must be above 0 and at most 1, got {floor}")));
    }
    let unit = normalised(vectors, size);
    let row = |n: usize| &unit[n * size..(n + 1) * size];
    let found = AtomicUsize::new(0);
    let blocks: Vec<usize> = (0..keys.len()).step_by(BLOCK).collect();
    let pairs = blocks
        .par_iter()
        .map(|&start| {
            let own = start..(start + BLOCK).min(keys.len());
            let mut pairs = Vec::new();
            for others in blocks.iter().filter(|&&others| others >= start) {
                cancel.check()?;
                for b in *others..(others + BLOCK).min(keys.len()) {
                    for a in own.clone().take_while(|&a| a < b) {
                        let cosine = dot(row(a), row(b)).min(1.0);
                        if cosine >= floor {
                            pairs.push((keys[a], keys[b], cosine));
                        }
                    }
                }
            }
            if found.fetch_add(pairs.len(), Ordering::Relaxed) + pairs.len() > max_pairs {
                return Err(Error::Parameter(format!(
                    "more than {max_pairs} pairs of words correlate by {floor} or more; raise the floor"
                )));
            }
            Ok(pairs)
        })
        .collect::<Result<Vec<_>>>()?;
    Correlations::new(&pairs.concat())
}

/// The vectors with length 1; those without any length stay as they are.
fn normalised(vectors: &[f32], size: usize) -> Vec<f32> {
    let mut unit = vectors.to_vec();
    for row in unit.chunks_exact_mut(size.max(1)) {
        let length = dot(row, row).sqrt();
        if length > 0.0 {
            row.iter_mut().for_each(|x| *x /= length);
        }
    }
    unit
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0_f32; LANES];
    let (heads, tails) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let rest: f32 = heads.remainder().iter().zip(tails.remainder()).map(|(x, y)| x * y).sum();
    for (x, y) in heads.zip(tails) {
        for lane in 0..LANES {
            sums[lane] += x[lane] * y[lane];
        }
    }
    sums.iter().sum::<f32>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(keys: &[u64], vectors: &[f32], floor: f32, most: usize) -> Result<Correlations> {
        correlations(keys, vectors, floor, most, &Cancel::default())
    }

    #[test]
    fn the_angle_counts_and_not_the_length() {
        let vectors = [1.0, 0.0, 3.0, 4.0, 0.0, 0.0, 0.0, -2.0];
        let found = of(&[1, 2, 3, 4], &vectors, 0.1, 10).expect("vectors");
        assert!((found.of(1, 2) - 0.6).abs() < 1e-6);
        assert_eq!((found.of(1, 3), found.of(2, 4), found.n_pairs()), (0.0, 0.0, 1));
        assert_eq!(of(&[], &[], 0.1, 10).expect("nothing").n_words(), 0);
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        assert!(of(&[1, 2], &[1.0, 0.0, 1.0], 0.5, 10).is_err());
        assert!(of(&[1], &[f32::NAN], 0.5, 10).is_err());
        assert!(of(&[1], &[1.0], 0.0, 10).is_err());
        assert!(of(&[7, 7], &[1.0, 1.0], 0.5, 10).is_err());
        let many = of(&[1, 2, 3], &[1.0, 1.0, 1.0], 0.5, 2).expect_err("three pairs");
        assert!(many.to_string().contains("raise the floor"));
    }

    proptest! {
        #[test]
        fn all_pairs_are_those_of_two_loops(
            rows in prop::collection::vec(prop::collection::vec(-1.0_f32..1.0, 20), 0..600),
            floor in 0.1_f32..0.9,
        ) {
            let keys: Vec<u64> = (0..rows.len() as u64).map(|n| n * 7 + 1).collect();
            let found = of(&keys, &rows.concat(), floor, usize::MAX).expect("vectors");
            let cosine = |a: &[f32], b: &[f32]| {
                let sum = |a: &[f32], b: &[f32]| -> f64 {
                    a.iter().zip(b).map(|(&x, &y)| f64::from(x) * f64::from(y)).sum()
                };
                sum(a, b) / (sum(a, a) * sum(b, b)).sqrt()
            };
            for (a, one) in rows.iter().enumerate() {
                for (b, other) in rows.iter().enumerate().skip(a + 1) {
                    let (wanted, got) = (cosine(one, other), f64::from(found.of(keys[a], keys[b])));
                    let kept = if wanted >= f64::from(floor) { wanted } else { 0.0 };
                    prop_assert!((got - kept).abs() < 1e-5 || (wanted - f64::from(floor)).abs() < 1e-5);
                }
            }
        }
    }
}
