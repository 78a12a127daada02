//! How often each run of four characters occurs in the sentences of a collection.
//!
//! The characters are those of a sentence's terms, written without spaces, as Yerra counts them
//! ("Detecting similar HTML documents using a sentence-based copy detection approach", 2005,
//! section 3.2.1). A run is counted each time it occurs.

use hashbrown::HashMap;
use rayon::prelude::*;
use rustc_hash::FxBuildHasher;

use crate::cancel::Cancel;
use crate::error::{Error, Result};
use crate::text::Analysed;
use crate::text::vocabulary::{Vocabulary, snapshot};

/// How many characters a gram has.
pub const GRAM: usize = 4;

/// Grams of the letters a to z have a place in a table: five bits a letter.
const LETTER_BITS: usize = 5;
const PLACES: usize = 1 << (LETTER_BITS * GRAM);

/// Four characters.
pub type Gram = [char; GRAM];

/// How often each gram occurs.
#[derive(Debug, Clone)]
pub struct GramFrequencies {
    /// Of the letters a to z, by their place.
    letters: Vec<u32>,
    /// Of all others.
    others: HashMap<Gram, u32, FxBuildHasher>,
}

impl Default for GramFrequencies {
    fn default() -> Self {
        Self { letters: vec![0; PLACES], others: HashMap::default() }
    }
}

/// The place of four letters a to z.
fn place(gram: Gram) -> Option<usize> {
    gram.iter().try_fold(0, |place, c| {
        c.is_ascii_lowercase().then(|| place << LETTER_BITS | (*c as usize - 'a' as usize))
    })
}

/// The gram at a place, if letters have it.
fn gram_at(place: usize) -> Option<Gram> {
    let mut gram = ['a'; GRAM];
    for (n, c) in gram.iter_mut().rev().enumerate() {
        let letter = (place >> (n * LETTER_BITS)) & ((1 << LETTER_BITS) - 1);
        *c = char::from(u8::try_from(letter).ok()? + b'a');
        if !c.is_ascii_lowercase() {
            return None;
        }
    }
    Some(gram)
}

/// The grams of some characters, in order.
pub fn grams(characters: &[char]) -> impl Iterator<Item = Gram> {
    characters.windows(GRAM).map(|run| [run[0], run[1], run[2], run[3]])
}

/// Put the characters of the terms of a sentence, those the profile keeps, into `characters`.
pub fn characters(
    analysed: &Analysed,
    vocabulary: &Vocabulary,
    sentence: usize,
    characters: &mut Vec<char>,
) {
    characters.clear();
    for &word in &analysed.words[analysed.words_of(sentence)] {
        let word = vocabulary.word(word);
        if !word.is_dropped {
            characters.extend(vocabulary.term(word.term).chars());
        }
    }
}

impl GramFrequencies {
    /// Frequencies from grams written one after the other, each once.
    pub fn from_text(text: &str, frequencies: &[u32]) -> Result<Self> {
        let all: Vec<char> = text.chars().collect();
        if all.len() != GRAM * frequencies.len() {
            let (n, m) = (all.len(), frequencies.len());
            return Err(Error::Parameter(format!("{n} characters of grams but {m} frequencies")));
        }
        let mut found = Self::default();
        for (run, &frequency) in all.chunks_exact(GRAM).zip(frequencies) {
            let gram = [run[0], run[1], run[2], run[3]];
            if found.frequency(gram) > 0 {
                let gram: String = gram.iter().collect();
                return Err(Error::Parameter(format!("the gram {gram:?} is given twice")));
            }
            found.add_gram(gram, frequency);
        }
        Ok(found)
    }

    /// All grams in their order, written one after the other, and their frequencies.
    pub fn text(&self) -> (String, Vec<u32>) {
        let letters = self.letters.iter().enumerate().filter(|(_, n)| **n > 0);
        let letters = letters.map(|(place, &n)| (gram_at(place).expect("letters are there"), n));
        let mut all: Vec<(Gram, u32)> = letters.collect();
        all.extend(self.others.iter().map(|(&gram, &n)| (gram, n)));
        all.sort_unstable();
        (all.iter().flat_map(|(gram, _)| gram).collect(), all.iter().map(|(_, n)| *n).collect())
    }

    /// How many different grams there are.
    pub fn n_grams(&self) -> usize {
        self.letters.iter().filter(|&&n| n > 0).count() + self.others.len()
    }

    /// How often a gram occurs; 0 if nobody has seen it.
    pub fn frequency(&self, gram: Gram) -> u32 {
        match place(gram) {
            Some(place) => self.letters[place],
            None => self.others.get(&gram).copied().unwrap_or(0),
        }
    }

