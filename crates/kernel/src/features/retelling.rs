//! Sentences as `retelling` compares them: their different terms with weights, and the keys by
//! which a sentence meets those it may have been retold from.
//!
//! Keys are the pairs of a sentence's rarest terms, which outlast edits anywhere else in it, and a
//! sample of its runs of terms, which outlast that its end is lost and another sentence is joined
//! to it. Terms that one document alone has are no key: they are typing errors, and what a copy
//! was changed to. Terms weigh `log(N / df) + 1`: also what every document has counts, or two
//! documents alone could share nothing.

use std::sync::Arc;

use super::collect::in_parts;
use super::wording::{self, Wording};
use super::{Features, Ranked, Terms, to_units};
use crate::cancel::Cancel;
use crate::effort::BETWEEN_CHECKS;
use crate::error::Result;
use crate::hash;
use crate::statistics::{DROPPED, Idf, Order, Statistics};
use crate::text::Analysed;
use crate::text::vocabulary::{Vocabulary, snapshot};

/// How many words the sketch of a sentence has: what stands for its words in their order, how many
/// words it has, those without a term included, how many of them tell something, and its wording.
pub const SKETCH: usize = 2 + wording::WIDTH;

/// The bit of a sketch that says that somebody is said to have said it.
const ATTRIBUTED: u64 = 1 << 63;

/// The bit that says that it is boilerplate of its document's source. It is not known when features
/// are made, and does not make another sentence of it.
pub const BOILERPLATE: u64 = 1 << 62;

/// The bit that says that some of it is.
pub const PARTLY: u64 = 1 << 61;

/// Both of these.
pub const MARKS: u64 = BOILERPLATE | PARTLY;

/// How many words a sentence has, and how many of them tell something.
pub fn words_of(sketch: &[u64]) -> (u32, u32) {
    (((sketch[1] & !(ATTRIBUTED | MARKS)) >> 32) as u32, sketch[1] as u32)
}

/// The words of a sentence in their order.
pub fn wording_of(sketch: &[u64]) -> Wording {
    Wording::new([sketch[2], sketch[3]], words_of(sketch).0 as usize)
}

/// Whether a sentence says that it is somebody's words.
pub fn is_attributed(sketch: &[u64]) -> bool {
    sketch[1] & ATTRIBUTED != 0
}

/// Terms that say so.
const ATTRIBUTIONS: [&str; 24] = [
    "said", "say", "told", "tell", "accord", "quot", "sagt", "erklart", "erklärt", "laut", "selon",
    "déclar", "dijo", "según", "segun", "dedi", "söyle", "söyled", "göre", "belirt", "说", "表示",
    "称", "指出",
];

/// Which keys a sentence has.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeetingKeys {
    /// Each two of so many of its rarest terms are one.
    pub rarest: usize,
    /// So many terms in a row may be one; a shorter sentence is one run.
    pub run: usize,
    /// Of so many neighbouring runs, the one with the smallest hash is.
    pub window: usize,
    /// How rare terms are in the mean where all words of a sentence tell something; a term of one
    /// document alone has rarity 1, and one of weight 0 has 0.
    pub rarity: f64,
}

/// The sentences of every document.
pub fn retelling(
    analysed: &Analysed,
    statistics: &Statistics,
    keys: MeetingKeys,
    cancel: &Cancel,
) -> Result<Features> {
    let vocabulary = snapshot(&analysed.vocabulary);
    let order = statistics.order(&vocabulary);
    let terms = order.weighed(statistics.documents());
    let maker = Maker::new(&vocabulary, order, &terms, statistics.documents(), keys);
    let ranked = Some(Ranked { terms: Arc::clone(&terms), ranks: Vec::new() });
    let empty = Features { sketch_width: SKETCH, ranked, ..Features::default() };
    in_parts(analysed.n_documents(), &empty, cancel, |document, own: &mut Own, features| {
        for (n, sentence) in analysed.sentences_of(document).enumerate() {
            if n % BETWEEN_CHECKS == 0 {
                cancel.check()?;
            }
            maker.add(&analysed.words[analysed.words_of(sentence)], own, features);
        }
        features.end_document();
        Ok(())
    })
}

