//! Pairs of documents of which enough is matched, aligned: what no sentence of the other document
//! has by itself is looked for in a few of its sentences in a row.
//!
//! A match of two sentences is found by keys, and asks for much of one of them. Where a sentence was
//! cut in two, joined to another one, or is short, its words are still beside each other. Of a
//! sentence that shares x of its weight with its best window, x counts from `LEAST` on: of any two
//! texts on one topic a window has less by chance. Where documents share little otherwise this would
//! find what is not there, so that only pairs above a floor are aligned.

use rayon::prelude::*;

use super::roll_up::Matches;
use super::rows::Joined;
use super::units::Sentences;
use crate::cancel::Cancel;
use crate::error::Result;
use crate::features::{Features, from_units};

/// How many sentences in a row are looked at together.
const WINDOW: usize = 3;

/// The share of a sentence's weight that a window has to have.
const LEAST: f64 = 0.7;

/// How many pairs are aligned in one go.
const AT_A_TIME: usize = 64;

/// What of a sentence is in the other document.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Found {
    /// The weight of the sentence; 0 of what does not count, which is nowhere.
    pub weight: u64,
    /// How much of it is there.
    pub shared: u64,
    /// The sentence there, by its number, that has most of it, if only a window has so much.
    pub link: Option<u32>,
}

/// Looks for the sentences of documents in each other.
pub struct Aligner<'a> {
    features: &'a Features,
    sentences: &'a Sentences,
    matches: &'a Matches,
    /// The share of one document from which on a pair is aligned.
    floor: f64,
    /// For each rank its place in the sentence that is looked for, from 1 on; 0: it has not got it.
    places: Vec<u32>,
    /// For each rank when a document had it last, and how many were looked at.
    last: Vec<u32>,
    turn: u32,
}

impl<'a> Aligner<'a> {
    /// Over these sentences; features are ranked.
    pub fn new(
        features: &'a Features,
        sentences: &'a Sentences,
        matches: &'a Matches,
        floor: f64,
    ) -> Self {
        let ranks = features.ranked.as_ref().map_or(0, |ranked| ranked.terms.weights.len());
        let [places, last] = [(); 2].map(|()| vec![0; ranks]);
        Self { features, sentences, matches, floor, places, last, turn: 0 }
    }

    /// What of the sentences of each of two documents is in the other one.
    pub fn between(&mut self, left: usize, right: usize) -> [Vec<Found>; 2] {
        let [mut one, mut other] = [self.matched(left, right), self.matched(right, left)];
        let sums = [self.sums(&one, left), self.sums(&other, right)];
        if is_aligned(sums.map(|(part, whole)| (part as f64, whole as f64)), self.floor) {
            self.look(left, right, &mut one);
            self.look(right, left, &mut other);
        }
        [one, other]
    }

    /// The sentences of a document that count, by their numbers.
    fn counted(&self, document: usize) -> impl Iterator<Item = (usize, Option<u32>)> {
        let all = self.sentences.of_document(document).enumerate();
        all.map(move |(n, distinct)| {
            (n, distinct.filter(|_| !self.sentences.is_boilerplate(document, n)))
        })
    }

    /// What of each sentence its best match has.
    fn matched(&self, document: usize, other: usize) -> Vec<Found> {
        let mut there: Vec<u32> =
            self.counted(other).filter_map(|(_, distinct)| distinct).collect();
        there.sort_unstable();
        let is_there = |sentence: u32| there.binary_search(&sentence).is_ok();
        let row = |sentence: u32| {
            let weight = self.features.weight(sentence as usize);
            let found = self.matches.found(sentence).filter(|found| is_there(found.sentence));
            let shared = if is_there(sentence) {
                weight
            } else {
                found.map(|found| found.shared).max().unwrap_or(0)
            };
            Found { weight, shared, link: None }
        };
        self.counted(document)
            .map(|(_, distinct)| distinct.map_or_else(Found::default, row))
            .collect()
    }

