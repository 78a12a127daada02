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
use super::{Features, Ranked};
use crate::cancel::Cancel;
use crate::error::Result;
use crate::hash;
use crate::statistics::{DROPPED, Order, Statistics};
use crate::text::Analysed;
use crate::text::vocabulary::snapshot;

/// How many words the sketch of a sentence has: what stands for its terms in their order, and the
/// number of its words, those without a term included.
pub const SKETCH: usize = 2;

/// Which keys a sentence has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MeetingKeys {
    /// Each two of so many of its rarest terms are one.
    pub rarest: usize,
    /// So many terms in a row may be one; a shorter sentence is one run.
    pub run: usize,
    /// Of so many neighbouring runs, the one with the smallest hash is.
    pub window: usize,
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
    let ranked = Some(Ranked { terms, ranks: Vec::new() });
    let empty = Features { sketch_width: SKETCH, ranked, ..Features::default() };
    let maker = Maker::new(order, keys);
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

struct Maker {
    order: Arc<Order>,
    keys: MeetingKeys,
    /// From this rank on terms are in several documents.
    repeated: u32,
}

/// What is used again from one sentence to the next.
#[derive(Default)]
struct Own {
    /// The terms of a sentence in their order: their ranks, and their hashes.
    ranks: Vec<u32>,
    hashes: Vec<u64>,
    runs: Vec<u64>,
}

impl Maker {
    fn new(order: Arc<Order>, keys: MeetingKeys) -> Self {
        let repeated = order.frequencies.partition_point(|&df| df < 2) as u32;
        Self { order, keys, repeated }
    }

    fn add(&self, words: &[u32], own: &mut Own, features: &mut Features) {
        let ranks = words.iter().map(|&word| self.order.word_ranks[word as usize]);
        own.ranks.clear();
        own.ranks.extend(ranks.filter(|&rank| rank != DROPPED));
        own.hashes.clear();
        own.hashes.extend(own.ranks.iter().map(|&rank| self.order.hashes[rank as usize]));
        features.sketches.extend([hash::run(&own.hashes), words.len() as u64]);
        own.ranks.sort_unstable();
        own.ranks.dedup();
        self.meet(own, &mut features.met_by.keys);
        features.met_by.ends.push(features.met_by.keys.len() as u64);
        let all = &mut features.ranked.as_mut().expect("made with ranks").ranks;
        all.extend_from_slice(&own.ranks);
        features.ends.push(all.len() as u64);
    }

    fn meet(&self, own: &mut Own, found: &mut Vec<u32>) {
        if own.ranks.is_empty() {
            return;
        }
        // The first half is as good as the whole: what meets by chance is told apart later.
        let short = |hash: u64| (hash >> 32) as u32;
        let repeated = &own.ranks[own.ranks.partition_point(|&rank| rank < self.repeated)..];
        let rarest = &repeated[..repeated.len().min(self.keys.rarest)];
        let of = |rank: u32| self.order.hashes[rank as usize];
        for (n, &second) in rarest.iter().enumerate() {
            for &first in &rarest[..n] {
                let (a, b) = (of(first), of(second));
                found.push(short(hash::run(&[a.min(b), a.max(b)])));
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
    use crate::features::to_units;
    use crate::text::{Analyser, Language, Profile};
    use std::collections::BTreeSet;

    const KEYS: MeetingKeys = MeetingKeys { rarest: 5, run: 4, window: 4 };

    fn features(texts: &[&str]) -> Features {
        let cancel = Cancel::default();
        let languages = vec![Some(Language::from_code("en")); texts.len()];
        let analyser = Analyser::new(Profile::default());
        let analysed = analyser.analyse(texts, &languages, false, &cancel).expect("analysed");
        let mut statistics = Statistics::default();
        statistics.add(&[&analysed], &cancel).expect("counted");
        retelling(&analysed, &statistics, KEYS, &cancel).expect("features")
    }

    #[test]
    fn a_sentence_is_its_terms_and_knows_its_words() {
        let found = features(&["The red dogs bark. And the. Red red dogs!", "Dogs are red."]);
        assert_eq!(found.document_ends, [3, 4]);
        assert_eq!([0, 1, 2, 3].map(|unit| found.range(unit).len()), [3, 0, 2, 2]);
        assert_eq!([0, 1, 2, 3].map(|unit| found.sketch(unit)[1]), [4, 2, 3, 3]);
        assert_eq!(found.met_by.n_units(), 4);
        assert!(found.met_by.of(1).is_empty());
        let ranked = found.ranked.as_ref().expect("made with ranks");
        assert!(ranked.ranks[found.range(0)].is_sorted_by(|a, b| a < b));
        // Both documents have both words.
        assert_eq!(found.weight(3), to_units(2.0));
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
