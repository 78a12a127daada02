//! Grams: runs of neighbouring words or characters, and which of them are kept as fingerprints.
//!
//! - all of them, or every third: full fingerprinting and DSC, as Varol, Can, Aykanat, Kaya
//!   compare them with CoDet (CIKM 2011, section 4);
//! - runs of grams (super-shingles) and those whose hash is 0 modulo m: Broder, Glassman, Manasse,
//!   Zweig, "Syntactic clustering of the Web", 1997;
//! - the smallest hash of every window: Schleimer, Wilkerson, Aiken, "Winnowing", SIGMOD 2003,
//!   section 3.
//!
//! Grams run over all words of a document that the profile keeps, across its sentences, or within
//! each.

use std::collections::VecDeque;
use std::ops::Range;

use super::collect::collect;
use super::{Feature, Features, to_units};
use crate::cancel::Cancel;
use crate::error::Result;
use crate::hash;
use crate::text::Analysed;
use crate::text::vocabulary::{Vocabulary, snapshot};

/// Which grams are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sampling {
    /// Every one.
    All,
    /// The first, and from there on one in so many, by position.
    Every(usize),
    /// So many neighbouring grams together are one fingerprint.
    Runs(usize),
    /// Those whose hash is a multiple of this.
    Multiples(u64),
    /// The smallest hash of every so many neighbours.
    Winnow(usize),
}

/// What a gram is, and which are kept.
#[derive(Debug, Clone)]
pub struct GramOptions {
    /// How many words or characters a gram has; a shorter document is one gram.
    pub size: usize,
    /// Grams of characters instead of words.
    pub characters: bool,
    /// Which are kept.
    pub sampling: Sampling,
    /// No gram crosses sentences; a shorter sentence is one gram.
    pub within_sentences: bool,
    /// It is kept how often a document has a fingerprint.
    pub counted: bool,
}

/// A fingerprint of one document, for showing where a score comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gram {
    /// The sentence it begins in.
    pub sentence: usize,
    /// Its words or characters.
    pub items: Vec<String>,
    /// Its key.
    pub key: u64,
}

/// The fingerprints of every document; each weighs 1.
pub fn grams(analysed: &Analysed, options: &GramOptions, cancel: &Cancel) -> Result<Features> {
    let vocabulary = snapshot(&analysed.vocabulary);
    let counted = options.counted;
    collect(analysed.n_documents(), counted, cancel, |document, own: &mut Own, found| {
        own.clear();
        walk(analysed, &vocabulary, document, options.characters, |sentence, hash, _| {
            own.push(sentence, hash);
        });
        for run in own.runs(options.within_sentences) {
            keep(&own.hashes[run], options, |_, key| {
                found.push(Feature { key, weight: to_units(1.0), count: 1 });
            });
        }
    })
}

/// The fingerprints of one document, in words.
pub fn trace(analysed: &Analysed, document: usize, options: &GramOptions) -> Vec<Gram> {
    let vocabulary = snapshot(&analysed.vocabulary);
    let (mut own, mut items) = (Own::default(), Vec::new());
    walk(analysed, &vocabulary, document, options.characters, |sentence, hash, text| {
        own.push(sentence, hash);
        items.push(text);
    });
    let mut found = Vec::new();
    for run in own.runs(options.within_sentences) {
        let (sentences, items) = (&own.sentences[run.clone()], &items[run.clone()]);
        keep(&own.hashes[run], options, |range, key| {
            let sentence = sentences[range.start];
            let items = items[range].iter().map(|&text| text.to_owned()).collect();
            found.push(Gram { sentence, items, key });
        });
    }
    found
}

/// The words or characters of a document: their hashes, and the sentences they are in.
#[derive(Default)]
struct Own {
    hashes: Vec<u64>,
    sentences: Vec<usize>,
}

impl Own {
    fn clear(&mut self) {
        self.hashes.clear();
        self.sentences.clear();
    }

    fn push(&mut self, sentence: usize, hash: u64) {
        self.hashes.push(hash);
        self.sentences.push(sentence);
    }

    /// Where each sentence stands, or the whole document.
    fn runs(&self, within_sentences: bool) -> impl Iterator<Item = Range<usize>> {
        let mut start = 0;
        let runs = self.sentences.chunk_by(move |a, b| !within_sentences || a == b);
        runs.map(move |run| {
            start += run.len();
            start - run.len()..start
        })
    }
}