    /// What of a document is shared, and what it weighs, each distinct sentence once.
    pub fn sums(&self, side: &[Found], document: usize) -> (u64, u64) {
        let mut own: Vec<(u32, usize)> =
            self.counted(document).filter_map(|(n, distinct)| Some((distinct?, n))).collect();
        own.sort_unstable();
        own.dedup_by_key(|known| known.0);
        let sum = |of: fn(&Found) -> u64| own.iter().map(|&(_, n)| of(&side[n])).sum();
        (sum(|found| found.shared), sum(|found| found.weight))
    }

    /// Look for what is not matched in windows of another document.
    fn look(&mut self, document: usize, other: usize, side: &mut [Found]) {
        let Some(ranked) = &self.features.ranked else { return };
        let there: Vec<(usize, u32)> =
            self.counted(other).filter_map(|(n, distinct)| Some((n, distinct?))).collect();
        let own: Vec<(usize, u32)> =
            self.counted(document).filter_map(|(n, distinct)| Some((n, distinct?))).collect();
        self.turn += 1;
        for &(_, distinct) in &there {
            let ranks = &ranked.ranks[self.features.range(distinct as usize)];
            ranks.iter().for_each(|&rank| self.last[rank as usize] = self.turn);
        }
        for (n, sentence) in own {
            // A hair less: weights that add up to the border are enough.
            let least = LEAST * side[n].weight as f64 * (1.0 - 1e-9);
            let terms = &ranked.ranks[self.features.range(sentence as usize)];
            let weight = |rank: u32| ranked.terms.weights[rank as usize];
            let is_there = |rank: &&u32| self.last[**rank as usize] == self.turn;
            let most: u64 = terms.iter().filter(is_there).map(|&rank| weight(rank)).sum();
            if side[n].shared as f64 >= least || (most as f64) < least {
                continue;
            }
            for (at, &rank) in terms.iter().enumerate() {
                self.places[rank as usize] = at as u32 + 1;
            }
            let weights: Vec<u64> = terms.iter().map(|&rank| weight(rank)).collect();
            let mut last = vec![usize::MAX; terms.len()];
            let mut own_shares: Vec<u64> = Vec::with_capacity(there.len());
            let mut best = (0, 0);
            for (m, &(_, candidate)) in there.iter().enumerate() {
                let mut alone = 0;
                for &rank in &ranked.ranks[self.features.range(candidate as usize)] {
                    if let Some(at) = (self.places[rank as usize] as usize).checked_sub(1) {
                        last[at] = m;
                        alone += weights[at];
                    }
                }
                own_shares.push(alone);
                if alone == 0 {
                    // Nothing came into the window: it has no more than the one before.
                    continue;
                }
                let is_near = |seen: usize| seen != usize::MAX && seen + WINDOW > m;
                let sum: u64 = last
                    .iter()
                    .zip(&weights)
                    .filter(|(seen, _)| is_near(**seen))
                    .map(|(_, w)| w)
                    .sum();
                if sum > best.0 {
                    best = (sum, m);
                }
            }
            terms.iter().for_each(|&rank| self.places[rank as usize] = 0);
            if best.0 as f64 >= least && best.0 > side[n].shared {
                let window = (best.1 + 1).saturating_sub(WINDOW)..=best.1;
                // Of equally good ones the first.
                let most = window.rev().max_by_key(|&m| own_shares[m]).unwrap_or(best.1);
                let link = (side[n].shared == 0).then_some(there[most].0 as u32);
                side[n] = Found { shared: best.0, link, ..side[n] };
            }
        }
    }
}

/// Whether a pair is aligned, by what is matched of each document and by what they weigh.
fn is_aligned(sides: [(f64, f64); 2], floor: f64) -> bool {
    let is_enough =
        |&(part, whole): &(f64, f64)| whole > 0.0 && part >= floor * whole * (1.0 - 1e-9);
    sides.iter().any(is_enough) && sides.iter().any(|(part, whole)| part < whole)
}

