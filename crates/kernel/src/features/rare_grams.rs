//! Sentences as their rarest grams of four characters.
//!
//! Yerra: "Detecting similar HTML documents using a sentence-based copy detection approach", 2005,
//! section 3.2.1: a sentence is stripped of stop words and stemmed, its terms are written without
//! spaces, and the three grams that are the least frequent in a collection, one after the other,
//! stand for it.

use super::collect::in_parts;
use super::sentences::distinct;
use super::{Feature, Features, to_units};
use crate::cancel::Cancel;
use crate::effort::BETWEEN_CHECKS;
use crate::error::Result;
use crate::gram_frequencies::{GRAM, GramFrequencies, characters, grams};
use crate::hash;
use crate::text::Analysed;
use crate::text::vocabulary::{Vocabulary, snapshot};

/// What stands for a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RareGramOptions {
    /// How many grams make the key.
    pub rarest: usize,
    /// Sentences of fewer different terms are left out.
    pub min_words: usize,
    /// The features of a sentence are its terms, and the key is its sketch; else the key is its
    /// only feature.
    pub with_words: bool,
}

/// The key of some characters: the rarest grams, of equals the earlier ones, in the order of their
/// places; all there are if they are few; fewer characters than a gram has stand for themselves.
pub fn rarest(text: &[char], frequencies: &GramFrequencies, number: usize) -> String {
    if text.len() < GRAM {
        return text.iter().collect();
    }
    // Those that are kept, the rarest first.
    let mut kept: Vec<(u32, usize)> = Vec::with_capacity(number + 1);
    for (at, gram) in grams(text).enumerate() {
        let found = (frequencies.frequency(gram), at);
        if kept.len() == number && kept.last().is_none_or(|worst| worst.0 <= found.0) {
            continue;
        }
        // A gram that comes again is as frequent as it was, so it is still kept or was beaten.
        if kept.iter().any(|&(_, known)| text[known..known + GRAM] == gram) {
            continue;
        }
        kept.insert(kept.partition_point(|known| *known < found), found);
        kept.truncate(number);
    }
    kept.sort_unstable_by_key(|&(_, at)| at);
    kept.iter().flat_map(|&(_, at)| &text[at..at + GRAM]).collect()
}

#[derive(Default)]
struct Own {
    text: Vec<char>,
    terms: Vec<u32>,
    features: Vec<Feature>,
}

/// The key of every sentence, each of which weighs 1; one with too few terms has none.
pub fn rare_grams(
    analysed: &Analysed,
    frequencies: &GramFrequencies,
    options: &RareGramOptions,
    cancel: &Cancel,
) -> Result<Features> {
    let vocabulary = snapshot(&analysed.vocabulary);
    let hashes = vocabulary.term_hashes();
    let width = usize::from(options.with_words);
    let empty = Features { sketch_width: width, ..Features::default() };
    in_parts(analysed.n_documents(), &empty, cancel, |document, own: &mut Own, all| {
        for (n, sentence) in analysed.sentences_of(document).enumerate() {
            if n % BETWEEN_CHECKS == 0 {
                cancel.check()?;
            }
            own.features.clear();
            let key = key(analysed, &vocabulary, sentence, frequencies, options, own);
            let key = key.map(|text| hash::term(&text));
            let feature = |key| Feature { key, weight: to_units(1.0), count: 1 };
            if options.with_words {
                own.features.extend(own.terms.iter().map(|&term| feature(hashes[term as usize])));
                all.sketches.push(key.unwrap_or(0));
            } else {
                own.features.extend(key.map(feature));
            }
            all.push(&mut own.features, false);
        }
        all.end_document();
        Ok(())
    })
}

/// What stands for a sentence, if it has terms enough; these are in `own` then.
fn key(
    analysed: &Analysed,
    vocabulary: &Vocabulary,
    sentence: usize,
    frequencies: &GramFrequencies,
    options: &RareGramOptions,
    own: &mut Own,
) -> Option<String> {
    let words = &analysed.words[analysed.words_of(sentence)];
    distinct(words, vocabulary, options.min_words, &mut own.terms);
    if own.terms.is_empty() {
        return None;
    }
    characters(analysed, vocabulary, sentence, &mut own.text);
    Some(rarest(&own.text, frequencies, options.rarest))
}