/// The hashes of all grams of a document, for what samples them otherwise.
pub fn all(
    analysed: &Analysed,
    vocabulary: &Vocabulary,
    document: usize,
    size: usize,
    found: &mut Vec<u64>,
) {
    let mut hashes = Vec::new();
    walk(analysed, vocabulary, document, false, |_, hash, _| hashes.push(hash));
    let options = GramOptions {
        size,
        characters: false,
        sampling: Sampling::All,
        within_sentences: false,
        counted: false,
    };
    keep(&hashes, &options, |_, key| found.push(key));
}

/// Call `visit` with the sentence, the hash and the text of each word or character that is kept.
fn walk<'v>(
    analysed: &Analysed,
    vocabulary: &'v Vocabulary,
    document: usize,
    characters: bool,
    mut visit: impl FnMut(usize, u64, &'v str),
) {
    let sentences = analysed.sentences_of(document);
    for (n, sentence) in sentences.enumerate() {
        let words = analysed.words[analysed.words_of(sentence)].iter();
        for word in words.map(|&word| vocabulary.word(word)).filter(|word| !word.is_dropped) {
            let text = vocabulary.term(word.term);
            if characters {
                for (at, c) in text.char_indices() {
                    visit(n, u64::from(u32::from(c)), &text[at..at + c.len_utf8()]);
                }
            } else {
                visit(n, vocabulary.term_hashes()[word.term as usize], text);
            }
        }
    }
}

/// Call `visit` with the place and the key of each gram that is kept.
fn keep(hashes: &[u64], options: &GramOptions, mut visit: impl FnMut(Range<usize>, u64)) {
    if hashes.is_empty() {
        return;
    }
    let size = options.size.min(hashes.len());
    let grams: Vec<u64> = hashes.windows(size).map(fold).collect();
    let mut keep = |at: usize| visit(at..at + size, grams[at]);
    match options.sampling {
        Sampling::All => (0..grams.len()).for_each(keep),
        Sampling::Every(step) => (0..grams.len()).step_by(step).for_each(keep),
        Sampling::Multiples(of) => {
            (0..grams.len()).filter(|&at| grams[at].is_multiple_of(of)).for_each(keep);
        }
        Sampling::Winnow(window) => winnow(&grams, window, &mut keep),
        Sampling::Runs(length) => {
            let length = length.min(grams.len());
            for (at, run) in grams.windows(length).enumerate() {
                visit(at..at + size + length - 1, fold(run));
            }
        }
    }
}

/// The hash of a sequence.
fn fold(hashes: &[u64]) -> u64 {
    hashes.iter().fold(hash::EMPTY, |key, &next| hash::extend(key, next))
}

