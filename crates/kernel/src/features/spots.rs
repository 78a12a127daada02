//! Spot signatures: what follows a stop word.
//!
//! Theobald, Siddharth, Paepcke: "SpotSigs: robust and efficient near duplicate detection in large
//! Web collections", SIGIR 2008, section 3: an antecedent and the chain of words behind it that are
//! no stop words, so many of them apart. Stop words are frequent in running text and rare in
//! navigation and advertisements.

use super::collect::collect;
use super::{Feature, Features, to_units};
use crate::cancel::Cancel;
use crate::error::Result;
use crate::hash;
use crate::text::vocabulary::{Vocabulary, snapshot};
use crate::text::{Analysed, Language};

/// The antecedents that did best in the paper: articles, and the forms of be, can, will, have, do.
const ANTECEDENTS: [&str; 24] = [
    "a", "an", "are", "am", "be", "been", "being", "can", "could", "did", "do", "does", "doing",
    "done", "had", "has", "have", "having", "is", "the", "was", "were", "will", "would",
];

/// How long a signature is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpotOptions {
    /// How many words follow the antecedent.
    pub chain: usize,
    /// How many words lie between one and the next, this one included.
    pub distance: usize,
    /// It is kept how often a document has a signature.
    pub counted: bool,
}

/// A word of a document that matters: the number of its sentence, and its term.
#[derive(Clone, Copy)]
struct Place {
    sentence: usize,
    term: u32,
}

/// The words of a document that are no stop words, and the antecedents between them, each with the
/// number of such words before it.
#[derive(Default)]
struct Own {
    words: Vec<Place>,
    antecedents: Vec<(usize, Place)>,
}

struct Spots<'a> {
    analysed: &'a Analysed,
    vocabulary: &'a Vocabulary,
    options: &'a SpotOptions,
}

impl Spots<'_> {
    /// Call `visit` with the antecedent and the chain of each signature of a document.
    fn visit(&self, document: usize, own: &mut Own, mut visit: impl FnMut(Place, &[Place])) {
        self.read(document, own);
        let mut chain = Vec::with_capacity(self.options.chain);
        for &(before, antecedent) in &own.antecedents {
            chain.clear();
            let behind = own.words[before..].iter().skip(self.options.distance - 1);
            chain.extend(behind.step_by(self.options.distance).take(self.options.chain));
            if chain.len() == self.options.chain {
                visit(antecedent, &chain);
            }
        }
    }

    fn read(&self, document: usize, own: &mut Own) {
        own.words.clear();
        own.antecedents.clear();
        let language = self.analysed.languages[document];
        for (sentence, number) in self.analysed.sentences_of(document).enumerate() {
            for &word in &self.analysed.words[self.analysed.words_of(number)] {
                let word = self.vocabulary.word(word);
                let place = Place { sentence, term: word.term };
                if self.is_antecedent(language, word.is_stop, word.term) {
                    own.antecedents.push((own.words.len(), place));
                }
                if !word.is_stop && !word.is_dropped {
                    own.words.push(place);
                }
            }
        }
    }

    /// The paper names English antecedents; elsewhere every stop word is one.
    fn is_antecedent(&self, language: Language, is_stop: bool, term: u32) -> bool {
        is_stop
            && (language != Language::from_code("en")
                || ANTECEDENTS.contains(&self.vocabulary.term(term)))
    }

    fn key(&self, antecedent: Place, chain: &[Place]) -> u64 {
        let hashes = self.vocabulary.term_hashes();
        let parts = std::iter::once(&antecedent).chain(chain);
        parts.map(|place| hashes[place.term as usize]).fold(hash::EMPTY, hash::extend)
    }
}

/// The spot signatures of every document; each weighs 1.
pub fn spots(analysed: &Analysed, options: &SpotOptions, cancel: &Cancel) -> Result<Features> {
    let vocabulary = snapshot(&analysed.vocabulary);
    let spots = Spots { analysed, vocabulary: &vocabulary, options };
    collect(analysed.n_documents(), options.counted, cancel, |document, own: &mut Own, found| {
        spots.visit(document, own, |antecedent, chain| {
            let key = spots.key(antecedent, chain);
            found.push(Feature { key, weight: to_units(1.0), count: 1 });
        });
    })
}

/// The spot signatures of one document: the number of the antecedent's sentence, the words, the
/// key.
pub fn trace(
    analysed: &Analysed,
    document: usize,
    options: &SpotOptions,
) -> Vec<(usize, Vec<String>, u64)> {
    let vocabulary = snapshot(&analysed.vocabulary);
    let spots = Spots { analysed, vocabulary: &vocabulary, options };
    let mut rows = Vec::new();
    spots.visit(document, &mut Own::default(), |antecedent, chain| {
        let places = std::iter::once(&antecedent).chain(chain);
        let texts = places.map(|place| vocabulary.term(place.term).to_owned()).collect();
        rows.push((antecedent.sentence, texts, spots.key(antecedent, chain)));
    });
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{Analyser, Joiner, Profile, Stem};

    fn analysed(text: &str, language: &str) -> Analysed {
        let profile = Profile {
            drop_stop_words: true,
            drop_numbers: false,
            stem: Stem::None,
            joiner: Joiner::Keep,
            min_length: 1,
            longest: None,
        };
        let languages = [Some(Language::from_code(language))];
        let found = Analyser::new(profile).analyse(&[text], &languages, false, &Cancel::default());
        found.expect("analysed")
    }

    fn labels(text: &str, language: &str, chain: usize, distance: usize) -> Vec<String> {
        let options = SpotOptions { chain, distance, counted: false };
        let rows = trace(&analysed(text, language), 0, &options);
        rows.into_iter().map(|row| row.1.join(":")).collect()
    }

    #[test]
    fn the_example_of_the_paper() {
        // Figure 2 of the paper, with the antecedents a, an, the, is; chains of two neighbours.
        let text = "at a rally to kick off a weeklong campaign for the South Carolina primary, \
                    Obama tried to set the record straight from an attack circulating widely on \
                    the Internet that is designed to play into prejudices against Muslims and \
                    fears of terrorism";
        let expected = [
            "a:rally:kick",
            "a:weeklong:campaign",
            "the:south:carolina",
            "the:record:straight",
            "an:attack:circulating",
            "the:internet:designed",
            "is:designed:play",
        ];
        assert_eq!(labels(text, "en", 2, 1), expected);
    }

    #[test]
    fn chains_have_a_distance_and_cross_sentences() {
        let text = "The ant bit bees. Cats ran.";
        assert_eq!(labels(text, "en", 2, 2), ["the:bit:cats"]);
        assert_eq!(labels(text, "en", 5, 1), ["the:ant:bit:bees:cats:ran"]);
        assert_eq!(labels(text, "en", 6, 1), Vec::<String>::new());
        assert_eq!(labels("Of ants bitten.", "en", 1, 1), Vec::<String>::new());
    }

    #[test]
    fn other_languages_have_all_their_stop_words() {
        assert_eq!(labels("Von Ameisen gebissen", "de", 2, 1), ["von:ameisen:gebissen"]);
    }

    #[test]
    fn signatures_are_counted_where_asked() {
        let analysed = analysed("the ant bit the ant bit the bee", "en");
        let options = SpotOptions { chain: 2, distance: 1, counted: true };
        let found = spots(&analysed, &options, &Cancel::default()).expect("made");
        assert_eq!(found.counts, [2]);
    }
}
