//! Sentences as their heaviest terms.
//!
//! Lin, Liao, Lee: "Detecting near-duplicate documents using sentence-level features and supervised
//! learning", Expert Systems with Applications 40, 2013: the k terms of a sentence with the largest
//! tf·idf are its feature, a document is the set of the features of its sentences.

use super::collect::collect;
use super::sentences::distinct;
use super::{Feature, Features, to_units};
use crate::cancel::Cancel;
use crate::error::Result;
use crate::hash;
use crate::statistics::{Idf, Statistics};
use crate::text::Analysed;
use crate::text::vocabulary::{Vocabulary, snapshot};

/// Which terms of a sentence are taken, and what they become.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TopTermOptions {
    /// How many terms of a sentence are taken.
    pub number: usize,
    /// Sentences of fewer different terms are left out.
    pub min_words: usize,
    /// The terms of a sentence are one feature together; else each is one.
    pub composite: bool,
    /// A term weighs as often as the document has it; else only its idf counts.
    pub term_frequency: bool,
    /// It is kept how often a document has a feature.
    pub counted: bool,
}

/// What the loop over sentences looks at.
struct Terms<'a> {
    analysed: &'a Analysed,
    vocabulary: &'a Vocabulary,
    weights: Vec<u64>,
    options: &'a TopTermOptions,
}

/// How often the document has each term, and the terms of a sentence.
#[derive(Default)]
struct Own {
    counts: Vec<u32>,
    terms: Vec<u32>,
}

impl<'a> Terms<'a> {
    fn new(
        analysed: &'a Analysed,
        vocabulary: &'a Vocabulary,
        statistics: &Statistics,
        options: &'a TopTermOptions,
    ) -> Self {
        let idf = |&df: &u32| Idf::Plain.weight(statistics.documents(), df, std::f64::consts::E);
        let weights = statistics
            .resolve(vocabulary, |all| all.iter().map(|df| to_units(idf(df))).collect::<Vec<_>>());
        Self { analysed, vocabulary, weights, options }
    }

    /// Call `visit` with each sentence of a document and the terms that are its feature, in the
    /// order of their texts.
    fn visit(&self, document: usize, own: &mut Own, mut visit: impl FnMut(usize, &[u32])) {
        let words = &self.analysed.words[self.analysed.words_of_document(document)];
        let terms = words.iter().map(|&w| self.vocabulary.word(w)).filter(|w| !w.is_dropped);
        own.counts.resize(self.weights.len(), 0);
        terms.clone().for_each(|word| own.counts[word.term as usize] += 1);
        for (number, sentence) in self.analysed.sentences_of(document).enumerate() {
            let words = &self.analysed.words[self.analysed.words_of(sentence)];
            distinct(words, self.vocabulary, self.options.min_words, &mut own.terms);
            self.keep_heaviest(own);
            if !own.terms.is_empty() {
                visit(number, &own.terms);
            }
        }
        terms.for_each(|word| own.counts[word.term as usize] = 0);
    }

    /// Keep the terms with the largest (weight, text), sorted by text.
    fn keep_heaviest(&self, own: &mut Own) {
        let text = |term: u32| self.vocabulary.term(term);
        let weight = |term: u32| {
            let times = if self.options.term_frequency { own.counts[term as usize] } else { 1 };
            u128::from(times) * u128::from(self.weights[term as usize])
        };
        own.terms.sort_unstable_by(|&a, &b| {
            weight(b).cmp(&weight(a)).then_with(|| text(b).cmp(text(a)))
        });
        own.terms.truncate(self.options.number);
        own.terms.sort_unstable_by(|&a, &b| text(a).cmp(text(b)));
    }

    /// The keys that the terms of a sentence become, each with its terms.
    fn keys<'t>(&self, terms: &'t [u32]) -> impl Iterator<Item = (u64, &'t [u32])> {
        let size = if self.options.composite { terms.len().max(1) } else { 1 };
        let hashes = self.vocabulary.term_hashes();
        let composite = self.options.composite;
        terms.chunks(size).map(move |part| {
            let parts = part.iter().map(|&term| hashes[term as usize]);
            let key = if composite {
                parts.fold(hash::EMPTY, hash::extend)
            } else {
                hashes[part[0] as usize]
            };
            (key, part)
        })
    }
}

