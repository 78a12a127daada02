//! Two documents aligned: what no sentence of the other one has by itself is looked for in a few of
//! its sentences in a row.
//!
//! A match of two sentences is found by keys, and asks for much of one of them. Where a sentence was
//! cut in two, joined to another one, or is short, its words are still beside each other. Of a
//! sentence that shares x of its weight with its best window, x counts from `LEAST` on: of any two
//! texts on one topic a window has less by chance. Of what one sentence has so much already no more
//! is looked for. Where documents share little otherwise this would find what is not there, so that
//! only pairs above a floor are aligned.
//!
//! Of windows of the same sentences only the first is looked at, and only windows that have one of
//! the rarest terms: all others together weigh too little.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;

use super::matches::Matches;
use super::units::Sentences;
use crate::cancel::Cancel;
use crate::effort::{BETWEEN_CHECKS, steps};
use crate::error::Result;
use crate::features::{Features, Mark};

/// How many sentences in a row are looked at together.
const WINDOW: usize = 3;

/// The bit of a turn that says that a sentence was counted.
const COUNTED: u32 = 1 << 31;

/// The share of a sentence's weight that a window has to have.
const LEAST: f64 = 0.7;

/// How many steps it is to compare a sentence with a window.
const CHECK: usize = 32;

/// A sentence is worth this part of the steps of other work: hardly any that is not matched is in a
/// window, and a scan may have many pairs.
const QUICKER: usize = 4;

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
    windows: Windows,
    /// How many places of terms and sentences were looked at.
    pub looked: u64,
}

