//! How much of a document's content another one has, wherever it stands: the weight of the terms
//! both have, over that of all its terms, each once.

use rayon::prelude::*;

use super::units::Sentences;
use crate::cancel::Cancel;
use crate::error::Result;
use crate::features::Features;

/// What left's content right has, and the reverse, of pairs of documents. The terms of sentences
/// that are boilerplate do not count; features are ranked.
pub fn content(
    features: &Features,
    sentences: &Sentences,
    pairs: &[(u32, u32)],
    cancel: &Cancel,
) -> Result<Vec<[f64; 2]>> {
    let parts = pairs
        .par_chunks(256)
        .map_init(
            || Terms::new(features, sentences),
            |terms, part| {
                cancel.check()?;
                Ok(part.iter().map(|&(a, b)| terms.shares(a, b)).collect::<Vec<[f64; 2]>>())
            },
        )
        .collect::<Result<Vec<_>>>()?;
    Ok(parts.into_iter().flatten().collect())
}

/// The terms of two documents.
struct Terms<'a> {
    features: &'a Features,
    sentences: &'a Sentences,
    /// For each rank, when left and right had it last, and its weight.
    last: Vec<([u32; 2], u64)>,
    /// How often a document was looked at, as left and as right.
    turns: [u32; 2],
    left: Option<u32>,
    left_total: u64,
}

impl<'a> Terms<'a> {
    fn new(features: &'a Features, sentences: &'a Sentences) -> Self {
        let weights = features.ranked.iter().flat_map(|ranked| &ranked.terms.weights);
        let last = weights.map(|&weight| ([0; 2], weight)).collect();
        Self { features, sentences, last, turns: [0; 2], left: None, left_total: 0 }
    }

    fn shares(&mut self, left: u32, right: u32) -> [f64; 2] {
        if self.left != Some(left) {
            (self.left_total, _) = self.look(left, 0);
            self.left = Some(left);
        }
        let (right_total, shared) = self.look(right, 1);
        let share = |total: u64| if total == 0 { 0.0 } else { shared as f64 / total as f64 };
        [share(self.left_total), share(right_total)]
    }

    /// The weight of a document's terms, and of those that left has, too.
    fn look(&mut self, document: u32, side: usize) -> (u64, u64) {
        self.turns[side] += 1;
        let Some(ranked) = &self.features.ranked else { return (0, 0) };
        let (mut total, mut shared) = (0, 0);
        for (n, distinct) in self.sentences.of_document(document as usize).enumerate() {
            let Some(distinct) = distinct else { continue };
            if self.sentences.is_boilerplate(document as usize, n) {
                continue;
            }
            for &rank in &ranked.ranks[self.features.range(distinct as usize)] {
                let (last, weight) = &mut self.last[rank as usize];
                if last[side] != self.turns[side] {
                    last[side] = self.turns[side];
                    let weight = *weight;
                    total += weight;
                    shared += if last[0] == self.turns[0] { weight } else { 0 };
                }
            }
        }
        (total, shared)
    }
}
