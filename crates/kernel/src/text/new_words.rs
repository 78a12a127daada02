//! The words that a chunk of texts is the first to have.

use super::distinct::{Distincts, Packed, SHORT};
use super::language::Language;
use super::profile::Profile;
use super::terms::{Term, key_of, term};
use super::vocabulary::Vocabulary;
use crate::cancel::Cancel;
use crate::effort::BETWEEN_CHECKS;
use crate::error::Result;

/// Words that are new in their chunk, with their terms, by number. There are tens of thousands of
/// them, so that their texts stand one behind the other, and none has memory of its own.
pub struct NewWords {
    words: Distincts,
    texts: String,
    terms: Vec<Told>,
}

/// A term, but for its text.
struct Told {
    /// Where its text ends.
    end: u32,
    folded: u32,
    hash: u64,
    is_stop: bool,
    is_dropped: bool,
}

impl NewWords {
    /// The terms of some words, as far as they are not known to a `memory`.
    pub fn new(
        words: Distincts,
        memory: Option<&Vocabulary>,
        profile: &Profile,
        cancel: &Cancel,
    ) -> Result<Self> {
        let mut found =
            Self { texts: String::new(), terms: Vec::with_capacity(words.len()), words };
        let mut room = String::new();
        for number in 0..found.words.len() {
            if number % BETWEEN_CHECKS == 0 {
                cancel.check()?;
            }
            let (surface, language) = found.words.get(number);
            let key = &*key_of(surface);
            let known = memory.and_then(|memory| memory.term_of(language, key));
            let Term { text, hash, is_stop, is_dropped, folded } =
                known.unwrap_or_else(|| term(key, language, profile, &mut room));
            found.texts.push_str(&text);
            let end = found.texts.len() as u32;
            found.terms.push(Told { end, folded, hash, is_stop, is_dropped });
        }
        Ok(found)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// A word as it stands in the text, the language of the text, and its term.
    pub fn get(&self, number: usize) -> (&str, Language, Term<'_>) {
        let (surface, language) = self.words.get(number);
        let &Told { end, folded, hash, is_stop, is_dropped } = &self.terms[number];
        let start = if number == 0 { 0 } else { self.terms[number - 1].end };
        let text = self.texts[start as usize..end as usize].into();
        (surface, language, Term { text, hash, is_stop, is_dropped, folded })
    }

    /// A word in two machine words, if it is there and short.
    pub fn packed(&self, number: usize) -> Option<Packed> {
        if number >= self.len() {
            return None;
        }
        let (surface, language) = self.words.get(number);
        let is_short = surface.len() <= SHORT;
        is_short.then(|| Packed::new(surface.as_bytes(), 0, surface.len(), language))
    }
}
