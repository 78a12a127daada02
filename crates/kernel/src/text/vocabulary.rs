//! Every distinct word once: its number, its term, what the profile makes of it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, RwLock};

use hashbrown::HashTable;

use super::distinct::{Packed, SHORT, ShortWords};
use super::language::Language;
use super::new_words::NewWords;
use super::profile::Profile;
use super::terms::{Term, key_of, term};
use crate::hash;

/// What is known of a distinct word of a language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word {
    /// The number of its term.
    pub term: u32,
    /// Whether it is a stop word.
    pub is_stop: bool,
    /// Whether the profile leaves it out.
    pub is_dropped: bool,
    /// What stands for the word itself, whatever its case. Two words with one number are possible,
    /// a run of several is not.
    pub folded: u32,
    /// What its characters look like: a sum of the constants of [`shape`].
    pub shape: u8,
}

/// What the characters of a word look like.
pub mod shape {
    /// It begins with a capital letter and has two letters or more.
    pub const CAPITALISED: u8 = 1;
    /// It begins with a digit.
    pub const NUMBER: u8 = 2;
    /// It is of a script written without spaces.
    pub const SOLID: u8 = 4;

    /// The shape of a word as it stands in the text.
    pub fn of(surface: &str) -> u8 {
        let mut characters = surface.chars();
        let Some(first) = characters.next() else { return 0 };
        if first.is_numeric() {
            NUMBER
        } else if crate::text::words::is_solid_script(first) {
            SOLID
        } else if first.is_uppercase() && characters.next().is_some() {
            CAPITALISED
        } else {
            0
        }
    }
}

/// So many words before one is looked up, its place in memory is asked for.
const AHEAD: usize = 8;

/// Numbers of words are below this.
pub(crate) const MAX_WORDS: u32 = 1 << 31;

/// A vocabulary that grows while others read it. Readers take a [`snapshot`] and let go of the
/// lock: a thread that waits for the others of its pool takes up any other work meanwhile, and
/// that may want the very lock it would be holding.
pub type SharedVocabulary = Arc<RwLock<Arc<Vocabulary>>>;

/// The vocabulary as it is now. What has a number in it keeps it.
pub fn snapshot(shared: &SharedVocabulary) -> Arc<Vocabulary> {
    Arc::clone(&shared.read().expect("no panic while the lock is held"))
}

/// Strings, numbered in the order in which they came.
#[derive(Debug, Clone, Default)]
pub(crate) struct Strings {
    bytes: String,
    ends: Vec<usize>,
    hashes: Vec<u64>,
    table: HashTable<u32>,
}

impl Strings {
    pub(crate) fn get(&self, number: u32) -> &str {
        let n = number as usize;
        let start = if n == 0 { 0 } else { self.ends[n - 1] };
        &self.bytes[start..self.ends[n]]
    }

    pub(crate) fn find(&self, hash: u64, string: &str) -> Option<u32> {
        self.table
            .find(hash, |&n| self.hashes[n as usize] == hash && self.get(n) == string)
            .copied()
    }

    pub(crate) fn push(&mut self, hash: u64, string: &str) -> u32 {
        let number = u32::try_from(self.ends.len()).expect("fewer than 2^32 distinct words");
        self.bytes.push_str(string);
        self.ends.push(self.bytes.len());
        self.hashes.push(hash);
        self.table.insert_unique(hash, number, |&n| self.hashes[n as usize]);
        number
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }
}

/// The words and terms met so far under one profile. Numbers are given in order of arrival and
/// mean something only together with the vocabulary; across vocabularies a term is known by its
/// hash.
#[derive(Debug, Clone)]
pub struct Vocabulary {
    id: u64,
    profile: Profile,
    /// The numbers of words, short and long ones.
    short: ShortWords,
    long: Strings,
    long_numbers: Vec<u32>,
    words: Vec<Word>,
    terms: Strings,
}