/// The features of every document; each weighs 1.
pub fn top_terms(
    analysed: &Analysed,
    statistics: &Statistics,
    options: &TopTermOptions,
    cancel: &Cancel,
) -> Result<Features> {
    let vocabulary = snapshot(&analysed.vocabulary);
    let terms = Terms::new(analysed, &vocabulary, statistics, options);
    collect(analysed.n_documents(), options.counted, cancel, |document, own: &mut Own, found| {
        terms.visit(document, own, |_, kept| {
            let keys = terms.keys(kept).map(|(key, _)| key);
            found.extend(keys.map(|key| Feature { key, weight: to_units(1.0), count: 1 }));
        });
    })
}

/// The features of one document: the number of the sentence, the terms, the key.
pub fn trace(
    analysed: &Analysed,
    document: usize,
    statistics: &Statistics,
    options: &TopTermOptions,
) -> Vec<(usize, Vec<String>, u64)> {
    let vocabulary = snapshot(&analysed.vocabulary);
    let terms = Terms::new(analysed, &vocabulary, statistics, options);
    let mut rows = Vec::new();
    terms.visit(document, &mut Own::default(), |number, kept| {
        for (key, part) in terms.keys(kept) {
            let texts = part.iter().map(|&term| vocabulary.term(term).to_owned()).collect();
            rows.push((number, texts, key));
        }
    });
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{Analyser, Language, Profile};

    const OPTIONS: TopTermOptions = TopTermOptions {
        number: 2,
        min_words: 2,
        composite: true,
        term_frequency: true,
        counted: false,
    };

    fn analysed(text: &str) -> Analysed {
        let languages = [Some(Language::from_code("en"))];
        let analyser = Analyser::new(Profile::default());
        let found = analyser.analyse(&[text], &languages, false, &Cancel::default());
        found.expect("analysed")
    }

    fn labels(text: &str, options: &TopTermOptions) -> Vec<String> {
        let known = [("ant", 1), ("bee", 10), ("cat", 10), ("dog", 100)];
        let statistics = Statistics::from_terms(100, known).expect("different terms");
        let rows = trace(&analysed(text), 0, &statistics, options);
        rows.into_iter().map(|row| row.1.join(" ")).collect()
    }

    #[test]
    fn the_heaviest_terms_are_kept_and_sorted_by_text() {
        assert_eq!(labels("dog cat bee ant", &OPTIONS), ["ant cat"]);
        assert_eq!(labels("dog bee ant", &OPTIONS), ["ant bee"]);
        // Three times bee outweighs ant once; of equals the later text is kept.
        assert_eq!(labels("bee bee ant cat bee", &OPTIONS), ["ant bee"]);
        assert_eq!(
            labels("bee bee cat ant bee", &TopTermOptions { number: 1, ..OPTIONS }),
            ["bee"]
        );
        let idf = TopTermOptions { number: 1, term_frequency: false, ..OPTIONS };
        assert_eq!(labels("bee bee cat ant bee", &idf), ["ant"]);
    }

    #[test]
    fn terms_are_features_of_their_own_and_short_sentences_have_none() {
        let terms = TopTermOptions { composite: false, ..OPTIONS };
        assert_eq!(
            labels("dog cat bee ant\n\nelk\n\nant dog", &terms),
            ["ant", "cat", "ant", "dog"]
        );
        assert_eq!(labels("elk", &OPTIONS), Vec::<String>::new());
        assert_eq!(labels("elk", &TopTermOptions { min_words: 1, ..OPTIONS }), ["elk"]);
    }

    #[test]
    fn what_a_document_has_twice_is_counted() {
        let analysed = analysed("ant bee\n\nbee ant\n\ncat dog");
        let counted = TopTermOptions { counted: true, ..OPTIONS };
        let found = top_terms(&analysed, &Statistics::default(), &counted, &Cancel::default());
        let found = found.expect("made");
        let mut counts = found.counts.clone();
        counts.sort_unstable();
        assert_eq!((counts, found.total(0) >> 32), (vec![1, 2], 5));
    }
}