/// What is used again from one sentence to the next.
#[derive(Default)]
struct Windows {
    /// The terms, the rarest first.
    rarest: Vec<(u32, u64)>,
    /// What each sentence of the other document is known to have of the terms.
    alone: Vec<u64>,
    /// The sentences that are known to have something.
    touched: Vec<u32>,
    /// Windows, by the sentence they end with, and the most they may have.
    ends: Vec<(u64, Reverse<u32>)>,
    /// The weight of each rank of the sentence that is looked for.
    marks: Vec<u64>,
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
    /// Whether a sentence comes again.
    repeats: bool,
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
        self.repeats = false;
        for (n, distinct) in all.of_document(document).enumerate() {
            self.len += 1;
            let Some(distinct) = distinct else { continue };
            let mark = all.mark(document, n);
            self.repeats |= self.had[distinct as usize] >= self.turn;
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
        self.places.set(&self.sentences, self.repeats, ranks);
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
            places: Places { of_rank: vec![OfRank::default(); ranks], ..Places::default() },
            ..Side::default()
        });
        let windows = Windows { marks: vec![0; ranks], ..Windows::default() };
        let terms = Vec::new();
        Self { features, sentences, matches, weights, floor, sides, terms, windows, looked: 0 }
    }

    /// What of the sentences of each of two documents is in the other one.
    pub fn between(
        &mut self,
        left: usize,
        right: usize,
        cancel: &Cancel,
    ) -> Result<[Vec<Found>; 2]> {
        self.sides[0].set(left, self.sentences);
        self.sides[1].set(right, self.sentences);
        let mut sides = [self.matched(0, cancel)?, self.matched(1, cancel)?];
        let [one, other] = self.sums(&sides).map(|(part, whole)| (part as f64, whole as f64));
        if is_aligned([one, other], self.floor) {
            self.look(0, &mut sides[0], cancel)?;
            self.look(1, &mut sides[1], cancel)?;
        }
        Ok(sides)
    }

    fn weight(&self, sentence: u32) -> u64 {
        let known = self.weights.get(sentence as usize).copied();
        known.unwrap_or_else(|| self.features.weight(sentence as usize))
    }

    /// What of each sentence of one side its best match on the other has.
    fn matched(&self, side: usize, cancel: &Cancel) -> Result<Vec<Found>> {
        let [own, there] = [&self.sides[side], &self.sides[1 - side]];
        let mut found = vec![Found::default(); own.len];
        let mut known = Repeats::new(own.repeats);
        for (at, &(n, sentence)) in own.sentences.iter().enumerate() {
            if at % BETWEEN_CHECKS == 0 {
                cancel.check()?;
            }
            found[n as usize] = known.of(sentence, || {
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
                Found { weight, shared, link: None }
            });
        }
        Ok(found)
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
    fn look(&mut self, side: usize, found: &mut [Found], cancel: &Cancel) -> Result<()> {
        let own = std::mem::take(&mut self.sides[side].sentences);
        let mut known = Repeats::new(self.sides[side].repeats);
        for (at, &(n, sentence)) in own.iter().enumerate() {
            if at % BETWEEN_CHECKS == 0 {
                cancel.check()?;
            }
            let found = &mut found[n as usize];
            *found = known.of(sentence, || self.looked_for(side, sentence, *found));
        }
        self.sides[side].sentences = own;
        Ok(())
    }

    /// What of a sentence is in the other document, of which so much was found.
    fn looked_for(&mut self, side: usize, sentence: u32, found: Found) -> Found {
        let Some(ranked) = &self.features.ranked else { return found };
        // A hair less: weights that add up to the border are enough.
        let least = LEAST * found.weight as f64 * (1.0 - 1e-9);
        if found.shared as f64 >= least {
            return found;
        }
        let there = &mut self.sides[1 - side];
        there.place(self.features);
        self.terms.clear();
        let ranks = &ranked.ranks[self.features.range(sentence as usize)];
        let known = ranks.iter().filter(|&&rank| there.places.has(rank));
        self.terms.extend(known.map(|&rank| (rank, ranked.terms.weights[rank as usize])));
        let most: u64 = self.terms.iter().map(|term| term.1).sum();
        if (most as f64) < least {
            return found;
        }
        match self.best_window(1 - side, least) {
            Some(best) if best.shared > found.shared => {
                let place = self.sides[1 - side].sentences[best.most].0;
                let link = (found.shared == 0).then_some(place);
                Found { shared: best.shared, link, ..found }
            }
            _ => found,
        }
    }

    /// The window of a side with most of `terms`, the first of equals, if that is at least so much.
    fn best_window(&mut self, side: usize, least: f64) -> Option<Window> {
        let Side { places, sentences, .. } = &self.sides[side];
        let ranked = self.features.ranked.as_ref()?;
        let ranks_of = |place: usize| {
            let distinct = sentences[place].1;
            &ranked.ranks[self.features.range(distinct as usize)]
        };
        let Windows { rarest, alone, touched, ends, marks, counted } = &mut self.windows;
        alone.resize(sentences.len().max(alone.len()), 0);
        rarest.clone_from(&self.terms);
        rarest.sort_unstable_by_key(|&(rank, _)| (places.of(rank).len(), rank));
        let steps = steps(sentences.len()) / QUICKER;
        let mut left = steps;
        let mut rest: u64 = self.terms.iter().map(|term| term.1).sum();
        let mut first_behind = 0;
        for &(rank, weight) in rarest.iter() {
            // What has none of the rarer terms does not have enough of the others. Some of those are
            // counted, too, as long as that is quick: it tells most windows apart.
            let is_enough = (rest as f64) < least;
            if is_enough {
                left = left.min(4 * first_behind);
            }
            let own = places.of(rank);
            if left == 0 || is_enough && own.len() > left {
                break;
            }
            let own = &own[..own.len().min(left)];
            for &place in own {
                if alone[place as usize] == 0 {
                    touched.push(place);
                }
                alone[place as usize] += weight;
            }
            self.looked += own.len() as u64;
            left -= own.len();
            rest -= weight;
            if !is_enough {
                first_behind = touched.len();
            }
        }
        // Terms that several sentences of a window have count once: it has no more than this.
        let most = |alone: &[u64], end: usize| -> u64 {
            alone[(end + 1).saturating_sub(WINDOW)..=end].iter().sum()
        };
        ends.clear();
        for &place in &touched[..first_behind] {
            let place = place as usize;
            for end in place..sentences.len().min(place + WINDOW) {
                let most = most(alone, end) + rest;
                if most as f64 >= least {
                    ends.push((most, Reverse(end as u32)));
                }
            }
        }
        touched.drain(..).for_each(|place| alone[place as usize] = 0);
        self.terms.iter().for_each(|&(rank, weight)| marks[rank as usize] = weight);
        let has = |place: usize| -> u64 {
            ranks_of(place).iter().map(|&rank| marks[rank as usize]).sum()
        };
        // Those that may have most come first, the first of equals.
        let mut heap = BinaryHeap::from(std::mem::take(ends));
        let mut last = None;
        let mut best: Option<(u64, usize)> = None;
        let mut checks = steps / CHECK;
        while let Some((most, Reverse(end))) = heap.pop() {
            let end = end as usize;
            if last.replace(end) == Some(end) {
                continue;
            }
            match best {
                // Of those behind none has more.
                Some((shared, _)) if most < shared => break,
                Some((shared, first)) if most == shared && end > first => continue,
                _ => {}
            }
            if checks == 0 {
                break;
            }
            checks -= 1;
            self.looked += 1;
            // A window that ends with a sentence that has nothing has no more than the one before.
            if has(end) == 0 {
                continue;
            }
            let window = ((end + 1).saturating_sub(WINDOW)..=end).map(&ranks_of);
            let shared = shared_by(window, &self.terms, counted);
            let is_better =
                |best: (u64, usize)| shared > best.0 || shared == best.0 && end < best.1;
            if shared as f64 >= least && best.is_none_or(is_better) {
                best = Some((shared, end));
            }
        }
        *ends = heap.into_vec();
        // Of its sentences that with most; of equally good ones the first.
        let found = best.and_then(|(shared, end)| {
            let inside = (end + 1).saturating_sub(WINDOW)..=end;
            let most = inside.rev().max_by_key(|&place| has(place))?;
            Some(Window { shared, most })
        });
        self.terms.iter().for_each(|&(rank, _)| marks[rank as usize] = 0);
        found
    }
}