impl Vocabulary {
    /// An empty vocabulary.
    pub fn new(profile: Profile) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        Self {
            id,
            profile,
            short: ShortWords::default(),
            long: Strings::default(),
            long_numbers: Vec::new(),
            words: Vec::new(),
            terms: Strings::default(),
        }
    }

    /// A number no other vocabulary of this process has.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// The profile all words were treated by.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// A vocabulary of some of the words only, which have other numbers there.
    pub fn part(&self, words: &[u32]) -> Self {
        let mut is_kept = vec![false; self.words.len()];
        words.iter().for_each(|&word| is_kept[word as usize] = true);
        let kept: Vec<u32> =
            (0..is_kept.len() as u32).filter(|&word| is_kept[word as usize]).collect();
        let mut numbers = vec![u32::MAX; is_kept.len()];
        kept.iter().zip(0..).for_each(|(&word, number)| numbers[word as usize] = number);
        let mut part = Self::new(self.profile.clone());
        for &number in &kept {
            let word = self.word(number);
            let (text, hash) = (self.term(word.term), self.terms.hashes[word.term as usize]);
            let term = part.intern_term(text, hash);
            part.words.push(Word { term, ..word });
        }
        part.short.reserve(kept.len());
        let of = |number: u32| Some(numbers[number as usize]).filter(|&number| number != u32::MAX);
        for (word, number) in self.short.iter() {
            of(number).into_iter().for_each(|number| part.short.insert(word, number));
        }
        for (n, &number) in self.long_numbers.iter().enumerate() {
            let Some(number) = of(number) else { continue };
            part.long.push(self.long.hashes[n], self.long.get(n as u32));
            part.long_numbers.push(number);
        }
        part
    }

    /// The number of a short word with its place, if it came before.
    #[inline]
    pub(crate) fn find_short(&self, place: usize, word: Packed) -> Option<u32> {
        self.short.find_from(place, word)
    }

    /// The place of a short word, which is asked for and not waited for.
    #[inline]
    pub(crate) fn prefetch(&self, word: Packed) -> usize {
        self.short.prefetch(word)
    }

    /// The number of a long word of a language, if it came before.
    pub(crate) fn find_long(&self, language: Language, surface: &str) -> Option<u32> {
        let surface = &*key_of(surface);
        let found = self.long.find(surface_hash(language, surface), surface)?;
        Some(self.long_numbers[found as usize])
    }

    /// The number of a word of a language, which is analysed the first time it comes.
    pub fn intern(&mut self, language: Language, surface: &str) -> u32 {
        let key = &*key_of(surface);
        self.find(language, key).unwrap_or_else(|| {
            let mut room = String::new();
            let term = term(key, language, &self.profile, &mut room);
            self.push(language, key, &term)
        })
    }

    /// The numbers of words that somebody analysed.
    pub(crate) fn intern_all(&mut self, new: &NewWords) -> Vec<u32> {
        self.short.reserve(new.len());
        let number = |number: usize| {
            if let Some(next) = new.packed(number + AHEAD) {
                self.short.prefetch(next);
            }
            let (surface, language, term) = new.get(number);
            let key = &*key_of(surface);
            self.find(language, key).unwrap_or_else(|| self.push(language, key, &term))
        };
        (0..new.len()).map(number).collect()
    }

    /// The term of a word, if it came before.
    pub(crate) fn term_of(&self, language: Language, key: &str) -> Option<Term<'_>> {
        let Word { term, is_stop, is_dropped, folded, .. } = self.word(self.find(language, key)?);
        let (text, hash) = (self.terms.get(term).into(), self.terms.hashes[term as usize]);
        Some(Term { text, hash, is_stop, is_dropped, folded })
    }

    fn find(&self, language: Language, key: &str) -> Option<u32> {
        if key.len() > SHORT {
            return self.find_long(language, key);
        }
        self.short.find(Packed::new(key.as_bytes(), 0, key.len(), language))
    }

    fn push(&mut self, language: Language, key: &str, found: &Term<'_>) -> u32 {
        let number = self.words.len() as u32;
        assert!(number < MAX_WORDS, "fewer than 2^31 distinct words");
        let term = self.intern_term(&found.text, found.hash);
        let &Term { is_stop, is_dropped, folded, .. } = found;
        self.words.push(Word { term, is_stop, is_dropped, folded, shape: shape::of(key) });
        if key.len() > SHORT {
            self.long.push(surface_hash(language, key), key);
            self.long_numbers.push(number);
        } else {
            self.short.insert(Packed::new(key.as_bytes(), 0, key.len(), language), number);
        }
        number
    }

    fn intern_term(&mut self, text: &str, hash: u64) -> u32 {
        self.terms.find(hash, text).unwrap_or_else(|| self.terms.push(hash, text))
    }

    /// What is known of the word with this number.
    pub fn word(&self, number: u32) -> Word {
        self.words[number as usize]
    }

    /// All words, by number.
    pub fn words(&self) -> &[Word] {
        &self.words
    }

    /// The text of a term.
    pub fn term(&self, number: u32) -> &str {
        self.terms.get(number)
    }

    /// The hashes of all terms, by number.
    pub fn term_hashes(&self) -> &[u64] {
        &self.terms.hashes
    }

    /// The number of a term, if it was met.
    pub fn find_term(&self, text: &str) -> Option<u32> {
        self.terms.find(hash::term(text), text)
    }

    /// How many distinct terms there are.
    pub fn n_terms(&self) -> usize {
        self.terms.len()
    }
}

