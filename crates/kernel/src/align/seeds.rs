//! Which sentences of two documents are alike: cosines of weighted stems.
//!
//! x(s) = ln(1 + tf)·w. Only what can reach the floor is compared: the stems of a sentence whose
//! best contributions stay below the floor together are not looked up, and what shares none of the
//! others is not met.

use super::document::Document;
use super::pair::Pair;
use super::weights::NONE;
use crate::cancel::Cancel;
use crate::error::Result;

/// A sentence is the seed of no more partners than this, the most alike: a refrain would be alike
/// all others.
const MAX_PARTNERS: usize = 64;

/// Two sentences that are alike.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seed {
    /// The sentence of left.
    pub left: u32,
    /// The sentence of right.
    pub right: u32,
    /// Their cosine.
    pub cosine: f64,
}

/// The sentence vectors of one side, each of length 1.
struct Vectors {
    values: Vec<f64>,
}

impl Vectors {
    fn new(document: &Document, weights: &[f64]) -> Self {
        let mut values = Vec::with_capacity(document.terms.len());
        for n in 0..document.sentences.len() {
            let start = values.len();
            values.extend(document.terms_of(n).iter().map(|t| t.damped * weights[t.stem as usize]));
            let length = values[start..].iter().map(|x| x * x).sum::<f64>().sqrt();
            if length > 0.0 {
                values[start..].iter_mut().for_each(|x| *x /= length);
            }
        }
        Self { values }
    }
}

/// The pairs of sentences with a cosine of more than the floor, by left and right.
pub fn seeds(pair: &Pair<'_>, floor: f64, cancel: &Cancel) -> Result<Vec<Seed>> {
    let (left, right, weights) = (pair.left, pair.right, &pair.weights);
    let lefts = Vectors::new(left, &weights.sides[0]);
    let rights = Vectors::new(right, &weights.sides[1]);
    let mut highest = vec![0.0f64; right.stems.len()];
    for (term, value) in right.terms.iter().zip(&rights.values) {
        let best = &mut highest[term.stem as usize];
        *best = best.max(*value);
    }
    let mut found = Vec::new();
    let mut scattered = vec![0.0f64; right.stems.len()];
    let mut met = vec![NONE; right.sentences.len()];
    let mut shared: Vec<(f64, u32)> = Vec::new();
    let mut row: Vec<Seed> = Vec::new();
    for n in 0..left.sentences.len() {
        if n % 64 == 0 {
            cancel.check()?;
        }
        shared.clear();
        row.clear();
        let range = left.sentences[n].terms.clone();
        for (term, value) in left.terms_of(n).iter().zip(&lefts.values[range]) {
            let partner = weights.partners[0][term.stem as usize];
            if partner != NONE {
                scattered[partner as usize] = *value;
                shared.push((value * highest[partner as usize], partner));
            }
        }
        shared.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut bound = 0.0;
        for &(contribution, stem) in &shared {
            bound += contribution;
            if bound <= floor {
                continue;
            }
            for &other in right.holders(stem) {
                if met[other as usize] == n as u32 {
                    continue;
                }
                met[other as usize] = n as u32;
                let range = right.sentences[other as usize].terms.clone();
                let cosine: f64 = right.terms[range.clone()]
                    .iter()
                    .zip(&rights.values[range])
                    .map(|(term, value)| scattered[term.stem as usize] * value)
                    .sum();
                if cosine > floor {
                    row.push(Seed { left: n as u32, right: other, cosine: cosine.min(1.0) });
                }
            }
        }
        for &(_, stem) in &shared {
            scattered[stem as usize] = 0.0;
        }
        row.sort_unstable_by(|a, b| b.cosine.total_cmp(&a.cosine).then(a.right.cmp(&b.right)));
        row.truncate(MAX_PARTNERS);
        row.sort_unstable_by_key(|seed| seed.right);
        found.extend_from_slice(&row);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::align::parameters::Parameters;
    use crate::align::tests::{documents, text};
    use proptest::prelude::*;

    /// Cosines of all pairs of sentences, the obvious way.
    fn all(pair: &Pair<'_>, floor: f64) -> Vec<(u32, u32)> {
        let vector = |document: &Document, weights: &[f64], n: usize| -> Vec<(u64, f64)> {
            let terms = document.terms_of(n).iter();
            terms
                .map(|t| (document.stems[t.stem as usize], t.damped * weights[t.stem as usize]))
                .collect()
        };
        let length = |v: &[(u64, f64)]| v.iter().map(|(_, x)| x * x).sum::<f64>().sqrt();
        let mut found = Vec::new();
        for l in 0..pair.left.sentences.len() {
            for r in 0..pair.right.sentences.len() {
                let a = vector(pair.left, &pair.weights.sides[0], l);
                let b = vector(pair.right, &pair.weights.sides[1], r);
                let across =
                    |stem: u64| b.iter().find(|(other, _)| *other == stem).map_or(0.0, |t| t.1);
                let dot: f64 = a.iter().map(|(stem, x)| x * across(*stem)).sum();
                if dot / (length(&a) * length(&b)) > floor + 1e-9 {
                    found.push((l as u32, r as u32));
                }
            }
        }
        found
    }

    proptest! {
        #[test]
        fn none_is_missed(
            left in prop::collection::vec(prop::collection::vec("[a-h]{2}", 1..6), 1..12),
            right in prop::collection::vec(prop::collection::vec("[a-h]{2}", 1..6), 1..12),
            floor in 0.05f64..0.9,
        ) {
            let documents = documents(&[&text(&left), &text(&right)], &Parameters::default());
            let pair = Pair::new(&documents[0], &documents[1]);
            let found = seeds(&pair, floor, &Cancel::default()).expect("nothing cancels");
            let sure: Vec<(u32, u32)> =
                found.iter().filter(|s| s.cosine > floor + 1e-9).map(|s| (s.left, s.right)).collect();
            prop_assert_eq!(sure, all(&pair, floor));
        }
    }
}
