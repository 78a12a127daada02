//! How much speaks for a passage.

use super::pair::{Pair, Side};
use super::refine::Words;
use super::weights::NONE;

/// The weight two stretches share and what each has.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Evidence {
    /// The sum of min(tf, tf across)·w.
    pub shared: f64,
    /// The sum of tf·w in left.
    pub left: f64,
    /// The sum of tf·w in right.
    pub right: f64,
}

impl Evidence {
    /// Weigh what stretches of words share.
    pub fn of(pair: &Pair<'_>, words: &Words) -> Self {
        let counted = |side: Side| {
            let document = pair.document(side);
            let mut stems = document.words[words[side as usize].clone()].to_vec();
            stems.sort_unstable();
            let counts: Vec<(u32, f64)> =
                stems.chunk_by(|a, b| a == b).map(|s| (s[0], s.len() as f64)).collect();
            counts
        };
        let (left, right) = (counted(Side::Left), counted(Side::Right));
        let weight = |side: Side, stem: u32| pair.weights_of(side)[stem as usize];
        let sum = |side: Side, counts: &[(u32, f64)]| {
            counts.iter().map(|(stem, count)| count * weight(side, *stem)).sum::<f64>()
        };
        let mut shared = 0.0;
        for (stem, count) in &left {
            let partner = pair.partners_of(Side::Left)[*stem as usize];
            if partner == NONE {
                continue;
            }
            if let Ok(at) = right.binary_search_by_key(&partner, |(stem, _)| *stem) {
                shared += count.min(right[at].1) * weight(Side::Left, *stem);
            }
        }
        Self { shared, left: sum(Side::Left, &left), right: sum(Side::Right, &right) }
    }

    /// The share of both that is shared.
    pub fn dice(&self) -> f64 {
        let both = self.left + self.right;
        if both > 0.0 { (2.0 * self.shared / both).min(1.0) } else { 0.0 }
    }
}