/// The terms of one document: the number of the sentence, the term, its key and weight in units.
pub fn trace(
    analysed: &Analysed,
    document: usize,
    statistics: &Statistics,
) -> Vec<(usize, String, u64, u64)> {
    let vocabulary = snapshot(&analysed.vocabulary);
    let order = statistics.order(&vocabulary);
    let weighed = order.weighed(statistics.documents());
    let mut found = Vec::new();
    for (number, sentence) in analysed.sentences_of(document).enumerate() {
        let words = analysed.words[analysed.words_of(sentence)].iter();
        let mut ranks: Vec<u32> = words.map(|&word| order.word_ranks[word as usize]).collect();
        ranks.sort_unstable();
        ranks.dedup();
        for &rank in ranks.iter().filter(|&&rank| rank != DROPPED) {
            let at = rank as usize;
            let text = vocabulary.term(order.terms[at]).to_owned();
            found.push((number, text, weighed.keys[at], weighed.weights[at]));
        }
    }
    found
}

struct Maker<'a> {
    order: Arc<Order>,
    terms: &'a Terms,
    words: Vec<Known>,
    keys: MeetingKeys,
    /// From this rank on terms are in several documents.
    repeated: u32,
    /// The weight of terms, in the mean, where all words tell something.
    rare: f64,
}

/// What is known of a word.
#[derive(Clone, Copy)]
struct Known {
    /// What stands for it, also where it has no term.
    hash: u64,
    rank: u32,
    /// Whether it says who said something.
    is_attribution: bool,
}

/// What is used again from one sentence to the next. There is room for the words of the longest, of
/// which only the first are those of this one.
#[derive(Default)]
struct Own {
    /// The hashes of all words.
    words: Vec<u64>,
    /// The terms of a sentence in their order: their ranks, and their hashes.
    ranks: Vec<u32>,
    hashes: Vec<u64>,
    runs: Vec<u64>,
}

impl Own {
    fn make_room(&mut self, words: usize) {
        if self.words.len() < words {
            self.words.resize(words, 0);
            self.ranks.resize(words, 0);
            self.hashes.resize(words, 0);
        }
    }
}

impl<'a> Maker<'a> {
    fn new(
        vocabulary: &Vocabulary,
        order: Arc<Order>,
        terms: &'a Terms,
        documents: u64,
        keys: MeetingKeys,
    ) -> Self {
        let repeated = order.frequencies.partition_point(|&df| df < 2) as u32;
        let most = Idf::PlusOne.weight(documents, 1, std::f64::consts::E);
        let rare = to_units(keys.rarity * most) as f64;
        let attributions = order.attributions(&ATTRIBUTIONS);
        let hashes = vocabulary.term_hashes();
        let mut words = Vec::with_capacity(vocabulary.words().len());
        for (word, &rank) in vocabulary.words().iter().zip(&order.word_ranks) {
            let is_attribution = attributions.binary_search(&rank).is_ok();
            words.push(Known { hash: hashes[word.term as usize], rank, is_attribution });
        }
        Self { order, terms, words, keys, repeated, rare }
    }

    fn add(&self, words: &[u32], own: &mut Own, features: &mut Features) {
        own.make_room(words.len());
        let (mut n, mut is_attributed) = (0, false);
        for (at, &word) in words.iter().enumerate() {
            let Known { hash, rank, is_attribution } = self.words[word as usize];
            own.words[at] = hash;
            // Whether a word has a term is as good as random: no branch.
            (own.ranks[n], own.hashes[n]) = (rank, hash);
            n += usize::from(rank != DROPPED);
            is_attributed |= is_attribution;
        }
        let [first, second] = wording::wording(&own.words[..words.len()]);
        let Own { ranks, hashes, runs, .. } = own;
        let hashes = &hashes[..n];
        // Sentences that differ in a word without a term are not the same.
        let run = hash::extend(hash::extend(hash::run(hashes), first), second);
        let ranks = distinct(&mut ranks[..n]);
        let telling = self.telling(words.len(), ranks, is_attributed);
        features.sketches.extend_from_slice(&[run, telling, first, second]);
        self.meet(ranks, hashes, runs, &mut features.met_by.keys);
        features.met_by.ends.push(features.met_by.keys.len() as u64);
        let all = &mut features.ranked.as_mut().expect("made with ranks").ranks;
        all.extend_from_slice(ranks);
        features.ends.push(all.len() as u64);
    }

    /// How much so many words with these terms tell: formulas are made of frequent ones.
    fn telling(&self, words: usize, ranks: &[u32], is_attributed: bool) -> u64 {
        let weights = ranks.iter().map(|&rank| self.terms.weights[rank as usize]);
        let weight = weights.fold(0_u64, u64::wrapping_add);
        let mean = weight as f64 / ranks.len().max(1) as f64;
        let share = if mean < self.rare { mean / self.rare } else { 1.0 };
        let telling = (words as f64 * share).round() as u64;
        let telling = (words as u64) << 32 | telling;
        if is_attributed { telling | ATTRIBUTED } else { telling }
    }

