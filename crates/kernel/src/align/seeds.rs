//! Which sentences of two documents are alike: cosines of weighted stems.
//!
//! x(s) = ln(1 + tf)·w. Only what can reach the floor is compared: the stems of a sentence whose
//! best contributions stay below the floor together are not looked up, and what shares none of the
//! others is not met.

use super::document::Document;
use super::weights::{NONE, Weights};
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

/// All that is known of the likeness of sentences.
#[derive(Debug)]
pub struct Likeness {
    /// Pairs above the floor, by left and right.
    pub seeds: Vec<Seed>,
    /// The best cosine of each sentence of left, and of right; 0 below the floor.
    pub best: [Vec<f64>; 2],
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

/// Compare all sentences that can have a cosine of more than the floor.
pub fn likeness(
    left: &Document,
    right: &Document,
    weights: &Weights,
    floor: f64,
    cancel: &Cancel,
) -> Result<Likeness> {
    let lefts = Vectors::new(left, &weights.sides[0]);
    let rights = Vectors::new(right, &weights.sides[1]);
    let mut highest = vec![0.0f64; right.stems.len()];
    for (term, value) in right.terms.iter().zip(&rights.values) {
        let best = &mut highest[term.stem as usize];
        *best = best.max(*value);
    }
    let mut found = Likeness {
        seeds: Vec::new(),
        best: [vec![0.0; left.sentences.len()], vec![0.0; right.sentences.len()]],
    };
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
        for seed in &row {
            for (best, at) in [(0, n), (1, seed.right as usize)] {
                let best = &mut found.best[best][at];
                *best = best.max(seed.cosine);
            }
        }
        row.sort_unstable_by(|a, b| b.cosine.total_cmp(&a.cosine).then(a.right.cmp(&b.right)));
        row.truncate(MAX_PARTNERS);
        row.sort_unstable_by_key(|seed| seed.right);
        found.seeds.extend_from_slice(&row);
    }
    Ok(found)
}