/// Align the pairs of which enough is matched, and count what is found as shared. Returns which they
/// are, sorted.
pub fn align(
    joined: &mut Joined,
    features: &Features,
    sentences: &Sentences,
    matches: &Matches,
    floor: f64,
    cancel: &Cancel,
) -> Result<Vec<(u32, u32)>> {
    let is_between = |&n: &usize| {
        let sides = [
            (joined.shared[n], joined.left_total[n]),
            (joined.right_shared[n], joined.right_total[n]),
        ];
        !joined.same_text[n] && is_aligned(sides, floor)
    };
    let rows: Vec<usize> = (0..joined.left.len()).filter(is_between).collect();
    let found = rows
        .par_chunks(AT_A_TIME)
        .map_init(
            || Aligner::new(features, sentences, matches, floor),
            |aligner, part| {
                let mut sums = Vec::with_capacity(part.len());
                for &n in part {
                    cancel.check()?;
                    let [left, right] =
                        [joined.left[n], joined.right[n]].map(|document| document as usize);
                    let [one, other] = aligner.between(left, right);
                    sums.push([aligner.sums(&one, left).0, aligner.sums(&other, right).0]);
                }
                Ok(sums)
            },
        )
        .collect::<Result<Vec<_>>>()?;
    for (&n, [left, right]) in rows.iter().zip(found.into_iter().flatten()) {
        joined.shared[n] = from_units(u128::from(left));
        joined.right_shared[n] = from_units(u128::from(right));
    }
    let mut pairs: Vec<_> = rows.iter().map(|&n| (joined.left[n], joined.right[n])).collect();
    pairs.sort_unstable();
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::Feature;
    use crate::join::groups::Times;
    use crate::join::units::Units;

    /// Two documents of sentences without any match, aligned from `floor` on.
    fn found(documents: [&[&[u64]]; 2], floor: f64) -> [Vec<Found>; 2] {
        let mut features = Features::default();
        for document in documents {
            for sentence in document {
                let word = |&key: &u64| Feature { key, weight: 10, count: 1 };
                features.push(&mut sentence.iter().map(word).collect::<Vec<_>>(), false);
            }
            features.end_document();
        }
        let cancel = Cancel::default();
        let times = Times::new(&["a", "b"], vec![None; 2], None, &cancel).expect("times");
        let (units, distinct) = Units::new(features, &times, &[0, 1], &cancel).expect("units");
        let (distinct, sentences) =
            (distinct.into_ranked(), units.sentences.expect("of sentences"));
        let matches = Matches::new(sentences.n_distinct(), &[]);
        Aligner::new(&distinct, &sentences, &matches, floor).between(0, 1)
    }

    #[test]
    fn a_sentence_that_was_cut_is_found_in_a_window() {
        let left: &[&[u64]] = &[&[1, 2, 3, 4], &[5, 6, 7, 8]];
        let right: &[&[u64]] = &[&[5, 6, 7, 8], &[9], &[1, 2, 10], &[3, 11], &[4]];
        let [one, other] = found([left, right], 0.3);
        // The best window ends at the last sentence; the first of it has most.
        assert_eq!(one[0], Found { weight: 40, shared: 40, link: Some(2) });
        assert_eq!(one[1], Found { weight: 40, shared: 40, link: None });
        // One and two of three and two words are less than seven in ten.
        assert_eq!(other.iter().map(|f| f.shared).collect::<Vec<_>>(), [40, 0, 0, 0, 10]);
        // Half of left is matched: a floor above that leaves the pair as it is.
        assert_eq!(found([left, right], 0.6)[0][0].shared, 0);
    }

    #[test]
    fn words_that_are_far_from_each_other_are_no_window() {
        let left: &[&[u64]] = &[&[1, 2, 3, 4], &[5, 6, 7, 8]];
        let right: &[&[u64]] = &[&[5, 6, 7, 8], &[1, 2, 10], &[9], &[11], &[3, 4]];
        assert_eq!(found([left, right], 0.3)[0][0], Found { weight: 40, shared: 0, link: None });
    }
}