    /// Find the keys of a sentence with these terms: sorted, and in their order.
    fn meet(&self, ranks: &[u32], hashes: &[u64], runs: &mut Vec<u64>, found: &mut Vec<u32>) {
        if ranks.is_empty() {
            return;
        }
        let repeated = &ranks[ranks.iter().take_while(|&&rank| rank < self.repeated).count()..];
        let rarest = &repeated[..repeated.len().min(self.keys.rarest)];
        let of = |rank: u32| self.order.hashes[rank as usize];
        for (n, &second) in rarest.iter().enumerate() {
            for &first in &rarest[..n] {
                found.push(pair_key(of(first), of(second)));
            }
        }
        if rarest.len() < 2 {
            // The same terms in another order have no pair to meet by.
            let terms = ranks.iter().map(|&rank| of(rank));
            found.push(short(terms.fold(hash::term("the same terms"), hash::extend)));
        }
        let size = self.keys.run.min(hashes.len());
        runs.clear();
        match size {
            // The usual size, which is quicker if it is known beforehand.
            4 => runs
                .extend(hashes.windows(4).map(|run| hash::run(&[run[0], run[1], run[2], run[3]]))),
            _ => runs.extend(hashes.windows(size).map(hash::run)),
        }
        if self.keys.window == 2 && runs.len() > 1 {
            smaller_neighbours(runs, found);
        } else {
            smallest(runs, self.keys.window, |at| found.push(short(runs[at])));
        }
    }
}

/// Sort ranks, and leave each only once.
fn distinct(ranks: &mut [u32]) -> &[u32] {
    match ranks.len() {
        0..=16 => few_distinct::<16>(ranks),
        17..=32 => few_distinct::<32>(ranks),
        _ => {
            ranks.sort_unstable();
            without_gaps(ranks, |ranks, at| at == 0 || ranks[at] != ranks[at - 1])
        }
    }
}

/// The same of at most `N`: each goes to its place, which is how many are smaller. They are in no
/// order that branches could be foretold by, and comparing all is quick.
fn few_distinct<const N: usize>(ranks: &mut [u32]) -> &[u32] {
    // Ranks are below 2³¹, and signed numbers compared in less time.
    let mut all = [i32::MAX; N];
    for (own, &rank) in all.iter_mut().zip(&*ranks) {
        *own = rank as i32;
    }
    let mut sorted = [DROPPED; N];
    for &rank in &all[..ranks.len()] {
        // Sums that cannot be too large need no look whether they are, and several are made at once.
        let smaller = all.iter().fold(0_i32, |n, &other| n.wrapping_add(i32::from(other < rank)));
        sorted[smaller as usize % N] = rank as u32;
    }
    ranks.copy_from_slice(&sorted[..ranks.len()]);
    // Equal ones went to the same place.
    without_gaps(ranks, |ranks, at| ranks[at] != DROPPED)
}

/// Those that are kept, one behind the other. Whether one is must not depend on those before the last.
fn without_gaps(ranks: &mut [u32], is_kept: impl Fn(&[u32], usize) -> bool) -> &[u32] {
    let mut n = 0;
    for at in 0..ranks.len() {
        let is_kept = is_kept(ranks, at);
        ranks[n] = ranks[at];
        n += usize::from(is_kept);
    }
    &ranks[..n]
}

/// The first half is as good as the whole: what meets by chance is told apart later.
fn short(hash: u64) -> u32 {
    (hash >> 32) as u32
}

/// The key of two terms, by what stands for them.
fn pair_key(a: u64, b: u64) -> u32 {
    short(hash::run(&[a.min(b), a.max(b)]))
}

/// Keep the place of the smallest of every few neighbours, the last one of equals; of fewer, the
/// smallest of all.
fn smallest(runs: &[u64], window: usize, mut keep: impl FnMut(usize)) {
    let window = window.min(runs.len());
    let mut last = None;
    for start in 0..=runs.len() - window {
        let mut at = start;
        for other in start + 1..start + window {
            if runs[other] <= runs[at] {
                at = other;
            }
        }
        if last != Some(at) {
            last = Some(at);
            keep(at);
        }
    }
}

