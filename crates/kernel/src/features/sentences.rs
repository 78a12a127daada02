//! The distinct words of each sentence, with their idf, and their signature.
//!
//! Kim, Candan, Tatemura: "Efficient overlap and content reuse detection in blogs and online news
//! articles", WWW 2009: section 2.1 compares sentences by their words, section 3 by signatures that
//! superimpose a few bits of each word.

use rayon::prelude::*;

use super::{Feature, Features, to_units};
use crate::cancel::Cancel;
use crate::error::Result;
use crate::hash;
use crate::statistics::{Idf, Statistics};
use crate::text::Analysed;
use crate::text::vocabulary::{Vocabulary, snapshot};

/// The most bits a signature may have.
pub const MOST_BITS: u32 = 256;

/// How words become bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Signatures {
    /// How many bits a signature has, at most [`MOST_BITS`].
    pub bits: u32,
    /// How many different bits each word sets, at most all.
    pub bits_per_word: u32,
}

impl Signatures {
    /// How many 64-bit words a signature fills.
    pub fn width(self) -> usize {
        self.bits.div_ceil(u64::BITS) as usize
    }

    /// Call `found` with each bit of a word, which is known by its hash. Positions come from hashing
    /// on until there are enough different ones.
    pub fn places(self, word: u64, mut found: impl FnMut(usize)) {
        let mut own = [0_u64; MOST_BITS as usize / 64];
        let (mut n, mut next) = (0, word);
        while n < self.bits_per_word {
            next = hash::extend(next, word);
            // The upper bits times the range: evenly spread also where m is no power of two.
            let place = ((u128::from(next) * u128::from(self.bits)) >> 64) as usize;
            let bit = 1 << (place % 64);
            if own[place / 64] & bit == 0 {
                own[place / 64] |= bit;
                n += 1;
                found(place);
            }
        }
    }

    /// Set the bits of a word.
    pub fn add(self, word: u64, signature: &mut [u64]) {
        self.places(word, |place| signature[place / 64] |= 1 << (place % 64));
    }
}

/// The sentences of every document as sets of words, or as bags if `counted`. One of fewer than
/// `min_words` different words has no features: nothing is said of it.
pub fn sentences(
    analysed: &Analysed,
    statistics: &Statistics,
    min_words: usize,
    signatures: Option<Signatures>,
    counted: bool,
    cancel: &Cancel,
) -> Result<Features> {
    let vocabulary = snapshot(&analysed.vocabulary);
    statistics.resolve(&vocabulary, |frequencies| {
        let weights = Weights::new(frequencies, statistics.documents(), analysed.words.len());
        let documents: Vec<usize> = (0..analysed.n_documents()).collect();
        let parts = documents
            .par_chunks(256)
            .map(|part| {
                let width = signatures.map_or(0, Signatures::width);
                let mut features = Features { sketch_width: width, ..Features::default() };
                let mut words = Vec::new();
                for &document in part {
                    cancel.check()?;
                    for sentence in analysed.sentences_of(document) {
                        let found = &analysed.words[analysed.words_of(sentence)];
                        sorted(found, &vocabulary, min_words, &mut words);
                        if !counted {
                            words.dedup();
                        }
                        push(&words, &vocabulary, &weights, signatures, counted, &mut features);
                    }
                    features.end_document();
                }
                Ok(features)
            })
            .collect::<Result<Vec<_>>>()?;
        let mut all = Features::default();
        all.append_all(parts);
        Ok(all)
    })
}

/// The same sentences with signatures of their words, whatever sketches they had.
pub fn signed(features: &Features, signatures: Signatures, cancel: &Cancel) -> Result<Features> {
    let width = signatures.width();
    let mut sketches = vec![0; features.n_units() * width];
    for (unit, signature) in sketches.chunks_exact_mut(width).enumerate() {
        cancel.check()?;
        features.keys[features.range(unit)]
            .iter()
            .for_each(|&word| signatures.add(word, signature));
    }
    Ok(Features { sketch_width: width, sketches, ..features.clone() })
}

/// The weight of each term: `log(N / df)`, where one that nobody has seen counts as seen once.
struct Weights<'a> {
    frequencies: &'a [u32],
    documents: u64,
    /// All of them, if that is worth it.
    known: Vec<u64>,
}

impl<'a> Weights<'a> {
    /// To be asked for so often: what is small costs the same however many terms there are.
    fn new(frequencies: &'a [u32], documents: u64, asked: usize) -> Self {
        let mut weights = Self { frequencies, documents, known: Vec::new() };
        if asked >= frequencies.len() {
            weights.known = (0..frequencies.len()).into_par_iter().map(|n| weights.of(n)).collect();
        }
        weights
    }

    fn of(&self, term: usize) -> u64 {
        self.known.get(term).copied().unwrap_or_else(|| {
            let weight =
                Idf::Plain.weight(self.documents, self.frequencies[term], std::f64::consts::E);
            to_units(weight)
        })
    }
}

/// The different terms of a sentence; none if they are too few.
pub(super) fn distinct(
    words: &[u32],
    vocabulary: &Vocabulary,
    min_words: usize,
    terms: &mut Vec<u32>,
) {
    sorted(words, vocabulary, min_words, terms);
    terms.dedup();
}

