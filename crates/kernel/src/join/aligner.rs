//! Two documents aligned: what no sentence of the other one has by itself is looked for in a few of
//! its sentences in a row.
//!
//! A match of two sentences is found by keys, and asks for much of one of them. Where a sentence was
//! cut in two, joined to another one, or is short, its words are still beside each other. Of a
//! sentence that shares x of its weight with its best window, x counts from `LEAST` on: of any two
//! texts on one topic a window has less by chance. Of what one sentence has so much already no more
//! is looked for. Where documents share little otherwise this would find what is not there, so that
//! only pairs above a floor are aligned.

use super::matches::Matches;
use super::units::Sentences;
use crate::features::{Features, Mark};

/// How many sentences in a row are looked at together.
const WINDOW: usize = 3;

/// The bit of a turn that says that a sentence was counted.
const COUNTED: u32 = 1 << 31;

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
    /// The weight of each sentence, if that is known beforehand.
    weights: &'a [u64],
    /// The share of one document from which on a pair is aligned.
    floor: f64,
    /// The documents that were looked at last.
    sides: [Side; 2],
    /// The terms of the sentence that is looked for and are there, with their weights.
    terms: Vec<(u32, u64)>,
    /// What each sentence of the other document has of these.
    alone: Vec<u64>,
    /// Which terms a window has.
    counted: Vec<bool>,
}

/// A document, left or right.
#[derive(Default)]
struct Side {
    document: Option<usize>,
    /// Its sentences that count: their numbers in it, and among the distinct.
    sentences: Vec<(u32, u32)>,
    /// How many sentences it has.
    len: usize,
    /// For each distinct sentence the turn in which a document had it last, and its mark there.
    had: Vec<u32>,
    turn: u32,
    /// Where its terms stand, once that is asked for.
    places: Places,
    is_placed: bool,
}

impl Side {
    fn set(&mut self, document: usize, all: &Sentences) {
        if self.document == Some(document) {
            return;
        }
        self.document = Some(document);
        self.is_placed = false;
        self.turn += 3;
        self.sentences.clear();
        self.len = 0;
        for (n, distinct) in all.of_document(document).enumerate() {
            self.len += 1;
            let Some(distinct) = distinct else { continue };
            let mark = all.mark(document, n);
            self.had[distinct as usize] = self.turn + mark as u32;
            if !mark.is_boilerplate() {
                self.sentences.push((n as u32, distinct));
            }
        }
    }

    /// How much of a sentence is boilerplate there, if it has it.
    fn mark(&self, distinct: u32) -> Option<Mark> {
        let had = self.had[distinct as usize];
        [Mark::None, Mark::Partly, Mark::Boilerplate]
            .into_iter()
            .find(|&mark| had == self.turn + mark as u32)
    }

    /// Note where its terms stand.
    fn place(&mut self, features: &Features) {
        let Some(ranked) = features.ranked.as_ref().filter(|_| !self.is_placed) else { return };
        let ranks = |distinct| &ranked.ranks[features.range(distinct as usize)];
        self.places.set(&self.sentences, ranks);
        self.is_placed = true;
    }
}

impl<'a> Aligner<'a> {
    /// Over these sentences; features are ranked. `weights` are those of the sentences; empty: they are
    /// made when they are asked for.
    pub fn new(
        features: &'a Features,
        sentences: &'a Sentences,
        matches: &'a Matches,
        weights: &'a [u64],
        floor: f64,
    ) -> Self {
        let ranks = features.ranked.as_ref().map_or(0, |ranked| ranked.terms.weights.len());
        let sides = [(); 2].map(|()| Side {
            had: vec![0; sentences.n_distinct()],
            places: Places { first: vec![(0, NONE); ranks], ..Places::default() },
            ..Side::default()
        });
        let (terms, alone, counted) = Default::default();
        Self { features, sentences, matches, weights, floor, sides, terms, alone, counted }
    }

    /// What of the sentences of each of two documents is in the other one.
    pub fn between(&mut self, left: usize, right: usize) -> [Vec<Found>; 2] {
        self.sides[0].set(left, self.sentences);
        self.sides[1].set(right, self.sentences);
        let mut sides = [self.matched(0), self.matched(1)];
        let [one, other] = self.sums(&sides).map(|(part, whole)| (part as f64, whole as f64));
        if is_aligned([one, other], self.floor) {
            self.look(0, &mut sides[0]);
            self.look(1, &mut sides[1]);
        }
        sides
    }

    fn weight(&self, sentence: u32) -> u64 {
        let known = self.weights.get(sentence as usize).copied();
        known.unwrap_or_else(|| self.features.weight(sentence as usize))
    }

    /// What of each sentence of one side its best match on the other has.
    fn matched(&self, side: usize) -> Vec<Found> {
        let [own, there] = [&self.sides[side], &self.sides[1 - side]];
        let mut found = vec![Found::default(); own.len];
        for &(n, sentence) in &own.sentences {
            let weight = self.weight(sentence);
            let mark = own.mark(sentence).unwrap_or_default();
            let has = |sentence: u32, told: u32| {
                there.mark(sentence).is_some_and(|other| Mark::counts([mark, other], told))
            };
            let shared = if has(sentence, self.matches.alone(sentence)) {
                weight
            } else {
                let found = self.matches.found(sentence);
                let same = found.filter(|found| has(found.sentence, found.told));
                same.map(|found| found.shared).max().unwrap_or(0)
            };
            found[n as usize] = Found { weight, shared, link: None };
        }
        found
    }

