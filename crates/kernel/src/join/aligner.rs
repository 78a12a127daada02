//! Two documents aligned: what no sentence of the other one has by itself is looked for in a few of
//! its sentences in a row.
//!
//! A match of two sentences is found by keys, and asks for much of one of them. Where a sentence was
//! cut in two, joined to another one, or is short, its words are still beside each other. Of a
//! sentence that shares x of its weight with its best window, x counts from `LEAST` on: of any two
//! texts on one topic a window has less by chance. Of what one sentence has so much already no more
//! is looked for. Where documents share little otherwise this would find what is not there, so that
//! only pairs above a floor are aligned.

use super::roll_up::Matches;
use super::units::Sentences;
use crate::features::Features;

/// How many sentences in a row are looked at together.
const WINDOW: u32 = 3;

/// The share of a sentence's weight that a window has to have.
const LEAST: f64 = 0.7;

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
    /// Where the terms of the document stand in which is looked.
    places: Places,
    /// The terms of the sentence that is looked for and are there, with their weights.
    terms: Vec<(u32, u64)>,
    /// What is used again from one sentence to the next.
    seen: Vec<(u32, u32)>,
    last: Vec<Option<u32>>,
    shares: Vec<(u32, u64)>,
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
        let places = Places { first: vec![(0, NONE); ranks], ..Places::default() };
        let (terms, seen, last, shares) = Default::default();
        Self { features, sentences, matches, floor, places, terms, seen, last, shares }
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
        // A hair less: weights that add up to the border are enough.
        let least = |found: &Found| LEAST * found.weight as f64 * (1.0 - 1e-9);
        let is_lacking = |n: usize| (side[n].shared as f64) < least(&side[n]);
        let own: Vec<(usize, u32)> = self
            .counted(document)
            .filter_map(|(n, distinct)| Some((n, distinct.filter(|_| is_lacking(n))?)))
            .collect();
        if own.is_empty() {
            return;
        }
        self.places.set(&there, |distinct| &ranked.ranks[self.features.range(distinct as usize)]);
        for (n, sentence) in own {
            let least = least(&side[n]);
            self.terms.clear();
            let ranks = &ranked.ranks[self.features.range(sentence as usize)];
            let known = ranks.iter().filter(|&&rank| self.places.has(rank));
            self.terms.extend(known.map(|&rank| (rank, ranked.terms.weights[rank as usize])));
            let most: u64 = self.terms.iter().map(|term| term.1).sum();
            if (most as f64) < least {
                continue;
            }
            let Some(best) = self.best_window() else { continue };
            if best.shared as f64 >= least && best.shared > side[n].shared {
                let link = (side[n].shared == 0).then_some(there[best.most].0 as u32);
                side[n] = Found { shared: best.shared, link, ..side[n] };
            }
        }
    }

    /// The window with most of `terms`, the first of equals.
    fn best_window(&mut self) -> Option<Window> {
        // Where the terms are, in the order of the other document.
        self.seen.clear();
        for (at, &(rank, _)) in self.terms.iter().enumerate() {
            self.seen.extend(self.places.of(rank).map(|place| (place, at as u32)));
        }
        self.seen.sort_unstable();
        // What each sentence has by itself, and where each term was seen last.
        self.shares.clear();
        self.last.clear();
        self.last.resize(self.terms.len(), None);
        let (mut shared, mut end) = (0, 0);
        for group in self.seen.chunk_by(|a, b| a.0 == b.0) {
            let place = group[0].0;
            let mut alone = 0;
            for &(_, at) in group {
                self.last[at as usize] = Some(place);
                alone += self.terms[at as usize].1;
            }
            self.shares.push((place, alone));
            let is_near = |seen: Option<u32>| seen.is_some_and(|seen| seen + WINDOW > place);
            let near = self.last.iter().zip(&self.terms).filter(|(seen, _)| is_near(**seen));
            let sum = near.map(|(_, term)| term.1).sum();
            if sum > shared {
                (shared, end) = (sum, place);
            }
        }
        // Of its sentences that with most; of equally good ones the first.
        let inside = self.shares.iter().filter(|row| row.0 <= end && row.0 + WINDOW > end);
        let most = inside.rev().max_by_key(|row| row.1)?.0 as usize;
        Some(Window { shared, most })
    }
}

/// A few sentences in a row: what they have together, and the place of the one with most of it.
struct Window {
    shared: u64,
    most: usize,
}

/// Where each rank stands in a document: the first place, and from each the next one.
#[derive(Default)]
struct Places {
    /// For each rank the document that had it last, and its first entry.
    first: Vec<(u32, u32)>,
    /// Places, each with the entry of the next one.
    entries: Vec<(u32, u32)>,
    /// Which document this is.
    turn: u32,
}

/// What stands for no entry.
const NONE: u32 = u32::MAX;

impl Places {
    /// Of the sentences of a document.
    fn set<'r>(&mut self, sentences: &[(usize, u32)], ranks: impl Fn(u32) -> &'r [u32]) {
        self.turn += 1;
        self.entries.clear();
        // From the last on, so that the first comes first.
        for (place, &(_, distinct)) in sentences.iter().enumerate().rev() {
            for &rank in ranks(distinct) {
                let (turn, first) = self.first[rank as usize];
                let next = if turn == self.turn { first } else { NONE };
                self.first[rank as usize] = (self.turn, self.entries.len() as u32);
                self.entries.push((place as u32, next));
            }
        }
    }

    fn has(&self, rank: u32) -> bool {
        self.first[rank as usize].0 == self.turn
    }

    /// The places of a rank that the document has.
    fn of(&self, rank: u32) -> impl Iterator<Item = u32> {
        let first = Some(self.entries[self.first[rank as usize].1 as usize]);
        let entries =
            std::iter::successors(first, |entry| self.entries.get(entry.1 as usize).copied());
        entries.map(|entry| entry.0)
    }
}

/// Whether a pair is aligned, by what is matched of each document and by what they weigh.
pub fn is_aligned(sides: [(f64, f64); 2], floor: f64) -> bool {
    let is_enough =
        |&(part, whole): &(f64, f64)| whole > 0.0 && part >= floor * whole * (1.0 - 1e-9);
    sides.iter().any(is_enough) && sides.iter().any(|(part, whole)| part < whole)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cancel::Cancel;
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
