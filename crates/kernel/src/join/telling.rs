//! How many words of sentences that match may prove that one was taken from the other.

use super::roll_up::Proof;
use crate::features::Features;
use crate::features::retelling::{wording_of, words_of};

/// How many words of sentences may prove something.
pub struct Telling<'a> {
    /// What they have.
    pub features: &'a Features,
    /// Which sentences are too common.
    pub common: &'a [bool],
    /// What proves something.
    pub proof: Proof,
}

impl Telling<'_> {
    /// Whether so many words that tell something are enough: many formulas prove nothing.
    fn is_much(&self, telling: u32) -> bool {
        3 * u64::from(telling) >= self.proof.words
    }

    /// Of a sentence by itself: all of them.
    pub fn alone(&self, sentence: u32) -> u32 {
        let (words, telling) = words_of(self.features.sketch(sentence as usize));
        let is_told = !self.common[sentence as usize] && self.is_much(telling);
        if is_told { words } else { 0 }
    }

    /// Of the shorter of two sentences those that the other one has in the same order; none if that is
    /// a smaller share of them than asked for, and not twice as many as prove something.
    pub fn in_order(&self, pair: [u32; 2]) -> u32 {
        let [own, other] = pair.map(|sentence| self.features.sketch(sentence as usize));
        let [(words, telling), (others, theirs)] = [own, other].map(words_of);
        let is_common = pair.iter().any(|&sentence| self.common[sentence as usize]);
        if is_common || !self.is_much(telling.min(theirs)) {
            return 0;
        }
        let told = wording_of(own).in_order(wording_of(other));
        let share = self.proof.order * f64::from(words.min(others)) * (1.0 - 1e-9);
        let is_told =
            f64::from(told) >= share || u64::from(told) >= self.proof.words.saturating_mul(2);
        if is_told { told } else { 0 }
    }
}