    fn add_gram(&mut self, gram: Gram, times: u32) {
        let frequency = match place(gram) {
            Some(place) => &mut self.letters[place],
            None => self.others.entry(gram).or_insert(0),
        };
        *frequency = frequency.saturating_add(times);
    }

    /// Count the sentences of a batch. Counts add up, so batches may come in any order.
    pub fn add(&mut self, analysed: &Analysed, cancel: &Cancel) -> Result<()> {
        let vocabulary = snapshot(&analysed.vocabulary);
        let part = analysed.n_documents().div_ceil(rayon::current_num_threads()).max(1);
        let parts: Vec<usize> = (0..analysed.n_documents()).step_by(part).collect();
        let counted = parts
            .into_par_iter()
            .map(|first| {
                let (mut found, mut text) = (Self::default(), Vec::new());
                for document in first..(first + part).min(analysed.n_documents()) {
                    cancel.check()?;
                    for sentence in analysed.sentences_of(document) {
                        characters(analysed, &vocabulary, sentence, &mut text);
                        grams(&text).for_each(|gram| found.add_gram(gram, 1));
                    }
                }
                Ok(found)
            })
            .collect::<Result<Vec<_>>>()?;
        for found in counted {
            for (sum, n) in self.letters.iter_mut().zip(found.letters) {
                *sum = sum.saturating_add(n);
            }
            found.others.into_iter().for_each(|(gram, n)| self.add_gram(gram, n));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{Analyser, Profile};
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn counted(batches: &[Vec<String>]) -> GramFrequencies {
        let analyser = Analyser::new(Profile::default());
        let mut found = GramFrequencies::default();
        for texts in batches {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let languages = vec![None; texts.len()];
            let analysed = analyser.analyse(&texts, &languages, false, &Cancel::default());
            found.add(&analysed.expect("analysed"), &Cancel::default()).expect("counted");
        }
        found
    }

    fn of(text: &str) -> Gram {
        let characters: Vec<char> = text.chars().collect();
        characters.try_into().expect("four characters")
    }

    #[test]
    fn the_grams_of_novel_creations() {
        let text: Vec<char> = "novelcreations".chars().collect();
        let found: Vec<String> = grams(&text).map(String::from_iter).collect();
        let expected = "nove ovel velc elcr lcre crea reat eati atio tion ions";
        assert_eq!(found, expected.split(' ').collect::<Vec<_>>());
    }

    #[test]
    fn a_gram_counts_each_time_and_none_crosses_sentences() {
        let found = counted(&[vec!["aaaaa b1cd. xy".to_owned()], vec!["aaaa ölöl".to_owned()]]);
        assert_eq!(found.frequency(of("aaaa")), 3);
        assert_eq!(found.frequency(of("ab1c")), 1);
        assert_eq!(found.frequency(of("ölöl")), 1);
        assert_eq!((found.frequency(of("b1cd")), found.frequency(of("1cdx"))), (1, 0));
    }

    #[test]
    fn what_is_no_list_of_grams_is_refused() {
        assert!(GramFrequencies::from_text("abcde", &[1]).is_err());
        assert!(GramFrequencies::from_text("abcdabcd", &[1, 2]).is_err());
        assert!(GramFrequencies::from_text("äbcdäbcd", &[1, 2]).is_err());
        assert_eq!(GramFrequencies::from_text("", &[]).expect("nothing").n_grams(), 0);
    }

    proptest! {
        #[test]
        fn batches_do_not_matter_and_text_comes_back(
            texts in prop::collection::vec("[a-cz é1]{0,12}", 0..8),
            cut in 0_usize..8,
        ) {
            let one = counted(std::slice::from_ref(&texts));
            let (head, tail) = texts.split_at(cut.min(texts.len()));
            let two = counted(&[tail.to_vec(), head.to_vec()]);
            prop_assert_eq!(one.text(), two.text());
            let (text, frequencies) = one.text();
            let again = GramFrequencies::from_text(&text, &frequencies).expect("grams");
            prop_assert_eq!(again.text(), one.text());
            prop_assert_eq!(one.n_grams(), frequencies.len());
            let mut slow: BTreeMap<Gram, u32> = BTreeMap::new();
            let all: Vec<char> = text.chars().collect();
            for run in all.chunks(GRAM) {
                *slow.entry([run[0], run[1], run[2], run[3]]).or_default() += 1;
            }
            prop_assert!(slow.values().all(|&n| n == 1), "each gram is written once");
        }
    }
}
