//! From a word to its number.
//!
//! A short word is two machine words: comparing it touches no other memory. That is worth a file
//! of its own because every word of every text comes through here.

use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use super::language::Language;

/// Longer words, in bytes, are compared as strings.
pub const SHORT: usize = 14;

/// Odd constants with well mixed bits (from the fractional parts of square roots).
const MIX: (u64, u64) = (0x6a09_e667_f3bc_c909, 0xbb67_ae85_84ca_a73b);

/// Which bits of sixteen bytes belong to a word of each length.
const KEPT: [(u64, u64); 16] = {
    let mut kept = [(0, 0); 16];
    let mut length = 1;
    while length < 16 {
        let bits = u128::MAX >> (128 - 8 * length);
        kept[length] = (bits as u64, (bits >> 64) as u64);
        length += 1;
    }
    kept
};

/// A short word, its length and its language, in two machine words. All zeros are no word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Packed {
    low: u64,
    high: u64,
}

impl Packed {
    /// Pack the word `bytes[start..end]`, which has at least one and at most `SHORT` bytes.
    #[inline]
    pub fn new(bytes: &[u8], start: usize, end: usize, language: Language) -> Self {
        let length = end - start;
        let mut bits = [0; 2];
        match bytes.get(start..start + 16) {
            // The usual case loads a fixed size and blanks what does not belong to the word.
            Some(sixteen) => {
                for (n, bits) in bits.iter_mut().enumerate() {
                    let eight = sixteen[8 * n..8 * n + 8].try_into().expect("eight bytes");
                    *bits = u64::from_le_bytes(eight);
                }
            }
            None => {
                let mut word = [0; 16];
                word[..length].copy_from_slice(&bytes[start..end]);
                let word = u128::from_le_bytes(word);
                bits = [word as u64, (word >> 64) as u64];
            }
        }
        let (low, high) = KEPT[length & 15];
        let about = (length as u64) << 48 | u64::from(language.number()) << 56;
        Self { low: bits[0] & low, high: bits[1] & high | about }
    }

    #[inline]
    fn hash(self) -> u64 {
        let product = u128::from(self.low ^ MIX.0) * u128::from(self.high ^ MIX.1);
        (product as u64) ^ ((product >> 64) as u64)
    }
}

/// The numbers of short words, in one flat table: finding one mostly touches one place in memory.
#[derive(Debug, Clone, Default)]
pub struct ShortWords {
    slots: Vec<(Packed, u32)>,
    len: usize,
}

impl ShortWords {
    /// The number of a word.
    #[inline]
    pub fn find(&self, word: Packed) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let (found, number) = self.slots[self.slot(word)];
        (found == word).then_some(number)
    }

    /// Give a word a number that has none yet.
    pub fn insert(&mut self, word: Packed, number: u32) {
        if 2 * self.len >= self.slots.len() {
            let empty = vec![(Packed::default(), 0); (2 * self.slots.len()).max(1 << 12)];
            for (word, number) in std::mem::replace(&mut self.slots, empty) {
                if word != Packed::default() {
                    let slot = self.slot(word);
                    self.slots[slot] = (word, number);
                }
            }
        }
        let slot = self.slot(word);
        self.slots[slot] = (word, number);
        self.len += 1;
    }

    /// The place of a word, or the empty one where it belongs. At least half of all are empty.
    #[inline]
    fn slot(&self, word: Packed) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = word.hash() as usize & mask;
        while self.slots[slot].0 != word && self.slots[slot].0 != Packed::default() {
            slot = (slot + 1) & mask;
        }
        slot
    }
}

/// A distinct word and the language it was met in.
#[derive(Debug, Clone, Copy)]
pub struct Distinct<'t> {
    /// The word as it stands in the text.
    pub surface: &'t str,
    /// The language of the text.
    pub language: Language,
}

/// Numbers distinct words in the order in which they first come.
#[derive(Default)]
pub struct Distincts<'t> {
    short: ShortWords,
    long: HashTable<u32>,
    /// The words by number.
    pub words: Vec<Distinct<'t>>,
}

impl<'t> Distincts<'t> {
    /// The number of a short word.
    pub fn number_short(&mut self, packed: Packed, surface: &'t str, language: Language) -> u32 {
        if let Some(number) = self.short.find(packed) {
            return number;
        }
        let number = self.push(surface, language);
        self.short.insert(packed, number);
        number
    }

    /// The number of a long word.
    pub fn number_long(&mut self, surface: &'t str, language: Language) -> u32 {
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
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn equal_words_of_a_language_have_equal_numbers(
            words in prop::collection::vec(("[ab\u{0}é]{1,18}", 0_usize..2), 0..4_000)
        ) {
            let languages = [Language::from_code("en"), Language::from_code("tr")];
            let text: String = words.iter().map(|(word, _)| word.as_str()).collect();
            let mut distincts = Distincts::default();
            let mut expected: HashMap<(&str, u8), u32> = HashMap::new();
            let mut at = 0;
            for (word, language) in &words {
                let (end, language) = (at + word.len(), &languages[*language]);
                let number = if word.len() > SHORT {
                    distincts.number_long(&text[at..end], *language)
                } else {
                    let packed = Packed::new(text.as_bytes(), at, end, *language);
                    distincts.number_short(packed, &text[at..end], *language)
                };
                let next = expected.len() as u32;
                prop_assert_eq!(*expected.entry((word, language.number())).or_insert(next), number);
                prop_assert_eq!(distincts.words[number as usize].surface, word.as_str());
                at += word.len();
            }
        }
    }
}