/// Keep the place of the smallest of every `window` neighbours, the last one of equals; of fewer,
/// the smallest of all.
fn winnow(grams: &[u64], window: usize, keep: &mut impl FnMut(usize)) {
    let window = window.min(grams.len());
    // Places that are the smallest from themselves to here, so the first is the smallest of all.
    let mut smallest: VecDeque<usize> = VecDeque::new();
    let mut last = None;
    for (at, &gram) in grams.iter().enumerate() {
        while smallest.back().is_some_and(|&before| grams[before] >= gram) {
            smallest.pop_back();
        }
        smallest.push_back(at);
        if at + 1 < window {
            continue;
        }
        while smallest[0] + window <= at {
            smallest.pop_front();
        }
        if last != Some(smallest[0]) {
            last = Some(smallest[0]);
            keep(smallest[0]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{Analyser, Joiner, Language, Profile, Stem};
    use proptest::prelude::*;

    fn analysed(texts: &[&str]) -> Analysed {
        let profile = Profile {
            drop_stop_words: false,
            drop_numbers: false,
            stem: Stem::None,
            joiner: Joiner::Keep,
            min_length: 1,
            longest: None,
        };
        let languages = vec![Some(Language::from_code("en")); texts.len()];
        let found = Analyser::new(profile).analyse(texts, &languages, false, &Cancel::default());
        found.expect("analysed")
    }

    fn options(size: usize, sampling: Sampling) -> GramOptions {
        GramOptions { size, characters: false, sampling, within_sentences: false, counted: false }
    }

    fn labels(text: &str, options: &GramOptions) -> Vec<String> {
        trace(&analysed(&[text]), 0, options).into_iter().map(|g| g.items.join(" ")).collect()
    }

    /// Resemblance, and the share of the first text in the second.
    fn shares(texts: [&str; 2], options: &GramOptions) -> (f64, f64) {
        let found = grams(&analysed(&texts), options, &Cancel::default()).expect("grams");
        let [a, b] = [0, 1].map(|n| &found.keys[found.range(n)]);
        let both = a.iter().filter(|key| b.contains(key)).count();
        (both as f64 / (a.len() + b.len() - both) as f64, both as f64 / a.len() as f64)
    }

    #[test]
    fn broders_roses() {
        let texts = ["a rose is a rose is a rose", "a rose is a flower which is a rose"];
        let expected = [(0.6, 1.0), (0.5, 1.0), (3.0 / 7.0, 1.0), (1.0 / 8.0, 1.0 / 3.0)];
        for (size, expected) in (1..).zip(expected) {
            assert_eq!(shares(texts, &options(size, Sampling::All)), expected, "{size} words");
        }
    }

    #[test]
    fn grams_cross_sentences_and_a_short_document_is_one() {
        let four = options(4, Sampling::All);
        assert_eq!(
            labels("One two. Three four five.", &four),
            ["one two three four", "two three four five"]
        );
        assert_eq!(labels("One two.", &four), ["one two"]);
        assert!(labels("...", &four).is_empty());
        let found = trace(&analysed(&["One. Two three."]), 0, &options(2, Sampling::All));
        assert_eq!(found.iter().map(|g| g.sentence).collect::<Vec<_>>(), [0, 1]);
    }

    #[test]
    fn grams_stay_within_sentences_where_asked() {
        let within = GramOptions { within_sentences: true, ..options(2, Sampling::All) };
        assert_eq!(
            labels("One two three. Four. Five six.", &within),
            ["one two", "two three", "four", "five six"]
        );
        let counted = GramOptions { counted: true, ..within };
        let found = grams(&analysed(&["One two one two."]), &counted, &Cancel::default());
        let mut counts = found.expect("grams").counts;
        counts.sort_unstable();
        assert_eq!(counts, [1, 2]);
    }

    #[test]
    fn characters_run_through_words() {
        let two = GramOptions { characters: true, ..options(2, Sampling::All) };
        assert_eq!(labels("Öl a.", &two), ["ö l", "l a"]);
    }

    #[test]
    fn every_third_gram_is_lost_by_a_shift_that_is_no_multiple_of_three() {
        let words: Vec<String> = (0..24).map(|n| format!("w{n}")).collect();
        let text = words.join(" ");
        let found: Vec<f64> = (0..6)
            .map(|shift| {
                let shifted = format!("{} {text}", vec!["x"; shift].join(" "));
                shares([&text, &shifted], &options(4, Sampling::Every(3))).1
            })
            .collect();
        assert_eq!(found, [1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    }

    #[test]
    fn a_super_shingle_of_three_grams_spans_six_words() {
        let runs = options(4, Sampling::Runs(3));
        assert_eq!(labels("a b c d e f g", &runs), ["a b c d e f", "b c d e f g"]);
        assert_eq!(labels("a b c d e", &runs), ["a b c d e"]);
    }

    #[test]
    fn winnowing_keeps_the_smallest_of_each_window() {
        // The example of the paper, section 3.
        let hashes = [77, 74, 42, 17, 98, 50, 17, 98, 8, 88, 67, 39, 77, 74, 42, 17, 98];
        let mut kept = Vec::new();
        winnow(&hashes, 4, &mut |at| kept.push((hashes[at], at)));
        assert_eq!(kept, [(17, 3), (17, 6), (8, 8), (39, 11), (17, 15)]);
    }

    proptest! {
        #[test]
        fn winnowing_is_the_smallest_of_every_window(
            grams in prop::collection::vec(0_u64..20, 1..60),
            window in 1_usize..12,
        ) {
            let mut kept = Vec::new();
            winnow(&grams, window, &mut |at| kept.push(at));
            let mut expected: Vec<usize> = grams
                .windows(window.min(grams.len()))
                .enumerate()
                .map(|(start, run)| {
                    let smallest = run.iter().min().expect("not empty");
                    start + run.iter().rposition(|hash| hash == smallest).expect("it is there")
                })
                .collect();
            expected.dedup();
            prop_assert_eq!(kept, expected);
        }

        #[test]
        fn a_multiple_is_kept_in_both_documents_or_in_neither(
            words in prop::collection::vec("[a-d]", 8..40),
            before in prop::collection::vec("[a-d]", 0..8),
            of in 1_u64..6,
        ) {
            let text = words.join(" ");
            let longer = format!("{} {text}", before.join(" "));
            let sampled = options(4, Sampling::Multiples(of));
            let found = grams(&analysed(&[&text, &longer]), &sampled, &Cancel::default()).expect("grams");
            let [part, whole] = [0, 1].map(|n| &found.keys[found.range(n)]);
            prop_assert!(part.iter().all(|key| whole.contains(key)));
        }
    }
}