    /// What of the documents looked at last is shared, and what they weigh, each distinct sentence once.
    pub fn sums(&mut self, sides: &[Vec<Found>; 2]) -> [(u64, u64); 2] {
        let sum = |side: &mut Side, found: &[Found]| {
            let (mut shared, mut weight) = (0, 0);
            // Each is marked as counted, and then as had again.
            for &(n, distinct) in &side.sentences {
                if side.had[distinct as usize] & COUNTED == 0 {
                    side.had[distinct as usize] |= COUNTED;
                    let found = &found[n as usize];
                    (shared, weight) = (shared + found.shared, weight + found.weight);
                }
            }
            for &(_, distinct) in &side.sentences {
                side.had[distinct as usize] &= !COUNTED;
            }
            (shared, weight)
        };
        let [left, right] = &mut self.sides;
        [sum(left, &sides[0]), sum(right, &sides[1])]
    }

    /// Look for what of one side is not matched in windows of the other.
    fn look(&mut self, side: usize, found: &mut [Found]) {
        let Some(ranked) = &self.features.ranked else { return };
        // A hair less: weights that add up to the border are enough.
        let least = |found: &Found| LEAST * found.weight as f64 * (1.0 - 1e-9);
        let own = std::mem::take(&mut self.sides[side].sentences);
        for &(n, sentence) in &own {
            let found = &mut found[n as usize];
            let least = least(found);
            if found.shared as f64 >= least {
                continue;
            }
            let there = &mut self.sides[1 - side];
            there.place(self.features);
            self.terms.clear();
            let ranks = &ranked.ranks[self.features.range(sentence as usize)];
            let known = ranks.iter().filter(|&&rank| there.places.has(rank));
            self.terms.extend(known.map(|&rank| (rank, ranked.terms.weights[rank as usize])));
            let most: u64 = self.terms.iter().map(|term| term.1).sum();
            if (most as f64) < least {
                continue;
            }
            let Some(best) = self.best_window(1 - side, least) else { continue };
            if best.shared as f64 >= least && best.shared > found.shared {
                let place = self.sides[1 - side].sentences[best.most].0;
                let link = (found.shared == 0).then_some(place);
                *found = Found { shared: best.shared, link, ..*found };
            }
        }
        self.sides[side].sentences = own;
    }

    /// The window of a side with most of `terms`, the first of equals, if that is at least so much.
    fn best_window(&mut self, side: usize, least: f64) -> Option<Window> {
        let Side { places, sentences, .. } = &self.sides[side];
        let ranked = self.features.ranked.as_ref()?;
        let ranks_of = |distinct: u32| &ranked.ranks[self.features.range(distinct as usize)];
        // What each sentence has by itself.
        self.alone.clear();
        self.alone.resize(sentences.len(), 0);
        for &(rank, weight) in &self.terms {
            places.of(rank).for_each(|place| self.alone[place as usize] += weight);
        }
        let mut best: Option<(u64, usize)> = None;
        for end in 0..self.alone.len() {
            let start = (end + 1).saturating_sub(WINDOW);
            // Terms that several sentences of a window have count once: it has no more than this.
            let most: u64 = self.alone[start..=end].iter().sum();
            if self.alone[end] == 0
                || best.is_some_and(|best| most <= best.0)
                || (most as f64) < least
            {
                continue;
            }
            let window = sentences[start..=end].iter().map(|sentence| sentence.1);
            let shared = shared_by(window.map(&ranks_of), &self.terms, &mut self.counted);
            if best.is_none_or(|best| shared > best.0) {
                best = Some((shared, end));
            }
        }
        let (shared, end) = best?;
        // Of its sentences that with most; of equally good ones the first.
        let inside = (end + 1).saturating_sub(WINDOW)..=end;
        let most = inside.rev().max_by_key(|&place| self.alone[place])?;
        Some(Window { shared, most })
    }
}

/// What some sentences have together of terms; ranks are sorted, and so are terms by theirs.
fn shared_by<'r>(
    sentences: impl Iterator<Item = &'r [u32]>,
    terms: &[(u32, u64)],
    had: &mut Vec<bool>,
) -> u64 {
    had.clear();
    had.resize(terms.len(), false);
    let mut shared = 0;
    for ranks in sentences {
        let mut at = 0;
        for &rank in ranks {
            at += terms[at..].iter().take_while(|term| term.0 < rank).count();
            match terms.get(at) {
                Some(term) if term.0 == rank && !had[at] => {
                    had[at] = true;
                    shared += term.1;
                }
                Some(_) => {}
                None => break,
            }
        }
    }
    shared
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
    fn set<'r>(&mut self, sentences: &[(u32, u32)], ranks: impl Fn(u32) -> &'r [u32]) {
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
        Aligner::new(&distinct, &sentences, &matches, &[], floor).between(0, 1)
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