/// What is known of sentences that come again.
struct Repeats {
    known: Option<HashMap<u32, Found, FxBuildHasher>>,
}

impl Repeats {
    /// Nothing yet; of a document where none comes again nothing is kept.
    fn new(repeats: bool) -> Self {
        Self { known: repeats.then(HashMap::default) }
    }

    /// What is known of a distinct sentence, else what is found.
    fn of(&mut self, sentence: u32, find: impl FnOnce() -> Found) -> Found {
        match &mut self.known {
            Some(known) => *known.entry(sentence).or_insert_with(find),
            None => find(),
        }
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

/// Where each rank stands in a document.
#[derive(Default)]
struct Places {
    of_rank: Vec<OfRank>,
    /// The places of each rank, in order.
    entries: Vec<u32>,
    /// Which document this is.
    turn: u32,
}

/// The places of a rank.
#[derive(Clone, Copy, Default)]
struct OfRank {
    /// The document that had it last.
    turn: u32,
    /// Where they begin there, how many there are, and how many of them are known so far.
    start: u32,
    count: u32,
    known: u32,
}

impl Places {
    /// Of the sentences of a document, without those that are in no window for the first time.
    fn set<'r>(
        &mut self,
        sentences: &[(u32, u32)],
        repeats: bool,
        ranks: impl Fn(u32) -> &'r [u32],
    ) {
        self.turn += 1;
        let is_new = if repeats { first_windows(sentences) } else { Vec::new() };
        let is_needed = |place: usize| {
            let windows = place..sentences.len().min(place + WINDOW);
            !repeats || is_new[windows].contains(&true)
        };
        let needed = || sentences.iter().enumerate().filter(|(place, _)| is_needed(*place));
        let mut total = 0;
        for (_, &(_, distinct)) in needed() {
            for &rank in ranks(distinct) {
                let own = &mut self.of_rank[rank as usize];
                if own.turn != self.turn {
                    *own = OfRank { turn: self.turn, ..OfRank::default() };
                }
                own.count += 1;
                total += 1;
            }
        }
        self.entries.clear();
        self.entries.resize(total, 0);
        let mut next = 0;
        for (place, &(_, distinct)) in needed() {
            for &rank in ranks(distinct) {
                let own = &mut self.of_rank[rank as usize];
                if own.known == 0 {
                    own.start = next;
                    next += own.count;
                }
                self.entries[(own.start + own.known) as usize] = place as u32;
                own.known += 1;
            }
        }
    }

    fn has(&self, rank: u32) -> bool {
        self.of_rank[rank as usize].turn == self.turn
    }

    /// The places of a rank that the document has.
    fn of(&self, rank: u32) -> &[u32] {
        let own = self.of_rank[rank as usize];
        &self.entries[own.start as usize..][..own.count as usize]
    }
}

/// For each window, by the sentence it ends with, whether none before it has the same sentences.
fn first_windows(sentences: &[(u32, u32)]) -> Vec<bool> {
    let mut known: HashSet<[u32; WINDOW], FxBuildHasher> = HashSet::default();
    let distinct = |place: usize| sentences[place].1;
    let window =
        |end: usize| std::array::from_fn(|n| if n <= end { distinct(end - n) } else { u32::MAX });
    (0..sentences.len()).map(|end| known.insert(window(end))).collect()
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
    use crate::features::Feature;
    use crate::join::groups::Times;
    use crate::join::units::Units;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// Two documents of sentences without any match, aligned from `floor` on; and how much was looked at.
    fn aligned(
        documents: [&[&[u64]]; 2],
        floor: f64,
        cancel: &Cancel,
    ) -> Result<([Vec<Found>; 2], u64)> {
        let mut features = Features::default();
        for document in documents {
            for sentence in document {
                let word = |&key: &u64| Feature { key, weight: 10, count: 1 };
                features.push(&mut sentence.iter().map(word).collect::<Vec<_>>(), false);
            }
            features.end_document();
        }
        let never = Cancel::default();
        let times = Times::new(&["a", "b"], vec![None; 2], None, &never).expect("times");
        let (units, distinct) = Units::new(features, &times, &[0, 1], &never).expect("units");
        let (distinct, sentences) =
            (distinct.into_ranked(), units.sentences.expect("of sentences"));
        let matches = Matches::new(sentences.n_distinct(), &[]);
        let mut aligner = Aligner::new(&distinct, &sentences, &matches, &[], floor);
        Ok((aligner.between(0, 1, cancel)?, aligner.looked))
    }

    fn found(documents: [&[&[u64]]; 2], floor: f64) -> [Vec<Found>; 2] {
        aligned(documents, floor, &Cancel::default()).expect("not cancelled").0
    }

    /// How much is looked at in two documents of so many sentences.
    fn looked(n: u64, sentence: impl Fn(u64, u64) -> Vec<u64>) -> u64 {
        let document = |d: u64| (0..n).map(|k| sentence(d, k)).collect::<Vec<_>>();
        let [left, right] = [document(0), document(1)];
        let [left, right] = [&left, &right]
            .map(|document| document.iter().map(Vec::as_slice).collect::<Vec<&[u64]>>());
        let cancel = Cancel::after(u64::MAX);
        let (_, looked) = aligned([&left, &right], 0.0, &cancel).expect("not cancelled");
        // Whoever wants to stop is asked again and again.
        assert!(cancel.checks() >= n / BETWEEN_CHECKS as u64);
        assert!(aligned([&left, &right], 0.0, &Cancel::after(2)).is_err());
        looked
    }

    #[test]
    fn the_work_grows_with_the_length_of_documents_whatever_they_share() {
        // Words of a small vocabulary: two in every sentence, and two others of each sentence.
        let word = |d: u64, k: u64, n: u64| 10 + (k * k + 7 * k * (d + 1) + 13 * n) % 40;
        let two_words = |d, k| vec![1, 2, word(d, k, 1), 60 + word(d, k, 2)];
        // One and two sentences again and again, which share words with the other document.
        let repeated = |d, k| if k == 7 { vec![1, 2, 3, 4] } else { vec![d + 1, 3 * d + 5, 7] };
        let refrain =
            |d, k| if k % 2 == d { vec![1, 2, 3] } else { vec![1, 2, 100 + 1000 * d + k] };
        for sentence in [&two_words as &dyn Fn(u64, u64) -> Vec<u64>, &repeated, &refrain] {
            let [few, many] = [256, 2048].map(|n| looked(n, sentence));
            assert!(many <= 9 * few + 1024, "{few} {many}");
        }
    }

    proptest! {
        #[test]
        fn the_best_window_is_that_of_all_windows(
            own in prop::collection::vec(1_u64..9, 1..6),
            other in prop::collection::vec(prop::collection::btree_set(1_u64..9, 1..4), 1..12),
        ) {
            let own: Vec<u64> = own.into_iter().collect::<BTreeSet<u64>>().into_iter().collect();
            let right: Vec<Vec<u64>> = other.iter().map(|s| s.iter().copied().collect()).collect();
            let right: Vec<&[u64]> = right.iter().map(Vec::as_slice).collect();
            let found = found([&[&own, &[99]], &right], 0.0)[0][0];
            let mut best: Option<(u64, usize)> = None;
            for end in 0..other.len() {
                let window = &other[(end + 1).saturating_sub(WINDOW)..=end];
                let has = |word: &&u64| window.iter().any(|sentence| sentence.contains(word));
                let shared = 10 * own.iter().filter(has).count() as u64;
                if best.is_none_or(|best| shared > best.0) {
                    best = Some((shared, end));
                }
            }
            let (shared, end) = best.expect("there is one");
            let same = other.iter().any(|sentence| sentence.iter().eq(own.iter()));
            if same {
                prop_assert_eq!(found.shared, found.weight);
            } else if shared as f64 >= LEAST * found.weight as f64 * (1.0 - 1e-9) {
                let has = |n: &usize| own.iter().filter(|word| other[*n].contains(word)).count();
                let inside = (end + 1).saturating_sub(WINDOW)..=end;
                let most = inside.rev().max_by_key(has).expect("there is one");
                prop_assert_eq!((found.shared, found.link), (shared, Some(most as u32)));
            } else {
                prop_assert_eq!((found.shared, found.link), (0, None));
            }
        }
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
