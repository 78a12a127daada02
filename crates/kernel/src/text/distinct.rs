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

/// How many words a place of the table has room for: what fits a line of the cache.
const ROOM: usize = 3;

/// A place of the table, filled from the front. No word is all zeros, nor is the upper half of one.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(64))]
struct Place {
    low: [u64; ROOM],
    high: [u64; ROOM],
    numbers: [u32; ROOM],
}

impl Place {
    /// The number of a word. All three are compared before anything is decided: where a word stands
    /// cannot be foretold, that it is there mostly can.
    #[inline]
    fn find(&self, word: Packed) -> Option<u32> {
        let differ = |n: usize| (self.low[n] ^ word.low) | (self.high[n] ^ word.high);
        let [first, second, third] = [differ(0), differ(1), differ(2)];
        if first != 0 && second != 0 && third != 0 {
            return None;
        }
        let at = usize::from(first != 0) + usize::from((first != 0) & (second != 0));
        Some(self.numbers[at])
    }

    fn is_full(&self) -> bool {
        self.high[ROOM - 1] != 0
    }

    fn iter(&self) -> impl Iterator<Item = (Packed, u32)> + '_ {
        let word = |n: usize| (Packed { low: self.low[n], high: self.high[n] }, self.numbers[n]);
        (0..ROOM).take_while(|&n| self.high[n] != 0).map(word)
    }
}

/// The numbers of short words, in one flat table: finding one mostly touches one line of memory.
#[derive(Debug, Clone, Default)]
pub struct ShortWords {
    places: Vec<Place>,
    len: usize,
}

impl ShortWords {
    /// The number of a word.
    #[inline]
    pub fn find(&self, word: Packed) -> Option<u32> {
        self.find_from(self.first(word), word)
    }

    /// The same, of a word whose place is known.
    #[inline]
    pub fn find_from(&self, mut at: usize, word: Packed) -> Option<u32> {
        let mask = self.places.len().wrapping_sub(1);
        loop {
            let place = self.places.get(at)?;
            if let Some(number) = place.find(word) {
                return Some(number);
            }
            if !place.is_full() {
                return None;
            }
            at = (at + 1) & mask;
        }
    }

    /// The place where a word would be found, whose memory is asked for and not waited for.
    #[inline]
    pub fn prefetch(&self, word: Packed) -> usize {
        let first = self.first(word);
        #[cfg(target_arch = "x86_64")]
        if let Some(place) = self.places.get(first) {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            #[expect(unsafe_code, reason = "there is no other way to ask the processor")]
            // SAFETY: a hint that reads nothing, with the address of something that is there; the
            // instruction is part of x86-64.
            unsafe {
                _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast());
            }
        }
        first
    }

    /// The place where a word is, unless it was full.
    #[inline]
    fn first(&self, word: Packed) -> usize {
        word.hash() as usize & self.places.len().wrapping_sub(1)
    }

    /// Make room for so many more words.
    pub fn reserve(&mut self, more: usize) {
        // With half of the room in use, hardly a word is in another place than its own.
        let places = (2 * (self.len + more)).div_ceil(ROOM);
        if places <= self.places.len() {
            return;
        }
        let empty = vec![Place::default(); places.next_power_of_two().max(1 << 8)];
        for place in std::mem::replace(&mut self.places, empty) {
            place.iter().for_each(|(word, number)| self.put(word, number));
        }
    }

    /// All words, and their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (Packed, u32)> + '_ {
        self.places.iter().flat_map(Place::iter)
    }

    /// Give a word a number that has none yet.
    pub fn insert(&mut self, word: Packed, number: u32) {
        self.reserve(1);
        self.put(word, number);
        self.len += 1;
    }

    fn put(&mut self, word: Packed, number: u32) {
        let mask = self.places.len() - 1;
        let mut at = self.first(word);
        while self.places[at].is_full() {
            at = (at + 1) & mask;
        }
        let place = &mut self.places[at];
        let n = place.high.iter().take_while(|&&high| high != 0).count();
        (place.low[n], place.high[n], place.numbers[n]) = (word.low, word.high, number);
    }
}

/// Numbers distinct words in the order in which they first come.
#[derive(Default)]
pub struct Distincts {
    short: ShortWords,
    long: HashTable<u32>,
    /// The words, one behind the other.
    surfaces: String,
    /// Where each ends, and the language it was met in.
    ends: Vec<(u32, Language)>,
}

impl Distincts {
    /// The number of a short word.
    pub fn number_short(&mut self, packed: Packed, surface: &str, language: Language) -> u32 {
        if let Some(number) = self.short.find(packed) {
            return number;
        }
        let number = self.push(surface, language);
        self.short.insert(packed, number);
        number
    }

    /// The number of a long word.
    pub fn number_long(&mut self, surface: &str, language: Language) -> u32 {
        let hash = hash_long(surface, language);
        let same = |&n: &u32| self.get(n as usize) == (surface, language);
        if let Some(&number) = self.long.find(hash, same) {
            return number;
        }
        let number = self.push(surface, language);
        let mut long = std::mem::take(&mut self.long);
        long.insert_unique(hash, number, |&n| {
            let (surface, language) = self.get(n as usize);
            hash_long(surface, language)
        });
        self.long = long;
        number
    }

    fn push(&mut self, surface: &str, language: Language) -> u32 {
        self.surfaces.push_str(surface);
        self.ends.push((self.surfaces.len() as u32, language));
        (self.ends.len() - 1) as u32
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// A word as it stands in the text, and the language of the text.
    pub fn get(&self, number: usize) -> (&str, Language) {
        let start = if number == 0 { 0 } else { self.ends[number - 1].0 };
        let (end, language) = self.ends[number];
        (&self.surfaces[start as usize..end as usize], language)
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
                prop_assert_eq!(distincts.get(number as usize), (word.as_str(), *language));
                at += word.len();
            }
        }
    }
}
