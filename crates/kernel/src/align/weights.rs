//! What the words of two documents weigh, seen from these two alone.
//!
//! w = ln((N + 1) / sf): N sentences in both documents, sf of them hold the stem. The topic of both
//! is in most sentences and weighs little, and stop words need no list. The one more keeps weight in
//! documents of a single sentence.

use super::document::Document;

/// No number: the other document does not have the stem.
pub const NONE: u32 = u32::MAX;

/// The weights of a pair.
#[derive(Debug)]
pub struct Weights {
    /// How many sentences both documents have.
    pub sentences: usize,
    /// The weight of each stem of left, and of right.
    pub sides: [Vec<f64>; 2],
    /// The number in the other document of each stem of left, and of right.
    pub partners: [Vec<u32>; 2],
}

impl Weights {
    /// Weigh the stems of two documents.
    pub fn new(left: &Document, right: &Document) -> Self {
        let sentences = left.sentences.len() + right.sentences.len();
        let mut partners = [vec![NONE; left.stems.len()], vec![NONE; right.stems.len()]];
        let (mut l, mut r) = (0, 0);
        while l < left.stems.len() && r < right.stems.len() {
            match left.stems[l].cmp(&right.stems[r]) {
                std::cmp::Ordering::Less => l += 1,
                std::cmp::Ordering::Greater => r += 1,
                std::cmp::Ordering::Equal => {
                    partners[0][l] = r as u32;
                    partners[1][r] = l as u32;
                    (l, r) = (l + 1, r + 1);
                }
            }
        }
        let weigh = |own: &Document, other: &Document, partners: &[u32]| -> Vec<f64> {
            let holders = |document: &Document, stem: u32| document.holders(stem).len();
            (0..own.stems.len() as u32)
                .map(|stem| {
                    let partner = partners[stem as usize];
                    let there = if partner == NONE { 0 } else { holders(other, partner) };
                    ((sentences + 1) as f64 / (holders(own, stem) + there) as f64).ln()
                })
                .collect()
        };
        let sides = [weigh(left, right, &partners[0]), weigh(right, left, &partners[1])];
        Self { sentences, sides, partners }
    }
}
