//! Whether one sentence retells another: most of what both tell is the same, or most of what the
//! shorter one tells is in the longer one.
//!
//! With the weights w of the terms of both sentences A and B:
//!
//! ```text
//! Dice(A, B) = 2 · w(A ∩ B) / (w(A) + w(B))      Overlap(A, B) = w(A ∩ B) / min(w(A), w(B))
//! ```
//!
//! Overlap counts if both have enough terms: half of few is chance, nearly all of few is not. Most
//! candidates do not match. They are told apart by a signature, which has one bit for each term: what a sentence shares with
//! another cannot weigh more than its terms whose bit the other one has.

use rayon::prelude::*;

use super::meeting::Before;
use super::met::Met;
use super::scope::Wanted;
use super::verify::Verify;
use crate::cancel::Cancel;
use crate::error::Result;
use crate::features::{Features, Ranked};

/// From where on sentences match.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Alike {
    /// From this Dice on.
    pub dice: f64,
    /// Or from this overlap on,
    pub overlap: f64,
    /// if both have so many terms; if one has fewer, but at least half as many, from more on.
    pub min_terms: usize,
}

/// The overlap that sentences of few terms need.
const ALMOST_ALL: f64 = 0.9;

/// What lies closer to the threshold is on it.
const EPSILON: f64 = 1e-12;

impl Alike {
    /// The score of two sentences with these weights and numbers of terms, given what they share;
    /// `None` if they do not match. It is the overlap where that counts, else Dice.
    #[inline]
    pub fn score(self, shared: u64, weights: [u64; 2], terms: [usize; 2]) -> Option<f64> {
        let [a, b] = weights.map(|weight| weight as f64);
        let shared = shared as f64;
        let dice = 2.0 * shared / (a + b);
        let overlap = shared / a.min(b);
        let is_part = overlap >= self.least_overlap(terms) - EPSILON;
        let is_match = is_part || dice >= self.dice - EPSILON;
        (shared > 0.0 && is_match).then_some(if is_part { overlap } else { dice })
    }

    /// The overlap that two sentences with so many terms need: for half of `min_terms` it is nine
    /// tenths, for fewer there is none.
    #[inline]
    fn least_overlap(self, terms: [usize; 2]) -> f64 {
        let n = terms[0].min(terms[1]);
        let lacking = self.min_terms.saturating_sub(n) as f64;
        let half = self.min_terms as f64 / 2.0;
        if lacking > half {
            f64::INFINITY
        } else {
            self.overlap + (ALMOST_ALL - self.overlap).max(0.0) * lacking / half
        }
    }

    /// The least two sentences must share to match. It does not grow if they weigh less.
    #[inline]
    pub fn least(self, weights: [u64; 2], terms: [usize; 2]) -> f64 {
        let [a, b] = weights.map(|weight| weight as f64);
        let dice = (self.dice - 2.0 * EPSILON) * (a + b) / 2.0;
        dice.min((self.least_overlap(terms) - 2.0 * EPSILON) * a.min(b))
    }
}

/// Two sentences that retell each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pair {
    /// The later one, and the earlier one.
    pub sentences: [u32; 2],
    /// The weight both have in common.
    pub shared: u64,
    /// The score of the match.
    pub score: f64,
    /// How many words of it may prove something.
    pub told: u32,
}

/// How many sentences are looked at in one go.
const AT_A_TIME: usize = 128;

/// Checks sentences, whose features are ranked.
pub struct Retold<'a> {
    terms: &'a Ranked,
    alike: Alike,
    outlines: Vec<Outline>,
}

/// What is known of a sentence without looking at its terms.
#[derive(Debug, Clone, Copy)]
pub struct Outline {
    /// A bit for each term.
    bits: [u64; 2],
    /// The weight of all.
    pub weight: u64,
    /// Where they stand, and how many they are.
    start: u64,
    terms: u32,
}

/// The bit of a term, of two machine words: in which of them, and where.
pub type Bit = (usize, u64);

impl Outline {
    /// How many terms there are.
    #[inline]
    pub fn n_terms(&self) -> usize {
        self.terms as usize
    }

    /// The terms, of those of all sentences.
    #[inline]
    pub fn of<'t>(&self, terms: &'t [u32]) -> &'t [u32] {
        &terms[self.start as usize..][..self.terms as usize]
    }

    /// What some terms weigh together that it may have, by their bits.
    #[inline]
    pub fn may_have(&self, terms: &[(Bit, u64)]) -> u64 {
        let weigh = |&((word, bit), weight): &(Bit, u64)| {
            if self.bits[word] & bit != 0 { weight } else { 0 }
        };
        terms.iter().map(weigh).sum()
    }
}

