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
use crate::error::Result;
use crate::hash;
use crate::statistics::{DROPPED, Idf, Order, Statistics};
use crate::text::Analysed;
use crate::text::vocabulary::snapshot;

/// How many words the sketch of a sentence has: what stands for its words in their order, how many
/// words it has, those without a term included, how many of them tell something, and its wording.
pub const SKETCH: usize = 2 + wording::WIDTH;

/// The bit of a sketch that says that somebody is said to have said it.
const ATTRIBUTED: u64 = 1 << 63;

/// The bit that says that it is boilerplate of its document's source. It is not known when features
/// are made, and does not make another sentence of it.
pub const BOILERPLATE: u64 = 1 << 62;

/// How many words a sentence has, and how many of them tell something.
pub fn words_of(sketch: &[u64]) -> (u32, u32) {
    (((sketch[1] & !(ATTRIBUTED | BOILERPLATE)) >> 32) as u32, sketch[1] as u32)
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
    let hashes = vocabulary.term_hashes();
    let word_hashes = vocabulary.words().iter().map(|word| hashes[word.term as usize]).collect();
    let maker = Maker::new(order, &terms, word_hashes, statistics.documents(), keys);
    let ranked = Some(Ranked { terms: Arc::clone(&terms), ranks: Vec::new() });
    let empty = Features { sketch_width: SKETCH, ranked, ..Features::default() };
    in_parts(analysed.n_documents(), &empty, cancel, |document, own: &mut Own, features| {
        for sentence in analysed.sentences_of(document) {
            maker.add(&analysed.words[analysed.words_of(sentence)], own, features);
        }
        features.end_document();
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
    /// What stands for each word, also for one without a term.
    word_hashes: Vec<u64>,
    keys: MeetingKeys,
    /// From this rank on terms are in several documents.
    repeated: u32,
    /// The weight of terms, in the mean, where all words tell something.
    rare: f64,
    /// The ranks of terms that say who said something, sorted.
    attributions: Vec<u32>,
}

/// What is used again from one sentence to the next.
#[derive(Default)]
struct Own {
    /// The terms of a sentence in their order: their ranks, and their hashes.
    ranks: Vec<u32>,
    hashes: Vec<u64>,
    runs: Vec<u64>,
}

impl<'a> Maker<'a> {
    fn new(
        order: Arc<Order>,
        terms: &'a Terms,
        word_hashes: Vec<u64>,
        documents: u64,
        keys: MeetingKeys,
    ) -> Self {
        let repeated = order.frequencies.partition_point(|&df| df < 2) as u32;
        let most = Idf::PlusOne.weight(documents, 1, std::f64::consts::E);
        let rare = to_units(keys.rarity * most) as f64;
        let attributions = order.attributions(&ATTRIBUTIONS).to_vec();
        Self { order, terms, word_hashes, keys, repeated, rare, attributions }
    }

    fn add(&self, words: &[u32], own: &mut Own, features: &mut Features) {
        let ranks = words.iter().map(|&word| self.order.word_ranks[word as usize]);
        own.ranks.clear();
        own.ranks.extend(ranks.filter(|&rank| rank != DROPPED));
        own.hashes.clear();
        own.hashes.extend(own.ranks.iter().map(|&rank| self.order.hashes[rank as usize]));
        let [first, second] = wording::wording(words.iter().map(|&n| self.word_hashes[n as usize]));
        // Sentences that differ in a word without a term are not the same.
        let run = hash::extend(hash::extend(hash::run(&own.hashes), first), second);
        own.ranks.sort_unstable();
        own.ranks.dedup();
        features.sketches.extend([run, self.telling(words.len(), &own.ranks), first, second]);
        self.meet(own, &mut features.met_by.keys);
        features.met_by.ends.push(features.met_by.keys.len() as u64);
        let all = &mut features.ranked.as_mut().expect("made with ranks").ranks;
        all.extend_from_slice(&own.ranks);
        features.ends.push(all.len() as u64);
    }

    /// How much so many words with these terms tell: formulas are made of frequent ones.
    fn telling(&self, words: usize, ranks: &[u32]) -> u64 {
        let weight: u64 = ranks.iter().map(|&rank| self.terms.weights[rank as usize]).sum();
        let mean = weight as f64 / ranks.len().max(1) as f64;
        let share = if mean < self.rare { mean / self.rare } else { 1.0 };
        let telling = (words as f64 * share).round() as u64;
        let telling = (words as u64) << 32 | telling;
        let is_attributed = self.attributions.iter().any(|rank| ranks.binary_search(rank).is_ok());
        if is_attributed { telling | ATTRIBUTED } else { telling }
    }

    fn meet(&self, own: &mut Own, found: &mut Vec<u32>) {
        if own.ranks.is_empty() {
            return;
        }
        let repeated = &own.ranks[own.ranks.partition_point(|&rank| rank < self.repeated)..];
        let rarest = &repeated[..repeated.len().min(self.keys.rarest)];
        let of = |rank: u32| self.order.hashes[rank as usize];
        for (n, &second) in rarest.iter().enumerate() {
            for &first in &rarest[..n] {
                found.push(pair_key(of(first), of(second)));
            }
        }
        if rarest.len() < 2 {
            // The same terms in another order have no pair to meet by.
            let terms = own.ranks.iter().map(|&rank| of(rank));
            found.push(short(terms.fold(hash::term("the same terms"), hash::extend)));
        }
        let size = self.keys.run.min(own.hashes.len());
        own.runs.clear();
        own.runs.extend(own.hashes.windows(size).map(hash::run));
        smallest(&own.runs, self.keys.window, |at| found.push(short(own.runs[at])));
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{Analyser, Language, Profile};
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