/// Keep what `smallest` does of several runs in a window of two, without branches, as what is smaller
/// is random.
fn smaller_neighbours(runs: &[u64], found: &mut Vec<u32>) {
    let mut at = found.len();
    found.resize(at + runs.len(), 0);
    let mut is_smaller = false;
    for (n, &run) in runs.iter().enumerate() {
        found[at] = short(run);
        let next = runs.get(n + 1).copied();
        // Smaller than the one before it, or equal; or smaller than the next one.
        let is_before = next.is_some_and(|next| run < next);
        at += usize::from(is_smaller | is_before);
        is_smaller = next.is_some() & !is_before;
    }
    found.truncate(at);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{Analyser, Language, Profile};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    const KEYS: MeetingKeys = MeetingKeys { rarest: 5, run: 4, window: 4, rarity: 0.0 };

    fn features(texts: &[&str]) -> Features {
        features_of(texts, KEYS)
    }

    fn features_of(texts: &[&str], keys: MeetingKeys) -> Features {
        let cancel = Cancel::default();
        let languages = vec![Some(Language::from_code("en")); texts.len()];
        let analyser = Analyser::new(Profile::default());
        let analysed = analyser.analyse(texts, &languages, false, &cancel).expect("analysed");
        let mut statistics = Statistics::default();
        statistics.add(&[&analysed], &cancel).expect("counted");
        retelling(&analysed, &statistics, keys, &cancel).expect("features")
    }

    #[test]
    fn a_sentence_is_its_terms_and_knows_its_words() {
        let found = features(&["The red dogs bark. And the. Red red dogs!", "Dogs are red."]);
        assert_eq!(found.document_ends, [3, 4]);
        assert_eq!([0, 1, 2, 3].map(|unit| found.range(unit).len()), [3, 0, 2, 2]);
        assert_eq!([0, 1, 2, 3].map(|unit| words_of(found.sketch(unit)).0), [4, 2, 3, 3]);
        assert_eq!(found.met_by.n_units(), 4);
        assert!(found.met_by.of(1).is_empty());
        let ranked = found.ranked.as_ref().expect("made with ranks");
        assert!(ranked.ranks[found.range(0)].is_sorted_by(|a, b| a < b));
        // Both documents have both words.
        assert_eq!(found.weight(3), to_units(2.0));
    }

    #[test]
    fn formulas_tell_less_than_they_have_words() {
        let texts = ["Thanks for all. The dam of Lund broke", "Thanks for all.", "Thanks he said."];
        let found = features_of(&texts, MeetingKeys { rarity: 1.0, ..KEYS });
        // Every document has the word, and its weight is 1 of log(3) + 1: 3 / 2.1 words.
        assert_eq!([0, 1].map(|unit| words_of(found.sketch(unit))), [(3, 1), (5, 5)]);
        assert_eq!(
            [0, 1, 2, 3].map(|unit| is_attributed(found.sketch(unit))),
            [false, false, false, true]
        );
    }

    #[test]
    fn sentences_meet_by_rare_terms_in_any_order_and_by_runs() {
        let shared = |a: &str, b: &str| {
            let found = features(&[a, b, "ant bee cat dog elk fox gnu hen"]);
            let [x, y] = [0, 1]
                .map(|unit| -> BTreeSet<u32> { found.met_by.of(unit).iter().copied().collect() });
            x.intersection(&y).count()
        };
        // Ten pairs of five terms, and no run.
        assert_eq!(shared("ant bee cat dog elk", "elk dog cat bee ant"), 10);
        // What one document alone has is no key: three pairs of three terms.
        assert_eq!(shared("ant bee cat one two", "three cat bee ant"), 3);
        assert_eq!(shared("yak", "yak zebu"), 0);
        assert_eq!(shared("yak", "yak"), 2);
    }

    proptest! {
        #[test]
        fn ranks_are_sorted_and_come_once(mut ranks in prop::collection::vec(0_u32..60, 0..70)) {
            let expected: Vec<u32> = BTreeSet::from_iter(ranks.iter().copied()).into_iter().collect();
            prop_assert_eq!(distinct(&mut ranks), expected);
        }

        #[test]
        fn the_smaller_neighbours_are_the_smallest_of_two(runs in prop::collection::vec(0_u64..9, 2..20)) {
            let runs: Vec<u64> = runs.into_iter().map(|run| run << 32).collect();
            let (mut kept, mut expected) = (vec![7], vec![7]);
            smaller_neighbours(&runs, &mut kept);
            smallest(&runs, 2, |at| expected.push(short(runs[at])));
            prop_assert_eq!(kept, expected);
        }
    }

    #[test]
    fn the_smallest_of_each_window_is_kept() {
        let hashes = [77, 74, 42, 17, 98, 50, 17, 98, 8, 88, 67, 39, 77, 74, 42, 17, 98];
        let mut kept = Vec::new();
        smallest(&hashes, 4, |at| kept.push((hashes[at], at)));
        assert_eq!(kept, [(17, 3), (17, 6), (8, 8), (39, 11), (17, 15)]);
        kept.clear();
        smallest(&hashes[..2], 4, |at| kept.push((hashes[at], at)));
        assert_eq!(kept, [(74, 1)]);
    }
}
