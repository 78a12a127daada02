//! A sentence as it is compared.

use rayon::prelude::*;

use crate::cancel::Cancel;
use crate::error::Result;
use crate::fuzzy::Correlations;
use crate::hash;
use crate::statistics::{Idf, Statistics};
use crate::text::detect::detect;
use crate::text::terms::term;
use crate::text::words::words;
use crate::text::{Language, Profile};

/// How a sentence is read: by which profile, and with which statistics.
#[derive(Debug)]
pub struct Reader<'a> {
    /// How words become terms.
    pub profile: &'a Profile,
    /// What decides how much a term weighs.
    pub statistics: &'a Statistics,
    /// Which terms go together.
    pub correlations: &'a Correlations,
}

/// A different content term of a sentence.
#[derive(Debug, Clone, PartialEq)]
pub struct Content {
    /// The term.
    pub text: String,
    /// Its hash.
    pub key: u64,
    /// Its number in the correlations.
    pub number: u32,
    /// How rare it is.
    pub idf: f64,
}

/// A sentence: hashes of its words and terms in their order, and what else is compared.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sentence {
    /// The words in small letters.
    pub words: Vec<u64>,
    /// The terms.
    pub terms: Vec<u64>,
    /// The idf of each term.
    pub idf: Vec<f64>,
    /// Which of the terms are content.
    pub is_content: Vec<bool>,
    /// The different content terms, sorted by key.
    pub content: Vec<Content>,
    /// The different numbers, sorted.
    pub numbers: Vec<u64>,
    /// The different words with a capital, but for the first one, sorted.
    pub names: Vec<u64>,
    /// Whether something is denied.
    pub is_negated: bool,
    /// The text in small letters, with one space where it had any.
    pub characters: Vec<char>,
}

/// English words that deny.
const DENYING: [&str; 9] =
    ["not", "no", "never", "without", "nor", "none", "nothing", "cannot", "neither"];

impl Reader<'_> {
    /// Read texts, each as one sentence; a language that is not given is detected.
    pub fn read_all(
        &self,
        texts: &[&str],
        language: Option<Language>,
        cancel: &Cancel,
    ) -> Result<Vec<Sentence>> {
        let read = |text: &&str| {
            cancel.check()?;
            Ok(self.read(text, language.unwrap_or_else(|| detect(text))))
        };
        texts.par_iter().map(read).collect()
    }

    /// Read a sentence.
    pub fn read(&self, text: &str, language: Language) -> Sentence {
        let mut found = Sentence::default();
        words(text, 0, text.len(), self.profile.joiner, |from, to| {
            self.add(&text[from..to], language, &mut found);
        });
        found.content.sort_by_key(|content| content.key);
        found.content.dedup_by_key(|content| content.key);
        for set in [&mut found.numbers, &mut found.names] {
            set.sort_unstable();
            set.dedup();
        }
        let lower = text.to_lowercase();
        let spaced = lower.split_whitespace().flat_map(|word| word.chars().chain([' ']));
        found.characters = std::iter::once(' ').chain(spaced).collect();
        found
    }

    fn add(&self, word: &str, language: Language, sentence: &mut Sentence) {
        let lower = word.to_lowercase();
        let mut room = String::new();
        let found = term(word, language, self.profile, &mut room);
        let key = hash::term(&found.text);
        let frequency = self.statistics.frequency(&found.text);
        let documents = self.statistics.documents();
        let idf = Idf::Smooth.weight(documents, frequency, std::f64::consts::E);
        let is_first = sentence.words.is_empty();
        sentence.words.push(hash::term(&lower));
        sentence.terms.push(key);
        sentence.idf.push(idf);
        sentence.is_content.push(!found.is_stop);
        sentence.is_negated |= DENYING.contains(&lower.as_str()) || lower.ends_with("n't");
        if word.starts_with(|c: char| c.is_numeric()) {
            sentence.numbers.push(key);
        }
        if !is_first && word.starts_with(char::is_uppercase) {
            sentence.names.push(hash::term(word));
        }
        if !found.is_stop {
            let number = self.correlations.number(key);
            sentence.content.push(Content { text: found.text.into_owned(), key, number, idf });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_read_once() {
        let (profile, statistics) = (Profile::default(), Statistics::default());
        let correlations = Correlations::default();
        let reader =
            Reader { profile: &profile, statistics: &statistics, correlations: &correlations };
        let found =
            reader.read("The 7 dams  of Lund didn't break, dam!", Language::from_code("en"));
        assert_eq!((found.words.len(), found.terms.len()), (8, 8));
        assert_eq!(found.terms[2], found.terms[7]);
        assert_ne!(found.words[2], found.words[7]);
        assert_eq!((found.numbers.len(), found.names.len()), (1, 1));
        assert!(found.is_negated);
        let content: std::collections::BTreeSet<&str> =
            found.content.iter().map(|content| content.text.as_str()).collect();
        assert!(content.contains("dam") && content.contains("lund"));
        assert!(!content.contains("the"));
        assert_eq!(found.characters[..6], [' ', 't', 'h', 'e', ' ', '7']);
    }
}
