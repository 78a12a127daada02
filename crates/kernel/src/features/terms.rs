//! The different terms of a document, the rarest first.

use std::cmp::Ordering;

use crate::text::Analysed;
use crate::text::vocabulary::Vocabulary;

/// The terms of a collection and how many documents hold each.
pub struct Terms<'a> {
    /// The texts and hashes of terms.
    pub vocabulary: &'a Vocabulary,
    /// In how many documents each term is, by its number.
    pub frequencies: &'a [u32],
}

impl Terms<'_> {
    /// A term nobody has seen counts as seen once.
    pub fn frequency(&self, term: u32) -> u32 {
        self.frequencies[term as usize].max(1)
    }

    /// The hash of a term.
    pub fn hash(&self, term: u32) -> u64 {
        self.vocabulary.term_hashes()[term as usize]
    }

    /// Put the terms of a document into `found`, each once: rare ones first, equally rare ones by
    /// their text.
    pub fn of(&self, analysed: &Analysed, document: usize, found: &mut Vec<u32>) {
        found.clear();
        for sentence in analysed.sentences_of(document) {
            let words = analysed.words[analysed.words_of(sentence)].iter();
            let kept = words.map(|&w| self.vocabulary.word(w)).filter(|w| !w.is_dropped);
            found.extend(kept.map(|w| w.term));
        }
        found.sort_unstable();
        found.dedup();
        found.sort_unstable_by(|&a, &b| self.order(a, b));
    }

    /// The sentences of a document that hold one of these terms.
    pub fn sentences_with(
        &self,
        analysed: &Analysed,
        document: usize,
        terms: &[u32],
    ) -> Vec<usize> {
        let holds = |sentence: usize| {
            let mut words = analysed.words[analysed.words_of(sentence)].iter();
            words.any(|&word| terms.contains(&self.vocabulary.word(word).term))
        };
        let sentences = analysed.sentences_of(document).enumerate();
        sentences.filter(|&(_, sentence)| holds(sentence)).map(|(n, _)| n).collect()
    }

    fn order(&self, a: u32, b: u32) -> Ordering {
        let by_text = || self.vocabulary.term(a).cmp(self.vocabulary.term(b));
        self.frequency(a).cmp(&self.frequency(b)).then_with(by_text)
    }
}