/// The terms of a sentence, sorted; none if too few are different.
fn sorted(words: &[u32], vocabulary: &Vocabulary, min_words: usize, terms: &mut Vec<u32>) {
    terms.clear();
    let known = words.iter().map(|&w| vocabulary.word(w)).filter(|w| !w.is_dropped);
    terms.extend(known.map(|w| w.term));
    terms.sort_unstable();
    if terms.chunk_by(|a, b| a == b).count() < min_words {
        terms.clear();
    }
}

fn push(
    terms: &[u32],
    vocabulary: &Vocabulary,
    weights: &Weights<'_>,
    signatures: Option<Signatures>,
    counted: bool,
    features: &mut Features,
) {
    let hashes = vocabulary.term_hashes();
    let feature = |&term: &u32| Feature {
        key: hashes[term as usize],
        weight: weights.of(term as usize),
        count: 1,
    };
    let start = features.sketches.len();
    features.sketches.resize(start + features.sketch_width, 0);
    if let Some(signatures) = signatures {
        let signature = &mut features.sketches[start..];
        terms.iter().for_each(|&term| signatures.add(hashes[term as usize], signature));
    }
    features.push(&mut terms.iter().map(feature).collect::<Vec<_>>(), counted);
}

/// The words of one document: the number of the sentence, the term, its key and weight in units.
pub fn trace(
    analysed: &Analysed,
    document: usize,
    statistics: &Statistics,
    min_words: usize,
) -> Vec<(usize, String, u64, u64)> {
    let vocabulary = snapshot(&analysed.vocabulary);
    statistics.resolve(&vocabulary, |frequencies| {
        let weights = Weights::new(frequencies, statistics.documents(), 0);
        let (mut found, mut terms) = (Vec::new(), Vec::new());
        for (number, sentence) in analysed.sentences_of(document).enumerate() {
            let words = &analysed.words[analysed.words_of(sentence)];
            sorted(words, &vocabulary, min_words, &mut terms);
            terms.dedup();
            terms.sort_unstable_by_key(|&term| vocabulary.term(term));
            for &term in &terms {
                let (text, n) = (vocabulary.term(term).to_owned(), term as usize);
                found.push((number, text, vocabulary.term_hashes()[n], weights.of(n)));
            }
        }
        found
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{Analyser, Profile};
    use proptest::prelude::*;

    fn features(texts: &[&str], min_words: usize, signatures: Option<Signatures>) -> Features {
        let cancel = Cancel::default();
        let languages = vec![Some(crate::text::Language::from_code("en")); texts.len()];
        let analyser = Analyser::new(Profile::default());
        let analysed = analyser.analyse(texts, &languages, false, &cancel).expect("analysed");
        let mut statistics = Statistics::default();
        statistics.add(&[&analysed], &cancel).expect("counted");
        sentences(&analysed, &statistics, min_words, signatures, false, &cancel).expect("features")
    }

    #[test]
    fn a_sentence_is_the_set_of_its_words() {
        let found =
            features(&["Red dogs bark. Red red dogs. Hi.", "", "Barking dogs, red!"], 2, None);
        assert_eq!(found.document_ends, [3, 3, 4]);
        assert_eq!((found.range(1).len(), found.range(2).len()), (2, 0));
        assert_eq!(found.signature(0), found.signature(3));
        // Two of three documents have each of the words.
        let expected = to_units(1.5_f64.ln());
        assert!(found.weights.iter().all(|&weight| weight == expected));
    }

    #[test]
    fn counted_words_come_as_often_as_they_do() {
        let cancel = Cancel::default();
        let analyser = Analyser::new(Profile::default());
        let analysed = analyser.analyse(&["Red red dogs. Red red."], &[None], false, &cancel);
        let (analysed, statistics) = (analysed.expect("analysed"), Statistics::default());
        let found = sentences(&analysed, &statistics, 2, None, true, &cancel).expect("features");
        let mut counts = found.counts.clone();
        counts.sort_unstable();
        assert_eq!((counts, found.ends), (vec![1, 2], vec![2, 2]));
    }

    #[test]
    fn signatures_superimpose_the_bits_of_words() {
        let signatures = Some(Signatures { bits: 100, bits_per_word: 3 });
        let found = features(&["red dogs bark loud. red dogs."], 1, signatures);
        assert_eq!((found.sketch_width, found.sketches.len()), (2, 4));
        let [whole, part] = [0, 1].map(|unit| found.sketch(unit));
        assert!(whole.iter().zip(part).all(|(w, p)| w & p == *p));
        assert!(part.iter().map(|word| word.count_ones()).sum::<u32>() >= 3);
        assert_eq!(whole[1] >> 36, 0, "bit 100 and above are not used");
    }

    proptest! {
        #[test]
        fn a_word_sets_so_many_different_bits(word: u64, bits in 1_u32..=256, share in 0.0..1.0) {
            let bits_per_word = 1 + (f64::from(bits - 1) * share) as u32;
            let signatures = Signatures { bits, bits_per_word };
            let mut signature = vec![0; signatures.width()];
            signatures.add(word, &mut signature);
            let set: u32 = signature.iter().map(|word| word.count_ones()).sum();
            prop_assert_eq!(set, bits_per_word);
            let mut again = signature.clone();
            signatures.add(word, &mut again);
            prop_assert_eq!(signature, again);
        }
    }
}