/// The keys of one document: the number of the sentence, the grams, and their hash.
pub fn trace(
    analysed: &Analysed,
    document: usize,
    frequencies: &GramFrequencies,
    options: &RareGramOptions,
) -> Vec<(usize, String, u64)> {
    let vocabulary = snapshot(&analysed.vocabulary);
    let mut own = Own::default();
    let sentences = analysed.sentences_of(document).enumerate();
    let row = |(number, sentence)| {
        let text = key(analysed, &vocabulary, sentence, frequencies, options, &mut own)?;
        let hash = hash::term(&text);
        Some((number, text, hash))
    };
    sentences.filter_map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{Analyser, Profile};
    use proptest::prelude::*;

    fn chars(text: &str) -> Vec<char> {
        text.chars().collect()
    }

    fn frequencies(known: &[(&str, u32)]) -> GramFrequencies {
        let text: String = known.iter().map(|(gram, _)| *gram).collect();
        let numbers: Vec<u32> = known.iter().map(|(_, n)| *n).collect();
        GramFrequencies::from_text(&text, &numbers).expect("grams")
    }

    #[test]
    fn the_rarest_come_in_the_order_of_their_places() {
        let known = frequencies(&[("abcd", 3), ("bcde", 9), ("cdef", 2), ("defg", 1)]);
        assert_eq!(rarest(&chars("abcdefg"), &known, 3), "abcdcdefdefg");
        assert_eq!(rarest(&chars("abcdefg"), &known, 1), "defg");
        // What nobody has seen is the rarest, and of equals the earlier ones are.
        assert_eq!(rarest(&chars("abcdefgh"), &known, 2), "defgefgh");
        assert_eq!(rarest(&chars("uvwxyz"), &known, 2), "uvwxvwxy");
    }

    #[test]
    fn short_sentences_are_all_they_have() {
        let known = GramFrequencies::default();
        assert_eq!(rarest(&chars("abc"), &known, 3), "abc");
        assert_eq!(rarest(&chars("abcde"), &known, 3), "abcdbcde");
        assert_eq!(rarest(&chars("aaaaaaa"), &known, 3), "aaaa");
    }

    #[test]
    fn a_key_is_the_feature_or_the_sketch() {
        let analyser = Analyser::new(Profile::default());
        let texts = ["cats sleep. a", "sleep cats"];
        let analysed = analyser.analyse(&texts, &[None; 2], false, &Cancel::default());
        let analysed = analysed.expect("analysed");
        let known = GramFrequencies::default();
        let options = RareGramOptions { rarest: 3, min_words: 2, with_words: false };
        let made = rare_grams(&analysed, &known, &options, &Cancel::default()).expect("made");
        let rows = trace(&analysed, 0, &known, &options);
        assert_eq!((rows.len(), made.keys[0]), (1, rows[0].2));
        assert_eq!((made.n_documents(), made.n_units(), made.keys.len()), (2, 3, 2));
        let options = RareGramOptions { with_words: true, ..options };
        let words = rare_grams(&analysed, &known, &options, &Cancel::default()).expect("made");
        assert_eq!(words.sketches, [made.keys[0], 0, made.keys[1]]);
        assert_eq!(words.keys[words.range(0)], words.keys[words.range(2)]);
        assert_ne!(made.keys[0], made.keys[1], "the order of words decides");
    }

    proptest! {
        #[test]
        fn it_is_the_definition(
            text in "[ab]{0,30}",
            counts in prop::collection::vec(0_u32..4, 16),
            number in 1_usize..5,
        ) {
            let all: Vec<String> = (0..16)
                .map(|n| (0..4).map(|bit| if n >> bit & 1 == 1 { 'a' } else { 'b' }).collect())
                .collect();
            let known: Vec<(&str, u32)> =
                all.iter().map(String::as_str).zip(counts.iter().copied()).collect();
            let known = frequencies(&known);
            let text = chars(&text);
            let mut distinct: Vec<(u32, usize, [char; 4])> = Vec::new();
            for (at, gram) in grams(&text).enumerate() {
                if distinct.iter().all(|row| row.2 != gram) {
                    distinct.push((known.frequency(gram), at, gram));
                }
            }
            distinct.sort_unstable();
            distinct.truncate(number);
            distinct.sort_unstable_by_key(|row| row.1);
            let expected: String = if text.len() < 4 {
                text.iter().collect()
            } else {
                distinct.iter().flat_map(|row| row.2).collect()
            };
            prop_assert_eq!(rarest(&text, &known, number), expected);
        }
    }
}