/// The bit of a term.
#[inline]
pub fn bit(term: u32) -> Bit {
    let place = term.wrapping_mul(0x9e37_79b1) >> 25;
    (place as usize / 64, 1 << (place % 64))
}

/// What is known of sentences, by the numbers of their terms.
pub fn outlines(features: &Features, terms: &[u32]) -> Vec<Outline> {
    let outline = |unit: usize| {
        let range = features.range(unit);
        let mut bits = [0; 2];
        for &term in &terms[range.clone()] {
            let (word, bit) = bit(term);
            bits[word] |= bit;
        }
        let weight = features.weight(unit);
        Outline { bits, weight, start: range.start as u64, terms: range.len() as u32 }
    };
    (0..features.n_units()).into_par_iter().map(outline).collect()
}

impl<'a> Retold<'a> {
    /// A check over these sentences.
    pub fn new(features: &'a Features, alike: Alike) -> Self {
        let terms = features.ranked.as_ref().expect("sentences that meet are ranked");
        let outlines = outlines(features, &terms.ranks);
        Self { terms, alike, outlines }
    }

    fn ranks(&self, outline: &Outline) -> &[u32] {
        outline.of(&self.terms.ranks)
    }

    /// The weight of each sentence.
    pub fn weights(&self) -> Vec<u64> {
        self.outlines.iter().map(|outline| outline.weight).collect()
    }

    /// All that retell one they share a key with, in the order of the later ones, then of the earlier;
    /// and how many were compared, of those that are `wanted`. `told` says from
    /// their score how many words may prove something.
    pub fn pairs(
        &self,
        before: &Before<'_>,
        wanted: &Wanted,
        told: impl Fn([u32; 2], f64) -> u32 + Sync,
        cancel: &Cancel,
    ) -> Result<(Vec<Pair>, u64)> {
        let n = self.outlines.len();
        let parts: Vec<std::ops::Range<usize>> =
            (0..n).step_by(AT_A_TIME).map(|start| start..n.min(start + AT_A_TIME)).collect();
        let found = parts
            .into_par_iter()
            .map_init(
                || (Met::new(n), Asking::new(self)),
                |(met, asking), part| {
                    cancel.check()?;
                    let (mut found, mut compared) = (Vec::new(), 0);
                    for probe in part {
                        met.start(probe as u32);
                        before.meet(probe, met);
                        if !wanted.is_all() {
                            met.units.retain(|&other| wanted.has(probe as u32, other));
                        }
                        compared += met.units.len() as u64;
                        let start = found.len();
                        asking.check_all(probe, &met.units, |other, shared, score| {
                            let sentences = [probe as u32, other];
                            found.push(Pair {
                                sentences,
                                shared,
                                score,
                                told: told(sentences, score),
                            });
                        });
                        found[start..].sort_unstable_by_key(|pair| pair.sentences[1]);
                    }
                    Ok((found, compared))
                },
            )
            .collect::<Result<Vec<_>>>()?;
        let compared = found.iter().map(|part| part.1).sum();
        let mut pairs = Vec::with_capacity(found.iter().map(|part| part.0.len()).sum());
        found.iter().for_each(|part| pairs.extend_from_slice(&part.0));
        Ok((pairs, compared))
    }
}

impl Verify for Retold<'_> {
    /// The weight of the terms both have.
    fn check(&self, probe: usize, store: usize) -> Option<f64> {
        Asking::new(self).check(probe, store)
    }

    fn checker(&self) -> Box<dyn FnMut(usize, usize) -> Option<f64> + '_> {
        let mut asking = Asking::new(self);
        Box::new(move |probe, store| asking.check(probe, store))
    }
}

/// A sentence that asks for many others.
struct Asking<'a> {
    of: &'a Retold<'a>,
    /// Which one it is.
    probe: Option<usize>,
    /// For each rank its weight, if the sentence has it.
    marks: Vec<u64>,
    /// Bits and weights of its terms.
    terms: Vec<(Bit, u64)>,
    /// Those it is compared with, and their outlines.
    others: Vec<(u32, Outline)>,
}

impl<'a> Asking<'a> {
    fn new(of: &'a Retold<'a>) -> Self {
        let marks = vec![0; of.terms.terms.weights.len()];
        Self { of, probe: None, marks, terms: Vec::new(), others: Vec::new() }
    }

    /// Forget the sentence that asked before.
    fn start(&mut self, probe: usize) {
        let (of, weights) = (self.of, &self.of.terms.terms.weights);
        if let Some(before) = self.probe {
            let ranks = of.ranks(&of.outlines[before]).iter();
            ranks.for_each(|&rank| self.marks[rank as usize] = 0);
        }
        self.terms.clear();
        for &rank in of.ranks(&of.outlines[probe]) {
            let weight = weights[rank as usize];
            self.marks[rank as usize] = weight;
            self.terms.push((bit(rank), weight));
        }
        self.probe = Some(probe);
    }

