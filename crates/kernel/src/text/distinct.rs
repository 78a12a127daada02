//! The distinct words of a chunk, numbered in the order in which they first came.
//!
//! A short word is two machine words: comparing it touches no other memory. That is worth a file
//! of its own because every word of every text comes through here.

use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use super::language::Language;

/// Longer words, in bytes, are compared as strings.
const SHORT: usize = 14;

/// Odd constants with well mixed bits (from the fractional parts of square roots).
const MIX: (u64, u64) = (0x6a09_e667_f3bc_c909, 0xbb67_ae85_84ca_a73b);

/// A distinct word and the language it was met in.
#[derive(Debug, Clone, Copy)]
pub struct Distinct<'t> {
    /// The word as it stands in the text.
    pub surface: &'t str,
    /// The language of the text.
    pub language: Language,
}

#[derive(Clone, Copy)]
struct Short {
    low: u64,
    high: u64,
    number: u32,
}

/// Gives each distinct word a number.
#[derive(Default)]
pub struct Distincts<'t> {
    short: HashTable<Short>,
    long: HashTable<u32>,
    /// The words by number.
    pub words: Vec<Distinct<'t>>,
}

impl<'t> Distincts<'t> {
    /// The number of the word `text[start..end]`, which is not empty.
    #[inline]
    pub fn number(&mut self, text: &'t str, start: usize, end: usize, language: Language) -> u32 {
        if end - start > SHORT {
            return self.number_long(&text[start..end], language);
        }
        let (low, high) = pack(text.as_bytes(), start, end, language);
        let hash = mix(low, high);
        if let Some(found) = self.short.find(hash, |s| s.low == low && s.high == high) {
            return found.number;
        }
        let number = self.push(&text[start..end], language);
        let entry = Short { low, high, number };
        self.short.insert_unique(hash, entry, |s| mix(s.low, s.high));
        number
    }

    fn number_long(&mut self, surface: &'t str, language: Language) -> u32 {
        let hash = hash_long(surface, language);
        let words = &self.words;
        let same = |&n: &u32| {
            let word = &words[n as usize];
            word.surface == surface && word.language == language
        };
        if let Some(&number) = self.long.find(hash, same) {
            return number;
        }
        let number = self.push(surface, language);
        let words = &self.words;
        self.long.insert_unique(hash, number, |&n| {
            let word = &words[n as usize];
            hash_long(word.surface, word.language)
        });
        number
    }

    fn push(&mut self, surface: &'t str, language: Language) -> u32 {
        self.words.push(Distinct { surface, language });
        (self.words.len() - 1) as u32
    }
}

/// The bytes of a short word, its length and its language, in two machine words.
#[inline]
fn pack(bytes: &[u8], start: usize, end: usize, language: Language) -> (u64, u64) {
    let length = end - start;
    let mut word = [0; 16];
    match bytes.get(start..start + 16) {
        // The usual case copies a fixed size and blanks what does not belong to the word.
        Some(sixteen) => {
            word.copy_from_slice(sixteen);
            let kept = u128::from_le_bytes(word) & (u128::MAX >> (128 - 8 * length));
            word = kept.to_le_bytes();
        }
        None => word[..length].copy_from_slice(&bytes[start..end]),
    }
    word[14] = length as u8;
    word[15] = language.number();
    let packed = u128::from_le_bytes(word);
    (packed as u64, (packed >> 64) as u64)
}

#[inline]
fn mix(low: u64, high: u64) -> u64 {
    let product = u128::from(low ^ MIX.0) * u128::from(high ^ MIX.1);
    (product as u64) ^ ((product >> 64) as u64)
}

fn hash_long(surface: &str, language: Language) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(surface.as_bytes());
    hasher.write_u8(language.number());
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        #[test]
        fn equal_words_of_a_language_have_equal_numbers(
            words in prop::collection::vec(("[ab\u{0}é]{1,18}", 0_usize..2), 0..40)
        ) {
            let languages = [Language::from_code("en"), Language::from_code("tr")];
            let text: String = words.iter().map(|(word, _)| word.as_str()).collect();
            let mut distincts = Distincts::default();
            let mut expected: HashMap<(&str, usize), u32> = HashMap::new();
            let mut at = 0;
            for (word, language) in &words {
                let number = distincts.number(&text, at, at + word.len(), languages[*language]);
                let next = expected.len() as u32;
                prop_assert_eq!(*expected.entry((word, *language)).or_insert(next), number);
                prop_assert_eq!(distincts.words[number as usize].surface, word.as_str());
                at += word.len();
            }
        }
    }
}