/// The language is part of the hash: with the same letters, 64 bits are taken as proof that the
/// language is the same, too.
fn surface_hash(language: Language, surface: &str) -> u64 {
    hash::extend(u64::from(language.number()), hash::term(surface))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_has_one_number_in_a_language_and_terms_are_shared() {
        let (en, tr) = (Language::from_code("en"), Language::from_code("tr"));
        let mut vocabulary = Vocabulary::new(Profile::default());
        let runs = vocabulary.intern(en, "Runs");
        assert_eq!(vocabulary.intern(en, "Runs"), runs);
        let running = vocabulary.intern(en, "running");
        assert_ne!(running, runs);
        assert_eq!(vocabulary.word(running).term, vocabulary.word(runs).term);
        assert_eq!(vocabulary.term(vocabulary.word(runs).term), "run");
        assert_ne!(vocabulary.intern(tr, "Runs"), runs);
        assert_eq!(vocabulary.find_term("run"), Some(0));
        assert_eq!(vocabulary.find_term("ran"), None);
        let known = vocabulary.term_of(en, "running");
        let mut room = String::new();
        assert_eq!(known, Some(term("running", en, &Profile::default(), &mut room)));
        assert_eq!(vocabulary.term_of(tr, "running"), None);
    }

    #[test]
    fn a_part_knows_its_words_as_the_whole_does_and_no_others() {
        let en = Language::from_code("en");
        let mut whole = Vocabulary::new(Profile::default());
        let words = ["Runs", "a", "running", "uncharacteristically", "internationalisation", "Ran"];
        let numbers = words.map(|word| whole.intern(en, word));
        let mut part = whole.part(&[numbers[4], numbers[0], numbers[2], numbers[0]]);
        assert_ne!(part.id(), whole.id());
        assert_eq!((part.words().len(), part.n_terms()), (3, 2));
        for word in [0, 2, 4].map(|n| words[n]) {
            assert_eq!(part.term_of(en, word), whole.term_of(en, word));
        }
        for word in [1, 3, 5].map(|n| words[n]) {
            assert_eq!(part.find(en, word), None);
        }
        assert_eq!(words.map(|word| part.intern(en, word)), [0, 3, 1, 4, 2, 5]);
    }
}