    /// Tell each of some others that matches, with the weight both have in common and the score.
    fn check_all(&mut self, probe: usize, others: &[u32], mut tell: impl FnMut(u32, u64, f64)) {
        if others.is_empty() {
            return;
        }
        self.start(probe);
        // First what is known of them, one behind the other: they are far from each other, and so
        // nobody waits for one before asking for the next. Then which may match, without branches.
        let (of, own) = (self.of, self.of.outlines[probe]);
        self.others.clear();
        self.others.extend(others.iter().map(|&other| (other, of.outlines[other as usize])));
        let mut n = 0;
        for at in 0..self.others.len() {
            let other = self.others[at];
            self.others[n] = other;
            n += usize::from(self.may_match(&own, &other.1));
        }
        for (other, outline) in &self.others[..n] {
            if let Some((shared, score)) = self.compare(&own, outline) {
                tell(*other, shared, score);
            }
        }
    }

    fn check(&mut self, probe: usize, store: usize) -> Option<f64> {
        if self.probe != Some(probe) {
            self.start(probe);
        }
        let [own, other] = [probe, store].map(|unit| &self.of.outlines[unit]);
        // A sum of few weights: a floating point number holds it exactly.
        let is_match = self.may_match(own, other);
        is_match.then(|| self.compare(own, other))?.map(|(shared, _)| shared as f64)
    }

    /// Whether the sentence that asks may share enough with another one, by their outlines.
    #[inline]
    fn may_match(&self, own: &Outline, other: &Outline) -> bool {
        let terms = [own, other].map(Outline::n_terms);
        let least = self.of.alike.least([own.weight, other.weight], terms);
        let most = other.may_have(&self.terms).min(other.weight);
        most as f64 >= least
    }

    /// The weight that the sentence that asks shares with another one, and the score, if they match.
    #[inline]
    fn compare(&self, own: &Outline, other: &Outline) -> Option<(u64, f64)> {
        let ranks = self.of.ranks(other).iter();
        let shared = ranks.map(|&rank| self.marks[rank as usize]).sum();
        let terms = [own, other].map(Outline::n_terms);
        Some((shared, self.of.alike.score(shared, [own.weight, other.weight], terms)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::Feature;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn features(sentences: &[&BTreeSet<u64>]) -> Features {
        let mut features = Features::default();
        for words in sentences {
            let word = |&key: &u64| Feature { key, weight: 1 + key % 7, count: 1 };
            features.push(&mut words.iter().map(word).collect::<Vec<_>>(), false);
        }
        features.into_ranked()
    }

    #[test]
    fn the_shorter_one_may_be_a_part_if_it_is_long_enough() {
        let [short, long] = [8_u64, 40].map(|n| (0..n).map(|key| key * 7).collect());
        let features = features(&[&short, &long]);
        let check = |min_terms| {
            Retold::new(&features, Alike { dice: 0.5, overlap: 0.5, min_terms }).check(1, 0)
        };
        // 8 of 8 and of 40, each of weight 1: Dice is a third, overlap all.
        assert_eq!((check(8), check(16), check(17)), (Some(8.0), Some(8.0), None));
        let alike = Alike { dice: 0.5, overlap: 0.5, min_terms: 17 };
        assert_eq!(Alike { min_terms: 10, ..alike }.least_overlap([5, 60]), 0.9);
        assert_eq!(Alike { min_terms: 10, ..alike }.least_overlap([60, 10]), 0.5);
        assert_eq!(alike.score(4, [8, 8], [8, 8]), Some(0.5));
        assert_eq!(alike.score(3, [8, 8], [8, 8]), None);
    }

    proptest! {
        #[test]
        fn the_check_is_the_plain_formula_both_ways(
            a in prop::collection::btree_set(0_u64..90, 1..14),
            b in prop::collection::btree_set(0_u64..90, 1..30),
            dice in 0.05_f64..1.0,
            overlap in 0.05_f64..1.0,
            min_terms in 1_usize..12,
        ) {
            let alike = Alike { dice, overlap, min_terms };
            let weight = |words: &BTreeSet<u64>| words.iter().map(|key| 1 + key % 7).sum::<u64>();
            let common: BTreeSet<u64> = a.intersection(&b).copied().collect();
            let score = alike.score(weight(&common), [weight(&a), weight(&b)], [a.len(), b.len()]);
            let expected = score.map(|_| weight(&common) as f64);
            let features = features(&[&a, &b]);
            let retold = Retold::new(&features, alike);
            prop_assert_eq!(retold.check(0, 1), expected);
            prop_assert_eq!(retold.check(1, 0), expected);
        }
    }
}
